"""The entry point of every interaction: it is parsed completely before anything acts on it, and always answered.

`discord.py` trusts its input. A wrong type raises in a task that nobody awaits, a press on a component that the message does
not show is ignored, and a missing key ends the connection. So it gets an interaction only after everything has been parsed
here. Interactions that arrive too late are dropped, and people who send too many at once are asked to slow down.

Typed commands are served here too. A command may wait for a choice of its author; it is then given again with what was
chosen. Errors go to the error boundary around the interaction.

Presses are routed to their handlers by the verb of their custom id.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Final, cast

import aiohttp
import discord
import structlog
from discord import app_commands
from discord.ext import commands

from bot.errors import ChangedElsewhereError, UnexpectedInputError
from bot.interactions.payload import (
    Component,
    Json,
    an_object,
    check_command,
    read_bare,
    read_envelope,
    read_form,
    without_components,
)
from bot.interactions.reply import AnyInteraction, ErrorBoundary, Kind, kind_of
from bot.metrics import INTERACTIONS, arrived
from bot.people import NamedPerson, guild_of
from bot.ui.items import Fields, Press
from bot.ui.panel import files_of
from bot.words.numbers import read_id, read_number
from data.ids import InteractionId, SeasonId
from league.ids import PersonId, TableId


@dataclass(frozen=True, slots=True)
class Pressed:
    """One press of a button, one choice in a select, or one form filled in."""

    interaction: AnyInteraction
    press: Press
    values: Sequence[str] = ()
    """The choices in a select."""
    people: Sequence[NamedPerson] = ()
    """The people chosen in a user select or in those of a form, without bots."""
    fields: Fields = field(default_factory=dict[str, str | bool | list[str]])
    """The values of a form, by field (see `bot.ui.items`)."""

    @property
    def person(self) -> NamedPerson:
        """The person who pressed, never taken from the custom id."""
        return NamedPerson.of(self.interaction.user)

    @property
    def table_id(self) -> TableId:
        """The table that a table's button is about."""
        return TableId(self.press.subject)

    @property
    def season_id(self) -> SeasonId:
        """The season that a league's button is about."""
        return SeasonId(self.press.subject)

    @property
    def interaction_id(self) -> InteractionId:
        """The id of the interaction, by which the store recognizes a repeated press."""
        return InteractionId(self.interaction.id)

    @property
    def chosen(self) -> str:
        """The choice in a single select; empty without a choice."""
        return next(iter(self.values), "")

    @property
    def chosen_number(self) -> int:
        """The number chosen in a single select; raises UnexpectedInputError."""
        return _number(self.chosen)

    @property
    def chosen_numbers(self) -> list[int]:
        """The numbers chosen in a multiple select; raises UnexpectedInputError."""
        return [_number(value) for value in self.values]

    @property
    def chosen_id(self) -> int:
        """The id chosen in a single select; raises UnexpectedInputError."""
        if (number := read_id(self.chosen)) is None:
            raise UnexpectedInputError("a choice that is no id")
        return number

    @property
    def is_private(self) -> bool:
        """Whether the pressed message is one that only this person sees in a channel."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    @property
    def privately(self) -> Kind:
        """The kind of a private answer: in the pressed message if it is private, else in a new one."""
        return Kind.UPDATE if self.is_private or self.interaction.guild_id is None else Kind.PRIVATE


_DIGITS = 9


def _number(text: str) -> int:
    if (number := read_number(text, _DIGITS)) is None:
        raise UnexpectedInputError("a choice that is no number")
    return number


Handler = Callable[[Pressed], Awaitable[None]]


class Router:
    """The handlers by verb."""

    def __init__(self) -> None:
        self._handlers: dict[str, Handler] = {}
        self._of_tables: set[str] = set()

    def add(self, verb: str, handler: Handler, *, is_of_table: bool = False) -> None:
        """Register `handler` for this verb, whose subject may be a table.

        Raises ValueError if the verb already has a handler.
        """
        if verb in self._handlers:
            raise ValueError(f"the verb {verb!r} is served already")
        self._handlers[verb] = handler
        if is_of_table:
            self._of_tables.add(verb)

    @property
    def verbs(self) -> frozenset[str]:
        """All registered verbs."""
        return frozenset(self._handlers)

    def is_of_table(self, verb: str) -> bool:
        """Return whether the subject of this verb is a table."""
        return verb in self._of_tables

    async def press(self, pressed: Pressed) -> None:
        """Serve a press; raises what its handler raises, and UnexpectedInputError for a verb without a handler."""
        handler = self._handlers.get(pressed.press.verb)
        if handler is None:
            raise UnexpectedInputError("a verb that nobody serves")
        await handler(pressed)


MOST_KEPT: Final = 500
"""The most commands that can wait for a choice. The oldest is dropped first."""
MOST_OF_AUTHOR: Final = 5
"""The most of them that are of one author, so that nobody pushes out the commands of others."""
_SUBCOMMANDS: Final = {1, 2}
_TEXT: Final = 3

log = structlog.get_logger(__name__)


class KeptCommands:
    """The data of commands by author and interaction id.

    After a restart people have to type the command again.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[int, int], Any] = OrderedDict()

    def keep(self, author: int, number: int, data: object) -> None:
        """Keep a command of this author; their oldest one is dropped if there are too many."""
        self._kept[author, number] = deepcopy(data)
        theirs = [key for key in self._kept if key[0] == author]
        for key in theirs[:-MOST_OF_AUTHOR]:
            del self._kept[key]
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    def completed(self, author: int, number: int, option: str, value: str) -> Any:
        """Return the data of a kept command with one more option; None if it is no longer kept.

        It stays kept.
        """
        data = deepcopy(self._kept.get((author, number)))
        if data is None:
            return None
        command: Any = data
        while (inner := command.get("options")) and inner[0].get("type") in _SUBCOMMANDS:
            command = inner[0]
        given: list[Any] = command.get("options") or []
        chosen = {"name": option, "type": _TEXT, "value": value}
        command["options"] = [*(other for other in given if other["name"] != option), chosen]
        return data


