"""Which computer plays a seat."""

import pytest

from bot.table.flow.computers import PLAYERS, STAND_IN, answer, player_of
from data.preferences import Level
from data.values import SeatRow
from marriage.actions import DeclineTunnelas, ExposeTunnelas
from marriage.rules import preset
from marriage.view import view
from tests.marriage.dealing import Script, arranged


@pytest.mark.parametrize("level", Level)
def test_a_computer_plays_at_its_level(level: Level):
    assert player_of(SeatRow(1, 0, None, "Sagarmatha", level)) is PLAYERS[level]


def test_levels_play_differently():
    assert len(set(PLAYERS.values())) == len(Level)


@pytest.mark.parametrize("window", ["before_first_draw", "own_first_draw"])
@pytest.mark.parametrize("who", [{"away": True}, {"left": True}, {}])
def test_the_computer_exposes_a_computers_tunnelas_and_never_those_of_a_person(window: str, who: dict):
    """They would lie open for good, and the person has said nothing."""
    state = Script(arranged("", "5H 5H 5H", rules=preset("pagat", tunnela_window=window))).state
    computer = SeatRow(1, 1, None, "Sagarmatha", Level.STEADY)
    assert isinstance(answer(computer, view(state, 1)), ExposeTunnelas)
    assert answer(SeatRow(1, 1, 5, "Asha", **who), view(state, 1)) == DeclineTunnelas()


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
