"""From points lost to verdicts and accuracy."""

from math import sqrt

import pytest

from marriage.analysis.verdicts import (
    BLUNDER,
    INACCURACY,
    MISTAKE,
    Verdict,
    accuracy,
    verdict,
    whole_accuracy,
)


def test_verdicts_follow_the_loss_and_the_number_of_opponents() -> None:
    assert verdict(INACCURACY - 0.01, 4) is Verdict.GOOD
    assert verdict(INACCURACY, 4) is Verdict.INACCURACY
    assert verdict(MISTAKE, 4) is Verdict.MISTAKE
    assert verdict(BLUNDER, 4) is Verdict.BLUNDER
    assert verdict(BLUNDER / 3, 2) is Verdict.MISTAKE
    assert verdict(BLUNDER / sqrt(3) + 0.01, 2) is Verdict.BLUNDER
    assert verdict(BLUNDER / sqrt(3) - 0.01, 2) is Verdict.MISTAKE
    assert verdict(BLUNDER * 4 / 3, 5) is Verdict.BLUNDER
    assert verdict(BLUNDER, 5) is Verdict.MISTAKE


def test_accuracy_falls_with_what_was_lost() -> None:
    assert accuracy(5.0, 0.0, 4) == pytest.approx(100, abs=0.01)
    falling = [accuracy(5.0, loss, 4) for loss in (0, 1, 2, 4, 8, 16)]
    assert falling == sorted(falling, reverse=True)
    assert 0 <= falling[-1] < 30


def test_one_blunder_weighs_more_than_its_share() -> None:
    assert whole_accuracy([]) is None
    assert whole_accuracy([100.0, 100.0]) == pytest.approx(100)
    whole = whole_accuracy([100.0, 100.0, 100.0, 20.0])
    assert whole is not None
    assert whole < 80


def test_who_loses_the_chances_of_eight_points_keeps_a_third_of_their_accuracy() -> None:
    """Eight points less at four seats make a chance of 50 % one of 27 %. At two seats a third as many do."""
    assert accuracy(0.0, 8.0, 4) == pytest.approx(34.56, abs=0.01)
    assert accuracy(0.0, 8.0 / 3, 2) == accuracy(0.0, 8.0, 4)
    assert accuracy(8.0, 8.0, 4) == pytest.approx(accuracy(0.0, 8.0, 4))
    assert accuracy(16.0, 8.0, 4) > accuracy(8.0, 8.0, 4)


def test_accuracy_is_a_percentage() -> None:
    assert accuracy(100.0, 200.0, 4) == 0
    assert accuracy(0.0, -8.0, 4) == 100


def test_a_deal_with_a_decision_of_no_accuracy_still_has_one() -> None:
    """The harmonic mean is that of 1 and 100."""
    assert whole_accuracy([0.0, 100.0]) == pytest.approx((50 + 200 / 101) / 2)
