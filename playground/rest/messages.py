"""Endpoints of messages: history, sending, editing, deleting, reactions and pins."""

from playground import access, message_objects, objects
from playground.model import DIRECT, Channel, Message
from playground.payloads import Json
from playground.refusals import RefusalError, refuse_field
from playground.rest.routing import RestCall, Routes
from playground.validation.messages import check_message

MESSAGES = "/channels/{channel}/messages"
MESSAGE = "/channels/{channel}/messages/{message}"
REACTIONS = MESSAGE + "/reactions/{emoji}"

routes = Routes()


@routes.on("GET", MESSAGES)
async def history(call: RestCall) -> list[Json]:
    """Return messages, newest first."""
    channel = call.channel()
    call.require(channel, "READ_MESSAGE_HISTORY")
    limit = int(call.query.get("limit", 50))
    if not 1 <= limit <= 100:
        refuse_field("limit", "int value should be between 1 and 100.")
    found = [message for message in channel.messages.values() if message.only_for is None]
    return [message_objects.message(call.world, message) for message in _page(found, call.query, limit)]


def _page(messages: list[Message], query: dict[str, str], limit: int) -> list[Message]:
    """Return one page of messages, newest first; `messages` are oldest first."""
    if "around" in query:
        middle = int(query["around"])
        older = [message for message in messages if message.id <= middle][-(limit // 2 + 1) :]
        newer = [message for message in messages if message.id > middle][: limit - len(older)]
        return (older + newer)[::-1]
    if "after" in query:
        return [message for message in messages if message.id > int(query["after"])][:limit][::-1]
    if "before" in query:
        messages = [message for message in messages if message.id < int(query["before"])]
    return messages[-limit:][::-1]


@routes.on("POST", MESSAGES)
async def send(call: RestCall) -> Json:
    """Write a message as the bot."""
    channel, payload = call.channel(), call.form
    _may_write(call, channel)
    earlier = call.services.writer.repeated(call.world.bot, channel, payload)
    if earlier is not None:
        return message_objects.message(call.world, earlier)
    draft = check_message(payload, call.files, call.world.ids, emojis=call.world.emojis)
    if draft.attachments:
        call.require(channel, "ATTACH_FILES")
    quoted = _quoted(channel, payload)
    kind = 19 if quoted is not None else 0
    message = call.services.writer.write(channel, call.world.bot, draft, payload, kind=kind, reply_to=quoted)
    return message_objects.message(call.world, message)


def _may_write(call: RestCall, channel: Channel) -> None:
    """Refuse if the bot may not write: a closed DM, a missing permission, a locked thread."""
    if channel.type == DIRECT:
        person = channel.recipients[0]
        if person.dms_closed:
            raise RefusalError(50007)
        if not any(guild.has(person) for guild in call.world.guilds.values()):
            raise RefusalError(50278)
    if channel.is_forum:
        raise RefusalError(50008)
    call.require(channel, "SEND_MESSAGES")
    if channel.is_thread and channel.archived and channel.locked:
        raise RefusalError(50083)


def _quoted(channel: Channel, payload: Json) -> Message | None:
    reference = payload.get("message_reference")
    if not reference:
        return None
    quoted = channel.messages.get(int(reference.get("message_id") or 0))
    if quoted is None and reference.get("fail_if_not_exists", True):
        refuse_field("message_reference", "Unknown message")
    return quoted


@routes.on("GET", MESSAGE)
async def read(call: RestCall) -> Json:
    """Return one message."""
    channel = call.channel()
    call.require(channel, "READ_MESSAGE_HISTORY")
    return message_objects.message(call.world, call.message(channel))


@routes.on("PATCH", MESSAGE)
async def edit(call: RestCall) -> Json:
    """Edit the bot's own message."""
    channel = call.channel()
    message = call.message(channel)
    if message.author is not call.world.bot:
        raise RefusalError(50005)
    if channel.is_thread and channel.archived:
        raise RefusalError(50083)
    if call.files:
        call.require(channel, "ATTACH_FILES")
    world = call.world
    draft = check_message(call.form, call.files, world.ids, before=message, emojis=world.emojis)
    call.services.writer.edit(message, draft, call.form)
    return message_objects.message(call.world, message)


@routes.on("DELETE", MESSAGE)
async def delete(call: RestCall) -> None:
    """Delete a message; messages of others need MANAGE_MESSAGES."""
    channel = call.channel()
    message = call.message(channel)
    if channel.is_thread and channel.archived:
        raise RefusalError(50083)
    if message.author is not call.world.bot:
        if channel.is_dm:
            raise RefusalError(50003)
        call.require(channel, "MANAGE_MESSAGES")
    call.world.delete_message(message)


@routes.on("POST", MESSAGES + "/bulk-delete")
async def bulk_delete(call: RestCall) -> None:
    """Delete 2 to 100 messages at once."""
    channel = call.channel()
    call.require(channel, "MANAGE_MESSAGES")
    wanted = [int(message_id) for message_id in call.form.get("messages", [])]
    if not 2 <= len(wanted) <= 100:
        refuse_field("messages", "Must be between 2 and 100 in length.")
    for message_id in wanted:
        if message_id in channel.messages:
            call.world.delete_message(channel.messages[message_id])


@routes.on("POST", "/channels/{channel}/typing")
async def typing(call: RestCall) -> None:
    """Show that the bot is typing."""
    channel = call.channel()
    call.require(channel, "SEND_MESSAGES")
    call.world.publish("typing", channel, user=call.world.bot)


# Reactions ----------------------------------------------------------------------------------------


@routes.on("PUT", REACTIONS + "/@me")
async def react(call: RestCall) -> None:
    """Add the bot's reaction."""
    channel = call.channel()
    message = call.message(channel)
    call.require(channel, "READ_MESSAGE_HISTORY")
    emoji = call.params["emoji"]
    if emoji not in message.reactions:
        call.require(channel, "ADD_REACTIONS")
    people = message.reactions.setdefault(emoji, [])
    if call.world.bot.id not in people:
        people.append(call.world.bot.id)
        call.world.publish("reaction_add", message, user=call.world.bot, emoji=emoji)
        call.world.publish("message_view", message)


@routes.on("DELETE", REACTIONS + "/@me")
async def take_back(call: RestCall) -> None:
    """Take the bot's reaction away."""
    _unreact(call, call.world.bot.id)


@routes.on("DELETE", REACTIONS + "/{user}")
async def unreact(call: RestCall) -> None:
    """Remove another user's reaction."""
    call.require(call.channel(), "MANAGE_MESSAGES")
    _unreact(call, call.id("user"))


def _unreact(call: RestCall, user_id: int) -> None:
    message = call.message(call.channel())
    emoji = call.params["emoji"]
    people = message.reactions.get(emoji, [])
    if user_id not in people:
        raise RefusalError(10014)
    people.remove(user_id)
    if not people:
        del message.reactions[emoji]
    call.world.publish("reaction_remove", message, user=call.world.users[user_id], emoji=emoji)
    call.world.publish("message_view", message)


@routes.on("DELETE", MESSAGE + "/reactions")
async def clear_reactions(call: RestCall) -> None:
    """Remove all reactions."""
    channel = call.channel()
    call.require(channel, "MANAGE_MESSAGES")
    message = call.message(channel)
    message.reactions.clear()
    call.world.publish("message_view", message)


@routes.on("GET", REACTIONS)
async def reactors(call: RestCall) -> list[Json]:
    """Return the users who reacted with an emoji."""
    message = call.message(call.channel())
    user_ids = message.reactions.get(call.params["emoji"], [])
    return [objects.user(call.world.users[user_id]) for user_id in user_ids]


# Pins ---------------------------------------------------------------------------------------------


@routes.on("GET", MESSAGES + "/pins")
async def pins(call: RestCall) -> Json:
    """Return the pinned messages, newest first."""
    channel = call.channel()
    items = [
        {
            "pinned_at": objects.stamp(message.edited_at or objects.moment(message.id)),
            "message": message_objects.message(call.world, message),
        }
        for message in _pinned(channel)
    ]
    return {"items": items, "has_more": False}


@routes.on("GET", "/channels/{channel}/pins")
async def old_pins(call: RestCall) -> list[Json]:
    """Return the pinned messages in the format of the older endpoint."""
    return [message_objects.message(call.world, message) for message in _pinned(call.channel())]


def _pinned(channel: Channel) -> list[Message]:
    """Return the pinned messages, newest first."""
    return [message for message in reversed(channel.messages.values()) if message.pinned]


async def _set_pinned(call: RestCall, *, pinned: bool) -> None:
    channel = call.channel()
    if not channel.is_dm and not access.may(call.world, call.world.bot, channel, "PIN_MESSAGES"):
        raise RefusalError(50013)
    message = call.message(channel)
    message.pinned = pinned
    call.world.publish("pins_update", channel)
    call.world.publish("message_view", message)


@routes.on("PUT", MESSAGES + "/pins/{message}")
@routes.on("PUT", "/channels/{channel}/pins/{message}")
async def pin(call: RestCall) -> None:
    """Pin a message."""
    await _set_pinned(call, pinned=True)


@routes.on("DELETE", MESSAGES + "/pins/{message}")
@routes.on("DELETE", "/channels/{channel}/pins/{message}")
async def unpin(call: RestCall) -> None:
    """Unpin a message."""
    await _set_pinned(call, pinned=False)
