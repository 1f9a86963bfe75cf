from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from marriage.scoring.settle_up import EXACT, Payment, settle_up

NETS = st.lists(st.integers(-60, 60), min_size=1, max_size=6).map(lambda nets: [*nets, -sum(nets)])


def fewest(nets: list[int]) -> int:
    """Return the number of those who owe or are owed, less the most groups that settle internally."""

    def groups(places: frozenset[int]) -> int:
        best = 1 if places else 0
        first, *others = sorted(places) or [None]
        for size in range(len(others)):
            for rest in combinations(others, size):
                circle = frozenset({first, *rest})
                if sum(nets[place] for place in circle) == 0:
                    best = max(best, 1 + groups(places - circle))
        return best

    open_places = frozenset(place for place, net in enumerate(nets) if net)
    return len(open_places) - groups(open_places)


@given(NETS)
def test_the_payments_settle_everything_and_are_as_few_as_can_be(nets: list[int]) -> None:
    left = list(nets)
    payments = settle_up(nets)
    for payment in payments:
        assert payment.points > 0
        assert nets[payment.debtor] < 0 < nets[payment.creditor]
        left[payment.debtor] += payment.points
        left[payment.creditor] -= payment.points
    assert not any(left)
    assert len(payments) == fewest(nets)
    assert len(payments) <= max(0, len(nets) - 1)


@given(st.lists(st.integers(-900, 900), min_size=EXACT, max_size=40).map(lambda nets: [*nets, -sum(nets)]))
def test_many_are_settled_too(nets: list[int]) -> None:
    left = list(nets)
    payments = settle_up(nets)
    for payment in payments:
        left[payment.debtor] += payment.points
        left[payment.creditor] -= payment.points
    assert not any(left)
    assert len(payments) <= len(nets) - 1


def test_those_who_can_settle_among_themselves_do_though_the_largest_debt_is_not_the_largest_claim() -> None:
    assert settle_up([-8, -7, -5, 8, 12]) == (Payment(0, 3, 8), Payment(1, 4, 7), Payment(2, 4, 5))


def test_the_debt_of_one_that_fits_a_claim_is_not_paid_in_parts() -> None:
    assert settle_up([2, 3, -4, -3, 2]) == (Payment(3, 1, 3), Payment(2, 0, 2), Payment(2, 4, 2))


def test_twelve_who_owe_or_are_owed_still_settle_with_the_fewest_payments() -> None:
    nets = [-8, -7, -5, 8, 12, -80, -70, -50, 80, 120, -1, 1]
    assert len(nets) == EXACT
    assert len(settle_up(nets)) == EXACT - 5


def test_of_two_equal_claims_the_first_is_paid_by_the_largest_debtor() -> None:
    assert settle_up([-5, -3, 4, 4]) == (Payment(0, 2, 4), Payment(1, 3, 3), Payment(0, 3, 1))


def test_nobody_pays_when_nobody_owes() -> None:
    assert settle_up([]) == settle_up([0, 0, 0]) == ()


def test_nets_that_do_not_sum_to_zero_are_refused() -> None:
    with pytest.raises(ValueError, match="sum to 3"):
        settle_up([5, -2])
