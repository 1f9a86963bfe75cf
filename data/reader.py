"""Questions to the database from a process that has no store: long ones are asked and worked out there."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from typing import Final, TypeVar

from data.database import Place
from data.repositories.season_cache import SeasonCache
from data.session import Scope
from data.sqlite.database import reading_once
from data.transaction import ReadTransaction

SLICE_S: Final = 0.05
"""A question hands over to other work after so long."""

T = TypeVar("T")


def asked(place: Place, question: Callable[[ReadTransaction], Awaitable[T]]) -> Generator[None, None, T]:
    """What a question to the database at `place` answers, in slices of time. It sees one snapshot and cannot write.

    Raises what the question raises, StoreUnavailableError and StoreDamagedError. Closed early, it gives the question up.
    """
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        task = loop.create_task(_answer(place, question))
        while not task.done():
            loop.run_until_complete(asyncio.wait({task}, timeout=SLICE_S))
            yield
        return task.result()


async def _answer(place: Place, question: Callable[[ReadTransaction], Awaitable[T]]) -> T:
    if isinstance(place, Path):
        reading = reading_once(place)
    else:
        from data.postgres import database  # what it needs is imported where it is used only

        reading = database.reading_once(place)
    async with reading as lease:
        return await question(ReadTransaction(Scope(lease, SeasonCache())))
