"""Seasons of two hundred over the wire, with everything that goes wrong in life; `make season` plays them.

The staff open each with three presses, or two and a form, and run it with none; they only rule on disputes. In its midst the
clocks of the league's time zone are set forward or back.
"""

import os

import pytest

from bot.people import Person as Caller
from league.season import Pod
from league.templates import TEMPLATES, Template
from league.times import DAY, HOUR
from tests.bot.league.house import start_anyhow
from tests.e2e.players import say
from tests.e2e.rough import ZONE, RoughSeason, set_out
from tests.e2e.running import MovableClock
from tests.e2e.seasons import IN, JOIN
from tests.waiting import SLOW_DEADLINE, until

pytestmark = pytest.mark.skipif(
    "SEASON" not in os.environ, reason="`make season` plays them: each takes minutes"
)
PEOPLE = int(os.environ.get("PEOPLE", "200"))
NEWCOMERS = {"account_days": 0, "server_days": 0, "rotations": 1}
"""Everybody's account is new here, and a match is short."""
AWAY = 0.2
MISSING = ("missing", "other", "third", "fourth")


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("bot.table.flow.beginning.start", start_anyhow)


async def opened(
    discord, start_bot, clock, monkeypatch, name, days_before, format_="", people=PEOPLE, **numbers
):
    """A league of the template of this name, shortened; three presses open it, and everybody signs up."""
    template = TEMPLATES[name]
    monkeypatch.setitem(
        TEMPLATES,
        name,
        Template(name, format_ or template.format, {**template.numbers, **NEWCOMERS, **numbers}),
    )
    season = await set_out(discord, start_bot, clock, people, days_before)
    staff, servers = season.staff, season.running.bot.services.servers
    guild = discord.world.guild.id
    await servers.change(guild, Caller(staff.id, "Asha"), timezone=ZONE)
    shown = (await staff.slash("league-staff season open")).message
    shown = (await staff.choose(say("wizard.choose"), [say(f"template.{name}")], message=shown)).message
    await staff.press(say("wizard.open"), message=shown)
    told = await season.press_all(JOIN, "Sign up until", season.people)
    assert len(set(told)) == 1, set(told)
    return season


async def confirmed(season: RoughSeason) -> None:
    """Everybody who has signed up confirms, and the first round is drawn."""
    await season.until(lambda seen: seen.row.starts_at - DAY)
    if (await season.view()).season.settings.confirm_hours:
        await season.press_all(IN, " starts\nConfirm", season.playing)
    await season.draw(1)


async def check_in(season: RoughSeason, number: int, rounds: int) -> None:
    """Nine of ten check in for the round."""
    people = season.playing
    late = {person.id for person in season.some(people, 0.1)}
    there = [person for person in people if person.id not in late]
    await season.press_all(IN, f"round {number} of {rounds}\nWho plays", there)


async def ruled(season: RoughSeason, disputed: list[Pod]) -> None:
    """Staff enter the result of one match, and rule on another of which nobody but the first player knew."""
    entered, unplayed, *_ = disputed
    seen = await season.view()
    report = seen.season.pods[entered.id].report
    assert report is not None
    seats = len(report.result.players)
    deal = " ".join(map(str, (seats - 1, *[-1] * (seats - 1))))
    absent = [player for player in entered.players if player not in report.result.players]
    gone = [person.user for person in season.named(absent, seen)]
    missing = dict(zip(MISSING, gone, strict=False))
    await season.rule("enter", pod=entered.id, deals="; ".join([deal] * seats), **missing)
    away = [person.user for person in season.named(unplayed.players[1:], seen)]
    await season.rule("adjudicate", pod=unplayed.id, **dict(zip(MISSING, away, strict=False)))


