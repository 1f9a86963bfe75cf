"""Only events replayed after a lost connection can be late; no clock step drops a press."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from bot.interactions.receiver import LATEST_MS, RECENT, Lateness

BOOTED = 1_700_000_000.0


class Line:
    """A connection to Discord with the clocks on both ends, all in seconds."""

    def __init__(self) -> None:
        self.monotonic = 5_000.0
        self.discord = BOOTED
        self.replays = False
        self.lateness = Lateness(lambda _: self.replays, lambda: self.monotonic)

    def passes(self, seconds: float) -> None:
        self.monotonic += seconds
        self.discord += seconds

    def is_late(self, age: float = 0.05) -> bool:
        """Return whether a press of this age counts as late."""
        made = datetime.fromtimestamp(self.discord - age, tz=UTC)
        return self.lateness.is_late(SimpleNamespace(created_at=made))  # type: ignore[arg-type]

    def is_late_replayed(self, age: float) -> bool:
        self.replays = True
        try:
            return self.is_late(age)
        finally:
            self.replays = False


@pytest.fixture
def line():
    return Line()


@pytest.mark.parametrize("skew", [0, 3, -3, 600, -600, 10**8])
def test_a_prompt_press_is_in_time_whatever_the_skew(line, skew):
    line.discord += skew
    for _ in range(5):
        assert not line.is_late()
        line.passes(1)
    assert not line.is_late_replayed(2)
    assert line.is_late_replayed(3.5)


def test_a_replayed_press_is_late_once_its_time_is_over(line):
    assert not line.is_late(0)
    assert not line.is_late_replayed(LATEST_MS / 1000)
    assert line.is_late_replayed(LATEST_MS / 1000 + 0.01)
    assert not line.is_late_replayed(0.01)


def test_the_quickest_of_the_recent_presses_tells_the_difference_of_the_clocks(line):
    for age in (0.01, 2):
        assert not line.is_late(age)
    assert line.is_late_replayed(3.5)


def test_without_a_prompt_press_to_compare_with_it_is_answered(line):
    assert not line.is_late_replayed(60)


@pytest.mark.parametrize("step", [10, -10, 3_600, -3_600])
def test_a_step_of_either_clock_drops_no_press_and_is_followed(line, step):
    """Discord's clock is set, or a virtual machine was paused, which stops its monotonic clock."""
    for _ in range(100):
        assert not line.is_late()
        line.passes(1)
    line.discord += step
    for _ in range(RECENT):
        assert not line.is_late()
        line.passes(1)
    assert not line.is_late_replayed(1)
    assert line.is_late_replayed(4)


def test_a_slow_line_drops_nothing(line):
    assert not line.is_late()
    assert not line.is_late(20)


def test_a_drifting_clock_drops_nothing(line):
    for _ in range(600):
        assert not line.is_late()
        line.passes(60)
        line.discord += 0.02
        assert not line.is_late_replayed(2)
