"""The guests of tables: people who were invited to a table, or blocked from it."""

from typing import Literal

from sqlalchemy import bindparam, delete, select

from data.dialect import upsert
from data.privacy.limits import LimitQueries, LimitRepository
from data.repositories.table_versions import TableVersions
from data.schema.core import game_table, guest
from league.ids import PersonId, TableId

Standing = Literal["invited", "blocked"]

_OF_TABLE = select(guest.c.person_id, guest.c.standing).where(guest.c.table_id == bindparam("of"))


class GuestQueries(LimitQueries):
    """Looks up a table's guests. A block is stored as a limit, so forgetting the person does not lift it."""

    __slots__ = ()

    async def standing(self, table_id: TableId, person_id: PersonId) -> Standing | None:
        """Whether this person was invited or blocked; None for anyone else."""
        if await self.is_limited(person_id, "block", table_id):
            return "blocked"
        return await self._scalar(
            select(guest.c.standing).where(guest.c.table_id == table_id, guest.c.person_id == person_id)
        )

    async def of_table(self, table_id: TableId) -> dict[int, Standing]:
        """Everybody who was invited or blocked, by person id."""
        rows = await self._execute(_OF_TABLE, {"of": table_id})
        return {row.person_id: row.standing for row in rows}


class GuestRepository(TableVersions, LimitRepository, GuestQueries):
    """Stores invitations and blocks."""

    __slots__ = ()

    async def set_standing(self, table_id: TableId, person_id: PersonId, standing: Standing | None) -> None:
        """Invite or block a person, who must already be stored; or with None, neither."""
        await self._touch_tables(game_table.c.id == table_id)
        await self.lift_limit(person_id, "block", table_id)
        if standing == "blocked":
            await self.add_limit(person_id, "block", table_id)
        if standing is None:
            await self._execute(
                delete(guest).where(guest.c.table_id == table_id, guest.c.person_id == person_id)
            )
            return
        key = {"table_id": table_id, "person_id": person_id}
        await self._execute(upsert(guest, key, {"standing": standing}))
