"""Whole deals over the wire, by people who press buttons and type commands."""

import asyncio
import re

import pytest

from data.transaction import ReadTransaction
from marriage.apply import replay
from marriage.cards import sort_cards
from marriage.events import Finished
from marriage.shuffle import DealSeed, commitment
from tests.e2e.looking import SEAL, shuffles
from tests.e2e.players import (
    CLOSE,
    CUT,
    DISCARD,
    DRAW,
    EXPOSE_ONE,
    FINISH,
    HAND,
    NEXT,
    PATIENCE,
    SHOW,
    START,
    act,
    is_asked,
    is_over,
    open_table,
    panel_in_dm,
    play_by_buttons,
    play_by_typing,
    press_tool,
    say,
)
from tests.e2e.running import MovableClock

SEED = re.compile(r"\*\*Deal (\d+)\*\*\n.*\n.*\nSeed: `([0-9a-f]{64})`")
TOTAL = re.compile(r"total ([+−]?\d+)")


def number(text: str) -> int:
    return int(text.replace("−", "-"))


@pytest.mark.shuffled
async def test_one_person_plays_deals_against_computers_by_buttons(discord, bot):
    asha = discord.person("asha")
    table = await open_table(asha, computers=2)
    seals = SEAL.findall(await shuffles(asha, table))
    await asha.press(START, message=table)
    for deal_no in (1, 2):
        await play_by_buttons(asha)
        sheet = await asha.wait_for(
            lambda: asha.look(table) if asha.look(table).button(NEXT) else None, PATIENCE
        )

        async def read(db: ReadTransaction):
            results = await db.deals.results(1)
            now = await db.tables.get(1)
            deal = await db.deals.get(1, deal_no)
            events = await db.deals.events(1, deal_no)
            return results, now, deal, events

        results, now, deal, events = await bot.store.read(read)
        assert (now.status, now.dealer, now.deal_no) == ("between", deal_no, deal_no)
        assert [row.deal_no for row in results] == sorted([*range(1, deal_no + 1)] * 3)
        assert sum(row.net for row in results if row.deal_no == deal_no) == 0
        totals = [sum(row.net for row in results if row.seat == seat) for seat in range(3)]
        assert [*map(number, TOTAL.findall(sheet.files[0].alt))] == totals

        told = await shuffles(asha, sheet)
        shown_no, seed = SEED.search(told).groups()
        assert (int(shown_no), seed) == (deal_no, deal.seed.hex())
        assert commitment(bytes.fromhex(seed), "1", deal_no, deal.rules.deck_size) == seals[-1]
        deck = DealSeed(bytes.fromhex(seed), "1", deal_no, tuple(deal.entropy)).deck(deal.rules)
        order = deal.rules.playing_order(3, deal.dealer)
        hands = [sort_cards(deck[21 * place :][:21]) for place in range(3)]
        assert hands == [events[0].hands[seat] for seat in order]
        assert deck[63:] == (events[0].up_card, *events[0].stock)
        seals.append(SEAL.findall(told)[-1])
        assert seals[-1] not in seals[:-1]
        if deal_no == 1:
            await asha.press(NEXT, message=table)
            await asha.wait_for(lambda: not is_over(panel_in_dm(asha)))
    await press_tool(asha, table, CLOSE)
    closed = await asha.sees("This table is closed after 2 deals")
    assert closed.id == table.id
    assert [button.label for button in closed.buttons] == [
        say("button.replay"),
        say("button.analyse"),
        "Fair shuffle",
    ]


async def test_two_people_play_one_by_buttons_and_one_by_typing(discord, start_bot, arrange):
    clock = MovableClock()
    bot = await start_bot(clock=clock, tunnela_window_s=20)
    arrange(
        "6H 6H 6H 3S 4S 5S 9D 10D JD 7C 8C 9C 2D 3D 4D QS KS 5C JH QH 2C",
        "2H 3H 4H 5D 6D 7D 9S 10S AH AC AD KC KC 4S 10C 3C 5C 9H 9H QD JC",
        stock="2S 8H JS KH 2S AS",
        number=2,
    )
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asha.wait_for(lambda: is_asked(panel_in_dm(asha)))
    exposed = await act(asha, panel_in_dm(asha))
    bot.later(clock, 61)
    pressed, typed = await asyncio.gather(play_by_buttons(asha), play_by_typing(bikram, table))

    assert exposed.what == EXPOSE_ONE
    assert [move.what for move in pressed] == [DRAW, SHOW, CUT, DISCARD, DRAW, DISCARD, DRAW, FINISH]
    assert [move.what for move in typed] == [DRAW, DISCARD, DRAW, SHOW, DISCARD, DRAW, DISCARD]
    assert not any("I did nothing" in move.panel.text for move in [*pressed, *typed])
    assert all(move.panel.ephemeral for move in typed)

    async def read(db: ReadTransaction):
        events = await db.deals.events(1, 1)
        results = await db.deals.results(1)
        return events, results

    events, results = await bot.store.read(read)
    assert isinstance(events[-2], Finished)
    assert replay(events).sheet.winner == 0
    assert [row.winner for row in results] == [True, False]
    assert sum(row.net for row in results) == 0
    sheet = await bikram.sees("**Asha** won deal 1", timeout=PATIENCE)
    assert sheet.id == table.id
    assert sheet.button(HAND)
