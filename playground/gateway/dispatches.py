"""Turns changes of the world into gateway events, with the intents that they need."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from playground import access, message_objects, objects
from playground.interaction_objects import interaction
from playground.model import Channel, Guild, Message, ScheduledEvent, User, WorldChange
from playground.payloads import Json
from playground.world import World

GUILDS, GUILD_MEMBERS = 1 << 0, 1 << 1
GUILD_MESSAGES, GUILD_REACTIONS, GUILD_TYPING = 1 << 9, 1 << 10, 1 << 11
DIRECT_MESSAGES, DIRECT_REACTIONS, DIRECT_TYPING = 1 << 12, 1 << 13, 1 << 14
MESSAGE_CONTENT, SCHEDULED_EVENTS = 1 << 15, 1 << 16
MESSAGES = {"message_create", "message_update", "message_delete"}
"""The changes of messages: by far the most frequent, and received by few bots."""
PRIVILEGED = GUILD_MEMBERS | 1 << 8 | MESSAGE_CONTENT


@dataclass(frozen=True)
class Dispatch:
    """An event for the bot. `intent` 0 needs no intent; without a guild the event goes to shard 0."""

    name: str
    data: Json
    guild: Guild | None
    intent: int = 0
    content_is_private: bool = False

    def for_intents(self, intents: int) -> Json | None:
        """Return the data for a session with these intents; None if the session must not receive it."""
        if self.intent and not self.intent & intents:
            return None
        if self.content_is_private and not intents & MESSAGE_CONTENT:
            return self.data | {"content": "", "embeds": [], "attachments": [], "components": []}
        return self.data


def dispatches(world: World, change: WorldChange, intents: int) -> Iterator[Dispatch]:
    """Yield the events of a change; `intents` are those of all sessions, and events for no one are skipped."""
    make = MAKERS.get(change.kind)
    if make is not None and not (change.kind in MESSAGES and not intents & _intent(change.subject)):
        yield from make(world, change)


def _intent(message: Message) -> int:
    direct = message.channel.is_dm or message.only_for is not None
    return DIRECT_MESSAGES if direct else GUILD_MESSAGES


def _message(name: str) -> Callable[[World, WorldChange], Iterator[Dispatch]]:
    def make(world: World, change: WorldChange) -> Iterator[Dispatch]:
        message: Message = change.subject
        if not access.may_see(world, world.bot, message.channel):
            return
        by_bot = message.author is world.bot
        hidden = not (by_bot or message.channel.is_dm or world.bot in message.mentions)
        data = message_objects.message(world, message, in_event=True)
        yield Dispatch(name, data, message.channel.guild, _intent(message), content_is_private=hidden)

    return make


def _guild_id(channel: Channel) -> Json:
    return {} if channel.guild is None else {"guild_id": str(channel.guild.id)}


def _message_delete(_world: World, change: WorldChange) -> Iterator[Dispatch]:
    message: Message = change.subject
    channel = message.channel
    direct = channel.is_dm or message.only_for is not None
    data = {"id": str(message.id), "channel_id": str(channel.id)}
    data |= {} if direct else _guild_id(channel)
    yield Dispatch("MESSAGE_DELETE", data, channel.guild, _intent(message))


def _reaction(name: str) -> Callable[[World, WorldChange], Iterator[Dispatch]]:
    def make(world: World, change: WorldChange) -> Iterator[Dispatch]:
        message: Message = change.subject
        user: User = change.extra["user"]
        guild = message.channel.guild
        data = {
            "user_id": str(user.id),
            "channel_id": str(message.channel.id),
            "message_id": str(message.id),
            "emoji": message_objects.emoji_of(world, change.extra["emoji"]),
            "burst": False,
            "type": 0,
            **_guild_id(message.channel),
        }
        if name == "MESSAGE_REACTION_ADD" and guild is not None:
            data |= {"member": objects.member(guild, user), "message_author_id": str(message.author.id)}
        yield Dispatch(name, data, guild, DIRECT_REACTIONS if guild is None else GUILD_REACTIONS)

    return make


def _channel(verb: str) -> Callable[[World, WorldChange], Iterator[Dispatch]]:
    def make(world: World, change: WorldChange) -> Iterator[Dispatch]:
        channel: Channel = change.subject
        if channel.is_dm:
            return
        if not channel.is_thread:
            yield Dispatch(f"CHANNEL_{verb}", objects.channel(channel), channel.guild, GUILDS)
        elif access.may_see(world, world.bot, channel):
            yield Dispatch(f"THREAD_{verb}", _thread(world, channel, verb), channel.guild, GUILDS)

    return make


def _thread(world: World, thread: Channel, verb: str) -> Json:
    shape = objects.channel(thread)
    if verb == "DELETE":
        return {key: shape[key] for key in ("id", "guild_id", "parent_id", "type")}
    if world.bot.id in thread.members:
        shape["member"] = objects.thread_member(thread, world.bot.id)
    return shape | {"newly_created": True} if verb == "CREATE" else shape


def _thread_members(world: World, change: WorldChange) -> Iterator[Dispatch]:
    thread: Channel = change.subject
    guild = thread.guild
    if guild is None:
        return
    added: list[int] = change.extra.get("added", [])
    removed: list[int] = change.extra.get("removed", [])
    data: Json = {"id": str(thread.id), "guild_id": str(guild.id), "member_count": len(thread.members)}
    if added:
        people = [
            objects.thread_member(thread, user_id) | {"member": objects.member(guild, world.users[user_id])}
            for user_id in added
        ]
        data["added_members"] = [person | {"presence": None} for person in people]
    if removed:
        data["removed_member_ids"] = [str(user_id) for user_id in removed]
    about_bot = world.bot.id in (*added, *removed)
    yield Dispatch("THREAD_MEMBERS_UPDATE", data, guild, GUILDS if about_bot else GUILD_MEMBERS)


def _typing(world: World, change: WorldChange) -> Iterator[Dispatch]:
    channel: Channel = change.subject
    user: User = change.extra["user"]
    data = {
        "channel_id": str(channel.id),
        "user_id": str(user.id),
        "timestamp": int(objects.moment(world.ids.new()).timestamp()),
        **_guild_id(channel),
    }
    if channel.guild is not None:
        data["member"] = objects.member(channel.guild, user)
    yield Dispatch("TYPING_START", data, channel.guild, DIRECT_TYPING if channel.is_dm else GUILD_TYPING)


def _pins(_world: World, change: WorldChange) -> Iterator[Dispatch]:
    channel: Channel = change.subject
    data = {"channel_id": str(channel.id), "last_pin_timestamp": None, **_guild_id(channel)}
    yield Dispatch("CHANNEL_PINS_UPDATE", data, channel.guild, DIRECT_MESSAGES if channel.is_dm else GUILDS)


def _member(name: str) -> Callable[[World, WorldChange], Iterator[Dispatch]]:
    def make(world: World, change: WorldChange) -> Iterator[Dispatch]:
        user: User = change.subject
        guild: Guild = change.extra["guild"]
        data = {"guild_id": str(guild.id)}
        data |= {"user": objects.user(user)} if name == "GUILD_MEMBER_REMOVE" else objects.member(guild, user)
        # Updates of the bot's own membership need no intent.
        intent = 0 if user is world.bot and name == "GUILD_MEMBER_UPDATE" else GUILD_MEMBERS
        yield Dispatch(name, data, guild, intent)

    return make


def _role(name: str) -> Callable[[World, WorldChange], Iterator[Dispatch]]:
    def make(_world: World, change: WorldChange) -> Iterator[Dispatch]:
        guild: Guild = change.extra["guild"]
        about = (
            {"role_id": str(change.subject.id)}
            if name == "GUILD_ROLE_DELETE"
            else {"role": objects.role(change.subject)}
        )
        yield Dispatch(name, {"guild_id": str(guild.id), **about}, guild, GUILDS)

    return make


def _scheduled_event(name: str) -> Callable[[World, WorldChange], Iterator[Dispatch]]:
    def make(_world: World, change: WorldChange) -> Iterator[Dispatch]:
        event: ScheduledEvent = change.subject
        yield Dispatch(name, objects.scheduled_event(event), event.guild, SCHEDULED_EVENTS)

    return make


def _interaction(world: World, change: WorldChange) -> Iterator[Dispatch]:
    yield Dispatch("INTERACTION_CREATE", interaction(world, change.subject), change.subject.channel.guild)


def _guild_gone(_world: World, change: WorldChange) -> Iterator[Dispatch]:
    yield Dispatch("GUILD_DELETE", {"id": str(change.subject.id)}, change.subject, GUILDS)


def _guild_back(world: World, change: WorldChange) -> Iterator[Dispatch]:
    guild = objects.guild_create(world, change.subject)
    del guild["unavailable"]  # only for guilds that existed when the session began
    yield Dispatch("GUILD_CREATE", guild, change.subject, GUILDS)


def _guild_away(_world: World, change: WorldChange) -> Iterator[Dispatch]:
    yield Dispatch(
        "GUILD_DELETE", {"id": str(change.subject.id), "unavailable": True}, change.subject, GUILDS
    )


def _guild_available(world: World, change: WorldChange) -> Iterator[Dispatch]:
    yield Dispatch("GUILD_CREATE", objects.guild_create(world, change.subject), change.subject, GUILDS)


MAKERS: dict[str, Callable[[World, WorldChange], Iterator[Dispatch]]] = {
    "message_create": _message("MESSAGE_CREATE"),
    "message_update": _message("MESSAGE_UPDATE"),
    "message_delete": _message_delete,
    "reaction_add": _reaction("MESSAGE_REACTION_ADD"),
    "reaction_remove": _reaction("MESSAGE_REACTION_REMOVE"),
    "channel_create": _channel("CREATE"),
    "channel_update": _channel("UPDATE"),
    "channel_delete": _channel("DELETE"),
    "thread_members": _thread_members,
    "typing": _typing,
    "pins_update": _pins,
    "member_add": _member("GUILD_MEMBER_ADD"),
    "member_update": _member("GUILD_MEMBER_UPDATE"),
    "member_remove": _member("GUILD_MEMBER_REMOVE"),
    "role_create": _role("GUILD_ROLE_CREATE"),
    "role_update": _role("GUILD_ROLE_UPDATE"),
    "role_delete": _role("GUILD_ROLE_DELETE"),
    "event_create": _scheduled_event("GUILD_SCHEDULED_EVENT_CREATE"),
    "event_update": _scheduled_event("GUILD_SCHEDULED_EVENT_UPDATE"),
    "event_delete": _scheduled_event("GUILD_SCHEDULED_EVENT_DELETE"),
    "interaction_create": _interaction,
    "guild_gone": _guild_gone,
    "guild_back": _guild_back,
    "guild_away": _guild_away,
    "guild_available": _guild_available,
}
