"""A store that fails: no message says that nothing was done if it was, or the reverse."""

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakSet

import pytest

from bot.errors import ChangedElsewhereError
from bot.table.core.repository import TableRepository
from bot.table.play import Play
from data.errors import StoreOutcomeUnknown, StoreUnavailableError
from data.sqlite import transactions
from data.store import Store
from tests.e2e.looking import facts, published
from tests.e2e.players import (
    DRAW,
    JOIN,
    MANAGE,
    TABLE_RULES,
    open_table,
    panel_in_dm,
    press_in_dm,
    press_tool,
    say,
    two_playing,
)
from tests.e2e.seasons import Circle
from tests.gates import BUSY_READERS, busy, hold_before

SAVED, BUSY = say("error.not_shown"), say("error.busy")


def forgive_workers(watch):
    """Ignore the errors that workers met meanwhile, because they retry."""
    watch.errors = [error for error in watch.errors if "failed" not in error and "unavailable" not in error]


@contextmanager
def fails_after_a_write(error: Exception) -> Iterator[None]:
    """Let every further access to the store or a table fail for an interaction once it has written something."""
    written = WeakSet[asyncio.Task[object]]()

    def failing(access):
        async def access_or_fail(*args, **options):
            if asyncio.current_task() in written:
                raise error
            return await access(*args, **options)

        return access_or_fail

    async def write(*args, **options):
        done = await first(*args, **options)
        task = asyncio.current_task()
        if task is not None and task.get_name().startswith("interaction "):
            written.add(task)
        return done

    with pytest.MonkeyPatch.context() as patch:
        first = failing(Store.write)
        patch.setattr(Store, "write", write)
        patch.setattr(Store, "read", failing(Store.read))
        patch.setattr(TableRepository, "get", failing(TableRepository.get))
        yield


each_error = pytest.mark.parametrize(
    ("error", "logged"),
    [
        (BUSY_READERS, None),
        (StoreUnavailableError("the disk of the test is full"), "store.unavailable"),
        (StoreOutcomeUnknown("the connection of the test is lost"), "store.outcome_unknown"),
    ],
    ids=["busy", "unavailable", "unknown"],
)


@each_error
async def test_a_move_that_is_stored_is_told_so_even_if_the_hand_cannot_be_shown(
    discord, bot, dull, watch, error, logged
):
    asha, bikram, table = await two_playing(discord)
    await published(bot)
    with fails_after_a_write(error):
        await press_in_dm(asha, DRAW)
        said = await asha.sees(SAVED, channel=asha.dm_channel)
        assert said.ephemeral
    if logged:
        watch.expect(logged)
    await bikram.wait_for(lambda: "**Asha** has drawn" in bikram.look(table).text)


async def test_a_move_that_is_stored_is_told_so_after_an_unexpected_error(discord, bot, dull, watch):
    asha, bikram, table = await two_playing(discord)
    await published(bot)
    with fails_after_a_write(KeyError("seat")):
        await press_in_dm(asha, DRAW)
        await asha.sees("what I did before that is saved", channel=asha.dm_channel)
    watch.expect("interaction.failed")
    await bikram.wait_for(lambda: "**Asha** has drawn" in bikram.look(table).text)


async def test_a_seat_that_is_taken_is_told_so_even_if_the_table_cannot_be_shown(discord, bot):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha)
    with fails_after_a_write(BUSY_READERS):
        await bikram.press(JOIN, message=table)
        assert (await bikram.sees(SAVED)).ephemeral
    await asha.wait_for(lambda: "Bikram" in asha.look(table).text)


async def test_a_table_that_is_open_is_told_so_even_if_it_cannot_be_shown(discord, bot):
    asha = discord.person("asha")
    with fails_after_a_write(BUSY_READERS):
        answer = await asha.slash("marriage play")
    assert SAVED in answer.message.text


async def test_a_table_that_is_open_is_told_so_even_if_its_deal_cannot_begin(discord, bot):
    asha = discord.person("asha")
    with fails_after_a_write(BUSY_READERS):
        answer = await asha.slash("marriage play", computers=3)
    assert SAVED in answer.message.text
    assert (await facts(bot)).table.status == "lobby"


async def test_a_table_that_another_process_changes_before_its_deal_is_told_to_be_open(
    discord, bot, monkeypatch
):
    """The command is tried again, and then its table is open already."""
    asha, tries = discord.person("asha"), list[int]()

    async def start(_play: Play, table_id: int, *_args: object, **_options: object) -> None:
        tries.append(table_id)
        raise ChangedElsewhereError

    monkeypatch.setattr(Play, "start", start)
    answer = await asha.slash("marriage play", computers=3)
    assert SAVED in answer.message.text
    assert len(tries) == 1


