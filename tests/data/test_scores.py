import pytest
from sqlalchemy.exc import IntegrityError

from data.errors import RevisionConflictError
from data.ids import MessageId
from data.outbox_keys import ScoreAmendmentKey
from data.repositories.score_sessions import KEPT_MS
from data.transaction import ReadTransaction, WriteTransaction
from marriage.rules import preset
from marriage.scoring.home_game import HomeDeal, HomeSeat
from marriage.sheet import Status
from tests.data.conftest import CHANNEL, GUILD, RAM, SITA

DEAL = HomeDeal.of([HomeSeat(status=Status.SEEN, points=7), HomeSeat(status=Status.UNSEEN)], 0)


@pytest.fixture
async def session(store):
    async def write(db: WriteTransaction):
        await db.guilds.keep(GUILD)
        await db.people.keep(RAM, "राम", 1_000)
        await db.people.keep(SITA, "Sita", 1_000)
        return await db.score_sessions.open(
            GUILD, CHANNEL, ("राम", "Sita"), preset("kathmandu", alter=True), [RAM], 1_000
        )

    return await store.write(write)


async def test_a_session_comes_back_as_it_was_opened(store, session):
    async def write(db: WriteTransaction) -> None:
        await db.score_sessions.add_keeper(session.id, SITA)
        await db.score_sessions.add_keeper(session.id, SITA)

    await store.write(write)

    async def read(db: ReadTransaction) -> None:
        assert await db.score_sessions.get(session.id) == session
        assert await db.score_sessions.open_in_channel(CHANNEL) == session
        assert await db.score_sessions.keepers(session.id) == {RAM, SITA}
        assert await db.score_sessions.open_in_channel(CHANNEL + 1) is None

    await store.read(read)


async def test_deals_are_numbered_and_undone_without_being_lost(store, session):
    async def write(db: WriteTransaction) -> None:
        assert [await db.score_sessions.add_entry(session.id, DEAL, 2_000) for _ in "12"] == [1, 2]
        await db.score_sessions.undo_entry(session.id, 2)
        assert await db.score_sessions.add_entry(session.id, DEAL, 3_000) == 3

    await store.write(write)
    entries = await store.read(lambda db: db.score_sessions.entries(session.id))
    assert [(entry.number, entry.undone) for entry in entries] == [(1, False), (2, True), (3, False)]
    assert {entry.deal for entry in entries} == {DEAL}


async def test_two_who_write_at_once_do_not_write_over_each_other(store, session):
    changed = await store.write(lambda db: db.score_sessions.update(session, 2_000, draft="{}"))
    assert (changed.revision, changed.draft, changed.changed_at) == (1, "{}", 2_000)
    with pytest.raises(RevisionConflictError):
        await store.write(lambda db: db.score_sessions.update(session, 3_000, draft=None))
    assert await store.read(lambda db: db.score_sessions.get(session.id)) == changed


async def test_a_channel_has_one_open_session(store, session):
    with pytest.raises(IntegrityError):
        await store.write(
            lambda db: db.score_sessions.open(GUILD, CHANNEL, ("A", "B"), preset("pagat"), [RAM], 2_000)
        )

    async def write(db: WriteTransaction):
        await db.score_sessions.update(session, 2_000, closed_at=2_000)
        return await db.score_sessions.open(GUILD, CHANNEL, ("A", "B"), preset("pagat"), [RAM], 2_000)

    again = await store.write(write)
    assert await store.read(lambda db: db.score_sessions.open_in_channel(CHANNEL)) == again


async def test_a_session_that_nobody_has_changed_for_two_years_is_removed_with_all_its_rows(store, session):
    async def write(db: WriteTransaction):
        await db.score_sessions.add_entry(session.id, DEAL, 1_000)
        await db.public_messages.note("score", session.id, CHANNEL, MessageId(77))
        await db.public_messages.note("day", session.id, CHANNEL, MessageId(78))
        await db.score_sessions.update(session, 1_000, closed_at=1_000)
        return await db.score_sessions.open(GUILD, CHANNEL, ("A", "B"), preset("pagat"), [RAM], 1_001)

    newer = await store.write(write)

    async def kept(db: WriteTransaction, session_id: int) -> tuple[bool, int, int, list[ScoreAmendmentKey]]:
        return (
            await db.score_sessions.get(session_id) is not None,
            len(await db.score_sessions.entries(session_id)),
            len(await db.score_sessions.keepers(session_id)),
            await db.public_messages.scores(session_id),
        )

    await store.write(lambda db: db.forget_old(1_000 + KEPT_MS))
    whole = (True, 1, 1, [ScoreAmendmentKey(session.id, CHANNEL, MessageId(77))])
    assert await store.write(lambda db: kept(db, session.id)) == whole
    await store.write(lambda db: db.forget_old(1_001 + KEPT_MS))
    assert await store.write(lambda db: kept(db, session.id)) == (False, 0, 0, [])
    assert await store.write(lambda db: kept(db, newer.id)) == (True, 0, 1, [])
