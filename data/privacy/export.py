"""What is stored about one person, collected for them.

It is found in four places: under their id, under their number as a player of leagues, under their seat in a deal, and in the names
of messages to them.
"""

from typing import Any
from typing import cast as cast_type

from sqlalchemy import Column, ColumnElement, Row, RowMapping, Table, Text, and_, cast, or_, select

from data.dialect import Json, has_number
from data.outbox_keys import SeasonReminderKey, ThreadAccessKey
from data.privacy.traces import Traces, columns_of_people, columns_with, names_player, parsed
from data.schema.core import board_set, board_table, deal, erasure, event, outbox, person, practice, result
from data.schema.leagues import league_player, pod_time, season_event
from league.ids import PersonId, TableId
from league.results import Player
from marriage.sheet import Status

Rows = list[dict[str, Any]]

_RULINGS = "foul_ruled", "foul_lifted"
"""The types of events that people rule; they name seats in their body only."""
_ENDS = "settled", "dismissed"
"""The types of the last event of a deal."""


class PrivacyQueries(Traces):
    """Collects what is stored about one person, and knows which requests to be forgotten the database contains."""

    async def erasures(self) -> set[str]:
        """Return the marks of the requests to be forgotten that this database contains."""
        return set((await self._execute(select(erasure.c.mark))).scalars())

    async def everything_of(self, person_id: PersonId) -> dict[str, Rows]:
        """Return all rows about the person but their limits, by table, as JSON values.

        Of deals, these are their own hands and moves, and the fouls ruled by them or about them, once the deal is over and no one else plays its cards any more.
        The events of a practice deal are None until it is over.
        """
        found: dict[str, Rows] = {}
        for table, column in [(person, person.c.id), *columns_of_people()]:
            _add(found, table.name, await self._rows_of(table, column == person_id))
        for row in found.get(practice.name, ()):
            row["events"] = row["events"] if _is_over(row["events"]) else None
        player = await self._scalar(
            select(league_player.c.number).where(league_player.c.person_id == person_id)
        )
        if player is not None:
            await self._add_seasons(found, player)
        await self._add_deals(found, person_id)
        await self._add_messages(found, person_id, player)
        return found

    async def _add_seasons(self, found: dict[str, Rows], player: Player) -> None:
        """Add what the person did in leagues, and what was recorded about them there."""
        for table, column in columns_with(league_player.c.number):
            if table is not season_event:
                _add(found, table.name, await self._rows_of(table, column == player))
        acts_or_is_named = or_(season_event.c.actor == player, has_number(season_event.c.body, player))
        events = await self._rows_of(season_event, acts_or_is_named)
        about = [row for row in events if row["actor"] == player or names_player(row, player)]
        _add(found, season_event.name, about)
        is_named = or_(has_number(pod_time.c.proposal, player), has_number(pod_time.c.change, player))
        times = await self._rows_of(pod_time, is_named)
        _add(found, pod_time.name, [row for row in times if names_player(row, player)])

    async def _add_messages(self, found: dict[str, Rows], person_id: PersonId, player: Player | None) -> None:
        """Add what Discord is told, or was within a day, about the person alone: access to threads, direct messages of leagues."""
        access = ThreadAccessKey(TableId(0), person_id)
        theirs = and_(outbox.c.kind == access.kind, outbox.c.name == access.name)
        if player is not None:
            to_them = f"{SeasonReminderKey.kind}:{player}:"
            is_reminder = outbox.c.kind == SeasonReminderKey.kind
            theirs = or_(theirs, and_(is_reminder, outbox.c.name.startswith(to_them)))
        _add(found, outbox.name, await self._rows_of(outbox, theirs))

    async def _add_deals(self, found: dict[str, Rows], person_id: PersonId) -> None:
        """Add the hands, contributions, moves and fouls of the person's deals that are over and may be looked at."""
        sealed = select(board_set.c.id).where(board_set.c.released_at.is_(None))
        same_deal = and_(result.c.table_id == deal.c.table_id, result.c.deal_no == deal.c.deal_no)
        theirs = [
            result.c.person_id == person_id,
            result.c.status != Status.PAUSE,
            deal.c.ended_at.is_not(None),
            or_(deal.c.board_set.is_(None), deal.c.board_set.not_in(sealed)),
        ]
        of_deal = and_(event.c.table_id == deal.c.table_id, event.c.deal_no == deal.c.deal_no)
        moves = select(*_shown(event), result.c.seat).join(deal, of_deal).join(result, same_deal)
        rows = await self._execute(
            moves.where(*theirs, or_(event.c.actor == result.c.seat, event.c.type.in_(_RULINGS))).order_by(
                event.c.table_id, event.c.deal_no, event.c.seq
            )
        )
        acts = [(row["seat"], _values(event, row)) for row in rows.mappings()]
        _add(found, event.name, [act for seat, act in acts if act["actor"] == seat or _rules(act, seat)])
        dealt = select(
            result.c.table_id,
            result.c.deal_no,
            result.c.seat,
            cast(deal.c.entropy, Text).label("entropy"),
            board_table.c.place,
        )
        rows = await self._execute(
            dealt.add_columns(cast(event.c.body, Text).label("body"))
            .join(deal, same_deal)
            .join(event, of_deal)
            # A deal of its own at a table with boards has no set, and contributions without a place.
            .outerjoin(
                board_table,
                and_(board_table.c.table_id == deal.c.table_id, board_table.c.set_id == deal.c.board_set),
            )
            .where(*theirs, event.c.type == "dealt")
            .order_by(result.c.table_id, result.c.deal_no)
        )
        _add(found, "hand", [_hand(row) for row in rows])

    async def _rows_of(self, table: Table, *conditions: ColumnElement[bool]) -> Rows:
        rows = await self._execute(select(*_shown(table)).where(*conditions))
        return [_values(table, row) for row in rows.mappings()]


