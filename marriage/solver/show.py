"""What to lay for a show: three primary groups, or seven dublees."""

from collections import Counter

from marriage.cards import MAN, MASTER, Cards, sort_cards
from marriage.rules import PRIMARY_GROUPS, SHOW_DUBLEES, Rules
from marriage.solver.bits import unpack
from marriage.solver.cover import Part, cover
from marriage.solver.hand import Hand, show_question


def find_show(concealed: Cards, exposed: Cards, rules: Rules) -> tuple[Cards, ...] | None:
    """Three primary groups to lay, the exposed tunnelas of these faces first; None where there are not three."""
    found = cover(show_question(Hand(concealed, exposed), rules), at_most=0)
    if found is None:
        return None
    return (*_tunnelas(exposed), *map(group_of, found.parts))


def group_of(part: Part) -> Cards:
    """The cards of a primary group without empty places, sorted."""
    return unpack(part.mask) + (MASTER,) * part.master


def pairs(cards: Cards, rules: Rules) -> Cards:
    """The faces of all dublees among the cards of a seat, sorted; pass exposed and laid cards too.

    A third copy is no second pair. Two man cards are one only where the rules say so.
    """
    copies = Counter(cards)
    return sort_cards(
        card
        for card, count in copies.items()
        if count >= 2 and (card.is_pack or (card == MAN and rules.joker_dublee))
    )


def find_dublees(cards: Cards, rules: Rules) -> Cards | None:
    """The faces of seven dublees to show; None where there are fewer."""
    faces = pairs(cards, rules)
    return faces[:SHOW_DUBLEES] if len(faces) >= SHOW_DUBLEES else None


def _tunnelas(exposed: Cards) -> tuple[Cards, ...]:
    return tuple((face,) * 3 for face in exposed[:PRIMARY_GROUPS])
