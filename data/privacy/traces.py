"""Where the database refers to a person, or to their number as a player of leagues."""

import json
from collections.abc import Sequence
from functools import partial
from typing import Any, Final
from typing import cast as cast_type

from sqlalchemy import Column, Row, Table, Text, cast, select

from data.dialect import has_number
from data.ids import SeasonId
from data.schema import TABLES
from data.schema.core import person
from data.schema.leagues import league_player, season_draft, season_event
from data.session import Session
from league.ids import PersonId
from league.results import Player

PLAYER_FIELDS: Final = frozenset({"player", "other", "substitute", "captain", "first", "second"})
"""The fields of a season's events that hold the number of a player."""
PLAYERS_FIELDS: Final = frozenset({"players", "left", "absent", "verdicts", "former", "agreed"})
"""The fields of events and proposals that hold several of them, in a list or as the keys of a mapping."""


def columns_with(target: Column[Any]) -> list[tuple[Table, Column[Any]]]:
    """Return every column that refers to this one, with its table."""
    return [
        (table, column)
        for table in TABLES.sorted_tables
        for column in table.columns
        if any(key.column is target for key in column.foreign_keys)
    ]


def columns_of_people() -> list[tuple[Table, Column[Any]]]:
    """Return every column that holds the id of a person, with its table."""
    return columns_with(person.c.id)


def parsed(text: str) -> Any:
    """Return the value of a JSON text; a text that a disk has damaged stays as it is."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def names_player(value: Any, player: Player) -> bool:
    """Return whether the JSON of an event or a proposal names a player.

    >>> names_player({"event": "round_drawn", "pods": [{"id": 7, "players": [4, 5]}]}, 5)
    True
    >>> names_player({"event": "round_drawn", "pods": [{"id": 5, "players": [4, 7]}]}, 5)
    False
    """
    if isinstance(value, dict):
        fields = cast_type("dict[str, Any]", value)
        return any(_holds(name, held, player) for name, held in fields.items())
    if isinstance(value, list):
        return any(names_player(item, player) for item in cast_type("list[Any]", value))
    return False


def _holds(name: str, held: Any, player: Player) -> bool:
    if name in PLAYER_FIELDS:
        return held == player
    if name in PLAYERS_FIELDS and isinstance(held, dict):
        return str(player) in held
    if name in PLAYERS_FIELDS and isinstance(held, list):
        return player in held
    return names_player(held, player)


class SeasonTraces(Session):
    """Finds the seasons that know a person."""

    async def seasons_of(self, person_id: PersonId) -> set[SeasonId]:
        """Return the seasons in which a person did something, got a message, or is named by an event or a draft."""
        player = await self._scalar(
            select(league_player.c.number).where(league_player.c.person_id == person_id)
        )
        found: set[SeasonId] = set()
        if player is None:
            return found
        for table, column in columns_with(league_player.c.number):
            rows = await self._execute(select(table.c.season).where(column == player).distinct())
            found |= set(rows.scalars())
        for table in (season_event, season_draft):
            bodies = select(table.c.season, cast(table.c.body, Text).label("body"))
            perhaps = bodies.where(has_number(table.c.body, player))
            found |= await self._built(partial(_seasons_naming, player), perhaps)
        return found


def _seasons_naming(player: Player, rows: Sequence[Row[Any]]) -> set[SeasonId]:
    return {SeasonId(row.season) for row in rows if names_player(parsed(row.body), player)}
