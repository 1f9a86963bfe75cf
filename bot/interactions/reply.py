"""The answer to one interaction: sent at once if it is ready, else after an acknowledgement in time."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from enum import Enum, auto
from types import TracebackType
from typing import Any, Self, cast

import aiohttp
import discord
import structlog

from bot.errors import UserError
from bot.ui.attachments import Files, files_of, sent_again, sent_once
from bot.ui.panel import Panel, notice_panel, refusal_panel
from bot.words.texts import texts
from data.ids import MessageId
from data.repositories.attached_files import AttachedFile

PATIENCE_S = 1.2
"""How long the work may take, in seconds, before the interaction is acknowledged without it.

Discord waits 3 seconds.
"""
ANSWER_TIMEOUT_S = 2.5
"""An answer is useless after discord.py's own retries, which take far longer than this."""

_TOO_LATE = {10062, 40060, 10015, 50027}
_SERVER_FAULT = 500

Send = Callable[[Files], Awaitable[Any]]

log = structlog.get_logger(__name__)


class Kind(Enum):
    """Where the answer goes."""

    UPDATE = auto()
    """Into the message that was pressed."""
    PRIVATE = auto()
    """Into a new message that only this person sees."""
    PUBLIC = auto()
    """Into a new message for everybody."""


class Reply:
    """The answer to one interaction: `async with Reply(interaction, kind) as reply: ... await reply.show(panel)`."""

    def __init__(self, interaction: discord.Interaction[Any], kind: Kind) -> None:
        self.interaction = interaction
        # A form opened by a typed command, for example, has no message to update.
        self._kind = Kind.PRIVATE if kind is Kind.UPDATE and interaction.message is None else kind
        self._lock = asyncio.Lock()
        self.files: tuple[AttachedFile, ...] = ()
        """What the message that was shown last has attached."""
        self.is_besides = False
        """Whether the panel was shown in a message besides the answer, so that an edit has to name it."""
        self._patience: asyncio.TimerHandle | None = None
        self._acknowledging: asyncio.Task[None] | None = None

    @property
    def updates(self) -> MessageId | None:
        """The id of the message that the answer updates; None if it makes a new one."""
        message = self.interaction.message
        return MessageId(message.id) if self._kind is Kind.UPDATE and message is not None else None

    @property
    def stays(self) -> bool:
        """Whether the answer stays visible, also to others: an ephemeral message does not."""
        message = self.interaction.message
        ephemeral = message is not None and message.flags.ephemeral
        return not (ephemeral if self._kind is Kind.UPDATE else self._kind is Kind.PRIVATE)

    @property
    def lasting(self) -> MessageId | None:
        """The id of the message that the answer updates, if that is not ephemeral: for a hand, a direct message."""
        return self.updates if self.stays else None

    async def __aenter__(self) -> Self:
        # Hardly any answer takes that long, so a timer does, which costs less than a task that sleeps.
        self._patience = asyncio.get_running_loop().call_later(PATIENCE_S, self._begin_to_acknowledge)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._patience is not None:
            self._patience.cancel()
        if self._acknowledging is not None:
            await asyncio.wait([self._acknowledging])  # so that it arrives before an apology

    def _begin_to_acknowledge(self) -> None:
        self._acknowledging = asyncio.create_task(self._acknowledge(), name="acknowledge")

    async def _acknowledge(self) -> None:
        async with self._lock:
            response = self.interaction.response
            if response.is_done():
                return
            if self._kind is Kind.UPDATE:
                try:
                    await self._sent(response.defer())
                except discord.HTTPException as error:
                    self._note_refused(error)
                else:
                    return
            await self._sent(response.defer(thinking=True, ephemeral=self._kind is Kind.PRIVATE))

    async def tell(self, words: str) -> None:
        """Send this person a private message, for every kind of answer. A public "thinking" is completed in public.

        It never replaces an existing message.
        """
        await self._tell(notice_panel(words))

    async def refuse(self, sorry: UserError) -> None:
        """Explain privately, like `tell`, why a request is refused, with the possible ways out."""
        await self._tell(refusal_panel(sorry, texts()))

    async def _tell(self, panel: Panel) -> None:
        async with self._lock:
            response = self.interaction.response
            if not response.is_done():
                await self._sent(response.send_message(view=panel.view, ephemeral=True))
            elif response.type is discord.InteractionResponseType.deferred_channel_message:
                await self._sent(self.interaction.edit_original_response(view=panel.view))
            else:
                await self._sent(self.interaction.followup.send(view=panel.view, ephemeral=True))

    async def show(self, panel: Panel, pings: Sequence[int] = ()) -> MessageId | None:
        """Show a panel in the place of this kind; returns the id of its message if Discord returned one.

        Of the people mentioned in a new message, only `pings` are pinged. If Discord refuses to update the
        pressed message, for example because it was deleted, the panel comes in a new private message: what
        the person did may be stored, so it has to be shown.
        """
        mentions = discord.AllowedMentions.none()
        if pings:
            mentions.users = [discord.Object(ping) for ping in pings]
        async with self._lock:
            if self._kind is not Kind.UPDATE:
                return await self._show(panel, mentions)
            try:
                return await self._show(panel, mentions)
            except discord.HTTPException as error:
                self._note_refused(error)
            if self.interaction.response.is_done():
                self.is_besides = True
                return self._followed(await self._sent(sent_again(panel, self._follow_up(panel))))
            return self._answered(await self._sent(sent_again(panel, self._post(panel, mentions))))

    async def _show(self, panel: Panel, mentions: discord.AllowedMentions) -> MessageId | None:
        if self.interaction.response.is_done():
            return self._followed(
                await self._sent(sent_once(panel, self._there, self._edit(panel, mentions)))
            )
        if self._kind is Kind.UPDATE:
            return self._answered(await self._sent(sent_once(panel, self._there, self._update(panel))))
        return self._answered(await self._sent(sent_once(panel, (), self._post(panel, mentions))))

    def _followed(self, message: Any) -> MessageId | None:
        self.files = files_of(message)
        return MessageId(message.id) if message else None

    def _answered(self, answer: Any) -> MessageId | None:
        self.files = files_of(answer.resource if answer else None)
        return answer.message_id if answer else None

    def _note_refused(self, error: discord.HTTPException) -> None:
        """Discord refuses to update the message that was pressed: the answer goes to this person alone."""
        log.warning("answer.refused", interaction=self.interaction.id, status=error.status, code=error.code)
        self._kind = Kind.PRIVATE

    async def show_besides(self, panel: Panel) -> MessageId | None:
        """Show a panel privately, in a new message after the answer.

        Returns the id of that message if Discord returned one.
        """
        async with self._lock:
            return self._followed(await self._sent(sent_once(panel, (), self._follow_up(panel))))

    async def call(self, panel: Panel, pings: Sequence[int]) -> None:
        """Show a panel to everybody in the channel, besides the answer that was given; exactly `pings` are pinged."""
        mentions = discord.AllowedMentions.none()
        mentions.users = [discord.Object(ping) for ping in pings]
        async with self._lock:
            await self._sent(self.interaction.followup.send(view=panel.view, allowed_mentions=mentions))

    @property
    def _there(self) -> tuple[AttachedFile, ...]:
        """Return the files that the answered message had when it was pressed."""
        return files_of(self.interaction.message) if self._kind is Kind.UPDATE else ()

    def _post(self, panel: Panel, mentions: discord.AllowedMentions) -> Send:
        private = self._kind is Kind.PRIVATE
        return lambda files: self.interaction.response.send_message(
            view=panel.view,
            files=cast("list[discord.File]", files),  # nothing is there yet that could be kept
            ephemeral=private,
            allowed_mentions=mentions,
        )

    def _follow_up(self, panel: Panel) -> Send:
        return lambda files: self.interaction.followup.send(
            view=panel.view, files=cast("list[discord.File]", files), ephemeral=True
        )

    def _edit(self, panel: Panel, mentions: discord.AllowedMentions) -> Send:
        return lambda files: self.interaction.edit_original_response(
            view=panel.view, attachments=files, allowed_mentions=mentions
        )

    def _update(self, panel: Panel) -> Send:
        return lambda files: self.interaction.response.edit_message(view=panel.view, attachments=files)

    async def _sent(self, call: Any) -> Any:
        """Send an answer. If it comes too late or Discord loses it, that is logged; what was committed stays."""
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                return await call
        except TimeoutError:
            log.warning("answer.timed_out", interaction=self.interaction.id)
        except discord.HTTPException as error:
            if error.status < _SERVER_FAULT and error.code not in _TOO_LATE:
                raise
            log.info("answer.lost", interaction=self.interaction.id, status=error.status, code=error.code)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("answer.lost", interaction=self.interaction.id, why=type(error).__name__)
        return None