async def told_well(season: RoughSeason, hours: list[int]) -> None:
    """The season is over, everything of it was sent and counted, and the staff had nothing to do.

    `hours` of the day at which each round was to be drawn, or to begin.
    """

    async def over():
        seen = await season.view()
        return None if seen.row.closed_at is None else seen

    seen = await until(over, SLOW_DEADLINE)
    assert not any(pod.report for pod in seen.season.pods.values() if not pod.over)
    rows = await season.recount()
    await season.check()
    begun = await season.beginnings()
    requests = season.discord.services.recorder.entries
    print(
        f"\n{len(season.people)} people, {len(seen.season.pods)} matches, {rows} rows recounted; rounds begun:"
    )
    print(*(f"{moment:%a %d %b %H:%M %Z}" for moment in begun), sep=", ")
    print(f"{len(requests)} requests, {len(season.refused())} of them refused")
    print(
        f"presses of the staff: {season.staff_presses()} to open it, and {season.rulings} rulings of two presses"
    )
    assert season.refused() == []
    assert season.staff_presses() == 3
    assert [moment.hour for moment in begun] == hours
    assert len({moment.utcoffset() for moment in begun}) == 2


async def test_two_hundred_in_pods(discord, start_bot, clock, monkeypatch):
    season = await opened(discord, start_bot, clock, monkeypatch, "pods", 14, rounds=3)
    await confirmed(season)
    disputed = await season.play_roughly(1, season.some(season.playing, AWAY), disputes=3)
    await ruled(season, disputed)
    await season.recount()
    await season.leave("Round **1** of 3", season.some(season.playing, 0.02))
    await season.until(lambda seen: seen.season.rounds[1].due - 20 * HOUR)
    await check_in(season, 2, 3)
    await season.draw(2)
    await season.recount()
    await season.leave("Round **2** of 3", season.some(season.playing, 0.02))
    await season.play_roughly(2, season.some(season.playing, AWAY), disputes=1)
    await season.until(lambda seen: seen.season.rounds[2].due - 20 * HOUR)
    await check_in(season, 3, 3)
    await season.until(lambda seen: seen.season.rounds[2].due - 2 * HOUR)
    await season.be_away(4)
    await season.draw(3)
    await season.recount()
    await season.play_roughly(3, season.some(season.playing, AWAY))
    await season.until(lambda seen: seen.season.rounds[3].due + 2 * DAY)
    await told_well(season, [19, 19, 19])


async def test_two_hundred_in_a_swiss(discord, start_bot, clock, monkeypatch):
    season = await opened(discord, start_bot, clock, monkeypatch, "pods", 14, format_="swiss", rounds=4)
    await confirmed(season)
    disputed = await season.play_roughly(1, season.some(season.playing, AWAY), disputes=3)
    await ruled(season, disputed)
    await season.recount()
    for number in (2, 3, 4):
        await season.leave(f"Round **{number - 1}** of 4", season.some(season.playing, 0.02))
        await season.until(lambda seen, current=number: seen.season.rounds[current - 1].due - 20 * HOUR)
        if number == 3:
            await season.be_away(1)
        await check_in(season, number, 4)
        await season.draw(number)
        await season.play_roughly(number, season.some(season.playing, AWAY), disputes=number == 4)
        await season.recount()
    await season.until(lambda seen: seen.season.rounds[4].due + 6 * DAY)
    await told_well(season, [19, 19, 20, 19])  # an hour of the check-in was lost


async def test_forty_divisions(discord, start_bot, clock, monkeypatch):
    season = await opened(
        discord, start_bot, clock, monkeypatch, "divisions", 16, division_size=5, rounds=3, round_days=4
    )
    await confirmed(season)
    assert len((await season.view()).divisions) == len(season.people) // 5
    for number in (1, 2, 3):
        disputed = await season.play_roughly(number, season.some(season.playing, AWAY), disputes=3)
        if number == 1:
            await ruled(season, disputed)
        await season.leave(f"Round **{number}** of 3", season.some(season.playing, 0.02))
        if number == 2:
            await season.until(lambda seen: seen.season.rounds[2].due - 2 * HOUR)
            await season.be_away(4)
        await season.until(lambda seen, current=number: seen.season.rounds[current].due)
        await season.recount()
    await season.until(lambda seen: seen.season.rounds[3].due + 6 * DAY)
    await told_well(season, [19, 19, 19])
