"""The outbox: what is still to be published. A row says what to draw, never a card of it.

Of one key (such as one message) only the newest state is worth sending, so at most one row of it waits.
"""

from collections.abc import Collection

from sqlalchemy import ColumnElement, case, delete, func, select, update

from data.dialect import greater, lesser, upsert
from data.schema import OUTBOX_PENDING, outbox
from data.session import Session
from data.values import OutboxRow

KEPT_MS = 24 * 3600 * 1000
ERROR_LENGTH = 200

_ROW = select(
    outbox.c.id,
    outbox.c.table_id,
    outbox.c.kind,
    outbox.c.key,
    outbox.c.seat,
    outbox.c.revision,
    outbox.c.attempts,
    outbox.c.queued_at,
    outbox.c.not_before,
).where(OUTBOX_PENDING)


class OutboxQueries(Session):
    """Tells what waits to be published."""

    __slots__ = ()

    async def due(self, now_ms: int, limit: int, beside: Collection[int] = ()) -> list[OutboxRow]:
        """What may be sent now, in the order in which it was asked for, leaving out the rows with the ids `beside`."""
        due = _ROW.where(outbox.c.not_before <= now_ms, outbox.c.id.not_in(beside))
        return await self._all(OutboxRow, due.order_by(outbox.c.id).limit(limit))

    async def next_at(self, after: int = -1) -> int | None:
        """When the soonest row that waits until after that moment may be sent; None if nothing waits so long."""
        waiting = OUTBOX_PENDING, outbox.c.not_before > after
        return await self._scalar(select(func.min(outbox.c.not_before)).where(*waiting))


class OutboxRepository(OutboxQueries):
    """Asks for publication and notes what became of it."""

    __slots__ = ()

    async def put(
        self,
        table_id: int,
        kind: str,
        key: str,
        revision: int,
        now: int,
        seat: int | None = None,
        wait_ms: int = 0,
    ) -> None:
        """Ask that `key` be brought to this revision, in `wait_ms` at the latest.

        A waiting row of the key takes it up and keeps its place and its nonce. It goes out as soon as anybody asked
        for, unless it failed before: a channel that fails is not tried more often because people play on.
        """
        asked = {"kind": kind, "seat": seat}
        due = now + wait_ms
        sooner = case((outbox.c.attempts == 0, lesser(outbox.c.not_before, due)), else_=outbox.c.not_before)
        new = {"revision": revision, "attempts": 0, "queued_at": now, "not_before": due, **asked}
        again = {"revision": greater(outbox.c.revision, revision), "not_before": sooner, **asked}
        await self._execute(
            upsert(outbox, {"table_id": table_id, "key": key}, new, on_conflict=again, among=OUTBOX_PENDING)
        )

    async def renew(self, row: OutboxRow, now: int) -> OutboxRow:
        """A new row, with a nonce of its own, in place of one that waits: it asks for all that is asked for by now."""
        waiting = await self._waiting(row) or row
        await self._end(now, "renewed", outbox.c.id == row.id)
        wait_ms = max(0, waiting.not_before - now)
        await self.put(row.table_id, row.kind, row.key, waiting.revision, now, waiting.seat, wait_ms)
        rows = await self._execute(_ROW.where(outbox.c.table_id == row.table_id, outbox.c.key == row.key))
        return OutboxRow(**rows.mappings().one())

    async def done(self, row: OutboxRow, revision: int, now: int) -> bool:
        """Published at that revision; False if a later one was asked for meanwhile.

        That waits as a row of its own: with the same nonce Discord would take its message for this one.
        """
        done = await self._end(now, None, outbox.c.id == row.id, outbox.c.revision <= revision)
        if not done and await self._waiting(row):
            await self.renew(row, now)
        return done

    async def _waiting(self, row: OutboxRow) -> OutboxRow | None:
        return await self._one(OutboxRow, _ROW.where(outbox.c.id == row.id))

    async def hasten(self, table_id: int, key: str, now: int) -> None:
        """What waits under this key may be sent now."""
        await self._execute(
            update(outbox)
            .where(outbox.c.table_id == table_id, outbox.c.key == key, OUTBOX_PENDING)
            .values(not_before=lesser(outbox.c.not_before, now))
        )

    async def advance(self, by_ms: int) -> None:
        """Everything that waits may be sent so much sooner: the clock that it was asked for by was ahead."""
        await self._execute(
            update(outbox).where(OUTBOX_PENDING).values(not_before=outbox.c.not_before - by_ms)
        )

    async def retry(self, outbox_id: int, not_before: int, error: str) -> None:
        """That attempt failed: try again, but not before."""
        await self._execute(
            update(outbox)
            .where(outbox.c.id == outbox_id, OUTBOX_PENDING)
            .values(attempts=outbox.c.attempts + 1, not_before=not_before, error=error[:ERROR_LENGTH])
        )

    async def drop(self, outbox_id: int, revision: int, reason: str, now: int) -> None:
        """Give up for good at that revision; a later one that was asked for meanwhile, elsewhere perhaps, is tried."""
        await self._end(now, reason[:ERROR_LENGTH], outbox.c.id == outbox_id, outbox.c.revision <= revision)

    async def _end(self, now: int, error: str | None, *which: ColumnElement[bool]) -> bool:
        """Let a row wait no longer; whether there was one."""
        ended = await self._execute(
            update(outbox).where(*which, OUTBOX_PENDING).values(done_at=now, error=error)
        )
        return ended.rowcount == 1

    async def forget_old(self, now: int) -> None:
        """Remove what was kept long enough."""
        await self._execute(delete(outbox).where(outbox.c.done_at < now - KEPT_MS))
