"""Messages in the shapes of Discord's API, with their files, embeds and components."""

from collections.abc import Iterator
from typing import Any

from playground.model import EPHEMERAL, Attachment, Channel, Interaction, Message, moment
from playground.objects import bare_member, channel, stamp, user
from playground.payloads import Json, is_array, is_object
from playground.world import World

_ATTACHMENT = "attachment://"
_COMMAND = 2
_COMMAND_TYPES, _SUBCOMMAND_TYPES = (1, 2, 3), (1, 2)


def message(world: World, message: Message, *, in_event: bool = False) -> Json:
    """Return a message object; an event adds the guild and the author's membership.

    As at Discord, its attachments are only those that no component or embed shows.
    """
    shown = {*_names_in(message.components), *_names_in(message.embeds)}
    shape: Json = {
        "id": str(message.id),
        "channel_id": str(message.channel.id),
        "author": user(message.author),
        "content": message.content,
        "timestamp": stamp(moment(message.id)),
        "edited_timestamp": stamp(message.edited_at) if message.edited_at else None,
        "tts": message.tts,
        "mention_everyone": message.mention_everyone,
        "mentions": [user(mentioned) for mentioned in message.mentions],
        "mention_roles": [str(role_id) for role_id in message.mention_roles],
        "attachments": [
            attachment(world, file, ephemeral=message.only_for is not None)
            for file in message.attachments
            if file.filename not in shown
        ],
        "embeds": [embed(world, message, data) for data in message.embeds],
        "components": [component(world, message, data) for data in _without_nulls(message.components)],
        "pinned": message.pinned,
        "type": message.type,
        "flags": message.flags,
    }
    if message.nonce is not None:
        shape["nonce"] = message.nonce
    if message.reactions:
        shape["reactions"] = [
            _reaction(world, name, user_ids) for name, user_ids in message.reactions.items()
        ]
    if message.thread is not None:
        shape["thread"] = channel(message.thread)
    if message.interaction is not None:
        shape |= _interaction_part(world, message)
    if message.reply_to is not None:
        shape |= _reply_part(world, message)
    guild = message.channel.guild
    if in_event and guild is not None and not message.flags & EPHEMERAL:
        shape |= {"guild_id": str(guild.id), "member": bare_member(guild, message.author)}
    return shape


def _interaction_part(world: World, message: Message) -> Json:
    assert message.interaction is not None  # noqa: S101 - the caller has checked it
    application = str(world.application_id)
    shape = {
        "application_id": application,
        "webhook_id": application,
        "interaction_metadata": _metadata(message.interaction, message),
    }
    if message.interaction.type == _COMMAND:
        shape["interaction"] = _command_used(message.interaction)
    return shape


def _command_used(interaction: Interaction) -> Json:
    """Return the deprecated object, which alone contains the name of the command with its subcommands."""
    names: list[str] = []
    part: Any = interaction.data
    # Interactions can be forged in tests, so nothing of their data is taken for granted.
    while is_object(part) and _is_named(part, _SUBCOMMAND_TYPES if names else _COMMAND_TYPES):
        names.append(part["name"])
        inner = part.get("options")
        part = inner[0] if is_array(inner) and inner else None
    return {
        "id": str(interaction.id),
        "type": interaction.type,
        "name": " ".join(names),
        "user": user(interaction.user),
    }


def _is_named(part: Json, types: tuple[int, ...]) -> bool:
    return isinstance(part.get("name"), str) and part.get("type") in types


def _metadata(interaction: Interaction, answer: Message | None) -> Json:
    shape: Json = {
        "id": str(interaction.id),
        "type": interaction.type,
        "user": user(interaction.user),
        "authorizing_integration_owners": owners(interaction.channel),
    }
    if answer is not None and answer in interaction.followups and interaction.response is not None:
        shape["original_response_message_id"] = str(interaction.response.id)
    if interaction.type == 3 and interaction.message is not None:
        shape["interacted_message_id"] = str(interaction.message.id)
    if interaction.type == 5 and interaction.opener is not None:
        shape["triggering_interaction_metadata"] = _metadata(interaction.opener, None)
    return shape


def owners(channel: Channel) -> Json:
    """Return who installed the application, as an interaction names it."""
    return {"0": "0" if channel.guild is None else str(channel.guild.id)}


def _reply_part(world: World, reply: Message) -> Json:
    quoted = reply.channel.messages.get(reply.reply_to or 0)
    reference = {"type": 0, "message_id": str(reply.reply_to), "channel_id": str(reply.channel.id)}
    if reply.channel.guild is not None:
        reference["guild_id"] = str(reply.channel.guild.id)
    if quoted is None:
        return {"message_reference": reference, "referenced_message": None}
    original = message(world, quoted)
    original.pop("referenced_message", None)
    return {"message_reference": reference, "referenced_message": original}


def emoji_of(world: World, name: str) -> Json:
    """Return the partial emoji for the `name` or `name:id` of a reaction."""
    text, mark, number = name.partition(":")
    if not mark:
        return {"id": None, "name": text}
    return {
        "id": number,
        "name": text,
        "animated": int(number) in world.emojis and world.emojis[int(number)].animated,
    }


