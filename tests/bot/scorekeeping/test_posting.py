"""A home game is answered first, and its place is stored later: no one forgotten in between stays in it."""

import pytest

from bot.people import NamedPerson
from bot.scorekeeping.scorekeeper import Keeper, Scorekeeper, ScoreSession
from data.ids import MessageId
from data.outbox_keys import OldScoresKey, ScoreAmendmentKey
from data.privacy.public_messages import MOST_SCORES
from data.store import Store
from data.transaction import ReadTransaction
from marriage.rules import PRESETS
from tests.bot.conftest import CHANNEL, GUILD, RAM, SITA, SetClock
from tests.statements import statements

MESSAGE = MessageId(77)


@pytest.fixture
def scores(store: Store, clock: SetClock) -> Scorekeeper:
    return Scorekeeper(store, clock)


@pytest.fixture
async def shown(scores: Scorekeeper, store: Store, clock: SetClock) -> ScoreSession:
    """A home game of Ram and Sita as its message shows it; the message's location is not stored yet."""
    keepers = [NamedPerson(RAM, "Ram"), NamedPerson(SITA, "Sita")]
    session_id = await scores.open(GUILD, CHANNEL, keepers, ("Ram", "Sita"), PRESETS["pagat"])
    return await scores.evening(session_id, GUILD)


async def amended(store: Store, clock: SetClock) -> list[object]:
    async def read(db: ReadTransaction) -> list[object]:
        return [row.key for row in await db.outbox.due(clock.now(), 99)]

    return await store.read(read)


async def test_a_message_that_is_as_it_should_be_is_left_alone(scores, shown, store, clock):
    await scores.posted(shown, CHANNEL, MESSAGE)
    assert await amended(store, clock) == []


async def test_who_was_forgotten_while_the_answer_was_on_its_way_is_edited_out(scores, shown, store, clock):
    await store.write(lambda db: db.privacy.forget(SITA, clock.now(), "Player {number}"))
    assert await amended(store, clock) == []
    await scores.posted(shown, CHANNEL, MESSAGE)
    assert await amended(store, clock) == [ScoreAmendmentKey(shown.session.id, CHANNEL, MESSAGE)]


async def test_so_is_a_keeper_who_does_not_play(scores, store, clock):
    session_id = await scores.open(GUILD, CHANNEL, [NamedPerson(RAM, "Ram")], ("A", "B"), PRESETS["pagat"])
    shown = await scores.evening(session_id, GUILD)
    await store.write(lambda db: db.privacy.forget(RAM, clock.now(), "Player {number}"))
    await scores.posted(shown, CHANNEL, MESSAGE)
    assert await amended(store, clock) == [ScoreAmendmentKey(session_id, CHANNEL, MESSAGE)]


async def test_a_name_that_is_gone_disappears_from_all_messages(scores, shown, store, clock):
    session_id, keeper = shown.session.id, Keeper(NamedPerson(RAM, "Ram"), staff=False)
    for number in (1, 2):
        await scores.posted(shown, CHANNEL, MessageId(number))
    await scores.change(session_id, GUILD, keeper, None, {"names": ("Ram", "Sita", "Hari")})
    assert await amended(store, clock) == []
    await scores.change(session_id, GUILD, keeper, None, {"names": ("Ram", "S", "Hari")})
    assert await amended(store, clock) == [
        ScoreAmendmentKey(session_id, CHANNEL, MessageId(number)) for number in (1, 2)
    ]


async def test_however_often_a_score_is_shown_a_change_asks_for_few_edits_in_one_statement(
    scores, shown, store, clock
):
    session_id, keeper = shown.session.id, Keeper(NamedPerson(RAM, "Ram"), staff=False)
    for number in range(1, 3 * MOST_SCORES + 1):
        await scores.posted(shown, CHANNEL, MessageId(number))
    old = OldScoresKey(session_id, CHANNEL)
    assert await amended(store, clock) == [old]  # however many there are
    made = statements(store)
    await scores.change(session_id, GUILD, keeper, None, {"names": ("Ram", "S")})
    assert (
        len([said for said in made if said.startswith("INSERT INTO outbox")]) == 2
    )  # the newest, and the others
    newest = [MessageId(number) for number in range(2 * MOST_SCORES + 1, 3 * MOST_SCORES + 1)]
    edits = [ScoreAmendmentKey(session_id, CHANNEL, message_id) for message_id in newest]
    assert await amended(store, clock) == [old, *edits]
