"""The world's things in the shapes of Discord's API."""

from datetime import datetime

from playground import access
from playground.model import (
    DIRECT,
    Channel,
    Command,
    Emoji,
    Role,
    ScheduledEvent,
    User,
    moment,
)
from playground.payloads import Json
from playground.world import World


def stamp(when: datetime) -> str:
    """Return a time as Discord writes it."""
    return when.isoformat(timespec="microseconds")


def user(who: User) -> Json:
    """Return a user object."""
    shape: Json = {
        "id": str(who.id),
        "username": who.name,
        "discriminator": "0",
        "global_name": who.global_name,
        "avatar": None,
        "banner": None,
        "accent_color": None,
        "public_flags": 0,
        "flags": 0,
        "avatar_decoration_data": None,
        "collectibles": None,
        "primary_guild": None,
    }
    return shape | {"bot": True} if who.bot else shape


def bare_member(who: User) -> Json:
    """Return a member object without its user, as message events carry it."""
    return {
        "nick": who.nick,
        "avatar": None,
        "banner": None,
        "roles": [str(role_id) for role_id in who.roles],
        "joined_at": stamp(moment(who.id)),
        "premium_since": None,
        "deaf": False,
        "mute": False,
        "flags": 0,
        "pending": False,
        "communication_disabled_until": None,
    }


def member(who: User) -> Json:
    """Return a member object."""
    return {"user": user(who), **bare_member(who)}


def role(one: Role) -> Json:
    """Return a role object."""
    return {
        "id": str(one.id),
        "name": one.name,
        "permissions": str(one.permissions),
        "position": one.position,
        "color": one.color,
        "colors": {"primary_color": one.color, "secondary_color": None, "tertiary_color": None},
        "hoist": one.hoist,
        "managed": one.managed,
        "mentionable": one.mentionable,
        "icon": None,
        "unicode_emoji": None,
        "flags": 0,
    }


def channel(world: World, one: Channel) -> Json:
    """Return a channel, thread or DM object."""
    last = max(one.messages, default=None)
    shape: Json = {
        "id": str(one.id),
        "type": one.type,
        "flags": 0,
        "last_message_id": None if last is None else str(last),
        "last_pin_timestamp": None,
    }
    if one.type == DIRECT:
        return shape | {"recipients": [user(who) for who in one.recipients]}
    shape |= {"guild_id": str(world.guild_id), "name": one.name, "rate_limit_per_user": one.slowmode}
    if one.is_thread:
        return shape | _thread_part(one)
    return shape | {
        "parent_id": None,
        "topic": one.topic,
        "position": one.position,
        "nsfw": one.nsfw,
        "permission_overwrites": [
            {
                "id": str(target),
                "type": 0 if target in world.roles else 1,
                "allow": str(allow),
                "deny": str(deny),
            }
            for target, (allow, deny) in one.overwrites.items()
        ],
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


def emoji(world: World, one: Emoji) -> Json:
    """Return an application emoji object."""
    return {
        "id": str(one.id),
        "name": one.name,
        "user": user(world.bot),
        "roles": [],
        "require_colons": True,
        "managed": False,
        "animated": one.animated,
        "available": True,
    }


def command(world: World, one: Command) -> Json:
    """Return an application command object."""
    shape = {
        "id": str(one.id),
        "application_id": str(world.application_id),
        "version": str(one.version),
        "type": one.type,
        "description": "",
        "default_member_permissions": None,
        "nsfw": False,
        "contexts": None,
        "integration_types": [0],
    }
    shape |= {key: value for key, value in one.data.items() if key != "id" and value is not None}
    if shape["default_member_permissions"] is not None:
        shape["default_member_permissions"] = str(shape["default_member_permissions"])
    return shape | {"guild_id": str(one.guild_id)} if one.guild_id else shape


def scheduled_event(world: World, one: ScheduledEvent) -> Json:
    """Return a scheduled event object."""
    return {
        "id": str(one.id),
        "guild_id": str(world.guild_id),
        "channel_id": None,
        "creator_id": str(one.creator.id),
        "creator": user(one.creator),
        "description": None,
        "image": None,
        "scheduled_end_time": None,
        "entity_metadata": None,
        "entity_id": None,
        "recurrence_rule": None,
        "guild_scheduled_event_exceptions": [],
        "user_count": 0,
        **one.data,
        "status": one.status,
    }


# The guild ---------------------------------------------------------------------------------------


def guild(world: World) -> Json:
    """Return the guild's own facts, as REST and GUILD_CREATE share them."""
    nothing = [
        "icon",
        "icon_hash",
        "splash",
        "discovery_splash",
        "banner",
        "description",
        "vanity_url_code",
        "afk_channel_id",
        "system_channel_id",
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
    levels = [
        "afk_timeout",
        "verification_level",
        "default_message_notifications",
        "explicit_content_filter",
        "mfa_level",
        "system_channel_flags",
        "premium_tier",
        "premium_subscription_count",
        "nsfw_level",
    ]
    return {
        **dict.fromkeys(nothing),
        **dict.fromkeys(levels, 0),
        "afk_timeout": 300,
        "id": str(world.guild_id),
        "name": world.guild_name,
        "owner_id": str(world.owner.id),
        "region": "india",
        "preferred_locale": "en-US",
        "features": [],
        "roles": [role(one) for one in world.roles.values()],
        "emojis": [],
        "stickers": [],
        "max_members": 500000,
        "max_video_channel_users": 25,
        "max_stage_video_channel_users": 50,
        "premium_progress_bar_enabled": False,
        "widget_enabled": False,
        "nsfw": False,
    }


def guild_create(world: World) -> Json:
    """Return the body of GUILD_CREATE; without the members intent it holds the bot alone."""
    channels = [one for one in world.channels.values() if not one.is_dm and not one.is_thread]
    threads = [one for one in world.threads() if not one.archived and access.may_see(world, world.bot, one)]
    return guild(world) | {
        "members": [member(world.bot)],
        "channels": [channel(world, one) for one in channels],
        "threads": [channel(world, one) for one in threads],
        "presences": [],
        "voice_states": [],
        "stage_instances": [],
        "guild_scheduled_events": [scheduled_event(world, one) for one in world.events.values()],
        "soundboard_sounds": [],
        "member_count": len(world.members),
        "joined_at": stamp(moment(world.bot.id)),
        "large": False,
        "unavailable": False,
    }
