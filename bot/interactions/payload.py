"""Parsing of outside input: everything in an interaction, as Discord sends it.

Nothing is trusted. Every reader returns a value of its type, or raises UnexpectedInputError with the reason
for the log; the sender gets the same short answer in every case.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import discord
from discord import app_commands

from bot.errors import UnexpectedInputError
from bot.people import NamedPerson
from bot.ui.items import BUTTON_TEMPLATE, FORM_TEMPLATE, SELECT_TEMPLATE, Fields, Press
from bot.words.numbers import read_id
from data.ids import MessageId
from data.repositories.people import Nickname
from league.ids import GuildId, PersonId

Json = Mapping[str, Any]

LONGEST_ID: Final = 100
LONGEST_VALUE: Final = 100
LONGEST_TEXT: Final = 4000
MOST_VALUES: Final = 25
DEEPEST: Final = 6
"""The deepest nesting of components: Discord sends components in rows, in containers."""

BUTTON, TEXT_SELECT, USER_SELECT = 2, 3, 5
_TEMPLATES: Final = {3: (BUTTON_TEMPLATE, SELECT_TEMPLATE), 5: (FORM_TEMPLATE,)}
"""The templates of custom ids by type of interaction: a component, a submitted form."""
SELECTS: Final = frozenset({TEXT_SELECT, USER_SELECT, 6, 7, 8})


def an_object(value: object, what: str) -> Json:
    """Read a JSON object; raises UnexpectedInputError."""
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
    if "\0" in value:  # a PostgreSQL server refuses it
        raise UnexpectedInputError(f"{what} has a sign without meaning")
    if not value.isascii() and any("\ud800" <= sign <= "\udfff" for sign in value):
        raise UnexpectedInputError(f"{what} is half a character")
    return value


def a_number(value: object, what: str) -> int:
    """Read a JSON integer, not a boolean; raises UnexpectedInputError."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise UnexpectedInputError(f"{what} is no number")
    return value


def a_snowflake(value: object, what: str) -> int:
    """Read a Discord id, which is sent as text; raises UnexpectedInputError."""
    number = read_id(value) if isinstance(value, str) else None
    if number is None:
        raise UnexpectedInputError(f"{what} is no id")
    return number


# The envelope


LONGEST_TOKEN: Final = 1000
LONGEST_LOCALE: Final = 20
_ROW: Final = 1
"""The type of a component that is a row of buttons, or of one select."""
_NOBODY: Final = {"id": "0", "username": "-", "discriminator": "0", "avatar": None}


def read_envelope(payload: object) -> Json:
    """Return an interaction of a known version with an author; raises UnexpectedInputError."""
    read = an_object(payload, "an interaction")
    if read.get("version") != 1:
        raise UnexpectedInputError("an interaction of another version")
    a_number(read.get("type"), "type")
    a_text(read.get("locale", ""), "locale", LONGEST_LOCALE)
    a_snowflake(_author(read).get("id"), "an author")
    if "message" in read:
        a_number(an_object(read["message"], "message").get("flags", 0), "flags")
    return read


def without_components(payload: Json) -> Any:
    """Return the payload without the components of the pressed message, of which the library would make objects."""
    message = payload.get("message")
    if not isinstance(message, dict):
        return payload
    shown = cast("Json", message)
    return {**payload, "message": {**shown, "components": _without_rows(shown.get("components"))}}


def _without_rows(components: object) -> list[Json]:
    """Return the components without rows of buttons and selects, at any depth."""
    found = cast("list[Json]", components) if isinstance(components, list) else []
    return [
        {**part, "components": _without_rows(part["components"])} if "components" in part else part
        for part in found
        if part.get("type") != _ROW
    ]


def _author(payload: Json) -> Json:
    """Return the author: a member in a server, a user elsewhere; raises UnexpectedInputError."""
    if payload.get("guild_id") is None:
        return an_object(payload.get("user"), "user")
    return an_object(an_object(payload.get("member"), "member").get("user"), "a member's user")


