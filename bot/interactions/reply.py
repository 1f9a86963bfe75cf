"""The answer to one interaction: sent at once if it is ready, else after an acknowledgement in time, and always one.

The error boundary around every interaction sets its language and its time limit, and answers every error.
"""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager, contextmanager
from enum import Enum, auto
from types import TracebackType
from typing import Any, Final, Self, cast

import aiohttp
import discord
import structlog

from bot.errors import (
    ChangedElsewhereError,
    RepeatedInteractionError,
    StaleRevisionError,
    UnexpectedInputError,
    UserError,
)
from bot.metrics import InteractionOutcome, counted
from bot.ui.items import TOO_LATE
from bot.ui.panel import Files, Panel, files_of, notice_panel, refusal_panel, sent_again, sent_once
from bot.words.rules import refusal_words
from bot.words.texts import Languages, texts
from data.errors import (
    EventsDamaged,
    RevisionConflictError,
    StoreBusyError,
    StoreDamagedError,
    StoreOutcomeUnknown,
    StoreUnavailableError,
)
from data.ids import MessageId
from data.repositories.messages import AttachedFile
from data.store import HAS_STORED
from marriage.errors import IllegalActionError
from render.words import speaking

PATIENCE_S = 1.2
"""How long the work may take, in seconds, before the interaction is acknowledged without it.

Discord waits 3 seconds.
"""
ANSWER_TIMEOUT_S = 2.5
"""The time limit of an answer, in seconds: after discord.py's own, much longer retries it is useless."""

_SERVER_FAULT = 500
_PUBLIC_UNSURE = "a public answer is not sure to be there"
"""The key, in an interaction's extras, of a public answer that Discord has not confirmed."""

Send = Callable[[Files], Awaitable[Any]]

log = structlog.get_logger(__name__)


class Kind(Enum):
    """Where the answer goes."""

    UPDATE = auto()
    """In the pressed message."""
    PRIVATE = auto()
    """Into a new message that only this person sees."""
    PUBLIC = auto()
    """In a new message for everyone."""


