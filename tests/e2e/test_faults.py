"""Discord failing, forgetful or strict: lost messages, channels and permissions; failed or held requests."""

import asyncio

import discord as library
import pytest
from sqlalchemy import text

from bot.interactions.receiver import LATEST_MS
from data.errors import StoreDamagedError, StoreUnavailableError
from data.store import Store
from playground.person import NotAnsweredError
from tests.e2e.looking import facts, published
from tests.e2e.players import (
    DRAW,
    HAND,
    JOIN,
    NEXT,
    START,
    button_in_dm,
    discards,
    next_panel,
    open_table,
    panel_in_dm,
    play_by_buttons,
    press_in_dm,
    say,
    two_playing,
)
from tests.e2e.running import MovableClock
from tests.waiting import SLOW_DEADLINE, until

EDITS = r"/channels/\d+/messages/\d+$"
SENDS = r"/channels/\d+/messages$"


def tables(person):
    return [
        message
        for message in person.messages()
        if not message.ephemeral and "Marriage · Table" in message.text
    ]


async def test_a_deleted_table_message_is_posted_anew_once(discord, bot, dull):
    asha, bikram, table = await two_playing(discord)
    discord.world.delete_message(table.message)
    await press_in_dm(asha, DRAW)
    again = await bikram.sees("**Asha** has drawn and discards next")
    assert again.id != table.id
    await play_by_buttons(asha, 1)
    await bikram.wait_for(lambda: "**Bikram** draws next" in bikram.look(again).text)
    assert [table.id for table in tables(bikram)] == [again.id]
    panel = (await bikram.press(HAND, message=again)).message
    assert panel.button(DRAW)


async def test_in_a_deleted_channel_the_deal_goes_on_by_direct_message(discord, bot, quick):
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    await asha.press(START, message=table)
    await next_panel(bikram)
    place = table.message.channel
    discord.world.delete_channel(place)
    asha.go("general")
    await asyncio.gather(play_by_buttons(asha), play_by_buttons(bikram))
    await published(bot)
    after = await facts(bot)
    assert after.table.status == "between"
    panel = (await asha.slash("marriage hand")).message
    assert "The deal is over" in panel.text
    tried = [
        entry
        for entry in discord.recorder.entries
        if f"/channels/{place.id}/" in entry.path and entry.status == 404
    ]
    assert 1 <= len(tried) <= 2 * after.table.revision


async def test_a_lost_permission_stops_the_posting_not_the_game(discord, bot, dull):
    asha, _, table = await two_playing(discord)
    discord.world.deny("marriage", "VIEW_CHANNEL")
    await press_in_dm(asha, DRAW)
    await until(lambda: refused(discord, 403))
    assert (await facts(bot)).events[-1].event == "drew"
    discord.world.allow("marriage", "VIEW_CHANNEL")
    await play_by_buttons(asha, 1)
    await asha.wait_for(lambda: "**Bikram** draws next" in asha.look(table).text)
    assert len(refused(discord, 403)) <= 2


def refused(discord, status):
    return [entry for entry in discord.recorder.entries if entry.status == status]


async def put_off(bot, clock):
    """Return True if a message waits for another attempt."""
    moment = await bot.store.read(lambda db: db.outbox.next_at())
    return moment is not None and moment > clock.now() + 10_000


async def test_a_table_is_not_opened_where_it_could_not_be_shown(discord, bot):
    asha = discord.person("asha")
    discord.world.deny("general", "ATTACH_FILES", "EMBED_LINKS")
    asha.go("general")
    answer = await asha.slash("marriage play")
    assert "I don't have these permissions: Embed Links, Attach Files" in answer.message.text
    assert answer.message.ephemeral
    assert await bot.store.read(lambda db: db.tables.all_open()) == []


