"""What a seat or a spectator may know of a deal. All code that draws, advises or plays for a seat uses only this."""

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
    """All its cards, sorted, laid and exposed ones included; None for another player's seat until the deal is over."""
    concealed: Cards | None
    """The concealed cards (those in hand); None if `cards` is None."""
    count: int
    """The number of all its cards."""
    concealed_count: int
    """The number of its concealed cards."""
    exposed: Cards
    """The face of each exposed tunnela."""
    laid: tuple[Cards, ...]
    """The groups or pairs shown."""
    shown: ShowKind | None
    """How the seat has shown; None if it has not."""
    seen: bool
    """Whether the seat has looked at the tiplu."""
    answered: bool
    """Whether the seat has exposed or declined in the tunnela window."""
    finish: tuple[Cards, ...] = ()
    """The groups or pair with which the winner finished, in addition to those shown."""
    out: bool = False
    """Whether the hand is dead and skipped."""
    ruled: FoulReason | None = None
    """The reason of the foul ruled against the seat in this deal, if there is one."""


@dataclass(frozen=True, slots=True)
class View:
    """One deal as one viewer may know it."""

    viewer: int | None
    """The viewer's seat; None for a spectator."""
    rules: Rules
    dealer: int
    seats: tuple[SeatView, ...]
    stock_count: int
    """The number of cards in the stock, without the tiplu."""
    pile: Cards
    """The discards on the pile, the oldest first and the top one last."""
    phase: Phase
    turn: int
    """The seat to act; during the tunnela window the seat that will act first."""
    tiplu: Card | None
    """The face of the tiplu, for a viewer who has seen it and for every viewer once the deal is over."""
    tiplu_cut: bool
    """Whether the tiplu has been cut."""
    taken: Card | None
    """The face taken from the pile in this turn; most rules forbid discarding it in the same turn."""
    drawn: Card | None
    """The card that the viewer has drawn or taken in this turn; None when it is not their turn."""
    shown_now: bool
    """Whether the seat in turn has shown in this turn."""
    reshuffles: int
    version: int
    sheet: Sheet | None
    """The result, once the deal is over. Lines after those of the seats are for people without a seat who owe a foul."""
    better: bool = False
    """Whether this is a better deal, which counts `better_factor`-fold."""
    carry: tuple[int, ...] = ()
    """Who still owes the penalty of a foul in an earlier deal, listed once for each foul."""
    board: bool = False
    """Whether this is a duplicate deal: each seat has its own stock (`stock_count` is that of the seat in turn)."""
    throwers: tuple[int, ...] = ()
    """The seats that discarded the last cards of `pile`, in its order. The card that the deal turned up has none."""

    @property
    def dublee_game(self) -> bool:
        """Whether this is a dublee game: dublees were shown, and the rules (`dublee_game`) announce or double that."""
        return self.rules.dublee_game != "off" and any(seat.shown is DUBLEES for seat in self.seats)

    @property
    def factor(self) -> int:
        """The factor by which the deal counts, as far as it is known now."""
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
        """All groups or pairs of the winner, the shown ones first; empty without a winner."""
        if self.sheet is None or self.sheet.winner is None:
            return ()
        seat = self.seats[self.sheet.winner]
        sets = (*seat.laid, *seat.finish)
        if self.sheet.ending is not Ending.GROUPS:
            return sets
        return (*sets, *((face,) * 3 for face in seat.exposed if (face,) * 3 not in sets))

    @property
    def hand(self) -> Cards:
        """The viewer's concealed cards, sorted; raises ValueError for a spectator."""
        return self.own.concealed or ()

    @property
    def packed(self) -> int:
        """The viewer's concealed cards, packed as in `marriage.bits`; raises ValueError for a spectator."""
        return pack(self.hand)

    @property
    def discards(self) -> tuple[tuple[Card, int | None], ...]:
        """The pile with the seat that discarded each card, the oldest first; None for the card that the deal turned up."""
        turned_up = len(self.pile) - len(self.throwers)
        return tuple(zip(self.pile, (*[None] * turned_up, *self.throwers), strict=True))

    @property
    def players(self) -> int:
        """The number of seats in the deal."""
        return len(self.seats)

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


class OwnView(NamedTuple):
    """What one seat may know, without the other seats: enough for `legal_actions`, and fast to create.

    The fields have the same meaning as in `View`.
    """

    viewer: int
    rules: Rules
    players: int
    own: Seat
    """The viewer's own seat, without masking: players know everything about their own seat."""
    pile: Cards
    phase: Phase
    turn: int
    tiplu: Card | None
    taken: Card | None
    shown_now: bool

    @property
    def hand(self) -> Cards:
        """The concealed cards, sorted."""
        return self.own.concealed()

    @property
    def packed(self) -> int:
        """The concealed cards, packed as in `marriage.bits`."""
        return self.own.packed()


AnyView = View | OwnView
"""The views that `legal_actions` accepts."""


def own_view(state: State, seat: int) -> OwnView:
    """Return what `seat` may know about itself, the pile and the turn."""
    seat_state = state.seats[seat]
    return OwnView(
        seat,
        state.rules,
        len(state.seats),
        seat_state,
        state.pile,
        state.phase,
        state.turn,
        state.tiplu if seat_state.seen or _knows_tiplu(state, seat) else None,
        state.taken,
        state.shown_now,
    )


def _knows_tiplu(state: State, seat: int | None) -> bool:
    if seat is not None and state.seats[seat].seen:
        return True
    return state.phase is OVER or state.rules.open_tiplu


def view(state: State, seat: int | None) -> View:
    """Return exactly what `seat` (None for a spectator) may know of `state`."""
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
        throwers=state.throwers,
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
    """Return the event as `seat` (None for a spectator) may know it, with hidden cards `UNKNOWN`.

    `apply` accepts the result.
    """
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