class Tree(app_commands.CommandTree[Any]):
    """The typed commands."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.kept = KeptCommands()

    async def again(self, number: int, interaction: AnyInteraction, option: str, value: str) -> bool:
        """Run a kept command again with one more option, as the interaction of the press that chose it.

        Returns False if the command is no longer kept.
        """
        data = self.kept.completed(interaction.user.id, number, option, value)
        if data is None:
            return False
        interaction.data, interaction.type = data, discord.InteractionType.application_command
        await self.serve(interaction)
        return True

    async def serve(self, interaction: AnyInteraction) -> None:
        """Answer a command, or its autocomplete, which the receiver has checked.

        Raises what the command raises, and UnexpectedInputError if the library cannot call it.
        """
        try:
            if interaction.type is discord.InteractionType.autocomplete:
                await self._suggest(interaction)
            else:
                await self._call(interaction)
        except app_commands.CommandInvokeError as error:
            failure = error.original
        except (app_commands.AppCommandError, TypeError, ValueError, LookupError, AttributeError) as error:
            # An argument, such as a user, cannot be parsed. Errors of the command itself are always wrapped.
            failure = UnexpectedInputError(type(error).__name__)
        else:
            return
        raise failure

    async def _suggest(self, interaction: AnyInteraction) -> None:
        """Answer an autocomplete.

        The library would only log an error and leave the person without an answer.
        """
        data: Any = interaction.data
        command, options = self._get_app_command_options(data)
        focused = next(option["name"] for option in options if option.get("focused"))
        namespace = app_commands.Namespace(interaction, data.get("resolved", {}), options)
        try:
            # discord.py has no public method for this.
            await command._invoke_autocomplete(  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
                interaction, focused, namespace
            )
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("answer.lost", interaction=interaction.id, why=type(error).__name__)
        except app_commands.AppCommandError:
            raise
        except Exception as error:
            raise app_commands.CommandInvokeError(command, error) from error

    async def on_error(self, _: AnyInteraction, error: app_commands.AppCommandError) -> None:
        """Leave errors to `serve`; the library would only log them."""
        raise error


BURST_S: Final = 2.0
"""How many seconds' worth of presses a person may use at once after a pause."""


