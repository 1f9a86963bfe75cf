"""Whether the top discard can be used at once, for rules that allow taking it only to show or to finish with it."""

from itertools import combinations

from marriage.actions import Show, ShowDublees
from marriage.cards import Card, Cards, sort_cards, without
from marriage.groups import is_primary
from marriage.moves.shows import Shower, may_show
from marriage.rules import PRIMARY_GROUPS, Rules
from marriage.solver import find_dublees, find_show, pairs


def eighth_pairs(cards: Cards, laid: tuple[Cards, ...], rules: Rules) -> Cards:
    """The faces of the dublees among all cards of a seat, except the seven shown."""
    shown = {pair[0] for pair in laid}
    return tuple(face for face in pairs(cards, rules) if face not in shown)


def free_beside(face: Card, concealed: Cards, exposed: Cards) -> Cards:
    """Return the concealed cards that can be the closing discard if this face is the eighth dublee."""
    return concealed if face in exposed else without(concealed, (face, face))


def finishes_with(
    card: Card, concealed: Cards, exposed: Cards, laid: tuple[Cards, ...], rules: Rules
) -> bool:
    """Whether a seat that showed seven dublees could finish at once by adding this card to its 21."""
    hand = sort_cards((*concealed, card))
    return card in eighth_pairs(hand, laid, rules) and bool(free_beside(card, hand, exposed))


def shows_with(
    card: Card, concealed: Cards, exposed: Cards, rules: Rules, *, players: int
) -> tuple[Show | ShowDublees, ...]:
    """Return the ways to show that use this card in a group or pair; `concealed` are the other cards in hand."""
    shower = Shower(sort_cards((*concealed, card)), exposed, card, rules, players)
    groups = _groups_with(card, concealed, exposed, rules)
    faces = find_dublees(shower.cards, rules, exposed=exposed, must=card)
    found = [None if groups is None else Show(groups), None if faces is None else ShowDublees(faces)]
    return tuple(action for action in found if action is not None and may_show(shower, action))


def _groups_with(card: Card, concealed: Cards, exposed: Cards, rules: Rules) -> tuple[Cards, ...] | None:
    """Find three primary groups with this card in the first. Groups of three are enough: a longer run contains one."""
    others = exposed[: PRIMARY_GROUPS - 1]
    for pair in sorted(set(combinations(concealed, 2))):
        group = sort_cards((card, *pair))
        if is_primary(group, rules):
            # They are passed as an exposed tunnela, so that the rest has to provide one primary group less.
            found = find_show(without(concealed, pair), (card, *others), rules)
            if found is not None:
                return (group, *found[1:])
    return None
