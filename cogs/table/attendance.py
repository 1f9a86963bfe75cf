"""Joining a table that has begun, and sitting out, also in the middle of a deal."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.interactions.places import may_see, my_table, require_guild
from bot.interactions.reply import Kind, Reply
from bot.interactions.router import Pressed, Router
from bot.people import Person
from bot.services import Services
from bot.ui.notice import notice_panel
from bot.words.texts import texts
from data.ids import InteractionId
from league.ids import PersonId, TableId

AnyInteraction = discord.Interaction[Any]


class ChangingCommands(commands.Cog):
    """The part of `/marriage` for people who come and go between deals; a base class of that cog."""

    _services: Services

    @app_commands.command(
        description="Sit down at a table that has begun, or come back: from its next deal on"
    )
    @app_commands.describe(
        table="The number of a table of this server; else yours, or the one in this channel"
    )
    @app_commands.guild_only()
    async def sit(
        self, interaction: AnyInteraction, table: app_commands.Range[int, 1, 2**31] | None = None
    ) -> None:
        """Sit down."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            table_id = await self._table_to_sit_at(interaction, table)
            await self._services.changing.sit_down(
                table_id, Person.of(interaction.user), InteractionId(interaction.id)
            )
            await reply.tell(texts()("changing.you_come", table=table_id))

    async def _table_to_sit_at(self, interaction: AnyInteraction, table: int | None) -> TableId:
        guild_id, channel_id = require_guild(interaction)
        if table is None:
            seated_at = await self._services.tables.table_of(PersonId(interaction.user.id))
            return seated_at or await self._services.tables.only_table(channel_id)
        found = (await self._services.tables.snapshot(TableId(table))).table
        if found.guild_id != guild_id or not may_see(interaction)(found.place_id):
            raise UserError("sorry.no_table", table=table)
        return found.id

    @app_commands.command(
        name="sit-out", description="Miss the next deals: your place is kept until you sit down again"
    )
    async def sit_out(self, interaction: AnyInteraction) -> None:
        """Sit out."""
        async with Reply(interaction, Kind.PRIVATE) as reply:
            table_id = await my_table(self._services.tables, interaction)
            await self._services.changing.sit_out(
                table_id, PersonId(interaction.user.id), InteractionId(interaction.id), in_deal=True
            )
            await reply.tell(texts()("changing.you_rest", table=table_id))


class ChangingButtons(commands.Cog):
    """The button in the middle of a deal; the others are with the buttons of the table message."""

    def __init__(self, services: Services, router: Router) -> None:
        self._services = services
        router.add("sit-out-next", self._sit_out)

    async def _sit_out(self, pressed: Pressed) -> None:
        async with Reply(pressed.interaction, Kind.UPDATE) as reply:
            table_id = pressed.table_id
            await self._services.changing.sit_out(
                table_id, pressed.person.id, pressed.interaction_id, in_deal=True
            )
            await reply.show(notice_panel(texts()("changing.you_rest", table=table_id)))
