"""The pairs that come first in a hand, all of a kind at once: mostly they do, and that is soon seen (see `pairing`)."""

from typing import Final

from marriage.bits import FULL, LOW, ONE, WIDTH, present, thrice
from marriage.solver.packing import Packing
from marriage.solver.question import Question

_RANKS: Final = 13
_SUIT: Final = WIDTH * _RANKS
_NEXT: Final = WIDTH
_GAP: Final = 2 * WIDTH
_HAS_BELOW, _HAS_ABOVE, _HAS_TWO_ABOVE = (
    sum(one for index, one in enumerate(ONE) if index % _RANKS in ranks)
    for ranks in (range(1, 13), range(12), range(11))
)

Kinds = tuple[tuple[int, int], ...]
"""Kinds of pairs: how far the other face lies above the lower one, and which faces may be the lower one."""


class FirstPairs:
    """The pairs of natural cards that surely may be completed.

    Each face is laid in one pair at most. So no more than three pairs wait for the same card: two of its suit, each with
    a card next to it, and one of its rank. Where all three copies of it may come, so may all that is waited for.
    """

    def __init__(self, asked: Question) -> None:
        self.naturals = FULL & ~asked.wild
        self.live = present(asked.live)
        sure = thrice(asked.live)
        below, above = sure << _NEXT & _HAS_BELOW, sure >> _GAP & _HAS_TWO_ABOVE
        self.suited: Kinds = (
            (_NEXT, (below | above) & _HAS_ABOVE),
            (_GAP, sure >> _NEXT & _HAS_TWO_ABOVE),
        )
        around = sure | sure << 4 * _SUIT
        ranks = (sure | around >> _SUIT | around >> 2 * _SUIT | around >> 3 * _SUIT) & LOW
        self.ranked: Kinds = ((_SUIT, ranks), (2 * _SUIT, ranks), (3 * _SUIT, ranks))

    def fill(self, packing: Packing, allowed: int) -> bool:
        """Whether these pairs bring the holes down far enough, as `Pairing.fills` asks."""
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
        others = suited + ranked - min(suited, max(0, primary - same))
        return wanted <= others + min(max(0, same - primary), short - wanted)


def _disjoint(faces: int, kinds: Kinds) -> tuple[int, int]:
    """How many pairs of these kinds can be laid of single faces, those of the first kind first; and what is left."""
    count = 0
    for step, lows in kinds:
        low = faces & faces >> step & lows
        low &= ~(low << step)
        count += low.bit_count()
        faces ^= low | low << step
    return count, faces