def read_bare(payload: object) -> Any:
    """Return what an answer needs of an interaction; raises UnexpectedInputError if that is missing."""
    read = an_object(payload, "an interaction")
    kind = read.get("type")
    return {
        "id": str(a_snowflake(read.get("id"), "id")),
        "application_id": str(a_snowflake(read.get("application_id"), "application_id")),
        "token": a_text(read.get("token"), "token", LONGEST_TOKEN),
        "type": kind if isinstance(kind, int) else 0,
        "version": 1,
        "locale": read["locale"] if isinstance(read.get("locale"), str) else "en-US",
        "attachment_size_limit": 0,
        "user": _known_user(read),
        "guild": _known_guild(read),
    }


def _known_guild(payload: Json) -> int | None:
    """Return the server, whose language may apply; None if it cannot be parsed."""
    try:
        return a_snowflake(payload.get("guild_id"), "guild_id")
    except UnexpectedInputError:
        return None


def _known_user(payload: Json) -> Json:
    """Return the author with only their id, which determines the language; empty without an author."""
    for where in (payload, payload.get("member")):
        try:
            user = an_object(an_object(where, "payload").get("user"), "user")
            return _NOBODY | {"id": str(a_snowflake(user.get("id"), "id"))}
        except UnexpectedInputError:
            continue
    return _NOBODY


# Buttons and selects


@dataclass(frozen=True, slots=True)
class Component:
    """A pressed button, or a select with its choices."""

    press: Press
    values: tuple[str, ...] = ()
    people: tuple[NamedPerson, ...] = ()
    """The people chosen in a user select, without bots."""

    @classmethod
    def read(cls, data: object, message: object, guild_id: GuildId | None = None) -> "Component":
        """Read a component in this server; raises UnexpectedInputError, also if its message shows no such component."""
        read = an_object(data, "data")
        kind = a_number(read.get("component_type"), "component_type")
        custom_id = a_text(read.get("custom_id"), "custom_id", LONGEST_ID)
        shown = _shown(message, custom_id, kind)
        if kind == BUTTON:
            return cls(_press(custom_id, BUTTON_TEMPLATE))
        if kind not in SELECTS:
            raise UnexpectedInputError(f"a component of type {kind}")
        press, values = _press(custom_id, SELECT_TEMPLATE), _values(read, kind, shown)
        return cls(press, values, _people(read, values, guild_id) if kind == USER_SELECT else ())


def _press(custom_id: str, template: str) -> Press:
    press = Press.parse(custom_id, template)
    if press is None:
        raise UnexpectedInputError("a custom id of another version")
    return press


def read_press(payload: Json) -> Press | None:
    """Return the pressed button or submitted form without its values; None for any other interaction."""
    templates = _TEMPLATES.get(payload["type"]) if isinstance(payload.get("type"), int) else None
    data = payload.get("data")
    custom_id = cast("Json", data).get("custom_id") if isinstance(data, dict) else None
    if templates is None or not isinstance(custom_id, str) or len(custom_id) > LONGEST_ID:
        return None
    presses = (Press.parse(custom_id, template) for template in templates)
    return next((press for press in presses if press is not None), None)


def read_message_id(payload: Json) -> MessageId | None:
    """Return the message in which something was pressed; None if it cannot be read."""
    try:
        return MessageId(a_snowflake(an_object(payload.get("message"), "message").get("id"), "a message"))
    except UnexpectedInputError:
        return None


def _shown(message: object, custom_id: str, kind: int) -> Json:
    """Return the component as its message shows it.

    A press on something never shown could change other people's messages.
    """
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
    """Return the chosen values: in a text select only offered ones, in all others only ids."""
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


def _people(data: Json, values: Sequence[str], guild_id: GuildId | None) -> tuple[NamedPerson, ...]:
    """Return the chosen people by their names in the server, without bots."""
    resolved = an_object(data.get("resolved", {}), "resolved")
    users = an_object(resolved.get("users", {}), "users")
    members = an_object(resolved.get("members", {}), "members")
    people: list[NamedPerson] = []
    for value in values:
        user = an_object(users.get(value), "a user")
        if not user.get("bot"):
            person_id = PersonId(a_snowflake(value, "a user"))
            name = a_text(user.get("global_name") or user.get("username"), "a name", LONGEST_VALUE)
            people.append(NamedPerson(person_id, name, _nickname(members.get(value), guild_id)))
    return tuple(people)


