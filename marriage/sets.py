"""The sets among which the holder of a hand may choose for his show."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from marriage.cards import MASTER, PACKS, Card, Cards, face, sort_cards
from marriage.groups import LONGEST_RUN, is_primary
from marriage.view import View

_SIZE = 3
_SUITS = 4
_RANKS = 13
_PLACES = 14
"""Of a suit in a run: the ace has one at either end."""


def showable_sets(view: View) -> tuple[Cards, ...]:
    """Every primary set that the viewer could lay: exposed tunnelas, then sets of three, then longer ones.

    A set that is held twice is there twice. In longer runs a master card stands in only where no card is held.
    """
    own = view.own
    held = Counter(own.concealed or ())
    threes = sorted(set(combinations(sort_cards(own.concealed or ()), _SIZE)))
    groups = (*threes, *sorted(set(_longer(held)), key=lambda group: (len(group), group)))
    in_hand = (
        group for group in groups if is_primary(group, view.rules) for _ in range(_copies(group, held))
    )
    return (*((card,) * PACKS for card in own.exposed), *in_hand)


def _copies(group: Cards, held: Counter[Card]) -> int:
    """How many sets of these cards the hand holds."""
    return min(held[card] // count for card, count in Counter(group).items())


def _longer(held: Counter[Card]) -> Iterator[Cards]:
    """The runs and trials of four cards and more, whether or not the rules know them."""
    for suit in range(_SUITS):
        for start in range(_PLACES):
            for size in range(_SIZE + 1, min(LONGEST_RUN, _PLACES - start) + 1):
                run = [face(suit, place % _RANKS) for place in range(start, start + size)]
                there = [card for card in run if held[card]]
                if len(there) == size:
                    yield sort_cards(there)
                elif len(there) == size - 1 and held[MASTER]:
                    yield sort_cards((*there, MASTER))
    for rank in range(_RANKS):
        trial = [face(suit, rank) for suit in range(_SUITS)]
        if all(held[card] for card in trial):
            yield sort_cards(trial)
