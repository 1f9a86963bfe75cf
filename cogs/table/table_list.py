"""`/marriage tables`: the open tables of this server."""

from discord import app_commands
from discord.ext import commands

from bot.interactions.error_boundary import AnyInteraction
from bot.interactions.places import may_see, require_guild
from bot.interactions.reply import Kind, Reply
from bot.panels.table.table_list import MOST, tables_panel
from bot.services import Services
from bot.words.texts import texts
from league.ids import PersonId


class TablesCommand(commands.Cog):
    """The part of `/marriage` that lists tables; a base class of that cog."""

    _services: Services

    @app_commands.command(description="List the open tables of this server, yours first")
    @app_commands.guild_only()
    async def tables(self, interaction: AnyInteraction) -> None:
        """List the tables in channels that the person sees, and the one where they sit."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            guild_id, _ = require_guild(interaction)
            person_id, sees = PersonId(interaction.user.id), may_see(interaction)
            shown, count = await self._services.tables.tables_of(guild_id, person_id, sees, MOST)
            await reply.show(tables_panel(shown, count, person_id, texts()))
