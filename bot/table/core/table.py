"""A table as a value: everything that commands and panels need to know of it, without I/O.

It is what the file holds of the table at one version. Commands never change it: they note what changes in a
`TableChange`, and the table that comes of it is another value.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bot.table.core.ledger import Ledger, ledger_of
from bot.table.core.waits import COMPUTER, PAUSED, TURN, WINDOW
from bot.words.moves import SHOWN, is_told
from data.repositories.guests import Standing
from data.values import BenchRow, DeadlineRow, DealRow, MatchRow, ResultRow, SeatRow, TableRow
from league.statistics.stats import Earned
from marriage.cards import Cards
from marriage.events import Event
from marriage.state import Phase, State
from marriage.view import View, mask, view


@dataclass(frozen=True, slots=True)
class Boards:
    """What may be told of a table's deals, which other tables may still play."""

    is_sealed: bool = False
    """Whether nothing of the latest deal may be told yet."""
    is_revealed: bool = False
    """Whether the seed of the latest deal is no secret any more."""
    next_is_sealed: bool = False
    """Whether nothing of the deal that is prepared may be told yet."""


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """One table at one version."""

    row: TableRow
    seats: tuple[SeatRow, ...]
    bench: tuple[BenchRow, ...] = ()
    deals: Mapping[int, DealRow] = field(default_factory=dict[int, DealRow])
    """The latest deal and the one that is prepared, by number."""
    state: State | None = None
    """Of the deal in play, or the latest one."""
    played: int = 0
    """How many events that deal has."""
    recent: tuple[Event, ...] = ()
    """The latest of them that are told in words, masked for a spectator."""
    deadlines: Mapping[str, DeadlineRow] = field(default_factory=dict[str, DeadlineRow])
    """What the table waits for, by kind."""
    pins: Mapping[int, tuple[Cards, ...]] = field(default_factory=dict[int, tuple[Cards, ...]])
    """The groups that people have put together in their hands, by person."""
    guests: Mapping[int, Standing] = field(default_factory=dict[int, Standing])
    """Who was invited or blocked."""
    match: MatchRow | None = None
    """The match that the table plays, or the latest one."""
    results: tuple[ResultRow, ...] = ()
    """Of that match."""
    boards: Boards = Boards()
    earned: tuple[Earned, ...] = ()
    """What was achieved for the first time by the deal that has just ended."""

    @property
    def deal(self) -> DealRow | None:
        """The deal in play, or the latest one."""
        return self.deals.get(self.row.deal_no)

    @property
    def following(self) -> DealRow | None:
        """The deal that is prepared."""
        return self.deals.get(self.row.deal_no + 1)

    @cached_property
    def public(self) -> View | None:
        """The deal as a spectator sees it; None before the first deal."""
        return None if self.state is None else view(self.state, None)

    @cached_property
    def private(self) -> tuple[View, ...]:
        """The deal as each seat sees it; empty before the first deal."""
        state = self.state
        return () if state is None else tuple(view(state, seat.seat) for seat in self.seats)

    @cached_property
    def ledger(self) -> Ledger:
        """What the deals of the match have brought everybody."""
        return ledger_of(self.results)


def recent_events(before: Sequence[Event], events: Sequence[Event]) -> tuple[Event, ...]:
    """The latest events that are told in words, masked, given those of before and those that were added."""
    told = [mask(event, None) for event in events if is_told(event)]
    return tuple([*before, *told][-SHOWN:])


def asked_seats(table: TableRow, state: State | None) -> list[int]:
    """The seats that the deal in play waits for."""
    if state is None or table.status != "playing":
        return []
    if state.phase is Phase.WINDOW:
        return [seat for seat, held in enumerate(state.seats) if not held.answered]
    return [state.turn]


def asked_since(table: TableRow, state: State | None, deadlines: Mapping[str, DeadlineRow]) -> int:
    """The revision since which the deal asks what it asks now: buttons of that revision and later are good.

    In the window everybody is asked at once, so another seat's answer makes nobody's button old. Nor does what
    happens around the deal, such as somebody leaving.
    """
    in_window = state is not None and state.phase is Phase.WINDOW
    kinds = {PAUSED, WINDOW} if in_window else {PAUSED, TURN, COMPUTER}
    waits = [row for kind, row in deadlines.items() if kind in kinds]
    soonest = min(waits, key=lambda row: (row.due_at, row.kind), default=None)
    return table.revision if soonest is None else soonest.revision
