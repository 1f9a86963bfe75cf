"""The running bot: its workers wait while the store refuses, and end the bot if they fail."""

import asyncio
from collections.abc import Callable, Collection

import pytest
from structlog.testing import capture_logs

from bot.clock import SystemClock
from bot.delivery.server_posts import ServerPosts
from bot.people import NamedPerson
from data.errors import StoreDamagedError, StoreTooNewError, StoreUnavailableError
from data.outbox_keys import DailyReminderKey, TableMessageKey, WeekPostKey
from data.privacy.limits import Limit
from data.transaction import ReadTransaction, WriteTransaction
from data.values import DeadlineRow
from league.ids import GuildId, TableId
from league.times import DAY, HOUR, MINUTE
from tests.bot.clocks import connect
from tests.bot.conftest import CHANNEL, GUILD, RAM
from tests.gates import hold_before
from tests.waiting import until


async def test_a_worker_rests_while_the_store_refuses(bot, monkeypatch):
    monkeypatch.setattr("bot.upkeep.REST_S", 0)
    tries: list[int] = []
    for_ever = asyncio.Event()

    async def work() -> None:
        tries.append(len(tries))
        if len(tries) < 4:
            raise StoreUnavailableError("the disk of the test is full")
        await for_ever.wait()

    task = bot.workers.start("test", work)
    await until(lambda: len(tries) == 4)
    assert not task.done()
    task.cancel()
    await asyncio.wait([task])


@pytest.mark.parametrize(
    "fault", [StoreDamagedError("the file of the test"), ZeroDivisionError("a fault of the test")]
)
async def test_a_worker_that_fails_ends_the_bot(bot, fault):
    async def work() -> None:
        raise fault

    task = bot.workers.start("test", work)
    await asyncio.wait([task])
    await until(bot.is_closed)
    assert bot.worker_failed


async def test_closing_ends_no_bot(bot):
    task = bot.workers.start("test", asyncio.Event().wait)
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    assert not bot.worker_failed
    assert not bot.is_closed()


async def test_a_step_of_closing_that_fails_keeps_the_bot_from_no_other(bot, monkeypatch):
    async def fail() -> None:
        raise StoreTooNewError("a fault of the test")

    for part, name in (
        (bot.workers, "stop"),
        (bot._turns, "close"),
        (bot.delivery.live, "add_reopen_buttons"),
    ):
        monkeypatch.setattr(part, name, fail)
    with capture_logs() as logs:
        await bot.close()
    assert bot.is_closed()
    assert [entry["event"] for entry in logs].count("bot.closing_failed") == 3


async def test_it_stops_although_the_socket_of_systemd_is_gone(bot, monkeypatch, tmp_path):
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    await bot.close()
    assert bot.is_closed()


async def test_an_outage_is_given_back_to_the_clocks_and_a_quick_restart_is_not(bot, store, clock, table):
    async def write(db: WriteTransaction) -> None:
        await db.deadlines.set(DeadlineRow(table.id, "lobby", 1, clock.now() + 60_000))
        await db.key_values.alive(clock.now())

    await store.write(write)
    clock.forward(5_000)
    await connect(bot.services.outages)
    assert (await store.read(lambda db: db.deadlines.soonest(1)))[0].due_at == clock.now() + 55_000
    clock.forward(3_600_000)
    await connect(bot.services.outages)
    assert (await store.read(lambda db: db.deadlines.soonest(1)))[0].due_at == clock.now() + 60_000


@pytest.mark.parametrize(("away_ms", "left_ms"), [(15_000, -10_000), (15_001, 30_000)])
async def test_after_more_than_fifteen_seconds_away_at_least_thirty_are_left(
    bot, store, clock, table, away_ms: int, left_ms: int
):
    async def write(db: WriteTransaction) -> None:
        await db.deadlines.set(DeadlineRow(table.id, "turn", 1, clock.now() + 5_000))
        await db.key_values.alive(clock.now())

    await store.write(write)
    clock.forward(away_ms)
    await connect(bot.services.outages)
    assert (await store.read(lambda db: db.deadlines.soonest(1)))[0].due_at == clock.now() + left_ms


