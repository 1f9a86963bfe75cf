"""Interactions in the shape of INTERACTION_CREATE."""

from collections import defaultdict
from typing import Any

from playground import access, message_objects, objects
from playground.model import Attachment, Channel, GuildRole, Interaction, Message, User
from playground.payloads import Json
from playground.world import World

ATTACHMENT_LIMIT = 10 * 1024 * 1024


def interaction(world: World, interaction: Interaction) -> Json:
    """Return the body of INTERACTION_CREATE."""
    shape: Json = {
        "id": str(interaction.id),
        "application_id": str(world.application_id),
        "type": interaction.type,
        "token": interaction.token,
        "version": 1,
        "data": interaction.data,
        "channel_id": str(interaction.channel.id),
        "channel": objects.channel(interaction.channel),
        "locale": interaction.user.locale,
        "entitlements": [],
        "authorizing_integration_owners": message_objects.owners(interaction.channel),
        "context": 1 if interaction.channel.is_dm else 0,
        "app_permissions": str(access.in_channel(world, world.bot, interaction.channel)),
        "attachment_size_limit": ATTACHMENT_LIMIT,
    }
    if interaction.message is not None:
        shape["message"] = message_objects.message(world, interaction.message)
    guild = interaction.channel.guild
    if guild is None:
        return shape | {"user": objects.user(interaction.user)}
    return shape | {
        "guild_id": str(guild.id),
        "guild": {"id": str(guild.id), "locale": "en-US", "features": []},
        "guild_locale": "en-US",
        "member": objects.member(guild, interaction.user)
        | {"permissions": _permissions(world, interaction.user, interaction.channel)},
    }


def _permissions(world: World, user: User, channel: Channel) -> str:
    return str(access.in_channel(world, user, channel))


def resolved(world: World, channel: Channel, things: list[object]) -> Json:
    """Return the `resolved` part for the given users, roles, channels, messages and files."""
    shape: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for thing in things:
        match thing:
            case User(id=number):
                shape["users"][str(number)] = objects.user(thing)
                if channel.guild is not None and channel.guild.has(thing):
                    rights = {"permissions": _permissions(world, thing, channel)}
                    shape["members"][str(number)] = objects.bare_member(channel.guild, thing) | rights
            case GuildRole(id=number):
                shape["roles"][str(number)] = objects.role(thing)
            case Channel(id=number):
                shape["channels"][str(number)] = _channel(world, thing)
            case Message(id=number):
                shape["messages"][str(number)] = message_objects.message(world, thing)
            case Attachment(id=number):
                file = message_objects.attachment(world, thing, ephemeral=True)
                shape["attachments"][str(number)] = file
            case _:
                raise TypeError(f"not a thing that an option can name: {thing!r}")
    return dict(shape)


def _channel(world: World, channel: Channel) -> Json:
    shape = objects.channel(channel)
    shape.pop("permission_overwrites", None)
    return shape | {"permissions": _permissions(world, world.bot, channel)}
