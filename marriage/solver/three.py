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
from typing import Final

from marriage.bits import all_in, every_copy, present, size
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
    """One search. Packings wait in a stack for each number of holes they may have at best."""

    def __init__(self, asked: Question) -> None:
        self.asked = asked
        self.primary = asked.primary
        self.general = asked.total // 3 - asked.primary
        self.pairing = Pairing(asked)
        pure = [pattern.mask for pattern in found(asked.hand, _RUNS) + tunnelas(asked.hand)]
        self.pure = pure if asked.primary else []
        self.trials: list[int] = []
        self.natural: list[int] = []
        if self.general:
            naturals = asked.hand & ~asked.wild
            self.trials = [pattern.mask for pattern in found(naturals, _TRIALS)]
            self.natural = self.trials + [mask for mask in pure if not mask & asked.wild]
        self.most_trials = _most(asked.hand, self.trials, self.general)
        self.most_natural = _most(asked.hand, self.natural, self.general)
        self.leading: defaultdict[int, list[_Packing]] = defaultdict(list)
        self.following: defaultdict[int, list[_Packing]] = defaultdict(list)
        self.laid: defaultdict[int, list[_Packing]] = defaultdict(list)
        lack = 2 * self.general - asked.spare - size(asked.hand & asked.wild)
        self.leading[0].append((asked.hand, self.primary, self.general, lack, self.pure))

    def reaches(self, holes: int) -> bool:
        """Whether there are no more holes than that; to be asked for 0, 1, 2, ... in turn."""
        leading, following, laid = self.leading[holes], self.following[holes], self.laid[holes]
        while True:
            if laid:
                packing = laid.pop()
                hand, primary, general, lack, _ = packing
                if self.pairing.fills(hand, primary, general, lack, holes - 2 * primary):
                    return True
                self.laid[holes + 1].append(packing)
            elif following:
                self._lay_general(following.pop(), holes)
            elif leading:
                self._lay_primary(leading.pop(), holes)
            else:
                return False

    def _lay_primary(self, packing: _Packing, holes: int) -> None:
        """Go on to the other groups, or with one more whole primary group; put off what has more holes than that.

        While a primary group is open, a pure whole one there is never worse than in another: what was in the primary
        group can take its place.
        """
        hand, primary, general, lack, wholes = packing
        wholes = all_in(hand, wholes) if primary and wholes else []
        most = _most(hand, wholes, primary) if wholes else 0
        others = self.most_natural if most == primary else self.most_trials
        least = primary - most + max(0, lack - general - others)
        if least > holes:
            self.leading[least].append((hand, primary, general, lack, wholes))
            return
        self.following[holes].append((hand, primary, general, lack, self.trials if primary else self.natural))
        self.leading[holes] += [
            (hand - mask, primary - 1, general, lack + size(mask & self.asked.wild), wholes[index:])
            for index, mask in enumerate(wholes)
        ]

    def _lay_general(self, packing: _Packing, holes: int) -> None:
        """Go on to pairs, or with one more whole group; put off what has more holes than that."""
        hand, primary, general, lack, wholes = packing
        wholes = all_in(hand, wholes) if general and wholes else []
        most = _most(hand, wholes, general) if wholes else 0
        least = primary + max(0, lack - general - most)
        if least > holes:
            self.following[least].append((hand, primary, general, lack, wholes))
            return
        self.laid[primary + max(0, lack - general)].append(packing)
        self.following[holes] += [
            (hand - mask, primary, general - 1, lack - 2, wholes[index:]) for index, mask in enumerate(wholes)
        ]


def _most(hand: int, wholes: list[int], groups: int) -> int:
    """How many of these can be laid at most, by the number of cards they share."""
    union = 0
    for mask in wholes:
        union |= mask
    return min(groups, size(hand & every_copy(present(union))) // 3)
