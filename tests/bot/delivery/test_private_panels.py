"""Private panels: nobody's panels keep those of others waiting."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from types import SimpleNamespace
from typing import Any

import pytest

from bot.delivery.private_panels import MOST_OF_A_PERSON, PrivatePanels
from bot.words.texts import texts
from tests.bot.conftest import RAM, SITA, SetClock
from tests.waiting import until

LAST = 100_000


class Tracker:
    """A tracker that notes the edited messages, in order."""

    def __init__(self) -> None:
        self.edited: list[int] = []

    def answered(self, *_: Any, **__: Any) -> None:
        pass

    def token_ends_at(self, _message_id: int) -> int | None:
        return 10**15

    def forget(self, _message_id: int) -> None:
        pass

    @asynccontextmanager
    async def hold(self, _message_id: int) -> AsyncGenerator[bool, None]:
        yield False

    async def edit_by_token(self, message_id: int, *_: Any) -> bool:
        await asyncio.sleep(0)
        self.edited.append(message_id)
        return True


class Tables:
    """Any number of tables that are all in the same state."""

    def __init__(self, clock: SetClock) -> None:
        self.clock = clock
        self.status = "lobby"

    async def get(self, table_id: int) -> Any:
        return SimpleNamespace(row=self.row(table_id))

    async def snapshot(self, table_id: int) -> Any:
        return SimpleNamespace(table=self.row(table_id))

    def row(self, table_id: int) -> Any:
        return SimpleNamespace(id=table_id, status=self.status, deal_no=0, revision=1)


@pytest.fixture
def tables(clock: SetClock) -> Tables:
    return Tables(clock)


@pytest.fixture
async def panels(tables: Tables) -> AsyncGenerator[Any, None]:
    panels: Any = PrivatePanels(tables, Tracker())  # type: ignore[arg-type]
    running = asyncio.create_task(panels.run())
    yield panels
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


def keep(panels: Any, tables: Tables, message_id: int, person_id: int, table_id: int) -> None:
    interaction = SimpleNamespace(user=SimpleNamespace(id=person_id))
    reply = SimpleNamespace(interaction=interaction, files=(), is_besides=False)
    panels.keep(reply, message_id, SimpleNamespace(table=tables.row(table_id)), texts())


@pytest.mark.parametrize("at", ["one table", "many tables"])
async def test_only_the_newest_panels_of_a_person_are_closed(panels, tables, at):
    for number in range(1_000):
        keep(panels, tables, number, RAM, number if at == "many tables" else 1)
    keep(panels, tables, LAST, SITA, 1)
    tables.status = "playing"
    for table_id in range(1_000):
        panels.changed(table_id)
    tracker: Any = panels._tracker
    await until(lambda: LAST in tracker.edited)
    await until(lambda: len(tracker.edited) == MOST_OF_A_PERSON + 1)
    await asyncio.sleep(0.1)
    assert sorted(tracker.edited) == [*range(1_000 - MOST_OF_A_PERSON, 1_000), LAST]


async def test_a_panel_that_is_pressed_again_counts_as_new(panels, tables):
    for number in range(MOST_OF_A_PERSON):
        keep(panels, tables, number, RAM, 1)
    keep(panels, tables, 0, RAM, 1)
    keep(panels, tables, LAST, RAM, 1)
    tables.status = "playing"
    panels.changed(1)
    tracker: Any = panels._tracker
    await until(lambda: len(tracker.edited) == MOST_OF_A_PERSON)
    assert sorted(tracker.edited) == [0, *range(2, MOST_OF_A_PERSON), LAST]
