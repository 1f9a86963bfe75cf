"""Which language is used for whom, and what it costs to find out."""

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.words.texts import Languages, texts
from data.errors import StoreDamagedError, StoreError, StoreUnavailableError
from data.preferences import GuildSettings, PersonSettings
from data.store import Store
from data.transaction import WriteTransaction
from render.style import DEFAULT
from tests.bot.house import House
from tests.statements import statements

RAM, GUILD = 11, 900


def interaction(locale: discord.Locale = discord.Locale.american_english, person: int = RAM) -> Any:
    return SimpleNamespace(id=1, user=SimpleNamespace(id=person), guild_id=GUILD, locale=locale)


async def spoken(languages: Languages, asked: Any) -> str:
    async with languages.spoken_to(asked):
        return texts().language


@pytest.fixture
async def languages(store: Store) -> Languages:
    async def write(db: WriteTransaction) -> None:
        await db.guilds.keep(GUILD)
        await db.people.keep(RAM, "Ram", 1_000)

    await store.write(write)
    return Languages(store)


async def test_the_own_choice_goes_before_discord_and_discord_before_the_server(
    store: Store, languages: Languages
):
    hindi = interaction(discord.Locale.hindi)
    assert await spoken(languages, interaction()) == "en"
    await store.write(lambda db: db.guilds.set_settings(GUILD, GuildSettings(language="ne")))
    assert await spoken(languages, interaction()) == "ne"
    assert await spoken(languages, hindi) == "hi"
    await store.write(lambda db: db.people.set_settings(RAM, PersonSettings(language="en")))
    assert await spoken(languages, hindi) == "en"


async def test_the_next_press_costs_no_statement(store: Store, languages: Languages):
    presses = [interaction(discord.Locale.hindi), interaction(discord.Locale.hindi, person=99)]
    for press in presses:
        await spoken(languages, press)
    await spoken(languages, presses[0])  # Discord's language is known by now
    made = statements(store)
    for press in presses:
        assert await spoken(languages, press) == "hi"
    assert await languages.of_server(GUILD) == "en"
    assert made == []


async def test_looks_at_settings_cost_no_statement(store: Store, languages: Languages):
    services = House(store).services
    await spoken(languages, interaction())
    made = statements(store)
    assert await services.personal.style(RAM) == DEFAULT
    assert await services.personal.settings(RAM) == PersonSettings()
    assert await services.servers.settings(GUILD) == GuildSettings()
    assert made == []


@pytest.mark.parametrize("error", [StoreUnavailableError, StoreDamagedError])
async def test_a_store_that_fails_leaves_the_error_to_the_handler(
    languages: Languages, monkeypatch: pytest.MonkeyPatch, error: type[StoreError]
):
    async def fail(*_: object) -> None:
        raise error("the disk of the test is broken")

    for access in ("read", "write"):
        monkeypatch.setattr(Store, access, fail)
    assert await spoken(languages, interaction(discord.Locale.hindi)) == "hi"
