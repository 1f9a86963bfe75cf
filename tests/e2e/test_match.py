"""A match over the wire: its deals, its ledger, its end, and the rematch."""

import asyncio
import re

import pytest

from bot.table.core.table import ledger_of
from data.transaction import ReadTransaction
from marriage.scoring.settle_up import settle_up
from playground.person import Person
from playground.shown import Shown
from tests.e2e.forging import press_late
from tests.e2e.looking import facts
from tests.e2e.pacing import Timed
from tests.e2e.players import (
    CLOSE,
    MORE,
    NEXT,
    PATIENCE,
    START,
    open_table,
    play_by_buttons,
    press_tool,
    say,
    set_match,
    text_in_dm,
)
from tests.e2e.running import MovableClock
from tests.marriage.dealing import start_decided

REMATCH, LEDGER, END_MATCH = (say(f"button.{key}") for key in ("rematch", "ledger", "end_match"))
AGREE_MATCH = say("button.agree_match")
TOTAL = re.compile(r"^\*\*\d\*\* · (\w+)(?: \(bot\))? \*\*([+−]?\d+)\*\*", re.MULTILINE)
PAYS = re.compile(r"^(\w+)(?: \(bot\))? pays (\w+)(?: \(bot\))? \*\*(\d+)\*\*", re.MULTILINE)


@pytest.fixture(autouse=True)
def decided(monkeypatch):
    """Make Asha, in seat 0, win every deal in the first turn."""
    monkeypatch.setattr("bot.table.flow.seating.start", start_decided)


async def open_match(deals: int, *people: Person, computers: int = 0) -> Shown:
    """Open a table whose match of so many deals has just begun."""
    table = await open_table(*people, computers=computers)
    await set_match(people[0], table, deals)
    await people[0].press(START, message=table)
    return table


async def play(table: Shown, *people: Person) -> Shown:
    """Let these people play until the deal is over; the table's message afterwards."""
    await asyncio.gather(*map(play_by_buttons, people))
    shown = await people[0].wait_for(lambda: _ended(people[0].look(table)), PATIENCE)
    assert isinstance(shown, Shown)
    return shown


def _ended(shown: Shown) -> Shown | None:
    return shown if shown.button(NEXT) or shown.button(REMATCH) else None


async def next_deal(table: Shown, number: int, *people: Person) -> None:
    """Have all of them request the next deal, which gets this number at the table."""
    for person in people:
        await person.press(NEXT, message=table)
    await people[0].wait_for(
        lambda: all(f"Deal {number}" in text_in_dm(person) for person in people), PATIENCE
    )


def number(text: str) -> int:
    return int(text.replace("−", "-"))


async def test_three_deals_a_leaver_a_restart_and_the_settle_up(discord, start_bot):
    asha, bikram, chandra = people = [discord.person(name) for name in ("asha", "bikram", "chandra")]
    bot = await start_bot()
    table = await open_match(3, *people, computers=1)
    await asha.wait_for(lambda: "Deal **1** of **3**" in asha.look(table).text)
    assert "So far" not in asha.look(table).text
    first = await play(table, *people)
    assert "So far: Asha **+" in first.text
    assert not (await asha.press(MORE, message=first)).message.button(CLOSE)

    await next_deal(table, 2, *people)
    assert "Deal **2** of **3**" in asha.look(table).text
    assert "its points count for you" not in asha.look(table).text
    await chandra.slash("marriage leave")
    await play(table, asha, bikram)
    ledger = (await chandra.press(LEDGER, message=table)).message
    assert ledger.ephemeral
    assert "Chandra **−" in ledger.text
    assert "has left" in ledger.text

    await bot.stop()
    bot = await start_bot()
    await next_deal(table, 3, asha, bikram)
    over = await play(table, asha, bikram)
    for words in ("The match is over · 3 of 3 deals played", "Final standing", "To settle up", "Chandra"):
        assert words in over.text
    assert over.button(NEXT) is None

    async def read(db: ReadTransaction):
        results, match = await db.deals.results(1), await db.matches.latest(1)
        deals = [await db.deals.get(1, played) for played in (1, 2, 3)]
        return results, match, deals

    results, match, deals = await bot.store.read(read)
    assert [(deal.match_no, deal.match_deal) for deal in deals] == [(1, 1), (1, 2), (1, 3)]
    assert (match.deals, match.ended) == (3, "played")
    assert [sum(row.deal_no == played for row in results) for played in (1, 2, 3)] == [4, 4, 3]
    accounts = ledger_of(results).accounts
    assert {name: number(total) for name, total in TOTAL.findall(over.text)} == {
        account.name: account.total for account in accounts
    }
    nets = {account.name: account.total for account in accounts}
    payments = PAYS.findall(over.text)
    assert len(payments) == len(settle_up(list(nets.values())))
    for debtor, creditor, points in payments:
        nets[debtor] += int(points)
        nets[creditor] -= int(points)
    assert set(nets.values()) == {0}
    told = (await bikram.press(LEDGER, message=over)).message.text
    assert TOTAL.findall(told) == TOTAL.findall(over.text)
    assert told.count("deal by deal:") == 4