class RateLimiter:
    """A token bucket for each person, stored as one moment: when the bucket will be full again.

    Only people whose bucket is not full are stored, so there are never more than pressed in the last seconds.
    """

    def __init__(self, presses_per_second: float, monotonic: Callable[[], float]) -> None:
        self._interval = 1 / presses_per_second
        self._monotonic = monotonic
        self._full_at: OrderedDict[int, float] = OrderedDict()
        """By person, least recently active first."""

    def admits(self, person_id: PersonId) -> bool:
        """Return whether this person may press now. A refused press costs them nothing."""
        now = self._monotonic()
        self._forget_full(now)
        full_at = max(now, self._full_at.get(person_id, now)) + self._interval
        if full_at - now > BURST_S + self._interval / 2:  # so that rounding refuses no press
            return False
        self._full_at[person_id] = full_at
        self._full_at.move_to_end(person_id)
        return True

    def _forget_full(self, now: float) -> None:
        while self._full_at and next(iter(self._full_at.values())) <= now:
            self._full_at.popitem(last=False)


LATEST_MS = 2_800
"""The latest answer, in milliseconds: after 3 seconds Discord gives up and shows the person a failure."""
RECENT = 16
"""How many recent prompt interactions are compared. A clock change is noticed after that many."""


class Lateness:
    """Detects interactions that arrive too late to be answered.

    Discord stamps an interaction by its own clock. The difference from this machine's monotonic clock is
    estimated from interactions that came over a working connection. Only those replayed after a lost
    connection can be late. In doubt it is better to answer: a late answer costs an error, but a dropped press
    costs a turn.
    """

    def __init__(
        self,
        is_replayed: Callable[[discord.Interaction[Any]], bool],
        monotonic: Callable[[], float],
    ) -> None:
        self._is_replayed = is_replayed
        self._monotonic = monotonic
        self._lags: deque[float] = deque(maxlen=RECENT)
        """For recent prompt interactions, the difference between the clocks plus the time in transit."""

    def is_late(self, interaction: discord.Interaction[Any]) -> bool:
        """Return whether it is too late to answer an interaction that has just arrived."""
        lag = (self._monotonic() - interaction.created_at.timestamp()) * 1000
        if not self._is_replayed(interaction):
            self._lags.append(lag)
            return False
        return bool(self._lags) and lag - min(self._lags) > LATEST_MS


_AGAIN: Final = 2
"""How often a change is tried if other processes change the same table first."""


