"""Season settings: which ones are compatible, and what follows from them."""

import pytest
from pydantic import ValidationError

from league.formats import FORMATS
from league.points import BONUS, MICRO, MatchRules
from league.settings import SeasonSettings, default_settings


def test_matches_are_full_rotations():
    assert [default_settings("pods").deals(seats) for seats in (2, 3, 4, 5)] == [12, 9, 12, 15]
    assert default_settings("pods").with_options(rotations=2).deals(4) == 8


def test_shares_of_the_season():
    settings = default_settings("pods").with_options(rounds=7)
    assert [settings.stays(done) for done in (3, 4)] == [False, True]
    assert [settings.open_to_late(done) for done in (0, 3, 4)] == [True, True, False]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"best_rounds": 8, "rounds": 7}, "no more rounds"),
        ({"duplicate": True, "format": "swiss"}, "same boards"),
        (
            {"bonus": ((1000, -900), (10, 0, -10), (10, 3, -3, -10), (10, 5, 0, -5, -10))},
            "adds up to nothing",
        ),
        ({"bonus": ((10, -10), (-10, 0, 10), (10, 3, -3, -10), (10, 5, 0, -5, -10))}, "falls"),
        ({"bonus": ((10, -10),)}, "one list each"),
        ({"play_hours": (20, 20)}, "begin before they end"),
        ({"play_hours": (9, 25)}, "begin before they end"),
        ({"rounds": 0}, "greater than or equal to 1"),
        ({"colour": "red"}, "not permitted"),
    ],
)
def test_what_does_not_fit_is_refused(options, complaint):
    with pytest.raises(ValidationError, match=complaint):
        default_settings("pods").with_options(**options)


def test_every_choice_is_described():
    assert all(field.description for field in type(default_settings("pods")).model_fields.values())


def test_the_rules_of_a_match_follow_from_the_settings():
    settings = default_settings("pods").with_options(cut=250, placing_only=True)
    assert settings.match_rules(1900) == MatchRules(1900, 250 * MICRO // 100, tuple(BONUS.values()), True)
    assert not default_settings("pods").match_rules(1900).placing_only


@pytest.mark.parametrize(
    ("share", "rounds", "least"), [(50, 7, 4), (50, 8, 4), (0, 7, 0), (100, 7, 7), (1, 7, 1), (67, 3, 3)]
)
def test_whoever_is_ranked_was_there_for_a_share_of_the_rounds_rounded_up(
    share: int, rounds: int, least: int
):
    assert default_settings("pods").with_options(least_matches=share).least(rounds) == least


def test_who_withdraws_stays_in_the_table_from_exactly_the_share_on():
    settings = default_settings("pods").with_options(rounds=8, stays_from=25)
    assert [settings.stays(done) for done in (1, 2, 3)] == [False, True, True]
    assert not settings.with_options(rounds=3, stays_from=67).stays(2)


def test_a_season_of_minutes_is_one_sitting():
    assert [default_settings("pods").with_options(round_minutes=some).is_sitting for some in (0, 1)] == [
        False,
        True,
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_settings_are_stored_with_the_name_of_their_format_and_read_again(name: str):
    settings = default_settings(name)
    assert settings.format is FORMATS[name]
    assert settings.model_dump()["format"] == name
    assert SeasonSettings.model_validate_json(settings.model_dump_json()) == settings
    assert {key: getattr(settings, key) for key in FORMATS[name].defaults} == dict(FORMATS[name].defaults)


def test_settings_without_a_format_are_of_pods_and_an_unknown_one_is_refused():
    assert SeasonSettings.model_validate({}).format is FORMATS["pods"]
    assert SeasonSettings.model_validate({"format": FORMATS["swiss"]}).format is FORMATS["swiss"]
    with pytest.raises(ValidationError, match="no format"):
        SeasonSettings.model_validate({"format": "chess"})
    with pytest.raises(KeyError):
        default_settings("chess")


def test_missing_costs_more_in_a_new_season_than_in_one_opened_before():
    new, before = default_settings("pods"), SeasonSettings.model_validate({})
    assert (new.miss_from_mean, new.least_matches, new.absence_points) == (True, 50, -1500)
    assert (before.miss_from_mean, before.least_matches, before.absence_points) == (False, 0, -500)


def test_options_change_what_they_name_and_nothing_else():
    settings = default_settings("swiss").with_options(rounds=3)
    changed = settings.with_options(rotations=5)
    assert changed.differing(settings) == ("rotations",)
    assert changed.format is FORMATS["swiss"]


def test_the_format_answers_for_its_settings():
    settings = default_settings("pods").with_options(confirm_hours=0, rounds=4, late_entry=50, cut_to=8)
    assert [settings.checks_in(number) for number in (1, 2)] == [False, True]
    assert [settings.open_to_late(drawn) for drawn in (0, 1, 2)] == [True, True, False]
    assert [settings.finalists(players) for players in (3, 4, 8)] == [0, 4, 8]