@pytest.mark.parametrize("status", [503, 502, 429])
async def test_edits_that_fail_are_made_good(discord, bot, dull, monkeypatch, status):
    monkeypatch.setattr("bot.lanes.FIRST_WAIT_MS", 10)
    asha, _, table = await two_playing(discord)
    times = 1 if status == 502 else 3
    discord.faults.fail(EDITS, method="PATCH", status=status, times=times, retry_after=0.05)
    await press_in_dm(asha, DRAW)
    await asha.wait_for(lambda: "**Asha** has drawn" in asha.look(table).text, timeout=20)
    assert len(refused(discord, status)) == times
    await published(bot)
    assert len(tables(asha)) == 1


async def test_what_arrived_though_its_answer_was_lost_is_brought_up_to_date(
    discord, start_bot, dull, monkeypatch
):
    """Discord answers the same nonce with the old message, and something may have happened since."""
    monkeypatch.setattr("bot.lanes.FIRST_WAIT_MS", 60_000)
    clock = MovableClock()
    bot = await start_bot(clock=clock, tunnela_window_s=5)
    asha, bikram = discord.person("asha"), discord.person("bikram")
    table = await open_table(asha, bikram)
    discord.faults.fail(rf"/channels/{bikram.dm_channel.id}/messages$", method="POST", done=True)
    await asha.press(START, message=table)
    await until(lambda: put_off(bot, clock))
    bot.later(clock, 20)  # the window closes
    await bikram.wait_for(lambda: "**Bikram** draws next" in bikram.look(table).text)
    assert not button_in_dm(bikram, DRAW)
    bot.later(clock, 41)
    await bikram.wait_for(lambda: button_in_dm(bikram, DRAW))
    assert len(bikram.dm()) == 1

    staff = discord.person("chandra").go("league")
    discord.faults.fail(SENDS, method="POST", done=True)
    discord.world.grant(staff.user, "MANAGE_GUILD")
    await staff.slash("league-staff season create")
    await staff.submit({"name": "Autumn"})
    signup = await staff.sees("Sign up until")
    await until(lambda: put_off(bot, clock))
    await staff.slash("league-staff season settings", setting="account_days", value="0")
    await staff.slash("league-staff season settings", setting="server_days", value="0")
    await staff.press(say("league.join"), message=signup)
    bot.later(clock, 61)
    bot.bot.services.scheduler.wake()
    await staff.wait_for(lambda: "Chandra" in staff.look(signup).text)
    assert len([message for message in staff.messages() if not message.ephemeral]) == 1


async def test_a_long_rate_limit_is_waited_for_without_a_request(discord, start_bot, dull):
    clock = MovableClock()
    bot = await start_bot(clock=clock)
    asha, _, table = await two_playing(discord)
    edit = f"/messages/{table.id}"
    discord.faults.fail(edit, method="PATCH", status=429, retry_after=120, times=1)
    await press_in_dm(asha, DRAW)
    (limited,) = await until(lambda: refused(discord, 429))
    await until(lambda: put_off(bot, clock))
    await asha.press(HAND, message=table)
    assert discord.recorder.requests("PATCH", edit)[-1] is limited
    bot.later(clock, 121)
    await asha.wait_for(lambda: "**Asha** has drawn" in asha.look(table).text)


async def test_an_answer_that_discord_refuses_leaves_the_move_made(discord, bot, dull):
    asha, _, table = await two_playing(discord)
    panel = panel_in_dm(asha)
    discord.interactions.deadline = 0.4
    hold = discord.faults.hold("/callback", method="POST")
    pressing = asyncio.create_task(asha.press(DRAW, message=panel))
    await hold.reached()
    with pytest.raises(NotAnsweredError):
        await pressing
    discord.forgiven += 1
    discord.interactions.deadline = SLOW_DEADLINE
    discord.faults.clear()
    assert (await facts(bot)).events[-1].event == "drew"
    await asha.wait_for(lambda: discards(panel_in_dm(asha)))
    await asha.wait_for(lambda: "**Asha** has drawn" in asha.look(table).text)


