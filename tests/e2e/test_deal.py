"""Whole deals over the wire, by people who press buttons and type commands."""

import re

from marriage.shuffle import commitment
from tests.e2e.players import HAND, NEXT, PATIENCE, START, open_table, play_by_buttons

SEAL = re.compile(r"Its seal is `([0-9a-f]{64})`")
SEED = re.compile(r"Seed of deal 1: `([0-9a-f]{64})`")


async def test_one_person_plays_deals_against_computers_by_buttons(discord, bot):
    asha = discord.person("asha")
    table = await open_table(asha, computers=2)
    seal = SEAL.search(table.text)[1]
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    sheet = await asha.wait_for(lambda: asha.look(table) if asha.look(table).button(NEXT) else None, PATIENCE)
    assert SEAL.search(sheet.text)[1] != seal

    async with bot.store.read() as reader:
        results = await reader.results(1)
        before = await reader.table(1)
        deal = await reader.deal(1, 1)
    assert len(results) == 3
    assert sum(row.net for row in results) == 0
    assert (before.status, before.dealer, before.deal_no) == ("between", 1, 1)
    assert SEED.search(sheet.text)[1] == deal.seed.hex()
    assert commitment(deal.seed, "1", 1, deal.rules.deck_size) == seal

    await asha.press(NEXT, message=table)
    await asha.press(HAND, message=table)
    async with bot.store.read() as reader:
        after = await reader.table(1)
    assert (after.status, after.deal_no) == ("playing", 2)
