"""A whole season over the wire, with an absence and a final. `python -m tests.season` plays large ones."""

import csv
import json
from io import StringIO

import pytest

from tests.bot.league.house import start_anyhow
from tests.e2e.players import say
from tests.e2e.seasons import DAY, IN, JOIN, NEXT, SIT_DOWN, Circle


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("bot.table.flow.seating.start", start_anyhow)


async def gather(discord, start_bot, clock, people: int) -> Circle:
    names = ["asha", *(f"guest{number}" for number in range(2, people + 1))]
    return Circle(await start_bot(clock=clock), clock, [discord.person(name) for name in names])


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
    """Assert that only staff get everything of the season as files."""
    answer = (await circle.staff.slash("league-staff season export")).message
    assert answer.ephemeral
    files = {file.filename: file.content.decode("utf-8-sig") for file in answer.files}
    sheets = {f"{name}.{kind}" for name in ("results", "standings", "deals") for kind in ("csv", "json")}
    assert set(files) == sheets | {"season.html", "calendar.ics"}
    assert files["calendar.ics"].count("BEGIN:VEVENT") == 2  # two draws: it was over before its planned ends
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
