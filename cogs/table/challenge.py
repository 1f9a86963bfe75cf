"""The user menu "Challenge to Marriage": a private table with one person invited."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import RepeatedInteractionError, UserError
from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.permissions import parent_of, require_guild, require_permissions
from bot.interactions.reply import Kind, Reply
from bot.people import Person
from bot.services import Services
from bot.words.names import clean_name, shown_name
from cogs.table.replies import TableReplies
from data.ids import InteractionId


class Challenge(commands.Cog):
    """Opens a private table and pings the challenged person, once."""

    def __init__(
        self, services: Services, replies: TableReplies, tree: app_commands.CommandTree[Any]
    ) -> None:
        self._services = services
        self._tree = tree
        self._replies = replies
        self._menu: app_commands.ContextMenu = app_commands.guild_only()(
            app_commands.ContextMenu(name="Challenge to Marriage", callback=self.challenge)
        )

    async def cog_load(self) -> None:
        """Add the menu."""
        self._tree.add_command(self._menu)

    async def cog_unload(self) -> None:
        """Remove the menu."""
        self._tree.remove_command(self._menu.name, type=self._menu.type)

    async def challenge(self, interaction: AnyInteraction, user: discord.User | discord.Member) -> None:
        """Open a table with that person invited."""
        async with Reply(interaction, Kind.PUBLIC) as reply:
            guild_id, channel_id = require_guild(interaction)
            require_permissions(interaction.app_permissions)
            if user.bot:
                raise UserError("sorry.challenge_bot", name=shown_name(clean_name(user.display_name, "-")))
            if user.id == interaction.user.id:
                raise UserError("sorry.challenge_self")
            try:
                table_id = await self._services.lobby.open(
                    guild_id,
                    channel_id,
                    Person.of(interaction.user),
                    InteractionId(interaction.id),
                    parent_id=parent_of(interaction),
                    invited=[Person.of(user)],
                    token=interaction.token,
                )
            except RepeatedInteractionError:  # the process that has opened the table by it answers it
                return
            message_id = await self._replies.show_challenge(reply, table_id, user.id)
            if message_id is not None:
                await self._services.lobby.posted(table_id, channel_id, message_id)
