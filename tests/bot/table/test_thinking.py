"""Computers think without holding up the people at their table."""

import asyncio
import threading
from collections.abc import AsyncIterator

import pytest

from bot.errors import StaleRevisionError
from bot.table.core.table import COMPUTER
from bot.table.flow import computers
from data.preferences import Pace
from data.store import Place, Store
from marriage.actions import Discard, DrawStock, ExposeTunnelas
from marriage.cards import Card, parse_cards
from marriage.rules import preset
from tests.bot.house import PEOPLE, House
from tests.e2e.dealt import dealing
from tests.waiting import until

pytestmark = pytest.mark.threads


@pytest.fixture
async def house(place: Place, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    """A table where a computer is to move, while a person who moves later may still expose a tunnela."""
    monkeypatch.setattr("bot.table.flow.seating.start", dealing("5H 5H 5H", "2S 4S 6S", "2H 4H 6H"))
    store = await Store.open(place)
    house = House(store)
    rules = preset("pagat", tunnela_window="own_first_draw")
    await house.seat_people(Pace.NONE, people=2, computers=1, rules=rules)
    for choose in (lambda _: DrawStock(), lambda _: Discard(Card.parse("2S"))):
        await house.play.move(1, PEOPLE[1], choose, None, next(house.ids))
    yield house
    await store.close()


@pytest.fixture
def thoughts(monkeypatch: pytest.MonkeyPatch) -> "Thoughts":
    thoughts = Thoughts()
    monkeypatch.setattr("bot.table.play.turns", thoughts.turns)
    return thoughts


class Thoughts:
    """The computers; the first one thinks until it is released."""

    def __init__(self) -> None:
        self.count = 0
        self.let_go = threading.Event()

    def turns(self, state, seats):
        self.count += 1
        self.let_go.wait()
        return computers.turns(state, seats)


async def begin_to_think(house: House, thoughts: Thoughts) -> "asyncio.Task[None]":
    waits = (await house.tables.get(1)).deadlines[COMPUTER]
    house.clock.at = waits.due_at
    turn = asyncio.create_task(house.play.computer_turn(1, waits.revision))
    await until(lambda: thoughts.count)
    return turn


async def test_while_a_computer_thinks_its_table_is_not_locked(house: House, thoughts: Thoughts):
    turn = await begin_to_think(house, thoughts)
    async with house.tables.lock(1):
        thoughts.let_go.set()
    await turn
    assert thoughts.count == 1
    assert (await house.state()).turn == 0


async def test_what_was_thought_is_dropped_if_somebody_has_moved_meanwhile(house: House, thoughts: Thoughts):
    turn = await begin_to_think(house, thoughts)
    await house.play.move(1, PEOPLE[0], lambda _: ExposeTunnelas(parse_cards("5H")), None, next(house.ids))
    thoughts.let_go.set()
    with pytest.raises(StaleRevisionError):
        await turn
    assert (await house.state()).turn == 2
    await (await begin_to_think(house, thoughts))
    assert (await house.state()).turn == 0


async def test_a_computer_thinks_again_if_the_table_has_changed_meanwhile(house: House, thoughts: Thoughts):
    turn = await begin_to_think(house, thoughts)
    await house.endings.ask(1, PEOPLE[0], next(house.ids))
    thoughts.let_go.set()
    await turn
    assert thoughts.count == 2
    assert (await house.state()).turn == 0
