"""A busy store: no message says that nothing was done if it was, or the reverse."""

import asyncio

from data.errors import StoreBusyError
from data.sqlite import transactions
from tests.e2e.looking import facts, published
from tests.e2e.players import (
    DRAW,
    JOIN,
    open_table,
    press_in_dm,
    two_playing,
)
from tests.gates import hold_before


def forgive_workers(watch):
    """Ignore the errors that workers met meanwhile, because they retry."""
    watch.errors = [error for error in watch.errors if "failed" not in error and "unavailable" not in error]


def cannot_be_shown_after(patch, services, owner, name):
    """Let the readers of the store be busy as soon as this action of a service is stored."""
    act = getattr(owner, name)

    async def refuse(*_table_ids):
        raise StoreBusyError("the readers of the test are busy")

    async def act_and_refuse(*args, **options):
        done = await act(*args, **options)
        patch.setattr(services.tables, "snapshot", refuse)
        return done

    patch.setattr(owner, name, act_and_refuse)


async def test_a_move_that_is_stored_is_told_so_even_if_the_hand_cannot_be_shown(
    discord, bot, dull, monkeypatch, watch
):
    asha, bikram, table = await two_playing(discord)
    await published(bot)
    services = bot.bot.services
    with monkeypatch.context() as patch:
        cannot_be_shown_after(patch, services, services.play, "move")
        await press_in_dm(asha, DRAW)
        said = await asha.sees("That is done and saved", channel=asha.dm_channel)
        assert said.ephemeral
    watch.expect("not_shown")
    forgive_workers(watch)
    await bikram.wait_for(lambda: "**Asha** has drawn" in bikram.look(table).text)


async def test_a_seat_that_is_taken_is_told_so_even_if_the_table_cannot_be_shown(
    discord, bot, monkeypatch, watch
):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha)
    services = bot.bot.services
    with monkeypatch.context() as patch:
        cannot_be_shown_after(patch, services, services.lobby, "join")
        await bikram.press(JOIN, message=table)
        assert (await bikram.sees("That is done and saved")).ephemeral
    watch.expect("not_shown")
    forgive_workers(watch)
    await asha.wait_for(lambda: "Bikram" in asha.look(table).text)


async def test_a_table_that_is_open_is_told_so_even_if_it_cannot_be_shown(discord, bot, monkeypatch, watch):
    asha = discord.person("asha")
    services = bot.bot.services
    with monkeypatch.context() as patch:
        cannot_be_shown_after(patch, services, services.lobby, "open")
        answer = await asha.slash("marriage play")
        assert "That is done and saved" in answer.message.text
    watch.expect("not_shown")
    forgive_workers(watch)


async def test_a_move_that_has_no_turn_at_the_store_is_told_that_nothing_was_done(
    discord, bot, dull, monkeypatch, watch
):
    asha, _, table = await two_playing(discord)
    await published(bot)
    before = await facts(bot)
    with monkeypatch.context() as patch:
        patch.setattr(transactions, "PATIENCE_S", 0.05)
        busy = hold_before(patch, bot.store._database.writer, "commit")  # as if others kept it busy
        somebody = asyncio.create_task(bot.store.write(lambda db: db.guilds.keep(9)))
        await busy.reached()
        await press_in_dm(asha, DRAW)
        said = await asha.sees("Too many people are playing right now", channel=asha.dm_channel)
        busy.open()
        await somebody
        assert said.ephemeral
        assert await facts(bot) == before
    forgive_workers(watch)
    await press_in_dm(asha, DRAW)
    await asha.wait_for(lambda: "**Asha** has drawn" in asha.look(table).text)
