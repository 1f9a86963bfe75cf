"""The analyses of people's finished deals. Those that an earlier version of the analysis made are not found."""

from sqlalchemy import select

from data.dialect import upsert
from data.schema.analyses import analysis
from data.session import Session
from league.ids import PersonId, TableId
from marriage.analysis.deal_analysis import ANALYSIS_VERSION, Analysis
from marriage.analysis.verdicts import at_four


class AnalysisQueries(Session):
    """Finds analyses."""

    __slots__ = ()

    async def of_deal(self, table_id: TableId, deal_no: int, person_id: PersonId) -> Analysis | None:
        """How a person played a deal; None before it was analysed."""
        this = (analysis.c.table_id == table_id, analysis.c.deal_no == deal_no)
        mine = (analysis.c.person_id == person_id, analysis.c.version == ANALYSIS_VERSION)
        rows = await self._execute(select(analysis.c.analysis).where(*this, *mine))
        return rows.scalar_one_or_none()

    async def latest(self, person_id: PersonId, count: int) -> list[tuple[float, float]]:
        """Of the last deals that were analysed for a person: accuracy in percent, and the points lost as at a table of four.

        The latest first; deals in which there was nothing to decide are left out.
        """
        mine = analysis.c.person_id == person_id, analysis.c.version == ANALYSIS_VERSION
        decided = analysis.c.accuracy.is_not(None)
        found = select(analysis.c.accuracy, analysis.c.lost).where(*mine, decided)
        rows = await self._execute(found.order_by(analysis.c.at.desc()).limit(count))
        return [(row.accuracy, row.lost) for row in rows]


class AnalysisRepository(AnalysisQueries):
    """Stores analyses."""

    __slots__ = ()

    async def keep(
        self, table_id: TableId, deal_no: int, person_id: PersonId, found: Analysis, now: int
    ) -> None:
        """Keep the analysis of a finished deal for a person, who is stored."""
        key = {"table_id": table_id, "deal_no": deal_no, "person_id": person_id}
        values = {
            "version": ANALYSIS_VERSION,
            "analysis": found,
            "at": now,
            "accuracy": found.accuracy,
            "lost": at_four(found.lost, found.players),
        }
        await self._execute(upsert(analysis, key, values))
