"""How far a hand is from groups of three: the quick search for the rules without longer groups.

It counts holes, the empty places of the groups wanted. A group of three has none if it is whole, one if it holds a
pair and two if it holds a single card. Outside primary groups wild cards are fungible: one at face value never does
more than as a stand-in. So those groups are made of natural cards, and each wild card fills a hole there, save that
nothing stands in beside an identical pair. With `lack` for the holes of these groups beyond the wild cards left, not
counting those of identical pairs,

    holes = holes of primary groups + identical pairs + max(0, lack).

Nearly every hand has a pair for each group that is not whole. So the packings of whole groups come first, those
with the fewest holes if only pairs were plenty, and mostly one of the first to be filled up with pairs is the answer.
Most hands hold so few whole groups that all packings are listed (`few_groups`); the others are searched
(`many_groups`).
"""

from typing import Final

from marriage.bits import size
from marriage.solver.few_groups import FewGroups
from marriage.solver.many_groups import ManyGroups
from marriage.solver.packing import whole_groups
from marriage.solver.question import Question

_FEW: Final = 10
"""How many whole groups are so few that listing all packings is quicker than searching them."""


def fits(asked: Question) -> bool:
    """Whether this search can answer: every group is of three, a primary one pure and natural, no card is short."""
    return not (asked.plus or asked.primary_trial or asked.master or asked.master_live) and (
        size(asked.hand) + asked.spare >= asked.total
    )


def least_holes(asked: Question) -> int:
    """The least number of holes in the groups wanted."""
    search = _search(asked)
    holes = search.least
    while not search.reaches(holes):
        holes += 1
    return holes


def within(asked: Question, most: int) -> bool:
    """Whether the groups wanted have no more holes than that."""
    search = _search(asked)
    return any(search.reaches(holes) for holes in range(min(most, asked.total) + 1))


def _search(asked: Question) -> FewGroups | ManyGroups:
    wholes = whole_groups(asked)
    few = len(wholes.pure) + len(wholes.trials) <= _FEW
    return FewGroups(asked, wholes) if few else ManyGroups(asked, wholes)
