"""A deal that staff order to be replayed, over the wire: played at another table, shown, and taken back."""

import json

import pytest

from tests.bot.league.house import start_anyhow
from tests.e2e.players import say
from tests.e2e.seasons import JOIN, Circle
from tests.waiting import until

ENACT = say("league.enact")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr("bot.table.flow.seating.start", start_anyhow)


async def test_a_deal_is_played_again_and_that_is_taken_back(
    discord, start_bot, clock, tmp_path, monkeypatch
):
    monkeypatch.setattr("bot.history.season_pages.EVERY_S", 0.05)
    asha, bikram, *_ = people = [discord.person(name) for name in ("asha", "bikram", "chandra", "deepa")]
    circle = Circle(await start_bot(clock=clock, pages_path=tmp_path), clock, people)
    signup = await circle.open("Autumn", "3, 7, 3", confirm_hours=0, tables="channel", public_page="yes")
    for person in people:
        await person.press(JOIN, message=signup)
    await circle.draw(1)
    await circle.play_round(1)
    first = (await circle.view()).season.pods[1]

    page = tmp_path / "1" / "match-1.html"
    await until(page.exists)
    assert page.read_text().count("<h2>") == 4

    [standings] = [
        file
        for file in (await asha.slash("league-staff season export")).message.files
        if file.filename == "standings.json"
    ]
    rows = json.loads(standings.content.decode("utf-8-sig"))
    assert [row["deals_at_tables"] for row in rows] == [4] * 4
    assert sum(row["deals_seen"] for row in rows) >= 4  # a player who finishes has seen it

    preview = await asha.slash("league-staff replay", pod=1, deal=2, reason="a wrong card")
    assert "deal 2 of pod 1 is void and is played again" in preview.message.text
    await asha.press(ENACT, message=preview.message)
    await circle.rest()
    assert await circle.sees("is void and is played again")
    assert "deal 2 is played again" in (await bikram.slash("league pods")).message.text
    await circle.play_round(1)
    again = (await circle.view()).season.pods[1]
    assert again.over
    assert not again.void
    await until(lambda: page.read_text().count("<h2>") == 5)  # the void deal and its replacement
    log = (await bikram.slash("league log")).message.text
    assert "By the rules: deal 2 of pod 1 was played again" in log

    offered = await asha.autocomplete("league-staff undo", focused="number", number="", reason="x")
    order = next(choice for choice in offered if "is played again" in choice["name"])
    preview = await asha.slash("league-staff undo", number=order["value"], reason="it was right")
    assert "counts again as it did before" in preview.message.text
    await asha.press(ENACT, message=preview.message)
    await circle.rest()
    assert (await circle.view()).season.pods[1] == first
    await circle.check()
