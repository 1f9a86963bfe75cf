"""Messages in the shapes of Discord's API, with their files, embeds and components."""

from typing import Any

from playground.model import EPHEMERAL, Attachment, Channel, Interaction, Message, moment
from playground.objects import bare_member, channel, stamp, user
from playground.payloads import Json, is_array, is_object
from playground.world import World


def message(world: World, one: Message, *, in_event: bool = False) -> Json:
    """Return a message object; an event adds the guild and the author's membership."""
    shape: Json = {
        "id": str(one.id),
        "channel_id": str(one.channel.id),
        "author": user(one.author),
        "content": one.content,
        "timestamp": stamp(moment(one.id)),
        "edited_timestamp": stamp(one.edited_at) if one.edited_at else None,
        "tts": one.tts,
        "mention_everyone": one.mention_everyone,
        "mentions": [user(who) for who in one.mentions],
        "mention_roles": [str(role_id) for role_id in one.mention_roles],
        "attachments": [
            attachment(world, file, ephemeral=one.only_for is not None) for file in one.attachments
        ],
        "embeds": [embed(world, one, data) for data in one.embeds],
        "components": [component(world, one, data) for data in one.components],
        "pinned": one.pinned,
        "type": one.type,
        "flags": one.flags,
    }
    if one.nonce is not None:
        shape["nonce"] = one.nonce
    if one.reactions:
        shape["reactions"] = [_reaction(world, name, people) for name, people in one.reactions.items()]
    if one.thread is not None:
        shape["thread"] = channel(world, one.thread)
    if one.interaction is not None:
        shape |= _interaction_part(world, one)
    if one.reply_to is not None:
        shape |= _reply_part(world, one)
    if in_event and not one.channel.is_dm and not one.flags & EPHEMERAL:
        shape |= {"guild_id": str(world.guild_id), "member": bare_member(one.author)}
    return shape


def _interaction_part(world: World, one: Message) -> Json:
    assert one.interaction is not None  # noqa: S101 - the caller asked
    application = str(world.application_id)
    return {
        "application_id": application,
        "webhook_id": application,
        "interaction_metadata": _metadata(world, one.interaction, one),
    }


def _metadata(world: World, one: Interaction, answer: Message | None) -> Json:
    shape: Json = {
        "id": str(one.id),
        "type": one.type,
        "user": user(one.user),
        "authorizing_integration_owners": owners(world, one.channel),
    }
    if answer is not None and answer in one.followups and one.response is not None:
        shape["original_response_message_id"] = str(one.response.id)
    if one.type == 3 and one.message is not None:
        shape["interacted_message_id"] = str(one.message.id)
    if one.type == 5 and one.opener is not None:
        shape["triggering_interaction_metadata"] = _metadata(world, one.opener, None)
    return shape


def owners(world: World, where: Channel) -> Json:
    """Return whose installation an interaction rests on."""
    return {"0": "0" if where.is_dm else str(world.guild_id)}


def _reply_part(world: World, one: Message) -> Json:
    quoted = one.channel.messages.get(one.reply_to or 0)
    reference = {"type": 0, "message_id": str(one.reply_to), "channel_id": str(one.channel.id)}
    if not one.channel.is_dm:
        reference["guild_id"] = str(world.guild_id)
    if quoted is None:
        return {"message_reference": reference, "referenced_message": None}
    shown = message(world, quoted)
    shown.pop("referenced_message", None)
    return {"message_reference": reference, "referenced_message": shown}


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


def _reaction(world: World, name: str, people: list[int]) -> Json:
    return {
        "emoji": emoji_of(world, name),
        "count": len(people),
        "count_details": {"burst": 0, "normal": len(people)},
        "burst_colors": [],
        "me": world.bot.id in people,
        "me_burst": False,
    }


def attachment_url(world: World, one: Attachment) -> str:
    """Return where the file can be fetched."""
    return f"{world.base_url}/attachments/{one.channel_id}/{one.id}/{one.filename}"


def attachment(world: World, one: Attachment, *, ephemeral: bool = False) -> Json:
    """Return an attachment object."""
    url = attachment_url(world, one)
    shape: Json = {
        "id": str(one.id),
        "filename": one.filename,
        "size": len(one.content),
        "url": url,
        "proxy_url": url,
        "content_type": one.content_type,
    }
    if one.description is not None:
        shape["description"] = one.description
    if one.size_in_pixels is not None:
        shape["width"], shape["height"] = one.size_in_pixels
    return shape | {"ephemeral": True} if ephemeral else shape


def _named(one: Message, url: str) -> Attachment | None:
    """Return the file an attachment:// address names."""
    if not url.startswith("attachment://"):
        return None
    name = url.removeprefix("attachment://")
    return next((file for file in one.attachments if file.filename == name), None)


def media(world: World, one: Message, url: str) -> Json:
    """Return an unfurled media item, attachment:// names resolved."""
    file = _named(one, url)
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


def component(world: World, one: Message, data: Json) -> Json:
    """Return a component as Discord shows it: defaults filled in, attachment:// names resolved."""
    shape = DEFAULTS.get(data["type"], {}) | _without_nulls(data)
    if "components" in shape:
        shape["components"] = [component(world, one, child) for child in shape["components"]]
    if "accessory" in shape:
        shape["accessory"] = component(world, one, shape["accessory"])
    if "media" in shape:
        shape["media"] = media(world, one, shape["media"]["url"])
    if "items" in shape:
        shape["items"] = [_gallery_item(world, one, item) for item in shape["items"]]
    if "file" in shape:
        file = _named(one, shape["file"]["url"])
        shape["file"] = media(world, one, shape["file"]["url"])
        shape |= {"name": file.filename, "size": len(file.content)} if file else {"name": None, "size": None}
    return shape


def _gallery_item(world: World, one: Message, item: Json) -> Json:
    shape: Json = {"description": item.get("description"), "spoiler": bool(item.get("spoiler"))}
    return shape | {"media": media(world, one, item["media"]["url"])}


def embed(world: World, one: Message, data: Json) -> Json:
    """Return an embed as Discord shows it."""
    shape: dict[str, Any] = {key: value for key, value in data.items() if value is not None}
    shape["type"] = "rich"
    for key in ("image", "thumbnail"):
        if key in shape:
            shape[key] = _embed_picture(world, one, shape[key]["url"])
    for key in ("footer", "author"):
        icon = shape.get(key, {}).get("icon_url")
        if icon:
            shape[key] = shape[key] | {"icon_url": media(world, one, icon)["url"]}
    if "fields" in shape:
        shape["fields"] = [{**part, "inline": bool(part.get("inline"))} for part in shape["fields"]]
    return shape


def _embed_picture(world: World, one: Message, url: str) -> Json:
    item = media(world, one, url)
    return {key: item[key] for key in ("url", "proxy_url", "width", "height") if item[key] is not None}
