"""From season to season: who is invited again, and who keeps their division while resting."""

import pytest

from league.events import DivisionSet, SignedUp, SignupRemoved, Withdrawn
from league.settings import default_settings
from league.standings import standings
from league.succession import invited, placed
from tests.league.seasons import Diary
from tests.league.test_drawing import played

DIVISIONS = default_settings("divisions")
EVERYBODY = range(1, 25)


def test_who_has_not_left_is_asked_again():
    diary = Diary(players=4)
    diary.note(SignedUp(5))
    diary.note(SignedUp(6))
    diary.note(SignupRemoved(6))
    diary.note(Withdrawn(2))
    assert invited(diary.season) == (1, 3, 4, 5)


def test_a_first_season_goes_by_the_order_of_sign_up():
    found = placed([], [*reversed(EVERYBODY)], DIVISIONS)
    assert [player for player, division in found.items() if division == 1] == [*range(24, 16, -1)]
    assert placed([Diary(players=8).season], EVERYBODY, DIVISIONS) == placed([], EVERYBODY, DIVISIONS)


def test_promotion_and_relegation_count_from_the_last_season():
    former = played().season
    found = placed([former], EVERYBODY, DIVISIONS)
    first, second = (standings(former, division=division).rows for division in (1, 2))
    assert {found[row.player] for row in first[-2:]} == {2}
    assert {found[row.player] for row in second[:2]} == {1}


def test_a_rest_keeps_the_division_for_as_long_as_agreed():
    first = played()
    resting = standings(first.season, division=1).rows[0].player
    others = [player for player in EVERYBODY if player != resting]
    season = _without(resting)
    for rested in range(1, 4):
        former = [season] * rested + [first.season]
        found = placed(former, [*others, resting], DIVISIONS)
        assert found[resting] == (1 if rested <= DIVISIONS.hiatus_seasons else 3)


def _without(resting: int):
    """Return a season of three divisions in which this player did not take part."""
    diary = played()
    diary.note(DivisionSet(resting, 0))
    diary.note(SignupRemoved(resting))
    return diary.season


@pytest.mark.parametrize(("division", "zone", "earned"), [(2, "up", 1), (1, "down", 2), (3, "up", 2)])
def test_who_returns_from_a_rest_has_the_division_that_they_had_earned(division: int, zone: str, earned: int):
    first = played()
    rows = standings(first.season, division=division).rows
    resting = next(row.player for row in rows if row.zone == zone)
    champion = standings(first.season, division=1).rows[0].player
    others = [player for player in EVERYBODY if player not in (resting, champion)]
    found = placed([_without(resting), first.season], [*others, 101, resting], DIVISIONS)
    assert found[resting] == earned


def test_the_latest_season_counts_of_those_that_somebody_rested_from():
    first, resting = played(), 9
    later = played()
    later.note(DivisionSet(resting, 3))
    [found] = {
        placed([_without(resting), later.season, first.season], order, DIVISIONS)[resting]
        for order in ([*EVERYBODY], [*reversed(EVERYBODY)])
    }
    [row] = [row for row in standings(later.season, division=3).rows if row.player == resting]
    assert found == (2 if row.zone == "up" else 3)


def test_seasons_without_divisions_are_no_rest():
    first = played()
    resting = standings(first.season, division=1).rows[0].player
    pods = Diary(players=8).season
    former = [pods, _without(resting), pods, pods, first.season]
    assert placed(former, [*EVERYBODY], DIVISIONS)[resting] == 1
