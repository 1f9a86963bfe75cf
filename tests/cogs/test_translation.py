"""The slash commands in Hindi, as sent to Discord."""

import re
from collections.abc import Iterator
from typing import Any

import discord
import pytest
import regex

from bot.commands import CATALOGUES, Translator, sync_commands
from bot.words.texts import OF_DISCORD
from playground.validation.commands import check_commands
from render.words import own_messages
from tests.playground.openapi import description

NAME = regex.compile(r"[-_\p{L}\p{N}\p{sc=Deva}]{1,32}")
SUBCOMMAND, GROUP, SLASH = 1, 2, 1
NOT_YET: frozenset[str] = frozenset()
"""New keys that still need translation, such as `league show.options.league.name`."""
LOCALES = {locale.value: language for locale, language in OF_DISCORD.items()}
BULK = "urn:request#/paths/~1applications~1{application_id}~1commands/put/requestBody/content/application~1json/schema"


@pytest.fixture
async def payload(bot) -> list[dict[str, Any]]:
    translator = Translator()
    return [await command.get_translated_payload(bot.tree, translator) for command in bot.tree.get_commands()]


def walk(node: dict[str, Any], path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every command and option with its path, which is its key in the catalogue."""
    path = f"{path} {node['name']}".strip()
    yield path, node
    for option in node.get("options") or []:
        inner = option["type"] in (SUBCOMMAND, GROUP)
        yield from walk(option, path) if inner else [(f"{path}.options.{option['name']}", option)]


def is_group(node: dict[str, Any]) -> bool:
    return any(option["type"] in (SUBCOMMAND, GROUP) for option in node.get("options") or [])


def everything(payload: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {path: node for command in payload for path, node in walk(command)}


@pytest.mark.parametrize(("locale", "language"), LOCALES.items())
async def test_every_command_and_option_is_translated(payload, locale, language):
    wanted: set[str] = set()
    for path, node in everything(payload).items():
        wanted |= set() if is_group(node) else {f"{path}.name"}
        wanted |= {f"{path}.description"} if node.get("description") else set()
        wanted |= {f"choice.{choice['name']}" for choice in node.get("choices") or []}
    known = own_messages(CATALOGUES, language)
    missing = sorted(wanted - known.keys() - NOT_YET)
    assert missing == [], (
        f"say these in bot/words/messages/commands/{language}.toml, or list them in NOT_YET for now"
    )
    assert sorted(known.keys() - wanted) == [], "these are no command or option any more"
    for path, node in everything(payload).items():
        for key in ("name", "description"):
            sent = (node.get(f"{key}_localizations") or {}).get(locale)
            assert sent == known.get(f"{path}.{key}")
        for choice in node.get("choices") or []:
            assert choice["name_localizations"][locale] == known[f"choice.{choice['name']}"]


async def test_translated_names_and_descriptions_are_such_as_discord_takes(payload):
    for path, node in everything(payload).items():
        for name in (node.get("name_localizations") or {}).values():
            assert NAME.fullmatch(name) or node.get("type") == 2, path
            assert name == name.lower(), path
            assert len(name) <= 32, path
        for text in (node.get("description_localizations") or {}).values():
            assert 1 <= len(text) <= 100, path
        for choice in node.get("choices") or []:
            assert all(1 <= len(name) <= 100 for name in (choice.get("name_localizations") or {}).values())
    check_commands(payload)


async def test_nothing_is_translated_into_a_language_without_a_catalogue(payload):
    found = {
        locale for node in everything(payload).values() for locale in node.get("name_localizations") or {}
    }
    assert found == set(LOCALES)


async def test_groups_keep_their_names(payload):
    assert [node["name"] for node in payload if is_group(node) and node.get("name_localizations")] == []


async def test_the_payload_is_what_discord_describes(payload):
    assert list(description().errors("commands", BULK, payload)) == []


class Discord:
    """What `sync_commands` requests from the tree's client, counted."""

    def __init__(self, bot, monkeypatch) -> None:
        self.synced = 0
        monkeypatch.setattr(type(bot), "application_id", 1)
        monkeypatch.setattr(bot.tree, "sync", self.sync)
        monkeypatch.setattr(bot.tree, "fetch_commands", self.fetch)

    async def sync(self) -> list[discord.app_commands.AppCommand]:
        self.synced += 1
        return []

    async def fetch(self) -> list[object]:
        return [object()]


async def test_a_changed_translation_is_sent_and_the_same_one_is_not(bot, monkeypatch):
    there = Discord(bot, monkeypatch)
    await sync_commands(bot, bot.services.store)
    await sync_commands(bot, bot.services.store)
    assert there.synced == 1
    changed = own_messages(CATALOGUES, "hi") | {"help.name": "सहायता"}
    monkeypatch.setattr("bot.commands.own_messages", lambda *_: changed)
    await sync_commands(bot, bot.services.store)
    assert there.synced == 2


def test_the_pattern_knows_vowel_signs():
    assert NAME.fullmatch("खेलें")
    assert not re.fullmatch(r"[\w-]{1,32}", "खेलें"), "so Python's own idea of letters would refuse it"
