"""The cost of a move and of a look: statements are counted, except begins and ends of transactions."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.errors import RepeatedInteractionError, UserError
from bot.table.core.change import TableTransaction
from bot.table.core.table import COMPUTER, WINDOW
from data.errors import RevisionConflictError
from data.preferences import Pace
from data.store import HAS_STORED, Store
from data.transaction import ReadTransaction, WriteTransaction
from marriage.actions import Action, Discard, DrawStock, ExposeTunnelas
from marriage.cards import parse_cards
from marriage.legal import legal_actions
from marriage.view import View
from tests.bot.house import PEOPLE, House
from tests.e2e.dealt import dealing, dull
from tests.statements import statements, trips

UPDATE, EVENTS, SET = "UPDATE game_table", "INSERT INTO event", "INSERT INTO deadline"
CLEAR, OUTBOX, SEEN = "DELETE FROM deadline", "INSERT INTO outbox", "INSERT INTO interaction_seen"
MOVE = [CLEAR, EVENTS, SET, SEEN, OUTBOX, UPDATE]
"""All statements of a move: six."""


@pytest.fixture
async def house(path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    monkeypatch.setattr("bot.table.flow.seating.start", dull())
    store = await Store.open(path)
    yield House(store)
    await store.close()


async def begin(house: House, people: int, computers: int) -> list[str]:
    """Start a deal of two seats, look at it, and return the list of later statements."""
    await house.seat_people(Pace.NORMAL, people=people, computers=computers)
    await house.tables.snapshot(1)
    return statements(house.store)


def told(made: list[str]) -> list[str]:
    """Return the statements since the last call, abbreviated and sorted."""
    kinds = [UPDATE, EVENTS, SET, CLEAR, OUTBOX, SEEN]
    short = sorted(next((kind for kind in kinds if said.startswith(kind)), said) for said in made)
    made.clear()
    return short


async def move(house: House, person: int, choose: Callable[[View], Action]) -> None:
    await house.play.move(1, person, choose, None, next(house.ids))


def draw(_: View) -> Action:
    return DrawStock()


def throw(seen: View) -> Action:
    return next(action for action in legal_actions(seen) if isinstance(action, Discard))


async def person_to_move(house: House) -> int:
    table = await house.tables.get(1)
    assert table.state is not None
    return table.seats[table.state.turn].person_id or 0


async def computer_acts(house: House) -> None:
    waits = (await house.tables.get(1)).deadlines[COMPUTER]
    house.clock.at = waits.due_at
    await house.play.computer_turn(1, waits.revision)


async def window_closes(house: House) -> None:
    waits = (await house.tables.get(1)).deadlines[WINDOW]
    house.clock.at = waits.due_at
    await house.play.close_window(1, waits.revision)


async def test_a_tunnela_that_is_exposed(house: House, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.table.flow.seating.start", dealing("5H 5H 5H", "2S 4S 6S"))
    made = await begin(house, people=2, computers=0)
    await move(house, PEOPLE[0], lambda _: ExposeTunnelas(parse_cards("5H")))
    assert told(made) == sorted({*MOVE} - {SET, CLEAR})


async def test_the_end_of_the_window(house: House):
    made = await begin(house, people=2, computers=0)
    await window_closes(house)
    assert told(made) == sorted({*MOVE} - {SEEN})


async def test_a_draw_and_a_discard(house: House):
    made = await begin(house, people=2, computers=0)
    await window_closes(house)
    made.clear()
    for _ in range(4):
        person = await person_to_move(house)
        await move(house, person, draw)
        assert told(made) == sorted({*MOVE} - {CLEAR})
        await move(house, person, throw)
        assert told(made) == sorted({*MOVE} - {CLEAR})


async def test_all_of_a_move_is_one_trip_to_the_thread_of_the_database(house: House):
    await begin(house, people=2, computers=0)
    made = trips(house.store)
    await window_closes(house)
    for choose in (draw, throw):
        await move(house, await person_to_move(house), choose)
    assert made == ["_run"] * 3


async def test_a_turn_of_a_computer_and_of_the_person_after_it(house: House):
    made = await begin(house, people=1, computers=1)
    for _ in range(4):
        if person := await person_to_move(house):
            await move(house, person, draw)
            assert told(made) == sorted({*MOVE} - {CLEAR})
            await move(house, person, throw)
            assert told(made) == sorted(MOVE)
        else:
            await computer_acts(house)
            assert told(made) == sorted({*MOVE} - {SEEN})


async def test_a_look_at_a_table_or_a_hand_costs_nothing(house: House):
    made = await begin(house, people=2, computers=0)
    await window_closes(house)
    made.clear()
    assert await house.presence.back(1, PEOPLE[0]) is None
    snapshot = await house.tables.snapshot(1)
    assert snapshot.private
    assert snapshot.last_moves
    assert told(made) == []


async def test_what_is_kept_is_what_the_file_holds(house: House):
    await begin(house, people=1, computers=1)
    for _ in range(6):
        if person := await person_to_move(house):
            await move(house, person, draw)
            await move(house, person, throw)
        else:
            await computer_acts(house)
        kept = await house.tables.get(1)
        house.tables.forget([1])
        read = await house.tables.get(1)
        assert kept is not read
        assert fields_of(kept) == fields_of(read)


def fields_of(table: Any) -> dict[str, Any]:
    return {name: getattr(table, name) for name in type(table).__dataclass_fields__}


async def test_a_repeated_press_changes_nothing_whatever_it_would_do(house: House):
    await begin(house, people=2, computers=0)
    await window_closes(house)
    first = await person_to_move(house)
    await house.play.move(1, first, draw, None, 77)
    before = fields_of(await house.tables.get(1))
    for press in (draw, throw):  # refused or not: it was handled
        HAS_STORED.set(False)
        with pytest.raises(RepeatedInteractionError):
            await house.play.move(1, first, press, None, 77)
        assert HAS_STORED.get(), "its person would read that nothing was done"
    other = next(person for person in PEOPLE[:2] if person != first)
    with pytest.raises(RepeatedInteractionError):
        await house.play.move(1, other, draw, None, 77)
    assert fields_of(await house.tables.get(1)) == before


async def refused(house: House, *, asks_file: bool) -> None:
    """Run a command that is refused after many changes."""

    async def command(tx: TableTransaction) -> None:
        tx.update(dealer=1)
        tx.deadlines.clear()
        tx.publish([0, 1])
        if asks_file:
            await tx.database()
        raise UserError("sorry.no_deal")

    await house.tables.change(1, command)


async def test_an_exception_in_a_command_changes_nothing_in_memory_or_in_the_file(house: House):
    await begin(house, people=2, computers=0)
    before = fields_of(await house.tables.get(1))
    for asks_file in (False, True):
        with pytest.raises(UserError):
            await refused(house, asks_file=asks_file)
        assert fields_of(await house.tables.get(1)) == before
        house.tables.forget([1])
        assert fields_of(await house.tables.get(1)) == before


async def test_a_table_that_was_changed_elsewhere_is_read_anew(house: House):
    """For example by another process: the table in memory is older, and no notice has arrived."""
    await begin(house, people=2, computers=0)

    async def write(db: WriteTransaction):
        table = await db.tables.get(1)
        assert table is not None
        await db.tables.update(table, dealer=1 - table.dealer)
        db.tables._changes.tables.clear()
        return table

    table = await house.store.write(write)

    async def publish(tx: TableTransaction) -> None:
        tx.publish()

    with pytest.raises(RevisionConflictError):
        await house.tables.change(1, publish)
    assert (await house.tables.get(1)).row.dealer == 1 - table.dealer


async def test_what_changes_beside_a_table_is_seen_at_the_next_look(house: House):
    await begin(house, people=2, computers=0)

    async def write(db: WriteTransaction) -> None:
        await db.guests.set_standing(1, PEOPLE[1], "invited")
        await db.tables.set_message(1, 5, 6)
        await db.deadlines.credit(house.clock.at, house.clock.at + 60_000, 0)

    await house.store.write(write)
    snapshot = await house.tables.snapshot(1)
    assert [guest.person.id for guest in snapshot.guests] == [PEOPLE[1]]
    assert (snapshot.table.channel_id, snapshot.table.message_id) == (5, 6)

    async def read(db: ReadTransaction):
        return {row.kind: row.due_at for row in await db.deadlines.of_table(1)}

    due = await house.store.read(read)
    assert snapshot.window_closes_at == due[WINDOW]
