"""Everyone waits for the transaction that forgets a person, so it does little for each message and each old event."""

from dataclasses import replace

import pytest

from data.ids import MessageId
from data.names import spellings
from data.privacy.personal_data import Called
from data.repositories import seasons
from data.season_rows import SeasonEventRow
from data.store import Store
from data.transaction import WriteTransaction
from data.values import SeatRow
from league.events import RulingNoted, SignedUp
from tests.data.conftest import CHANNEL
from tests.data.test_erasure import BHARAT, GITA, GUILD, NAME, OTHER, RULES, meet, open_season
from tests.statements import statements

CALLED = "Player {number}"


async def play(db: WriteTransaction, tables: int) -> None:
    """Let Bharatendu and Gita play at so many tables and as many home games, and close them."""
    for _ in range(tables):
        table = await db.tables.create(GUILD, CHANNEL, BHARAT, RULES, 1_000)
        seats = [SeatRow(table.id, 0, BHARAT, NAME), SeatRow(table.id, 1, GITA, "Gita")]
        where = {"dm_channel_id": 5, "dm_message_id": table.id}
        await db.tables.set_seats(table.id, [replace(seat, **where) for seat in seats])
        table = await db.tables.update(table, status="closed", closed_at=2_000)
        await db.tables.set_message(table.id, CHANNEL, MessageId(100 + table.id))
        game = await db.score_sessions.open(GUILD, CHANNEL, (NAME, "Gita"), RULES, [GITA], 1_000)
        await db.score_sessions.update(game, 2_000, closed_at=2_000)
        await db.public_messages.note("score", game.id, CHANNEL, MessageId(1_000 + table.id))


@pytest.mark.file
async def test_of_however_many_messages_the_edits_are_asked_for_in_as_many_statements(store: Store):
    costs: list[int] = []
    for tables in (2, 20):
        await store.write(meet)
        await store.write(play, tables)
        before = await store.read(lambda db: db.outbox.backlog())
        made = statements(store)
        assert await store.write(lambda db: db.privacy.forget(BHARAT, 5_000, CALLED))
        costs.append(len(made))
        after = await store.read(lambda db: db.outbox.backlog())
        # The message and Gita's last hand at each table, and each home game.
        assert after.pending - before.pending == 3 * tables
    assert costs[0] == costs[1]


@pytest.fixture
def read_events(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of all events of leagues that are read from now on."""
    read: list[int] = []
    really = seasons._season_event

    def noting(row) -> SeasonEventRow:
        read.append(row.id)
        return really(row)

    monkeypatch.setattr(seasons, "_season_event", noting)
    return read


async def league(db: WriteTransaction, *notes: str) -> list[int]:
    """Let Gita open a league for Bharatendu and write these notes; returns their numbers."""
    season, player, staff = await open_season(db)
    await db.seasons.add_event(season.id, SignedUp(player), 2_000, actor=player)
    return [
        (await db.seasons.add_event(season.id, RulingNoted(text), 3_000, actor=staff, staff=True)).id
        for text in notes
    ]


async def notes_of(store: Store, season: int) -> list[str]:
    events = await store.read(lambda db: db.seasons.events(season))
    return [event.body.text for event in events if isinstance(event.body, RulingNoted)]


async def test_of_old_events_only_those_with_the_name_are_read_again(store: Store, read_events: list[int]):
    await store.write(meet)
    await store.write(league, "The first note")
    (_, named) = await store.write(league, "The second note", f"{NAME} came late")
    found = await store.read(lambda db: db.free_text.find(BHARAT))

    async def note_more(db: WriteTransaction) -> list[int]:
        staff = await db.seasons.keep_player(GITA)
        texts = f"{NAME} came late again", "The last note"
        return [(await db.seasons.add_event(1, RulingNoted(text), 4_000, actor=staff)).id for text in texts]

    newer = await store.write(note_more)
    read_events.clear()
    assert await store.write(lambda db: db.privacy.forget(BHARAT, 5_000, CALLED, found))
    assert sorted(read_events) == [named, *newer]
    texts = [*await notes_of(store, 1), *await notes_of(store, 2)]
    assert (
        [text for text in texts if "note" not in text] == [text for text in texts if "Player" in text] != []
    )


async def test_a_name_that_they_got_since_is_looked_for_in_all_events(store: Store):
    await store.write(meet)
    await store.write(league, "Zora came late")
    found = await store.read(lambda db: db.free_text.find(BHARAT))
    await store.write(lambda db: db.people.keep(BHARAT, "Zora", 2_000))
    assert await store.write(lambda db: db.privacy.forget(BHARAT, 5_000, CALLED, found))
    (text,) = await notes_of(store, 1)
    assert text.startswith("Player")


async def test_a_server_that_they_joined_since_is_searched(store: Store):
    async def add_other(db: WriteTransaction) -> None:
        await db.guilds.keep(GUILD)
        await db.people.keep(OTHER, "Zora", 1_000)

    await store.write(meet)
    await store.write(add_other)
    await store.write(league, "Zora came late")
    found = await store.read(lambda db: db.free_text.find(OTHER))
    await store.write(lambda db: db.staff_log.add(GUILD, None, OTHER, "setup", "", 2_000))
    assert await store.write(lambda db: db.privacy.forget(OTHER, 5_000, CALLED, found))
    (text,) = await notes_of(store, 1)
    assert text.startswith("Player")


async def test_two_who_are_forgotten_at_once_both_disappear_from_a_note(store: Store):
    await store.write(meet)
    await store.write(league, f"{NAME} and Gita came late")
    people = BHARAT, GITA
    found = [await store.read(lambda db, person=person: db.free_text.find(person)) for person in people]
    for person, what in zip(people, found, strict=True):

        async def forget(db: WriteTransaction, person: int = person, what=what) -> None:
            await db.privacy.forget(person, 5_000, CALLED, what)

        await store.write(forget)
    (text,) = await notes_of(store, 1)
    assert NAME not in text
    assert "Gita" not in text


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("राठौड\u093c", "राठौ\u095c"),
        ("राठौ\u095c", "राठौड\u093c"),
        ("René", "Rene\u0301"),
        ("Rene\u0301", "René"),
    ],
)
def test_a_name_is_found_however_a_keyboard_writes_its_signs(name: str, typed: str):
    called = Called(7, spellings(name), "P")
    assert called.scrubbed(f"{typed}, {name}") == "P, P"
    other = "Zoe\u0308 पढ\u093cती है"
    assert called.scrubbed(other) == other
