"""Showing three primary groups or seven dublees, and cutting the tiplu, which follows the first show."""

from marriage.apply import apply
from marriage.cards import Cards, sort_cards
from marriage.errors import IllegalActionError, Refusal
from marriage.events import Event, Showed, ShowedDublees, TipluCut, TipluSeen
from marriage.moves.turns import end_turn, refill_to_cut
from marriage.state import State


def show(state: State, seat: int, groups: tuple[Cards, ...]) -> list[Event]:
    """The events of showing three primary groups."""
    return _after_show(state, Showed(seat=seat, groups=tuple(map(sort_cards, groups))))


def show_dublees(state: State, seat: int, faces: Cards) -> list[Event]:
    """The events of showing seven dublees."""
    laid = tuple((face, face) for face in sort_cards(faces))
    return _after_show(state, ShowedDublees(seat=seat, pairs=laid))


def cut(state: State, seat: int, place: int | None) -> list[Event]:
    """The events of cutting the tiplu at a place in the stock; None chooses it at random. Raises IllegalActionError."""
    places = state.aside[:1] if state.stocks else state.stock  # in a duplicate deal the tiplu is fixed
    if place is None:
        place = 0 if state.stocks else state.key.cut(len(places))
    elif not 0 <= place < len(places):
        raise IllegalActionError(Refusal.NO_SUCH_PLACE, places=len(places))
    place = pack_place(places, place)
    events: list[Event] = [TipluCut(seat=seat, place=place, card=places[place])]
    return events if state.rules.same_turn_finish else end_turn(state, events)


def pack_place(stock: Cards, place: int) -> int:
    """The first place from `place` on, wrapping around, with a card of the packs: man and master cards are no tiplu."""
    places = [*range(place, len(stock)), *range(place)]
    return next(index for index in places if stock[index].is_pack)


def _after_show(state: State, showed: Showed | ShowedDublees) -> list[Event]:
    if state.tiplu is None:
        refill = not state.stocks and not any(card.is_pack for card in state.stock)
        return [showed, *refill_to_cut(apply(state, showed))] if refill else [showed]
    looks = state.rules.same_turn_finish and not state.rules.open_tiplu
    return [showed, TipluSeen(seat=showed.seat, card=state.tiplu)] if looks else [showed]
