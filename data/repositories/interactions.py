"""Interactions that were answered: a repeated one gets the stored answer and changes nothing."""

from typing import Any

from sqlalchemy import bindparam, delete, select

from data.dialect import insert_or_keep
from data.errors import InteractionSeenError
from data.ids import InteractionId
from data.schema.core import interaction_seen
from data.session import Expected, Session
from data.values import SeenRow
from league.ids import TableId
from league.times import DAY

KEPT_MS = 7 * DAY

_FIND = select(interaction_seen).where(interaction_seen.c.interaction_id == bindparam("interaction_id"))
_RECORD = insert_or_keep(interaction_seen)


class InteractionQueries(Session):
    """Looks up answered interactions."""

    __slots__ = ()

    async def find(self, interaction_id: InteractionId) -> SeenRow | None:
        """How this interaction was answered; None if it was not."""
        return await self._one(SeenRow, _FIND, {"interaction_id": interaction_id})


class InteractionRepository(InteractionQueries):
    """Stores answered interactions."""

    __slots__ = ()

    async def record(
        self, interaction_id: InteractionId, table_id: TableId | None, revision: int, answer: str, now: int
    ) -> None:
        """Store an answer (without cards); raises InteractionSeenError if there is one already."""
        error = InteractionSeenError(f"interaction {interaction_id} was handled before")
        row = _row(interaction_id, table_id, revision, answer, now)
        self._later(_RECORD, row, expected=Expected(1, error))

    async def keep(
        self, interaction_id: InteractionId, table_id: TableId | None, revision: int, answer: str, now: int
    ) -> None:
        """Store an answer (without cards), unless there is one already."""
        self._later(_RECORD, _row(interaction_id, table_id, revision, answer, now))

    async def forget_old(self, now: int) -> None:
        """Delete answers that are older than `KEPT_MS`."""
        await self._execute(delete(interaction_seen).where(interaction_seen.c.at < now - KEPT_MS))


def _row(
    interaction_id: InteractionId, table_id: TableId | None, revision: int, answer: str, now: int
) -> dict[str, Any]:
    return {
        "interaction_id": interaction_id,
        "table_id": table_id,
        "revision": revision,
        "answer": answer,
        "at": now,
    }
