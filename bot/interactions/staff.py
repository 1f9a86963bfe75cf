"""Who looks after a server: its managers, and those with the role that they chose. Asked anew at every command."""

from typing import Any

import discord

from bot.errors import UserError
from data.store import Store


async def require_staff(store: Store, interaction: discord.Interaction[Any]) -> None:
    """Refuse anybody else; raises UserError. Discord's own defaults can be overridden, so they are not trusted."""
    if interaction.guild_id is None:
        raise UserError("sorry.server_only")
    if not await is_staff(store, interaction):
        raise UserError("sorry.staff_only")


async def is_staff(store: Store, interaction: discord.Interaction[Any]) -> bool:
    """Whether this person looks after the server that the interaction comes from."""
    if interaction.guild_id is None:
        return False
    if interaction.permissions.manage_guild:
        return True
    role_id = (await store.directory.guild_settings(interaction.guild_id)).staff_role_id
    user = interaction.user
    # The server's own id is the role of everybody.
    ids = {role.id for role in user.roles} if isinstance(user, discord.Member) else set[int]()
    return role_id in ids - {interaction.guild_id}


def require_manager(interaction: discord.Interaction[Any]) -> int:
    """The id of the server, for one who may manage it; raises UserError for anybody else, staff included."""
    if interaction.guild_id is None:
        raise UserError("sorry.server_only")
    if not interaction.permissions.manage_guild:
        raise UserError("sorry.managers_only")
    return interaction.guild_id
