"""All cogs together: each verb of a panel is served once, and Discord accepts each command."""

import ast
import re
from pathlib import Path

import discord
import pytest
from discord import app_commands

from bot.words.texts import CATALOGUES

ROOT = Path(__file__).parents[2]

SLASH = 1


def pressed_verbs() -> set[str]:
    """Return every verb that the code puts into a custom id."""
    found: set[str] = set()
    for path in (*(ROOT / "bot").rglob("*.py"), *(ROOT / "cogs").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("_press", "Press")):
                constants = (arg.value for arg in node.args if isinstance(arg, ast.Constant))
                words = [constant for constant in constants if isinstance(constant, str)]
                found |= set(words[:1])  # the rest is the verb's argument
    return found


async def test_every_verb_that_is_pressed_is_served(bot):
    verbs = pressed_verbs()
    assert len(verbs) > 10
    assert verbs - bot.router.verbs == set()


async def test_a_verb_is_served_once(bot):
    verb = next(iter(bot.router.verbs))
    with pytest.raises(ValueError, match="served already"):
        bot.router.add(verb, lambda _: None)


async def test_every_verb_fits_its_template(bot):
    assert all(re.fullmatch(r"[a-z-]{1,20}", verb) for verb in bot.router.verbs)


MOST_FOR_MEMBERS = 47
"""The commands and subcommands offered to a member without any permission, besides `/league-staff`.

Discord offers `/league-staff` to everyone, because it does not know a league's staff role.
"""


async def test_members_are_offered_few_commands(bot):
    commands = [command for command in bot.tree.get_commands() if command.name != "league-staff"]
    offered = [name for command in commands for name in for_members(command)]
    assert len(offered) <= MOST_FOR_MEMBERS, offered
    assert not [name for name in offered if name.startswith(("setup", "export", "fairplay"))]
    assert {"marriage play", "marriage hand", "help", "learn", "daily", "score new", "league next"} <= set(
        offered
    )


def for_members(command) -> list[str]:
    """Return the names of a command's subcommands, or its own name, if everyone is offered it."""
    if isinstance(command, app_commands.ContextMenu) or command.default_permissions is not None:
        return []
    if isinstance(command, app_commands.Group):
        return [name for inner in command.commands for name in for_members(inner)]
    return [command.qualified_name]


async def test_every_command_is_one_that_discord_takes(bot):
    everything = [command.to_dict(bot.tree) for command in bot.tree.get_commands()]
    commands = [command for command in everything if command["type"] == SLASH]
    for menu in (command for command in everything if command["type"] != SLASH):
        assert 1 <= len(menu["name"]) <= 32
        assert not menu.get("description")
    assert {command["name"] for command in commands} >= {"marriage", "help"}
    assert len(commands) <= 100
    for command in commands:
        assert length(command) <= 8_000
        for inner in walk(command):
            assert re.fullmatch(r"[a-z0-9_-]{1,32}", inner["name"]), inner["name"]
            assert 1 <= len(inner["description"]) <= 100
            assert len(inner.get("options") or []) <= 25


async def test_help_leads_to_every_command(bot):
    """No one finds a command that no situation names."""
    named = {command.name for command in bot.tree.get_commands(type=discord.AppCommandType.chat_input)}
    told = set(re.findall(r"\{cmd\[([a-z-]+)", (CATALOGUES / "en.toml").read_text(encoding="utf-8")))
    assert named - told == {"help"}


def walk(command: dict):
    yield command
    for option in command.get("options") or []:
        yield from walk(option)


def length(command: dict) -> int:
    characters = len(command["name"]) + len(command.get("description", ""))
    choices = sum(len(choice["name"]) + len(str(choice["value"])) for choice in command.get("choices") or [])
    return characters + choices + sum(length(option) for option in command.get("options") or [])


async def test_every_option_says_what_it_is(bot):
    commands = [command.to_dict(bot.tree) for command in bot.tree.get_commands()]
    for command in (command for command in commands if command["type"] == SLASH):
        assert [inner["name"] for inner in walk(command) if inner["description"] in ("", "…")] == []


async def test_the_bot_asks_for_no_privileged_intent(bot):
    assert bot.intents == discord.Intents(guilds=True)
    assert bot.intents.value == 1
    assert bot.allowed_mentions.to_dict() == {"parse": []}
