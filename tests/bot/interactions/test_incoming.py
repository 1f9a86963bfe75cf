"""Outside input is parsed into what it must be, or rejected in one way."""

from contextlib import suppress
from typing import Any

import discord
import pytest
from discord import app_commands
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import UnexpectedInputError
from bot.interactions.payload import Component, a_text, check_command, read_form
from bot.people import NamedPerson
from data.repositories.people import Nickname

ASHA = NamedPerson(7, "asha", Nickname(900, "Asha"))
PICK = "mr1:pick-discard:1:5"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def button(custom_id: str) -> dict[str, Any]:
    return {"type": 2, "custom_id": custom_id}


def select(custom_id: str, *values: str, type: int = 3) -> dict[str, Any]:  # noqa: A002 - as Discord calls it
    return {"type": type, "custom_id": custom_id, "options": [{"value": value} for value in values]}


def message(*components: dict[str, Any]) -> dict[str, Any]:
    return {"components": [{"type": 17, "components": [{"type": 1, "components": list(components)}]}]}


def press(custom_id: object, **data: Any) -> dict[str, Any]:
    return {"component_type": 2, "custom_id": custom_id} | data


def test_a_press_of_what_the_message_shows_is_read():
    read = Component.read(press("mr1:draw:1:5"), message(button("mr1:draw:1:5")))
    assert (read.press.verb, read.press.subject, read.press.revision) == ("draw", 1, 5)
    assert (read.values, read.people) == ((), ())


def test_a_button_beside_a_text_is_shown_too():
    section = {"type": 9, "components": [], "accessory": button("mr1:draw:1:5")}
    assert Component.read(press("mr1:draw:1:5"), {"components": [section]}).press.verb == "draw"


@pytest.mark.parametrize("sign", ["\0", "\ud800"])
def test_a_text_that_no_database_takes_is_odd(sign: str):
    with pytest.raises(UnexpectedInputError):
        a_text(f"Asha{sign}", "a name", 100)


@pytest.mark.parametrize(
    "custom_id", ["mr0:draw:1:5", "mr9:draw:1:5", "mr1:DRAW:1:5", "draw", "", "mr1:draw:1:5:"]
)
def test_a_press_of_another_version_is_odd(custom_id: str):
    with pytest.raises(UnexpectedInputError, match="out_of_date"):
        Component.read(press(custom_id), message(button(custom_id)))


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        "text",
        {},
        press(None),
        press(5),
        press(["mr1:draw:1:5"]),
        press("mr1:draw:1:5", component_type="2"),
        press("mr1:draw:1:5", component_type=True),
        press("mr1:draw:1:5", component_type=3, values=["ne"]),
        press("mr1:draw:1:5", component_type=99),
        press("mr1:draw:1:6"),
    ],
)
def test_a_press_of_the_wrong_shape_is_odd(data: object):
    with pytest.raises(UnexpectedInputError):
        Component.read(data, message(button("mr1:draw:1:5")))


def test_what_a_message_offers_may_be_anything():
    shown = message(select(PICK) | {"options": [{"value": []}, {"value": {}}, 5]})
    with pytest.raises(UnexpectedInputError):
        Component.read(press(PICK, component_type=3, values=["5H"]), shown)


def test_a_choice_is_among_what_was_offered():
    shown = message(select(PICK, "5H", "6H"))
    assert Component.read(press(PICK, component_type=3, values=["6H"]), shown).values == ("6H",)
    for values in (["7H"], ["5H", 6], [None], "5H", None, {"5H": 1}, ["5H"] * 26, [["5H"]], [{}]):
        with pytest.raises(UnexpectedInputError):
            Component.read(press(PICK, component_type=3, values=values), shown)


@pytest.mark.parametrize("kind", [5, 6, 7, 8])
@pytest.mark.parametrize("value", ["ne", "", "-1", "१२", "9" * 90, str(2**63), 5, None])
def test_a_choice_of_somebody_or_something_is_an_id(kind: int, value: object):
    with pytest.raises(UnexpectedInputError):
        Component.read(press(PICK, component_type=kind, values=[value]), message(select(PICK, type=kind)))


def test_people_are_read_from_what_came_along():
    shown, data = message(select(PICK, type=5)), press(PICK, component_type=5, values=["7", "8"])
    users = {"7": {"username": "asha"}, "8": {"username": "tiplu", "bot": True}}
    resolved = {"users": users, "members": {"7": {"nick": "Asha"}}}
    assert Component.read(data | {"resolved": resolved}, shown, 900).people == (ASHA,)
    for broken in (
        {},
        {"users": {"7": users["7"]}},
        {"users": {"7": 5, "8": users["8"]}},
        {"users": {"7": {"username": 5}, "8": users["8"]}},
        {"users": users, "members": {"7": []}},
        {"users": []},
        None,
    ):
        with pytest.raises(UnexpectedInputError):
            Component.read(data | {"resolved": broken}, shown, 900)


