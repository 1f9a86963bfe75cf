"""The second figure of a profile: how well a player decides, with its error, from analysed deals only."""

import pytest

from league.statistics.profile import FEWEST_DEALS, decision_quality


def test_the_mean_and_its_standard_error() -> None:
    found = decision_quality([(80, 1), (90, 2), (100, 3)])
    assert found is not None
    assert (found.deals, found.accuracy, found.lost) == (3, pytest.approx(90), pytest.approx(2))
    assert found.accuracy_error == pytest.approx(10 / 3**0.5)
    assert found.lost_error == pytest.approx(1 / 3**0.5)


def test_few_deals_say_nothing() -> None:
    assert decision_quality([(90, 1)] * (FEWEST_DEALS - 1)) is None
    assert decision_quality([]) is None
