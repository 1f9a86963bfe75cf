"""Season settings: which ones are compatible."""

import pytest
from pydantic import ValidationError

from league.settings import default_settings


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