def _reaction(world: World, name: str, user_ids: list[int]) -> Json:
    return {
        "emoji": emoji_of(world, name),
        "count": len(user_ids),
        "count_details": {"burst": 0, "normal": len(user_ids)},
        "burst_colors": [],
        "me": world.bot.id in user_ids,
        "me_burst": False,
    }


def attachment_url(world: World, file: Attachment) -> str:
    """Return the address of a file."""
    return f"{world.base_url}/attachments/{file.channel_id}/{file.id}/{file.filename}"


def attachment(world: World, file: Attachment, *, ephemeral: bool = False) -> Json:
    """Return an attachment object."""
    url = attachment_url(world, file)
    shape: Json = {
        "id": str(file.id),
        "filename": file.filename,
        "size": len(file.content),
        "url": url,
        "proxy_url": url,
        "content_type": file.content_type,
    }
    if file.description is not None:
        shape["description"] = file.description
    if file.size_in_pixels is not None:
        shape["width"], shape["height"] = file.size_in_pixels
    return shape | {"ephemeral": True} if ephemeral else shape


def _names_in(data: object) -> Iterator[str]:
    """Yield the files named by attachment:// addresses in a component or an embed."""
    if is_object(data):
        data = [*data.values()]
    if is_array(data):
        for part in data:
            yield from _names_in(part)
    elif isinstance(data, str) and data.startswith(_ATTACHMENT):
        yield data.removeprefix(_ATTACHMENT)


def _named(message: Message, url: str) -> Attachment | None:
    """Return the file that an attachment:// address names; None for other addresses."""
    if not url.startswith(_ATTACHMENT):
        return None
    name = url.removeprefix(_ATTACHMENT)
    return next((file for file in message.attachments if file.filename == name), None)


def media(world: World, message: Message, url: str) -> Json:
    """Return an unfurled media item, with attachment:// addresses resolved."""
    file = _named(message, url)
    if file is None:
        return {
            "id": "0",
            "url": url,
            "proxy_url": url,
            "width": None,
            "height": None,
            "content_type": None,
        } | {"loading_state": 2}
    address = attachment_url(world, file)
    wide, high = file.size_in_pixels or (None, None)
    return {
        "id": str(file.id),
        "url": address,
        "proxy_url": address,
        "width": wide,
        "height": high,
        "content_type": file.content_type,
        "attachment_id": str(file.id),
        "loading_state": 2,
    }


DEFAULTS: dict[int, Json] = {
    2: {"disabled": False},
    3: {"min_values": 1, "max_values": 1, "disabled": False},
    **{kind: {"min_values": 1, "max_values": 1, "disabled": False} for kind in (5, 6, 7, 8)},
    11: {"description": None, "spoiler": False},
    13: {"spoiler": False},
    14: {"divider": True, "spacing": 1},
    17: {"accent_color": None, "spoiler": False},
}


def _without_nulls(value: Any) -> Any:
    if is_object(value):
        return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if is_array(value) else value


def component(world: World, message: Message, data: Json) -> Json:
    """Return a component that has no nulls with its defaults and with attachment:// addresses resolved."""
    shape = DEFAULTS.get(data["type"], {}) | data
    if "components" in shape:
        shape["components"] = [component(world, message, child) for child in shape["components"]]
    if "accessory" in shape:
        shape["accessory"] = component(world, message, shape["accessory"])
    if "media" in shape:
        shape["media"] = media(world, message, shape["media"]["url"])
    if "items" in shape:
        shape["items"] = [_gallery_item(world, message, item) for item in shape["items"]]
    if "file" in shape:
        file = _named(message, shape["file"]["url"])
        shape["file"] = media(world, message, shape["file"]["url"])
        shape |= {"name": file.filename, "size": len(file.content)} if file else {"name": None, "size": None}
    return shape


def _gallery_item(world: World, message: Message, item: Json) -> Json:
    shape: Json = {"description": item.get("description"), "spoiler": bool(item.get("spoiler"))}
    return shape | {"media": media(world, message, item["media"]["url"])}


def embed(world: World, message: Message, data: Json) -> Json:
    """Return an embed with its media resolved."""
    shape: dict[str, Any] = {key: value for key, value in data.items() if value is not None}
    shape["type"] = "rich"
    for key in ("image", "thumbnail"):
        if key in shape:
            shape[key] = _embed_picture(world, message, shape[key]["url"])
    for key in ("footer", "author"):
        icon = shape.get(key, {}).get("icon_url")
        if icon:
            shape[key] = shape[key] | {"icon_url": media(world, message, icon)["url"]}
    if "fields" in shape:
        shape["fields"] = [{**part, "inline": bool(part.get("inline"))} for part in shape["fields"]]
    return shape


def _embed_picture(world: World, message: Message, url: str) -> Json:
    item = media(world, message, url)
    return {key: item[key] for key in ("url", "proxy_url", "width", "height") if item[key] is not None}
