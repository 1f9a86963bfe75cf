"""Checks of typed commands against the registered ones, because Discord's own checks are not trusted.

What passes has a known command, all required options, and values of the right types, so `discord.py` can read it.
Anything else raises UnexpectedInputError.
"""

from collections.abc import Sequence
from typing import Any, Final, cast

import discord
from discord import app_commands

from bot.errors import UnexpectedInputError
from bot.interactions.payload import (
    LONGEST_TEXT,
    LONGEST_VALUE,
    MOST_VALUES,
    Json,
    a_list,
    a_number,
    a_snowflake,
    a_text,
    an_object,
)

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
"""The parts of the payload that hold the objects which options name by id."""
_NAMES: Final = {"users": ("username", "global_name"), "members": ("nick",)}


def check_command(tree: app_commands.CommandTree[Any], data: object, *, autocomplete: bool) -> None:
    """Check everything that came with a command, or with its autocomplete; raises UnexpectedInputError."""
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
