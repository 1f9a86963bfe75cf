"""Messages that still name a forgotten person: each is edited in its place and never posted again."""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from sqlalchemy import ColumnElement, Executable, Select, delete, func, literal, or_, select, union, update

from data.dialect import insert_or_keep, upsert
from data.outbox_keys import season_key
from data.privacy.rows import AmendmentRow
from data.repositories.outbox import ask
from data.schema.boards import daily_try
from data.schema.core import bench, game_table, result, seat
from data.schema.leagues import league_player, season_event, season_post
from data.schema.privacy import amendment, public_message
from data.season_posts import parse_public_post
from data.session import Session

_EVENTS = "event:%"
"""The keys of events on a server's calendar, which are no messages."""


class AmendmentQueries(Session):
    """Finds the messages to edit."""

    __slots__ = ()

    async def amendments_due(self, now: int, limit: int, without: Sequence[int] = ()) -> list[AmendmentRow]:
        """The messages to edit now, except those with these ids."""
        return await self._all(
            AmendmentRow,
            select(amendment)
            .where(amendment.c.not_before <= now, amendment.c.message_id.not_in(list(without)))
            .order_by(amendment.c.not_before, amendment.c.message_id)
            .limit(limit),
        )

    async def next_amendment_at(self, after: int = 0) -> int | None:
        """When the next message after that time may be edited."""
        return await self._scalar(
            select(func.min(amendment.c.not_before)).where(amendment.c.not_before > after)
        )


class AmendmentRepository(AmendmentQueries):
    """Records messages, and which of them to edit."""

    __slots__ = ()

    async def note_message(
        self, kind: Literal["day", "score"], about: int, channel_id: int, message_id: int
    ) -> None:
        """Record a message that shows a deal of the day or a home game."""
        values = {"message_id": message_id, "channel_id": channel_id, "kind": kind, "about": about}
        await self._execute(insert_or_keep(public_message, values))

    async def want_amendments(self, person_id: int, sessions: Iterable[int], now: int) -> None:
        """Request edits of all messages that name this person, and of the messages of these home games."""
        days = select(daily_try.c.set_id).where(daily_try.c.person_id == person_id)
        for question in (
            *_tables(person_id),
            _posts(person_id),
            _messages("day", public_message.c.about.in_(days)),
            _messages("score", public_message.c.about.in_(list(sessions))),
        ):
            for row in (await self._execute(question)).mappings().all():
                await self._want(dict(row), now)
        events = select(season_post.c.season, season_post.c.key).where(
            season_post.c.season.in_(_seasons(person_id)), season_post.c.key.like(_EVENTS)
        )
        for row in (await self._execute(events)).all():
            await self._execute(ask(season_key(row.season, parse_public_post(row.key)), now))

    async def _want(self, row: dict[str, Any], now: int) -> None:
        key = {"message_id": row["message_id"]}
        fresh = {"attempts": 0, "not_before": now}
        await self._execute(upsert(amendment, key, row | fresh, on_conflict=fresh))

    async def amended(self, row: AmendmentRow) -> None:
        """A message was edited or no longer exists; an edit requested since then stays pending."""
        await self._execute(
            delete(amendment).where(
                amendment.c.message_id == row.message_id,
                amendment.c.attempts == row.attempts,
                amendment.c.not_before == row.not_before,
            )
        )

    async def amendment_failed(self, row: AmendmentRow, not_before: int) -> None:
        """A message could not be edited: try again, but not before that time."""
        await self._execute(
            update(amendment)
            .where(amendment.c.message_id == row.message_id)
            .values(attempts=row.attempts + 1, not_before=not_before)
        )


def _tables(person_id: int) -> list[Executable]:
    """The messages of tables where a person has or had a place, and for closed tables the sign of their threads."""
    places = [
        select(table.c.table_id).where(table.c.person_id == person_id) for table in (seat, bench, result)
    ]
    theirs = or_(game_table.c.host_id == person_id, game_table.c.id.in_(union(*places)))
    shown = [literal("table").label("kind"), game_table.c.id.label("about"), literal("").label("key")]
    place = func.coalesce(game_table.c.thread_id, game_table.c.channel_id)
    return [
        select(*shown, place.label("channel_id"), game_table.c.message_id).where(
            theirs, game_table.c.message_id.is_not(None)
        ),
        select(*shown, game_table.c.channel_id, game_table.c.sign_id.label("message_id")).where(
            theirs, game_table.c.sign_id.is_not(None), game_table.c.closed_at.is_not(None)
        ),
    ]


def _seasons(person_id: int) -> Select[Any]:
    """The seasons with an event of this person: every player has at least signed up."""
    return (
        select(season_event.c.season)
        .join(league_player, league_player.c.number == season_event.c.actor)
        .where(league_player.c.person_id == person_id)
        .distinct()
    )


def _posts(person_id: int) -> Executable:
    return select(
        literal("season").label("kind"),
        season_post.c.season.label("about"),
        season_post.c.key,
        season_post.c.channel_id,
        season_post.c.message_id,
    ).where(
        season_post.c.season.in_(_seasons(person_id)),
        season_post.c.player.is_(None),
        season_post.c.message_id.is_not(None),
        season_post.c.key.not_like(_EVENTS),
    )


def _messages(kind: str, which: ColumnElement[bool]) -> Executable:
    return select(
        public_message.c.kind,
        public_message.c.about,
        literal("").label("key"),
        public_message.c.channel_id,
        public_message.c.message_id,
    ).where(public_message.c.kind == kind, which)
