"""How far a hand is from groups of three: the quick search for the rules without longer groups.

It counts holes, the empty places of the groups wanted. A group of three has none if it is whole, one if it holds a
pair and two if it holds a single card. Outside primary groups wild cards are fungible: one at face value never does
more than as a stand-in. So those groups are made of natural cards, and each wild card fills a hole there, save that
nothing stands in beside an identical pair. With `lack` for the holes of these groups beyond the wild cards left, not
counting those of identical pairs,

    holes = holes of primary groups + identical pairs + max(0, lack).

Nearly every hand has a pair for each group that is not whole. So the packings of whole groups come first, those
with the fewest holes if only pairs were plenty, and mostly the first one to be filled up with pairs is the answer.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Final

from marriage.bits import LOW, TWO, all_in, every_copy, size
from marriage.solver.pairing import Pairing
from marriage.solver.patterns import found, run_families, trial_families, tunnelas
from marriage.solver.question import Question

_RUNS: Final = run_families(plus=False)
_TRIALS: Final = trial_families(plus=False)


def fits(asked: Question) -> bool:
    """Whether this search can answer: every group is of three, a primary one pure and natural, no card is short."""
    return not (asked.plus or asked.primary_trial or asked.master or asked.master_live) and (
        size(asked.hand) + asked.spare >= asked.total
    )


def least_holes(asked: Question) -> int:
    """The least number of holes in the groups wanted."""
    search, holes = _Search(asked), 0
    while not search.reaches(holes):
        holes += 1
    return holes


def within(asked: Question, most: int) -> bool:
    """Whether the groups wanted have no more holes than that."""
    search = _Search(asked)
    return any(search.reaches(holes) for holes in range(min(most, asked.total) + 1))


_Packing = tuple[int, int, int, int, list[int]]
"""What is left when whole groups are laid: the hand; how many primary groups are open, how many others; the holes of
the others, each taken to hold a single card, beyond the wild cards left; and which whole groups may be laid next."""


class _Search:
    """One search. What may still be done waits in a stack for each number of holes that it may come to at best."""

    def __init__(self, asked: Question) -> None:
        self.pairing = Pairing(asked)
        self.at_once = True
        """Whether the pairs that come first are to be tried: once, for where they fail they mostly fail again."""
        self.wild = asked.wild
        self.waiting: defaultdict[int, list[tuple[Callable[[_Packing, int], bool], _Packing]]]
        self.waiting = defaultdict(list)
        pure = [pattern.mask for pattern in found(asked.hand, _RUNS) + tunnelas(asked.hand)]
        general = asked.total // 3 - asked.primary
        self.trials: list[int] = []
        self.natural: list[int] = []
        if general:
            self.trials = [pattern.mask for pattern in found(asked.hand & ~asked.wild, _TRIALS)]
            self.natural = self.trials + [mask for mask in pure if not mask & asked.wild]
        self.most_trials = _most(asked.hand, self.trials, general)
        self.most_natural = _most(asked.hand, self.natural, general)
        lack = 2 * general - asked.spare - size(asked.hand & asked.wild)
        self._wait(0, self._weigh_primary, (asked.hand, asked.primary, general, lack, pure))

    def reaches(self, holes: int) -> bool:
        """Whether there are no more holes than that; to be asked for 0, 1, 2, ... in turn."""
        stack = self.waiting[holes]
        while stack:
            step, packing = stack.pop()
            if step(packing, holes):
                return True
        return False

    def _wait(self, holes: int, step: Callable[[_Packing, int], bool], packing: _Packing) -> None:
        self.waiting[holes].append((step, packing))

    # Each step goes on from a packing as far as so many holes allow, and says whether that was to the end.

    def _weigh_primary(self, packing: _Packing, holes: int) -> bool:
        """See which primary groups can still be laid; put off what has more holes than that."""
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

    def _lay_primary(self, packing: _Packing, holes: int) -> bool:
        """Go on to the other groups, and later with one more whole primary group.

        While a primary group is open, a pure whole one there is never worse than in another: what was in the primary
        group can take its place.
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

    def _weigh_general(self, packing: _Packing, holes: int) -> bool:
        """See which other groups can still be laid; put off what has more holes than that."""
        hand, primary, general, lack, wholes = packing
        wholes = all_in(hand, wholes) if general and wholes else []
        packing = (hand, primary, general, lack, wholes)
        least = primary + max(0, lack - general - _most(hand, wholes, general))
        if least > holes:
            self._wait(least, self._lay_general, packing)
            return False
        return self._lay_general(packing, holes)

    def _lay_general(self, packing: _Packing, holes: int) -> bool:
        """Go on to pairs, and later with one more whole group."""
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

    def _pair(self, packing: _Packing, holes: int) -> bool:
        """Fill up with pairs; where they do not bring the holes down far enough, one hole more may be."""
        hand, primary, general, lack, _ = packing
        wanted = hand, primary, general, lack, holes - 2 * primary
        at_once, self.at_once = self.at_once, False
        if (at_once and self.pairing.fills_at_once(*wanted)) or self.pairing.fills(*wanted):
            return True
        self._wait(holes + 1, self._pair, packing)
        return False


def _most(hand: int, wholes: list[int], groups: int) -> int:
    """How many of these can be laid at most, by the number of cards they share."""
    if not wholes:
        return 0
    union = 0
    for mask in wholes:
        union |= mask
    cards = hand & every_copy((union | union >> 1) & LOW)
    return min(groups, (cards.bit_count() + (cards & TWO).bit_count()) // 3)
