"""A gateway that is lost for good: the process ends so that another can start, and no one loses time."""

import asyncio

import pytest

from data.transaction import ReadTransaction
from playground.gateway.sockets import Connection
from playground.services import Sharding
from tests.e2e.players import (
    DRAW,
    HAND,
    START,
    discards,
    open_table,
    panel_in_dm,
    press_in_dm,
    two_playing,
)
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


async def test_time_that_was_lost_is_credited_before_discord_has_listed_the_servers(discord, start_bot):
    """People can press from the moment of connection. Their next turns must not last as long as the outage."""
    clock = MovableClock()
    first = await start_bot(clock=clock)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    before = await turn_ends(first)
    await first.stop()
    clock.forward(HOUR)
    second = await start_bot(clock=clock, guild_ready_timeout_s=60)
    assert not second.bot.is_ready()
    assert second.bot.services.outages.served.is_all
    assert await turn_ends(second) >= before + (HOUR - 60) * 1_000


async def turn_ends(running) -> int:
    """Return the time of the table's next deadline."""

    async def read(db: ReadTransaction) -> int:
        return min(row.due_at for row in await db.deadlines.of_table(1))

    return await running.store.read(read)


async def test_a_connection_that_falls_silent_is_left_and_the_session_resumed(
    discord, start_bot, dull, monkeypatch
):
    """The socket stays open, but nothing arrives any more, not even what confirms a heartbeat."""
    bot = await start_bot()
    asha, _, _ = await two_playing(discord)
    resumed = discord.gateway.resumed
    for connection in discord.gateway.connections:
        monkeypatch.setattr(connection, "send", lambda _frame: None)
    await until(lambda: discord.gateway.resumed > resumed, timeout=200)
    await until(lambda: not bot.bot.services.outages.concerns(0))
    await press_in_dm(asha, DRAW)
    await asha.wait_for(lambda: discards(panel_in_dm(asha)))


@pytest.mark.parametrize("size", [{"sharding": Sharding(shards=3)}])
async def test_a_shard_that_waits_for_another_to_connect_runs_no_clock(discord, bot, monkeypatch):
    """All connections are lost. The library connects one shard after another, and the first one gets no answer."""
    outages, answers, serve = bot.bot.services.outages, asyncio.Event(), Connection.serve

    async def serve_later(connection: Connection) -> None:
        await answers.wait()
        await serve(connection)

    monkeypatch.setattr(Connection, "serve", serve_later)
    discord.gateway.drop()
    await until(lambda: not outages.served.held, timeout=20)
    answers.set()
    await until(lambda: outages.served.is_all)


async def test_a_gateway_that_takes_no_session_up_again_is_given_up(discord, bot, monkeypatch, watch):
    """It accepts every connection and answers nothing there: the library would resume its session for ever."""
    asked: list[object] = []
    monkeypatch.setattr(Connection, "_resume", lambda _connection, body: asked.append(body))
    discord.gateway.drop()
    await bot.task
    assert bot.bot.is_cut_off
    assert len(asked) > 1
    watch.expect("gateway.given_up")
    await bot.store.close()