async def test_setting_the_clock_leaves_everybody_the_time_they_had(bot, store, clock, table):
    async def write(db: WriteTransaction) -> None:
        await db.deadlines.set(DeadlineRow(table.id, "lobby", 1, clock.now() + 60_000))
        await db.outbox.put(TableMessageKey(table.id), 1, clock.now(), wait_ms=5_000)
        await db.key_values.alive(clock.now())

    await store.write(write)
    for jump_s in (7_200, -3_600):
        clock.forward(jump_s * 1_000)
        await bot.services.outages.clock_moved(jump_s * 1_000)
        assert (await store.read(lambda db: db.deadlines.soonest(1)))[0].due_at == clock.now() + 60_000
    assert await store.read(lambda db: db.outbox.next_at()) < clock.now()
    clock.forward(-3_600_000)  # set back while the bot was away
    await store.write(lambda db: db.key_values.alive(clock.now() + 3_600_000))
    await connect(bot.services.outages)
    assert (await store.read(lambda db: db.deadlines.soonest(1)))[0].due_at == clock.now() + 60_000


@pytest.mark.parametrize("key", [DailyReminderKey(TableId(1)), WeekPostKey(GuildId(GUILD), 739_000)])
async def test_a_clock_that_was_wrong_for_a_while_sends_no_reminder_or_weekly_post_early(
    bot, store, clock, table, key
):
    await store.write(lambda db: db.outbox.put(key, 1, clock.now(), wait_ms=DAY))
    for jump_ms in (20 * HOUR, -20 * HOUR):
        clock.forward(jump_ms)
        await bot.services.outages.clock_moved(jump_ms)
    assert await store.read(lambda db: db.outbox.next_at()) == clock.now() + DAY


async def was_ahead(bot, clock, act) -> None:
    """Let the clock be ahead by a month for a minute, and meanwhile do this."""
    clock.forward(30 * DAY)
    await bot.services.outages.clock_moved(30 * DAY)
    await act()
    clock.forward(MINUTE)
    clock.forward(-30 * DAY)
    await bot.services.outages.clock_moved(-30 * DAY)


async def test_the_weekly_board_is_posted_at_its_time_although_the_clock_was_ahead_meanwhile(
    bot, store, clock
):
    services = bot.services
    posts = ServerPosts(bot, store, clock, services.boards, services.servers, services.mentions)
    await services.servers.change(GUILD, NamedPerson(RAM, "Ram"), weekly_channel_id=CHANNEL)

    async def publish() -> None:
        for row in await store.read(lambda db: db.outbox.due(clock.now(), 50)):
            revision = await posts.publish_week(row)
            await store.write(lambda db, row=row: db.outbox.done([(row, revision)], clock.now()))

    async def waiting() -> list[tuple[int, int]]:
        rows = await store.read(lambda db: db.outbox.due(clock.now() + 400 * DAY, 50))
        return [(row.key.monday, row.not_before) for row in rows]

    asked = await waiting()
    await was_ahead(bot, clock, publish)
    assert await waiting() != asked, "it was a month late then, and the next one was asked for"
    await publish()
    assert await waiting() == asked


async def test_no_limit_lasts_longer_because_the_clock_was_ahead_when_it_was_set(bot, store, clock):
    async def limit() -> None:
        async def write(db: WriteTransaction) -> None:
            await db.limits.add_limit(RAM, "table", 1, clock.now() + HOUR)
            await db.limits.add_limit(RAM, "home_game", 1, clock.now() + DAY)
            await db.limits.add_limit(RAM, "block", 1)

        await store.write(write)

    await was_ahead(bot, clock, limit)

    async def ends(kind: Limit) -> list[int | None]:
        return [row.until for row in await store.read(lambda db: db.limits.limits(RAM, kind, clock.now()))]

    assert await ends("table") == [clock.now() + HOUR]
    assert await ends("home_game") == [clock.now() + DAY]
    assert await ends("block") == [None]


