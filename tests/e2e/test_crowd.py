"""Many simultaneous presses at one table."""

import asyncio
from collections import Counter

from data.transaction import ReadTransaction
from marriage.apply import replay
from marriage.invariants import check
from tests.e2e.looking import facts, published
from tests.e2e.players import (
    DRAW,
    HAND,
    JOIN,
    MORE,
    START,
    discards,
    next_panel,
    open_table,
    play_by_buttons,
    press_in_dm,
)

CROWD = 60


async def test_a_hundred_presses_at_once_leave_one_sound_table(discord, bot, dull):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    crowd = [discord.person(f"guest{number}") for number in range(CROWD)]
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await play_by_buttons(bikram, 2)
    panel = await next_panel(asha)
    before = await facts(bot)
    answers = await asyncio.gather(
        *[asha.press(DRAW, message=panel) for _ in range(20)],
        *[press_in_dm(bikram, MORE) for _ in range(10)],
        *[asha.press(HAND, message=table) for _ in range(10)],
        *[guest.press(HAND if number % 2 else MORE, message=table) for number, guest in enumerate(crowd)],
    )
    assert len(answers) == 100
    assert Counter(answer.interaction.state for answer in answers) == {"acknowledged": 100}
    await asha.wait_for(lambda: discards(asha.look(panel)))
    after = await facts(bot)
    assert len(after.events) == len(before.events) + 1
    assert after.table.revision == before.table.revision + 1
    check(replay(after.events))
    assert all(answer.message.ephemeral for answer in answers[30:])
    assert sum("Your hand" in answer.message.text for answer in answers[40:]) == 0
    await published(bot)
    assert "**Asha** has drawn" in asha.look(table).text


async def test_a_rush_to_one_table_fills_it_once(discord, bot):
    asha = discord.person("asha")
    table = await open_table(asha)
    crowd = [discord.person(f"guest{number}") for number in range(40)]
    answers = await asyncio.gather(*[guest.press(JOIN, message=table) for guest in crowd])
    assert {answer.interaction.state for answer in answers} == {"acknowledged"}
    seats = (await facts(bot)).seats
    assert len({seat.person_id for seat in seats}) == len(seats) == 5
    told = [guest for guest in crowd if guest.id not in {seat.person_id for seat in seats}]
    assert len(told) == 36
    for guest in told:
        await guest.sees("All 5 seats are taken")
    await published(bot)
    assert all(seat.name in asha.look(table).text for seat in seats)


async def test_tables_beside_each_other_do_not_mix(discord, bot, quick):
    pairs = [(discord.person(f"left{number}"), discord.person(f"right{number}")) for number in range(4)]
    tables = await asyncio.gather(*[open_table(*pair) for pair in pairs])
    await asyncio.gather(
        *[pair[0].press(START, message=table) for pair, table in zip(pairs, tables, strict=True)]
    )
    await asyncio.gather(*[play_by_buttons(person) for pair in pairs for person in pair])

    async def read(db: ReadTransaction):
        return [{row.name for row in await db.deals.results(number)} for number in (1, 2, 3, 4)]

    seated = await bot.store.read(read)
    assert sorted(map(sorted, seated)) == sorted(
        sorted(person.user.shown_name for person in pair) for pair in pairs
    )
