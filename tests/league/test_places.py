"""A limited number of places: who is in, may confirm or moves up; and changes after a season has begun."""

import pytest

from league.events import CheckedIn, Confirmed, NumbersChanged, SignedUp
from league.members import MemberSet
from league.pairing.drawing import has_place, moving_up, places_left
from league.rulings import Candidate, refusal
from league.season import fold
from league.settings import CHANGED_LATER, SeasonSettings, default_settings
from league.undoing import inverse
from tests.league.seasons import Diary


def waiting(most: int, confirm_hours: int = 0) -> Diary:
    """Return a season with two players who are in, and three who wait."""
    diary = Diary(players=2, most_players=most, confirm_hours=confirm_hours)
    for player in (3, 4, 5):
        diary.note(SignedUp(player))
    return diary


def test_without_a_limit_everybody_has_a_place_and_nobody_moves_up():
    season = waiting(0).season
    assert places_left(season) is None
    assert has_place(season, 5)
    assert moving_up(season) == ()


@pytest.mark.parametrize(("most", "left", "up"), [(1, 0, ()), (2, 0, ()), (3, 1, (3,)), (9, 7, (3, 4, 5))])
def test_places_go_by_the_order_of_sign_up(most: int, left: int, up: tuple[int, ...]):
    season = waiting(most).season
    assert places_left(season) == left
    assert moving_up(season) == up
    assert [player for player in (3, 4, 5) if has_place(season, player)] == list(up)


def test_where_places_are_confirmed_those_who_are_ready_get_them():
    diary = waiting(3, confirm_hours=12)
    assert moving_up(diary.season) == ()
    diary.note(CheckedIn(5, 1))
    assert moving_up(diary.season) == (), "the place is kept for the first one"
    assert moving_up(diary.season, at_the_draw=True) == (5,)
    diary.note(CheckedIn(3, 1))
    assert moving_up(diary.season) == moving_up(diary.season, at_the_draw=True) == (3,)


def test_nobody_moves_up_after_the_first_draw():
    diary = waiting(3)
    diary.draw()
    assert moving_up(diary.season, at_the_draw=True) == ()
    diary.note(MemberSet(2, "removed", "confirmed"))
    assert places_left(diary.season) == 2
    diary.note(Confirmed(3))
    assert places_left(diary.season) == 1


@pytest.mark.parametrize(
    ("role", "roles", "why"),
    [(0, frozenset({1}), None), (7, frozenset({1}), "role"), (7, frozenset({7}), None)],
)
def test_a_role_lets_in(role: int, roles: frozenset[int], why: str | None):
    settings = default_settings("pods").with_options(role=role, account_days=0, server_days=0)
    assert refusal(Candidate(0, 0, roles=roles), settings, 1) == why


def test_numbers_of_a_season_that_has_begun_change_and_come_back():
    diary = Diary(players=4)
    diary.round()
    before = diary.season
    longer = before.settings.with_options(round_days=9)
    diary.note(NumbersChanged(longer, before.settings, "fast", "normal"))
    assert diary.season.settings == longer
    assert diary.season.opened_at == before.opened_at
    event = inverse(diary.entries[-1].event)
    assert event == NumbersChanged(before.settings, longer, "normal", "fast")
    diary.note(event)
    assert diary.season == before
    assert fold(reversed(diary.entries)) == before


def test_what_differs_is_named_and_only_numbers_that_there_are_can_change_later():
    settings = default_settings("pods")
    other = settings.with_options(rounds=3, role=5)
    assert set(other.differing(settings)) == {"rounds", "role"}
    assert settings.differing(settings) == ()
    assert set(SeasonSettings.model_fields) > CHANGED_LATER
    assert not CHANGED_LATER & {"absence_points", "cut", "bonus", "best_rounds", "carry_over", "stays_from"}
