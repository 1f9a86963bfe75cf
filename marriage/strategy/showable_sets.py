"""The primary sets that a player can choose from for a show."""

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
"""The places of one suit in a run: the ace has one at either end."""


def showable_sets(view: View) -> tuple[Cards, ...]:
    """Every primary set that the viewer could lay: exposed tunnelas, then sets of three, then longer ones.

    A set that the viewer holds twice is listed twice. In longer runs the master card replaces only a missing card.
    Raises ValueError for a spectator's view.
    """
    seat = view.own
    held = Counter(seat.concealed or ())
    threes = sorted(set(_threes(sort_cards(seat.concealed or ()))))
    groups = (*threes, *sorted(set(_longer(held)), key=lambda group: (len(group), group)))
    in_hand = (
        group for group in groups if is_primary(group, view.rules) for _ in range(_copies(group, held))
    )
    return (*((card,) * PACKS for card in seat.exposed), *in_hand)


def _copies(group: Cards, held: Counter[Card]) -> int:
    """How often the hand holds this set."""
    return min(held[card] // count for card, count in Counter(group).items())


def _threes(cards: Cards) -> Iterator[Cards]:
    """Any three of one suit, the master card among them, and any three of one rank: no other three are a primary set."""
    for suit in range(_SUITS):
        yield from combinations(
            [card for card in cards if card == MASTER or (card.is_pack and card.suit == suit)], _SIZE
        )
    for rank in range(_RANKS):
        yield from combinations([card for card in cards if card.is_pack and card.rank == rank], _SIZE)


def _longer(held: Counter[Card]) -> Iterator[Cards]:
    """The runs and trials of four or more cards; the caller checks whether the rules allow them."""
    for suit in range(_SUITS):
        for start in range(_PLACES):
            for size in range(_SIZE + 1, min(LONGEST_RUN, _PLACES - start) + 1):
                run = [face(suit, place % _RANKS) for place in range(start, start + size)]
                naturals = [card for card in run if held[card]]
                if len(naturals) == size:
                    yield sort_cards(naturals)
                elif len(naturals) == size - 1 and held[MASTER]:
                    yield sort_cards((*naturals, MASTER))
    for rank in range(_RANKS):
        trial = [face(suit, rank) for suit in range(_SUITS)]
        if all(held[card] for card in trial):
            yield sort_cards(trial)
