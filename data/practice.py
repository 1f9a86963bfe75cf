"""The practice deals of people who learn the game: one each, as it stands."""

from collections.abc import Sequence

from sqlalchemy import select

from data.dialect import upsert
from data.errors import RevisionConflictError
from data.schema import practice
from data.session import Session
from data.values import PracticeRow
from marriage.events import Event


class PracticeQueries(Session):
    """Finds practice deals."""

    __slots__ = ()

    async def get(self, person_id: int) -> PracticeRow | None:
        """The practice deal of this person; None before his first one."""
        return await self._one(PracticeRow, select(practice).where(practice.c.person_id == person_id))


class PracticeRepository(PracticeQueries):
    """Writes practice deals."""

    __slots__ = ()

    async def set(self, person_id: int, before: int, events: Sequence[Event], now: int) -> PracticeRow:
        """The deal of a person, kept already, in place of the one at revision `before`, 0 for none.

        Raises RevisionConflictError if that has moved on.
        """
        row = PracticeRow(person_id, before + 1, tuple(events), now)
        values = {"revision": row.revision, "events": row.events, "at": now}
        done = await self._execute(
            upsert(practice, {"person_id": person_id}, values, only_if=practice.c.revision == before)
        )
        if done.rowcount != 1:
            raise RevisionConflictError(f"the practice deal is no longer at revision {before}")
        return row
