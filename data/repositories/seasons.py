"""Leagues: seasons, their events, the tables of their pods, and their messages."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any, ClassVar, Unpack

from sqlalchemy import (
    ColumnElement,
    Executable,
    Integer,
    Row,
    Text,
    bindparam,
    cast,
    delete,
    func,
    insert,
    select,
    update,
)

from data.dialect import as_stored, checksum, insert_or_keep, json_field, upsert
from data.errors import EventsDamaged
from data.ids import ChannelId, MessageId, SeasonId
from data.outbox_keys import SeasonKey
from data.repositories.people import Names, nicknames_by_owner
from data.schema.core import board_set, board_table, game_table, guild, nickname, person
from data.schema.leagues import (
    SEASON_EVENT_BODY,
    league_player,
    pod_table,
    pod_time,
    season,
    season_draft,
    season_event,
    season_post,
)
from data.season_posts import PersonalPost, PublicPost, parse_public_post
from data.season_rows import (
    DraftRow,
    PodTableRow,
    PodTimeRow,
    PostRow,
    SeasonChanges,
    SeasonEventRow,
    SeasonMark,
    SeasonProjection,
    SeasonRow,
)
from data.session import Session
from data.shards import EVERYTHING, OWNED_SEASON, Share, asked
from league.events import Event, PodId
from league.ids import GuildId, PersonId, TableId
from league.results import Player

_PLACE = season_post.c.shown, season_post.c.channel_id, season_post.c.message_id
_SOONEST = (
    select(season.c.id, season.c.due_at)
    .where(
        season.c.due_at.is_not(None), season.c.id.not_in(bindparam("beside", expanding=True)), OWNED_SEASON
    )
    .order_by(season.c.due_at, season.c.id)
    .limit(bindparam("limit", type_=Integer()))
)
_AS_STORED = as_stored(season_event)
_AT_ONCE = 500
"""How many events are looked up in one statement, whose parameters are limited."""
_REWORD = update(season_event).where(season_event.c.id == bindparam("of"))
_LAST_EVENTS = select(
    season.c.id,
    season.c.starts_at,
    season.c.closed_at,
    select(func.max(season_event.c.id))
    .where(season_event.c.season == season.c.id)
    .scalar_subquery()
    .label("last"),
)
_TIMES_AHEAD = (
    as_stored(pod_time)
    .join(season, season.c.id == pod_time.c.season)
    .where(season.c.closed_at.is_(None))
    .order_by(pod_time.c.season, pod_time.c.pod)
)
_SEALED_SETS = select(board_set.c.id).where(board_set.c.released_at.is_(None))
_SEALED = select(pod_table.c.season, pod_table.c.pod).where(
    pod_table.c.table_id.in_(select(board_table.c.table_id).where(board_table.c.set_id.in_(_SEALED_SETS)))
)
"""Nested, so that SQLite begins with the few sets that are sealed."""


class SeasonQueries(Session):
    """Finds seasons and what belongs to them. With `_keeps`, projections are cached."""

    _keeps: ClassVar = True

    async def get(self, season_id: SeasonId) -> SeasonRow | None:
        """Return the season of this id, open or closed."""
        return next(iter(await self._seasons(season.c.id == season_id)), None)

    async def in_guild(self, guild_id: GuildId) -> list[SeasonRow]:
        """Return all seasons of a server, oldest first."""
        return await self._seasons(season.c.guild_id == guild_id)

    async def soonest(
        self, limit: int, beside: Collection[int] = (), share: Share = EVERYTHING
    ) -> list[tuple[SeasonId, int]]:
        """Return the `limit` soonest seasons of a share with their next moments, without those in `beside`."""
        given = asked(share) | {"beside": list(beside), "limit": limit}
        return [(SeasonId(row.id), row.due_at) for row in await self._execute(_SOONEST, given)]

    async def running(self, share: Share = EVERYTHING) -> list[SeasonId]:
        """Return the ids of all seasons of a share that are not closed."""
        open_ones = select(season.c.id).where(season.c.closed_at.is_(None), OWNED_SEASON)
        return list((await self._execute(open_ones.order_by(season.c.id), asked(share))).scalars())

    async def guilds_playing(self, share: Share = EVERYTHING) -> dict[GuildId, bool]:
        """Return the servers of a share with seasons that are not closed, and whether each is without the bot."""
        playing = select(season.c.guild_id).where(season.c.closed_at.is_(None), OWNED_SEASON)
        is_lost = json_field(guild.c.settings, "lost_at").is_not(None).label("is_lost")
        servers = select(guild.c.id, is_lost).where(guild.c.id.in_(playing))
        return {GuildId(row.id): bool(row.is_lost) for row in await self._execute(servers, asked(share))}

    async def with_bans(self, player: Player, seasons: Collection[SeasonId]) -> list[SeasonId]:
        """Return those of these seasons in which a player was ever banned and that no other season follows."""
        bans = select(season_event.c.season).where(
            season_event.c.season.in_(seasons),
            json_field(season_event.c.body, "event") == "banned",
            cast(json_field(season_event.c.body, "player"), Text) == str(player),
        )
        former = select(season.c.former).where(season.c.former.is_not(None))
        found = select(season.c.id).where(season.c.id.in_(bans), season.c.id.not_in(former))
        return list((await self._execute(found.order_by(season.c.id))).scalars())

    async def last_event(self) -> int:
        """Return the number of the last event of all seasons; 0 before the first."""
        return await self._scalar(select(func.max(season_event.c.id))) or 0

    async def events(self, season_id: SeasonId, since: int = 0) -> list[SeasonEventRow]:
        """Return a season's events after number `since`; raises EventsDamaged or UnreadableValueError."""
        return await self._built(_season_events, _events_of(season_id, since))

    async def events_of(self, numbers: Collection[int]) -> list[SeasonEventRow]:
        """Return the events of these numbers; raises EventsDamaged or UnreadableValueError."""
        events: list[SeasonEventRow] = []
        ordered = sorted(numbers)
        for first in range(0, len(ordered), _AT_ONCE):
            chosen = season_event.c.id.in_(ordered[first : first + _AT_ONCE])
            events += await self._built(_season_events, _AS_STORED.where(chosen))
        return events

    async def projection(self, season_id: SeasonId, *, once: bool = False) -> SeasonProjection:
        """Return the projection of all events of a season. Only events that are not cached yet are read.

        A writer caches nothing, because what it reads may still be undone. Nor is anything cached with `once`: who
        goes through all seasons must not push out those that people use.
        """
        known = self._season_cache.of(season_id)
        keeps = self._keeps and not once
        tell = _told if keeps else _folded
        told = await self._built(partial(tell, known), _events_of(season_id, known.last - 1))
        if told is None:  # this snapshot is older than the cache
            return SeasonProjection().after(await self.events(season_id))
        if keeps:
            self._season_cache.keep(season_id, told)
        return told

    async def player_of(self, person_id: PersonId) -> Player | None:
        """Return the number of a person as a player in leagues."""
        return await self._scalar(
            select(league_player.c.number).where(league_player.c.person_id == person_id)
        )

    async def persons_of(self, players: Iterable[Player]) -> dict[Player, PersonId]:
        """Return the ids of the people behind these numbers."""
        rows = await self._execute(select(league_player).where(league_player.c.number.in_(list(players))))
        return {row.number: row.person_id for row in rows}

    async def pod_at(self, table_id: TableId) -> PodTableRow | None:
        """Return the pod that plays at a table; None for a table outside a league."""
        return await self._one(PodTableRow, select(pod_table).where(pod_table.c.table_id == table_id))

    async def of_thread(self, thread_id: ChannelId) -> SeasonId | None:
        """Return the season whose pod has its table in this thread; None if there is none."""
        at = select(pod_table.c.season).join(game_table, game_table.c.id == pod_table.c.table_id)
        found = at.where(game_table.c.thread_id == thread_id)
        return await self._scalar(found.order_by(pod_table.c.table_id.desc()).limit(1))

    async def pod_tables(self, season_id: SeasonId) -> dict[int, TableId]:
        """Return the latest table of each pod that has one, by pod."""
        rows = await self._execute(
            select(pod_table.c.pod, func.max(pod_table.c.table_id).label("table_id"))
            .where(pod_table.c.season == season_id)
            .group_by(pod_table.c.pod)
        )
        return {row.pod: row.table_id for row in rows}

    async def pod_time(self, season_id: SeasonId, pod: int) -> PodTimeRow | None:
        """Return the latest time proposed to a pod; None if there is none."""
        return next((row for row in await self.pod_times(season_id) if row.pod == pod), None)

    async def pod_times(self, season_id: SeasonId) -> list[PodTimeRow]:
        """Return the times proposed to the pods of a season, by pod."""
        return await self._all(
            PodTimeRow, select(pod_time).where(pod_time.c.season == season_id).order_by(pod_time.c.pod)
        )

    async def post(self, season_id: SeasonId, post: PublicPost | PersonalPost) -> PostRow | None:
        """Return where a message of a season is; None if it was never requested."""
        place = select(*_PLACE).where(season_post.c.season == season_id, season_post.c.key == post.text)
        return await self._one(partial(PostRow, post), place)

    async def posts(self, season_id: SeasonId) -> dict[PublicPost, PostRow]:
        """Return the public messages of a season."""
        public = season_post.c.season == season_id, season_post.c.player.is_(None)
        rows = await self._execute(select(season_post.c.key, *_PLACE).where(*public))
        posts = [(parse_public_post(key), place) for key, *place in rows]
        return {post: PostRow(post, *place) for post, place in posts}

    async def players_written_to(self, season_id: SeasonId) -> set[Player]:
        """Return the players to whom the season has sent a direct message, or is about to."""
        own = season_post.c.season == season_id, season_post.c.player.is_not(None)
        return set((await self._execute(select(season_post.c.player).where(*own).distinct())).scalars())

    async def _seasons(self, *conditions: ColumnElement[bool]) -> list[SeasonRow]:
        return await self._all(SeasonRow, select(season).where(*conditions).order_by(season.c.id))


