"""All calls to Discord that the bot makes without a press. Errors are classified by how to react to them.

A message is posted exactly once, even if the answer to an earlier attempt was lost. The channels of direct messages are
stored, and people who accept none from the bot are noted.

Whether a table's message is still in sight is asked seldom enough to be cheap: the bot receives no messages of others, so
it counts those that came after its own, only when it has something new to show.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar, cast

import aiohttp
import discord
import structlog

from bot.clock import Clock
from bot.ui.panel import Files, Panel, files_of, sent_once
from data.ids import ChannelId, MessageId
from data.outbox_keys import OutboxKey
from data.repositories.messages import AttachedFile, OutboxRow
from data.store import Store
from data.values import TableRow
from league.ids import GuildId, PersonId
from league.times import MINUTE, milliseconds

_GONE_MESSAGE = {10008}
_GONE_PLACE = {10003, 10004}
_FORBIDDEN = {50001, 50013}
_CLOSED_DM = {50007, 50278}
_UNEDITABLE = {30046, 50083, 160005}
_THREADS_FULL = {160006}
_UNSUITABLE = {50024}
_THREAD_THERE = 160004
_TAG_REQUIRED = {40067}
_TOO_FAST = {40003}
_NO_SUCH_PERSON = 10013
_TOKEN_OVER = {10015, 50027}
_ORIGINAL: Any = "@original"
"""Discord's name for the first answer to an interaction."""
ANSWER_TIMEOUT_S = 5.0
"""The time limit of an edit by token.

The library would retry for half a minute; the bot has another way to edit.
"""


class MessageGoneError(Exception):
    """Raised when the message was deleted or can no longer be edited: post it again."""


class UneditableMessageError(MessageGoneError):
    """Raised for a message that is too old, or in an archived thread.

    A new message would reopen the thread.
    """


class ChannelGoneError(Exception):
    """Raised when the channel or the server is gone."""


class MissingAccessError(Exception):
    """Raised when the bot may not see the channel or write in it."""


class TagRequiredError(MissingAccessError):
    """Raised when the forum requires a tag on every post. People have to change that."""


class DirectMessagesClosedError(Exception):
    """Raised when this person accepts no direct messages from the bot."""


class ThreadLimitError(Exception):
    """Raised when the server has reached its limit of threads."""


class UnsupportedChannelError(Exception):
    """Raised when this kind of channel does not support the call, such as a thread within a thread."""


class TokenOverError(Exception):
    """Raised when an interaction token is no longer accepted.

    The bot's own token may be valid: edit as the bot, or wait for a press.
    """


class RetryLaterError(Exception):
    """Raised when Discord is busy or failing, or the token was revoked. Retry later, maybe with a new token.

    `after_s` is the number of seconds that Discord asks to wait, if it says so.
    """

    def __init__(self, reason: str, after_s: float | None = None) -> None:
        super().__init__(reason)
        self.after_s = after_s


class OutcomeUnknownError(RetryLaterError):
    """Raised when no answer came: Discord may have done what was asked, or may still do it."""


class Posted(NamedTuple):
    """A sent message and its attached files."""

    id: int
    files: tuple[AttachedFile, ...]


async def send(
    client: discord.Client,
    channel_id: ChannelId,
    panel: Panel,
    nonce: str,
    pinged: Collection[int] = (),
    *,
    roles: Collection[int] = (),
    silent: bool = False,
) -> Posted:
    """Post a panel. Two calls with the same nonce within minutes post it once.

    Mentions notify only the people `pinged` and the people of these roles. A `silent` message notifies no
    one.
    """
    mentions = discord.AllowedMentions.none()
    if pinged:
        mentions.users = [discord.Object(person) for person in pinged]
    if roles:
        mentions.roles = [discord.Object(role) for role in roles]
    async with failures():
        channel = client.get_partial_messageable(channel_id)

        async def post(files: Files) -> discord.Message:
            new = cast("list[discord.File]", files)  # a new message has no files to keep
            return await channel.send(
                view=panel.view, files=new, nonce=nonce, allowed_mentions=mentions, silent=silent
            )

        message = await sent_once(panel, (), post)
        return Posted(message.id, files_of(message))


