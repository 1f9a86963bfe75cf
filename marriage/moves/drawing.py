"""Drawing a card: from the stock, or from the pile if the rules allow it."""

from marriage.errors import IllegalActionError, Refusal
from marriage.events import Event, drew, took
from marriage.maal import wild_faces
from marriage.moves.pickup import finishes_with, shows_with
from marriage.moves.turns import require_turn
from marriage.state import DRAW, DUBLEES, GROUPS, Seat, State


def draw(state: State, seat: int) -> list[Event]:
    """The events of drawing the top card of the stock; raises IllegalActionError."""
    require_turn(state, seat, DRAW)
    return [drew(seat, state.stock[0])]


def take(state: State, seat: int) -> list[Event]:
    """The events of taking the top card of the pile; raises IllegalActionError."""
    require_turn(state, seat, DRAW)
    if not state.pile:
        raise IllegalActionError(Refusal.PILE_EMPTY)
    card, taker = state.pile[-1], state.seats[seat]
    refusal = _refusal(state, taker)
    if refusal is not None:
        raise IllegalActionError(refusal, card=card)
    return [took(seat, card)]


def _refusal(state: State, taker: Seat) -> Refusal | None:
    """Why this seat may not take the top of the pile; None if it may."""
    card, rules = state.pile[-1], state.rules
    if taker.shown is DUBLEES:
        finishes = finishes_with(card, taker.concealed(), taker.exposed, taker.laid, rules)
        return None if finishes else Refusal.DUBLEE_TAKES_TO_FINISH
    if taker.shown is GROUPS:
        wild = state.tiplu is not None and card in wild_faces(state.tiplu)
        return Refusal.SEEN_TAKES_NO_WILD if wild and rules.seen_pickup_wild == "forbid" else None
    if rules.unseen_pickup == "show_only" and not shows_with(
        card, taker.concealed(), taker.exposed, rules, players=len(state.seats)
    ):
        return Refusal.TAKE_ONLY_TO_SHOW
    return None
