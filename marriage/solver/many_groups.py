"""The packings of a hand with many whole groups, searched in the order of the holes that they promise (see `three`)."""

from collections import defaultdict
from collections.abc import Callable

from marriage.bits import LOW, TWO, all_in, every_copy, size
from marriage.solver.first_pairs import first_pairs, pairs_fill
from marriage.solver.packing import nothing_laid
from marriage.solver.pairing import Pairing
from marriage.solver.question import Question

_Branch = tuple[int, int, int, int, list[int]]
"""A `Packing`, and the whole groups that can be laid next."""


def least_holes(asked: Question, pure: list[int], trials: list[int], most: int) -> int:
    """Return the smallest number of holes in the wanted groups; `most` + 1 if it is greater than `most`."""
    search = _Search(asked, pure, trials)
    holes = 0
    while holes <= most and not search.reaches(holes):
        holes += 1
    return holes


class _Search:
    """One search. Pending work is kept in one stack for each number of holes that it can reach at best."""

    def __init__(self, asked: Question, pure: list[int], trials: list[int]) -> None:
        self.pairing = Pairing(asked)
        self.first_pairs = first_pairs(asked)
        self.wild = asked.wild
        self.waiting: defaultdict[int, list[tuple[Callable[[_Branch, int], bool], _Branch]]]
        self.waiting = defaultdict(list)
        hand, primary, general, lack = nothing_laid(asked)
        self.trials = trials
        self.natural = trials + [mask for mask in pure if not mask & asked.wild]
        self.most_trials = _most(hand, self.trials, general)
        self.most_natural = _most(hand, self.natural, general)
        self._wait(0, self._weigh_primary, (hand, primary, general, lack, pure))

    def reaches(self, holes: int) -> bool:
        """Return whether at most this many holes are possible. Call it for 0, 1, 2, ... in turn."""
        stack = self.waiting[holes]
        while stack:
            step, packing = stack.pop()
            if step(packing, holes):
                return True
        return False

    def _wait(self, holes: int, step: Callable[[_Branch, int], bool], packing: _Branch) -> None:
        self.waiting[holes].append((step, packing))

    # Each step continues a packing as far as `holes` allows, and returns whether it reached the end.

    def _weigh_primary(self, packing: _Branch, holes: int) -> bool:
        """Find the primary groups that can still be laid; defer what has more holes."""
        hand, primary, general, lack, wholes = packing
        wholes = all_in(hand, wholes) if primary and wholes else []
        most = _most(hand, wholes, primary)
        others = self.most_natural if most == primary else self.most_trials
        least = primary - most + max(0, lack - general - others)
        packing = (hand, primary, general, lack, wholes)
        if least > holes:
            self._wait(least, self._lay_primary, packing)
            return False
        return self._lay_primary(packing, holes)

    def _lay_primary(self, packing: _Branch, holes: int) -> bool:
        """Continue with the other groups, and later with one more whole primary group.

        While a primary group is open, laying a pure whole group there is never worse than in another group,
        because what was in the primary group can take its place.
        """
        hand, primary, general, lack, wholes = packing
        stack = self.waiting[holes]
        for index in range(
            len(wholes) - 1, -1, -1
        ):  # so that the first, with all the others after it, is next
            mask = wholes[index]
            faced = size(mask & self.wild) if mask & self.wild else 0
            longer = (hand - mask, primary - 1, general, lack + faced, wholes[index:])
            stack.append((self._weigh_primary, longer))
        left, most = (self.trials, self.most_trials) if primary else (self.natural, self.most_natural)
        packing = (hand, primary, general, lack, left)
        least = primary + max(0, lack - general - most)
        if least > holes:
            self.waiting[least].append((self._weigh_general, packing))
            return False
        return self._weigh_general(packing, holes)

    def _weigh_general(self, packing: _Branch, holes: int) -> bool:
        """Find the other groups that can still be laid; defer what has more holes."""
        hand, primary, general, lack, wholes = packing
        wholes = all_in(hand, wholes) if general and wholes else []
        packing = (hand, primary, general, lack, wholes)
        least = primary + max(0, lack - general - _most(hand, wholes, general))
        if least > holes:
            self._wait(least, self._lay_general, packing)
            return False
        return self._lay_general(packing, holes)

    def _lay_general(self, packing: _Branch, holes: int) -> bool:
        """Continue with pairs, and later with one more whole group."""
        hand, primary, general, lack, wholes = packing
        stack = self.waiting[holes]
        for index in range(len(wholes) - 1, -1, -1):
            longer = (hand - wholes[index], primary, general - 1, lack - 2, wholes[index:])
            stack.append((self._weigh_general, longer))
        least = primary + max(0, lack - general)
        if least > holes:
            self._wait(least, self._pair, packing)
            return False
        return self._pair(packing, holes)

    def _pair(self, packing: _Branch, holes: int) -> bool:
        """Fill up with pairs. If they do not remove enough holes, allow one more hole."""
        hand, primary, general, lack, _ = packing
        allowed = holes - 2 * primary
        if pairs_fill(hand, primary, general, lack, holes, self.first_pairs):
            return True
        if self.pairing.fills(hand, primary, general, lack, allowed):
            return True
        self._wait(holes + 1, self._pair, packing)
        return False


def _most(hand: int, wholes: list[int], groups: int) -> int:
    """Return an upper bound on how many of these groups can be laid, by the number of cards that they share."""
    if not wholes:
        return 0
    union = 0
    for mask in wholes:
        union |= mask
    cards = hand & every_copy((union | union >> 1) & LOW)
    return min(groups, (cards.bit_count() + (cards & TWO).bit_count()) // 3)
