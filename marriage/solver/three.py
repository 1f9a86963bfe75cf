"""How far a hand is from groups of three: the quick search for the rules without longer groups.

It counts holes, the empty places of the groups wanted. A group of three has none if it is whole, one if it holds a
pair and two if it holds a single card. Outside primary groups wild cards are fungible: one at face value never does
more than as a stand-in. So those groups are made of natural cards, and each wild card fills a hole there, save that
nothing stands in beside an identical pair. With `lack` for the holes of these groups beyond the wild cards left, not
counting those of identical pairs,

    holes = holes of primary groups + identical pairs + max(0, lack).

Nearly every hand has a pair for each group that is not whole. So the packings of whole groups come first, those
with the fewest holes if only pairs were plenty, and mostly one of the first to be filled up with pairs is the answer.
Most hands hold so few whole groups that their packings are listed (`few_groups`); the others are searched
(`many_groups`).
"""

from typing import Final

from marriage.bits import size
from marriage.solver import few_groups, many_groups
from marriage.solver.packing import whole_groups
from marriage.solver.question import Question

_FEW: Final = 10
"""How many whole groups are so few that listing all packings is quicker than searching them."""
_ANY: Final = 99
"""More holes than there can be."""


def fits(asked: Question) -> bool:
    """Whether this search can answer: every group is of three, a primary one pure and natural, no card is short."""
    return not (asked.plus or asked.primary_trial or asked.master or asked.master_live) and (
        size(asked.hand) + asked.spare >= asked.total
    )


def least_holes(asked: Question, most: int = _ANY) -> int:
    """The least number of holes in the groups wanted; one more than `most` where it is more than that."""
    pure, trials = whole_groups(asked)
    few = len(pure) + len(trials) <= _FEW
    return (few_groups if few else many_groups).least_holes(asked, pure, trials, most)