@pytest.mark.parametrize("status", [503, 500])
async def test_an_answer_that_discord_loses_is_no_error_of_the_bot(discord, bot, dull, monkeypatch, status):
    asha, _, _ = await two_playing(discord)
    monkeypatch.setattr("bot.interactions.reply.ANSWER_TIMEOUT_S", 0.3)
    discord.interactions.deadline = 0.5
    discord.faults.fail("/callback", method="POST", status=status, times=9)
    with pytest.raises(NotAnsweredError):
        await press_in_dm(asha, DRAW)
    discord.forgiven += 1
    discord.interactions.deadline = SLOW_DEADLINE
    discord.faults.clear()

    async def drawn():
        return (await facts(bot)).events[-1].event == "drew"

    assert await until(drawn)
    await asha.wait_for(lambda: discards(panel_in_dm(asha)))


async def test_a_table_whose_first_answer_was_lost_is_posted(discord, start_bot):
    clock = MovableClock()
    bot = await start_bot(clock=clock)
    asha = discord.person("asha")
    discord.faults.fail("/callback", method="POST", status=404, code=10062)
    discord.interactions.deadline = 0.5
    with pytest.raises(NotAnsweredError):
        await asha.slash("marriage play")
    discord.forgiven += 1
    discord.interactions.deadline = SLOW_DEADLINE
    assert tables(asha) == []
    bot.later(clock, 6)
    await asha.sees("Marriage · Table 1")
    assert len(tables(asha)) == 1
    await discord.person("bikram").press(JOIN, message=tables(asha)[0])


async def test_what_comes_too_late_changes_nothing(discord, bot, dull, monkeypatch):
    """The connection was lost; when it is back, Discord replays the presses made meanwhile."""
    monkeypatch.setattr("bot.interactions.receiver.LATEST_MS", LATEST_MS)
    asha, _, _ = await two_playing(discord)
    before = await facts(bot)
    panel, resumed = panel_in_dm(asha), discord.gateway.resumed
    discord.interactions.deadline = 0.3
    discord.interactions.late_by = 20
    discord.gateway.drop()
    with pytest.raises(NotAnsweredError):
        await asyncio.gather(asha.press(DRAW, message=panel), asha.slash("marriage draw"))
    discord.forgiven += 2
    await until(lambda: discord.gateway.resumed > resumed, timeout=30)
    await until(lambda: not bot.bot.services.outages.concerns(0))
    assert await facts(bot) == before
    discord.interactions.deadline, discord.interactions.late_by = SLOW_DEADLINE, 0
    await asha.press(DRAW, message=panel)
    assert (await facts(bot)).events[-1].event == "drew"


@pytest.mark.parametrize("step_s", [10, -10, 600, -600])
async def test_a_clock_that_is_set_drops_no_press(discord, start_bot, dull, monkeypatch, step_s):
    monkeypatch.setattr("bot.interactions.receiver.LATEST_MS", LATEST_MS)
    clock = MovableClock()
    bot = await start_bot(clock=clock)
    asha, bikram, _ = await two_playing(discord)
    clock.forward(step_s)
    await bot.bot.services.outages.clock_moved(step_s * 1000)
    await press_in_dm(asha, DRAW)
    await play_by_buttons(asha, 1)
    await play_by_buttons(bikram, 2)
    assert (await next_panel(asha)).button(DRAW)
    discord.interactions.late_by = step_s  # Discord's clock is another one all the time
    await press_in_dm(asha, DRAW)
    await asha.wait_for(lambda: discards(panel_in_dm(asha)))


async def test_a_press_that_hangs_is_given_up_when_it_cannot_be_answered_any_more(
    discord, bot, dull, monkeypatch, watch
):
    asha, bikram, table = await two_playing(discord)
    panel = panel_in_dm(asha)

    async def hang(*_args, **_options):
        async with bot.bot.services.tables.lock(1):
            await asyncio.Event().wait()

    with monkeypatch.context() as patch:
        patch.setattr("bot.interactions.reply.PATIENCE_S", 0.0)
        patch.setattr("bot.interactions.reply.LIFE_S", 2.0)
        patch.setattr(bot.bot.services.play, "move", hang)
        await asha.press(DRAW, message=panel, wait=False)
        await until(lambda: any("interaction.given_up" in warning for warning in watch.warnings))
    assert bot.bot.in_flight._open == 0
    await asha.press(DRAW, message=panel)
    await bikram.wait_for(lambda: "**Asha** has drawn" in bikram.look(table).text)
    assert len([warning for warning in watch.warnings if "interaction.given_up" in warning]) == 1


