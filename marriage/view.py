"""What a seat, or a spectator, may know of a deal: everything that draws, hints or plays works from this alone."""

from dataclasses import dataclass, replace
from typing import NamedTuple

from marriage.bits import pack
from marriage.cards import UNKNOWN, Card, Cards
from marriage.events import (
    ClaimFailed,
    Dealt,
    Discarded,
    Drew,
    Event,
    FoulReason,
    Reshuffled,
    TipluCut,
    TipluSeen,
)
from marriage.rules import Rules
from marriage.sheet import Ending, Sheet
from marriage.shuffle import HIDDEN_SEED
from marriage.state import DUBLEES, OVER, Phase, Seat, ShowKind, State


@dataclass(frozen=True, slots=True)
class SeatView:
    """One seat as the viewer sees it."""

    cards: Cards | None
    """All its cards, sorted, laid and exposed included: the viewer's own, and everybody's once the deal is over."""
    concealed: Cards | None
    """Of those, the ones in hand; None where `cards` is None."""
    count: int
    """How many cards it has in all."""
    concealed_count: int
    """How many of them are in hand."""
    exposed: Cards
    """The face of each exposed tunnela."""
    laid: tuple[Cards, ...]
    """The groups or pairs shown."""
    shown: ShowKind | None
    """How it has shown; None for a seat that has not."""
    seen: bool
    """Whether it has looked at the tiplu."""
    answered: bool
    """Whether it has had its say in the tunnela window."""
    finish: tuple[Cards, ...] = ()
    """What the winner laid down to finish, beside the groups or pairs shown."""
    out: bool = False
    """Whether its hand is dead and passed over."""
    ruled: FoulReason | None = None
    """Why a foul was ruled against it in this deal, if one was."""


@dataclass(frozen=True, slots=True)
class View:
    """One deal as one viewer may know it."""

    viewer: int | None
    """The seat, or None for a spectator."""
    rules: Rules
    dealer: int
    seats: tuple[SeatView, ...]
    stock_count: int
    """Cards above the tiplu."""
    pile: Cards
    """All discards on the pile, the oldest first, the top last."""
    phase: Phase
    turn: int
    """The seat to move; in the window the seat that will move first."""
    tiplu: Card | None
    """The tiplu's face, for those who have seen it, and for all once the deal is over."""
    tiplu_cut: bool
    """Whether it has been cut."""
    taken: Card | None
    """The face taken from the pile in this turn; at most tables it may not be discarded in it."""
    drawn: Card | None
    """The card that just came to the viewer by drawing or taking; None when it is not his turn."""
    shown_now: bool
    """Whether the seat in turn has shown in this turn."""
    reshuffles: int
    version: int
    sheet: Sheet | None
    """The result, once the deal is over; people without a seat who owe a foul have their lines after the seats."""
    better: bool = False
    """Whether the deal counts `better_factor`-fold from its beginning."""
    carry: tuple[int, ...] = ()
    """Who owes a foul of an earlier deal, once for each time."""
    board: bool = False
    """Whether every seat has its own stock, `stock_count` being that of the seat in turn, and the tiplu is fixed."""

    @property
    def dublee_game(self) -> bool:
        """Whether this is announced as a dublee game: dublees were shown, and the rules make something of it."""
        return self.rules.dublee_game != "off" and any(seat.shown is DUBLEES for seat in self.seats)

    @property
    def factor(self) -> int:
        """How many times the deal counts, as far as it is known now."""
        doubled = self.dublee_game and self.rules.dublee_game == "double"
        return self.rules.better_factor if self.better or doubled else 1

    @property
    def own(self) -> SeatView:
        """The viewer's seat; raises ValueError for a spectator."""
        if self.viewer is None:
            raise ValueError("a spectator has no seat")
        return self.seats[self.viewer]

    @property
    def finish(self) -> tuple[Cards, ...]:
        """The groups or pairs with which the winner finished, the shown ones first; none where nobody did."""
        if self.sheet is None or self.sheet.winner is None:
            return ()
        seat = self.seats[self.sheet.winner]
        sets = (*seat.laid, *seat.finish)
        if self.sheet.ending is not Ending.GROUPS:
            return sets
        return (*sets, *((face,) * 3 for face in seat.exposed if (face,) * 3 not in sets))

    @property
    def hand(self) -> Cards:
        """The cards in the viewer's hand, sorted; raises ValueError for a spectator."""
        return self.own.concealed or ()

    @property
    def packed(self) -> int:
        """The cards in the viewer's hand as `marriage.bits` packs them; raises ValueError for a spectator."""
        return pack(self.hand)

    @property
    def players(self) -> int:
        """How many seats the deal has."""
        return len(self.seats)

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


