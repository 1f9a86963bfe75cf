"""For every rule about application commands, a command that breaks this rule alone."""

import pytest

from playground.refusals import RefusalError
from playground.validation.commands import check_command, check_commands
from tests.playground.test_validation import paths


def command(**fields):
    return {"name": "marriage", "description": "Play"} | fields


def argument(name="seats", kind=4, **fields):
    return {"name": name, "description": "x", "type": kind} | fields


COMMANDS = [
    ("upper case", command(name="Marriage"), "name"),
    ("space", command(name="two words"), "name"),
    ("too long", command(name="x" * 33), "name"),
    ("no description", command(description=""), "description"),
    ("description", command(description="x" * 101), "description"),
    ("26 options", command(options=[argument(f"o{number}") for number in range(26)]), "options"),
    ("option twice", command(options=[argument(), argument()]), "options.1.name"),
    ("option name", command(options=[argument("Seats")]), "options.0.name"),
    ("required last", command(options=[argument("a"), argument("b", required=True)]), "options.1.required"),
    (
        "26 choices",
        command(options=[argument(choices=[{"name": "x", "value": 1}] * 26)]),
        "options.0.choices",
    ),
    (
        "choice of a wrong type",
        command(options=[argument(choices=[{"name": "x", "value": "x"}])]),
        "options.0.choices.0.value",
    ),
    (
        "choices and autocomplete",
        command(options=[argument(autocomplete=True, choices=[{"name": "x", "value": 1}])]),
        "options.0.autocomplete",
    ),
    ("subcommand beside an option", command(options=[argument("a", 1), argument("b", 3)]), "options"),
    (
        "subcommand in a subcommand",
        command(options=[argument("a", 1, options=[argument("b", 1)])]),
        "options.0.options.0.type",
    ),
    ("unknown locale", command(name_localizations={"ne": "marriage"}), "name_localizations.ne"),
    ("bad translation", command(name_localizations={"hi": "two words"}), "name_localizations.hi"),
    (
        "a translation that is too long",
        command(description_localizations={"hi": "क" * 101}),
        "description_localizations.hi",
    ),
    (
        "options with one name in another language",
        command(
            options=[argument(name, name_localizations={"hi": "पत्ता"}) for name in ("card", "leaf")],
        ),
        "options.1.name_localizations.hi",
    ),
    (
        "choice in an unknown locale",
        command(options=[argument(choices=[{"name": "x", "value": 1, "name_localizations": {"ne": "x"}}])]),
        "options.0.choices.0.name_localizations.ne",
    ),
    (
        "user command in an unknown locale",
        {"name": "Challenge", "type": 2, "name_localizations": {"ne": "x"}},
        "name_localizations.ne",
    ),
    ("blank description", command(description=" "), "description"),
    ("empty translation", command(description_localizations={"hi": ""}), "description_localizations.hi"),
    ("context", command(contexts=[3]), "contexts"),
    ("no context", command(contexts=[]), "contexts"),
    ("no way to install", command(integration_types=[]), "integration_types"),
    ("unknown way to install", command(integration_types=[2]), "integration_types"),
    ("user command with a description", {"name": "Challenge", "type": 2, "description": "x"}, "description"),
]


@pytest.mark.parametrize(("data", "where"), [pytest.param(*case[1:], id=case[0]) for case in COMMANDS])
def test_a_command_is_refused(data, where):
    with pytest.raises(RefusalError) as caught:
        check_command(data)
    assert list(paths(caught.value.errors)) == [where]


def test_a_command_of_8001_characters_is_refused():
    choices = [{"name": "x" * 100, "value": "y" * 100} for _ in range(25)]
    options = [argument(f"o{number}", 3, choices=choices) for number in range(2)]
    with pytest.raises(RefusalError) as caught:
        check_command(command(options=options))
    assert list(paths(caught.value.errors)) == [""]


def test_commands_are_refused_together():
    with pytest.raises(RefusalError) as caught:
        check_commands([command(), command()])
    assert list(paths(caught.value.errors)) == ["1.name"]
    with pytest.raises(RefusalError) as caught:
        check_commands([command(name=f"c{number}") for number in range(101)])
    assert caught.value.code == 30032
    with pytest.raises(RefusalError) as caught:
        check_commands([{"name": f"Menu {number}", "type": 2} for number in range(16)])
    assert caught.value.code == 30032


def test_devanagari_names_are_good():
    assert check_command(command(name="विवाह", options=[argument("खेल")]))["name"] == "विवाह"
