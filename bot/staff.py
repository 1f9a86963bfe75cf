"""Who looks after a server: its managers, and those with the role that they chose. Asked anew at every command."""

from typing import Any

import discord

from bot.errors import Sorry
from data.store import Store


async def require_staff(store: Store, interaction: discord.Interaction[Any]) -> None:
    """Refuse anybody else; raises Sorry. Discord's own defaults can be overridden, so they are not trusted."""
    if interaction.guild_id is None:
        raise Sorry("sorry.server_only")
    if interaction.permissions.manage_guild:
        return
    async with store.read() as reader:
        role_id = (await reader.guild_settings(interaction.guild_id)).staff_role_id
    user = interaction.user
    if role_id is None or not isinstance(user, discord.Member) or user.get_role(role_id) is None:
        raise Sorry("sorry.staff_only")
