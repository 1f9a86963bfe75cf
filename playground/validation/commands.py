"""Validation of application commands."""

from collections import Counter
from typing import Any

from playground.payloads import Json, array_in, is_object
from playground.refusals import Errors, RefusalError
from playground.validation.answers import check_choice
from playground.validation.forms import Form
from playground.validation.translations import check_translations, check_unique_translations, good_name

SLASH, USER, MESSAGE = 1, 2, 3
SUBCOMMAND, GROUP = 1, 2
STRING, INTEGER, NUMBER = 3, 4, 10
IN_COMMAND, IN_GROUP, IN_SUBCOMMAND = 0, 1, 2
OPTION_TYPES = {IN_COMMAND: set(range(1, 12)), IN_GROUP: {SUBCOMMAND}, IN_SUBCOMMAND: set(range(3, 12))}
MAX_COMMANDS = {SLASH: 100, USER: 15, MESSAGE: 15}
MAX_CHARACTERS = 8000


def check_commands(body: object) -> list[Json]:
    """Return the commands of a bulk overwrite; raises RefusalError if any is invalid or if there are too many."""
    errors = Errors()
    whole = Form({"commands": body}, errors)
    commands = [
        Form(form.data, errors, form.path[1:]) for form in whole.forms("commands", 0, 130, required=True)
    ]
    kinds: Counter[int] = Counter()
    names: set[tuple[int, str]] = set()
    for command in commands:
        kind = _command(command)
        kinds[kind] += 1
        name = (kind, str(command.data.get("name")))
        if name in names:
            command.wrong(
                "name", "Application command names must be unique", "APPLICATION_COMMANDS_DUPLICATE_NAME"
            )
        names.add(name)
    for kind in MAX_COMMANDS:
        same = [command for command in commands if command.data.get("type", SLASH) == kind]
        check_unique_translations(same, "APPLICATION_COMMANDS_DUPLICATE_NAME")
    errors.done()
    if any(kinds[kind] > most for kind, most in MAX_COMMANDS.items()):
        raise RefusalError(30032)
    return [command.data for command in commands]


def check_command(body: Json) -> Json:
    """Return one command; raises RefusalError if it is invalid."""
    errors = Errors()
    _command(Form(body, errors))
    errors.done()
    return body


def _command(command: Form) -> int:
    kind = command.one_of("type", {SLASH, USER, MESSAGE}) or SLASH
    if kind == SLASH:
        _names(command)
        _options(command, IN_COMMAND)
    else:
        command.text("name", 1, 32, required=True)
        check_translations(command, "name", 32)
        command.text("description", 0, 0)
        if command.data.get("options"):
            command.wrong("options", "Context menu commands take no options.")
    permissions = command.data.get("default_member_permissions")
    if permissions is not None and not str(permissions).isdecimal():
        command.wrong("default_member_permissions", "Must consist of digits.")
    _some_of(command, "contexts", (0, 1, 2))
    _some_of(command, "integration_types", (0, 1))
    if _length(command.data) > MAX_CHARACTERS:
        command.wrong("", "Command exceeds maximum size (8000)", "APPLICATION_COMMAND_TOO_LARGE")
    return kind


def _some_of(command: Form, key: str, known: tuple[int, ...]) -> None:
    """Check an array of known values, which must not be empty if it is present."""
    if any(value not in known for value in command.values(key, 1, len(known))):
        command.wrong(key, f"Must be among {known}.")


def _names(form: Form) -> None:
    """Check the name and description of a command or option, with their translations."""
    name = form.text("name", 1, 32, required=True)
    if name is not None and not good_name(name):
        form.wrong("name", "Command name is invalid", "APPLICATION_COMMAND_INVALID_NAME")
    form.text("description", 1, 100, required=True)
    check_translations(form, "name", 32, proper=good_name)
    check_translations(form, "description", 100)


def _options(owner: Form, depth: int) -> None:
    options = owner.forms("options", 0, 25)
    names: set[str] = set()
    optional_seen = False
    for option in options:
        name = str(option.data.get("name"))
        if name in names:
            option.wrong("name", "Option names must be unique", "APPLICATION_COMMAND_OPTIONS_NAME_INVALID")
        names.add(name)
        required = option.boolean("required")
        if required and optional_seen:
            option.wrong("required", "Required options must be placed before non-required options")
        optional_seen |= not required
        _option(option, depth)
    check_unique_translations(options, "APPLICATION_COMMAND_OPTIONS_NAME_INVALID")
    kinds = {option.data.get("type") for option in options}
    if kinds & {SUBCOMMAND, GROUP} and kinds - {SUBCOMMAND, GROUP}:
        owner.wrong(
            "options", "Sub-command and sub-command group option types are mutually exclusive to others"
        )


def _option(option: Form, depth: int) -> None:
    kind = option.one_of("type", OPTION_TYPES[depth], required=True)
    _names(option)
    if kind in (SUBCOMMAND, GROUP):
        _options(option, IN_GROUP if kind == GROUP else IN_SUBCOMMAND)
        return
    choices = option.forms("choices", 0, 25)
    for choice in choices:
        check_choice(choice)
        _fits(choice, kind)
    if option.boolean("autocomplete") and (choices or kind not in (STRING, INTEGER, NUMBER)):
        option.wrong("autocomplete", "Autocomplete is only for strings and numbers without choices.")
    option.number("min_length", 0, 6000)
    option.number("max_length", 1, 6000)


def _fits(choice: Form, kind: int | None) -> None:
    value: Any = choice.data.get("value")
    if (kind == STRING) != isinstance(value, str):
        choice.wrong("value", "The value must have the option's type.")


def _length(data: Json) -> int:
    """Return the size of a command: names, descriptions (each in its longest translation) and choice values."""
    total = 0
    for key in ("name", "description"):
        translations = data.get(f"{key}_localizations")
        texts = [data.get(key) or "", *(translations.values() if is_object(translations) else ())]
        total += max(len(str(text)) for text in texts)
    if "value" in data:
        total += len(str(data["value"]))
    for key in ("options", "choices"):
        total += sum(_length(inner) for inner in array_in(data, key) if is_object(inner))
    return total
