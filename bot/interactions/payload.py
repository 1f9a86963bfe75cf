"""Reading input from outside: the parts of an interaction as Discord sends them.

Nothing is trusted. Every reader returns a value of the type it names, or raises UnexpectedInputError with the reason
for the log; the sender reads the same short answer in every case. `bot.interactions.options` checks typed commands.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from bot.errors import UnexpectedInputError
from bot.people import Person
from bot.ui.custom_id import BUTTON_TEMPLATE, FORM_TEMPLATE, SELECT_TEMPLATE, Press
from bot.ui.form import Fields
from bot.words.numbers import read_id
from league.ids import PersonId

Json = Mapping[str, Any]

LONGEST_ID: Final = 100
LONGEST_VALUE: Final = 100
LONGEST_TEXT: Final = 4000
MOST_VALUES: Final = 25
DEEPEST: Final = 6
"""The deepest nesting of components: Discord sends components in rows, in containers."""

BUTTON, TEXT_SELECT, USER_SELECT = 2, 3, 5
SELECTS: Final = frozenset({TEXT_SELECT, USER_SELECT, 6, 7, 8})


def an_object(value: object, what: str) -> Json:
    """A JSON object; raises UnexpectedInputError."""
    if not isinstance(value, dict):
        raise UnexpectedInputError(f"{what} is no object")
    return cast("Json", value)


def a_list(value: object, what: str, most: int) -> list[Any]:
    """Read a JSON array of at most `most` items; raises UnexpectedInputError."""
    found = cast("list[Any]", value) if isinstance(value, list) else None
    if found is None or len(found) > most:
        raise UnexpectedInputError(f"{what} is no list")
    return found


def a_text(value: object, what: str, most: int) -> str:
    """Read a text of at most `most` characters that can be stored and sent; raises UnexpectedInputError."""
    if not isinstance(value, str) or len(value) > most:
        raise UnexpectedInputError(f"{what} is no text")
    if not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
        raise UnexpectedInputError(f"{what} is half a character")
    return value


def a_number(value: object, what: str) -> int:
    """A JSON integer, not a boolean; raises UnexpectedInputError."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise UnexpectedInputError(f"{what} is no number")
    return value


def a_snowflake(value: object, what: str) -> int:
    """A Discord id, which is sent as text; raises UnexpectedInputError."""
    number = read_id(value) if isinstance(value, str) else None
    if number is None:
        raise UnexpectedInputError(f"{what} is no id")
    return number


# Buttons and selects


@dataclass(frozen=True, slots=True)
class Component:
    """A pressed button, or a select with its choices."""

    press: Press
    values: tuple[str, ...] = ()
    people: tuple[Person, ...] = ()
    """The people chosen in a user select, without bots."""

    @classmethod
    def read(cls, data: object, message: object) -> "Component":
        """Read a component; raises UnexpectedInputError, also if its message shows no such component."""
        read = an_object(data, "data")
        kind = a_number(read.get("component_type"), "component_type")
        custom_id = a_text(read.get("custom_id"), "custom_id", LONGEST_ID)
        shown = _shown(message, custom_id, kind)
        if kind == BUTTON:
            return cls(_press(custom_id, BUTTON_TEMPLATE))
        if kind not in SELECTS:
            raise UnexpectedInputError(f"a component of type {kind}")
        press, values = _press(custom_id, SELECT_TEMPLATE), _values(read, kind, shown)
        return cls(press, values, _people(read, values) if kind == USER_SELECT else ())


def _press(custom_id: str, template: str) -> Press:
    press = Press.parse(custom_id, template)
    if press is None:
        raise UnexpectedInputError("a custom id of another version")
    return press


def _shown(message: object, custom_id: str, kind: int) -> Json:
    """The component as its message shows it. A press on something never shown could change other people's messages."""
    parts = an_object(message, "message").get("components")
    for part in _parts(parts, DEEPEST):
        if part.get("custom_id") == custom_id and part.get("type") == kind:
            return part
    raise UnexpectedInputError("the message shows no such component")


def _parts(components: object, depth: int) -> Iterator[Json]:
    for found in cast("list[object]", components) if isinstance(components, list) else ():
        if isinstance(found, dict) and depth:
            part = cast("Json", found)
            yield part
            yield from _parts(part.get("components"), depth - 1)
            yield from _parts([part.get("accessory")], depth - 1)


def _values(data: Json, kind: int, shown: Json) -> tuple[str, ...]:
    """The chosen values: in a text select only offered ones, in all others only ids."""
    values = a_list(data.get("values"), "values", MOST_VALUES)
    texts = tuple(a_text(value, "a value", LONGEST_VALUE) for value in values)
    if kind == TEXT_SELECT:
        options = a_list(shown.get("options"), "options", MOST_VALUES)
        offered = [an_object(option, "an option").get("value") for option in options]
        if not all(text in offered for text in texts):
            raise UnexpectedInputError("a value that was not offered")
    else:
        for value in texts:
            a_snowflake(value, "a value")
    return texts


def _people(data: Json, values: Sequence[str]) -> tuple[Person, ...]:
    """The chosen people by their names in the server, without bots."""
    resolved = an_object(data.get("resolved", {}), "resolved")
    users = an_object(resolved.get("users", {}), "users")
    members = an_object(resolved.get("members", {}), "members")
    people: list[Person] = []
    for value in values:
        user = an_object(users.get(value), "a user")
        member = an_object(members.get(value, {}), "a member")
        name = member.get("nick") or user.get("global_name") or user.get("username")
        if not user.get("bot"):
            person_id = PersonId(a_snowflake(value, "a user"))
            people.append(Person(person_id, a_text(name, "a name", LONGEST_VALUE)))
    return tuple(people)


# Forms


def read_form(data: object) -> tuple[Press, Fields, tuple[Person, ...]]:
    """Read a submitted form: its purpose, what was filled in, and the people chosen in it; raises UnexpectedInputError."""
    read = an_object(data, "data")
    press = _press(a_text(read.get("custom_id"), "custom_id", LONGEST_ID), FORM_TEMPLATE)
    components = a_list(read.get("components"), "components", MOST_VALUES)
    labels = [an_object(component, "a component") for component in components]
    answers = [an_object(label["component"], "a field") for label in labels if "component" in label]
    fields = {a_text(answer.get("custom_id"), "custom_id", LONGEST_ID): _answer(answer) for answer in answers}
    of_people = (_answer(answer) for answer in answers if answer.get("type") == USER_SELECT)
    chosen = [value for values in of_people if isinstance(values, list) for value in values]
    return press, fields, _people(read, chosen)


def _answer(field: Json) -> str | bool | list[str]:
    if "values" in field:
        values = a_list(field["values"], "values", MOST_VALUES)
        return [a_text(value, "a value", LONGEST_VALUE) for value in values]
    value = field.get("value")
    if value is None or isinstance(value, bool):
        return bool(value)
    return a_text(value, "a field", LONGEST_TEXT)
