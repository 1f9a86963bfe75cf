"""Whether pairs can fill up the groups of three left open when the whole ones have been laid (see `three`)."""

from collections.abc import Iterable
from typing import Final

from marriage.bits import LOW, ONE, TWO, WIDTH, contains, every_copy, present, size
from marriage.solver.patterns import completions, pairs_from
from marriage.solver.question import Question

_RANKS: Final = 13
_SUIT: Final = WIDTH * _RANKS


Fillings = tuple[int, ...]
"""The faces each of which completes a pair."""
Pair = tuple[int, int, Fillings, int, bool, bool]
"""Two cards of one group: the bit that says whether a hand holds the other card when it is known to hold the lower;
their mask; what completes them, and all of that; whether they are of one suit; whether they are identical."""
Waiting = tuple[Fillings, "Waiting"] | None
"""What may complete each pair that waits for a natural card, as a linked list."""


class Pairing:
    """The pairs of one hand; which whole groups are laid before may differ."""

    def __init__(self, asked: Question) -> None:
        self.asked = asked
        self.wild = asked.wild
        self.all_wait = not asked.stand_ins
        """Whether even places in general groups wait for a natural card."""
        self.faced = bool(asked.hand & asked.wild)
        self.live = present(asked.live)
        self.hopeless: set[tuple[int, int, int, int, int]] = set()
        self.contended = 0

    def fills(
        self, hand: int, primary: int, general: int, lack: int, allowed: int, waiting: Waiting = None
    ) -> bool:
        """Whether disjoint pairs bring the holes down far enough.

        So many primary and general groups are open, each taken to hold a single card; `lack` is how many holes the
        general ones have beyond the wild cards left. `allowed` holes may be left of these, and it is negative where
        as many of the primary groups have to become pairs. A pair in a primary group gains a hole, but each wild
        card at face value in it adds to the lack. A pair in another makes the lack one less. If its cards are
        identical it is two less, and the place that no wild card fills counts against what is allowed.
        """
        if lack <= allowed >= 0:
            if self._all_may_come(waiting, self.asked.live):
                return True
            self.contended += 1
            return False
        if allowed + primary < max(0, lack - general):
            return False
        key = (hand, primary, general, lack, allowed)
        if key in self.hopeless:
            return False
        before = self.contended
        if self._lay(hand, primary, general, lack, allowed, waiting):
            return True
        if self.contended == before:
            self.hopeless.add(key)
        return False

    def _lay(self, hand: int, primary: int, general: int, lack: int, allowed: int, waiting: Waiting) -> bool:
        """Lay one more pair: try all pairs of the lowest face, then those without that face."""
        short = max(0, lack)
        wanted = short - allowed
        affordable = allowed + primary + general - lack
        if self.faced and not affordable:
            hand &= ~self.wild
        suited, paired = in_pairs(hand)
        # A pair gains one at most, and those outside primary groups together no more than is short there.
        if size(hand & every_copy(suited)) < 2 * (wanted - min(general, short)):
            return False
        hand &= every_copy(paired)
        # When nothing is short, a pair there can only free wild cards for primary groups.
        helps = general and (lack > 0 or (self.faced and lack + 2 * primary > 0))
        while size(hand) >= 2 * wanted:
            low = paired & -paired
            there = paired | hand & TWO
            for sign, mask, fillings, filling, pure, same in _PAIRS[low]:
                if not there & sign:
                    continue
                rest, longer = hand - mask, (fillings, waiting)
                live = filling & self.live
                wild = (mask & self.wild).bit_count() << same
                if (
                    primary
                    and pure
                    and live
                    and wild <= affordable
                    and self.fills(rest, primary - 1, general, lack + wild, allowed + 1, longer)
                ):
                    return True
                waits = same or self.all_wait
                if (
                    helps
                    and not wild
                    and (live or not waits)
                    and self.fills(
                        rest,
                        primary,
                        general - 1,
                        lack - 1 - same,
                        allowed - same,
                        longer if waits else waiting,
                    )
                ):
                    return True
            paired ^= low
            hand &= ~every_copy(low)
        return False

    def _all_may_come(self, waiting: Waiting, live: int) -> bool:
        """Whether all that is waited for may come together: two pairs may wait for the same last copy."""
        if waiting is None:
            return True
        fillings, others = waiting
        for filling in fillings:
            if contains(live, filling) and self._all_may_come(others, live - filling):
                return True
        return False


_PAIRS: Final[dict[int, tuple[Pair, ...]]] = {
    low: tuple(
        (
            low << 1 if pair.same else pair.mask ^ low,
            pair.mask,
            completions(pair, 3),
            sum(completions(pair, 3)),
            pair.pure,
            pair.same,
        )
        for pair in pairs_from(low, plus=False)
    )
    for low in ONE
}
"""The pairs of each lower face."""


def _steps(*steps: tuple[int, Iterable[int]]) -> tuple[tuple[int, int], ...]:
    """Shifts to the other face of a pair in a run, each with the faces that have such a one above them."""
    return tuple(
        (WIDTH * step, sum(unit for index, unit in enumerate(ONE) if index % _RANKS in ranks))
        for step, ranks in steps
    )


(_NEXT, _HAS_NEXT), (_GAP, _HAS_GAP), (_QUEEN, _ACES), (_KING, _) = _steps(
    (1, range(12)), (2, range(11)), (11, (0,)), (12, (0,))
)


def in_pairs(hand: int) -> tuple[int, int]:
    """The faces that are in a pair of one suit or of identical cards, and those that are in any pair."""
    faces = (hand | hand >> 1) & LOW
    aces, low, gap = faces & _ACES, faces & _HAS_NEXT, faces & _HAS_GAP
    below = low & faces >> _NEXT | gap & faces >> _GAP | aces & (faces >> _QUEEN | faces >> _KING)
    above = faces & (low << _NEXT | gap << _GAP | aces << _QUEEN | aces << _KING)
    suited = below | above | hand >> 1 & LOW
    around = faces | faces << 4 * _SUIT
    ranked = faces & (around >> _SUIT | around >> 2 * _SUIT | around >> 3 * _SUIT)
    return suited, suited | ranked
