"""What is stored under a person's id: exporting it for them, or forgetting it.

Every column that points to a person is found in the schema itself, so that a new table is covered automatically.
"""

import json
import secrets
from typing import Any

from sqlalchemy import Column, CompoundSelect, Table, Text, cast, delete, insert, select, union, update

from data.preferences import PersonSettings
from data.privacy.free_text import FreeTextRepository
from data.privacy.public_messages import PublicMessageRepository
from data.repositories.outbox import ask
from data.repositories.tables import TableVersions
from data.schema.boards import daily_try
from data.schema.columns import Json
from data.schema.core import direct_channel, game_table, guest, person, pinned, practice, score_keeper, seat
from data.schema.puzzles import puzzle_answer, puzzle_player
from data.schema.stats import analysis, played_seat
from data.session import Session
from league.ids import PersonId

(TABLES,) = {analysis.metadata, played_seat.metadata, daily_try.metadata, puzzle_answer.metadata}
"""The metadata also has the tables of statistics, boards, puzzles and analyses, which are declared in other modules."""
_OWN_ALONE = (analysis, direct_channel, guest, pinned, practice, puzzle_answer, puzzle_player, score_keeper)
"""Tables whose rows nobody else needs."""


def columns_of_people() -> list[tuple[Table, Column[Any]]]:
    """Every column that holds the id of a person, with its table."""
    return [
        (table, column)
        for table in TABLES.sorted_tables
        for column in table.columns
        if any(key.column is person.c.id for key in column.foreign_keys)
    ]


class PrivacyQueries(Session):
    """Collects what is stored about one person."""

    __slots__ = ()

    async def everything_of(self, person_id: PersonId) -> dict[str, list[dict[str, Any]]]:
        """All rows that name the person, by table, as JSON values."""
        found: dict[str, list[dict[str, Any]]] = {}
        for table, column in [(person, person.c.id), *columns_of_people()]:
            kinds: dict[str, Column[Any]] = {column.name: column for column in table.columns}
            shown = [
                cast(column, Text).label(column.name) if _is_json(column) else column
                for column in table.columns
            ]
            rows = await self._execute(select(*shown).where(column == person_id))
            kept = [
                {name: _plain(kinds[name], value) for name, value in row.items()} for row in rows.mappings()
            ]
            if kept:
                found.setdefault(table.name, []).extend(kept)
        return found


class PrivacyRepository(TableVersions, PublicMessageRepository, FreeTextRepository, PrivacyQueries):
    """Forgets people."""

    __slots__ = ()

    async def forget(self, person_id: PersonId, now: int, called: str) -> bool:
        """Remove everything that names a person. What others need, such as results, gets a number that means nobody.

        Edits of messages that show the name are requested. What limits the person stays (`data.privacy.limits`).
        `called` is the name from now on, with `{number}` for the end of that number.
        Returns False, without changes, if nothing is stored about the person.
        """
        if await self._scalar(select(person.c.id).where(person.c.id == person_id)) is None:
            return False
        await self._touch_tables(game_table.c.id.in_(_tables_of(person_id)))
        nobody = -secrets.randbelow(2**62) - 1
        name = called.format(number=-nobody % 1000)
        sessions = await self._scrub(person_id, name)
        for key in await self.naming(person_id, sessions):
            await self._execute(ask(key, now))
        await self._execute(
            insert(person).values(
                id=nobody,
                name=name,
                dms_open=False,
                updated_at=now,
                settings=PersonSettings(listed=False, hands_by_dm=False, turn_ping=False),
                revision=now,
            )
        )
        for table in _OWN_ALONE:
            await self._execute(delete(table).where(table.c.person_id == person_id))
        await self._execute(
            update(seat).where(seat.c.person_id == person_id).values(dm_channel_id=None, dm_message_id=None)
        )
        for table, column in columns_of_people():
            values: dict[str, int | str] = {column.name: nobody}
            if "name" in table.columns:
                values["name"] = name
            await self._execute(update(table).where(column == person_id).values(values))
        await self._execute(delete(person).where(person.c.id == person_id))
        self._changes.people.add(person_id)
        return True

    async def _scrub(self, person_id: PersonId, name: str) -> list[int]:
        """Remove the person's names from what others have typed; returns the home games that had them."""
        called = await self.called(person_id, name)
        guilds = await self.guilds_to_scrub(person_id, called)
        await self.scrub_reasons(guilds, called)
        await self.scrub_rulings(guilds, called)
        return await self.scrub_sessions(guilds, called)


def _tables_of(person_id: PersonId) -> CompoundSelect[Any]:
    """The tables of which something that is kept names the person."""
    named = [
        (table.c.table_id, column) for table, column in columns_of_people() if "table_id" in table.columns
    ]
    named += [(game_table.c.id, column) for table, column in columns_of_people() if table is game_table]
    return union(*(select(table_id).where(column == person_id) for table_id, column in named))


def _plain(column: Column[Any], value: Any) -> Any:
    if _is_json(column):
        return json.loads(value)
    return value.hex() if isinstance(value, bytes) else value


def _is_json(column: Column[Any]) -> bool:
    return isinstance(column.type, Json)