class Reply:
    """The answer to one interaction: `async with Reply(interaction, kind) as reply: ... await reply.show(panel)`."""

    def __init__(self, interaction: discord.Interaction[Any], kind: Kind) -> None:
        self.interaction = interaction
        # A form opened by a typed command, for example, has no message to update.
        self._kind = Kind.PRIVATE if kind is Kind.UPDATE and interaction.message is None else kind
        self._lock = asyncio.Lock()
        self.files: tuple[AttachedFile, ...] = ()
        """The files attached to the message shown last."""
        self.is_besides = False
        """Whether the panel was shown in a message after the answer, so that an edit has to name it."""
        if self._kind is Kind.PUBLIC:
            interaction.extras[_PUBLIC_UNSURE] = True
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
        # Hardly any answer takes this long, so a timer is used, which costs less than a sleeping task.
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
        """Tell Discord that the answer takes longer. If it refuses, the answer itself is sent as the first response."""
        async with self._lock:
            if self.interaction.response.is_done():
                return
            try:
                await self._defer()
            except discord.HTTPException as error:
                log.warning(
                    "acknowledgement.refused",
                    interaction=self.interaction.id,
                    status=error.status,
                    code=error.code,
                )

    async def _defer(self) -> None:
        response = self.interaction.response
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

    async def suggest_nothing(self) -> None:
        """Answer an autocomplete, which can only be answered with suggestions, with none."""
        async with self._lock:
            await self._sent(self.interaction.response.autocomplete([]))

    async def show(self, panel: Panel, pings: Sequence[int] = ()) -> MessageId | None:
        """Show a panel in the place of this kind; returns the id of its message if Discord returned one.

        Of the people mentioned in a new message, only `pings` are pinged. If Discord refuses to update the
        pressed message, for example because it was deleted, the panel is sent in a new private message: the
        person's action may be stored, so its result has to be shown.
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
        return self._confirmed(MessageId(message.id) if message else None)

    def _answered(self, answer: Any) -> MessageId | None:
        self.files = files_of(answer.resource if answer else None)
        return self._confirmed(answer.message_id if answer else None)

    def _confirmed(self, message_id: MessageId | None) -> MessageId | None:
        if message_id is not None:
            self.interaction.extras.pop(_PUBLIC_UNSURE, None)
        return message_id

    def _note_refused(self, error: discord.HTTPException) -> None:
        """Answer only this person from now on, because Discord refuses to update the pressed message."""
        log.warning("answer.refused", interaction=self.interaction.id, status=error.status, code=error.code)
        self._kind = Kind.PRIVATE

    async def show_besides(self, panel: Panel) -> MessageId | None:
        """Show a panel privately, in a new message after the answer.

        Returns the id of that message if Discord returned one. Nothing is shown after a public answer that
        Discord has not confirmed.
        """
        async with self._lock:
            return self._followed(await self._sent(sent_once(panel, (), self._follow_up(panel))))

    async def call(self, panel: Panel, pings: Sequence[int]) -> None:
        """Show a panel to everyone in the channel, after the answer; exactly `pings` are pinged."""
        mentions = discord.AllowedMentions.none()
        mentions.users = [discord.Object(ping) for ping in pings]
        async with self._lock:
            await self._sent(self.interaction.followup.send(view=panel.view, allowed_mentions=mentions))

    @property
    def _there(self) -> tuple[AttachedFile, ...]:
        """The files that the answered message had when it was pressed."""
        return files_of(self.interaction.message) if self._kind is Kind.UPDATE else ()

    def _post(self, panel: Panel, mentions: discord.AllowedMentions) -> Send:
        private = self._kind is Kind.PRIVATE
        return lambda files: self.interaction.response.send_message(
            view=panel.view,
            files=cast("list[discord.File]", files),  # a new message has no files to keep
            ephemeral=private,
            allowed_mentions=mentions,
        )

    def _follow_up(self, panel: Panel) -> Send:
        async def send(files: Files) -> Any:
            # A public "thinking" may be open. Discord would complete it with this message, for everyone to see.
            if _PUBLIC_UNSURE in self.interaction.extras:
                log.warning("follow_up.withheld", interaction=self.interaction.id)
                return None
            return await self.interaction.followup.send(
                view=panel.view, files=cast("list[discord.File]", files), ephemeral=True
            )

        return send

    def _edit(self, panel: Panel, mentions: discord.AllowedMentions) -> Send:
        return lambda files: self.interaction.edit_original_response(
            view=panel.view, attachments=files, allowed_mentions=mentions
        )

    def _update(self, panel: Panel) -> Send:
        return lambda files: self.interaction.response.edit_message(view=panel.view, attachments=files)

    async def _sent(self, call: Any) -> Any:
        """Send an answer. If it is too late or Discord loses it, that is logged; committed changes stay."""
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT_S):
                return await call
        except TimeoutError:
            log.warning("answer.timed_out", interaction=self.interaction.id)
        except discord.HTTPException as error:
            if error.status < _SERVER_FAULT and error.code not in TOO_LATE:
                raise
            log.info("answer.lost", interaction=self.interaction.id, status=error.status, code=error.code)
        except (aiohttp.ClientError, OSError) as error:
            log.warning("answer.lost", interaction=self.interaction.id, why=type(error).__name__)
        return None


class InFlightCounter:
    """Counts the work in flight."""

    def __init__(self) -> None:
        self._open = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @contextmanager
    def under_way(self) -> Generator[None, None, None]:
        """Count the block as work in flight."""
        self._open += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._open -= 1
            if not self._open:
                self._idle.set()

    async def finished(self, within_s: float) -> None:
        """Wait until nothing is in flight, for at most `within_s` seconds."""
        try:
            async with asyncio.timeout(within_s):
                await self._idle.wait()
        except TimeoutError:
            log.warning("work.unfinished", count=self._open)


LIFE_S = 15 * 60.0
"""How long, in seconds, Discord accepts answers with an interaction's token."""


@asynccontextmanager
async def while_answerable(interaction: discord.Interaction[Any]) -> AsyncGenerator[None, None]:
    """Cancel the block when the interaction can no longer be answered.

    A cancelled block holds no lock. What it has committed stays.
    """
    life = asyncio.timeout(LIFE_S)
    try:
        async with life:
            yield
    except TimeoutError:
        if not life.expired():
            raise
        log.warning("interaction.given_up", interaction=interaction.id)


AnyInteraction = discord.Interaction[Any]

_KINDS: Final = {
    discord.InteractionType.component: "press",
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "suggestion",
    discord.InteractionType.modal_submit: "form",
}


_IF_STORED: Final = {
    "error.stale": "error.not_shown",
    "error.busy": "error.not_shown",
    "error.store": "error.not_shown",
    "error.in_doubt": "error.not_shown",
    "error.unexpected": "error.not_finished",
}
"""What a person reads instead of these apologies if something was stored for them.

The apologies say that nothing was done, or ask for another try, which would do it twice.
"""


class QuestionError(UserError):
    """Raised when a command needs a choice of its author first. The answer is this panel."""

    def __init__(self, panel: Panel) -> None:
        super().__init__("error.out_of_date")
        self.panel = panel


