"""The end of a turn: the discard, and what follows when the stock or the live hands run out."""

from marriage.apply import apply
from marriage.cards import Card
from marriage.events import Event, Reshuffled, TipluSeen, discarded
from marriage.maal import wild_faces
from marriage.moves.ending import dismissed
from marriage.state import State


def discard(state: State, seat: int, card: Card) -> list[Event]:
    """Return the events of a discard."""
    thrower = state.seats[seat]
    events: list[Event] = [discarded(seat, card, _throws(state, seat, card))]
    if state.cut_by_discard:
        return events
    if state.shown_now and not thrower.seen and state.tiplu is not None:
        events.append(TipluSeen(seat=seat, card=state.tiplu))
    # A discard uses up neither stock nor a live hand, so the deal cannot end here. In a duplicate deal it can, since the
    # next seat draws from another stock.
    return events if state.stock and not state.stocks else end_turn(state, events)


def _throws(state: State, seat: int, card: Card) -> bool:
    """Return whether this discard is a throw foul: a wild pack card, thrown after seeing to a seat that has seen."""
    if not state.rules.throw_foul or state.tiplu is None or not state.seats[seat].seen:
        return False
    following = state.next_live(seat)
    receives = following != seat and state.seats[following].seen
    return receives and card.is_pack and card in wild_faces(state.tiplu)


def end_turn(state: State, events: list[Event]) -> list[Event]:
    """Append a reshuffle or a dismissal to the events of a turn if the stock or the live hands have run out."""
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
    """Return the events after a first show when no card in the stock can be the tiplu.

    The discards become a new stock if the rules allow that; otherwise the deal is dismissed.
    """
    may = state.rules.may_reshuffle(state.reshuffles) and any(card.is_pack for card in state.pile[:-1])
    return [_reshuffle(state)] if may else dismissed(state)


def _reshuffle(state: State) -> Reshuffled:
    """Shuffle all discards except the top one under the rest of the stock."""
    order = state.key.reshuffle(state.reshuffles + 1, state.pile[:-1])
    return Reshuffled(stock=(*state.stock, *order))
