"""The outbox: one edit per message at a time, the newest state wins, and each failure is handled by kind."""

import asyncio

import discord
import pytest
from sqlalchemy import func, select, update
from structlog.testing import capture_logs

from bot.delivery.discord_calls import (
    ChannelGoneError,
    DirectMessagesClosedError,
    MessageGoneError,
    MissingAccessError,
    RetryLaterError,
)
from bot.delivery.outbox import AT_ONCE, UNREADABLE_REST_MS, Handlers, Outbox
from bot.lanes import FIRST_WAIT_MS, LONGEST_WAIT_MS
from data.cancellation import to_the_end
from data.errors import RevisionConflictError, StoreFull
from data.outbox_keys import (
    KEYS,
    EndedMentionKey,
    HandAmendmentKey,
    HandKey,
    OutboxKey,
    RetiredHandKey,
    TableMessageKey,
    ThreadAccessKey,
    TurnMentionByDmKey,
    TurnMentionKey,
)
from data.repositories.messages import OutboxQueries
from data.schema.core import outbox as rows
from data.shards import Share
from data.transaction import ReadTransaction, WriteTransaction
from tests.gates import hold_before
from tests.waiting import until

GAP_MS = 1_000


class Discord:
    """A fake Discord that records what is published when, and fails on request."""

    def __init__(self, clock) -> None:
        self.clock = clock
        self.seen: list[tuple[OutboxKey, int, int]] = []
        self.faults: list[Exception] = []
        self.newest = 0

    async def publish(self, row) -> int:
        self.seen.append((row.key, row.revision, self.clock.now()))
        if self.faults:
            raise self.faults.pop(0)
        return max(row.revision, self.newest)

    def handlers(self) -> Handlers:
        """Return handlers that publish every kind with the current `publish`."""
        handlers = Handlers()
        for kind in KEYS:
            handlers.on(kind, lambda row: self.publish(row))
        return handlers

    def arrive_after(self, arrives: asyncio.Event) -> None:
        """Delay everything published from now on until this event is set."""
        publish = self.publish

        async def slowly(row) -> int:
            revision = await publish(row)
            await arrives.wait()
            return revision

        self.publish = slowly

    async def published(self, count: int) -> None:
        await until(lambda: len(self.seen) >= count)


class Refused(discord.HTTPException):
    """Discord refuses our own payload."""

    def __init__(self) -> None:
        self.status, self.code, self.text = 400, 50035, "Invalid Form Body"


@pytest.fixture
def world(clock):
    return Discord(clock)


@pytest.fixture
async def outbox(store, clock, world):
    outbox = Outbox(store, clock, world.handlers(), GAP_MS)
    task = asyncio.create_task(outbox.run())
    yield outbox
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()


TABLE = TableMessageKey(1)


async def put(store, outbox, revision, key=TABLE):
    await store.write(lambda db: db.outbox.put(key, revision, 0))
    outbox.wake()


async def waiting(store) -> int | None:
    return await store.read(lambda db: db.outbox.next_at())


async def settled(store, wanted=None) -> None:
    """Wait until no rows wait, or until the first waiting row is due at `wanted`."""

    async def as_wanted() -> bool:
        return await waiting(store) == wanted

    await until(as_wanted)


async def test_a_row_that_the_disk_has_changed_keeps_no_other_from_being_sent(store, outbox, world):
    async def put_and_change(db: WriteTransaction) -> None:
        await db.outbox.put(HandKey(2, 0), 1, 0)
        await db.outbox._execute(update(rows).values(name="hans"))

    with capture_logs() as logs:
        await store.write(put_and_change)
        for number in (1, 2):
            await put(store, outbox, 1, TableMessageKey(number))
            await world.published(number)
    assert {key for key, _, _ in world.seen} == {TableMessageKey(1), TableMessageKey(2)}
    assert [entry["event"] for entry in logs] == ["outbox.unreadable"]


