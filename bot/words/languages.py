"""Choose the language: a person's own for that person, the server's for everybody at a table or in a channel."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import discord
import structlog

from bot.people import guild_of
from bot.words.texts import Texts, catalogue, texts
from data.errors import StoreUnavailableError
from data.preferences import GuildSettings, Language, PersonSettings
from data.store import Store
from data.transaction import WriteTransaction
from league.ids import GuildId, PersonId
from render.words import speaking

OF_DISCORD: dict[discord.Locale, Language] = {discord.Locale.hindi: "hi"}
"""The languages besides English that a Discord client can be set to. Discord has no Nepali."""

log = structlog.get_logger(__name__)


class Languages:
    """Knows the languages that people and servers have chosen. If the store cannot be read, nothing counts as chosen."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @asynccontextmanager
    async def spoken_to(self, interaction: discord.Interaction[Any]) -> AsyncGenerator[None, None]:
        """Use the language of the interaction's person within the block, and remember their Discord's language.

        Their direct messages, which come without an interaction, are written in it. It is remembered at the end,
        because the person may become known only within the block.
        """
        person, server = await self._chosen(interaction)
        with speaking(_language(interaction, person, server)):
            yield
        heard = OF_DISCORD.get(interaction.locale)
        if heard != person.discord_language:
            await self._remember(PersonId(interaction.user.id), heard)

    async def of_person(self, interaction: discord.Interaction[Any]) -> Language:
        """The language of the person of this interaction."""
        return _language(interaction, *await self._chosen(interaction))

    async def of_server(self, guild_id: GuildId | None) -> Language:
        """The language of what everybody in this server reads."""
        return (await self._store.directory.guild_settings(guild_id)).language

    async def shared_by(self, people: Iterable[int], guild_id: GuildId | None) -> Language:
        """The one language of all these people in this server; the server's if they speak several."""
        known = (await self._store.directory.people(people)).values()
        return shared_language((row.settings for row in known), await self.of_server(guild_id))

    async def words_for(self, guild_id: GuildId | None, *, public: bool) -> Texts:
        """The catalogue for an answer: the server's if everybody reads it, else the current one."""
        return catalogue(await self.of_server(guild_id)) if public else texts()

    async def _chosen(self, interaction: discord.Interaction[Any]) -> tuple[PersonSettings, GuildSettings]:
        try:
            person = await self._store.directory.person_settings(PersonId(interaction.user.id))
            server = await self._store.directory.guild_settings(guild_of(interaction))
        except StoreUnavailableError:
            log.warning("languages.not_read", interaction=interaction.id)
            return PersonSettings(), GuildSettings()
        return person, server

    async def _remember(self, person_id: PersonId, heard: Language | None) -> None:

        async def write(db: WriteTransaction) -> None:
            person = await db.people.get(person_id)
            if person is not None:
                settings = person.settings.model_copy(update={"discord_language": heard})
                await db.people.set_settings(person_id, settings)

        try:
            if await self._store.directory.person(person_id) is None:
                return
            await self._store.write(write)
        except StoreUnavailableError:
            log.warning("languages.not_remembered")


def shared_language(people: Iterable[PersonSettings], of_server: Language) -> Language:
    """The one language of all these people; the server's if they speak several or nobody is known."""
    spoken: set[Language] = {person.spoken or of_server for person in people}
    return spoken.pop() if len(spoken) == 1 else of_server


def _language(
    interaction: discord.Interaction[Any], person: PersonSettings, server: GuildSettings
) -> Language:
    return person.language or OF_DISCORD.get(interaction.locale) or server.language