def _nickname(member: object, guild_id: GuildId | None) -> Nickname | None:
    """Return what the server calls a person; None outside servers, and for those who are not in it."""
    if guild_id is None or member is None:
        return None
    nick = an_object(member, "a member").get("nick")
    return Nickname(guild_id, a_text(nick, "a nickname", LONGEST_VALUE) if nick else None)


# Forms


def read_form(data: object, guild_id: GuildId | None = None) -> tuple[Press, Fields, tuple[NamedPerson, ...]]:
    """Read a form submitted in this server; raises UnexpectedInputError.

    Return its purpose, the values of its fields, and the people chosen in it.
    """
    read = an_object(data, "data")
    press = _press(a_text(read.get("custom_id"), "custom_id", LONGEST_ID), FORM_TEMPLATE)
    components = a_list(read.get("components"), "components", MOST_VALUES)
    labels = [an_object(component, "a component") for component in components]
    answers = [an_object(label["component"], "a field") for label in labels if "component" in label]
    fields = {a_text(answer.get("custom_id"), "custom_id", LONGEST_ID): _answer(answer) for answer in answers}
    of_people = (_answer(answer) for answer in answers if answer.get("type") == USER_SELECT)
    chosen = [value for values in of_people if isinstance(values, list) for value in values]
    return press, fields, _people(read, chosen, guild_id)


def _answer(field: Json) -> str | bool | list[str]:
    if "values" in field:
        values = a_list(field["values"], "values", MOST_VALUES)
        return [a_text(value, "a value", LONGEST_VALUE) for value in values]
    value = field.get("value")
    if value is None or isinstance(value, bool):
        return bool(value)
    return a_text(value, "a field", LONGEST_TEXT)


# Typed commands


Command = app_commands.Command[Any, Any, Any]
Option = discord.AppCommandOptionType

SLASH, USER_MENU, MESSAGE_MENU = 1, 2, 3
LONGEST_NAME: Final = 32
LARGEST: Final = 2**53
MOST_RESOLVED: Final = 100
RESOLVED: Final = {
    Option.user: ("users",),
    Option.channel: ("channels",),
    Option.role: ("roles",),
    Option.mentionable: ("users", "roles"),
    Option.attachment: ("attachments",),
}
"""The parts of the payload with the objects that options refer to by id."""
_NAMES: Final = {"users": ("username", "global_name"), "members": ("nick",)}


def check_command(tree: app_commands.CommandTree[Any], data: object, *, autocomplete: bool) -> None:
    """Check everything sent with a command or its autocomplete; raises UnexpectedInputError.

    A valid payload has a known command, all required options, and values of the right types, so `discord.py`
    can read it.
    """
    read = an_object(data, "data")
    name = a_text(read.get("name"), "a command's name", LONGEST_NAME)
    kind = a_number(read.get("type", SLASH), "a command's type")
    _check_resolved(read)
    if kind == SLASH:
        command, options = _walk(tree.get_command(name), read)
        _check_options(command, options, read, autocomplete=autocomplete)
    elif kind in {USER_MENU, MESSAGE_MENU} and not autocomplete:
        _check_menu(tree, name, kind, read)
    else:
        raise UnexpectedInputError(f"a command of type {kind}")


def _check_menu(tree: app_commands.CommandTree[Any], name: str, kind: int, data: Json) -> None:
    if tree.get_command(name, type=discord.AppCommandType(kind)) is None:
        raise UnexpectedInputError("no such command")
    target = a_text(data.get("target_id"), "a target", LONGEST_NAME)
    a_snowflake(target, "a target")
    _check_there(data, ("users",) if kind == USER_MENU else ("messages",), target)


def _walk(found: object, data: Json) -> tuple[Command, Sequence[Json]]:
    """Find the typed command in its group, with its options."""
    options = _options(data)
    while isinstance(found, app_commands.Group):
        if len(options) != 1 or options[0].get("type") not in (1, 2):
            raise UnexpectedInputError("a group without a command")
        found = found.get_command(a_text(options[0].get("name"), "a command's name", LONGEST_NAME))
        options = _options(options[0])
    if not isinstance(found, app_commands.Command):
        raise UnexpectedInputError("no such command")
    return cast("Command", found), options


def _options(data: Json) -> Sequence[Json]:
    options = a_list(data.get("options", []), "options", MOST_VALUES)
    return [an_object(option, "an option") for option in options]


