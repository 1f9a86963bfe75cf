"""Which computer plays a seat."""

import pytest

from bot.table.computers import PLAYERS, STAND_IN, player_of
from data.preferences import Level
from data.values import SeatRow


@pytest.mark.parametrize("level", Level)
def test_a_computer_plays_at_its_level(level: Level):
    assert player_of(SeatRow(1, 0, None, "Sagarmatha", level)) is PLAYERS[level]


def test_levels_play_differently():
    assert len(set(PLAYERS.values())) == len(Level)


@pytest.mark.parametrize(
    "seat",
    [
        SeatRow(1, 0, 5, "Asha", away=True),
        SeatRow(1, 0, 5, "Asha", left=True),
        SeatRow(1, 0, None, "Sagarmatha", "a level of the past"),
    ],
)
def test_the_stand_in_plays_for_people_and_for_levels_that_are_no_more(seat: SeatRow):
    assert player_of(seat) is PLAYERS[STAND_IN]
