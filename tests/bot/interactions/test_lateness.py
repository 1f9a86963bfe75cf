"""Late presses are told from prompt ones, whatever the difference between the clocks."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from bot.interactions.lateness import LATEST_MS, MEMORY_MS, Lateness


def pressed(at_ms: int):
    return SimpleNamespace(created_at=datetime.fromtimestamp(at_ms / 1000, tz=UTC))


@pytest.mark.parametrize("skew", [0, 3_000, -3_000, 60_000, -60_000])
def test_a_prompt_press_is_in_time_whatever_the_skew(clock, skew: int):
    lateness = Lateness(clock)
    for _ in range(5):
        assert not lateness.is_late(pressed(clock.now() - skew - 50))
        clock.forward(1_000)


def test_an_old_press_is_late_once_a_prompt_one_is_known(clock):
    lateness = Lateness(clock)
    assert not lateness.is_late(pressed(clock.now()))
    assert not lateness.is_late(pressed(clock.now() - LATEST_MS))
    assert lateness.is_late(pressed(clock.now() - LATEST_MS - 1))
    assert not lateness.is_late(pressed(clock.now() - 10))


def test_what_was_prompt_is_forgotten(clock):
    lateness = Lateness(clock)
    assert not lateness.is_late(pressed(clock.now()))
    clock.forward(MEMORY_MS + 1)
    assert not lateness.is_late(pressed(clock.now() - 10_000))
    assert not lateness.is_late(pressed(clock.now() - 12_000))
    assert lateness.is_late(pressed(clock.now() - 13_000))


def test_a_slowly_drifting_clock_drops_nothing(clock):
    lateness = Lateness(clock)
    for minute in range(600):
        assert not lateness.is_late(pressed(clock.now() - 20 * minute))
        clock.forward(60_000)


def test_memory_stays_small(clock):
    lateness = Lateness(clock)
    for step in range(10_000):
        lateness.is_late(pressed(clock.now() - step % 7))
        clock.forward(20)
    assert len(lateness._ages) <= 8
