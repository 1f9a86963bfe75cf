"""Search for puzzles in the background, in computers' deals and in finished deals of people who allow it.

The stock is bounded. The search runs in the work pool, one deal at a time, and rests while the tables are
busy.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import structlog

from bot.clock import Clock
from bot.cluster.shards import Shards
from bot.workpool.pool import WorkKind, WorkPool
from data.errors import EventsDamaged
from data.repositories.learning import NewPuzzle, Shelf
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from league.ids import PersonId, TableId
from marriage.events import Event
from marriage.puzzles import Found, PuzzleKind, search_computers, search_deal

_DEALS_AT_ONCE: Final = 200
"""The number of finished deals that are examined in one go."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, repr=False)
class PeopleDeal:
    """A finished deal, and the seats whose players allow puzzles of it."""

    number: int
    """Its number among all finished deals."""
    table_id: TableId
    deal_no: int
    people: Mapping[int, PersonId]
    """The people by seat."""
    events: tuple[Event, ...]
    """The events; empty if they are damaged, or must stay hidden because others still play the same cards."""

    def puzzle(self, found: Found) -> NewPuzzle:
        """Return a puzzle found in the deal as it is stored: without a name, and from the one seat alone."""
        source = f"deal:{self.table_id}:{self.deal_no}:{found.seat}:{found.step}"
        return NewPuzzle(source, found.seat, found.position, found.puzzle, self.people[found.seat])


async def next_deal(db: ReadTransaction, after: int, last: int) -> PeopleDeal | None:
    """Return the first deal after this number, up to `last`, with a person who allows it, or None.

    Only recorded deals are considered: those of tables that are over for everyone, never a deal of the day.
    """
    while after < last:
        before = min(last, after + _DEALS_AT_ONCE) + 1
        allowed = await db.puzzles.allowed_deals(after, before)
        if allowed:
            first = allowed[0]
            people = {seat.seat: seat.person_id for seat in allowed if seat.number == first.number}
            events = await _events(db, first.table_id, first.deal_no)
            return PeopleDeal(first.number, first.table_id, first.deal_no, people, events)
        after = before - 1
    return None


async def _events(db: ReadTransaction, table_id: TableId, deal_no: int) -> tuple[Event, ...]:
    deal = await db.deals.get(table_id, deal_no)
    if deal is None or not await db.boards.is_revealed(deal):
        return ()
    try:
        return tuple(await db.deals.events(table_id, deal_no))
    except EventsDamaged:
        log.exception("puzzles.deal_left_out", table=table_id, deal=deal_no)
        return ()


SHARES: Final[dict[Shelf, float]] = {
    (PuzzleKind.CARD, False): 0.4,
    (PuzzleKind.SETS, False): 0.15,
    (PuzzleKind.FINISH, False): 0.25,
    (PuzzleKind.FINISH, True): 0.2,
}
"""The shares of the stock, so that "not now" is right about as often as a finish."""
FOR_PEOPLE: Final = 1.25
"""The factor by which deals of people may exceed a shelf's share."""
LOOK_S: Final = 5.0
"""The pause after each deal, in seconds."""
FULL_S: Final = 65.0
"""The pause if there is nothing to do, in seconds."""
BUSY_MOVES: Final = 10
BUSY_S: Final = 10.0
"""The period, in seconds, over which changes of tables are counted to detect a busy bot."""
NEXT_DEAL: Final = "puzzles.next_deal"
LAST_PLAYED: Final = "puzzles.last_played"
_TRIES: Final = 8
"""The number of deals between computers that are searched while a person waits."""


