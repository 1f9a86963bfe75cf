"""The distance of a hand from groups of three: the fast search for rules without longer groups.

It counts holes, the empty places of the wanted groups. A group of three has no hole if it is whole, one if it
holds a pair, and two if it holds a single card. Outside primary groups wild cards are fungible: a wild card
at face value is never better than one as a stand-in. So those groups are made of natural cards, and each wild
card fills a hole there. The exception is an identical pair, with which nothing can stand in. Let `lack` be
how many more holes these groups have than wild cards are left, not counting the holes of identical pairs.
Then

    holes = holes of primary groups + identical pairs + max(0, lack).

Nearly every hand has a pair for each group that is not whole. So the packings of whole groups are tried
first, in the order of the holes that they would have if pairs were plentiful. Usually one of the first to be
filled with pairs is the answer.

Most hands contain so few whole groups that their packings are listed (`few_groups`). The others are searched
(`many_groups`).
"""

from typing import Final

from marriage.bits import size
from marriage.solver import few_groups, many_groups
from marriage.solver.packing import whole_groups
from marriage.solver.question import Question

_FEW: Final = 10
"""Up to this number of whole groups, listing all packings is faster than searching them."""
_ANY: Final = 99
"""More holes than there can be."""


def fits(asked: Question) -> bool:
    """Return whether this search can answer the question.

    All groups must have three cards, primary ones must be pure and natural, and no card may be short.
    """
    return not (asked.plus or asked.primary_trial or asked.master or asked.master_live) and (
        size(asked.hand) + asked.spare >= asked.total
    )


def least_holes(asked: Question, most: int = _ANY) -> int:
    """Return the smallest number of holes in the wanted groups; `most` + 1 if it is greater than `most`."""
    pure, trials = whole_groups(asked)
    few = len(pure) + len(trials) <= _FEW
    return (few_groups if few else many_groups).least_holes(asked, pure, trials, most)