async def test_any_number_of_changed_rows_keep_no_other_from_being_sent(store, outbox, world, monkeypatch):
    """PostgreSQL takes some 32,000 parameters in a query, so none names the rows that are left out."""

    async def put_and_change(db: WriteTransaction) -> None:
        for number in range(2 * AT_ONCE + 3):
            await db.outbox.put(HandKey(number, 0), 1, 0)
        await db.outbox._execute(update(rows).values(name="hans"))

    left_out: list[int] = []
    look = OutboxQueries.look

    async def noted(db, now, limit, beside, **options):
        left_out.extend(beside)
        return await look(db, now, limit, beside, **options)

    monkeypatch.setattr(OutboxQueries, "look", noted)
    await store.write(put_and_change)
    with capture_logs() as logs:
        await put(store, outbox, 1)
        await world.published(1)
        await settled(store, world.clock.now() + UNREADABLE_REST_MS)
        await put(store, outbox, 1, TableMessageKey(2))
        await world.published(2)
    assert len(set(left_out)) <= 2  # the two that were being sent
    assert [key for key, _, _ in world.seen] == [TABLE, TableMessageKey(2)]
    assert [entry["event"] for entry in logs] == (2 * AT_ONCE + 3) * ["outbox.unreadable"]


async def test_a_changed_row_is_looked_at_again_after_a_day(store, outbox, world):
    """A newer version may have written it, and have taken over by then."""
    await store.write(lambda db: db.outbox.put(HandKey(2, 0), 1, 0))
    await store.write(lambda db: db.outbox._execute(update(rows).values(name="hans")))
    outbox.wake()
    await settled(store, world.clock.now() + UNREADABLE_REST_MS)
    await store.write(lambda db: db.outbox._execute(update(rows).values(name=HandKey(2, 0).name)))
    world.clock.forward(UNREADABLE_REST_MS)
    outbox.wake()
    await world.published(1)
    assert [key for key, _, _ in world.seen] == [HandKey(2, 0)]


OF_PEOPLE = [
    ThreadAccessKey(1, 4_711),
    EndedMentionKey(1, 4_711, 5),
    HandAmendmentKey(1, 4_711, 5),
    RetiredHandKey(1, 4_711, 5),
]


@pytest.mark.parametrize("key", OF_PEOPLE, ids=lambda key: key.kind)
@pytest.mark.parametrize("fault", [None, ChannelGoneError()], ids=["sent", "given up"])
async def test_a_row_with_the_id_or_channel_of_a_person_does_not_outlive_its_end(
    store, outbox, world, fault, key
):
    """People who are forgotten are removed from threads by such rows, and their hands are put away."""
    world.faults = [] if fault is None else [fault]
    await put(store, outbox, 1, key)
    await world.published(1)
    await settled(store)

    async def left(db: ReadTransaction) -> int:
        return await db.outbox._scalar(select(func.count()).select_from(rows))

    assert await store.read(left) == 0


async def test_nor_does_one_that_was_requested_again_while_it_was_carried_out(store, outbox, world, clock):
    arrives = asyncio.Event()
    world.arrive_after(arrives)
    await put(store, outbox, 1, ThreadAccessKey(1, 4_711))
    await world.published(1)
    await put(store, outbox, 2, ThreadAccessKey(1, 4_711))
    arrives.set()

    async def nothing_left() -> bool:
        clock.forward(GAP_MS)
        outbox.wake()
        return not await store.read(lambda db: db.outbox._scalar(select(func.count()).select_from(rows)))

    await until(nothing_left)


async def test_a_row_is_published_once(store, outbox, world):
    await put(store, outbox, 3)
    await settled(store)
    outbox.wake()
    await put(store, outbox, 1, HandKey(1, 0))
    await settled(store)
    assert [(key, revision) for key, revision, _ in world.seen] == [(TABLE, 3), (HandKey(1, 0), 1)]


