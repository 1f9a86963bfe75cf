"""What one person may request in a second: a burst, then a steady rate. No one is remembered for long."""

import pytest

from bot.interactions.receiver import BURST_S, RateLimiter

RATE = 5
BURST = int(RATE * BURST_S)
ASHA, BIKRAM = 11, 12


class Watch:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        self.now = 5_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def share(watch: Watch) -> RateLimiter:
    return RateLimiter(RATE, watch)


def admitted(share: RateLimiter, watch: Watch, seconds: float, a_second: float, person: int = ASHA) -> int:
    """Return how many presses are served of a person who presses `a_second` times per second."""
    count = 0
    for _ in range(round(seconds * a_second)):
        count += share.admits(person)
        watch.now += 1 / a_second
    return count


def test_a_burst_is_served_and_no_more(share: RateLimiter):
    assert [share.admits(ASHA) for _ in range(BURST + 3)] == [True] * BURST + [False] * 3
    assert share.admits(BIKRAM)


@pytest.mark.parametrize("a_second", [30, 200])
def test_of_hammering_a_steady_share_is_served(share: RateLimiter, watch: Watch, a_second: float):
    assert BURST + 60 * RATE - 2 <= admitted(share, watch, 60, a_second) <= BURST + 60 * RATE + 1


@pytest.mark.parametrize("a_second", [0.5, 2, 4.9])
def test_a_human_pace_never_meets_it(share: RateLimiter, watch: Watch, a_second: float):
    assert admitted(share, watch, 600, a_second) == round(600 * a_second)


def test_a_turn_played_in_a_hurry_never_meets_it(share: RateLimiter, watch: Watch):
    """Draw, look, show, choose and discard within a second, repeatedly, while others take two seconds."""
    for _ in range(100):
        assert admitted(share, watch, 1, 8) == 8
        watch.now += 2


def test_waiting_gives_the_burst_back(share: RateLimiter, watch: Watch):
    admitted(share, watch, 10, 30)
    assert not share.admits(ASHA) or not share.admits(ASHA)
    watch.now += BURST_S
    assert [share.admits(ASHA) for _ in range(BURST + 1)] == [True] * BURST + [False]


def test_only_people_of_the_last_seconds_are_remembered(share: RateLimiter, watch: Watch):
    for person in range(10_000):
        share.admits(person)
        watch.now += 0.01
    assert len(share._full_at) <= 1 / RATE / 0.01 + 1
    watch.now += BURST_S
    share.admits(ASHA)
    assert list(share._full_at) == [ASHA]
