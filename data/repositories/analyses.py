"""What people learn from: the analyses of their deals, and their practice."""

from collections.abc import Sequence

from sqlalchemy import select, update

from data.dialect import insert_or_keep, upsert
from data.errors import RevisionConflictError
from data.rows.people import PracticeRow
from data.schema.core import practice
from data.schema.stats import analysis
from data.session import Session
from league.ids import PersonId, TableId
from marriage.analysis.deal_analysis import ANALYSIS_VERSION, Analysis
from marriage.analysis.verdicts import at_four
from marriage.events import Event


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


class PracticeQueries(Session):
    """Finds practice deals."""

    __slots__ = ()

    async def get(self, person_id: PersonId) -> PracticeRow | None:
        """The practice deal of this person; None before their first one."""
        return await self._one(PracticeRow, select(practice).where(practice.c.person_id == person_id))


class PracticeRepository(PracticeQueries):
    """Stores practice deals."""

    __slots__ = ()

    async def set(self, person_id: PersonId, before: int, events: Sequence[Event], now: int) -> PracticeRow:
        """Store the deal of a person, in place of the one at revision `before`; 0 means that there is none yet.

        The person must already be stored. Raises RevisionConflictError if the deal has changed meanwhile, or is gone
        because the person was forgotten.
        """
        row = PracticeRow(PersonId(person_id), before + 1, tuple(events), now)
        values = {"revision": row.revision, "events": row.events, "at": now}
        if before:
            mine = practice.c.person_id == person_id, practice.c.revision == before
            done = await self._execute(update(practice).where(*mine).values(**values))
        else:
            done = await self._execute(insert_or_keep(practice, {"person_id": person_id, **values}))
        if done.rowcount != 1:
            raise RevisionConflictError(f"the practice deal is no longer at revision {before}")
        return row