class InteractionReceiver:
    """Replaces the library's reader of interactions.

    The error boundary wraps every handler. Late interactions are dropped, and people who exceed the rate limit are
    turned away before anything is parsed.
    """

    def __init__(
        self,
        client: commands.AutoShardedBot,
        router: Router,
        error_boundary: ErrorBoundary,
        lateness: Lateness,
        rate_limiter: RateLimiter,
    ) -> None:
        self._tree = cast("Tree", client.tree)
        self._router = router
        self._error_boundary = error_boundary
        self._lateness = lateness
        self._rate_limiter = rate_limiter
        self.passes_on: Callable[[Json], bool] = lambda _: False
        """Whether an interaction is passed on to another process, which answers it."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False
        # The library offers no other way to get an interaction before it does.
        self._state: Any = client._connection  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        self._state.parsers["INTERACTION_CREATE"] = self.receive

    async def close(self, within_s: float) -> None:
        """Ignore what arrives from now on, and wait for pending answers, for at most `within_s` seconds.

        Interactions that arrive while the connection is being closed could no longer be answered, so they
        have no effect.
        """
        self._is_closed = True
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=within_s)

    def receive(self, payload: object) -> None:
        """Serve an interaction; without id or token it cannot be answered, and is only logged."""
        if self._is_closed:
            log.info("interaction.closing")
            return
        arrived()
        try:
            bare = read_bare(payload)
        except UnexpectedInputError as error:
            log.warning("interaction.unreadable", why=error.why)
            return
        if not self._rate_limiter.admits(PersonId(int(bare["user"]["id"]))):
            self._start(self._error_boundary.turn_away(self._bare_interaction(bare)), bare["id"])
        elif not self.passes_on(an_object(payload, "an interaction")):
            self._answer(payload, bare)

    def answer(self, payload: Json) -> None:
        """Serve an interaction that was counted when it arrived, here or in another process."""
        try:
            bare = read_bare(payload)
        except UnexpectedInputError as error:
            log.warning("interaction.unreadable", why=error.why)
        else:
            self._answer(payload, bare)

    def _answer(self, payload: object, bare: Any) -> None:
        try:
            interaction = discord.Interaction(
                data=without_components(read_envelope(payload)), state=self._state
            )
            # The answer reads them again, after something may have been done.
            files_of(interaction.message)
        except Exception as error:  # noqa: BLE001 - the library raises whatever it stumbles over
            invalid = (
                error
                if isinstance(error, UnexpectedInputError)
                else UnexpectedInputError(type(error).__name__)
            )
            self._refuse(self._bare_interaction(bare), invalid)
            return
        self._pass_on(interaction, an_object(payload, "an interaction"))

    def _bare_interaction(self, bare: Any) -> AnyInteraction:
        """Build the part of an interaction that answering needs."""
        interaction: AnyInteraction = discord.Interaction(data=bare, state=self._state)
        # If the data contained the server's id, the library would look for a member as well.
        interaction.guild_id = bare["guild"]
        return interaction

    def _pass_on(self, interaction: AnyInteraction, payload: Json) -> None:
        kind = discord.InteractionType
        match interaction.type:
            case kind.application_command | kind.autocomplete:
                autocomplete = interaction.type is kind.autocomplete
                self._read(
                    interaction, lambda: self._command(interaction, payload, autocomplete=autocomplete)
                )
            case kind.component:
                self._read(interaction, lambda: self._component(interaction, payload))
            case kind.modal_submit:
                self._read(interaction, lambda: self._form(interaction, payload))
            case _:
                self._refuse(interaction, UnexpectedInputError("an unknown type"))

    def _read(self, interaction: AnyInteraction, read: Callable[[], None]) -> None:
        """Parse and serve an interaction.

        An exception here would end the connection, so it is answered too.
        """
        try:
            read()
        except Exception as error:  # noqa: BLE001 - the error boundary logs what is not an input error
            self._refuse(interaction, error)

    def _command(self, interaction: AnyInteraction, payload: Json, *, autocomplete: bool) -> None:
        check_command(self._tree, payload.get("data"), autocomplete=autocomplete)
        self._accept(interaction, lambda: self._tree.serve(interaction))

    def _component(self, interaction: AnyInteraction, payload: Json) -> None:
        read = Component.read(payload.get("data"), payload.get("message"), guild_of(interaction))
        pressed = Pressed(interaction, read.press, read.values, read.people)
        self._accept(interaction, lambda: self._router.press(pressed))

    def _form(self, interaction: AnyInteraction, payload: Json) -> None:
        press, fields, people = read_form(payload.get("data"), guild_of(interaction))
        pressed = Pressed(interaction, press, people=people, fields=fields)
        self._accept(interaction, lambda: self._router.press(pressed))

    def _accept(self, interaction: AnyInteraction, handle: Callable[[], Awaitable[None]]) -> None:
        """Handle an interaction, unless the person already sees "This interaction failed"."""
        if self._lateness.is_late(interaction):
            INTERACTIONS.labels(kind_of(interaction), "late").inc()
            log.info("interaction.late", interaction=interaction.id)
        else:
            self._serve(interaction, handle)

    def _refuse(self, interaction: AnyInteraction, error: Exception) -> None:
        async def fail() -> None:
            raise error

        self._serve(interaction, fail)

    def _serve(self, interaction: AnyInteraction, handle: Callable[[], Awaitable[None]]) -> None:
        self._start(self._guarded(interaction, handle), interaction.id)

    def _start(self, answer: Coroutine[Any, Any, None], interaction_id: object) -> None:
        """Start a task and keep a reference, because the loop keeps none.

        Its name identifies it in a traceback.
        """
        task = asyncio.create_task(answer, name=f"interaction {interaction_id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, interaction: AnyInteraction, handle: Callable[[], Awaitable[None]]) -> None:
        async with self._error_boundary.around(interaction):
            for _ in range(_AGAIN):
                try:
                    await handle()
                except ChangedElsewhereError:
                    log.info("interaction.again", interaction=interaction.id)
                else:
                    return
            await handle()