class PuzzleMiner:
    """Keeps the stock of puzzles full."""

    def __init__(
        self, store: Store, clock: Clock, workpool: WorkPool, most: int, shards: Shards | None = None
    ) -> None:
        self._store = store
        self._clock = clock
        self._workpool = workpool
        self._most = most
        self._shards = shards or Shards()
        self._changes: deque[float] = deque(maxlen=BUSY_MOVES)

    def note_change(self) -> None:
        """Note that something happened at a table."""
        self._changes.append(asyncio.get_running_loop().time())

    def is_busy(self) -> bool:
        """Return whether the tables are so busy that the search should pause."""
        now = asyncio.get_running_loop().time()
        return len(self._changes) == BUSY_MOVES and now - self._changes[0] < BUSY_S

    async def search_if_idle(self) -> float:
        """Search one deal unless the tables are busy; return how long to pause, in seconds."""
        return LOOK_S if self._may_search() and await self.search() else FULL_S

    def _may_search(self) -> bool:
        """Return whether this process is the one that searches."""
        return self._most > 0 and self._shards.owns(None) and not self.is_busy()

    async def search(self) -> bool:
        """Search one deal if there is one, and room for its puzzles; return whether there was."""
        stock = await self._store.read(lambda db: db.puzzles.stock())
        if await self._search_people(stock):
            return True
        if not any(self._has_room(stock, shelf) for shelf in SHARES):
            return False
        await self._search_computers(stock)
        return True

    async def search_for(self, person_id: PersonId) -> None:
        """Search deals between computers until one has a puzzle, for a person who has answered them all."""
        for _ in range(_TRIES):
            if await self._search_computers({}, person_id, more=True):
                return

    def _has_room(self, stock: Mapping[Shelf, int], shelf: Shelf, share: float = 1) -> bool:
        return stock.get(shelf, 0) < share * SHARES[shelf] * self._most

    async def _search_computers(
        self, stock: Mapping[Shelf, int], person_id: PersonId | None = None, *, more: bool = False
    ) -> int:
        """Search the next deal between computers; return the number of puzzles stored.

        `more` stores its puzzles even in a full stock.
        """

        async def read(db: ReadTransaction):
            return int(await db.key_values.get(NEXT_DEAL) or 0)

        number = await self._store.read(read)
        found = await self._workpool.run(WorkKind.PUZZLE, person_id, search_computers, number)
        new = [
            NewPuzzle(f"computers:{number}:{made.seat}:{made.step}", made.seat, made.position, made.puzzle)
            for shelf, made in one_a_shelf(found, number).items()
            if more or self._has_room(stock, shelf)
        ]

        async def write(db: WriteTransaction) -> None:
            await db.puzzles.add(new, self._clock.now())
            await db.key_values.set(NEXT_DEAL, str(number + 1))

        await self._store.write(write)
        log.debug("puzzles.searched", deal=number, found=len(new))
        return len(new)

    async def _search_people(self, stock: Mapping[Shelf, int]) -> bool:
        """Search the next finished deal of a person who allows it; return whether there was one."""

        async def read(db: ReadTransaction):
            noted = await db.key_values.get(LAST_PLAYED)
            last = await db.puzzles.last_deal()
            deal = await next_deal(db, last if noted is None else int(noted), last)
            return noted, last, deal

        noted, last, deal = await self._store.read(read)
        if deal is None and noted == str(last):
            return False
        new: list[NewPuzzle] = []
        if deal is not None and deal.events:
            found = await self._workpool.run(
                WorkKind.PUZZLE, None, search_deal, deal.events, tuple(deal.people)
            )
            new = [
                deal.puzzle(made)
                for shelf, made in one_a_shelf(found, deal.number).items()
                if self._has_room(stock, shelf, FOR_PEOPLE)
            ]

        async def write(db: WriteTransaction) -> None:
            await db.puzzles.add(new, self._clock.now())
            await db.key_values.set(LAST_PLAYED, str(last if deal is None else deal.number))

        await self._store.write(write)
        return deal is not None


def one_a_shelf(found: Iterable[Found], number: int) -> dict[Shelf, Found]:
    """Return one of a deal's puzzles for each shelf, to avoid repetition; `number` chooses among several."""
    shelves: dict[Shelf, list[Found]] = {}
    for made in found:
        shelves.setdefault((made.puzzle.kind, made.puzzle.goes_on), []).append(made)
    return {shelf: several[number % len(several)] for shelf, several in shelves.items()}
