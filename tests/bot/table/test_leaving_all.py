"""Leaving all tables at once, as when a person asks to be forgotten."""

import pytest

from bot.errors import UserError
from data.preferences import Pace
from tests.bot.house import PEOPLE, House


async def test_a_table_that_closes_meanwhile_is_passed_over(house: House, monkeypatch):
    await house.seat_people(Pace.NONE, 2, 0)
    look = house.tables.table_of

    async def looked_up(person_id: int) -> int | None:
        """Look the table up, then close it."""
        found = await look(person_id)
        if found is not None:
            for person in PEOPLE[:2]:
                await house.leaving.leave(found, person, None)
        return found

    monkeypatch.setattr(house.tables, "table_of", looked_up)
    assert await house.leaving.leave_all(PEOPLE[0]) == []


async def test_what_cannot_be_left_is_said(house: House, monkeypatch):
    await house.seat_people(Pace.NONE, 2, 0)

    async def refuse(*_: object) -> str:
        raise UserError("sorry.left_already")

    monkeypatch.setattr(house.leaving, "leave", refuse)
    with pytest.raises(UserError):
        await house.leaving.leave_all(PEOPLE[0])