@pytest.mark.parametrize("step_ms", [10_000, -10_000])
async def test_a_clock_that_is_set_right_takes_nobody_a_second_nor_gives_one(
    bot, store, clock, table, step_ms
):
    async def write(db: WriteTransaction) -> None:
        await db.deadlines.set(DeadlineRow(table.id, "computer", 1, clock.now() + 1_000))
        await db.outbox.put(TableMessageKey(table.id), 1, clock.now())

    await store.write(write)
    clock.forward(step_ms)
    await bot.services.outages.clock_moved(step_ms)

    async def read(db: ReadTransaction) -> None:
        assert (await db.deadlines.soonest(1))[0].due_at == clock.now() + 1_000
        assert await db.outbox.next_at() <= clock.now()

    await store.read(read)


def test_the_clock_follows_the_machines_only_in_jumps(monkeypatch):
    wall, ran = 1_700_000_000_000_000_000, 50_000_000_000
    monkeypatch.setattr("bot.clock.time.time_ns", lambda: wall)
    monkeypatch.setattr("bot.clock.time.monotonic_ns", lambda: ran)
    clock = SystemClock()
    begun = clock.now()
    ran += 1_000_000_000
    wall += 4_000_000_000  # set forward by three seconds
    assert (clock.follow(), clock.now() - begun) == (0, 1_000)
    wall += 3_600_000_000_000  # the machine slept for an hour
    assert (clock.follow(), clock.now() - begun) == (3_603_000, 3_604_000)
    wall -= 60_000_000_000
    assert (clock.follow(), clock.follow()) == (-60_000, 0)


async def test_a_shard_that_does_not_come_back_ends_the_bot_although_others_are_connected(bot, monkeypatch):
    monkeypatch.setattr("bot.app.supervisor.PATIENCE_S", 0.02)
    monkeypatch.setattr(bot, "is_ready", lambda: True)
    bot.services.shards.are(2)
    bot.services.outages.began(1)
    bot.workers.start("connection", bot._give_up_cut_off)
    await until(bot.is_closed)
    assert bot.is_cut_off


async def test_a_shard_that_may_not_begin_a_session_yet_ends_no_connection_of_others(bot, monkeypatch):
    """A new process would have to wait for new sessions of all shards."""
    asked: list[Callable[[], Collection[int]]] = []
    may_begin, waits = asyncio.Event(), asyncio.Event()

    async def never(away: Callable[[], Collection[int]]) -> None:
        asked.append(away)
        await asyncio.Event().wait()

    async def wait(_fetch: object) -> None:
        waits.set()
        await may_begin.wait()

    monkeypatch.setattr("bot.app.supervisor.until_given_up", never)
    monkeypatch.setattr("bot.app.until_starts_are_left", wait)
    monkeypatch.setattr(bot, "is_ready", lambda: True)
    outages = bot.services.outages
    bot.services.shards.are(2)
    outages.began(1)
    bot.workers.start("connection", bot._give_up_cut_off)
    await until(lambda: asked)
    begins = asyncio.create_task(bot.before_identify_hook(1, initial=True))
    await waits.wait()
    assert asked[0]() == set()
    outages.began(0)
    assert asked[0]() == {0, 1}
    await outages.ended(0)
    may_begin.set()
    await begins
    assert asked[0]() == {1}
    await outages.ended(1)
    assert asked[0]() == set()


async def test_the_supervisor_hears_of_the_connection_even_if_the_store_refuses(bot, monkeypatch):
    """Otherwise it would end a bot that answers people, once its time to start is over."""
    told: list[str] = []

    async def refuse(_share: object) -> int:
        raise StoreUnavailableError("the disk of the test is full")

    monkeypatch.setattr("bot.app.supervisor.tell", told.append)
    monkeypatch.setattr(bot.services.tables, "catch_up", refuse)
    with pytest.raises(StoreUnavailableError):
        await bot.on_ready()
    assert told == ["READY=1"]


@pytest.mark.parametrize("event", ["on_shard_ready", "on_shard_resumed"])
async def test_the_store_is_not_closed_while_a_connection_is_noted(bot, monkeypatch, event):
    gate = hold_before(monkeypatch, bot.services.outages, "note_alive")
    noting = asyncio.create_task(getattr(bot, event)(0))
    await gate.reached()
    closing = asyncio.create_task(bot.close())
    done, _ = await asyncio.wait({closing}, timeout=0.5)
    assert not done
    gate.open()
    await closing
    assert noting.done()