async def test_slow_work_is_acknowledged_first(discord, bot, dull, monkeypatch):
    asha, _, table = await two_playing(discord)
    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0.0)
    chandra = discord.person("chandra")
    bot.bot.services.pictures.forget()  # so that the hand has to be drawn
    answer = await asha.press(HAND, message=table)
    assert (answer.type, answer.message.button(DRAW).disabled) == (5, False)
    answer = await press_in_dm(asha, DRAW)
    assert answer.type == 6
    await asha.wait_for(lambda: discards(panel_in_dm(asha)))
    answer = await chandra.press(HAND, message=table)
    assert "You have no seat at table 1" in answer.message.text
    await asha.wait_for(lambda: "**Asha** has drawn" in asha.look(table).text)


async def test_a_refusal_after_slow_work_replaces_no_message(discord, bot, dull, monkeypatch, watch):
    asha, _, _ = await two_playing(discord)
    panel = panel_in_dm(asha)

    async def slow_failure(*_args, **_options):
        await asha.wait_for(lambda: one_acknowledged(discord))
        raise ValueError("a fault of the test")

    monkeypatch.setattr("bot.interactions.reply.PATIENCE_S", 0.0)
    monkeypatch.setattr(bot.bot.services.play, "move", slow_failure)
    shown = asha.look(panel).text
    answer = await asha.press(DRAW, message=panel)
    assert answer.type == 6
    said = await asha.sees("Something went wrong on my side", channel=asha.dm_channel)
    assert said.id != panel.id
    assert asha.look(panel).text == shown
    watch.expect("interaction.failed")


def one_acknowledged(discord):
    return next(reversed(discord.world.interactions.values())).state == "acknowledged"


async def test_the_gateway_may_send_what_it_likes(discord, bot, quick):
    asha = discord.person("asha")
    table = await open_table(asha, computers=1)
    discord.world.remove_member("chandra")
    discord.world.add_channel("new-channel")
    discord.world.grant("bikram", "MANAGE_CHANNELS")
    asha.say("hello, @Tiplu")
    discord.gateway.reconnect()
    await discord.bot_ready("marriage")
    await asha.press(START, message=table)
    await play_by_buttons(asha)
    await asha.wait_for(lambda: asha.look(table).button(NEXT))


async def test_a_message_that_may_not_be_edited_any_more_is_posted_anew(discord, bot, dull):
    asha, _, table = await two_playing(discord)
    path = rf"/channels/\d+/messages/{table.id}$"
    discord.faults.fail(path, method="PATCH", status=429, code=30046, times=5, retry_after=0.01)
    await press_in_dm(asha, DRAW)
    again = await asha.sees("**Asha** has drawn and discards next")
    assert again.id != table.id
    answer = await asha.press(HAND, message=again)
    assert discards(answer.message)


async def test_while_the_disk_refuses_nothing_is_done_and_afterwards_all_goes_on(
    discord, bot, dull, monkeypatch, watch
):
    asha, _, table = await two_playing(discord)
    await published(bot)
    before = await facts(bot)

    async def refuse(_store: Store, *_: object) -> None:
        raise StoreUnavailableError("the disk of the test is full")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "write", refuse)
        panel = panel_in_dm(asha)
        await asha.press(DRAW, message=panel)
        said = await asha.sees("I could not save that", channel=asha.dm_channel)
        assert said.ephemeral
        assert await facts(bot) == before
    watch.expect("unavailable")
    await press_in_dm(asha, DRAW)
    await asha.wait_for(lambda: "**Asha** has drawn" in asha.look(table).text)


