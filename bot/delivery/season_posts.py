"""The messages of a season: in its channel, on the server's calendar, and by direct message to players who want them.

In a forum, the season has one post, which its first message opens.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeAlias

import discord

from bot.clock import Clock
from bot.delivery import discord_calls
from bot.delivery.discord_calls import (
    ChannelGoneError,
    DirectMessages,
    MessageGoneError,
    MissingAccessError,
    Posting,
    RetryLaterError,
    ThreadLimitError,
    UneditableMessageError,
)
from bot.delivery.outbox import Handlers, Patience, PostponedError
from bot.delivery.season_calendar import bring_up_to_date
from bot.delivery.threads import WEEK_MINUTES
from bot.interactions.permissions import forum_of
from bot.league.season import SeasonView, view_season
from bot.panels.league.direct_messages import reminder_panel
from bot.panels.league.posts import post_panel
from bot.ui.panel import Panel, notice_panel
from bot.words.texts import Texts, texts
from data.ids import ChannelId, MessageId, SeasonId
from data.outbox_keys import (
    CalendarEventKey,
    SeasonAmendmentKey,
    SeasonKey,
    SeasonPostKey,
    SeasonReminderKey,
    season_key,
)
from data.repositories.messages import OutboxRow
from data.season_posts import (
    CheckInReminder,
    DealReportPost,
    DisputePost,
    EndNotice,
    MessageNotice,
    NoShowNotice,
    PauseNotice,
    PersonalPost,
    RoundPost,
    SeasonPost,
    SignupPost,
    TableNotice,
)
from data.season_rows import PostRow
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from league.ids import PersonId
from league.times import MINUTE, SECOND
from render.words import ENGLISH, speaking

Look: TypeAlias = tuple[SeasonView, PostRow, str]
UNTIL_SOMEBODY_ACTS = Patience((MissingAccessError, ChannelGoneError, MessageGoneError), 600_000)
"""In a missing or forbidden channel, attempts become rare, because people have to act first."""


_TABLE_FIRST_MS = MINUTE
"""How long a message that links to a new table waits for the table to be posted."""


class SeasonPosts:
    """Publishes the messages of seasons.

    The season stores where each is, and how often it was sent or edited.
    """

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        clock: Clock,
        posting: Posting,
        direct: DirectMessages,
        pages_url: str | None = None,
    ) -> None:
        self._client = client
        self._store = store
        self._clock = clock
        self._pages_url = pages_url
        self._posting = posting
        self._direct = direct
        self._forum = SeasonForum(client, store, clock)

    def register(self, handlers: Handlers) -> None:
        """Register the handlers of its keys."""
        handlers.on(SeasonPostKey, self.publish, UNTIL_SOMEBODY_ACTS)
        handlers.on(SeasonReminderKey, self.remind, UNTIL_SOMEBODY_ACTS)
        handlers.on(CalendarEventKey, self.plan, UNTIL_SOMEBODY_ACTS)

    async def draw(self, key: SeasonAmendmentKey) -> Panel:
        """Return the current content of a message in a season's channel."""
        view = await self._store.read(view_season, SeasonId(key.about), self._clock.now())
        with speaking(await self._language(view)):
            return post_panel(view, key.post, texts(), self._pages_url)

    async def publish(self, row: OutboxRow[SeasonPostKey]) -> int:
        """Post a message in the season's channel, or edit the existing one.

        In a forum they share one post, which the season's first message opens.
        """
        view, place, language = await self._look(row.key)
        self._require_tables(view, row.key.post)
        channel_id = await self._forum.place_of(view, row.key.post)

        async def draw() -> Panel:
            with speaking(language):
                return post_panel(view, row.key.post, texts(), self._pages_url)

        if channel_id is None:
            with speaking(language):
                post_id = await self._forum.open(view, await draw(), texts())
            await self._posted(row.key, view, post_id, MessageId(post_id))
            return row.revision
        if place.message_id is not None and place.channel_id == channel_id:
            with suppress(MessageGoneError):
                await self._forum.edit(channel_id, place.message_id, draw)
                await self._posted(row.key, view, channel_id, place.message_id)
                return row.revision
        calls = isinstance(row.key.post, DisputePost | DealReportPost)
        roles = [view.staff_role_id] if calls and view.staff_role_id is not None else []
        people = [view.called_id] if calls and view.called_id is not None else []
        posted = await self._posting.post(channel_id, row, draw, people, roles)
        await self._posted(row.key, view, channel_id, MessageId(posted.id))
        return row.revision

    async def plan(self, row: OutboxRow[CalendarEventKey]) -> int:
        """Update the event of a pod on the server's calendar. Without the permission there is none."""
        view, place, language = await self._look(row.key)
        with speaking(language):
            try:
                event_id = await bring_up_to_date(
                    self._client, view, row.key.post.pod, place.message_id, texts()
                )
            except MissingAccessError:
                event_id = None
        place_id = None if event_id is None else ChannelId(view.row.guild_id)
        await self._shown(row.key, place_id, None if event_id is None else MessageId(event_id))
        return row.revision

    async def remind(self, row: OutboxRow[SeasonReminderKey]) -> int:
        """Send a direct message once, unless the player wants none or nothing is left to be done.

        It is never edited, so its place is not stored.
        """
        view, place, language = await self._look(row.key)
        self._require_tables(view, row.key.post)
        person = view.people.get(row.key.player)
        if person is not None and person.settings.reminders and not place.shown:
            with speaking(person.settings.spoken or ENGLISH):
                panel = reminder_panel(view, row.key.post, texts())
            is_sent = False
            if panel is not None and person.dms_open and not _is_called(view, row.key.post):
                async with self._direct.noting_closed(person.id):
                    await self._direct.send(
                        person.id,
                        lambda place: discord_calls.send(self._client, place, panel, row.nonce),
                    )
                    is_sent = True
            if panel is not None and not is_sent:
                await self._call(row, view, person.id, language)
        await self._shown(row.key, None, None)
        return row.revision

    def _require_tables(self, view: SeasonView, post: SeasonPost) -> None:
        """Raise PostponedError while a table that a message links to is about to be posted.

        The table may be in a new thread.
        """
        match post:
            case RoundPost(number):
                pods = view.pods_of(number)
            case TableNotice(player=player) if (pod := view.waiting_pod(player)) is not None:
                pods = [pod]
            case _:
                return
        tables = [table for pod in pods if (table := view.tables.get(pod.id))]
        awaited = [table for table in tables if table.message_id is None and table.status == "lobby"]
        until = max((table.created_at + _TABLE_FIRST_MS for table in awaited), default=0)
        if (now := self._clock.now()) < until:
            raise PostponedError(min(until, now + SECOND))

    async def _call(
        self, row: OutboxRow[SeasonReminderKey], view: SeasonView, person_id: PersonId, language: str
    ) -> None:
        """Mention a player who takes no direct messages at the table that waits for them.

        The table's own message already shows that it is open. Messages that do not concern a waiting table go
        to the season's channel.
        """
        with speaking(language):
            notice = _public_notice(view, row.key.post, person_id)
        if notice is not None:
            place_id = await self._forum.place_of(view, row.key.post)
            with suppress(ChannelGoneError, MissingAccessError):
                await discord_calls.send(
                    self._client, place_id or view.row.channel_id, notice, row.nonce, pinged=[person_id]
                )
            return
        pod = view.waiting_pod(row.key.player)
        table = view.tables.get(pod.id) if pod else None
        if isinstance(row.key.post, TableNotice) or table is None or table.status != "lobby":
            return
        with speaking(language):
            panel = notice_panel(texts()("league.unreached", person=person_id, league=view.title))
        with suppress(ChannelGoneError, MissingAccessError):
            await discord_calls.send(self._client, table.place_id, panel, row.nonce, pinged=[person_id])

    async def _look(self, key: SeasonPostKey | SeasonReminderKey | CalendarEventKey) -> Look:
        """Return the season, the place of the message so far, and the server's language."""
        reader = key.post.player if isinstance(key, SeasonReminderKey) else None

        async def read(db: ReadTransaction):
            view = await view_season(db, key.season, self._clock.now(), reader=reader)
            place = await db.seasons.post(key.season, key.post)
            return view, place

        view, place = await self._store.read(read)
        return view, place or PostRow(key.post, 0, None, None), await self._language(view)

    async def _language(self, view: SeasonView) -> str:
        return (await self._store.directory.guild_settings(view.row.guild_id)).language

    async def _posted(
        self, key: SeasonPostKey, shown: SeasonView, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        """Record where a message is. If someone was forgotten meanwhile, they are edited out of it."""
        persons = {player: person.id for player, person in shown.people.items()}

        async def write(db: WriteTransaction) -> None:
            await db.seasons.post_shown(key, channel_id, message_id)
            if await db.seasons.persons_of(persons) != persons:
                amendment = SeasonAmendmentKey(key.season, channel_id, message_id, key.post)
                await db.outbox.ask(amendment, self._clock.now())

        await self._store.write(write)

    async def _shown(
        self, key: SeasonKey, channel_id: ChannelId | None, message_id: MessageId | None
    ) -> None:
        await self._store.write(lambda db: db.seasons.post_shown(key, channel_id, message_id))


def _is_called(view: SeasonView, post: PersonalPost) -> bool:
    """Return whether a player is always mentioned in the channel: in an arena, which should send few direct messages."""
    return isinstance(post, NoShowNotice) and view.season.settings.format.plays_to_the_end


def _public_notice(view: SeasonView, post: PersonalPost, person_id: PersonId) -> Panel | None:
    """Draw the notice in the season's channel that replaces a direct message; None if the player's table shows it."""
    say = texts()
    match post:
        case CheckInReminder(number):
            return notice_panel(
                say("league.unreached_check_in", person=person_id, league=view.title, round=number)
            )
        case EndNotice():
            return notice_panel(say("league.unreached_end", person=person_id, league=view.title))
        case MessageNotice():
            return notice_panel(say("league.unreached_message", person=person_id, league=view.title))
        case PauseNotice():
            return notice_panel(say("league.unreached_paused", person=person_id, league=view.title))
        case NoShowNotice(pod):
            return notice_panel(say("league.unreached_no_show", person=person_id, league=view.title, pod=pod))
        case _:
            return None


_NAME = 80
"""The most letters of a season's name in the name of its post, which may have 100."""


class SeasonForum:
    """Finds, opens and edits the posts of seasons. A season's post is the thread with its sign-up."""

    def __init__(self, client: discord.Client, store: Store, clock: Clock) -> None:
        self._client = client
        self._store = store
        self._clock = clock

    async def place_of(self, view: SeasonView, post: SeasonPost) -> ChannelId | None:
        """Return the place of a season's message: its channel, or its post in a forum.

        Returns None for the sign-up of a season that has no post yet or whose post was deleted. For any other
        message the sign-up is requested, and RetryLaterError raised. Raises the errors of
        `bot.delivery.discord_calls`.
        """
        channel_id = view.row.channel_id
        if forum_of(discord_calls.known_guild(self._client, view.row.guild_id), channel_id) is None:
            return channel_id
        signup = SignupPost()
        place = await self._store.read(lambda db: db.seasons.post(view.row.id, signup))
        there = None if place is None else place.channel_id
        if there is not None and await discord_calls.parent_of(self._client, there) == channel_id:
            return there
        if post == signup:
            return None
        key, now = season_key(view.row.id, signup), self._clock.now()

        async def ask(db: WriteTransaction) -> None:
            await db.seasons.keep_post(key)
            await db.outbox.ask(key, now)

        await self._store.write(ask)
        raise RetryLaterError("the season's post is opened first")

    async def open(self, view: SeasonView, panel: Panel, texts: Texts) -> ChannelId:
        """Open the season's post with this panel; returns the id of the post and of its first message."""
        name = texts("thread.name_season", league=view.plain_title[:_NAME])
        try:
            posted = await discord_calls.open_post(
                self._client, view.row.channel_id, name, WEEK_MINUTES, panel
            )
        except ThreadLimitError:
            raise RetryLaterError("the server has as many open threads as it may have") from None
        return ChannelId(posted.id)

    async def edit(
        self, channel_id: ChannelId, message_id: MessageId, draw: Callable[[], Awaitable[Panel]]
    ) -> None:
        """Edit a message of a season; a post that was archived meanwhile is opened for it."""
        try:
            await discord_calls.edit(self._client, channel_id, message_id, await draw())
        except UneditableMessageError:
            if not await discord_calls.open_thread_again(self._client, channel_id):
                raise
            await discord_calls.edit(self._client, channel_id, message_id, await draw())
