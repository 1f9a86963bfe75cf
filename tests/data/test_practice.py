import pytest

from data.errors import RevisionConflictError
from data.transaction import WriteTransaction
from marriage.actions import ExposeTunnelas
from marriage.cards import parse_cards
from marriage.strategy.practice import after, opening
from tests.data.conftest import RAM


async def test_a_practice_deal_comes_back_and_is_not_written_over(store):
    events = opening()

    async def write(db: WriteTransaction):
        await db.people.keep(RAM, "राम", 1_000)
        assert await db.practice.get(RAM) is None
        first = await db.practice.set(RAM, 0, events, 1_000)
        assert await db.practice.get(RAM) == first
        second = await db.practice.set(
            RAM, first.revision, after(events, ExposeTunnelas(parse_cards("2D"))), 2_000
        )
        return first, second

    first, second = await store.write(write)
    assert await store.read(lambda db: db.practice.get(RAM)) == second
    assert second.revision == 2
    with pytest.raises(RevisionConflictError):
        await store.write(lambda db: db.practice.set(RAM, first.revision, events, 3_000))
    with pytest.raises(RevisionConflictError):
        await store.write(lambda db: db.practice.set(RAM, 0, events, 3_000))
    assert (await store.write(lambda db: db.practice.set(RAM, 2, events, 4_000))).revision == 3


async def test_a_move_of_a_person_forgotten_meanwhile_is_a_conflict(store):
    """A press and "forget me" at the same moment."""

    async def write(db: WriteTransaction):
        await db.people.keep(RAM, "राम", 1_000)
        return await db.practice.set(RAM, 0, opening(), 1_000)

    row = await store.write(write)
    await store.write(lambda db: db.privacy.forget(RAM, 2_000, "Player 1"))
    with pytest.raises(RevisionConflictError):
        await store.write(lambda db: db.practice.set(RAM, row.revision, opening(), 3_000))
    assert await store.read(lambda db: db.practice.get(RAM)) is None
