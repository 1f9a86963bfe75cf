"""INTERACTION_CREATE: an interaction in the shape the bot receives."""

from collections import defaultdict
from typing import Any

from playground import access, message_objects, objects
from playground.model import Attachment, Channel, Interaction, Message, Role, User
from playground.payloads import Json
from playground.world import World

ATTACHMENT_LIMIT = 10 * 1024 * 1024


def interaction(world: World, one: Interaction) -> Json:
    """Return the body of INTERACTION_CREATE."""
    shape: Json = {
        "id": str(one.id),
        "application_id": str(world.application_id),
        "type": one.type,
        "token": one.token,
        "version": 1,
        "data": one.data,
        "channel_id": str(one.channel.id),
        "channel": objects.channel(world, one.channel),
        "locale": one.user.locale,
        "entitlements": [],
        "authorizing_integration_owners": message_objects.owners(world, one.channel),
        "context": 1 if one.channel.is_dm else 0,
        "app_permissions": str(access.in_channel(world, world.bot, one.channel)),
        "attachment_size_limit": ATTACHMENT_LIMIT,
    }
    if one.message is not None:
        shape["message"] = message_objects.message(world, one.message)
    if one.channel.is_dm:
        return shape | {"user": objects.user(one.user)}
    return shape | {
        "guild_id": str(world.guild_id),
        "guild": {"id": str(world.guild_id), "locale": "en-US", "features": []},
        "guild_locale": "en-US",
        "member": objects.member(one.user) | {"permissions": _permissions(world, one.user, one.channel)},
    }


def _permissions(world: World, user: User, channel: Channel) -> str:
    return str(access.in_channel(world, user, channel))


def resolved(world: World, where: Channel, things: list[object]) -> Json:
    """Return the `resolved` part for the users, roles, channels, messages and files that were named."""
    shape: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for thing in things:
        match thing:
            case User(id=number):
                shape["users"][str(number)] = objects.user(thing)
                if thing.member and not where.is_dm:
                    rights = {"permissions": _permissions(world, thing, where)}
                    shape["members"][str(number)] = objects.bare_member(thing) | rights
            case Role(id=number):
                shape["roles"][str(number)] = objects.role(thing)
            case Channel(id=number):
                shape["channels"][str(number)] = _channel(world, thing)
            case Message(id=number):
                shape["messages"][str(number)] = message_objects.message(world, thing)
            case Attachment(id=number):
                file = message_objects.attachment(world, thing, ephemeral=True)
                shape["attachments"][str(number)] = file
            case _:
                raise TypeError(f"nothing that a person names: {thing!r}")
    return dict(shape)


def _channel(world: World, one: Channel) -> Json:
    shape = objects.channel(world, one)
    shape.pop("permission_overwrites", None)
    return shape | {"permissions": _permissions(world, world.bot, one)}
