"""The complete state of one deal, hidden cards included. Only the engine reads it; all other code gets a `View`."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields
from enum import StrEnum
from itertools import chain
from typing import Any, Final, Generic, TypeVar

from marriage.bits import pack
from marriage.cards import Card, Cards, sort_cards, without
from marriage.events import FoulReason
from marriage.rules import Rules
from marriage.sheet import Sheet
from marriage.shuffle import DealSeed

T = TypeVar("T")


class Copies(Generic[T]):
    """Makes copies of `kind`, a frozen dataclass with slots and without `__post_init__`."""

    draft: Callable[[T], Any]
    """Makes a mutable copy. Setting an attribute that is not a field raises AttributeError."""

    def __init__(self, kind: type[T]) -> None:
        self._kind = kind
        names = [field.name for field in fields(kind)]  # pyright: ignore[reportArgumentType]
        self.draft = _drafter(names, type("Draft", kind.__bases__, {"__slots__": tuple(names)}))

    def done(self, draft: Any) -> T:
        """Freeze a draft and return it."""
        draft.__class__ = self._kind
        return draft

    def changed(self, value: T, **changes: Any) -> T:
        """Return a frozen copy with these fields changed; raises AttributeError for an unknown field."""
        after = self.draft(value)
        for name, content in changes.items():
            setattr(after, name, content)
        return self.done(after)


def _drafter(names: list[str], draft: type) -> Callable[[Any], Any]:
    """Return a function that copies these fields into a new `draft`.

    It is generated code, since a loop is four times slower.
    """
    lines = [f"    after.{name} = value.{name}" for name in names]
    source = "\n".join(["def copy(value):", "    after = draft()", *lines, "    return after"])
    namespace: dict[str, Any] = {"draft": draft}
    exec(source, namespace)  # noqa: S102 - the source consists of field names only
    return namespace["copy"]


class Phase(StrEnum):
    """What a deal is waiting for."""

    WINDOW = "window"
    """Every seat exposes tunnelas or declines."""
    DRAW = "draw"
    """The seat in turn draws from the stock or takes the top discard."""
    PLAY = "play"
    """The seat in turn has 22 cards: it may show or finish; otherwise it discards."""
    CUT = "cut"
    """The seat in turn made the first show and cuts the tiplu."""
    OVER = "over"
    """The deal was finished or dismissed."""


class ShowKind(StrEnum):
    """How a seat has shown."""

    GROUPS = "groups"
    """By three primary groups."""
    DUBLEES = "dublees"
    """By seven dublees."""


# The members as module constants, for checks that run several times a move. In Python 3.11 `Phase.DRAW` goes through the
# metaclass, which is five times as slow and took a sixth of the time of a move.
WINDOW: Final = Phase.WINDOW
DRAW: Final = Phase.DRAW
PLAY: Final = Phase.PLAY
CUT: Final = Phase.CUT
OVER: Final = Phase.OVER
GROUPS: Final = ShowKind.GROUPS
DUBLEES: Final = ShowKind.DUBLEES


class _Cached:
    """Slots for values that depend only on the fields and are needed several times a turn. Copies do not inherit them.

    `in_hand`: the concealed cards of a seat with laid or exposed cards. `bits`: the concealed cards, packed.
    """

    __slots__ = ("bits", "in_hand")


@dataclass(frozen=True, slots=True, repr=False)
class Seat(_Cached):
    """One seat: its cards, and which of them are laid or exposed."""

    cards: Cards
    """All cards of the seat, sorted: concealed, laid and exposed. There are 21 between turns."""
    exposed: Cards = ()
    """The face of each exposed tunnela, in the order in which they were exposed."""
    laid: tuple[Cards, ...] = ()
    """The groups or pairs shown."""
    shown: ShowKind | None = None
    seen: bool = False
    """Whether the seat has looked at the tiplu (with an open tiplu: has shown), so that wild cards are wild for it."""
    finish: tuple[Cards, ...] = ()
    """The groups or pair with which the winner finished, in addition to those shown."""
    answered: bool = False
    """Whether the seat has exposed or declined in the tunnela window."""
    out: bool = False
    """Whether the hand is dead: skipped until the deal is over, with 22 cards."""
    threw: bool = False
    """Whether the seat has a throw foul in this deal; it stays secret until the deal is over."""
    ruled: FoulReason | None = None
    """The reason of the foul ruled against the seat in this deal, if there is one."""

    def locked(self) -> Counter[Card]:
        """Return the cards that lie face up and cannot be moved, each card counted once.

        These are the laid groups and the exposed tunnelas.
        """
        laid = Counter(chain.from_iterable(self.laid))
        return laid | Counter(dict.fromkeys(self.exposed, 3)) if self.exposed else laid

    def concealed(self) -> Cards:
        """Return the concealed cards (those in hand), sorted."""
        if not (self.laid or self.exposed):
            return self.cards
        try:
            return self.in_hand
        except AttributeError:
            open_cards = self.locked().elements() if self.exposed else chain.from_iterable(self.laid)
            concealed = without(self.cards, open_cards)
            object.__setattr__(self, "in_hand", concealed)
            return concealed

    def packed(self) -> int:
        """Return the concealed cards, packed as in `marriage.bits`."""
        try:
            return self.bits
        except AttributeError:
            bits = pack(self.concealed())
            object.__setattr__(self, "bits", bits)
            return bits

    def spare_tunnelas(self) -> tuple[Cards, ...]:
        """Return the exposed tunnelas outside the laid groups; they count as groups at the finish."""
        return tuple((card,) * 3 for card in self.exposed if (card,) * 3 not in self.laid)


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """The complete state of one deal. Its `repr` shows no cards, so that logs never do."""

    rules: Rules
    dealer: int
    seats: tuple[Seat, ...]
    stock: Cards
    """The face-down cards, the top one first, without the tiplu."""
    pile: Cards
    """The face-up discards, the oldest first and the top one last."""
    phase: Phase
    turn: int
    """The seat to act; during the tunnela window the seat that will act first."""
    key: DealSeed
    """The secret seed of the deal's random streams: shuffle, cut and reshuffles."""
    tiplu: Card | None = None
    """The face of the tiplu, once it is cut. The card itself lies under the stock."""
    taken: Card | None = None
    """The face taken from the pile in this turn."""
    drawn: Card | None = None
    """The card that the seat in turn has drawn or taken."""
    shown_now: bool = False
    """Whether the seat in turn has shown in this turn."""
    reshuffles: int = 0
    version: int = 0
    """The number of events applied."""
    sheet: Sheet | None = None
    """The result, once the deal is over."""
    better: bool = False
    """Whether this is a better deal, which counts `better_factor`-fold."""
    carry: tuple[int, ...] = ()
    """Who still owes the penalty of a foul in an earlier deal, listed once for each foul."""
    stocks: tuple[Cards, ...] = ()
    """In a duplicate deal the stocks by seat (see `marriage.duplicate_board`).

    The one of the seat in turn is empty; its stock is `stock`.
    """
    aside: Cards = ()
    """In a duplicate deal the tiplu until it is turned, followed by the cards that are out of play."""
    throwers: tuple[int, ...] = ()
    """The seats that discarded the last cards of `pile`, in its order. The card that the deal turned up has none."""

    def __repr__(self) -> str:
        return f"<State version={self.version} phase={self.phase} turn={self.turn} seats={len(self.seats)}>"

    @property
    def cut_by_discard(self) -> bool:
        """Whether the cut of the tiplu follows the discard of this turn."""
        return self.tiplu is None and self.shown_now

    def next_seat(self, seat: int) -> int:
        """Return the seat after this one in the direction of play."""
        step = 1 if self.rules.direction == "clockwise" else -1
        return (seat + step) % len(self.seats)

    def next_live(self, seat: int) -> int:
        """Return the seat that acts after this one, skipping dead hands."""
        following = self.next_seat(seat)
        while self.seats[following].out and following != seat:
            following = self.next_seat(following)
        return following

    def all_cards(self) -> Cards:
        """Return all cards of the deal, wherever they are, sorted. They always form the whole deck."""
        held = [card for seat in self.seats for card in seat.cards]
        cut = [] if self.tiplu is None else [self.tiplu]
        apart = [card for stock in self.stocks for card in stock]
        return sort_cards([*held, *self.stock, *apart, *self.aside, *self.pile, *cut])


SEATS: Final = Copies(Seat)
STATES: Final = Copies(State)
