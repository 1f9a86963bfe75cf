"""The staff of a server: its managers, and people with the role they chose. Checked at every command."""

from typing import Any

import discord

from bot.errors import UserError
from bot.people import guild_of
from data.store import Store
from league.ids import GuildId


async def require_staff(store: Store, interaction: discord.Interaction[Any]) -> None:
    """Raise UserError for anybody else. Discord's command permissions can be overridden, so they are not trusted."""
    if interaction.guild_id is None:
        raise UserError("sorry.server_only")
    if not await is_staff(store, interaction):
        raise UserError("sorry.staff_only")


async def is_staff(store: Store, interaction: discord.Interaction[Any]) -> bool:
    """Whether this person is staff of the interaction's server."""
    if interaction.guild_id is None:
        return False
    if interaction.permissions.manage_guild:
        return True
    role_id = (await store.directory.guild_settings(guild_of(interaction))).staff_role_id
    user = interaction.user
    # The role with the server's id is everybody's.
    ids = {role.id for role in user.roles} if isinstance(user, discord.Member) else set[int]()
    return role_id in ids - {interaction.guild_id}


def require_manager(interaction: discord.Interaction[Any]) -> GuildId:
    """The server's id, if this person may manage the server; raises UserError for anybody else, including staff."""
    if interaction.guild_id is None:
        raise UserError("sorry.server_only")
    if not interaction.permissions.manage_guild:
        raise UserError("sorry.managers_only")
    return GuildId(interaction.guild_id)