async def test_who_settles_waits_for_what_is_being_sent(store, outbox, world):
    arrives = asyncio.Event()
    world.arrive_after(arrives)
    await put(store, outbox, 1)
    await world.published(1)
    settling = asyncio.create_task(outbox.settle())
    await asyncio.wait([settling], timeout=0.05)
    assert not settling.done()
    arrives.set()
    await settling
    assert await waiting(store) is None


async def requested_again(store, clock, count) -> list:
    """Return the rows of attempts that may have arrived late, or [] until there are `count` of them."""

    async def read(db: ReadTransaction):
        return [row for row in await db.outbox.due(clock.now(), 9) if row.attempts]

    again = await store.read(read)
    return again if len(again) == count else []


async def test_what_is_edited_while_its_shard_is_lost_is_edited_once_more(store, clock, world):
    """Another process has the shard now; its newer edit may have arrived before this one."""
    served, arrives = Share(2, frozenset({0, 1})), asyncio.Event()
    outbox = Outbox(store, clock, world.handlers(), GAP_MS, own=lambda: served)
    world.arrive_after(arrives)
    keys = TABLE, HandKey(1, 0), TurnMentionByDmKey(1, 0, 1)
    for key in keys:
        await put(store, outbox, 1, key)
    task = asyncio.create_task(outbox.run())
    await world.published(len(keys))
    served = Share(2, frozenset())

    async def write(db: WriteTransaction):
        other = await db.outbox.due(clock.now(), 9)
        await db.outbox.put(TABLE, 2, clock.now())  # what the other process is sending when this edit arrives
        assert await db.outbox.done([(row, 1) for row in other if row.key != TABLE], clock.now())
        return other

    other = await store.write(write)
    arrives.set()
    again = await until(lambda: requested_again(store, clock, 2))
    assert {(row.key, row.revision, row.attempts) for row in again} == {(TABLE, 2, 1), (HandKey(1, 0), 1, 1)}
    assert not {row.id for row in again} & {row.id for row in other}
    task.cancel()
    await asyncio.wait([task])


async def test_an_edit_that_is_broken_off_while_its_shard_is_lost_is_made_once_more(store, clock, world):
    """For example if the store is unreachable: the outbox starts again, and the edit may still arrive."""
    served = Share(2, frozenset({0, 1}))
    outbox = Outbox(store, clock, world.handlers(), GAP_MS, own=lambda: served)
    world.arrive_after(asyncio.Event())
    await put(store, outbox, 1)
    task = asyncio.create_task(outbox.run())
    await world.published(1)
    task.cancel()
    await asyncio.wait([task])
    served = Share(2, frozenset())

    async def write(db: WriteTransaction) -> None:
        assert await db.outbox.done([(row, 1) for row in await db.outbox.due(clock.now(), 9)], clock.now())

    await store.write(write)
    task = asyncio.create_task(outbox.run())
    (again,) = await until(lambda: requested_again(store, clock, 1))
    assert (again.key, again.revision) == (TABLE, 1)
    task.cancel()
    await asyncio.wait([task])


async def test_a_message_rests_between_edits_and_then_shows_the_newest(store, outbox, world, clock):
    await put(store, outbox, 1)
    await settled(store)
    for revision in (2, 3, 4):
        await put(store, outbox, revision)
    await put(store, outbox, 1, HandKey(1, 0))
    await world.published(2)
    assert [key for key, _, _ in world.seen] == [TABLE, HandKey(1, 0)]
    clock.forward(GAP_MS)
    outbox.wake()
    await settled(store)
    assert [revision for key, revision, _ in world.seen if key == TABLE] == [1, 4]


async def test_a_clock_that_is_set_back_makes_no_message_rest_longer(store, outbox, world, clock):
    await put(store, outbox, 1)
    await settled(store)
    clock.forward(-600_000)
    await put(store, outbox, 2)
    await settled(store)
    assert [revision for _, revision, _ in world.seen] == [1, 2]


async def test_a_later_state_that_was_shown_is_not_shown_again(store, outbox, world):
    world.newest = 9
    await put(store, outbox, 2)
    await settled(store)
    assert len(world.seen) == 1