class OwnView(NamedTuple):
    """What one seat may know, less all about the others: enough to say what it may do, and quickly made.

    The names mean what they mean in `View`.
    """

    viewer: int
    rules: Rules
    players: int
    own: Seat
    """All of it is known to its owner: he saw what he threw, and to whom."""
    pile: Cards
    phase: Phase
    turn: int
    tiplu: Card | None
    taken: Card | None
    shown_now: bool

    @property
    def hand(self) -> Cards:
        """The cards in hand, sorted."""
        return self.own.concealed()

    @property
    def packed(self) -> int:
        """The cards in hand as `marriage.bits` packs them."""
        return self.own.packed()


Look = View | OwnView
"""What `legal_actions` needs to see."""


def own_view(state: State, seat: int) -> OwnView:
    """What the seat may know of `state` as far as it is about itself, the pile and the turn."""
    own = state.seats[seat]
    return OwnView(
        seat,
        state.rules,
        len(state.seats),
        own,
        state.pile,
        state.phase,
        state.turn,
        state.tiplu if own.seen or _knows_tiplu(state, seat) else None,
        state.taken,
        state.shown_now,
    )


def _knows_tiplu(state: State, seat: int | None) -> bool:
    if seat is not None and state.seats[seat].seen:
        return True
    return state.phase is OVER or state.rules.open_tiplu


def view(state: State, seat: int | None) -> View:
    """What `seat` (None for a spectator) may know of `state`, and nothing more."""
    over = state.phase is OVER
    own_turn = seat is not None and seat == state.turn
    return View(
        viewer=seat,
        rules=state.rules,
        dealer=state.dealer,
        seats=tuple(
            _seat_view(other, visible=over or index == seat) for index, other in enumerate(state.seats)
        ),
        stock_count=len(state.stock),
        pile=state.pile,
        phase=state.phase,
        turn=state.turn,
        tiplu=state.tiplu if _knows_tiplu(state, seat) else None,
        tiplu_cut=state.tiplu is not None,
        taken=state.taken,
        drawn=state.drawn if own_turn else None,
        shown_now=state.shown_now,
        reshuffles=state.reshuffles,
        version=state.version,
        sheet=state.sheet,
        better=state.better,
        carry=state.carry,
        board=bool(state.stocks),
    )


def _seat_view(seat: Seat, *, visible: bool) -> SeatView:
    concealed = seat.concealed()
    return SeatView(
        cards=seat.cards if visible else None,
        concealed=concealed if visible else None,
        count=len(seat.cards),
        concealed_count=len(concealed),
        exposed=seat.exposed,
        laid=seat.laid,
        shown=seat.shown,
        seen=seat.seen,
        answered=seat.answered,
        finish=seat.finish,
        out=seat.out,
        ruled=seat.ruled,
    )


def mask(event: Event, seat: int | None) -> Event:
    """The same event as `seat` (None for a spectator) may know it; `apply` folds masked events as well."""
    match event:
        case Dealt():
            hands = tuple(
                hand if index == seat else (UNKNOWN,) * len(hand) for index, hand in enumerate(event.hands)
            )
            return replace(event, hands=hands, stock=(UNKNOWN,) * len(event.stock), key=HIDDEN_SEED)
        case Drew() | TipluCut() | TipluSeen() if event.seat != seat:
            return replace(event, card=UNKNOWN)
        case ClaimFailed() if event.seat != seat:
            return replace(event, claim=None, reason=None)
        case Discarded():
            return replace(event, threw=False)
        case Reshuffled():
            return replace(event, stock=(UNKNOWN,) * len(event.stock))
        case _:
            return event
