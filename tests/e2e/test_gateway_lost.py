"""A gateway that is away for good: the process ends so that another one can begin anew, and nobody loses time by it."""

from data.transaction import ReadTransaction
from tests.e2e.players import HAND, START, open_table
from tests.e2e.running import MovableClock
from tests.waiting import until

HOUR = 3_600


async def test_a_bot_that_ends_while_nobody_reaches_it_credits_all_of_that_time(discord, start_bot):
    clock = MovableClock()
    first = await start_bot(clock=clock)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await asha.press(HAND, message=table)
    before = await turn_ends(first)
    await first.bot.services.outages.note_alive()
    first.bot.services.outages.began(0)
    clock.forward(HOUR)
    await first.bot.services.outages.note_alive()  # as it does every few seconds
    await first.stop()
    second = await start_bot(clock=clock)
    await until(lambda: second.bot.is_ready())
    assert await turn_ends(second) >= before + (HOUR - 60) * 1_000


async def turn_ends(running) -> int:
    """When the soonest deadline of the table comes."""

    async def read(db: ReadTransaction) -> int:
        return min(row.due_at for row in await db.deadlines.of_table(1))

    return await running.store.read(read)
