"""Whole seasons over the wire, with the clock driven forward. `make season` plays the large ones."""

import csv
import json
import os
from collections import Counter
from io import StringIO
from itertools import combinations

import pytest

from league.season import Season
from tests.bot.league.house import start_anyhow
from tests.e2e.players import say
from tests.e2e.running import MovableClock
from tests.e2e.seasons import DAY, IN, JOIN, NEXT, SIT_DOWN, Circle

large = pytest.mark.skipif("SEASON" not in os.environ, reason="`make season` plays it: it takes minutes")
ENACT = say("league.enact")


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("bot.table.flow.beginning.start", start_anyhow)


async def gather(discord, start_bot, clock, people: int) -> Circle:
    names = ["asha", *(f"guest{number}" for number in range(2, people + 1))]
    return Circle(await start_bot(clock=clock), clock, [discord.person(name) for name in names])


def repeats(season: Season) -> int:
    """How many pairs have met in an earlier ordinary round already, once for each time."""
    met = Counter(
        pair for pod in season.pods.values() if not pod.stage for pair in combinations(sorted(pod.drawn), 2)
    )
    return sum(times - 1 for times in met.values())


async def test_a_small_season_with_an_absence_and_a_final(discord, start_bot, clock):
    circle = await gather(discord, start_bot, clock, 5)
    last = circle.people[-1]
    await circle.open("Spring", "2, 2, 3", confirm_hours=24, cut_to=4, final_matches=1, tables="channel")
    assert set(await circle.press(JOIN, "Sign up until", circle.people)) == {say("league.signed_up")}
    assert await circle.press(JOIN, "Sign up until", circle.people[:1]) == [say("league.already_in")]
    await circle.until(lambda seen: seen.row.starts_at - DAY)
    assert await last.wait_for(lambda: any("Are you in?" in message.text for message in last.dm()))
    told = await circle.press(IN, "## Spring starts", circle.people)
    assert set(told) == {say("league.checked_in")}
    await circle.draw(1)
    assert "you play against" in (await circle.press(NEXT, "Play your match until", [last]))[0]
    stranger, table = discord.person("ekta"), await circle.sees("A league's match")
    assert "belongs to a league" in (await stranger.press(SIT_DOWN, message=table)).message.text
    await circle.play_round(1)
    standings = (await last.slash("league standings")).message
    assert standings.ephemeral
    assert "5 deals" in standings.text
    assert "▶" in standings.text
    board = (await last.slash("leaderboard", league="Spring")).message.text
    assert board.partition("worked out")[0] == standings.text.partition("worked out")[0]
    await circle.until(lambda seen: seen.row.starts_at + DAY)
    await circle.press(IN, "## Spring · round 2 of 2", circle.people[:-1])
    await circle.draw(2)
    assert "Not there this time: Guest5" in (await circle.sees("## Spring · round 2 of 2\nPlay")).text
    await circle.play_round(2)
    seen = await circle.view()
    assert len(seen.season.absences) == 1
    final = next(pod for pod in seen.season.pods.values() if pod.stage)
    assert set(final.players) == {row.row.player for row in seen.standings().rows if row.row.zone == "final"}
    await circle.sees("## Spring · the final table")
    await circle.play_round(3)
    over = await circle.sees("Spring is over")
    seen = await circle.view()
    assert seen.plain_name(seen.champion() or 0) in over.text
    await circle.check()
    await takes_along(circle)


async def takes_along(circle: Circle) -> None:
    """The staff, and nobody else, get everything of the season as files."""
    answer = (await circle.staff.slash("league-staff season export")).message
    assert answer.ephemeral
    files = {file.filename: file.content.decode("utf-8-sig") for file in answer.files}
    sheets = {f"{name}.{kind}" for name in ("results", "standings", "deals") for kind in ("csv", "json")}
    assert set(files) == sheets | {"season.html", "calendar.ics"}
    assert files["calendar.ics"].count("BEGIN:VEVENT") == 4  # two draws, the end, and that of the final
    seen = await circle.view()
    rows = json.loads(files["standings.json"])
    assert [row["player"] for row in rows] == [row.row.player for row in seen.standings().rows]
    points = [row["points"] for row in csv.DictReader(StringIO(files["standings.csv"]))]
    assert list(map(float, points)) == [row.row.points / 100 for row in seen.standings().rows]
    assert len(json.loads(files["deals.json"])) == sum(
        len(pod.result.deals) * len(pod.players) for pod in seen.season.pods.values() if pod.result
    )
    assert all(seen.plain_name(player) in files["season.html"] for player in seen.season.members)
    refused = (await circle.people[1].slash("league-staff season export")).message
    assert "Only this server's staff" in refused.text
    assert not refused.files


