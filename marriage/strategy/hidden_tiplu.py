"""Which face the hidden tiplu may be, from what players who have seen it throw: they keep wild cards."""

from collections.abc import Iterator, Sequence
from typing import Final

from marriage.cards import CARDS, FACES, Card
from marriage.maal import scoring_faces, wild_faces
from marriage.state import DUBLEES
from marriage.view import View

_STILL: Final = (0.05, 0.4, 0.7)
"""How likely a face stays that makes a discard wild: for the latest discard of a player who has seen, the one before, and the
third latest. Nobody can tell from a view when the player saw; a player who has seen a while threw all of them afterwards."""


def tiplu_chances(view: View, left: Sequence[int]) -> list[float]:
    """How likely each face of the packs is the tiplu, as weights; `left` are the copies of each face that are not in sight."""
    if view.tiplu is not None:
        return [float(card == view.tiplu) for card in CARDS[:FACES]]
    chances = [float(copies) for copies in left[:FACES]]
    for card, still, by_dublees in _thrown_by_those_who_know(view):
        for tiplu in CARDS[:FACES]:
            kept = scoring_faces(tiplu, view.rules) if by_dublees else wild_faces(tiplu)
            if card in kept:
                chances[tiplu] *= still
    return chances


def _thrown_by_those_who_know(view: View) -> Iterator[tuple[Card, float, bool]]:
    """The latest discards of each player who has seen: the card, how likely such a face stays, whether they show dublees."""
    for seat, held in enumerate(view.seats):
        if not held.seen or seat == view.viewer:
            continue
        thrown = [card for card, thrower in reversed(view.discards) if thrower == seat]
        first = (
            0 if view.rules.same_turn_finish else 1
        )  # else the first card after a show is thrown before seeing
        for card, still in zip(thrown, _STILL[first:], strict=False):
            yield card, still, held.shown is DUBLEES