def _check_options(command: Command, options: Sequence[Json], data: Json, *, autocomplete: bool) -> None:
    known = {parameter.display_name: parameter for parameter in command.parameters}
    given = [a_text(option.get("name"), "an option's name", LONGEST_NAME) for option in options]
    if len(set(given)) < len(given) or not set(given) <= set(known):
        raise UnexpectedInputError("an option that the command does not have")
    for name, option in zip(given, options, strict=True):
        if option.get("type") != known[name].type.value or isinstance(option.get("type"), bool):
            raise UnexpectedInputError(f"the option {name} is of another type")
        if autocomplete:
            _check_unfinished(known[name], option.get("value"))
        else:
            _check_value(known[name], option.get("value"), data)
    if autocomplete:
        _check_focus(known, options)
    elif missing := [name for name, option in known.items() if option.required and name not in given]:
        raise UnexpectedInputError(f"the option {missing[0]} is missing")


def _check_focus(known: dict[str, app_commands.Parameter], options: Sequence[Json]) -> None:
    focused = [option for option in options if option.get("focused")]
    if len(focused) != 1 or not known[focused[0]["name"]].autocomplete:
        raise UnexpectedInputError("nothing is being typed")


def _check_unfinished(parameter: app_commands.Parameter, value: object) -> None:
    """Check a value that is still being typed: an unfinished number may be any text."""
    name = parameter.display_name
    match parameter.type:
        case Option.boolean:
            _a_boolean(value, name)
        case Option.integer | Option.number if not isinstance(value, str):
            _a_quantity(value, name, whole=parameter.type is Option.integer)
        case kind if kind in RESOLVED:
            a_snowflake(value, name)
        case _:
            a_text(value, name, LONGEST_TEXT)


def _check_value(parameter: app_commands.Parameter, value: object, data: Json) -> None:
    name = parameter.display_name
    match parameter.type:
        case Option.string:
            a_text(value, name, int(parameter.max_value or LONGEST_TEXT))
        case Option.integer | Option.number:
            _check_range(parameter, _a_quantity(value, name, whole=parameter.type is Option.integer))
        case Option.boolean:
            _a_boolean(value, name)
        case kind if kind in RESOLVED:
            a_snowflake(value, name)
            _check_there(data, RESOLVED[kind], str(value))
        case kind:
            raise UnexpectedInputError(f"the option {name} is {kind.name}")
    if parameter.choices and value not in [choice.value for choice in parameter.choices]:
        raise UnexpectedInputError(f"the option {name} offers no such thing")


def _check_range(parameter: app_commands.Parameter, number: float) -> None:
    low, high = parameter.min_value, parameter.max_value
    if (low is not None and number < low) or (high is not None and number > high):
        raise UnexpectedInputError(f"the option {parameter.display_name} is out of range")


def _a_boolean(value: object, name: str) -> None:
    if not isinstance(value, bool):
        raise UnexpectedInputError(f"the option {name} is neither true nor false")


def _a_quantity(value: object, name: str, *, whole: bool) -> float:
    number = value if isinstance(value, float) and not whole else a_number(value, name)
    if not -LARGEST <= number <= LARGEST:
        raise UnexpectedInputError(f"the option {name} is out of range")
    return number


def _check_resolved(data: Json) -> None:
    """Check the resolved objects, by kind and id."""
    for kind, things in an_object(data.get("resolved", {}), "resolved").items():
        there = an_object(things, f"resolved {kind}")
        if len(there) > MOST_RESOLVED:
            raise UnexpectedInputError(f"too many {kind}")
        for number, thing in there.items():
            a_snowflake(number, f"a key of {kind}")
            _check_thing(kind, an_object(thing, f"one of {kind}"))


def _check_thing(kind: str, thing: Json) -> None:
    """Check the names of people, which the bot itself reads; the rest is left to the library."""
    for name in _NAMES.get(kind, ()):
        if thing.get(name) is not None:
            a_text(thing[name], name, LONGEST_VALUE)
    if kind == "users" and thing.get("username") is None:
        raise UnexpectedInputError("a user without a name")


def _check_there(data: Json, kinds: Sequence[str], number: str) -> None:
    resolved = data.get("resolved", {})
    if not any(number in resolved.get(kind, {}) for kind in kinds):
        raise UnexpectedInputError("what an option names was not sent along")
