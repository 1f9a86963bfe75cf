"""What a season will be like, before it is drawn."""

import pytest

from league.pairing.drawing import Forecast, forecast
from league.settings import default_settings


@pytest.mark.parametrize(
    ("name", "players", "found"),
    [
        ("pods", 3, Forecast(3, 0, 1, 7, 0)),
        ("pods", 10, Forecast(10, 0, 3, 7, 0)),
        ("swiss", 8, Forecast(8, 0, 2, 6, 0)),
        ("divisions", 16, Forecast(16, 2, 4, 7, 0)),
        ("divisions", 6, Forecast(6, 1, 2, 7, 0)),
    ],
)
def test_the_size_of_a_season_in_which_everybody_plays(name: str, players: int, found: Forecast):
    assert forecast(default_settings(name), players) == found


def test_finals_are_as_large_as_they_may_be():
    with_finals = default_settings("pods").with_options(cut_to=8)
    assert [forecast(with_finals, players).finalists for players in (3, 4, 7, 8, 99)] == [0, 4, 4, 8, 8]


@pytest.mark.parametrize(("name", "players"), [("pods", 2), ("divisions", 5), ("ladder", 50)])
def test_too_few_players_and_a_ladder_make_no_forecast(name: str, players: int):
    assert forecast(default_settings(name), players) is None
