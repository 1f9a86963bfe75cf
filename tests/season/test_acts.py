"""Random acts of players and staff in one season of each kind; `python -m tests.season.acts` plays hundreds."""

from typing import Any

import pytest

from bot.league import rounds
from bot.league.rounds import PodDeadlines, Rounds
from tests.gates import fail
from tests.season.acts.kinds import KINDS
from tests.season.acts.playing import play_season

FIRST = 7
NEAR = 40
SHORT = 30
"""The number of acts of a short season."""
pytestmark = pytest.mark.lot  # so that a number is the same season here and in the long run


@pytest.mark.parametrize("number", range(FIRST, FIRST + len(KINDS)))
def test_a_season_goes_on_and_ends_whatever_players_and_staff_do(
    number: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tests.season.acts.playing.ACTS", SHORT)
    season = play_season(number)
    assert season.broken == []
    assert season.done.total() > 0


def test_the_same_number_is_the_same_season(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tests.season.acts.playing.ACTS", 15)
    assert play_season(FIRST) == play_season(FIRST)


async def nothing(*_: object) -> None:
    """Stand in for work that is forgotten."""


async def nobody(*_: object) -> set[int]:
    """Stand in for a look at who sits at a table."""
    return set()


@pytest.mark.parametrize(
    ("first", "owner", "name", "instead", "fault"),
    [
        (11, PodDeadlines, "review", nothing, "still waits"),
        (11, PodDeadlines, "_unseat_others", nothing, "do not play there"),
        (3, rounds, "_seated", nobody, "sat ready at their table, and are booked as no-shows"),
        (19, Rounds, "_advance", nothing, "never ends"),
        (29, Rounds, "_next", fail, "KeyError"),
    ],
)
def test_a_broken_promise_is_noticed(
    first: int, owner: Any, name: str, instead: Any, fault: str, monkeypatch: pytest.MonkeyPatch
):
    """Each begins with the number of a season that needs what is broken; the next one with it is not far."""
    monkeypatch.setattr(owner, name, instead)
    assert any(fault in told for number in range(first, first + NEAR) for told in play_season(number).broken)
