"""Users, members, roles, channels, commands and the guild in the shapes of Discord's API."""

from datetime import datetime

from playground import access
from playground.model import Channel, Emoji, Guild, GuildRole, RegisteredCommand, ScheduledEvent, User, moment
from playground.payloads import Json
from playground.world import World

REQUIRE_TAG = 1 << 4
GUILD_NULLS = [
    "icon",
    "icon_hash",
    "splash",
    "discovery_splash",
    "banner",
    "description",
    "vanity_url_code",
    "afk_channel_id",
    "rules_channel_id",
    "public_updates_channel_id",
    "safety_alerts_channel_id",
    "application_id",
    "widget_channel_id",
    "max_presences",
    "hub_type",
    "latest_onboarding_question_id",
    "incidents_data",
]
GUILD_ZEROS = [
    "verification_level",
    "default_message_notifications",
    "explicit_content_filter",
    "mfa_level",
    "system_channel_flags",
    "premium_tier",
    "premium_subscription_count",
    "nsfw_level",
]
"""The fields of a guild that the playground does not use: null or 0."""


def stamp(when: datetime) -> str:
    """Return a time in the format of the API."""
    return when.isoformat(timespec="microseconds")


def user(user: User) -> Json:
    """Return a user object."""
    shape: Json = {
        "id": str(user.id),
        "username": user.name,
        "discriminator": "0",
        "global_name": user.global_name,
        "avatar": None,
        "banner": None,
        "accent_color": None,
        "public_flags": 0,
        "flags": 0,
        "avatar_decoration_data": None,
        "collectibles": None,
        "primary_guild": None,
    }
    return shape | {"bot": True} if user.bot else shape


def bare_member(guild: Guild, user: User) -> Json:
    """Return a member object without its user, as message events carry it."""
    return {
        "nick": user.nick,
        "avatar": None,
        "banner": None,
        "roles": [str(role_id) for role_id in user.roles if role_id in guild.roles],
        "joined_at": stamp(moment(user.id)),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "communication_disabled_until": None,
    }


def member(guild: Guild, member: User) -> Json:
    """Return a member object."""
    return {"user": user(member), **bare_member(guild, member)}


