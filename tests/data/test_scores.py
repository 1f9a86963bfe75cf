import pytest
from sqlalchemy.exc import IntegrityError

from data.errors import RevisionConflictError
from marriage.rules import preset
from marriage.scoring.home_game import HomeDeal, HomeSeat
from marriage.sheet import Status
from tests.data.conftest import CHANNEL, GUILD, RAM, SITA

DEAL = HomeDeal.of([HomeSeat(status=Status.SEEN, points=7), HomeSeat(status=Status.UNSEEN)], 0)


@pytest.fixture
async def session(store):
    async with store.writing() as db:
        await db.guilds.keep(GUILD)
        await db.people.keep(RAM, "राम", 1_000)
        await db.people.keep(SITA, "Sita", 1_000)
        return await db.score_sessions.open(
            GUILD, CHANNEL, ("राम", "Sita"), preset("kathmandu", alter=True), [RAM], 1_000
        )


async def test_a_session_comes_back_as_it_was_opened(store, session):
    async with store.writing() as db:
        await db.score_sessions.add_keeper(session.id, SITA)
        await db.score_sessions.add_keeper(session.id, SITA)
    async with store.reading() as db:
        assert await db.score_sessions.get(session.id) == session
        assert await db.score_sessions.open_in_channel(CHANNEL) == session
        assert await db.score_sessions.keepers(session.id) == {RAM, SITA}
        assert await db.score_sessions.open_in_channel(CHANNEL + 1) is None


async def test_deals_are_numbered_and_undone_without_being_lost(store, session):
    async with store.writing() as db:
        assert [await db.score_sessions.add_entry(session.id, DEAL, 2_000) for _ in "12"] == [1, 2]
        await db.score_sessions.undo_entry(session.id, 2)
        assert await db.score_sessions.add_entry(session.id, DEAL, 3_000) == 3
    async with store.reading() as db:
        entries = await db.score_sessions.entries(session.id)
    assert [(entry.number, entry.undone) for entry in entries] == [(1, False), (2, True), (3, False)]
    assert {entry.deal for entry in entries} == {DEAL}


async def test_two_who_write_at_once_do_not_write_over_each_other(store, session):
    async with store.writing() as db:
        changed = await db.score_sessions.update(session, 2_000, draft="{}")
    assert (changed.revision, changed.draft, changed.changed_at) == (1, "{}", 2_000)
    with pytest.raises(RevisionConflictError):
        async with store.writing() as db:
            await db.score_sessions.update(session, 3_000, draft=None)
    async with store.reading() as db:
        assert await db.score_sessions.get(session.id) == changed


async def test_a_channel_has_one_open_session(store, session):
    with pytest.raises(IntegrityError):
        async with store.writing() as db:
            await db.score_sessions.open(GUILD, CHANNEL, ("A", "B"), preset("pagat"), [RAM], 2_000)
    async with store.writing() as db:
        await db.score_sessions.update(session, 2_000, closed_at=2_000)
        again = await db.score_sessions.open(GUILD, CHANNEL, ("A", "B"), preset("pagat"), [RAM], 2_000)
    async with store.reading() as db:
        assert await db.score_sessions.open_in_channel(CHANNEL) == again
