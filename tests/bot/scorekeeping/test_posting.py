"""A home game is answered first, and its place is stored later: no one forgotten in between stays in it."""

import pytest

from bot.people import NamedPerson
from bot.scorekeeping.scorekeeper import Scorekeeper
from data.ids import MessageId
from data.outbox_keys import ScoreAmendmentKey
from data.repositories.score_sessions import ScoreSessionRow
from data.store import Store
from data.transaction import ReadTransaction
from marriage.rules import PRESETS
from tests.bot.conftest import CHANNEL, GUILD, RAM, SITA, SetClock

MESSAGE = MessageId(77)


@pytest.fixture
def scores(store: Store, clock: SetClock) -> Scorekeeper:
    return Scorekeeper(store, clock)


@pytest.fixture
async def shown(scores: Scorekeeper, store: Store, clock: SetClock) -> ScoreSessionRow:
    """A home game of Ram and Sita as its message shows it; the message's location is not stored yet."""
    keepers = [NamedPerson(RAM, "Ram"), NamedPerson(SITA, "Sita")]
    session_id = await scores.open(GUILD, CHANNEL, keepers, ("Ram", "Sita"), PRESETS["pagat"])
    return (await scores.evening(session_id, GUILD)).session


async def amended(store: Store, clock: SetClock) -> list[object]:
    async def read(db: ReadTransaction) -> list[object]:
        return [row.key for row in await db.outbox.due(clock.now(), 9)]

    return await store.read(read)


async def test_a_message_that_is_as_it_should_be_is_left_alone(scores, shown, store, clock):
    await scores.posted(shown, CHANNEL, MESSAGE)
    assert await amended(store, clock) == []


async def test_who_was_forgotten_while_the_answer_was_on_its_way_is_edited_out(scores, shown, store, clock):
    await store.write(lambda db: db.privacy.forget(SITA, clock.now(), "Player {number}"))
    assert await amended(store, clock) == []
    await scores.posted(shown, CHANNEL, MESSAGE)
    assert await amended(store, clock) == [ScoreAmendmentKey(shown.id, CHANNEL, MESSAGE)]