def role(role: GuildRole) -> Json:
    """Return a role object."""
    return {
        "id": str(role.id),
        "name": role.name,
        "permissions": str(role.permissions),
        "position": role.position,
        "color": role.color,
        "colors": {"primary_color": role.color, "secondary_color": None, "tertiary_color": None},
        "hoist": role.hoist,
        "managed": role.managed,
        "mentionable": role.mentionable,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def channel(channel: Channel) -> Json:
    """Return a channel, thread or DM object."""
    last = max(channel.messages, default=None)
    shape: Json = {
        "id": str(channel.id),
        "type": channel.type,
        "flags": 0,
        "last_message_id": None if last is None else str(last),
        "last_pin_timestamp": None,
    }
    guild = channel.guild
    if guild is None:
        return shape | {"recipients": [user(recipient) for recipient in channel.recipients]}
    shape |= {"guild_id": str(guild.id), "name": channel.name, "rate_limit_per_user": channel.slowmode}
    if channel.is_thread:
        return shape | _thread_part(channel)
    if channel.is_forum:
        shape |= _forum_part(channel)
    return shape | {
        "parent_id": None,
        "topic": channel.topic,
        "position": channel.position,
        "nsfw": channel.nsfw,
        "permission_overwrites": [
            {
                "id": str(target),
                "type": 0 if target in guild.roles else 1,
                "allow": str(allow),
                "deny": str(deny),
            }
            for target, (allow, deny) in channel.overwrites.items()
        ],
    }


def _forum_part(forum: Channel) -> Json:
    return {
        "flags": REQUIRE_TAG if forum.requires_tag else 0,
        "available_tags": [],
        "default_reaction_emoji": None,
        "default_sort_order": None,
        "default_forum_layout": 0,
    }


def _thread_part(thread: Channel) -> Json:
    metadata = {
        "archived": thread.archived,
        "auto_archive_duration": thread.auto_archive,
        "archive_timestamp": stamp(thread.archive_changed),
        "locked": thread.locked,
        "create_timestamp": stamp(moment(thread.id)),
    }
    if thread.is_private_thread:
        metadata["invitable"] = thread.invitable
    return {
        "parent_id": str(thread.parent.id) if thread.parent else None,
        "owner_id": str(thread.owner_id),
        "thread_metadata": metadata,
        "message_count": len(thread.messages),
        "total_message_sent": len(thread.messages),
        "member_count": len(thread.members),
    }


def thread_member(thread: Channel, user_id: int) -> Json:
    """Return a thread member object."""
    joined = stamp(thread.members[user_id])
    return {"id": str(thread.id), "user_id": str(user_id), "join_timestamp": joined, "flags": 0}


def emoji(world: World, emoji: Emoji) -> Json:
    """Return an application emoji object."""
    return {
        "id": str(emoji.id),
        "name": emoji.name,
        "user": user(world.bot),
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": emoji.animated,
        "available": True,
    }


def command(world: World, command: RegisteredCommand) -> Json:
    """Return an application command object."""
    shape = {
        "id": str(command.id),
        "application_id": str(world.application_id),
        "version": str(command.version),
        "type": command.type,
        "description": "",
        "default_member_permissions": None,
        "nsfw": False,
        "contexts": None,
        "integration_types": [0],
    }
    shape |= {key: value for key, value in command.data.items() if key != "id" and value is not None}
    if shape["default_member_permissions"] is not None:
        shape["default_member_permissions"] = str(shape["default_member_permissions"])
    return shape | {"guild_id": str(command.guild_id)} if command.guild_id else shape


def scheduled_event(event: ScheduledEvent) -> Json:
    """Return a scheduled event object."""
    return {
        "id": str(event.id),
        "guild_id": str(event.guild.id),
        "channel_id": None,
        "creator_id": str(event.creator.id),
        "creator": user(event.creator),
        "description": None,
        "image": None,
        "scheduled_end_time": None,
        "entity_metadata": None,
        "entity_id": None,
        "recurrence_rule": None,
        "guild_scheduled_event_exceptions": [],
        "user_count": 0,
        **event.data,
        "status": event.status,
    }


# Guilds -------------------------------------------------------------------------------------------


def guild(world: World, guild: Guild) -> Json:
    """Return a guild object, as in REST and in GUILD_CREATE."""
    return {
        **dict.fromkeys(GUILD_NULLS),
        **dict.fromkeys(GUILD_ZEROS, 0),
        "afk_timeout": 300,
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(world.owner.id),
        "system_channel_id": None if guild.system_channel_id is None else str(guild.system_channel_id),
        "region": "india",
        "preferred_locale": "en-US",
        "features": [],
        "roles": [role(guild_role) for guild_role in guild.roles.values()],
        "emojis": [],
        "stickers": [],
        "max_members": 500000,
        "max_video_channel_users": 25,
        "max_stage_video_channel_users": 50,
        "premium_progress_bar_enabled": False,
        "widget_enabled": False,
        "nsfw": False,
    }


def guild_create(world: World, created: Guild) -> Json:
    """Return the body of GUILD_CREATE; its only member is the bot, as without the members intent."""
    places = [place for place in world.channels.values() if place.guild is created]
    threads = [
        place
        for place in places
        if place.is_thread and not place.archived and access.may_see(world, world.bot, place)
    ]
    return guild(world, created) | {
        "members": [member(created, world.bot)],
        "channels": [channel(place) for place in places if not place.is_thread],
        "threads": [channel(thread) for thread in threads],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [scheduled_event(event) for event in created.events.values()],
        "soundboard_sounds": [],
        "member_count": len(access.members(world, created)),
        "joined_at": stamp(moment(world.bot.id)),
        "large": False,
        "unavailable": False,
    }