class SeasonPageQueries(Session):
    """Finds the seasons whose pages have changed."""

    async def marks(self) -> dict[SeasonId, SeasonMark]:
        """Return a mark of every season, without reading its events."""
        times: dict[SeasonId, list[object]] = {}
        for time in await self._execute(_TIMES_AHEAD):
            times.setdefault(time.season, []).append(tuple(time))
        sealed: dict[SeasonId, set[PodId]] = {}
        for row in await self._execute(_SEALED):
            sealed.setdefault(row.season, set()).add(row.pod)
        return {
            SeasonId(row.id): SeasonMark(
                row.last,
                row.starts_at,
                row.closed_at,
                tuple(times.get(row.id, ())),
                frozenset(sealed.get(row.id, ())),
            )
            for row in await self._execute(_LAST_EVENTS)
        }

    async def player_names(self) -> dict[Player, Names]:
        """Return the names of all people who have a number as players in leagues."""
        number, person_id = league_player.c.number, league_player.c.person_id
        general = select(number, person.c.name).join(person, person.c.id == person_id)
        owned = select(number, nickname.c.guild_id, nickname.c.name)
        known = nicknames_by_owner(
            await self._execute(owned.join(nickname, nickname.c.person_id == person_id))
        )
        return {
            row.number: Names(row.name, known.get(row.number, {})) for row in await self._execute(general)
        }


