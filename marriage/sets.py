"""The sets among which the holder of a hand may choose for his show."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from marriage.cards import PACKS, Card, Cards, sort_cards
from marriage.groups import is_primary
from marriage.view import View

_SIZE = 3


def showable_sets(view: View) -> tuple[Cards, ...]:
    """Every primary set of three that the viewer could lay, the exposed tunnelas first.

    A set that he holds twice is there twice. Longer sequences hold one of three and are not listed.
    """
    own = view.own
    held = Counter(own.concealed or ())
    return (*((face,) * PACKS for face in own.exposed), *_in_hand(held, view))


def _in_hand(held: Counter[Card], view: View) -> Iterator[Cards]:
    cards = sort_cards(view.own.concealed or ())
    for group in sorted(set(combinations(cards, _SIZE))):
        if is_primary(group, view.rules):
            needed = Counter(group)
            for _ in range(min(held[card] // count for card, count in needed.items())):
                yield group