async def test_after_the_last_deal_nobody_starts_another_of_that_match(discord, bot):
    asha, bikram = people = discord.person("asha"), discord.person("bikram")
    table = await open_match(1, *people)
    old = f"mr1:next:1:{(await facts(bot)).table.revision}"
    over = await play(table, *people)
    before = await facts(bot)
    revision = before.table.revision
    for forged in (old, f"mr1:next:1:{revision}", f"mr1:next:1:{revision + 7}", f"mr1:start:1:{revision}"):
        await press_late(asha, over, forged)
    assert asha.find("The match is over: all its deals are played")
    assert await facts(bot) == before
    stranger = discord.person("devi")
    assert "You have no seat at table 1" in (await stranger.press(REMATCH, message=over)).message.text
    assert "The match is over" in (await stranger.press(LEDGER, message=over)).message.text
    await press_tool(bikram, table, CLOSE)
    closed = await asha.wait_for(lambda: _shows(asha.look(table), "This table is closed"))
    assert "The match is over · 1 of 1 deal played" in closed.text
    assert PAYS.search(closed.text)


def _shows(shown: Shown, words: str) -> Shown | None:
    return shown if words in shown.text else None


async def test_a_rematch_of_two_of_three(discord, start_bot):
    clock = MovableClock()
    bot = await start_bot(clock=clock)
    asha, bikram, chandra = people = [discord.person(name) for name in ("asha", "bikram", "chandra")]
    table = await open_match(1, *people, computers=1)
    at = Timed(discord, bot, clock, tuple(people), table)
    over = await play(table, *people)
    old = over.button(REMATCH).custom_id
    await chandra.press(REMATCH, message=table)
    await at.shows("These players want a rematch: Chandra.")
    await asha.press(REMATCH, message=table)
    await asha.press(REMATCH, message=table)
    assert asha.find("You have already asked for a rematch")
    assert (await facts(bot)).table.status == "between"
    at.later(61)
    await at.shows("Match **2** · deal **1** of **1**")
    after = await facts(bot)
    assert [seat.name for seat in after.seats] == ["Asha", "Chandra", "Shanti"]
    assert after.table.dealer == 1  # Bikram would have dealt: Chandra is the next
    await press_late(chandra, at.people[0].look(table), old)
    assert chandra.find("A deal is in progress at this table")
    assert "Table 2" in (await bikram.slash("marriage play")).message.text

    second = await play(table, asha, chandra)
    before = await facts(bot)
    await press_late(chandra, second, old)
    assert chandra.find("moved on")
    assert await facts(bot) == before
    totals = {name for name, _ in TOTAL.findall(second.text)}
    assert totals == {"Asha", "Chandra", "Shanti"}  # each match has its own ledger


async def test_all_have_a_say_when_a_match_is_to_end_early(discord, bot):
    asha, bikram = people = discord.person("asha"), discord.person("bikram")
    table = await open_match(5, *people)
    await play(table, *people)
    revision = (await facts(bot)).table.revision
    await press_late(asha, table, f"mr1:close:1:{revision}")
    assert asha.find("This match is not over")
    assert "I have asked the others" in (await press_tool(asha, table, END_MATCH)).message.text
    vote = await bikram.wait_for(lambda: _shows(bikram.look(table), "would like to end the match here"))
    assert "The match is over" in (await bikram.press(AGREE_MATCH, message=vote)).message.text
    over = await asha.wait_for(lambda: _shows(asha.look(table), "The match is over · 1 of 5 deals played"))
    assert "Everybody present agreed to end it here" in over.text
    assert over.button(REMATCH)
    assert over.button(AGREE_MATCH) is None


async def test_without_a_number_of_deals_it_goes_on_until_the_table_closes(discord, bot):
    asha, bikram = people = discord.person("asha"), discord.person("bikram")
    table = await open_table(*people)
    await asha.press(START, message=table)
    await asha.wait_for(lambda: "Deal **1**\n" in asha.look(table).text)
    assert "there are no points" in (await asha.press(LEDGER, message=table)).message.text
    shown = await play(table, *people)
    assert "So far: Asha **+" in shown.text
    assert "no deal in progress" in (await asha.slash("marriage end")).message.text
    await press_tool(asha, table, CLOSE)
    closed = await bikram.wait_for(lambda: _shows(bikram.look(table), "This table is closed"))
    assert "Deals played: 1" in closed.text
    assert PAYS.search(closed.text)
