"""Messages that everybody can read: where they are, and which of them name a person who is to be forgotten."""

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from sqlalchemy import Executable, Select, and_, func, or_, select, union

from data.dialect import insert_or_keep
from data.ids import ChannelId, MessageId
from data.outbox_keys import (
    DailyAmendmentKey,
    OutboxKey,
    ScoreAmendmentKey,
    SeasonAmendmentKey,
    TableAmendmentKey,
    WeekAmendmentKey,
    season_key,
)
from data.schema.boards import daily_try
from data.schema.core import bench, game_table, result, seat
from data.schema.leagues import league_player, season_event, season_post
from data.schema.privacy import public_message, week_post
from data.schema.stats import computer_tally, tally
from data.season_posts import CalendarPost, parse_public_post
from data.session import Session
from league.ids import GuildId, PersonId


class PublicMessageRepository(Session):
    """Knows where public messages are. Tables and seasons keep that of their own; those of days, weeks and scores are noted here."""

    __slots__ = ()

    async def note(
        self, kind: Literal["day", "score"], about: int, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        """Remember a message that shows a deal of the day or a home game; `about` is its id."""
        values = {"message_id": message_id, "channel_id": channel_id, "kind": kind, "about": about}
        await self._execute(insert_or_keep(public_message, values))

    async def note_week(
        self, guild_id: GuildId, monday: int, week: str, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        """Remember the message with the board of a week in a server: the one before this Monday, an ordinal."""
        place = {"message_id": message_id, "channel_id": channel_id}
        values = place | {"guild_id": guild_id, "monday": monday, "week": week}
        await self._execute(insert_or_keep(week_post, values))

    async def has_week(self, guild_id: GuildId, week: str) -> bool:
        """Whether the board of this week was posted in a server."""
        found = select(week_post.c.message_id).where(
            week_post.c.guild_id == guild_id, week_post.c.week == week
        )
        return await self._scalar(found.limit(1)) is not None

    async def latest_score(self, session_id: int) -> ScoreAmendmentKey | None:
        """The key under which the outbox edits the newest message of a home game; None before there is one."""
        rows = await self._rows(_noted("score").where(public_message.c.about == session_id))
        # Discord's ids grow with time.
        return max((ScoreAmendmentKey(*row) for row in rows), key=lambda key: key.message_id, default=None)

    async def naming(self, person_id: PersonId, sessions: Iterable[int]) -> list[OutboxKey]:
        """The keys under which the outbox edits all messages that name this person.

        With those of these home games: names in them have no id beside them.
        """
        tables = await self._rows(_tables(person_id))
        posts = await self._rows(_posts(person_id))
        tries = select(daily_try.c.set_id).where(daily_try.c.person_id == person_id)
        days = await self._rows(_noted("day").where(public_message.c.about.in_(tries)))
        scores = await self._rows(_noted("score").where(public_message.c.about.in_(list(sessions))))
        weeks = await self._rows(_weeks(person_id))
        return [
            *(WeekAmendmentKey(*row) for row in weeks),
            *(TableAmendmentKey(*row) for row in tables),
            *_season_keys(posts),
            *(DailyAmendmentKey(*row) for row in days),
            *(ScoreAmendmentKey(*row) for row in scores),
        ]

    async def _rows(self, statement: Executable) -> list[Any]:
        return list((await self._execute(statement)).all())


def _tables(person_id: PersonId) -> Executable:
    """The messages of the tables where the person has or had a place, and the channels' links to threads that are closed."""
    places = [
        select(table.c.table_id).where(table.c.person_id == person_id) for table in (seat, bench, result)
    ]
    concerned = or_(game_table.c.host_id == person_id, game_table.c.id.in_(union(*places)))
    place = func.coalesce(game_table.c.thread_id, game_table.c.channel_id)
    messages = select(game_table.c.id, place, game_table.c.message_id).where(
        concerned, game_table.c.message_id.is_not(None)
    )
    signs = select(game_table.c.id, game_table.c.channel_id, game_table.c.sign_id).where(
        concerned, game_table.c.sign_id.is_not(None), game_table.c.closed_at.is_not(None)
    )
    return union(messages, signs)


def _weeks(person_id: PersonId) -> Executable:
    """The boards of the weeks in which the person has finished a deal in that server."""
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


def _posts(person_id: PersonId) -> Executable:
    """The public messages of the seasons in which the person has done anything: to play is to have signed up."""
    seasons = (
        select(season_event.c.season)
        .join(league_player, league_player.c.number == season_event.c.actor)
        .where(league_player.c.person_id == person_id)
        .distinct()
    )
    post = season_post.c
    return select(post.season, post.channel_id, post.message_id, post.key).where(
        post.season.in_(seasons), post.player.is_(None)
    )


def _season_keys(rows: Iterable[Any]) -> Iterator[OutboxKey]:
    """Events on a calendar are no messages: they are brought up to date as always."""
    for season, channel_id, message_id, text in rows:
        post = parse_public_post(text)
        if isinstance(post, CalendarPost):
            yield season_key(season, post)
        elif message_id is not None:
            yield SeasonAmendmentKey(season, channel_id, message_id, post)


def _noted(kind: str) -> Select[Any, Any, Any]:
    place = public_message.c.about, public_message.c.channel_id, public_message.c.message_id
    return select(*place).where(public_message.c.kind == kind)
