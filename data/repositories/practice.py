"""The practice deals of people who learn the game: the latest deal of each person."""

from collections.abc import Sequence

from sqlalchemy import select, update

from data.dialect import insert_or_keep
from data.errors import RevisionConflictError
from data.rows.people import PracticeRow
from data.schema.core import practice
from data.session import Session
from league.ids import PersonId
from marriage.events import Event


class PracticeQueries(Session):
    """Finds practice deals."""

    __slots__ = ()

    async def get(self, person_id: PersonId) -> PracticeRow | None:
        """The practice deal of this person; None before their first one."""
        return await self._one(PracticeRow, select(practice).where(practice.c.person_id == person_id))


class PracticeRepository(PracticeQueries):
    """Stores practice deals."""

    __slots__ = ()

    async def set(self, person_id: PersonId, before: int, events: Sequence[Event], now: int) -> PracticeRow:
        """Store the deal of a person, in place of the one at revision `before`; 0 means that there is none yet.

        The person must already be stored. Raises RevisionConflictError if the deal has changed meanwhile, or is gone
        because the person was forgotten.
        """
        row = PracticeRow(PersonId(person_id), before + 1, tuple(events), now)
        values = {"revision": row.revision, "events": row.events, "at": now}
        if before:
            mine = practice.c.person_id == person_id, practice.c.revision == before
            done = await self._execute(update(practice).where(*mine).values(**values))
        else:
            done = await self._execute(insert_or_keep(practice, {"person_id": person_id, **values}))
        if done.rowcount != 1:
            raise RevisionConflictError(f"the practice deal is no longer at revision {before}")
        return row