async def edit(
    client: discord.Client,
    channel_id: ChannelId,
    message_id: MessageId,
    panel: Panel,
    there: Sequence[AttachedFile] = (),
) -> tuple[AttachedFile, ...]:
    """Replace a message by this panel; returns the files attached then. Files that are already `there` are not sent again."""
    message = client.get_partial_messageable(channel_id).get_partial_message(message_id)
    async with failures():
        return await _edit(message.edit, panel, there)


async def edit_answer(
    interaction: discord.Interaction[Any],
    panel: Panel,
    there: Sequence[AttachedFile] = (),
    follow_up: MessageId | None = None,
) -> tuple[AttachedFile, ...]:
    """Edit like `edit`, with the token of the interaction that the message answers or that changed it.

    `follow_up` is the message if it came in addition to the answer.
    """
    call = interaction.edit_original_response
    if follow_up is not None:
        call = partial(interaction.followup.edit_message, follow_up)
    async with failures(), asyncio.timeout(ANSWER_TIMEOUT_S):
        return await _edit(call, panel, there)


async def find_answer(client: discord.Client, token: str) -> discord.WebhookMessage | None:
    """Return the answer to the interaction with this token; None for an ephemeral one.

    Raises MessageGoneError or TokenOverError if there is none, or if the interaction is older than a quarter
    of an hour.
    """
    webhook = discord.Webhook.partial(client.application_id or 0, token, client=client)
    async with failures(), asyncio.timeout(ANSWER_TIMEOUT_S):
        answer = await webhook.fetch_message(_ORIGINAL)
    return None if answer.flags.ephemeral else answer


async def edit_found(answer: discord.WebhookMessage, panel: Panel) -> tuple[AttachedFile, ...]:
    """Edit like `edit_answer`, for an answer that `find_answer` found."""
    async with failures(), asyncio.timeout(ANSWER_TIMEOUT_S):
        return await _edit(answer.edit, panel, files_of(answer))


async def _edit(
    call: Callable[..., Awaitable[discord.Message]], panel: Panel, there: Sequence[AttachedFile]
) -> tuple[AttachedFile, ...]:
    # An edit that omits the field would not apply the client's default.
    mentions = discord.AllowedMentions.none()

    async def send(files: Files) -> discord.Message:
        return await call(view=panel.view, attachments=files, allowed_mentions=mentions)

    return files_of(await sent_once(panel, there, send))


async def delete(client: discord.Client, channel_id: ChannelId, message_id: MessageId) -> None:
    """Delete a message of the bot."""
    async with failures():
        await client.get_partial_messageable(channel_id).get_partial_message(message_id).delete()


async def count_after(client: discord.Client, channel_id: ChannelId, message_id: MessageId, most: int) -> int:
    """Count the messages of a channel that came after this one, up to `most`."""
    async with failures():
        channel = client.get_partial_messageable(channel_id)
        history = channel.history(after=discord.Object(message_id), limit=most)
        return len([message async for message in history])


async def open_dm(client: discord.Client, person_id: PersonId) -> ChannelId:
    """Open the channel for direct messages with this person; returns its id. Deleted accounts accept none."""
    async with failures():
        try:
            channel = await client.create_dm(discord.Object(person_id))
        except discord.HTTPException as error:
            if error.code != _NO_SUCH_PERSON:
                raise
            raise DirectMessagesClosedError(error.text) from error
        return ChannelId(channel.id)


