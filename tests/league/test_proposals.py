"""When a proposed time holds for a pod, and what it takes to change it."""

import pytest

from league.matches.times import Proposal

POD = (1, 2, 3, 4)
HOURS = 12


def proposal(*agreed: int, at: int = 24, since: int = 0) -> Proposal:
    return Proposal(at, since, agreed)


@pytest.mark.parametrize(
    ("agreed", "players", "holds"),
    [
        ((1,), POD, 12),
        ((1, 2), POD, 12),
        ((1, 2, 3), POD, 0),
        ((1, 2, 3, 4), POD, 0),
        ((1, 2), (1, 2, 3), 0),
        ((1,), (1, 2), 12),
        ((1, 2, 3), (1, 2, 3, 4, 5), 0),
        ((1, 2, 9), POD, 12),
    ],
)
def test_a_majority_agrees_or_silence_does(agreed, players, holds):
    assert proposal(*agreed).holds_from(players, HOURS) == holds


def test_a_time_that_the_others_could_not_see_holds_only_once_all_agree():
    assert proposal(1, 2, 3, at=11).holds_from(POD, HOURS) is None
    assert proposal(1, at=11).holds_from(POD, HOURS) is None
    assert proposal(1, 2, 3, 4, at=11).holds_from(POD, HOURS) == 0
    assert proposal(1, 2, 3, at=12).holds_from(POD, HOURS) == 0


@pytest.mark.parametrize(
    ("held", "change", "replaces"),
    [
        ((1, 2, 3, 4), (4,), False),
        ((1, 2, 3, 4), (1, 2, 3), False),
        ((1, 2, 3, 4), (1, 2, 3, 4), True),
        ((1, 2, 3), (1, 2, 4), True),
        ((1, 2, 3), (1, 2), False),
        ((1,), (2,), False),
        ((1,), (2, 3, 4), True),
    ],
)
def test_a_change_takes_the_consent_that_the_time_took(held, change, replaces):
    assert proposal(*change, at=30).replaces(proposal(*held), POD, HOURS) is replaces


def test_a_change_at_short_notice_takes_everybody():
    assert not proposal(1, 2, 3, at=20, since=10).replaces(proposal(1, 2, 3), POD, HOURS)
    assert proposal(1, 2, 3, 4, at=20, since=10).replaces(proposal(1, 2, 3), POD, HOURS)


def test_to_agree_twice_is_to_agree_once():
    assert proposal(1).agreed_by(2).agreed_by(2) == proposal(1, 2)
