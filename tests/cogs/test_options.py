"""Typed commands are compared with the bot's own commands before the library calls one."""

from typing import Any

import pytest

from bot.errors import UnexpectedInputError
from bot.interactions.payload import check_command

ASHA = {"id": "7", "username": "asha", "discriminator": "0", "avatar": None}


def option(name: str, kind: int, value: object, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": kind, "value": value} | more


def slash(name: str, *options: object, **more: Any) -> dict[str, Any]:
    group, _, inner = name.partition(" ")
    within: Any = [{"name": inner, "type": 1, "options": list(options)}] if inner else list(options)
    return {"id": "1", "name": group, "type": 1, "options": within} | more


def with_user(*options: object, user: object = ASHA) -> dict[str, Any]:
    return slash("profile", *options, resolved={"users": {"7": user}})


async def test_commands_as_discord_sends_them_pass(bot):
    for data in (
        slash("help"),
        {"id": "1", "name": "help"},
        slash("marriage hand"),
        slash("marriage discard", option("card", 3, "5H")),
        slash("marriage cut", option("place", 4, 3)),
        slash("marriage show", option("dublees", 5, value=True)),
        slash("leaderboard", option("span", 3, "week")),
        slash("league pods", option("round", 4, 1)),
        with_user(option("player", 6, "7")),
        {"name": "Challenge to Marriage", "type": 2, "target_id": "7", "resolved": {"users": {"7": ASHA}}},
    ):
        check_command(bot.tree, data, autocomplete=False)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"name": 5},
        slash("help", type="1"),
        slash("help", type=9),
        slash("nonsense"),
        slash("marriage"),
        slash("marriage nonsense"),
        slash("marriage hand") | {"options": {}},
        slash("marriage hand") | {"options": [5]},
        slash("marriage") | {"options": [{"name": "hand", "type": []}]},
        slash("help", {"name": "sub", "type": 1}),
        slash("marriage discard"),
        slash("marriage discard", option("card", 3, 5)),
        slash("marriage discard", option("card", 3, "\udfff")),
        slash("marriage discard", option("card", 4, 5)),
        slash("marriage discard", option("card", 3, "5H"), option("card", 3, "6H")),
        slash("marriage discard", option("card", 3, "5H"), option("other", 3, "6H")),
        slash("marriage discard", option(5, 3, "5H")),
        slash("marriage cut", option("place", 4, value=True)),
        slash("marriage cut", option("place", 4, "3")),
        slash("marriage cut", option("place", 4, 1.5)),
        slash("marriage cut", option("place", 4, 0)),
        slash("marriage cut", option("place", 4, 10**30)),
        slash("marriage show", option("dublees", 5, "true")),
        slash("leaderboard", option("span", 3, "century")),
        slash("profile", option("player", 6, "7")),
        with_user(option("player", 6, "ne")),
        with_user(option("player", 6, 7)),
        with_user(option("player", 6, "8")),
        with_user(option("player", 6, "7"), user=5),
        with_user(option("player", 6, "7"), user=ASHA | {"username": 5}),
        with_user(option("player", 6, "7"), user={}),
        slash("help", resolved=[]),
        slash("help", resolved={"users": {"ne": ASHA}}),
        {"name": "Challenge to Marriage", "type": 2},
        {"name": "Challenge to Marriage", "type": 2, "target_id": "7"},
        {"name": "Challenge to Marriage", "type": 3, "target_id": "7", "resolved": {"messages": {"7": {}}}},
        {"name": "Challenge", "type": 2, "target_id": "7", "resolved": {"users": {"7": ASHA}}},
    ],
)
async def test_anything_else_is_odd(bot, data: object):
    with pytest.raises(UnexpectedInputError):
        check_command(bot.tree, data, autocomplete=False)


async def test_what_is_being_typed_passes_unfinished(bot):
    for data in (
        slash("marriage discard", option("card", 3, "", focused=True)),
        slash("league-staff undo", option("number", 4, "12", focused=True), option("league", 3, "a")),
        slash("league-staff undo", option("number", 4, 12, focused=True)),
        slash("setup daily", option("timezone", 3, "kath", focused=True), option("off", 5, value=False)),
    ):
        check_command(bot.tree, data, autocomplete=True)


@pytest.mark.parametrize(
    "data",
    [
        slash("marriage discard"),
        slash("marriage discard", option("card", 3, "5")),
        slash("marriage discard", option("card", 3, value=True, focused=True)),
        slash("marriage discard", option("card", 3, None, focused=True)),
        slash("marriage cut", option("place", 4, 1, focused=True)),
        slash("league-staff undo", option("number", 4, 1, focused=True), option("league", 3, 5)),
        slash("league-staff undo", option("number", 4, [], focused=True)),
        slash("help"),
        {"name": "Challenge to Marriage", "type": 2, "target_id": "7", "resolved": {"users": {"7": ASHA}}},
    ],
)
async def test_what_cannot_be_typed_is_odd(bot, data: object):
    with pytest.raises(UnexpectedInputError):
        check_command(bot.tree, data, autocomplete=True)
