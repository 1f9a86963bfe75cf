"""What the running bot has to remember: answered clicks, clocks, the outbox, attached files, notes."""

import pytest
from sqlalchemy import text

from data.errors import InteractionSeenError
from data.ids import ChannelId, MessageId
from data.outbox_keys import HandKey, RetiredHandKey, TableMessageKey, ThreadAccessKey
from data.repositories import messages
from data.repositories.messages import FILES_KEPT_MS, AttachedFile, OutboxRow, Pending
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import DeadlineRow, SeatRow, SeenRow, TableRow
from tests.data.conftest import RAM


async def test_an_interaction_is_seen_once(store: Store, table: TableRow):
    async def work(db: WriteTransaction) -> None:
        assert await db.interactions.find(5) is None
        await db.interactions.record(5, table.id, 3, "Your move was made.", 10)

    await store.write(work)

    async def repeat() -> None:
        async def write(db: WriteTransaction) -> None:
            await db.guilds.keep(7)
            await db.interactions.record(5, table.id, 4, "Another answer.", 11)

        await store.write(write)

    with pytest.raises(InteractionSeenError):
        await repeat()

    async def write(db: WriteTransaction) -> None:
        await db.interactions.keep(5, table.id, 4, "Another answer.", 11)
        await db.interactions.keep(6, None, 0, "Out of date.", 11)

    await store.write(write)

    async def read(db: ReadTransaction) -> None:
        assert await db.guilds._scalar(text("SELECT id FROM guild WHERE id = 7")) is None
        assert await db.interactions.find(5) == SeenRow(5, table.id, 3, "Your move was made.", 10)
        assert await db.interactions.find(6) == SeenRow(6, None, 0, "Out of date.", 11)

    await store.read(read)


async def test_deadlines_are_one_a_kind(store: Store, table: TableRow):
    async def work(db: WriteTransaction) -> None:
        await db.deadlines.set(DeadlineRow(table.id, "turn", 1, 500))
        await db.deadlines.set(DeadlineRow(table.id, "lobby", 1, 400))
        await db.deadlines.set(DeadlineRow(table.id, "turn", 2, 300))

    await store.write(work)
    turn, lobby = DeadlineRow(table.id, "turn", 2, 300), DeadlineRow(table.id, "lobby", 1, 400)

    async def write(db: WriteTransaction) -> None:
        assert await db.deadlines.soonest(1) == [turn]
        assert await db.deadlines.soonest(2) == [turn, lobby]
        assert await db.deadlines.of_table(table.id) == [turn, lobby]
        await db.deadlines.clear(table.id, "turn")
        assert await db.deadlines.soonest(2) == [lobby]
        await db.deadlines.clear(table.id, "lobby", "turn")
        assert await db.deadlines.soonest(1) == []

    await store.write(write)


