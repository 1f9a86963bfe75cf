"""From season to season: who is invited again, and who keeps their division while resting."""

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