async def open_message_thread(
    client: discord.Client,
    guild_id: GuildId,
    channel_id: ChannelId,
    message_id: MessageId,
    name: str,
    minutes: int,
) -> ChannelId:
    """Open the thread of a message, unless it exists; returns its id. It is archived after `minutes` of silence."""
    channel = client.get_partial_messageable(channel_id, guild_id=guild_id)
    async with failures():
        try:
            thread = await channel.get_partial_message(message_id).create_thread(
                name=name, auto_archive_duration=_archived_after(minutes)
            )
        except discord.HTTPException as error:
            if error.code != _THREAD_THERE:
                raise
            return ChannelId(message_id)  # the thread of a message has the message's id
        return ChannelId(thread.id)


async def open_thread(
    client: discord.Client, channel_id: ChannelId, name: str, minutes: int, *, private: bool
) -> ChannelId:
    """Open a thread without a message; returns its id.

    Only members of a private thread can add others to it.
    """
    channel = client.get_channel(channel_id)
    if channel is None:
        raise ChannelGoneError("the channel is not there")
    if not isinstance(channel, discord.TextChannel):
        raise UnsupportedChannelError("no text channel")
    kind = discord.ChannelType.private_thread if private else discord.ChannelType.public_thread
    async with failures():
        thread = await channel.create_thread(
            name=name, type=kind, auto_archive_duration=_archived_after(minutes)
        )
        return ChannelId(thread.id)


async def open_post(
    client: discord.Client, forum_id: ChannelId, name: str, minutes: int, panel: Panel
) -> Posted:
    """Open a post in a forum. Its first message is this panel, has the id of the post, and sends no notification.

    A post has no nonce: after an attempt whose answer was lost there may be two.
    """
    forum = client.get_channel(forum_id)
    if not isinstance(forum, discord.ForumChannel):
        raise ChannelGoneError("the forum is not there")
    async with failures():

        async def post(files: Files) -> discord.Message:
            opened = await forum.create_thread(
                name=name,
                auto_archive_duration=_archived_after(minutes),
                view=panel.view,
                files=cast("list[discord.File]", files),
                allowed_mentions=discord.AllowedMentions.none(),
            )
            return opened.message

        message = await sent_once(panel, (), post)
        return Posted(message.id, files_of(message))


def known_guild(client: discord.Client, guild_id: int) -> discord.Guild | None:
    """Return a server whose channels are known; None if the bot is certainly not in it.

    Raises RetryLaterError while the bot starts and Discord has not yet named its servers, and for a server
    that Discord has named but not sent: after a new session has begun, or while the server is unavailable.
    """
    guild = client.get_guild(guild_id)
    if (guild is None and not client.is_ready()) or (guild is not None and guild.unavailable):
        raise RetryLaterError("the channels of the server are not known yet")
    return guild


def require_channel(client: discord.Client, guild_id: int, channel_id: int) -> None:
    """Raise ChannelGoneError for a channel that this server does not have, and MissingAccessError without the server.

    Discord would take a post in any channel that the bot can see. Raises RetryLaterError as `known_guild` does.
    """
    guild = known_guild(client, guild_id)
    if guild is None:
        raise MissingAccessError("the bot is not in the server")
    if guild.get_channel(channel_id) is None:
        raise ChannelGoneError("the server has no such channel")


async def parent_of(client: discord.Client, place_id: ChannelId) -> ChannelId | None:
    """Return the channel or forum of a thread; None if there is no such thread."""
    try:
        async with failures():
            return ChannelId((await _thread(client, place_id)).parent_id)
    except ChannelGoneError:
        return None


async def add_to_thread(client: discord.Client, thread_id: ChannelId, person_id: PersonId) -> None:
    """Add a person to a thread."""
    async with failures():
        await (await _thread(client, thread_id)).add_user(discord.Object(person_id))


async def remove_from_thread(client: discord.Client, thread_id: ChannelId, person_id: PersonId) -> None:
    """Remove a person from a thread."""
    async with failures():
        await (await _thread(client, thread_id)).remove_user(discord.Object(person_id))


