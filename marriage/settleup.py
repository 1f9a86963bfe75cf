"""Who pays whom at the end of an evening, in as few payments as there can be."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

EXACT: Final = 12
"""Up to so many debtors and creditors the fewest payments are found; with more a good settling is."""


@dataclass(frozen=True, slots=True)
class Payment:
    """One payment of points; debtor and creditor are places in the list that was settled."""

    debtor: int
    creditor: int
    points: int


def settle_up(nets: Sequence[int]) -> tuple[Payment, ...]:
    """The payments that bring everybody's net to zero, the largest first; raises ValueError if the nets do not sum to zero.

    Players who settle among themselves save a payment, so the list is first parted into as many such circles as
    there can be; within one the largest debtor pays the largest creditor.

    >>> settle_up([-5, 7, 18, -20])
    (Payment(debtor=3, creditor=2, points=18), Payment(debtor=0, creditor=1, points=5), Payment(debtor=3, creditor=1, points=2))
    """
    if sum(nets):
        raise ValueError(f"the nets sum to {sum(nets)}, not to zero")
    open_places = [place for place, net in enumerate(nets) if net]
    circles = _circles(open_places, nets) if len(open_places) <= EXACT else [open_places]
    paid = [payment for circle in circles for payment in _within(circle, nets)]
    return tuple(sorted(paid, key=lambda payment: (-payment.points, payment.debtor, payment.creditor)))


def _circles(places: Sequence[int], nets: Sequence[int]) -> list[list[int]]:
    """The places parted into as many groups as can be, each summing to zero."""
    full = (1 << len(places)) - 1
    sums = [0] * (full + 1)
    most = [0] * (full + 1)
    last = [0] * (full + 1)
    """The member that is added last to a set: closed groups within it are counted on the way there."""
    for members in range(1, full + 1):
        lowest = (members & -members).bit_length() - 1
        sums[members] = sums[members & (members - 1)] + nets[places[lowest]]
        inside = [one for one in range(len(places)) if members >> one & 1]
        last[members] = max(inside, key=lambda one: most[members ^ (1 << one)])
        most[members] = most[members ^ (1 << last[members])] + (sums[members] == 0)
    circles: list[list[int]] = []
    members = full
    while members:
        if sums[members] == 0:
            circles.append([])
        circles[-1].append(places[last[members]])
        members ^= 1 << last[members]
    return circles


def _within(circle: Sequence[int], nets: Sequence[int]) -> list[Payment]:
    """The largest debtor pays the largest creditor until nobody owes anything: each payment is somebody's last."""
    left = {place: nets[place] for place in circle}
    payments: list[Payment] = []
    while any(left.values()):
        debtor = min(left, key=lambda place: (left[place], place))
        creditor = max(left, key=lambda place: (left[place], -place))
        points = min(-left[debtor], left[creditor])
        payments.append(Payment(debtor, creditor, points))
        left[debtor] += points
        left[creditor] -= points
    return payments