async def test_what_a_host_does_is_told_to_be_done_even_if_the_panel_cannot_be_shown(discord, bot):
    asha = discord.person("asha")
    panel = (await press_tool(asha, await open_table(asha), MANAGE)).message
    with fails_after_a_write(BUSY_READERS):
        await asha.choose(say("manage.computer"), ["steady"], message=panel)
        await asha.sees(SAVED)
    assert len((await facts(bot)).seats) == 2


async def test_rules_that_are_chosen_or_kept_are_told_so_even_if_they_cannot_be_shown(discord, bot):
    asha = discord.person("asha")
    table = await open_table(asha)
    panel = (await press_tool(asha, table, TABLE_RULES)).message
    deals = re.compile(r"mr1:pick-rule:\d+:\d+:deals$")
    for act in (
        lambda: asha.choose(deals, ["3"], message=panel),
        lambda: asha.press(say("button.save_mine"), message=panel),
    ):
        said = len(asha.messages())
        with fails_after_a_write(BUSY_READERS):
            await act()
            await asha.wait_for(lambda said=said: SAVED in asha.messages()[said:][-1].text)
    row = (await facts(bot)).table
    settings = await bot.bot.services.personal.settings(asha.id)
    assert row.options.deals == settings.house_rules.deals == 3


async def test_cards_that_are_grouped_are_told_to_be_saved_even_if_the_hand_cannot_be_shown(
    discord, bot, dull
):
    asha, _, _ = await two_playing(discord)
    await published(bot)
    panel = (await press_tool(asha, panel_in_dm(asha), say("button.group"))).message
    select = panel.select(say("hand.pin"))
    with fails_after_a_write(BUSY_READERS):
        await asha.choose(say("hand.pin"), select.values[:3], message=panel)
        await asha.sees(SAVED, channel=asha.dm_channel)
    assert await bot.store.read(lambda db: db.pins.of_table(1, 1))


async def test_a_deal_of_the_day_that_has_begun_is_told_so_even_if_it_cannot_be_shown(discord, bot):
    asha = discord.person("asha")
    with fails_after_a_write(BUSY_READERS):
        answer = await asha.slash("daily")
    assert SAVED in answer.message.text


async def test_a_score_that_is_entered_is_told_so_even_if_it_cannot_be_shown(discord, bot):
    asha = discord.person("asha")
    message = (await asha.slash("score new", players="Asha, Bina", preset="kathmandu")).message
    await asha.press(say("button.score_deal"), message=message)
    with fails_after_a_write(BUSY_READERS):
        await asha.submit({"winner": ["Asha"], "special": ["Asha: dead hand (foul)"]})
        await asha.sees(BUSY)  # only what was typed is kept
    await asha.press(say("button.score_deal"), message=message)
    with fails_after_a_write(BUSY_READERS):
        await asha.submit({"winner": ["Asha"], "maal": "Asha: 10\nBina: 2", "special": []})
        await asha.sees(SAVED)
    assert len(await bot.store.read(lambda db: db.score_sessions.entries(1))) == 1


async def test_a_ruling_that_cannot_be_previewed_is_not_told_to_be_saved_but_a_changed_number_is(
    discord, start_bot, clock
):
    asha = discord.person("asha")
    circle = Circle(await start_bot(clock=clock), clock, [asha])
    await circle.open("Autumn", "3, 7, 3")
    with fails_after_a_write(BUSY_READERS):
        preview = await asha.slash("league-staff pause", reason="as it was")
        number = await asha.slash("league-staff season settings", setting="rounds", value="4")
    assert BUSY in preview.message.text
    assert SAVED in number.message.text
    assert (await circle.view()).season.settings.rounds == 4


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


@pytest.mark.parametrize("has_seat", [False, True])
async def test_who_cannot_be_forgotten_now_is_told_that_it_is_done_later(discord, bot, monkeypatch, has_seat):
    asha = discord.person("asha")
    if has_seat:  # leaving it is stored before the store refuses
        await open_table(asha)
    else:
        await asha.slash("daily")
    policy = (await asha.slash("privacy")).message
    question = (await asha.press(say("privacy.forget"), message=policy)).message

    forgetting = bot.bot.services.forgetting
    with monkeypatch.context() as patch:
        patch.setattr(forgetting, "_erase", busy)
        answer = (await asha.press(say("privacy.yes"), message=question)).message
        assert say("privacy.put_off") in answer.text
    assert await forgetting.forget_again() == 1
