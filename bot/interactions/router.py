"""From a press or a command to its handler, and one answer for every fault on the way."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import discord
import structlog

from bot.errors import RepeatedInteractionError, StaleRevisionError, UnexpectedInputError, UserError
from bot.interactions.reply import Kind, Reply
from bot.interactions.time_limit import while_answerable
from bot.people import Person
from bot.ui.custom_id import Press
from bot.ui.form import Fields
from bot.words.numbers import read_id, read_number
from bot.words.refusals import refusal_words
from bot.words.texts import texts
from data.errors import EventsDamaged, StoreDamagedError, StoreUnavailableError
from marriage.errors import IllegalActionError

log = structlog.get_logger(__name__)

AnyInteraction = discord.Interaction[Any]


@dataclass(frozen=True, slots=True)
class Pressed:
    """One press of a button, one choice in a select, or one form filled in."""

    interaction: AnyInteraction
    press: Press
    values: Sequence[str] = ()
    """What was chosen in a select."""
    people: Sequence[Person] = ()
    """Who was chosen in a select of people, without bots."""
    fields: Fields = field(default_factory=dict)
    """What was filled into a form, by field; see `bot.ui.form`."""

    @property
    def person(self) -> Person:
        """Who pressed: never taken from the custom id."""
        return Person.of(self.interaction.user)

    @property
    def chosen(self) -> str:
        """What was chosen in a select of one; empty where nothing was."""
        return next(iter(self.values), "")

    @property
    def chosen_number(self) -> int:
        """The number that was chosen in a select of one; raises Odd."""
        return _number(self.chosen)

    @property
    def chosen_numbers(self) -> list[int]:
        """The numbers that were chosen in a select of many; raises Odd."""
        return [_number(value) for value in self.values]

    @property
    def chosen_id(self) -> int:
        """The id of whoever or whatever was chosen in a select of one; raises Odd."""
        if (number := read_id(self.chosen)) is None:
            raise UnexpectedInputError("a choice that is no id")
        return number

    @property
    def privately(self) -> Kind:
        """Where an answer goes that nobody else may see: into the pressed message if it is private, else a new one."""
        message = self.interaction.message
        ephemeral = message is not None and message.flags.ephemeral
        return Kind.UPDATE if ephemeral or self.interaction.guild_id is None else Kind.PRIVATE


_DIGITS = 9


def _number(text: str) -> int:
    if (number := read_number(text, _DIGITS)) is None:
        raise UnexpectedInputError("a choice that is no number")
    return number


Handler = Callable[[Pressed], Awaitable[None]]


class Router:
    """Knows the handler of each verb."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}

    def add(self, verb: str, handler: Handler) -> None:
        """Let `handler` serve this verb; raises ValueError when it is served already."""
        if verb in self._handlers:
            raise ValueError(f"the verb {verb!r} is served already")
        self._handlers[verb] = handler

    @property
    def verbs(self) -> frozenset[str]:
        """Every verb that is served."""
        return frozenset(self._handlers)

    async def press(self, pressed: Pressed) -> None:
        """Serve a press; a verb that nobody serves any more is said to be out of date."""
        async with faults(pressed.interaction):
            handler = self._handlers.get(pressed.press.verb)
            if handler is None:
                raise UnexpectedInputError("a verb that nobody serves")
            await handler(pressed)


async def apologise(interaction: AnyInteraction, key: str, **values: Any) -> None:
    """Answer with a message of the catalogue, to this person alone."""
    await _tell(interaction, texts()(key, **values))


async def _tell(interaction: AnyInteraction, words: str) -> None:
    """Say something to this person alone. Typing can only be answered with suggestions, so it gets none."""
    if interaction.type is discord.InteractionType.autocomplete:
        await interaction.response.autocomplete([])
        return
    async with Reply(interaction, Kind.PRIVATE) as reply:
        await reply.tell(words)


async def answer_odd(interaction: AnyInteraction, why: str) -> None:
    """Answer something that this version knows nothing of: one line in the log, and the same words to everybody."""
    log.info("interaction.odd", interaction=interaction.id, person=interaction.user.id, why=why)
    try:
        await apologise(interaction, "error.out_of_date")
    except discord.HTTPException as error:
        log.info("interaction.unanswered", interaction=interaction.id, code=error.code)


@asynccontextmanager
async def faults(interaction: AnyInteraction) -> AsyncIterator[None]:
    """Speak the person's language in the block, and answer whatever goes wrong in it.

    A refusal is said in words, a fault of ours with a short id that is logged. The bot does not close before the
    block is done. A block that takes longer than it can be answered is given up.
    """
    bot = interaction.client
    with bot.work.under_way():
        async with (
            while_answerable(interaction),
            bot.languages.spoken_to(interaction),
            _answered(interaction),
        ):
            yield


@asynccontextmanager
async def _answered(interaction: AnyInteraction) -> AsyncIterator[None]:
    try:
        yield
    except UnexpectedInputError as error:
        await answer_odd(interaction, error.why)
    except UserError as error:
        await apologise(interaction, error.key, **error.values)
    except IllegalActionError as error:
        await _tell(interaction, refusal_words(error, texts()))
    except (StaleRevisionError, RepeatedInteractionError):
        await apologise(interaction, "error.stale")
    except EventsDamaged:
        log.exception("interaction.damaged", interaction=interaction.id)
        await apologise(interaction, "error.damaged")
    except StoreUnavailableError:
        log.exception("store.unavailable", interaction=interaction.id)
        await apologise(interaction, "error.store")
    except Exception as error:
        short = secrets.token_hex(3)
        log.exception("interaction.failed", interaction=interaction.id, error_id=short)
        await _apologise_for_fault(interaction, short)
        if isinstance(error, StoreDamagedError):
            interaction.client.give_up()  # no move may be made on a file that cannot be trusted


async def _apologise_for_fault(interaction: AnyInteraction, short: str) -> None:
    try:
        await apologise(interaction, "error.unexpected", id=short)
    except discord.HTTPException as error:
        log.warning("interaction.unanswered", interaction=interaction.id, code=error.code)