def _shown(table: Table) -> list[ColumnElement[Any]]:
    """Return the columns of a table, with JSON as the text that is stored."""
    return [cast(column, Text).label(column.name) if _is_json(column) else column for column in table.columns]


def _values(table: Table, row: RowMapping) -> dict[str, Any]:
    return {column.name: _plain(column, row[column.name]) for column in table.columns}


def _plain(column: Column[Any], value: Any) -> Any:
    if _is_json(column):
        return value if value is None else parsed(value)
    return value.hex() if isinstance(value, bytes) else value


def _is_json(column: Column[Any]) -> bool:
    return isinstance(column.type, Json)


def _is_over(events: Any) -> bool:
    """Return whether the events, as JSON, are those of a finished deal; damaged ones are not."""
    if not isinstance(events, list) or not events:
        return False
    last = cast_type("list[dict[str, Any]]", events)[-1]
    return last.get("event") in _ENDS


def _rules(act: dict[str, Any], seat: int) -> bool:
    """Return whether an act that no seat took is a ruling about a player, or by them."""
    body = act["body"]
    if not isinstance(body, dict):  # a disk has damaged it
        return False
    named = cast_type("dict[str, Any]", body)
    return seat in (named.get("seat"), named.get("by"))


def _hand(row: Row[Any]) -> dict[str, Any]:
    """Return the cards that a seat was dealt, and what it contributed to the shuffle."""
    dealt, entropy = parsed(row.body), parsed(row.entropy)
    by = f"{row.seat}:" if row.place is None else f"{row.place}/{row.seat}:"
    if isinstance(entropy, list):
        entropy = [item for item in cast_type("list[str]", entropy) if item.startswith(by)]
    return {
        "table_id": row.table_id,
        "deal_no": row.deal_no,
        "seat": row.seat,
        "cards": dealt["hands"][row.seat] if isinstance(dealt, dict) else None,
        "contributions": entropy,
    }


def _add(found: dict[str, Rows], name: str, rows: Rows) -> None:
    if rows:
        found.setdefault(name, []).extend(rows)