class SeasonRepository(SeasonQueries):
    """Opens seasons and adds to them. No event is ever removed or changed in meaning."""

    _keeps: ClassVar = False

    async def create(self, **values: Any) -> SeasonRow:
        """Store a new season, given the fields of `SeasonRow` without the id; its server must already be stored."""
        number = await self._scalar(insert(season).values(values).returning(season.c.id))
        return SeasonRow(id=number, **values)

    async def update(self, row: SeasonRow, **changes: Unpack[SeasonChanges]) -> SeasonRow:
        """Change a season and return the changed row."""
        values: dict[str, Any] = {**changes}
        await self._execute(update(season).where(season.c.id == row.id).values(values))
        return replace(row, **values)

    async def add_event(
        self,
        season_id: SeasonId,
        body: Event,
        at: int,
        *,
        actor: Player | None = None,
        reason: str = "",
        staff: bool = False,
        corrects: int | None = None,
    ) -> SeasonEventRow:
        """Add an event to a season. Return it with its number."""
        last = await self.last_event()
        row = SeasonEventRow(last + 1, SeasonId(season_id), actor, at, reason, staff, corrects, body)
        await self._execute(insert(season_event).values(_checked(row)))
        return row

    async def reword_season_events(self, rows: Iterable[SeasonEventRow]) -> None:
        """Store events in other words, for example without a name; their meaning must stay the same."""
        reworded = [{"of": row.id, **_checked(row)} for row in rows]
        if reworded:
            self._later(_REWORD, reworded)

    async def keep_player(self, person_id: PersonId) -> Player:
        """Return the league number of a person, who must already be stored; assign one the first time."""
        await self._execute(insert_or_keep(league_player, {"person_id": person_id}))
        return await self._scalar(
            select(league_player.c.number).where(league_player.c.person_id == person_id)
        )

    async def set_pod_table(self, row: PodTableRow) -> None:
        """Make a pod play at a table."""
        await self._execute(insert(pod_table).values(table_id=row.table_id, season=row.season, pod=row.pod))

    async def set_pod_time(self, row: PodTimeRow) -> None:
        """Store the time proposed to a pod, replacing an earlier one."""
        key = {"season": row.season, "pod": row.pod}
        await self._execute(upsert(pod_time, key, {"proposal": row.proposal, "change": row.change}))

    async def clear_pod_time(self, season_id: SeasonId, pod: int) -> None:
        """Withdraw the time proposed to a pod."""
        await self._execute(delete(pod_time).where(pod_time.c.season == season_id, pod_time.c.pod == pod))

    async def draft(self, draft_id: int) -> DraftRow | None:
        """Return an action that waits for confirmation; None if there is none of this id."""
        return await self._one(DraftRow, select(season_draft).where(season_draft.c.id == draft_id))

    async def set_draft(self, row: DraftRow) -> int:
        """Store an action to be confirmed, replacing an earlier one by the same person. Return its id."""
        await self._execute(
            delete(season_draft).where(season_draft.c.season == row.season, season_draft.c.actor == row.actor)
        )
        values = {
            column.name: getattr(row, column.name) for column in season_draft.columns if column.name != "id"
        }
        return await self._scalar(insert(season_draft).values(values).returning(season_draft.c.id))

    async def clear_draft(self, draft_id: int) -> None:
        """Delete an action, which no longer waits for confirmation."""
        await self._execute(delete(season_draft).where(season_draft.c.id == draft_id))

    async def keep_post(self, key: SeasonKey) -> None:
        """Record that the season has this message, or is about to."""
        values = {"season": key.season, "key": key.post.text, "player": key.player, "shown": 0}
        await self._execute(insert_or_keep(season_post, values))

    async def post_shown(
        self, key: SeasonKey, channel_id: ChannelId | None, message_id: MessageId | None
    ) -> None:
        """Store where a message is. Without an id, the message does not exist and is not needed."""
        await self._execute(
            update(season_post)
            .where(season_post.c.season == key.season, season_post.c.key == key.post.text)
            .values(shown=season_post.c.shown + 1, channel_id=channel_id, message_id=message_id)
        )