async def test_what_fails_is_tried_again_with_growing_patience(store, outbox, world, clock):
    world.faults = [RetryLaterError("503 0") for _ in range(9)]
    await put(store, outbox, 1)
    waits = []

    async def put_off() -> int:
        return max(0, (await waiting(store) or 0) - clock.now())

    for tries in range(1, 10):
        await world.published(tries)
        wait = await until(put_off)
        waits.append(wait)
        clock.forward(wait)
        outbox.wake()
    await settled(store)
    assert waits == [min(FIRST_WAIT_MS << tries, LONGEST_WAIT_MS) for tries in range(9)]
    assert len(world.seen) == 10


async def test_discords_own_wish_to_wait_is_kept(store, outbox, world, clock):
    world.faults = [RetryLaterError("rate limited", 90.5)]
    await put(store, outbox, 1)
    await world.published(1)
    await settled(store, clock.now() + 90_500)
    await put(store, outbox, 2)
    assert len(world.seen) == 1
    clock.forward(90_500)
    outbox.wake()
    await settled(store)
    assert [revision for _, revision, _ in world.seen] == [1, 2]


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (ZeroDivisionError("of the test"), ("outbox.failed", "error")),
        (RevisionConflictError("changed elsewhere"), ("outbox.changed_elsewhere", "warning")),
        (StoreFull("no room"), ("outbox.waits", "warning")),
    ],
)
async def test_a_fault_that_may_pass_is_logged_and_tried_again(store, outbox, world, clock, fault, told):
    world.faults = [fault]
    with capture_logs() as logs:
        await put(store, outbox, 1)
        await world.published(1)
        await settled(store, clock.now() + FIRST_WAIT_MS)
    assert [(log["event"], log["log_level"]) for log in logs] == [told]
    clock.forward(FIRST_WAIT_MS)
    outbox.wake()
    await settled(store)
    assert len(world.seen) == 2


@pytest.mark.parametrize(
    "fault",
    [ChannelGoneError(), MissingAccessError(), DirectMessagesClosedError(), MessageGoneError(), Refused()],
)
async def test_what_cannot_be_helped_is_dropped(store, outbox, world, fault):
    world.faults = [fault]
    await put(store, outbox, 1)
    await settled(store)
    assert len(world.seen) == 1
    await put(store, outbox, 2)
    await settled(store)
    assert len(world.seen) == 2


async def test_what_was_asked_for_meanwhile_is_not_dropped(store, outbox, world):
    """The table has moved to another channel while Discord refused the old one."""

    async def refuse(row) -> int:
        world.publish = publish
        await put(store, outbox, 2)
        raise ChannelGoneError

    publish, world.publish = world.publish, refuse
    await put(store, outbox, 1)
    await settled(store)
    assert [revision for _, revision, _ in world.seen] == [2]


async def test_a_row_that_falls_due_while_it_looks_away_is_not_slept_over(store, world, clock, monkeypatch):
    """The clock moves between reading the rows and sleeping until the next one."""
    outbox = Outbox(store, clock, world.handlers(), GAP_MS)
    await store.write(lambda db: db.outbox.put(TABLE, 1, clock.now() + 5))
    look = outbox._look

    async def late(share):
        found = await look(share)
        clock.forward(10)
        return found

    monkeypatch.setattr(outbox, "_look", late)
    task = asyncio.create_task(outbox.run())
    await world.published(1)
    await settled(store)
    task.cancel()
    await asyncio.wait([task])


async def test_one_look_serves_many_wakes(store, outbox, world, monkeypatch):
    looks = []
    look = OutboxQueries.look

    async def counted(*args, **options):
        looks.append(args)
        return await look(*args, **options)

    await put(store, outbox, 1)
    await settled(store)
    monkeypatch.setattr(OutboxQueries, "look", counted)
    for number in range(50):
        await put(store, outbox, 1, HandKey(1, number))
    await settled(store)
    assert len(world.seen) == 51
    assert len(looks) < 25


