"""Noting what was published: rows that are published while a note is being written share the next one."""

import asyncio
from dataclasses import dataclass, field

from bot.clock import Clock
from data.outbox_keys import OutboxKey
from data.rows.outbox import OutboxRow
from data.store import Store


@dataclass(slots=True)
class _Batch:
    sent: list[tuple[OutboxRow[OutboxKey], int]] = field(
        default_factory=list[tuple[OutboxRow[OutboxKey], int]]
    )
    """Rows, with the revision at which each was published."""
    is_all: bool | None = None
    """Whether nothing later was requested of any of them; None until the batch is written."""


class Notes:
    """Writes one batch at a time. Where that fails, each of its rows tries again to write them all."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._writing = asyncio.Lock()
        self._open = _Batch()

    async def add(self, row: OutboxRow[OutboxKey], revision: int) -> bool:
        """Note that a row was published at that revision. False if more may be left to do in its batch.

        Raises what `Store.write` raises.
        """
        batch = self._open
        batch.sent.append((row, revision))
        async with self._writing:
            if batch.is_all is None:
                async with self._store.write() as db:
                    self._open = _Batch()
                    batch.is_all = await db.outbox.done(batch.sent, self._clock.now())
        return batch.is_all