@large
async def test_twenty_four_people_six_rounds_and_finals(discord, start_bot, clock):
    circle = await gather(discord, start_bot, clock, 24)
    await circle.open("Autumn", "6, 2, 3", confirm_hours=24, cut_to=8, final_matches=1)
    await circle.press(JOIN, "Sign up until", circle.people)
    await circle.until(lambda seen: seen.row.starts_at - DAY)
    await circle.press(IN, "## Autumn starts", circle.people)
    gone = circle.people[-1]
    for number in range(1, 7):
        if number > 1:
            await circle.until(lambda seen, current=number: seen.row.starts_at + (2 * current - 3) * DAY)
            absent = {circle.people[number], circle.people[number + 1]} | ({gone} if number > 3 else set())
            there = [person for person in circle.people if person not in absent]
            await circle.press(IN, f"## Autumn · round {number} of 6", there)
        await circle.draw(number)
        await circle.play_round(number)
        await circle.check()
        if number == 3:
            [told] = await circle.leave("## Autumn\n", [gone])
            assert told == say("league.withdrawn")
            await correct(circle, pod=1)
    seen = await circle.view()
    assert len(seen.season.absences) == 10
    print(f"24 people, 6 rounds: {len(seen.season.pods)} pods, {repeats(seen.season)} repeated meetings")
    for number, pods in ((7, 2), (8, 1)):
        assert len((await circle.view()).pods_of(number)) == pods
        await circle.play_round(number)
        await circle.check()
    seen = await circle.view()
    over = await circle.sees("Autumn is over")
    assert seen.plain_name(seen.champion() or 0) in over.text
    assert seen.row.closed_at is not None


async def correct(circle: Circle, pod: int) -> None:
    """The staff correct a result that was in order; the standings change, and everybody may read why."""
    before = await circle.view()
    players = len(before.season.pods[pod].players)
    points = " ".join(map(str, [10 * (players - 1), *[-10] * (players - 1)]))
    preview = await circle.staff.slash(
        "league-staff correct", pod=pod, deal=1, points=points, reason="typed wrongly"
    )
    answer = await circle.staff.press(ENACT, message=preview.message)
    assert "Done, and announced" in answer.message.text
    await circle.rest()
    assert "typed wrongly" in (await circle.sees("**Ruling · ")).text
    assert (await circle.view()).standings() != before.standings()
    await circle.check()


@large
async def test_three_divisions_of_eight_go_up_and_down_into_the_next_season(discord, start_bot, clock):
    circle = await gather(discord, start_bot, clock, 24)
    await circle.open("Ladder", "3, 2, 3", "divisions", confirm_hours=0, rest_weeks=0)
    await circle.press(JOIN, "Sign up until", circle.people)
    for number in range(1, 4):
        await circle.draw(number)
        await circle.play_round(number)
        await circle.check()
    seen = await circle.view()
    assert seen.row.closed_at is not None
    zones = {
        row.row.player: (division, row.row.zone)
        for division in seen.divisions
        for row in seen.standings(division).rows
    }
    assert Counter(zones.values()) == {
        (1, None): 6,
        (1, "down"): 2,
        (2, "up"): 2,
        (2, None): 4,
        (2, "down"): 2,
        (3, "up"): 2,
        (3, None): 6,
    }
    answer = await circle.staff.slash("league-staff season next")
    assert "Ladder 2" in answer.message.text
    circle.season += 1
    await circle.press(JOIN, "## Ladder 2\n", circle.people)
    await circle.draw(1)
    now = (await circle.view()).season.members
    steps = {"up": -1, "down": 1, None: 0}
    assert {player: member.division for player, member in now.items()} == {
        player: division + steps[zone] for player, (division, zone) in zones.items()
    }


@large
async def test_forty_people_in_a_swiss(discord, start_bot, clock):
    circle = await gather(discord, start_bot, clock, 40)
    await circle.open("Swiss", "6, 2, 3", "swiss", confirm_hours=0)
    await circle.press(JOIN, "Sign up until", circle.people)
    for number in range(1, 7):
        if number > 1:
            await circle.until(lambda seen, current=number: seen.row.starts_at + (2 * current - 3) * DAY)
            await circle.press(IN, f"## Swiss · round {number} of 6", circle.people)
        await circle.draw(number)
        await circle.play_round(number)
        await circle.check()
    seen = await circle.view()
    assert seen.row.closed_at is not None
    assert all(row.row.matches == 6 for row in seen.standings().rows)
    assert [len(pod.players) for pod in seen.season.pods.values()] == [4] * 60
    print(f"40 people in a Swiss: {repeats(seen.season)} repeated meetings")
    assert repeats(seen.season) <= 12
    assert "Swiss is over" in (await circle.sees("Swiss is over")).text
