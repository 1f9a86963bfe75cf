"""A large arena over the wire, with people who do not come, who leave, and an outage; `make season` plays it.

The staff set it up with three presses, and nothing that happens in it needs them.
"""

import os
from random import Random

import pytest

from league.times import HOUR, MINUTE
from tests.bot.league.house import start_anyhow
from tests.e2e.players import say
from tests.e2e.running import MovableClock
from tests.e2e.seasons import IN, JOIN, Circle

pytestmark = pytest.mark.skipif("SEASON" not in os.environ, reason="`make season` plays it: it takes minutes")
ARENA = "Friday night arena"
PEOPLE = int(os.environ.get("PEOPLE", "64"))
"""How many come to the arena; fewer for a quicker look."""


class SlowClock(MovableClock):
    """An evening's rounds are minutes: a clock that runs at a twentieth, so that a busy machine makes nobody late."""

    def __init__(self) -> None:
        super().__init__()
        self._begun = super().now()

    def now(self) -> int:
        passed = super().now() - self._ahead_ms - self._begun
        return self._begun + passed // 20 + self._ahead_ms


@pytest.fixture
def clock() -> MovableClock:
    return SlowClock()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("bot.table.flow.beginning.start", start_anyhow)


async def test_an_arena_of_sixty_four_of_whom_a_fifth_do_not_come(discord, start_bot, clock):
    chance = Random(64)
    people = [discord.person("asha"), *(discord.person(f"guest{number}") for number in range(2, PEOPLE + 1))]
    circle = Circle(await start_bot(clock=clock), clock, people, season=1)
    shown = (await circle.staff.slash("league-staff season open")).message
    await circle.staff.press(say("wizard.open"), message=shown)
    for key in ("account_days", "server_days"):
        await circle.staff.slash("league-staff season settings", setting=key, value="0")
    await circle.press(JOIN, "Sign up until", people)
    await circle.until(lambda seen: seen.row.starts_at - HOUR // 2)
    await circle.press(IN, f"## {ARENA} starts", people)
    here = people
    for number in range(1, 7):
        await circle.draw(number)
        away = [person for person in here if chance.random() < 0.2]
        await circle.play_sitting(number, away)
        if number == 2:
            await circle.leave(f"## {ARENA}\n", people[-3:])
            here = people[:-3]
        if number == 3:
            outages = circle.running.bot.services.outages
            outages.began(0)
            circle.running.later(clock, 20 * MINUTE / 1000)
            await outages.ended(0)
        seen = await circle.view()
        back = circle.named({player for pod in seen.pods_of(number) for player in pod.missed}, seen)
        await circle.press(JOIN, f"## {ARENA}\n", [person for person in back if person in here])
        await circle.check()
    await circle.until(lambda seen: seen.row.starts_at + 3 * HOUR)
    await circle.check()
    seen = await circle.view()
    print(f"{PEOPLE} in an arena: {len(seen.season.pods)} matches, closed {seen.row.closed_at}")
    assert seen.row.closed_at is not None
    assert (await circle.sees(f"{ARENA} is over")).text