def form(*fields: object, custom_id: object = "mr1:form-rules:1:5") -> dict[str, Any]:
    return {"custom_id": custom_id, "components": [{"type": 18, "component": field} for field in fields]}


def test_a_form_is_read_by_field():
    press, fields, people = read_form(
        form(
            {"custom_id": "text", "value": "नमस्ते"},
            {"custom_id": "many", "values": ["a", "b"]},
            {"custom_id": "switch", "value": True},
            {"custom_id": "nothing", "value": None},
        )
    )
    assert press.verb == "form-rules"
    assert people == ()
    assert fields == {"text": "नमस्ते", "many": ["a", "b"], "switch": True, "nothing": False}


def test_the_people_chosen_in_a_form_are_read_by_their_names_without_bots():
    users = {"7": {"username": "asha"}, "8": {"username": "robot", "bot": True}}
    chosen = form({"type": 5, "custom_id": "who", "values": ["7", "8"]})
    _, fields, people = read_form(
        chosen | {"resolved": {"users": users, "members": {"7": {"nick": "Asha"}}}}, 900
    )
    assert fields == {"who": ["7", "8"]}
    assert people == (ASHA,)
    with pytest.raises(UnexpectedInputError):
        read_form(chosen)


@pytest.mark.parametrize(
    "data",
    [
        None,
        {},
        form(custom_id="mr1:draw:1:5"),
        form(custom_id=None),
        form() | {"components": {}},
        form() | {"components": [5]},
        form(5),
        form({"custom_id": "text", "value": 5}),
        form({"custom_id": "text", "value": "\ud800"}),
        form({"custom_id": "text", "value": "x" * 4001}),
        form({"custom_id": 5, "value": "x"}),
        form({"custom_id": "many", "values": "ab"}),
        form({"custom_id": "many", "values": [5]}),
    ],
)
def test_a_form_of_the_wrong_shape_is_odd(data: object):
    with pytest.raises(UnexpectedInputError):
        read_form(data)


@app_commands.command()
async def cut(_: discord.Interaction, place: app_commands.Range[int, 1, 50], words: str = "") -> None:
    """Cut the stock."""


@pytest.fixture
async def tree() -> app_commands.CommandTree[Any]:
    """What is registered: one command with an option that is required, and one that is not."""
    tree = app_commands.CommandTree(discord.Client(intents=discord.Intents.none()))
    tree.add_command(cut)
    return tree


PLACE = {"name": "place", "type": 4, "value": 5}
WORDS = {"name": "words", "type": 3, "value": "x"}


@pytest.mark.parametrize("options", [[PLACE], [PLACE, WORDS]])
async def test_a_command_with_its_options_is_read(tree: app_commands.CommandTree[Any], options: list[Any]):
    check_command(tree, {"name": "cut", "options": options}, autocomplete=False)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ([], "place is missing"),
        ([WORDS], "place is missing"),
        ([PLACE, PLACE], "an option that the command does not have"),
        ([PLACE, {"name": "more", "type": 3, "value": "x"}], "an option that the command does not have"),
        ([PLACE | {"type": 3, "value": "5"}], "of another type"),
        ([PLACE | {"value": 0}], "out of range"),
        ([PLACE | {"value": 51}], "out of range"),
    ],
)
async def test_a_command_with_other_options_is_odd(
    tree: app_commands.CommandTree[Any], options: list[Any], why: str
):
    with pytest.raises(UnexpectedInputError) as odd:
        check_command(tree, {"name": "cut", "options": options}, autocomplete=False)
    assert why in odd.value.why


@given(JSON, JSON, JSON, JSON)
def test_no_json_makes_a_reader_raise_anything_else(data: Any, shown: Any, values: Any, resolved: Any):
    chosen = {"component_type": 5, "custom_id": PICK, "values": values, "resolved": resolved}
    fields = [{"component": values}, {"component": {"custom_id": "a", "value": resolved}}]
    for read in (
        lambda: Component.read(data, shown),
        lambda: Component.read(chosen, message(select(PICK, type=5))),
        lambda: Component.read(press(PICK), {"components": [shown, {"components": data}]}),
        lambda: read_form(data),
        lambda: read_form({"custom_id": "mr1:form-rules:1:5", "components": fields}),
    ):
        with suppress(UnexpectedInputError):
            read()
