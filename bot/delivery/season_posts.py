"""The messages of a season: in its channel, and by direct message to those who want to be reminded."""

from collections.abc import Hashable
from contextlib import suppress
from functools import partial
from zlib import crc32

import discord
import structlog

from bot.clock import Clock
from bot.delivery import discord_calls
from bot.delivery.discord_calls import (
    ChannelGoneError,
    DirectMessagesClosedError,
    MessageGoneError,
    MissingAccessError,
    RetryLaterError,
)
from bot.delivery.season_calendar import bring_up_to_date
from bot.lanes import Lanes, backoff_ms
from bot.league.season_view import SeasonView, view_season
from bot.panels.league.direct_messages import reminder_panel
from bot.panels.league.posts import post_panel
from bot.ui.panel import Panel
from bot.wakeup import Wakeup
from bot.words.texts import speaking, texts
from data.privacy_rows import AmendmentRow
from data.season_rows import PostRow
from data.store import Store
from render.catalogue import ENGLISH

AT_ONCE = 16
"""Requests under way that are not slow."""
LONGEST_WITHOUT_PERMISSION_MS = 600_000
"""Attempts in a channel that is gone or forbidden may become as rare as this: people must do something first."""
EVENT = "event:"
"""How the keys of events on the server's calendar begin."""

log = structlog.get_logger(__name__)


def destination(post: PostRow) -> Hashable:
    """Where a post goes: a season's channel, the server's calendar, or the direct messages of one of its players."""
    return post.season, post.player, post.key.startswith(EVENT)


class Posts:
    """Sends what waits. What cannot be sent now is tried again later, each time after a longer rest.

    Every destination has a lane of its own: one that hangs, is limited or fails delays no other.
    """

    def __init__(self, client: discord.Client, store: Store, clock: Clock) -> None:
        self._client = client
        self._store = store
        self._clock = clock
        self._since = clock.now()
        self._sleeper = Wakeup(clock)
        self.wake = self._sleeper.wake
        self._lanes: Lanes[tuple[int, str]] = Lanes(AT_ONCE, self.wake)
        """By destination: seasons with the keys of their posts."""

    async def run(self) -> None:
        """Send until cancelled."""
        async with self._lanes:
            while True:
                self._sleeper.look()
                self._lanes.check()
                if not self._lanes.room:
                    await self._sleeper.sleep()
                    continue
                now = self._clock.now()
                async with self._store.read() as db:
                    due = await db.seasons.posts_due(now, self._lanes.room, self._lanes.taken)
                    following = None if due else await db.seasons.next_post_at(now)
                for post in due:
                    self._lanes.offer(destination(post), (post.season, post.key), partial(self.send, post))
                if not due:
                    await self._sleeper.sleep([] if following is None else [following])

    async def send(self, post: PostRow) -> None:
        """Send one post, and note what became of it."""
        try:
            async with self._store.read() as db:
                view = await view_season(db, post.season, self._clock.now())
            if post.player is None:
                await self._post(post, view)
            else:
                await self._remind(post, view, post.player)
        except RetryLaterError as error:
            log.warning("leagues.post_waits", season=post.season, key=post.key, why=str(error))
            await self._put_off(post, max(backoff_ms(post.attempts), int((error.after_s or 0) * 1000)))
        except (MissingAccessError, ChannelGoneError) as error:
            log.warning("leagues.post_waits", season=post.season, key=post.key, why=type(error).__name__)
            await self._put_off(post, backoff_ms(post.attempts, LONGEST_WITHOUT_PERMISSION_MS))
        except discord.HTTPException as error:  # it would be refused again
            log.error(  # noqa: TRY400
                "leagues.post_refused", season=post.season, key=post.key, code=error.code, why=error.text
            )
            await self._done(post, post.channel_id, post.message_id)
        except Exception:
            log.exception("leagues.post_failed", season=post.season, key=post.key)
            await self._put_off(post, backoff_ms(post.attempts))

    async def post_now(self, row: AmendmentRow) -> Panel:
        """What a message of a season shows by now."""
        async with self._store.read() as db:
            view = await view_season(db, row.about, self._clock.now())
            language = (await db.guilds.settings(view.row.guild_id)).language
        with speaking(language):
            return post_panel(view, row.key, texts())

    async def _post(self, post: PostRow, view: SeasonView) -> None:
        async with self._store.read() as db:
            language = (await db.guilds.settings(view.row.guild_id)).language
        with speaking(language):
            if post.key.startswith(EVENT):
                await self._plan(post, view)
                return
            panel = post_panel(view, post.key, texts())
        channel_id, message_id = view.row.channel_id, post.message_id
        if message_id is not None and post.channel_id == channel_id:
            with suppress(MessageGoneError):
                await discord_calls.edit(self._client, channel_id, message_id, panel)
                await self._done(post, channel_id, message_id)
                return
        with speaking(language):
            message_id = await self._send_panel(post, view)
        await self._done(post, channel_id, message_id)

    async def _send_panel(self, post: PostRow, view: SeasonView) -> int:
        """Post a message anew; its id. One that an earlier attempt may have left is brought up to date."""
        channel_id = view.row.channel_id
        panel = post_panel(view, post.key, texts())
        message_id = await discord_calls.send(self._client, channel_id, panel, _nonce(post))
        if post.attempts or post.not_before < self._since:
            panel = post_panel(view, post.key, texts())
            await discord_calls.edit(self._client, channel_id, message_id, panel)
        return message_id

    async def _plan(self, post: PostRow, view: SeasonView) -> None:
        """The event of a pod on the server's calendar; where the bot may not make one, there is none."""
        try:
            event_id = await bring_up_to_date(self._client, post, view, texts())
        except MissingAccessError:
            event_id = None
        await self._done(post, None if event_id is None else view.row.guild_id, event_id)

    async def _remind(self, post: PostRow, view: SeasonView, player: int) -> None:
        """Tell one player what awaits him; nothing where nothing does any more, or where he wants none of it."""
        person = view.people.get(player)
        if person is None or not person.dms_open or not person.settings.reminders or post.shown:
            await self._done(post, None, None)
            return
        with speaking(person.settings.spoken or ENGLISH):
            panel = reminder_panel(view, player, post.key, texts())
        if panel is None:
            await self._done(post, None, None)
            return
        try:
            channel_id = await discord_calls.open_dm(self._client, person.id)
            message_id = await discord_calls.send(self._client, channel_id, panel, _nonce(post))
            await self._done(post, channel_id, message_id)
        except DirectMessagesClosedError:
            async with self._store.write() as db:
                await db.people.set_dms(person.id, open_=False)
            await self._done(post, None, None)

    async def _done(self, post: PostRow, channel_id: int | None, message_id: int | None) -> None:
        async with self._store.write() as db:
            await db.seasons.post_shown(post, channel_id, message_id)

    async def _put_off(self, post: PostRow, wait_ms: int) -> None:
        async with self._store.write() as db:
            await db.seasons.post_failed(post, self._clock.now() + wait_ms)


def _nonce(post: PostRow) -> str:
    """The same for every attempt, so that a message which arrived after all is not posted twice.

    It may be wanted once more between two attempts; only what was shown in between lets a message have another nonce.
    """
    return f"{post.season:x}-{crc32(post.key.encode()):x}-{post.shown:x}"
