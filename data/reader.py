"""Questions to the file from a process that has no store: long ones are asked and worked out there."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from typing import Final, TypeVar

from data import engines
from data.connections import Lease, Link
from data.files.faults import named_faults
from data.repositories.season_cache import SeasonCache
from data.session import Scope
from data.transaction import ReadTransaction, read_transaction

SLICE_S: Final = 0.05
"""A question hands over to other work after so long."""

T = TypeVar("T")


def asked(path: Path, question: Callable[[ReadTransaction], Awaitable[T]]) -> Generator[None, None, T]:
    """What a question to the file at `path` answers, in slices of time. It sees one snapshot and cannot write.

    Raises what the question raises, StoreUnavailableError and StoreDamagedError. Closed early, it gives the question up.
    """
    with asyncio.Runner() as runner:
        loop = runner.get_loop()
        task = loop.create_task(_answer(path, question))
        while not task.done():
            loop.run_until_complete(asyncio.wait({task}, timeout=SLICE_S))
            yield
        return task.result()


async def _answer(path: Path, question: Callable[[ReadTransaction], Awaitable[T]]) -> T:
    link = Link(engines.readers(path), engines.READ)
    try:
        with named_faults():
            return await question(read_transaction(Scope(Lease(link), SeasonCache())))
    finally:
        await link.close()
