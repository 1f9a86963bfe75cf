"""Showing three primary groups or seven dublees, and cutting the tiplu, which follows the first show."""

from collections import Counter
from collections.abc import Iterable, Sequence

from marriage.apply import apply
from marriage.cards import Cards, sort_cards, without
from marriage.errors import IllegalActionError, Refusal
from marriage.events import Event, Showed, ShowedDublees, TipluCut, TipluSeen
from marriage.groups import is_primary
from marriage.moves.turns import end_turn, refill_to_cut, require_turn
from marriage.rules import PRIMARY_GROUPS, SHOW_DUBLEES
from marriage.solver import pairs
from marriage.state import Phase, Seat, State


def show(state: State, seat: int, groups: tuple[Cards, ...]) -> list[Event]:
    """The events of showing three primary groups; raises IllegalActionError."""
    shower = _shower(state, seat)
    groups = tuple(map(sort_cards, groups))
    from_hand = list(groups)
    for tunnela in shower.spare_tunnelas():
        if tunnela in from_hand:
            from_hand.remove(tunnela)
    require_held(shower, from_hand)
    _require_taken(state, from_hand)
    if len(groups) != PRIMARY_GROUPS:
        raise IllegalActionError(Refusal.NOT_THREE_GROUPS, count=len(groups))
    for group in from_hand:
        if not is_primary(group, state.rules):
            trial, master = state.rules.primary_trial, state.rules.master_card == "always"
            raise IllegalActionError(Refusal.NOT_PRIMARY, group=group, trial=trial, master=master)
    return _after_show(state, seat, Showed(seat=seat, groups=groups), from_hand)


def show_dublees(state: State, seat: int, faces: Cards) -> list[Event]:
    """The events of showing seven dublees; raises IllegalActionError."""
    shower = _shower(state, seat)
    if not state.rules.dublees_allowed(len(state.seats)):
        raise IllegalActionError(Refusal.NO_DUBLEES)
    missing = [face for face in faces if face not in shower.cards]
    if missing:
        raise IllegalActionError(Refusal.NOT_HELD, card=missing[0])
    laid = tuple((face, face) for face in sort_cards(faces))
    from_hand = [pair for pair in laid if pair[0] not in shower.exposed]
    _require_taken(state, from_hand)
    different = len(faces) == SHOW_DUBLEES == len(set(faces))
    if not different or not set(faces).issubset(pairs(shower.cards, state.rules)):
        raise IllegalActionError(Refusal.NOT_SEVEN_DUBLEES, faces=faces)
    return _after_show(state, seat, ShowedDublees(seat=seat, pairs=laid), from_hand)


def cut(state: State, seat: int, place: int | None) -> list[Event]:
    """The events of cutting the tiplu at a place in the stock; None chooses it at random. Raises IllegalActionError."""
    require_turn(state, seat, Phase.CUT)
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


def require_held(seat: Seat, groups: Iterable[Cards]) -> None:
    """Raise IllegalActionError unless the concealed cards of the seat contain all these groups together."""
    wanted = Counter(card for group in groups for card in group)
    missing = wanted - Counter(seat.cards)
    if missing:
        raise IllegalActionError(Refusal.NOT_HELD, card=min(missing))
    locked = wanted - Counter(seat.concealed())
    if locked:
        raise IllegalActionError(Refusal.CARD_LOCKED, card=min(locked))


def _shower(state: State, seat: int) -> Seat:
    require_turn(state, seat, Phase.PLAY)
    if state.seats[seat].shown is not None:
        raise IllegalActionError(Refusal.ALREADY_SHOWN)
    return state.seats[seat]


def _require_taken(state: State, from_hand: Sequence[Cards]) -> None:
    """Raise IllegalActionError for a show without the card that was taken to show with."""
    must = state.taken is not None and state.rules.unseen_pickup == "show_only"
    if must and not any(state.taken in group for group in from_hand):
        raise IllegalActionError(Refusal.MUST_SHOW, card=state.taken)


def _after_show(state: State, seat: int, showed: Event, from_hand: Sequence[Cards]) -> list[Event]:
    left = without(state.seats[seat].concealed(), [card for group in from_hand for card in group])
    if not left:
        raise IllegalActionError(Refusal.NOTHING_TO_DISCARD)
    if state.tiplu is None:
        refill = not state.stocks and not any(card.is_pack for card in state.stock)
        return [showed, *refill_to_cut(apply(state, showed))] if refill else [showed]
    looks = state.rules.same_turn_finish and not state.rules.open_tiplu
    return [showed, TipluSeen(seat=seat, card=state.tiplu)] if looks else [showed]