@pytest.mark.file
async def test_what_was_published_while_somebody_wrote_is_noted_in_one_commit(
    store, outbox, world, monkeypatch
):
    async def write_2(db: WriteTransaction) -> None:
        for number in range(40):
            await db.outbox.put(HandKey(1, number), 1, 0)

    await store.write(write_2)
    commits = []
    commit = store._database.writer.commit

    def counted(work):
        commits.append(len(world.seen))
        return commit(work)

    monkeypatch.setattr(store._database.writer, "commit", counted)
    writing = hold_before(monkeypatch, store._database.writer, "commit")
    somebody = asyncio.create_task(store.write(lambda db: db.guilds.keep(9)))
    await writing.reached()
    outbox.wake()
    await world.published(40)
    writing.open()
    await somebody
    await settled(store)
    assert len(commits) <= 2


async def test_many_messages_are_published_side_by_side(store, outbox, world):
    async def write(db: WriteTransaction) -> None:
        for number in range(120):
            await db.outbox.put(HandKey(1, number), 1, 0)

    await store.write(write)
    outbox.wake()
    await settled(store)
    assert len({key for key, _, _ in world.seen}) == 120


async def test_a_destination_that_hangs_delays_no_other(store, outbox, world):
    """More destinations hang than there are places; the rows waiting behind them do not block others."""
    outbox._lanes._at_once = 2
    hanging = asyncio.Event()
    publish = world.publish

    async def hang(row) -> int:
        if isinstance(row.key, HandKey):
            await hanging.wait()
        return await publish(row)

    world.publish = hang

    async def write(db: WriteTransaction) -> None:
        for number in range(6):
            await db.outbox.put(HandKey(1, number), 1, 0)

    await store.write(write)
    await put(store, outbox, 1)
    await until(lambda: [key for key, _, _ in world.seen] == [TABLE], timeout=30)
    hanging.set()
    await settled(store)
    assert len(world.seen) == 7


async def test_one_destination_is_served_in_order(store, outbox, world):
    """The updates of the table's channel go out one by one, in the order requested."""
    begun, hanging = [], asyncio.Event()
    publish = world.publish

    async def hang(row) -> int:
        begun.append(row.key)
        await hanging.wait()
        return await publish(row)

    world.publish = hang
    await put(store, outbox, 1)
    await put(store, outbox, 1, TurnMentionKey(1, 0, 4))
    await put(store, outbox, 1, HandKey(1, 0))
    await until(lambda: begun == [TABLE, HandKey(1, 0)])
    hanging.set()
    await settled(store)
    assert begun == [TABLE, HandKey(1, 0), TurnMentionKey(1, 0, 4)]


async def test_what_discord_refuses_for_good_is_logged_once_without_a_traceback(store, outbox, world):
    world.faults = [Refused()]
    with capture_logs() as logs:
        await put(store, outbox, 1)
        await settled(store)
    (line,) = logs
    assert (line["event"], line["code"], "exc_info" in line) == ("outbox.refused", 50035, False)


async def test_stopping_waits_for_every_row_that_is_being_sent(store, clock, world):
    """The store is closed next, so no one may still be reading."""
    begun, release, ended = asyncio.Event(), asyncio.Event(), []

    async def publish(row) -> int:
        if row.key == HandKey(1, 1):
            begun.set()
            await asyncio.Event().wait()
        try:
            await to_the_end(release.wait())
        finally:
            ended.append(row.key)
        return row.revision

    world.publish = publish
    outbox = Outbox(store, clock, world.handlers(), GAP_MS)
    for seat in (0, 1):
        await put(store, outbox, 1, HandKey(1, seat))
    task = asyncio.create_task(outbox.run())
    await begun.wait()
    task.cancel()
    asyncio.get_running_loop().call_later(0.01, release.set)
    await asyncio.wait([task])
    assert task.cancelled()
    assert ended == [HandKey(1, 0)]
