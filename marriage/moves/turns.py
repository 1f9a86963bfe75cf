"""The course of a turn: whose turn it is, the discard, and what follows when the stock or the live hands run out."""

from marriage.apply import apply
from marriage.cards import Card, Cards
from marriage.errors import IllegalActionError, Refusal
from marriage.events import Event, Reshuffled, TipluSeen, discarded
from marriage.maal import wild_faces
from marriage.moves.ending import dismissed
from marriage.state import CUT, DRAW, DUBLEES, PLAY, WINDOW, Phase, State

_TOO_EARLY = {DRAW: Refusal.DRAW_FIRST, CUT: Refusal.CUT_FIRST}


def require_turn(state: State, seat: int, phase: Phase) -> None:
    """Raise IllegalActionError unless it is this seat's turn and the deal is in this phase."""
    if state.phase is WINDOW:
        raise IllegalActionError(Refusal.WINDOW_OPEN)
    if seat != state.turn:
        raise IllegalActionError(Refusal.NOT_YOUR_TURN, turn=state.turn)
    if state.phase is phase:
        return
    if phase is CUT:
        raise IllegalActionError(Refusal.NOTHING_TO_CUT)
    raise IllegalActionError(_TOO_EARLY.get(state.phase, Refusal.ALREADY_DRAWN))


def discard(state: State, seat: int, card: Card) -> list[Event]:
    """The events of a discard; raises IllegalActionError."""
    require_turn(state, seat, PLAY)
    thrower = state.seats[seat]
    if state.taken is not None and not state.shown_now:
        if thrower.shown is DUBLEES:
            raise IllegalActionError(Refusal.MUST_FINISH)
        if thrower.shown is None and state.rules.unseen_pickup == "show_only":
            raise IllegalActionError(Refusal.MUST_SHOW, card=state.taken)
    require_discard(state, seat, card, thrower.concealed())
    events: list[Event] = [discarded(seat, card, _throws(state, seat, card))]
    if state.cut_by_discard:
        return events
    if state.shown_now and not thrower.seen and state.tiplu is not None:
        events.append(TipluSeen(seat=seat, card=state.tiplu))
    # A discard uses up neither stock nor a live hand, so the deal cannot end here. In a duplicate deal it can, since the
    # next seat draws from another stock.
    return events if state.stock and not state.stocks else end_turn(state, events)


def require_discard(state: State, seat: int, card: Card, pool: Cards) -> None:
    """Raise IllegalActionError for a card outside the free cards `pool`, or one of the face just taken from the pile."""
    if card not in pool:
        locked = card in state.seats[seat].cards
        raise IllegalActionError(Refusal.CARD_LOCKED if locked else Refusal.NOT_HELD, card=card)
    barred = state.taken if state.rules.same_face_discard == "forbid" else None
    if card == barred and any(other != card for other in pool):
        raise IllegalActionError(Refusal.SAME_FACE, card=card)


def _throws(state: State, seat: int, card: Card) -> bool:
    """Whether this discard is a throw foul: a wild card of the packs, by a seat that has seen, before one that has."""
    if not state.rules.throw_foul or state.tiplu is None or not state.seats[seat].seen:
        return False
    following = state.next_live(seat)
    receives = following != seat and state.seats[following].seen
    return receives and card.is_pack and card in wild_faces(state.tiplu)


def end_turn(state: State, events: list[Event]) -> list[Event]:
    """The events of a turn, followed by a reshuffle or a dismissal when the stock or the live hands have run out."""
    after = state
    for event in events:
        after = apply(after, event)
    rules = after.rules
    if sum(not seat.out for seat in after.seats) < (1 if rules.dead_hand == "pays" else 2):
        return [*events, *dismissed(after)]
    if after.stock:
        return events
    if not rules.may_reshuffle(after.reshuffles) or len(after.pile) <= 1:
        return [*events, *dismissed(after)]
    return [*events, _reshuffle(after)]


def refill_to_cut(state: State) -> list[Event]:
    """The events after a first show when no card in the stock can be the tiplu.

    The discards become a new stock if the rules allow that; otherwise the deal is dismissed.
    """
    may = state.rules.may_reshuffle(state.reshuffles) and any(card.is_pack for card in state.pile[:-1])
    return [_reshuffle(state)] if may else dismissed(state)


def _reshuffle(state: State) -> Reshuffled:
    """All discards except the top one, shuffled under the rest of the stock."""
    order = state.key.reshuffle(state.reshuffles + 1, state.pile[:-1])
    return Reshuffled(stock=(*state.stock, *order))
