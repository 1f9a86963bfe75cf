"""The error boundary around every interaction: its language, its time limit, and one answer for every error."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

import discord
import structlog

from bot.errors import (
    ChangedElsewhereError,
    RepeatedInteractionError,
    StaleRevisionError,
    UnexpectedInputError,
    UserError,
)
from bot.interactions.reply import Kind, Reply
from bot.metrics import InteractionOutcome, counted
from bot.ui.panel import Panel
from bot.words.rules import refusal_words
from bot.words.texts import Languages, texts
from data.errors import (
    EventsDamaged,
    RevisionConflictError,
    StoreBusyError,
    StoreDamagedError,
    StoreUnavailableError,
)
from marriage.errors import IllegalActionError
from render.words import speaking


class InFlightCounter:
    """Counts the work in flight."""

    def __init__(self) -> None:
        self._open = 0
        self._idle = asyncio.Event()
        self._idle.set()

    @contextmanager
    def under_way(self) -> Generator[None, None, None]:
        """Count the block as work under way."""
        self._open += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._open -= 1
            if not self._open:
                self._idle.set()

    async def finished(self, within_s: float) -> None:
        """Wait until nothing is under way, for at most `within_s` seconds."""
        try:
            async with asyncio.timeout(within_s):
                await self._idle.wait()
        except TimeoutError:
            log.warning("work.unfinished", count=self._open)


LIFE_S = 15 * 60.0
"""Discord accepts no answer with an interaction's token after this time."""


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


log = structlog.get_logger(__name__)

AnyInteraction = discord.Interaction[Any]

_KINDS: Final = {
    discord.InteractionType.component: "press",
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "suggestion",
    discord.InteractionType.modal_submit: "form",
}


class QuestionError(UserError):
    """A command cannot go on before its author has chosen something on this panel, which is the answer to it."""

    def __init__(self, panel: Panel) -> None:
        super().__init__("error.out_of_date")
        self.panel = panel


class ErrorBoundary:
    """Entered once for each interaction. Handlers raise errors for what they refuse."""

    def __init__(self, languages: Languages, in_flight: InFlightCounter, give_up: Callable[[], None]) -> None:
        """`give_up` is called when the store is damaged: no move may be made on a file that cannot be trusted."""
        self._languages = languages
        self._in_flight = in_flight
        self._give_up = give_up

    @asynccontextmanager
    async def around(self, interaction: AnyInteraction) -> AsyncGenerator[None, None]:
        """Use the person's language in the block, and answer every error raised in it.

        A refusal is answered in words, an unexpected error with a short id that is logged. The bot does not close
        before the block is done. A block is cancelled when its interaction can no longer be answered.
        """
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
            await _try_to_apologise(interaction, "error.slow_down")

    @asynccontextmanager
    async def _answered(
        self, interaction: AnyInteraction, outcome: InteractionOutcome
    ) -> AsyncGenerator[None, None]:
        try:
            yield
        except UnexpectedInputError as error:
            outcome.name = "invalid"
            await _answer_odd(interaction, error.why)
        except UserError as error:
            outcome.name = "refused"
            await _refuse(interaction, error)
        except IllegalActionError as error:
            outcome.name = "refused"
            await _tell(interaction, refusal_words(error, texts()))
        except (StaleRevisionError, RepeatedInteractionError, RevisionConflictError, ChangedElsewhereError):
            outcome.name = "stale"
            await _apologise(interaction, "error.stale")
        except EventsDamaged:
            outcome.name = "damaged"
            log.exception("interaction.damaged", interaction=interaction.id)
            await _apologise(interaction, "error.damaged")
        except StoreBusyError as error:
            outcome.name = "busy"
            log.warning("store.busy", interaction=interaction.id, why=str(error))
            await _apologise(interaction, "error.busy")
        except StoreUnavailableError:
            outcome.name = "store unavailable"
            log.exception("store.unavailable", interaction=interaction.id)
            await _apologise(interaction, "error.store")
        except Exception as error:
            outcome.name = "failed"
            short = secrets.token_hex(3)
            log.exception("interaction.failed", interaction=interaction.id, error_id=short)
            await _apologise_for_fault(interaction, short)
            if isinstance(error, StoreDamagedError):
                self._give_up()


def kind_of(interaction: AnyInteraction) -> str:
    """Return the kind under which an interaction is counted."""
    return _KINDS.get(interaction.type, "other")


async def _refuse(interaction: AnyInteraction, error: UserError) -> None:
    """Say why, or ask for what is missing."""
    if isinstance(error, QuestionError):
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await reply.show(error.panel)
    elif interaction.type is discord.InteractionType.autocomplete:
        await interaction.response.autocomplete([])
    else:
        async with Reply(interaction, Kind.PRIVATE) as reply:
            await reply.refuse(error)


async def _apologise(interaction: AnyInteraction, key: str, **values: Any) -> None:
    """Answer with a message of the catalogue, visible to this person only."""
    await _tell(interaction, texts()(key, **values))


async def _tell(interaction: AnyInteraction, words: str) -> None:
    """Answer this person only. Autocomplete can only be answered with suggestions, so it gets no answer."""
    if interaction.type is discord.InteractionType.autocomplete:
        await interaction.response.autocomplete([])
        return
    async with Reply(interaction, Kind.PRIVATE) as reply:
        await reply.tell(words)


async def _answer_odd(interaction: AnyInteraction, why: str) -> None:
    """Answer input that this version does not know: one line in the log, and the same words for everybody."""
    log.info("interaction.invalid", interaction=interaction.id, person=interaction.user.id, why=why)
    await _try_to_apologise(interaction, "error.out_of_date")


async def _try_to_apologise(interaction: AnyInteraction, key: str) -> None:
    """Answer like `_apologise`. If Discord refuses that, log it, because there is no other way to reach the person."""
    try:
        await _apologise(interaction, key)
    except discord.HTTPException as error:
        log.info("interaction.unanswered", interaction=interaction.id, code=error.code)


async def _apologise_for_fault(interaction: AnyInteraction, short: str) -> None:
    try:
        await _apologise(interaction, "error.unexpected", id=short)
    except discord.HTTPException as error:
        log.warning("interaction.unanswered", interaction=interaction.id, code=error.code)