def _checked(row: SeasonEventRow) -> dict[str, Any]:
    """Return the stored values of an event, with their checksum."""
    values = {field.name: getattr(row, field.name) for field in fields(row)}
    as_text = values | {"body": SEASON_EVENT_BODY.dump(row.body)}
    return values | {"checksum": checksum(*as_text.values())}


def _events_of(season_id: SeasonId, since: int = 0) -> Executable:
    chosen = (season_event.c.season == season_id, season_event.c.id > since)
    return _AS_STORED.where(*chosen).order_by(season_event.c.id)


def _folded(known: SeasonProjection, rows: Sequence[Row[Any]]) -> SeasonProjection | None:
    """Return the projection extended by newer events; None unless `rows` begin with the last known event."""
    events = _season_events(rows)
    if not known.last:
        return known.after(events)
    if not events or events[0].id != known.last:
        return None
    return known.after(events[1:])


def _told(known: SeasonProjection, rows: Sequence[Row[Any]]) -> SeasonProjection | None:
    """Return the same, with the standings already computed for the reader."""
    told = _folded(known, rows)
    return told and told.with_standings()


def _season_events(rows: Sequence[Row[Any]]) -> list[SeasonEventRow]:
    return [_season_event(row) for row in rows]


def _season_event(row: Row[Any]) -> SeasonEventRow:
    """Return the event of a row; raises EventsDamaged or UnreadableValueError."""
    *values, check = row
    number, season_id, actor, at, reason, staff, corrects, body = values
    if checksum(*values) != check:
        raise EventsDamaged(f"season {season_id}", number)
    return SeasonEventRow(
        number, season_id, actor, at, reason.decode(), staff, corrects, SEASON_EVENT_BODY.load(body)
    )
