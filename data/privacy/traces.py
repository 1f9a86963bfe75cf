"""Where the database refers to a person, or to their number as a player of leagues."""

import json
from collections.abc import Collection, Sequence
from functools import partial
from typing import Any, Final
from typing import cast as cast_type

from sqlalchemy import Column, ColumnElement, CompoundSelect, Row, Select, Table, Text, cast, select, union

from data.dialect import has_number
from data.ids import SeasonId
from data.schema import TABLES
from data.schema.core import game_table, person, score_keeper, score_session
from data.schema.leagues import league_player, season, season_draft, season_event
from data.session import Session
from league.ids import GuildId, PersonId
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


class Traces(Session):
    """Finds the seasons and servers that know a person."""

    async def seasons_of(self, person_id: PersonId, since: int = 0) -> set[SeasonId]:
        """Return the seasons in which a person did something, got a message, or is named by an event or a draft.

        Of the events, only those after number `since` are looked at.
        """
        player = await self._scalar(
            select(league_player.c.number).where(league_player.c.person_id == person_id)
        )
        found: set[SeasonId] = set()
        if player is None:
            return found
        for table, column in columns_with(league_player.c.number):
            theirs = select(table.c.season).where(column == player, *_after(table, since))
            found |= set((await self._execute(theirs.distinct())).scalars())
        for table in (season_event, season_draft):
            bodies = select(table.c.season, cast(table.c.body, Text).label("body")).where(
                *_after(table, since)
            )
            perhaps = bodies.where(has_number(table.c.body, player))
            found |= await self._built(partial(_seasons_naming, player), perhaps)
        return found

    async def guilds_of(self, person_id: PersonId, seasons: Collection[SeasonId]) -> set[GuildId]:
        """Return the servers that know a person; `seasons` are those that do."""
        of_seasons = await self._execute(select(season.c.guild_id).where(season.c.id.in_(seasons)))
        directly = await self._execute(guilds_of_people([person_id]))
        return {*of_seasons.scalars(), *(row.guild_id for row in directly)}


def _after(table: Table, since: int) -> list[ColumnElement[bool]]:
    """Return the condition that an event has a number after `since`; none for rows that are not events."""
    return [table.c.id > since] if table is season_event else []


def _seasons_naming(player: Player, rows: Sequence[Row[Any]]) -> set[SeasonId]:
    return {SeasonId(row.season) for row in rows if names_player(parsed(row.body), player)}


def guilds_of_people(people: Collection[int]) -> CompoundSelect[Any, Any]:
    """Select the servers of these people: of all rows of servers, tables, home games and leagues that refer to them."""
    found: list[Select[Any, Any]] = [
        select(score_keeper.c.person_id.label("person_id"), score_session.c.guild_id)
        .join(score_session, score_keeper.c.session_id == score_session.c.id)
        .where(score_keeper.c.person_id.in_(people))
    ]
    for table, column in columns_of_people():
        of_them = column.in_(people)
        if "guild_id" in table.columns:
            found.append(select(column.label("person_id"), table.c.guild_id).where(of_them))
        elif "table_id" in table.columns:
            at_table = table.c.table_id == game_table.c.id
            named = select(column.label("person_id"), game_table.c.guild_id)
            found.append(named.join_from(table, game_table, at_table).where(of_them))
    for table, column in columns_with(league_player.c.number):
        named = select(league_player.c.person_id.label("person_id"), season.c.guild_id)
        acted = named.join_from(league_player, table, league_player.c.number == column)
        of_season = acted.join(season, season.c.id == table.c.season)
        found.append(of_season.where(league_player.c.person_id.in_(people)))
    return union(*found)
