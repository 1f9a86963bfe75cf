"""The pairs that come first in a hand, those of one kind all at once: mostly they are enough (see `pairing`)."""

from typing import Final

from marriage.bits import FULL, LOW, WIDTH, present, thrice
from marriage.solver.packing import Packing
from marriage.solver.patterns import ACES, RUN_STARTS, SUIT
from marriage.solver.question import Question

_NEXT: Final = WIDTH
_GAP: Final = 2 * WIDTH
_HAS_BELOW: Final = LOW ^ ACES
_HAS_ABOVE: Final = LOW ^ ACES << 12 * WIDTH

Kinds = tuple[tuple[int, int], ...]
"""Kinds of pairs: how far the other face lies above the lower one, and which faces may be the lower one."""


class FirstPairs:
    """Pairs of natural cards that wait for nothing which may not come.

    Each face is laid in one pair at most. So no more than three pairs of different faces wait for the same card: two of
    its suit, each with a card next to it, and one of its rank. Where all three copies of that card may come, so may all
    that is waited for. Identical pairs wait for their own third copy, for which no other pair then waits.
    """

    def __init__(self, asked: Question) -> None:
        self.naturals = FULL & ~asked.wild
        self.live = present(asked.live)
        sure = thrice(asked.live)
        below, above = sure << _NEXT & _HAS_BELOW, sure >> _GAP & RUN_STARTS
        self.suited: Kinds = ((_NEXT, (below | above) & _HAS_ABOVE), (_GAP, sure >> _NEXT & RUN_STARTS))
        ranks = LOW if asked.stand_ins else _of_the_rank(sure)
        self.ranked: Kinds = ((SUIT, ranks), (2 * SUIT, ranks), (3 * SUIT, ranks))

    def fill(self, packing: Packing, allowed: int) -> bool:
        """Whether these pairs bring the holes down far enough, as `Pairing.fills` asks; False may be wrong.

        A pair makes the holes one fewer: in a primary group always; in another as long as something is short there, and
        an identical one only as long as what is still short then leaves a hole for the card that nothing stands in for.
        """
        hand, primary, general, lack = packing
        hand &= self.naturals
        identical = hand >> 1 & ~hand & self.live
        same = identical.bit_count()
        suited, faces = _disjoint((hand | hand >> 1) & LOW ^ identical, self.suited)
        short = max(0, lack)
        wanted = short - allowed - min(primary, same + suited)
        if wanted <= 0:
            return True
        if wanted > general or wanted > short:
            return False
        ranked, _ = _disjoint(faces, self.ranked)
        different = suited + ranked - min(suited, max(0, primary - same))
        return wanted <= different + min(max(0, same - primary), short - wanted)


def _of_the_rank(faces: int) -> int:
    """The faces of all suits that have the rank of one of these."""
    around = faces | faces << 4 * SUIT
    return (faces | around >> SUIT | around >> 2 * SUIT | around >> 3 * SUIT) & LOW


def _disjoint(faces: int, kinds: Kinds) -> tuple[int, int]:
    """How many pairs of these kinds single faces make, those of the first kind laid first; and the faces left.

    Of pairs that overlap in a row only the first is laid.
    """
    count = 0
    for step, lows in kinds:
        low = faces & faces >> step & lows
        low &= ~(low << step)
        count += low.bit_count()
        faces ^= low | low << step
    return count, faces
