"""The members of a guild, and the permissions of users in it and in its channels."""

from playground.model import Channel, Guild, User
from playground.permissions import ALL, BITS, DM
from playground.world import World


def members(world: World, guild: Guild) -> list[User]:
    """Return the members of a guild, the bot included."""
    return [user for user in world.users.values() if guild.has(user)]


def of_member(world: World, user: User, guild: Guild) -> int:
    """Return the permission bits of a member in a guild as a whole."""
    if user is world.owner:
        return ALL
    granted = guild.everyone.permissions
    for role_id in user.roles:
        if role_id in guild.roles:
            granted |= guild.roles[role_id].permissions
    return ALL if granted & BITS["ADMINISTRATOR"] else granted


def in_channel(world: World, user: User, channel: Channel) -> int:
    """Return the permission bits of a user in a channel; a thread takes those of its parent."""
    guild = channel.guild
    if guild is None:
        return DM if user in channel.recipients or user is world.bot else 0
    if not guild.has(user):
        return 0
    parent = channel.parent or channel
    granted = of_member(world, user, guild)
    if granted == ALL:
        return ALL
    for target in (guild.id, *user.roles, user.id):
        allow, deny = parent.overwrites.get(target, (0, 0))
        granted = granted & ~deny | allow
    if not granted & BITS["VIEW_CHANNEL"]:
        return 0
    if channel.is_private_thread and not (user.id in channel.members or granted & BITS["MANAGE_THREADS"]):
        return 0
    return granted


def may(world: World, user: User, channel: Channel, name: str) -> bool:
    """Return whether the user has the named permission in the channel."""
    if name == "SEND_MESSAGES" and channel.is_thread:
        name = "SEND_MESSAGES_IN_THREADS"
    return bool(in_channel(world, user, channel) & BITS[name])


def may_see(world: World, user: User, channel: Channel) -> bool:
    """Return whether the user can see the channel."""
    return may(world, user, channel, "VIEW_CHANNEL")
