"""Settling up at the end of an evening: who pays whom, in few payments."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

EXACT: Final = 12
"""Up to this number of debtors and creditors the result has the fewest payments; beyond it, merely few."""


@dataclass(frozen=True, slots=True)
class Payment:
    """One payment of points. Debtor and creditor are indices in the list of nets."""

    debtor: int
    creditor: int
    points: int


def settle_up(nets: Sequence[int]) -> tuple[Payment, ...]:
    """The payments that bring every net to zero, the largest first; raises ValueError if the nets do not sum to zero.

    A group of n players whose nets sum to zero settles with n - 1 payments. So up to `EXACT` players are divided into as many
    such groups as possible, by dynamic programming over subsets; more form one group. Within a group the largest debtor pays the largest creditor.

    >>> settle_up([-5, 7, 18, -20])
    (Payment(debtor=3, creditor=2, points=18), Payment(debtor=0, creditor=1, points=5), Payment(debtor=3, creditor=1, points=2))
    """
    if sum(nets):
        raise ValueError(f"the nets sum to {sum(nets)}, not to zero")
    open_places = [place for place, net in enumerate(nets) if net]
    groups = _zero_sum_groups(open_places, nets) if len(open_places) <= EXACT else [open_places]
    paid = [payment for group in groups for payment in _payments(group, nets)]
    return tuple(sorted(paid, key=lambda payment: (-payment.points, payment.debtor, payment.creditor)))


def _zero_sum_groups(places: Sequence[int], nets: Sequence[int]) -> list[list[int]]:
    """Return the places in as many groups as possible whose nets sum to zero.

    Sets of places are bit masks.
    """
    full = (1 << len(places)) - 1
    sums = [0] * (full + 1)
    most = [0] * (full + 1)
    last = [0] * (full + 1)
    """The member added last on the best way to each set; `most` counts the groups completed that way."""
    for members in range(1, full + 1):
        lowest = (members & -members).bit_length() - 1
        sums[members] = sums[members & (members - 1)] + nets[places[lowest]]
        inside = [member for member in range(len(places)) if members >> member & 1]
        last[members] = max(inside, key=lambda member: most[members ^ (1 << member)])
        most[members] = most[members ^ (1 << last[members])] + (sums[members] == 0)
    groups: list[list[int]] = []
    members = full
    while members:
        if sums[members] == 0:
            groups.append([])
        groups[-1].append(places[last[members]])
        members ^= 1 << last[members]
    return groups


def _payments(group: Sequence[int], nets: Sequence[int]) -> list[Payment]:
    """Return payments in which the largest debtor pays the largest creditor until all nets are zero.

    Each payment settles one of the two.
    """
    left = {place: nets[place] for place in group}
    payments: list[Payment] = []
    while any(left.values()):
        debtor = min(left, key=lambda place: (left[place], place))
        creditor = max(left, key=lambda place: (left[place], -place))
        points = min(-left[debtor], left[creditor])
        payments.append(Payment(debtor, creditor, points))
        left[debtor] += points
        left[creditor] -= points
    return payments
