"""Routing a press to its handler."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from bot.errors import UnexpectedInputError
from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.reply import Kind
from bot.people import NamedPerson
from bot.ui.items import Fields, Press
from bot.words.numbers import read_id, read_number
from data.ids import InteractionId, SeasonId
from league.ids import TableId


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
        """The id of the interaction, by which the store knows a press that comes twice."""
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
        """Return the kind of a private answer: the pressed message if it is private, else a new one."""
        return Kind.UPDATE if self.is_private or self.interaction.guild_id is None else Kind.PRIVATE


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
        self._of_tables: set[str] = set()

    def add(self, verb: str, handler: Handler, *, is_of_table: bool = False) -> None:
        """Let `handler` serve this verb, whose subject may be a table; raises ValueError if it has a handler already."""
        if verb in self._handlers:
            raise ValueError(f"the verb {verb!r} is served already")
        self._handlers[verb] = handler
        if is_of_table:
            self._of_tables.add(verb)

    @property
    def verbs(self) -> frozenset[str]:
        """Return all registered verbs."""
        return frozenset(self._handlers)

    def is_of_table(self, verb: str) -> bool:
        """Whether the subject of this verb is a table."""
        return verb in self._of_tables

    async def press(self, pressed: Pressed) -> None:
        """Serve a press; raises what its handler raises, and UnexpectedInputError for a verb without a handler."""
        handler = self._handlers.get(pressed.press.verb)
        if handler is None:
            raise UnexpectedInputError("a verb that nobody serves")
        await handler(pressed)
