"""An evening over the wire: an uncle joins at deal 2, an aunt misses it, and the bot is restarted."""

import re
from dataclasses import replace
from typing import Any

import pytest

from marriage.events import Event
from marriage.rules import Rules
from marriage.shuffle import DealSeed
from playground.person import Person
from tests.e2e.forging import (
    button,
    forge,
    press_forged,
    press_late,
)
from tests.e2e.looking import published
from tests.e2e.players import (
    HAND,
    LEAVE_DEAL,
    MANAGE,
    MORE,
    NEXT,
    PATIENCE,
    QUIT,
    SIT,
    SIT_OUT,
    panel_in_dm,
    press_tool,
)
from tests.e2e.running import MovableClock
from tests.e2e.test_match import LEDGER, PAYS, TOTAL, next_deal, number, open_match, play
from tests.marriage.dealing import arranged, decided


def start_short(rules: Rules, players: int, dealer: int, key: DealSeed, **stakes: Any) -> list[Event]:
    """A replacement for `marriage.decide.start`: the first player to act wins the deal in that turn."""
    first = rules.playing_order(players, dealer)[0]
    dealt = arranged(*decided(players, first), dealer=dealer, rules=rules, number=key.deal)
    return [replace(dealt, **stakes)]


@pytest.fixture(autouse=True)
def short(monkeypatch):
    """Make every deal end in its first turn."""
    monkeypatch.setattr("bot.table.flow.seating.start", start_short)


async def dealt(person: Person, deal: int) -> None:
    """Wait until a player has got their cards of that deal."""

    def got() -> bool:
        panel = panel_in_dm(person)
        return panel is not None and f"Deal {deal}" in panel.text

    await person.wait_for(got, PATIENCE)


async def test_an_uncle_comes_and_an_aunt_misses_a_deal(discord, start_bot):
    asha, aunt, uncle = (discord.person(name) for name in ("asha", "bikram", "chandra"))
    clock, window_s = MovableClock(), 20
    bot = await start_bot(clock=clock, tunnela_window_s=window_s)
    table = await open_match(3, asha, aunt, computers=3)
    bot.later(clock, 3 * window_s)
    between = await play(table, asha, aunt)
    assert (
        "All 5 seats are taken, but **Kuber (bot)**, a computer, will make room. Press **Sit down**"
        in between.text
    )

    # An uncle watches, is told how to sit down, and does so.
    assert "**Sit down** there lets you join" in (await uncle.press(HAND, message=table)).message.text
    assert "🪑 a seat is free" in (await uncle.slash("marriage tables")).message.text
    come = (await press_tool(uncle, table, SIT)).message
    assert "You join table 1 from its next deal" in come.text
    await asha.wait_for(
        lambda: (
            "Joining from the next deal: **Chandra** (0). They replace Kuber (bot)" in asha.look(table).text
        )
    )
    for person, told in ((uncle, "You join table 1 from its next deal"), (asha, "You already have a seat")):
        assert not (await person.press(MORE, message=table)).message.button(SIT)
        assert told in (await press_forged(person, "mr1:sit:1:0")).text
    forged = forge(uncle, button("mr1:sit:99:0"))
    assert "no longer exists" in (await uncle.press("Forged", message=forged)).message.text

    panel = (await press_tool(asha, table, MANAGE)).message
    assert "Play has begun: people you invite may join the next deal" in panel.text
    assert panel.select(re.compile("mr1:pick-(kick|computer)")) is None

    # An aunt leaves to cook. No one waits for her, and nothing is lost when the bot restarts.
    await press_tool(aunt, table, SIT_OUT)
    await asha.wait_for(lambda: "Sitting out: **Bikram**" in asha.look(table).text)
    stale = f"mr1:sit-out:1:{(await bot.bot.services.tables.snapshot(1)).table.revision}"
    await bot.stop()
    bot = await start_bot(clock=clock, tunnela_window_s=window_s)
    await next_deal(table, 2, asha)
    await dealt(uncle, 2)
    assert "You are sitting out at table 1" in (await aunt.press(HAND, message=table)).message.text
    assert "You are sitting out at table 1" in (await aunt.press(QUIT, message=table)).message.text
    await press_late(uncle, table, stale)
    assert uncle.find("The next deal has just begun, and you are in it")
    ways = (await uncle.press(QUIT, message=table)).message
    assert ways.button(LEAVE_DEAL)
    assert (
        "From the next deal on you sit out at table 1"
        in (await press_tool(uncle, ways, SIT_OUT)).message.text
    )
    await asha.wait_for(lambda: "Sitting out after this deal: **Chandra**" in asha.look(table).text)
    await press_tool(uncle, table, SIT)
    await asha.wait_for(lambda: "Sitting out after this deal" not in asha.look(table).text)
    await press_tool(aunt, table, SIT)
    bot.later(clock, 3 * window_s)
    await play(table, asha, uncle)

    # The aunt is back, and the ledger shows it all.
    told = (await aunt.press(LEDGER, message=table)).message.text
    assert re.search(r"Chandra \*\*\S+\*\* · since deal 2\n-# deal by deal: – \S+\n", told)
    assert re.search(r"Bikram \*\*\S+\*\*\n-# deal by deal: \S+ –\n", told)
    assert "has left" not in told  # there was room for the computer without the aunt
    await next_deal(table, 3, asha, uncle)
    await dealt(aunt, 3)
    bot.later(clock, 3 * window_s)
    over = await play(table, asha, aunt, uncle)
    assert re.search(r"Kuber \(bot\) \*\*\S+\*\* · has left", over.text)
    nets = {name: number(total) for name, total in TOTAL.findall(over.text)}
    assert len(nets) == 6
    assert sum(nets.values()) == 0
    for debtor, creditor, points in PAYS.findall(over.text):
        nets[debtor] += int(points)
        nets[creditor] -= int(points)
    assert set(nets.values()) == {0}

    # The deal without the aunt is stored as it was played.
    assert over.button(NEXT) is None
    assert "2 deals" in (await aunt.slash("history")).message.text
    past = (await aunt.slash("marriage replay", table=1, deal=2)).message.text
    assert "Durga (bot) deals" in past  # it was the aunt's turn to deal
    await published(bot)
