"""Where public messages are, and which of them name a person."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final, Literal

from sqlalchemy import (
    ColumnElement,
    Executable,
    Select,
    and_,
    delete,
    func,
    or_,
    select,
    union,
)

from data.dialect import insert_or_keep
from data.ids import ChannelId, MessageId, SeasonId
from data.outbox_keys import (
    DailyAmendmentKey,
    HandAmendmentKey,
    OutboxKey,
    ScoreAmendmentKey,
    SeasonAmendmentKey,
    TableAmendmentKey,
    ThreadAccessKey,
    WeekAmendmentKey,
    season_key,
)
from data.schema.core import (
    bench,
    daily_try,
    game_table,
    guest,
    public_message,
    result,
    score_keeper,
    seat,
    week_post,
)
from data.schema.leagues import season_post
from data.schema.stats import computer_tally, tally
from data.season_posts import CalendarPost, parse_public_post
from data.session import Session
from league.ids import GuildId, PersonId

MOST_SCORES: Final = 10
"""The most messages of a home game that are kept up to date; older ones are reduced to a link to the newest."""


class PublicMessageQueries(Session):
    """Finds public messages.

    Tables and seasons store the places of their own messages; those of days, weeks and scores are stored
    here.
    """

    async def has_week(self, guild_id: GuildId, week: str) -> bool:
        """Return whether the board of this week was posted in a server."""
        found = select(week_post.c.message_id).where(
            week_post.c.guild_id == guild_id, week_post.c.week == week
        )
        return await self._scalar(found.limit(1)) is not None

    async def scores(self, session_id: int) -> list[ScoreAmendmentKey]:
        """Return the keys that edit the newest `MOST_SCORES` messages of a home game, oldest first."""
        rows = await self._rows(_scores(session_id).limit(MOST_SCORES))
        return [ScoreAmendmentKey(*row) for row in reversed(rows)]

    async def old_score(self, session_id: int, skip: int = 0) -> ScoreAmendmentKey | None:
        """Return the key that edits a message of a home game that is older than those, after `skip` others; None if there is none."""
        rows = await self._rows(_scores(session_id).offset(MOST_SCORES + skip).limit(1))
        return next((ScoreAmendmentKey(*row) for row in rows), None)

    async def naming(
        self, person_id: PersonId, sessions: Iterable[int], seasons: Collection[SeasonId]
    ) -> list[OutboxKey]:
        """Return the keys with which the outbox edits all messages that name this person.

        `seasons` are those of the person. Includes the messages of the given home games, because names in them
        have no id.
        """
        tables = await self._rows(_table_messages(person_id))
        hands = await self._rows(_hands_of_others(person_id))
        posts = await self._rows(_season_posts(seasons))
        tries = select(daily_try.c.set_id).where(daily_try.c.person_id == person_id)
        days = await self._rows(_noted("day").where(public_message.c.about.in_(tries)))
        kept = select(score_keeper.c.session_id).where(score_keeper.c.person_id == person_id)
        shown = or_(public_message.c.about.in_(list(sessions)), public_message.c.about.in_(kept))
        scores = await self._rows(_noted("score").where(shown))
        weeks = await self._rows(_week_messages(person_id))
        return [
            *(WeekAmendmentKey(*row) for row in weeks),
            *(TableAmendmentKey(*row) for row in tables),
            *(HandAmendmentKey(*row) for row in hands),
            *_season_keys(posts),
            *(DailyAmendmentKey(*row) for row in days),
            *(ScoreAmendmentKey(*row) for row in scores),
        ]

    async def in_threads(self, person_id: PersonId) -> list[ThreadAccessKey]:
        """Return the keys that remove this person from the threads of open tables, once they are forgotten there."""
        places = [
            select(table.c.table_id).where(table.c.person_id == person_id) for table in (seat, bench, guest)
        ]
        threads = select(game_table.c.id).where(
            game_table.c.id.in_(union(*places)),
            game_table.c.thread_id.is_not(None),
            game_table.c.closed_at.is_(None),
        )
        return [ThreadAccessKey(row.id, person_id) for row in await self._rows(threads)]

    async def _rows(self, statement: Executable) -> list[Any]:
        return list((await self._execute(statement)).all())


class PublicMessageRepository(PublicMessageQueries):
    """Stores where public messages are."""

    async def note(
        self, kind: Literal["day", "score"], about: int, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        """Store a message that shows a deal of the day or a home game; `about` is its id."""
        values = {"message_id": message_id, "channel_id": channel_id, "kind": kind, "about": about}
        await self._execute(insert_or_keep(public_message, values))

    async def note_week(
        self, guild_id: GuildId, monday: int, week: str, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        """Store the message with a server's board of the week before this Monday, an ordinal."""
        place = {"message_id": message_id, "channel_id": channel_id}
        values = place | {"guild_id": guild_id, "monday": monday, "week": week}
        await self._execute(insert_or_keep(week_post, values))

    async def drop(self, message_id: MessageId) -> None:
        """Follow this message no longer."""
        await self._execute(delete(public_message).where(public_message.c.message_id == message_id))


