"""A short day of bots that are cut off between two steps; `python -m tests.crash.moments` has ten thousand ends."""

from functools import partial

import pytest

from bot.errors import UserError
from bot.table.play import Play
from data.repositories.messages import InteractionRepository
from league.statistics.stats import SeatFacts
from tests.crash.moments import play_day
from tests.games import copy_files

SEVERAL = 6


def test_whatever_step_a_bot_is_cut_off_at_nothing_acknowledged_is_lost():
    day = play_day(7, SEVERAL, small=True)
    assert day.broken == []
    assert day.kills >= SEVERAL / 2
    assert day.moves > 0
    assert day.events > 0


def test_the_same_number_cuts_at_the_same_moments():
    first, second = (play_day(5, 2, small=True) for _ in range(2))
    first.seconds = second.seconds = 0
    assert first == second


def test_a_file_that_loses_what_was_written_last_is_noticed(monkeypatch: pytest.MonkeyPatch):
    # The mark is left out, too, because the file would be refused with it.
    monkeypatch.setattr("tests.crash.in_process.copy_files", partial(copy_files, names=("",)))
    day = play_day(7, SEVERAL, small=True)
    assert any("is missing" in fault or "and was at" in fault for fault in day.broken)


def test_a_bot_that_refuses_every_move_is_noticed(monkeypatch: pytest.MonkeyPatch):
    async def refuse(*_: object) -> None:
        raise UserError("error.stale")

    monkeypatch.setattr(Play, "move", refuse)
    monkeypatch.setattr("tests.crash.storm.ENOUGH_ENDS", SEVERAL)
    day = play_day(7, SEVERAL, small=True)
    assert day.moves == 0
    assert any("moves were made" in fault for fault in day.broken)
    assert "nobody made a move at pair" in day.broken


def test_a_record_that_differs_from_the_result_of_its_deal_is_noticed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(
        "bot.history.stats.SeatFacts", lambda **facts: SeatFacts(**facts | {"net": 1 - facts["net"]})
    )
    day = play_day(7, SEVERAL, small=True)
    assert any("differs from its result" in fault for fault in day.broken)


def test_a_press_that_counts_twice_is_noticed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tests.crash.twice.SHARE", 1)
    monkeypatch.setattr(InteractionRepository, "record", InteractionRepository.keep)
    monkeypatch.setattr(
        "cogs.table.table_buttons.read_number", lambda *_: None
    )  # **Computer** adds one each time
    day = play_day(8, 1, small=False)
    assert any("counts twice" in fault for fault in day.broken)
