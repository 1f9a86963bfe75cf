"""A small season with all that `make season` does to large ones: no-shows, quarrels, an outage, a change of the clocks."""

import pytest

from league.times import DAY, HOUR
from tests.bot.league.house import start_anyhow
from tests.e2e.running import MovableClock
from tests.e2e.test_two_hundred import check_in, confirmed, opened, ruled, told_well

PEOPLE = 12


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("bot.table.flow.beginning.start", start_anyhow)
    monkeypatch.setattr("bot.upkeep.HEARTBEAT_S", 0.1)


async def test_a_season_survives_what_people_and_machines_do(discord, start_bot, clock, monkeypatch):
    season = await opened(discord, start_bot, clock, monkeypatch, "pods", 14, people=PEOPLE, rounds=2)
    await confirmed(season)
    disputed = await season.play_roughly(1, season.people[:1], at_tables=0, disputes=3)
    await ruled(season, disputed)
    await season.recount()
    await season.leave("Round **1** of 2", season.people[-1:])
    await season.until(lambda seen: seen.season.rounds[1].due - 20 * HOUR)
    await check_in(season, 2, 2)
    await season.until(lambda seen: seen.season.rounds[1].due - 2 * HOUR)
    await season.be_away(4)
    await season.draw(2)
    await season.play_roughly(2, season.people[1:2], at_tables=1)
    await season.until(lambda seen: seen.season.rounds[2].due + 2 * DAY)
    await told_well(season, [19, 19])