def _table_messages(person_id: PersonId) -> Executable:
    """Return the messages of the person's tables, and links to their closed threads."""
    place = func.coalesce(game_table.c.thread_id, game_table.c.channel_id)
    messages = select(game_table.c.id, place, game_table.c.message_id).where(
        _is_table_of(person_id), game_table.c.message_id.is_not(None)
    )
    signs = select(game_table.c.id, game_table.c.channel_id, game_table.c.sign_id).where(
        _is_table_of(person_id), game_table.c.sign_id.is_not(None), game_table.c.closed_at.is_not(None)
    )
    return union(messages, signs)


def _hands_of_others(person_id: PersonId) -> Executable:
    """Return the direct messages with the last hands of the others at the person's tables.

    A deal in play edits those of its players, but nothing does so between two deals, when the table may close.
    """
    return (
        select(seat.c.table_id, seat.c.dm_channel_id, seat.c.dm_message_id)
        .join(game_table, game_table.c.id == seat.c.table_id)
        .where(
            _is_table_of(person_id),
            or_(game_table.c.status != "playing", seat.c.left),
            seat.c.person_id != person_id,
            seat.c.dm_channel_id.is_not(None),
            seat.c.dm_message_id.is_not(None),
        )
    )


def _is_table_of(person_id: PersonId) -> ColumnElement[bool]:
    """Return the condition that the person is the host of a table, or has or had a seat or an invitation there."""
    places = [
        select(table.c.table_id).where(table.c.person_id == person_id)
        for table in (seat, bench, guest, result)
    ]
    return or_(game_table.c.host_id == person_id, game_table.c.id.in_(union(*places)))


def _week_messages(person_id: PersonId) -> Executable:
    """Return the boards of the weeks in which the person finished a deal in that server."""
    post = week_post.c
    places = [
        select(post.guild_id, post.channel_id, post.message_id, post.monday).join(
            sums,
            and_(
                sums.c.guild_id == post.guild_id,
                sums.c.period == post.week,
                sums.c.person_id == person_id,
            ),
        )
        for sums in (tally, computer_tally)
    ]
    return union(*places)


def _season_posts(seasons: Collection[SeasonId]) -> Executable:
    """Return the public messages of these seasons."""
    post = season_post.c
    return select(post.season, post.channel_id, post.message_id, post.key).where(
        post.season.in_(seasons), post.player.is_(None)
    )


def _season_keys(rows: Iterable[Any]) -> Iterator[OutboxKey]:
    """Return the keys of a season's messages. Calendar events are not messages and are updated as always."""
    for season_id, channel_id, message_id, text in rows:
        post = parse_public_post(text)
        if isinstance(post, CalendarPost):
            yield season_key(season_id, post)
        elif message_id is not None:
            yield SeasonAmendmentKey(season_id, channel_id, message_id, post)


def _noted(kind: str) -> Select[Any, Any, Any]:
    place = public_message.c.about, public_message.c.channel_id, public_message.c.message_id
    return select(*place).where(public_message.c.kind == kind)


def _scores(session_id: int) -> Select[Any, Any, Any]:
    """Return the messages of a home game, newest first: Discord's ids increase over time."""
    theirs = _noted("score").where(public_message.c.about == session_id)
    return theirs.order_by(public_message.c.message_id.desc())
