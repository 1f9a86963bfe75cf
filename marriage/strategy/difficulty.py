"""How hard a turn looks to everybody at the table. Computers adapt their thinking time to it.

A computer's thinking time is public, so it must not depend on anything that only its seat knows.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from marriage.cards import CARDS, Card
from marriage.legal import is_barred_in_public
from marriage.state import Phase
from marriage.view import View

_NEAR: Final = 2
_COPIES: Final = 3
_TAKING: Final = 0.5
"""The share of a turn's difficulty that comes from the choice whether to take the discard.

The rest grows with every show.
"""


def difficulty(view: View) -> float:
    """Return how hard the turn of the seat to act is, from 0 to 1, judged from a spectator's view.

    A draw is hard if the discard may be taken and most cards that go with it may still be in hands or in the
    stock. Every turn gets harder with each show, because more players know the tiplu and the end is nearer.
    """
    shown = sum(seat.seen for seat in view.seats) / view.players
    take = 0.0
    if view.phase is Phase.DRAW and not is_barred_in_public(view, view.turn):
        take = _hidden_share(view.pile[-1], view)
    return (1 - _TAKING) * shown + _TAKING * take


def _hidden_share(top: Card, view: View) -> float:
    """Return the share of the cards that could form a set with this one which nobody can see."""
    if not top.is_pack:
        return 1.0
    partners = {card for card in CARDS[:52] if _go_together(card, top)}
    visible = Counter(_visible(view))
    hidden = sum(max(0, _COPIES - visible[card]) for card in partners)
    return hidden / (_COPIES * len(partners) - 1)  # not the top itself


def _go_together(card: Card, other: Card) -> bool:
    return card.rank == other.rank or (card.suit == other.suit and abs(card.rank - other.rank) <= _NEAR)


def _visible(view: View) -> Iterable[Card]:
    yield from view.pile
    for seat in view.seats:
        yield from (card for group in seat.laid for card in group)
        yield from (face for face in seat.exposed for _ in range(_COPIES))