class ErrorBoundary:
    """Entered once for each interaction. Handlers raise errors for what they refuse."""

    def __init__(self, languages: Languages, in_flight: InFlightCounter, give_up: Callable[[], None]) -> None:
        """`give_up` is called when the store is damaged: no move may be made on an unreliable file."""
        self._languages = languages
        self._in_flight = in_flight
        self._give_up = give_up

    @asynccontextmanager
    async def around(self, interaction: AnyInteraction) -> AsyncGenerator[None, None]:
        """Use the person's language in the block, and answer every error raised in it.

        A refusal is answered with its reason, an unexpected error with a short id that is logged. If the
        block has stored something, no apology says that nothing was done. The bot does not close before the
        block is done. A block is cancelled when its interaction can no longer be answered.
        """
        HAS_STORED.set(False)  # this task has inherited the value of the one that received the interaction
        with self._in_flight.under_way(), counted(kind_of(interaction)) as outcome:
            async with (
                while_answerable(interaction),
                self._languages.spoken_to(interaction),
                self._answered(interaction, outcome),
            ):
                yield

    async def turn_away(self, interaction: AnyInteraction) -> None:
        """Ask a person who exceeds the rate limit to slow down, and do nothing else."""
        with (
            self._in_flight.under_way(),
            counted(kind_of(interaction)) as outcome,
            speaking(await self._languages.of_person(interaction)),
        ):
            outcome.name = "slowed down"
            await _apologise(interaction, "error.slow_down")

    @asynccontextmanager
    async def _answered(
        self, interaction: AnyInteraction, outcome: InteractionOutcome
    ) -> AsyncGenerator[None, None]:
        try:
            yield
        except UnexpectedInputError as error:
            outcome.name = "invalid"
            log.info(
                "interaction.invalid", interaction=interaction.id, person=interaction.user.id, why=error.why
            )
            await _apologise(interaction, "error.out_of_date")
        except (UserError, IllegalActionError) as error:
            outcome.name = "refused"
            await _refuse(interaction, error)
        except (
            StaleRevisionError,
            RepeatedInteractionError,
            RevisionConflictError,
            ChangedElsewhereError,
        ) as error:
            outcome.name = "stale"
            # What a repeated interaction asked for is stored, but was perhaps never answered.
            is_repeated = isinstance(error, RepeatedInteractionError)
            await _apologise(interaction, "error.not_shown" if is_repeated else "error.stale")
        except EventsDamaged:
            outcome.name = "damaged"
            log.exception("interaction.damaged", interaction=interaction.id)
            await _apologise(interaction, "error.damaged")
        except StoreBusyError as error:
            outcome.name = "busy"
            log.warning("store.busy", interaction=interaction.id, why=str(error))
            await _apologise(interaction, "error.busy")
        except StoreOutcomeUnknown:
            outcome.name = "store unavailable"
            log.exception("store.outcome_unknown", interaction=interaction.id)
            await _apologise(interaction, "error.in_doubt")
        except StoreUnavailableError:
            outcome.name = "store unavailable"
            log.exception("store.unavailable", interaction=interaction.id)
            await _apologise(interaction, "error.store")
        except Exception as error:
            outcome.name = "failed"
            short = secrets.token_hex(3)
            log.exception("interaction.failed", interaction=interaction.id, error_id=short)
            await _apologise(interaction, "error.unexpected", id=short)
            if isinstance(error, StoreDamagedError):
                self._give_up()


def kind_of(interaction: AnyInteraction) -> str:
    """Return the kind under which an interaction is counted."""
    return _KINDS.get(interaction.type, "other")


async def _refuse(interaction: AnyInteraction, error: UserError | IllegalActionError) -> None:
    """Give the reason, or ask for what is missing."""

    async def send(reply: Reply) -> None:
        match error:
            case QuestionError():
                await reply.show(error.panel)
            case UserError():
                await reply.refuse(error)
            case IllegalActionError():
                await reply.tell(refusal_words(error, texts()))

    await _answer(interaction, send)


async def _apologise(interaction: AnyInteraction, key: str, **values: Any) -> None:
    """Answer with a message of the catalogue, visible to this person only."""
    if HAS_STORED.get():
        key = _IF_STORED.get(key, key)
    await _answer(interaction, lambda reply: reply.tell(texts()(key, **values)))


async def _answer(interaction: AnyInteraction, send: Callable[[Reply], Awaitable[object]]) -> None:
    """Answer this person only.

    If Discord refuses, log it, because the person cannot be reached otherwise.
    """
    reply = Reply(interaction, Kind.PRIVATE)
    try:
        if interaction.type is discord.InteractionType.autocomplete:
            await reply.suggest_nothing()
            return
        async with reply:
            await send(reply)
    except discord.HTTPException as error:
        log.info("interaction.unanswered", interaction=interaction.id, code=error.code)
