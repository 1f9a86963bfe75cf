"""The packings of a hand that holds few whole groups, as most do: all are listed, and the first pairs mostly fill one."""

from functools import cached_property

from marriage.bits import GUARD, size
from marriage.solver.first_pairs import FirstPairs
from marriage.solver.packing import Packing, Wholes, nothing_laid
from marriage.solver.pairing import Pairing
from marriage.solver.question import Question


class FewGroups:
    """One search; its hands have their guard bits set (see `marriage.bits`), ready for a subtraction."""

    def __init__(self, asked: Question, wholes: Wholes) -> None:
        self.asked = asked
        self.first_pairs = FirstPairs(asked)
        self.packings = _listed(asked, wholes)[::-1]
        """All packings; those of many groups, which need few pairs, come first."""
        self.at_best = [
            primary + lack - general if lack > general else primary
            for _, primary, general, lack in self.packings
        ]
        """The holes of each packing, were pairs plenty."""
        self.least = min(self.at_best)
        """No answer is less than this."""

    @cached_property
    def pairing(self) -> Pairing:
        """All pairs of the hand, for when the first ones do not fill it."""
        return Pairing(self.asked)

    def reaches(self, holes: int) -> bool:
        """Whether there are no more holes than that."""
        packings = [
            packing for packing, least in zip(self.packings, self.at_best, strict=True) if least <= holes
        ]
        for packing in packings:
            if self.first_pairs.fill(packing, holes - 2 * packing[1]):
                return True
        return any(
            self.pairing.fills(hand ^ GUARD, primary, general, lack, holes - 2 * primary)
            for hand, primary, general, lack in packings
        )


def _listed(asked: Question, wholes: Wholes) -> list[Packing]:
    """All packings of these whole groups.

    While a primary group is open, a pure whole one there is never worse than in another: what was in the primary group
    can take its place.
    """
    hand, primary, general, lack = nothing_laid(asked)
    packings = [(hand | GUARD, primary, general, lack)]
    for mask in wholes.pure:
        faced = size(mask & asked.wild)
        for hand, primary, general, lack in packings:  # it grows meanwhile, for a group may be laid twice
            if primary and (rest := hand - mask) & GUARD == GUARD:
                packings.append((rest, primary - 1, general, lack + faced))
    full = [packing for packing in packings if not packing[1]]
    if not full:
        return _with_others(packings, wholes.trials)
    natural = [mask for mask in wholes.pure if not mask & asked.wild]
    unfilled = [packing for packing in packings if packing[1]]
    return _with_others(unfilled, wholes.trials) + _with_others(full, wholes.trials + natural)


def _with_others(packings: list[Packing], wholes: list[int]) -> list[Packing]:
    """These packings, and all that lay some of the whole groups besides, outside the primary ones."""
    for mask in wholes:
        for hand, primary, general, lack in packings:  # as above
            if general and (rest := hand - mask) & GUARD == GUARD:
                packings.append((rest, primary, general - 1, lack - 2))
    return packings
