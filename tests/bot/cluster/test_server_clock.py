"""All processes use the clock of their common server."""

import time

import pytest

from bot.clock import ServerClock

pytestmark = pytest.mark.threads


class Machine:
    """The clocks of this machine and of a server that is ahead; the test moves them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ns = 5_000_000_000
        self.ahead_ms = 7_000
        self.takes_ms = 0
        monkeypatch.setattr(time, "monotonic_ns", lambda: self.ns)
        monkeypatch.setattr(time, "time_ns", lambda: self.ns)

    async def ask(self) -> int:
        self.ns += self.takes_ms * 500_000
        said = self.ns // 1_000_000 + self.ahead_ms
        self.ns += self.takes_ms * 500_000
        return said

    @property
    def server(self) -> int:
        return self.ns // 1_000_000 + self.ahead_ms


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


async def test_it_says_what_the_server_s_clock_says(machine: Machine):
    machine.takes_ms = 1_000
    clock = await ServerClock.begin(machine.ask)
    assert clock.now() == machine.server
    machine.ns += 60_000_000_000
    assert clock.now() == machine.server
    assert clock.follow() == 0


async def test_small_corrections_are_no_jump(machine: Machine):
    clock = await ServerClock.begin(machine.ask)
    machine.ahead_ms += 300
    await clock.measure()
    assert clock.follow() == 0
    assert clock.now() == machine.server


async def test_a_jump_is_told_once(machine: Machine):
    clock = await ServerClock.begin(machine.ask)
    machine.ahead_ms -= 60_000
    await clock.measure()
    assert (clock.follow(), clock.follow()) == (-60_000, 0)
    assert clock.now() == machine.server


async def test_an_answer_that_is_long_on_its_way_does_not_count(machine: Machine):
    clock = await ServerClock.begin(machine.ask)
    machine.ahead_ms += 90_000
    machine.takes_ms = 1_000
    await clock.measure()
    assert clock.follow() == 0
    machine.takes_ms = 100
    await clock.measure()
    assert clock.follow() == 90_000
