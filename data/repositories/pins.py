"""The groups of cards that players have put together in their hands, for the deal in play."""

from sqlalchemy import bindparam, delete, select

from data.dialect import upsert
from data.schema.core import pinned
from data.session import Session
from league.ids import PersonId, TableId
from marriage.cards import Cards

_OF_TABLE = select(pinned.c.person_id, pinned.c.groups).where(
    pinned.c.table_id == bindparam("of"), pinned.c.deal_no == bindparam("deal")
)


class PinQueries(Session):
    """Looks up groups."""

    __slots__ = ()

    async def of_table(self, table_id: TableId, deal_no: int) -> dict[PersonId, tuple[Cards, ...]]:
        """The groups of all people at a table in this deal, by person id."""
        rows = await self._execute(_OF_TABLE, {"of": table_id, "deal": deal_no})
        return {row.person_id: row.groups for row in rows}


class PinRepository(PinQueries):
    """Stores groups."""

    __slots__ = ()

    async def set(
        self, table_id: TableId, deal_no: int, person_id: PersonId, groups: tuple[Cards, ...]
    ) -> None:
        """Replace the groups at this table of a person, who must already be stored."""
        if not groups:
            self._later(delete(pinned).where(pinned.c.table_id == table_id, pinned.c.person_id == person_id))
            return
        key = {"table_id": table_id, "person_id": person_id}
        self._later(upsert(pinned, key, {"deal_no": deal_no, "groups": groups}))
