"""What the bot sends because of a press: its answer, and the updates that others see."""

from collections.abc import Sequence
from random import Random

import pytest

from data.preferences import Level
from playground.server import Playground
from tests.e2e.conftest import StartBot
from tests.load.crowd import Crowd
from tests.load.measuring import arrive
from tests.load.presses import Press, Presses
from tests.load.stages import USUAL
from tests.load.tables import Tables
from tests.load.traffic import counting
from tests.waiting import until

TABLES, SECONDS, WARM_S = 4, 60.0, 20.0
RATE = 0.5
"""Presses per second at each table."""
MOST_REQUESTS = 1.65
"""The most requests per press, including its answer."""
MOST_KB = 43.0


@pytest.mark.parametrize("at_table", [0, 100], ids=["by direct message", "at the table"])
async def test_a_press_sends_little(discord: Playground, start_bot: StartBot, at_table: int):
    await start_bot(**USUAL)
    presses, chance = Presses(discord.services), Random(7)
    seated = Tables(discord, presses, TABLES, at_table)
    crowd = Crowd(presses, seated, chance)
    await seated.open()
    await until(lambda: all(player.played for player in seated.players), timeout=300)
    await arrive(crowd.press, RATE * TABLES, WARM_S, chance)
    presses.all = []
    with counting(discord.services) as traffic:
        await arrive(crowd.press, RATE * TABLES, SECONDS, chance)
    made = len(presses.all)
    print(f"{made} presses, {_moves(presses.all)} of them moves", traffic.table(made), sep="\n")
    assert [press.fault for press in presses.all if press.fault] == []
    assert _moves(presses.all) > 0.45 * made
    assert traffic.requests.total() <= MOST_REQUESTS * made
    assert traffic.kb <= MOST_KB * made


def _moves(made: Sequence[Press]) -> int:
    return sum(press.aim.kind == "move" for press in made)


async def test_a_crowd_plays_against_computers_of_the_highest_level(discord: Playground, start_bot: StartBot):
    running = await start_bot(**USUAL)
    presses, chance = Presses(discord.services), Random(7)
    seated = Tables(discord, presses, 2, masters=True)
    await seated.open()
    await until(lambda: all(player.played for player in seated.players), timeout=300)
    await arrive(Crowd(presses, seated, chance).press, RATE * 2, WARM_S, chance)
    assert [press.fault for press in presses.all if press.fault] == []
    for number in (1, 2):
        seats = (await running.bot.services.tables.snapshot(number)).seats
        assert {seat.computer for seat in seats if seat.person_id is None} == {Level.MASTER}
