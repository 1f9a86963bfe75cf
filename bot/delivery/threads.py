"""The thread of a table: opened with its players at the first deal, and archived when the table closes.

In a forum the thread is a post.
"""

from collections.abc import Awaitable, Callable
from contextlib import suppress

import discord
import structlog

from bot.delivery import discord_calls
from bot.delivery.discord_calls import (
    ChannelGoneError,
    MessageGoneError,
    MissingAccessError,
    RetryLaterError,
    ThreadLimitError,
    UneditableMessageError,
    UnsupportedChannelError,
)
from bot.interactions.permissions import forum_of, missing_for_thread, thread_permissions
from bot.table.core.change import FULL, UNSUITABLE
from bot.table.core.snapshot import Snapshot
from bot.ui.panel import notice_panel
from bot.words.texts import catalogue
from data.ids import ChannelId
from data.preferences import Pace
from data.values import TableRow
from league.ids import PersonId

DAY_MINUTES = 1_440
WEEK_MINUTES = 10_080
UNHURRIED = {Pace.NONE, Pace.DAILY}

_REFUSED = (MissingAccessError, ChannelGoneError, discord.HTTPException)
_MemberChange = Callable[[discord.Client, ChannelId, PersonId], Awaitable[None]]

log = structlog.get_logger(__name__)


class ThreadRefusedError(Exception):
    """The table gets no thread. `why` is a reason of `bot.table.core.change`, or the missing permissions with commas."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Threads:
    """Opens, fills and archives threads. It writes nothing to the store."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    def in_forum(self, table: TableRow) -> bool:
        """Return whether the table's channel is a forum, where it needs a post.

        Raises RetryLaterError while that is unknown.
        """
        guild = discord_calls.known_guild(self._client, table.guild_id)
        return forum_of(guild, table.channel_id) is not None

    async def make_post(self, snapshot: Snapshot, name: str) -> ChannelId:
        """Open a post of this name for a table in a forum; returns its id.

        Raises the errors of `bot.delivery.discord_calls`, because without a post the table cannot be shown
        anywhere.
        """
        panel = notice_panel(catalogue(snapshot.language)("thread.post", name=name))
        forum_id, minutes = snapshot.table.channel_id, _minutes(snapshot.table)
        try:
            posted = await discord_calls.open_post(self._client, forum_id, name, minutes, panel)
        except ThreadLimitError:
            raise RetryLaterError("the server has as many open threads as it may have") from None
        except MissingAccessError as error:
            if snapshot.table.status == "lobby":  # no press would retry it
                raise RetryLaterError(type(error).__name__) from error
            raise
        return ChannelId(posted.id)

    async def make(self, snapshot: Snapshot, name: str) -> ChannelId:
        """Open a thread of this name for a table; returns its id.

        The thread belongs to the table's message. A private table's thread is visible only to its members and
        to people who manage threads. No hand is ever shown in a thread.

        Raises ThreadRefusedError and RetryLaterError.
        """
        table = snapshot.table
        self._require_permissions(table)
        try:
            return await self._open(snapshot, name)
        except MissingAccessError:
            raise ThreadRefusedError(",".join(thread_permissions(private=table.kind.by_invitation))) from None
        except ThreadLimitError:
            raise ThreadRefusedError(FULL) from None
        except UnsupportedChannelError:
            raise ThreadRefusedError(UNSUITABLE) from None

    def _require_permissions(self, table: TableRow) -> None:
        """Raise ThreadRefusedError if permissions are missing, as far as the client knows."""
        guild = self._client.get_guild(table.guild_id)
        channel = guild.get_channel(table.channel_id) if guild else None
        if guild is None or channel is None:
            return
        missing = missing_for_thread(channel.permissions_for(guild.me), private=table.kind.by_invitation)
        if missing:
            raise ThreadRefusedError(",".join(missing))

    async def _open(self, snapshot: Snapshot, name: str) -> ChannelId:
        table = snapshot.table
        minutes = _minutes(table)
        if table.kind.by_invitation or table.message_id is None:
            return await discord_calls.open_thread(
                self._client, table.channel_id, name, minutes, private=table.kind.by_invitation
            )
        try:
            return await discord_calls.open_message_thread(
                self._client, table.guild_id, table.channel_id, table.message_id, name, minutes
            )
        except MessageGoneError:
            return await discord_calls.open_thread(
                self._client, table.channel_id, name, minutes, private=False
            )

    async def add(self, thread_id: ChannelId, person_id: PersonId) -> None:
        """Add a person to a thread, if Discord allows it."""
        try:
            await self._change(discord_calls.add_to_thread, thread_id, person_id)
        except _REFUSED as error:  # the person finds it by the link
            log.info("threads.not_added", thread_id=thread_id, why=type(error).__name__)

    async def remove(self, thread_id: ChannelId, person_id: PersonId) -> None:
        """Remove a person from a thread, if Discord allows it."""
        try:
            await self._change(discord_calls.remove_from_thread, thread_id, person_id)
        except _REFUSED as error:
            log.info("threads.not_removed", thread_id=thread_id, why=type(error).__name__)

    async def _change(self, change: _MemberChange, thread_id: ChannelId, person_id: PersonId) -> None:
        """Change the members of a thread; an archived one is opened for it."""
        try:
            await change(self._client, thread_id, person_id)
        except UneditableMessageError:
            await discord_calls.open_thread_again(self._client, thread_id)
            await change(self._client, thread_id, person_id)

    async def archive(self, thread_id: ChannelId) -> None:
        """Archive the thread; raises RetryLaterError. A deleted or locked thread is left unchanged."""
        with suppress(MissingAccessError, ChannelGoneError, MessageGoneError):
            await discord_calls.archive_thread(self._client, thread_id)


def _minutes(table: TableRow) -> int:
    """Return after how many minutes of silence the thread of a table is archived."""
    is_unhurried = table.kind.calls_players or table.options.pace in UNHURRIED
    return WEEK_MINUTES if is_unhurried else DAY_MINUTES


def people_of(snapshot: Snapshot) -> list[PersonId]:
    """Return the people at the table; if it calls its players, also those whose seats are reserved."""
    seated = [seat.person_id for seat in snapshot.seats if seat.person_id is not None]
    if not snapshot.table.kind.calls_players:
        return seated
    return list(dict.fromkeys([*seated, *(guest.person.id for guest in snapshot.guests_who_are("invited"))]))