@pytest.mark.parametrize(
    ("fault", "logged"),
    [(StoreUnavailableError("the disk of the test is full"), "unavailable"), (KeyError("seat"), "failed")],
)
async def test_what_fails_while_somebody_types_offers_nothing(
    discord, bot, dull, monkeypatch, watch, fault, logged
):
    asha, _, _ = await two_playing(discord)

    async def fail(*_args: object) -> int:
        raise fault

    with monkeypatch.context() as patch:
        patch.setattr(bot.bot.services.tables, "find_table", fail)
        assert await asha.autocomplete("marriage discard", focused="card") == []
    assert len(watch.expect(logged)) == 1
    assert watch.errors == []
    assert await asha.autocomplete("marriage discard", focused="card")


async def test_on_a_damaged_file_no_move_is_made_and_the_bot_ends(discord, bot, dull, monkeypatch, watch):
    asha, _, _ = await two_playing(discord)

    async def refuse(*_args, **_options):
        raise StoreDamagedError("the file of the test is corrupt")

    monkeypatch.setattr(bot.bot.services.play, "move", refuse)
    await press_in_dm(asha, DRAW)
    assert await asha.sees("Something went wrong on my side", channel=asha.dm_channel)
    await bot.task
    assert bot.bot.worker_failed
    await bot.store.close()
    watch.expect("interaction.failed")


async def test_a_table_that_does_not_replay_keeps_no_other_from_its_own(discord, bot, dull, watch):
    await two_playing(discord)
    chandra = discord.person("chandra").go("general")
    table = await open_table(chandra, computers=1)
    await bot.store.write(
        lambda db: db.tables._execute(text("DELETE FROM event WHERE table_id = 1 AND seq = 0"))
    )
    bot.bot.services.tables.forget([1])
    assert await bot.bot.services.tables.catch_up() == 2
    asha = discord.person("asha")
    answer = await asha.press(
        HAND, message=next(message for message in asha.messages() if message.button(HAND))
    )
    assert "The record of this game is damaged" in answer.message.text
    watch.expect("interaction.damaged")
    await chandra.press(START, message=table)
    assert await next_panel(chandra)
    watch.errors = [error for error in watch.errors if "1 table" not in error]


async def test_what_is_being_offered_is_offered_before_the_bot_closes(discord, bot):
    asha = discord.person("asha")
    hold = discord.faults.hold("/callback", method="POST")
    typing = asyncio.create_task(asha.autocomplete("setup daily", focused="timezone", timezone="kathm"))
    await hold.reached()
    stopping = asyncio.create_task(bot.stop())
    await asyncio.wait({stopping}, timeout=0.5)
    assert not stopping.done()
    hold.release()
    await stopping
    assert [choice["value"] for choice in await typing] == ["Asia/Kathmandu"]


async def test_what_is_pressed_while_the_connection_closes_does_nothing(discord, bot, dull, monkeypatch):
    """It can no longer be answered: the person reads "This interaction failed"."""
    asha, _, _ = await two_playing(discord)
    closing, arrived = asyncio.Event(), asyncio.Event()
    close, serve = library.shard.Shard.close, bot.bot.router.press
    parsers = bot.bot._connection.parsers
    receive = parsers["INTERACTION_CREATE"]

    async def close_late(shard):
        closing.set()
        await arrived.wait()
        await close(shard)

    async def serve_late(press):
        await until(lambda: bot.bot.http._HTTPClient__session.closed)
        await serve(press)

    def receive_and_tell(payload):
        receive(payload)
        arrived.set()

    monkeypatch.setattr(library.shard.Shard, "close", close_late)
    monkeypatch.setattr(bot.bot.router, "press", serve_late)
    monkeypatch.setitem(parsers, "INTERACTION_CREATE", receive_and_tell)
    discord.services.interactions.deadline = 2.0
    stopping = asyncio.create_task(bot.stop())
    await closing.wait()
    with pytest.raises(NotAnsweredError):
        await press_in_dm(asha, DRAW)
    await stopping
    discord.forgiven += 1