async def open_thread_again(client: discord.Client, channel_id: ChannelId) -> bool:
    """Open an archived thread; returns False if the channel is not an archived thread."""
    async with failures():
        thread = client.get_channel(channel_id) or await client.fetch_channel(channel_id)
        if not isinstance(thread, discord.Thread) or not thread.archived:
            return False
        await thread.edit(archived=False)
        return True


async def archive_thread(client: discord.Client, thread_id: ChannelId) -> None:
    """Archive a thread."""
    async with failures():
        await (await _thread(client, thread_id)).edit(archived=True)


async def _thread(client: discord.Client, thread_id: ChannelId) -> discord.Thread:
    thread = client.get_channel(thread_id) or await client.fetch_channel(thread_id)
    if not isinstance(thread, discord.Thread):
        raise ChannelGoneError("no thread of that id")
    return thread


def _archived_after(minutes: int) -> Literal[1440, 10080]:
    return 10080 if minutes > 1440 else 1440


@asynccontextmanager
async def failures() -> AsyncGenerator[None, None]:
    """Translate errors into those of this module. A refused invalid payload stays an HTTPException."""
    try:
        yield
    except discord.RateLimited as error:
        raise RetryLaterError("rate limited", error.retry_after) from error
    except discord.HTTPException as error:
        raise _meaning(error) from error
    except aiohttp.ClientConnectorError as error:
        raise RetryLaterError(type(error).__name__) from error
    except (aiohttp.ClientError, TimeoutError, OSError) as error:
        raise OutcomeUnknownError(type(error).__name__) from error


def _meaning(error: discord.HTTPException) -> Exception:
    meanings = (
        (_GONE_MESSAGE, MessageGoneError),
        (_UNEDITABLE, UneditableMessageError),
        (_GONE_PLACE, ChannelGoneError),
        (_FORBIDDEN, MissingAccessError),
        (_CLOSED_DM, DirectMessagesClosedError),
        (_TAG_REQUIRED, TagRequiredError),
        (_THREADS_FULL, ThreadLimitError),
        (_UNSUITABLE, UnsupportedChannelError),
        (_TOKEN_OVER, TokenOverError),
    )
    for codes, kind in meanings:
        if error.code in codes:
            return kind(error.text)
    if error.code in _TOO_FAST or error.status in {401, 408, 429} or error.status >= 500:
        return RetryLaterError(f"{error.status} {error.code}")
    return error


Draw = Callable[[], Awaitable[Panel]]


