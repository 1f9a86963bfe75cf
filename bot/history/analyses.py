"""Analyses of a person's play of a finished deal: computed once, in the pool, and stored with the deal."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from bot.clock import Clock
from bot.errors import UserError
from bot.history.replays import Replay
from bot.workpool.pool import WorkKind, WorkPool
from data.repositories.deal_search import Search, Sight
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from league.ids import PersonId, TableId
from league.statistics.stats import StandIn
from marriage.analysis.deal_analysis import Analysis, check_dearest, judge, put_together, weigh_draws

PARTS: Final = 3
"""The number of parts of the work."""
Tell = Callable[[int], Awaitable[object]]
"""A callback that receives the number of finished parts."""


@dataclass(frozen=True, slots=True, repr=False)
class Analysed:
    """A person's analysis, and its deal."""

    replay: Replay
    analysis: Analysis
    by_computer: bool
    """Whether a computer played some of the turns."""


class Analyses:
    """Analyses of finished deals, one for each person who played. Stored analyses are not computed again."""

    def __init__(self, store: Store, clock: Clock, workpool: WorkPool) -> None:
        self._store = store
        self._clock = clock
        self._workpool = workpool

    async def last_deal(self, sight: Sight) -> tuple[TableId, int]:
        """The last finished deal of a person; raises UserError if there is none."""
        page = await self._store.read(lambda db: db.history.page(sight, Search(), 0, 1))
        if not page.deals:
            raise UserError("sorry.analysis_none")
        row = page.deals[0].row
        return row.table_id, row.deal_no

    async def of(self, replay: Replay, sight: Sight, tell: Tell) -> Analysed:
        """Return the analysis of the person's own play in a deal that they may see.

        Raises UserError if they did not play in it, and SupersededError if they have requested another
        analysis meanwhile.
        """
        seat = replay.own_seat
        if seat is None:
            raise UserError("sorry.analysis_not_yours")
        table, deal = replay.table.id, replay.deal_no

        async def read(db: ReadTransaction):
            known = await db.analyses.of_deal(table, deal, sight.person_id)
            found = await db.history.find(sight, table, deal)
            return known, found

        known, found = await self._store.read(read)
        played = None if found is None else found.seats[seat].stand_in
        if played is StandIn.WHOLE:
            raise UserError("sorry.analysis_computer")
        analysis = known or await self._worked_out(replay, seat, sight.person_id, tell)
        return Analysed(replay, analysis, played is not None)

    async def _worked_out(self, replay: Replay, seat: int, person_id: PersonId, tell: Tell) -> Analysis:
        table, deal = replay.table.id, replay.deal_no
        events = tuple(await self._store.read(lambda db: db.deals.events(table, deal)))
        await tell(0)
        judged = await self._workpool.run(WorkKind.ANALYSIS, person_id, judge, events, seat)
        await tell(1)
        checked = await self._workpool.run(WorkKind.ANALYSIS, person_id, check_dearest, events, seat, judged)
        await tell(2)
        draws = await self._workpool.run(WorkKind.ANALYSIS, person_id, weigh_draws, events, seat)
        analysis = put_together(events, seat, checked, draws)

        async def write(db: WriteTransaction) -> None:
            if await db.people.get(person_id) is not None:  # they may have been forgotten meanwhile
                await db.analyses.keep(table, deal, person_id, analysis, self._clock.now())

        await self._store.write(write)
        return analysis