async def test_deadlines_are_credited_for_an_outage(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        await db.deadlines.set(DeadlineRow(table.id, "past", 1, 100))
        await db.deadlines.set(DeadlineRow(table.id, "soon", 1, 1_000))
        await db.deadlines.set(DeadlineRow(table.id, "late", 1, 90_000))
        await db.deadlines.credit(0, 20_000, at_least=50_000)
        assert [(row.kind, row.due_at) for row in await db.deadlines.of_table(table.id)] == [
            ("past", 50_000),
            ("soon", 50_000),
            ("late", 110_000),
        ]

    await store.write(write)


async def test_a_deadline_gets_back_only_what_it_has_lost_since_it_was_set_or_credited(
    store: Store, table: TableRow
):
    """The last one was set while the credit waited for its turn to be written."""

    async def write(db: WriteTransaction) -> None:
        for kind, set_at in (("before", 5_000), ("meanwhile", 15_000), ("since", 25_000)):
            await db.deadlines.set(DeadlineRow(table.id, kind, 1, 90_000, set_at))
        await db.deadlines.credit(10_000, 20_000, at_least=0)
        assert await due(db) == {"before": 100_000, "meanwhile": 95_000, "since": 90_000}
        await db.deadlines.credit(10_000, 30_000, at_least=0)
        assert await due(db) == {"before": 110_000, "meanwhile": 105_000, "since": 100_000}
        await db.deadlines.credit(30_000, 12_000, at_least=0)  # the clock was set back
        assert await due(db) == {"before": 92_000, "meanwhile": 87_000, "since": 82_000}
        await db.deadlines.credit(12_000, 13_000, at_least=0)
        assert await due(db) == {"before": 93_000, "meanwhile": 88_000, "since": 83_000}

    async def due(db: WriteTransaction) -> dict[str, int]:
        return {row.kind: row.due_at for row in await db.deadlines.of_table(table.id)}

    await store.write(write)


async def test_computers_do_not_wait_after_an_outage(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        await db.deadlines.set(DeadlineRow(table.id, "computer", 1, 1_000))
        await db.deadlines.set(DeadlineRow(table.id, "turn", 1, 1_000))
        await db.deadlines.credit(0, 20_000, at_least=50_000, undelayed="computer")
        found = {row.kind: row.due_at for row in await db.deadlines.of_table(table.id)}
        assert found == {"computer": 1_000, "turn": 50_000}
        await db.deadlines.credit(20_400, 20_000, at_least=0, undelayed="computer")  # the clock was set back
        found = {row.kind: row.due_at for row in await db.deadlines.of_table(table.id)}
        assert found == {"computer": 600, "turn": 49_600}

    await store.write(write)


async def test_outbox_keeps_one_waiting_row_a_key(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        await db.outbox.put(TableMessageKey(table.id), 1, 100)
        await db.outbox.put(HandKey(table.id, 2), 1, 100)
        await db.outbox.put(TableMessageKey(table.id), 4, 200)
        await db.outbox.put(TableMessageKey(table.id), 3, 300)  # an older state never replaces a newer one

    await store.write(write)

    async def read(db: ReadTransaction):
        board, hand = await db.outbox.due(100, 10)
        assert await db.outbox.due(99, 10) == []
        assert await db.outbox.due(100, 1) == [board]
        assert await db.outbox.next_at() == 100
        return board, hand

    board, hand = await store.read(read)
    assert board == OutboxRow(board.id, TableMessageKey(table.id), 4, 0, 100, 100)
    assert hand == OutboxRow(hand.id, HandKey(table.id, 2), 1, 0, 100, 100)
    assert board.nonce != hand.nonce
    assert len(OutboxRow(2**40, HandKey(1, 2), 0, 0, 2**43, 0).nonce) <= 25


async def test_row_published_at_a_later_revision_than_asked_for_is_done(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        await db.outbox.put(TableMessageKey(table.id), 1, 100)
        (sending,) = await db.outbox.due(100, 10)
        assert await db.outbox.done([(sending, 3)], 120)
        assert await db.outbox.next_at() is None

    await store.write(write)


async def test_what_waits_can_be_hastened_but_not_delayed(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        await db.outbox.put(TableMessageKey(table.id), 1, 5_000)
        await db.outbox.put(HandKey(table.id, 2), 1, 6_000)
        await db.outbox.send_now(TableMessageKey(table.id), 100)
        assert [row.key for row in await db.outbox.due(100, 10)] == [TableMessageKey(table.id)]
        await db.outbox.send_now(TableMessageKey(table.id), 200)
        assert await db.outbox.next_at() == 100

    await store.write(write)


async def test_row_renewed_while_it_was_sent_is_sent_again(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        await db.outbox.put(TableMessageKey(table.id), 1, 100)
        (sending,) = await db.outbox.due(100, 10)
        await db.outbox.put(TableMessageKey(table.id), 2, 110)
        assert not await db.outbox.done([(sending, sending.revision)], 120)
        (renewed,) = await db.outbox.due(120, 10)
        assert renewed.revision == 2
        assert renewed.nonce != sending.nonce  # else Discord would take it for the sent message
        assert await db.outbox.done([(renewed, 2)], 130)
        assert await db.outbox.next_at() is None
        assert not await db.outbox.done([(renewed, 2)], 140)
        await db.outbox.put(TableMessageKey(table.id), 3, 150)
        (fresh,) = await db.outbox.due(150, 10)
        assert fresh.id != renewed.id

    await store.write(write)


async def test_what_is_requested_once_more_keeps_its_nonce_until_it_was_published(
    store: Store, table: TableRow
):
    key = TableMessageKey(table.id)

    async def write(db: WriteTransaction) -> None:
        await db.outbox.put(key, 1, 0)
        (row,) = await db.outbox.due(0, 9)
        await db.outbox.repeat(row, 0)
        (same,) = await db.outbox.due(0, 9)
        assert (same.nonce, same.attempts) == (row.nonce, 1)
        assert await db.outbox.done([(row, 1)], 0)
        await db.outbox.repeat(row, 0)
        (again,) = await db.outbox.due(0, 9)
        assert again.nonce != row.nonce
        assert (again.key, again.revision, again.attempts) == (key, 1, 1)

    await store.write(write)


async def test_with_a_hand_those_are_requested_once_more_that_were_retired_meanwhile(
    store: Store, table: TableRow
):
    key = HandKey(table.id, 1)
    before, since = (RetiredHandKey(table.id, ChannelId(5), MessageId(number)) for number in (6, 7))

    async def write(db: WriteTransaction):
        seat = SeatRow(table.id, 0, RAM, "Ram", dm_channel_id=ChannelId(5))
        await db.tables.set_seats(table.id, [seat])
        await db.outbox.put(before, 1, 0)
        assert await db.outbox.done([(row, 1) for row in await db.outbox.due(9, 9)], 5)
        await db.outbox.put(key, 2, 10)
        (row,) = await db.outbox.due(10, 9)
        await db.outbox.put(since, 3, 11)
        await db.outbox.done([(row, 3) for row in await db.outbox.due(11, 9)], 12)
        assert await db.outbox.due(12, 9) == []
        await db.outbox.repeat(row, 13)
        return await db.outbox.due(13, 9)

    again = await store.write(write)
    assert {(row.key, row.revision, row.attempts) for row in again} == {(key, 2, 1), (since, 3, 1)}


async def test_a_request_with_the_id_of_a_person_is_gone_once_another_replaces_it(
    store: Store, table: TableRow
):
    async def write(db: WriteTransaction) -> None:
        await db.outbox.put(ThreadAccessKey(table.id, RAM), 1, 0)
        (row,) = await db.outbox.due(0, 9)
        renewed = await db.outbox.renew(row, 5)
        await db.outbox.done([(renewed, 1)], 9)
        assert await db.tables._scalar(text("SELECT count(*) FROM outbox")) == 0

    await store.write(write)


async def test_failed_sending_waits_even_when_renewed(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        await db.outbox.put(TableMessageKey(table.id), 1, 100)
        (row,) = await db.outbox.due(100, 10)
        await db.outbox.retry(row.id, 5_000, "503 " * 1_000)
        await db.outbox.put(TableMessageKey(table.id), 2, 200)
        assert await db.outbox.next_at() == 5_000
        assert await db.outbox.due(4_999, 10) == []
        (again,) = await db.outbox.due(5_000, 10)
        assert (again.attempts, again.revision) == (1, 2)
        assert await db.tables._scalar(text("SELECT length(error) FROM outbox")) == messages.ERROR_LENGTH

    await store.write(write)


async def test_dropped_row_is_gone_with_its_reason(store: Store, table: TableRow):
    async def write(db: WriteTransaction) -> None:
        await db.outbox.put(TableMessageKey(table.id), 1, 100)
        (row,) = await db.outbox.due(100, 10)
        await db.outbox.put(TableMessageKey(table.id), 2, 150)
        await db.outbox.drop(row.id, row.revision, "10003 unknown channel", 200)
        (row,) = await db.outbox.due(200, 10)  # a request made in between is not dropped with it
        await db.outbox.drop(row.id, row.revision, "10003 unknown channel", 200)
        assert await db.outbox.next_at() is None
        assert await db.tables._scalar(text("SELECT error FROM outbox")) == "10003 unknown channel"

    await store.write(write)


async def test_notes_and_the_heartbeat(store: Store):
    async def write(db: WriteTransaction) -> None:
        assert await db.key_values.last_alive() is None
        await db.key_values.alive(5_000)
        await db.key_values.alive(10_000)
        await db.key_values.set("commands", "abc")
        await db.key_values.set("commands", "def")

    await store.write(write)

    async def read(db: ReadTransaction) -> None:
        assert await db.key_values.last_alive() == 10_000
        assert await db.key_values.get("commands") == "def"
        assert await db.key_values.get("nothing") is None

    await store.read(read)


@pytest.mark.parametrize(("later", "left"), [(0, (1, 2)), (1, (0, 1))])
async def test_old_rows_are_forgotten_in_time(store: Store, table: TableRow, later: int, left: tuple):
    at = 1_000_000_000_000

    async def write(db: WriteTransaction) -> None:
        await db.interactions.record(1, table.id, 1, "", at)
        await db.outbox.put(TableMessageKey(table.id), 1, at)
        await db.outbox.put(HandKey(table.id, 0), 1, at)
        row = (await db.outbox.due(at, 10))[1]
        now = at + messages.ANSWERS_KEPT_MS
        await db.outbox.done([(row, 1)], now - messages.PUBLISHED_KEPT_MS)
        await db.forget_old(now + later)
        seen = await db.tables._scalar(text("SELECT count(*) FROM interaction_seen"))
        assert (seen, await db.tables._scalar(text("SELECT count(*) FROM outbox"))) == left

    await store.write(write)


async def test_a_batch_is_noted_together_and_what_was_requested_meanwhile_waits(store):
    async def write(db: WriteTransaction) -> None:
        for number in range(3):
            await db.outbox.put(HandKey(1, number), 1, 100)
        sent = [(row, 1) for row in await db.outbox.due(100, 10)]
        await db.outbox.put(HandKey(1, 1), 2, 110)
        assert not await db.outbox.done(sent, 120)
        (later,) = await db.outbox.due(120, 10)
        assert (later.key, later.revision) == (HandKey(1, 1), 2)
        assert later.nonce not in {row.nonce for row, _ in sent}
        assert await db.outbox.done([(later, 2)], 130)
        assert await db.outbox.next_at() is None

    await store.write(write)


async def test_a_look_tells_what_is_due_and_when_to_look_again(store):
    async def write(db: WriteTransaction) -> None:
        for number in range(4):
            await db.outbox.put(HandKey(1, number), 1, 100, wait_ms=number // 2 * 50)
        for limit, seats, next_at in ((1, [0], 100), (2, [0, 1], 150), (9, [0, 1], 150)):
            found = await db.outbox.look(100, limit)
            assert ([row.key.number for row in found.due], found.next_at) == (seats, next_at)
        found = await db.outbox.look(150, 9)
        assert ([row.key.number for row in found.due], found.next_at) == ([0, 1, 2, 3], None)
        assert await db.outbox.look(150, 9, [row.id for row in found.due]) == Pending([], None)
        assert await db.outbox.look(150, 9, kinds={"table"}) == Pending([], None)

    await store.write(write)


NOW = 1_700_000_000_000
OLD, NEW = (
    MessageId((NOW - age - 1_420_070_400_000) << 22) for age in (FILES_KEPT_MS + 1, FILES_KEPT_MS - 1)
)
ONE, OTHER = AttachedFile(7, "a.png"), AttachedFile(9, "b.png")


async def test_what_is_attached_is_the_last_that_was_noted(store: Store):
    await store.write(lambda db: db.attached_files.set({OLD: [OTHER, ONE], NEW: [ONE]}))
    await store.write(lambda db: db.attached_files.set({NEW: [OTHER]}))

    async def read(db: ReadTransaction) -> None:
        assert await db.attached_files.of_message(OLD) == (ONE, OTHER)
        assert await db.attached_files.of_message(NEW) == (OTHER,)
        assert await db.attached_files.of_message(MessageId(5)) == ()

    await store.read(read)

    async def write(db: WriteTransaction) -> None:
        await db.attached_files.set({NEW: []})
        assert await db.attached_files.of_message(NEW) == ()

    await store.write(write)


async def test_old_messages_are_forgotten(store: Store):
    async def write(db: WriteTransaction) -> None:
        await db.attached_files.set({OLD: [ONE], NEW: [ONE]})
        await db.forget_old(NOW)
        assert await db.attached_files.of_message(OLD) == ()
        assert await db.attached_files.of_message(NEW) == (ONE,)

    await store.write(write)
