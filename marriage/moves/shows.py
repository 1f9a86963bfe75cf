"""Check shows against the rules, whether they are made, listed, or considered before taking a card."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from marriage.actions import Show, ShowDublees
from marriage.cards import PACKS, Card, Cards, sort_cards, without
from marriage.errors import IllegalActionError, Refusal
from marriage.groups import is_primary
from marriage.rules import PRIMARY_GROUPS, SHOW_DUBLEES, Rules
from marriage.solver import pairs


class Shower(NamedTuple):
    """The data on which a show by a seat that has not shown depends."""

    concealed: Cards
    """The 22 cards without the exposed tunnelas, sorted."""
    exposed: Cards
    """The face of each exposed tunnela."""
    must: Card | None
    """The face that has to be in the show, because it was taken from the pile for it."""
    rules: Rules
    players: int

    @property
    def cards(self) -> Cards:
        """Return all cards of the seat."""
        return (*self.concealed, *(self.exposed * PACKS))


def require_show(shower: Shower, action: Show | ShowDublees) -> None:
    """Raise IllegalActionError unless this seat may make this show."""
    left = _after_groups(shower, action.groups) if isinstance(action, Show) else _after_pairs(shower, action)
    if not left:
        raise IllegalActionError(Refusal.NOTHING_TO_DISCARD)


def may_show(shower: Shower, action: Show | ShowDublees) -> bool:
    """Return whether this seat may make this show."""
    try:
        require_show(shower, action)
    except IllegalActionError:
        return False
    return True


def _after_groups(shower: Shower, groups: tuple[Cards, ...]) -> Cards:
    """Return the cards left in hand after a show by groups; raises IllegalActionError."""
    from_hand = [sort_cards(group) for group in groups]
    for face in shower.exposed:
        if (face,) * PACKS in from_hand:
            from_hand.remove((face,) * PACKS)
    require_held(shower.cards, shower.concealed, from_hand)
    _require_taken(shower, from_hand)
    if len(groups) != PRIMARY_GROUPS:
        raise IllegalActionError(Refusal.NOT_THREE_GROUPS, count=len(groups))
    for group in from_hand:
        if not is_primary(group, rules := shower.rules):
            raise IllegalActionError(
                Refusal.NOT_PRIMARY,
                group=group,
                trial=rules.primary_trial,
                master=rules.master_in_sequences,
                tunnela=rules.master_in_tunnelas,
                any=rules.master_in_trials,
            )
    return _without(shower.concealed, from_hand)


def _after_pairs(shower: Shower, action: ShowDublees) -> Cards:
    """Return the cards left in hand after a show by dublees; raises IllegalActionError."""
    faces = action.faces
    if not shower.rules.dublees_allowed(shower.players):
        raise IllegalActionError(Refusal.NO_DUBLEES)
    missing = [face for face in faces if face not in shower.cards]
    if missing:
        raise IllegalActionError(Refusal.NOT_HELD, card=missing[0])
    from_hand = [(face, face) for face in sort_cards(faces) if face not in shower.exposed]
    _require_taken(shower, from_hand)
    different = len(faces) == SHOW_DUBLEES == len(set(faces))
    if not different or not set(faces).issubset(pairs(shower.cards, shower.rules)):
        raise IllegalActionError(Refusal.NOT_SEVEN_DUBLEES, faces=faces)
    return _without(shower.concealed, from_hand)


def require_held(cards: Cards, concealed: Cards, groups: Iterable[Cards]) -> None:
    """Raise IllegalActionError unless the concealed part of these cards contains all the groups together."""
    wanted = Counter(card for group in groups for card in group)
    missing = wanted - Counter(cards)
    if missing:
        raise IllegalActionError(Refusal.NOT_HELD, card=min(missing))
    locked = wanted - Counter(concealed)
    if locked:
        raise IllegalActionError(Refusal.CARD_LOCKED, card=min(locked))


def _require_taken(shower: Shower, from_hand: Sequence[Cards]) -> None:
    """Raise IllegalActionError if the show lacks the card that was taken for it."""
    if shower.must is not None and not any(shower.must in group for group in from_hand):
        raise IllegalActionError(Refusal.MUST_SHOW, card=shower.must)


def _without(concealed: Cards, groups: Sequence[Cards]) -> Cards:
    return without(concealed, [card for group in groups for card in group])
