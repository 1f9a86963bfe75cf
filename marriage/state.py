"""The whole state of one deal, hidden cards included. Only the engine reads it; everyone else receives a `View`."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Final

from marriage.bits import pack
from marriage.cards import Card, Cards, sort_cards, without
from marriage.copying import Copies
from marriage.events import FoulReason
from marriage.rules import Rules
from marriage.sheet import Sheet
from marriage.shuffle import DealSeed


class Phase(StrEnum):
    """What the deal is waiting for."""

    WINDOW = "window"
    """Every seat exposes tunnelas or declines."""
    DRAW = "draw"
    """The seat whose turn it is draws from the stock or takes the discard."""
    PLAY = "play"
    """That seat has 22 cards: it may show or finish, else it discards."""
    CUT = "cut"
    """That seat has shown first and cuts the tiplu."""
    OVER = "over"
    """Finished or dismissed."""


class ShowKind(StrEnum):
    """How a seat has shown."""

    GROUPS = "groups"
    """By three primary groups."""
    DUBLEES = "dublees"
    """By seven dublees."""


# The members under plain names, for what is asked several times a move: in Python 3.11 `Phase.DRAW` is looked up
# through the metaclass each time, which is five times as slow and was a sixth of the time of a move.
WINDOW: Final = Phase.WINDOW
DRAW: Final = Phase.DRAW
PLAY: Final = Phase.PLAY
CUT: Final = Phase.CUT
OVER: Final = Phase.OVER
GROUPS: Final = ShowKind.GROUPS
DUBLEES: Final = ShowKind.DUBLEES


class _WorkedOut:
    """Room for what is asked for several times a turn and depends on the fields alone; copies leave it behind.

    `in_hand`: the cards in hand of a seat of which others lie open. `bits`: the cards in hand, packed.
    """

    __slots__ = ("bits", "in_hand")


@dataclass(frozen=True, slots=True, repr=False)
class Seat(_WorkedOut):
    """One seat's cards and what of them lies open."""

    cards: Cards
    """All cards of the seat, sorted: those in hand, laid and exposed. 21 between turns."""
    exposed: Cards = ()
    """The face of each tunnela exposed in the window, in the order of exposing."""
    laid: tuple[Cards, ...] = ()
    """The groups or pairs shown."""
    shown: ShowKind | None = None
    seen: bool = False
    """Whether it has looked at the tiplu (with an open tiplu: has shown); wild cards are wild for it."""
    finish: tuple[Cards, ...] = ()
    """What the winner laid down to finish, beside the groups or pairs shown."""
    answered: bool = False
    """Whether the seat has had its say in the tunnela window."""
    out: bool = False
    """Whether the hand is dead: passed over until the deal is over, with 22 cards."""
    threw: bool = False
    """Whether it has a throw foul in this deal; nobody is told before the deal is over."""

    ruled: FoulReason | None = None
    """Why a foul was ruled against it in this deal, if one was."""

    def locked(self) -> Counter[Card]:
        """The cards that lie open and stay: laid groups and exposed tunnelas, none counted twice."""
        laid = Counter(chain.from_iterable(self.laid))
        return laid | Counter(dict.fromkeys(self.exposed, 3)) if self.exposed else laid

    def concealed(self) -> Cards:
        """The cards held in hand, sorted."""
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
        """The cards in hand as `marriage.bits` packs them."""
        try:
            return self.bits
        except AttributeError:
            bits = pack(self.concealed())
            object.__setattr__(self, "bits", bits)
            return bits

    def spare_tunnelas(self) -> tuple[Cards, ...]:
        """The exposed tunnelas that are not among the laid groups: groups of the finish."""
        return tuple((card,) * 3 for card in self.exposed if (card,) * 3 not in self.laid)


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """Everything about one deal. `repr` says nothing of the cards, so that no log ever does."""

    rules: Rules
    dealer: int
    seats: tuple[Seat, ...]
    stock: Cards
    """Face down, the top card first; without the tiplu."""
    pile: Cards
    """Face up, the oldest discard first, the top last."""
    phase: Phase
    turn: int
    """The seat to move; in the window the seat that will move first."""
    key: DealSeed
    """The secret of the deal's own chance: shuffle, cut and reshuffles."""
    tiplu: Card | None = None
    """The face of the tiplu once cut; the card itself lies under the stock."""
    taken: Card | None = None
    """The face taken from the pile in this turn."""
    drawn: Card | None = None
    """The card that came to the seat in turn by drawing or taking."""
    shown_now: bool = False
    """Whether the seat in turn has shown in this turn."""
    reshuffles: int = 0
    version: int = 0
    """The number of events applied."""
    sheet: Sheet | None = None
    """The result, once the deal is over."""
    better: bool = False
    """Whether the deal counts more than others."""
    carry: tuple[int, ...] = ()
    """Who owes a foul of an earlier deal, once for each time."""
    stocks: tuple[Cards, ...] = ()
    """On a board the stock of every seat but the one in turn, whose stock is `stock` (see `marriage.board`)."""
    aside: Cards = ()
    """On a board the tiplu as long as it is not turned, then the cards that are out."""

    def __repr__(self) -> str:
        return f"<State version={self.version} phase={self.phase} turn={self.turn} seats={len(self.seats)}>"

    @property
    def cut_by_discard(self) -> bool:
        """Whether the discard of this turn brings the cut of the tiplu."""
        return self.tiplu is None and self.shown_now

    def next_seat(self, seat: int) -> int:
        """The seat after this one in the direction of play."""
        step = 1 if self.rules.direction == "clockwise" else -1
        return (seat + step) % len(self.seats)

    def next_live(self, seat: int) -> int:
        """The seat that has the turn after this one: dead hands are passed over."""
        following = self.next_seat(seat)
        while self.seats[following].out and following != seat:
            following = self.next_seat(following)
        return following

    def all_cards(self) -> Cards:
        """Every card of the deal wherever it lies, sorted; always the whole deck."""
        held = [card for seat in self.seats for card in seat.cards]
        cut = [] if self.tiplu is None else [self.tiplu]
        apart = [card for stock in self.stocks for card in stock]
        return sort_cards([*held, *self.stock, *apart, *self.aside, *self.pile, *cut])


SEATS: Final = Copies(Seat)
STATES: Final = Copies(State)