class Posting:
    """Posts messages that are kept up to date."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._since = clock.now()
        """Since when no other process has sent for this process's servers; this run's start or later."""

    def take_over(self) -> None:
        """Note that the process has servers for which another one has sent until now."""
        self._since = self._clock.now()

    def may_have_sent(self, row: OutboxRow[OutboxKey]) -> bool:
        """Return whether an earlier attempt, by this or any other run or process, may have sent this."""
        return row.may_have_arrived(self._since)

    async def post(
        self,
        channel_id: ChannelId,
        row: OutboxRow[OutboxKey],
        draw: Draw,
        pinged: Collection[PersonId] = (),
        roles: Collection[int] = (),
    ) -> Posted:
        """Post a message for a row of the outbox. Raises the errors of this module.

        Mentions in it notify the people `pinged` and these roles, and nobody else. If an earlier attempt may
        have arrived, Discord answers the same nonce with the message of that attempt, which is then edited to
        what `draw` returns now.
        """
        posted = await send(self._client, channel_id, await draw(), row.nonce, pinged, roles=roles)
        if self.may_have_sent(row):
            files = await edit(self._client, channel_id, MessageId(posted.id), await draw(), posted.files)
            return Posted(posted.id, files)
        return posted


T = TypeVar("T")
log = structlog.get_logger(__name__)


class DirectMessages:
    """Finds the channels of direct messages. They are stored, because the library remembers no more than 128."""

    def __init__(self, client: discord.Client, store: Store) -> None:
        self._client = client
        self._store = store

    async def channel_of(self, person_id: PersonId) -> ChannelId:
        """Return the channel for direct messages with this person; open it if it is not known."""
        return await self._known(person_id) or await self._open(person_id)

    async def send(
        self, person_id: PersonId, act: Callable[[ChannelId], Awaitable[T]]
    ) -> tuple[ChannelId, T]:
        """Call `act` with this person's channel; returns the channel and the result.

        If Discord refuses a stored channel, it is opened again, once. Raises what `act` raises, and
        DirectMessagesClosedError.
        """
        known = await self._known(person_id)
        if known is not None:
            try:
                return known, await act(known)
            except (ChannelGoneError, DirectMessagesClosedError, MissingAccessError):
                log.info("dms.reopened")
                await self._keep(person_id, None)
        channel_id = await self._open(person_id)
        return channel_id, await act(channel_id)

    @asynccontextmanager
    async def noting_closed(self, person_id: PersonId) -> AsyncGenerator[None, None]:
        """If this person turns out to accept no direct messages, note that and stop trying."""
        try:
            yield
        except DirectMessagesClosedError:
            log.info("dms.closed")
            await self._store.write(lambda db: db.people.set_dms(person_id, open_=False))

    async def _known(self, person_id: PersonId) -> ChannelId | None:
        return await self._store.read(lambda db: db.people.direct_channel(person_id))

    async def _open(self, person_id: PersonId) -> ChannelId:
        channel_id = await open_dm(self._client, person_id)
        await self._keep(person_id, channel_id)
        return channel_id

    async def _keep(self, person_id: PersonId, channel_id: ChannelId | None) -> None:
        await self._store.write(lambda db: db.people.set_direct_channel(person_id, channel_id))


FAR = 6
"""How many later messages push a table out of sight on a phone."""
LOOK_MS = 2 * MINUTE
"""How long a count is valid within one deal, in milliseconds."""
OLD_MS = 50 * MINUTE
"""The age, in milliseconds, of an old message: after an hour Discord limits edits much more."""
REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class VisibilityCheck:
    """The last count of the messages after this one: its time, its deal, and when the message was posted."""

    deal_no: int
    at: int
    posted_at: int


class MessageVisibility:
    """Checks the messages of all tables. The checks do not survive a restart."""

    def __init__(self, client: discord.Client, clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._looks: dict[int, VisibilityCheck] = {}
        """The checks by message."""

    def posted(self, message_id: MessageId, deal_no: int) -> None:
        """Record that the message was posted now, so it is the last one in its channel."""
        now = self._clock.now()
        self._remember(message_id, VisibilityCheck(deal_no, now, now))

    def _remember(self, message_id: MessageId, look: VisibilityCheck) -> None:
        self._looks.pop(message_id, None)
        self._looks[message_id] = look
        while len(self._looks) > REMEMBERED:
            del self._looks[next(iter(self._looks))]

    async def is_lost(self, table: TableRow) -> bool:
        """Return whether to post the table again instead of editing it.

        Raises the errors of this module. A closed table stays where it is.
        """
        if table.message_id is None or table.status == "closed":
            return False
        now, look = self._clock.now(), self._looks.get(table.message_id)
        posted_at = look.posted_at if look else made_at(table.message_id)
        if now - posted_at >= OLD_MS:
            return True
        if look is not None and look.deal_no == table.deal_no and now - look.at < LOOK_MS:
            return False
        self._remember(table.message_id, VisibilityCheck(table.deal_no, now, posted_at))
        later = await count_after(self._client, table.place_id, table.message_id, FAR)
        return later >= FAR


def made_at(message_id: MessageId) -> int:
    """Return when a message was created, in milliseconds since 1970, from its id."""
    return milliseconds(discord.utils.snowflake_time(message_id))
