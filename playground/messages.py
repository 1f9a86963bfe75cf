"""Writes and edits messages, and walks through their components."""

import copy
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime

from playground import access
from playground.model import LOADING, Channel, Interaction, Message, User
from playground.payloads import Json, array_in, object_in
from playground.validation.messages import Draft
from playground.world import World

NONCE_SECONDS = 300
USER_MENTION, ROLE_MENTION = re.compile(r"<@!?(\d+)>"), re.compile(r"<@&(\d+)>")
EVERYONE_MENTION = re.compile(r"@(everyone|here)\b")


class MessageWriter:
    """Writes and edits messages of the world, and remembers nonces for five minutes."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._nonces: dict[tuple[int, int, str], tuple[float, Message]] = {}

    def repeated(self, author: User, channel: Channel, payload: Json) -> Message | None:
        """Return the recent message with the same enforced nonce, if there is one."""
        if not payload.get("enforce_nonce") or payload.get("nonce") is None:
            return None
        sent, message = self._nonces.get((author.id, channel.id, str(payload["nonce"])), (0.0, None))
        if message is None or message.deleted or time.monotonic() - sent > NONCE_SECONDS:
            return None
        return message

    def write(
        self,
        channel: Channel,
        author: User,
        draft: Draft,
        payload: Json,
        *,
        kind: int = 0,
        interaction: Interaction | None = None,
        only_for: User | None = None,
        reply_to: Message | None = None,
        first: bool = False,
    ) -> Message:
        """Write a new message into a channel; the first one of a post has the id of the post."""
        number = channel.id if first else self.world.ids.new()
        message = Message(number, channel, author, type=kind, interaction=interaction, only_for=only_for)
        message.nonce = payload.get("nonce")
        message.tts = bool(payload.get("tts"))
        message.reply_to = reply_to.id if reply_to else None
        self._fill(message, draft, payload)
        channel.messages[message.id] = message
        if message.nonce is not None:
            self._nonces[author.id, channel.id, str(message.nonce)] = (time.monotonic(), message)
        if channel.is_thread and channel.archived and not channel.locked:
            self.world.archive(channel, archived=False)
        self.world.publish("message_create", message)
        return message

    def think(self, interaction: Interaction, flags: int, only_for: User | None) -> Message:
        """Write the "thinking…" message of a deferred answer."""
        kind = 20 if interaction.type == 2 else 0
        draft = Draft(flags=flags | LOADING)
        return self.write(
            interaction.channel,
            self.world.bot,
            draft,
            {},
            kind=kind,
            interaction=interaction,
            only_for=only_for,
        )

    def edit(self, message: Message, draft: Draft, payload: Json) -> None:
        """Apply a draft to a message; a "thinking…" message is complete then."""
        if message.is_loading:
            draft.flags &= ~LOADING
        else:
            message.edited_at = datetime.now(UTC)
        self._fill(message, draft, payload)
        self.world.publish("message_update", message)

    def _fill(self, message: Message, draft: Draft, payload: Json) -> None:
        message.content = draft.content
        message.embeds = copy.deepcopy(draft.embeds)
        message.components = copy.deepcopy(draft.components)
        message.attachments = draft.attachments
        message.flags = draft.flags
        for attachment in message.attachments:
            attachment.channel_id = message.channel.id
        complete_components(message.components)
        self._mention(message, payload.get("allowed_mentions"))

    def _mention(self, message: Message, allowed: Json | None) -> None:
        """Set the mentions: those in the text that `allowed_mentions` permits."""
        text = "\n".join((message.content, *texts(message.components)))
        rules = {"parse": ["users", "roles", "everyone"]} if allowed is None else allowed
        users = _permitted(USER_MENTION.findall(text), rules, "users")
        message.mentions = [self.world.users[user_id] for user_id in users if user_id in self.world.users]
        free = access.may(self.world, message.author, message.channel, "MENTION_EVERYONE")
        permitted = _permitted(ROLE_MENTION.findall(text), rules, "roles")
        known = message.channel.guild.roles if message.channel.guild is not None else {}
        roles = [known[role_id] for role_id in permitted if role_id in known]
        message.mention_roles = [role.id for role in roles if free or role.mentionable]
        everyone = "everyone" in (rules.get("parse") or []) and EVERYONE_MENTION.search(text)
        message.mention_everyone = bool(free and everyone)
        quoted = message.channel.messages.get(message.reply_to or 0)
        if (
            quoted is not None
            and rules.get("replied_user", allowed is None)
            and quoted.author not in message.mentions
        ):
            message.mentions.append(quoted.author)


def _permitted(found: list[str], rules: Json, kind: str) -> list[int]:
    """Return the ids of the found mentions that the rules permit, without repetitions."""
    unique = list(dict.fromkeys(int(text) for text in found))
    if kind in (rules.get("parse") or []):
        return unique
    named = {int(text) for text in array_in(rules, kind)}
    return [mentioned for mentioned in unique if mentioned in named]


def walk(components: list[Json]) -> Iterator[Json]:
    """Yield each component and those inside it, in order."""
    for component in components:
        yield component
        yield from walk(component.get("components") or [])
        yield from walk([inner for key in ("accessory", "component") if (inner := component.get(key))])


def texts(components: list[Json]) -> list[str]:
    """Return the contents of all text displays."""
    return [component["content"] for component in walk(components) if component["type"] == 10]


def complete_components(components: list[Json]) -> None:
    """Give every component without an id the next free id, and write the ids of emojis as strings, as Discord does."""
    taken = {component["id"] for component in walk(components) if component.get("id")}
    free = (number for number in range(1, 1000) if number not in taken)
    for component in walk(components):
        if not component.get("id"):
            component["id"] = next(free)
        for emoji in _emojis(component):
            emoji["id"] = str(emoji["id"])


def _emojis(component: Json) -> Iterator[Json]:
    """Yield the custom emojis of a button or of the options of a select."""
    for holder in (component, *array_in(component, "options")):
        emoji = object_in(holder, "emoji")
        if emoji.get("id"):
            yield emoji
