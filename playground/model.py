"""The data of the world: users, channels, messages, commands, interactions."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from playground.payloads import Json

EPOCH_MS = 1_420_070_400_000  # Discord's epoch: the first second of 2015
FOUNDED_MS = 1_577_836_800_000  # the first second of 2020; 32 bits of milliseconds add up to 50 days

TEXT, DIRECT, PUBLIC_THREAD, PRIVATE_THREAD, FORUM = 0, 1, 11, 12, 15
SUPPRESS_EMBEDS, EPHEMERAL, LOADING, SUPPRESS_NOTIFICATIONS, COMPONENTS_V2 = 4, 64, 128, 4096, 32768


class Snowflakes:
    """Makes ids that are unique and ascending, even within one millisecond."""

    def __init__(self) -> None:
        self._last = 0

    def new(self) -> int:
        """Return the next id."""
        now = (time.time_ns() // 1_000_000 - EPOCH_MS) << 22
        self._last = max(self._last + 1, now)
        return self._last

    @staticmethod
    def of(name: str) -> int:
        """Return the id of something that exists from the start: the same for the same name, and long in the past.

        So a bot that keeps its database finds the same guild, channels and people after a restart.
        """
        return (FOUNDED_MS - EPOCH_MS + int.from_bytes(sha256(name.encode()).digest()[:4], "big")) << 22


def moment(snowflake: int) -> datetime:
    """Return when an id was created."""
    return datetime.fromtimestamp(((snowflake >> 22) + EPOCH_MS) / 1000, tz=UTC)


def monotonic() -> float:
    """Return the monotonic time: the virtual one if there is one."""
    return time.monotonic()


@dataclass(eq=False)
class User:
    """A person or the bot. `roles` are those of all guilds."""

    id: int
    name: str
    global_name: str | None = None
    bot: bool = False
    dms_closed: bool = False
    locale: str = "en-US"
    nick: str | None = None
    roles: list[int] = field(default_factory=list[int])

    @property
    def shown_name(self) -> str:
        """The name that others see."""
        return self.nick or self.global_name or self.name


@dataclass(eq=False)
class GuildRole:
    """A role of a guild."""

    id: int
    name: str
    permissions: int = 0
    position: int = 1
    managed: bool = False
    mentionable: bool = False
    color: int = 0
    hoist: bool = False


@dataclass(eq=False)
class Guild:
    """A server. Everyone is in every guild until they leave it."""

    id: int
    name: str
    everyone: GuildRole
    bot_role: GuildRole
    roles: dict[int, GuildRole] = field(default_factory=dict[int, GuildRole])
    events: dict[int, ScheduledEvent] = field(default_factory=dict[int, "ScheduledEvent"])
    left: set[int] = field(default_factory=set[int])
    system_channel_id: int | None = None
    """The channel in which Discord itself greets new members; None for none."""

    def has(self, user: User) -> bool:
        """Return whether a user is a member."""
        return user.id not in self.left


@dataclass(eq=False)
class Channel:
    """A text channel, a forum, a thread under one, or a DM, which has no guild. A thread under a forum is a post."""

    id: int
    type: int
    name: str = ""
    guild: Guild | None = None
    topic: str | None = None
    position: int = 0
    nsfw: bool = False
    slowmode: int = 0
    parent: Channel | None = None
    owner_id: int | None = None
    recipients: list[User] = field(default_factory=list[User])
    overwrites: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    members: dict[int, datetime] = field(default_factory=dict[int, datetime])
    messages: dict[int, Message] = field(default_factory=dict[int, "Message"])
    archived: bool = False
    locked: bool = False
    invitable: bool = True
    auto_archive: int = 1440
    requires_tag: bool = False
    archive_changed: datetime = field(default_factory=lambda: datetime.now(UTC))

    def __post_init__(self) -> None:
        if self.parent is not None:
            self.guild = self.parent.guild

    @property
    def is_dm(self) -> bool:
        """Whether it is a DM."""
        return self.type == DIRECT

    @property
    def is_forum(self) -> bool:
        """Whether it is a forum: it has posts, and no messages of its own."""
        return self.type == FORUM

    @property
    def is_thread(self) -> bool:
        """Whether it is a thread."""
        return self.type in (PUBLIC_THREAD, PRIVATE_THREAD)

    @property
    def is_private_thread(self) -> bool:
        """Whether it is a private thread."""
        return self.type == PRIVATE_THREAD


@dataclass(eq=False)
class Upload:
    """A file as it was uploaded."""

    filename: str
    content: bytes
    content_type: str


@dataclass(eq=False)
class Attachment:
    """A file of a message."""

    id: int
    channel_id: int
    filename: str
    content: bytes
    content_type: str
    description: str | None = None
    size_in_pixels: tuple[int, int] | None = None


@dataclass(eq=False)
class Emoji:
    """A custom emoji of the application."""

    id: int
    name: str
    content: bytes
    content_type: str

    @property
    def animated(self) -> bool:
        """Whether it is a GIF."""
        return self.content_type == "image/gif"


@dataclass(eq=False)
class Message:
    """A message; an ephemeral one is visible to `only_for` alone."""

    id: int
    channel: Channel
    author: User
    content: str = ""
    embeds: list[Json] = field(default_factory=list[Json])
    components: list[Json] = field(default_factory=list[Json])
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    flags: int = 0
    type: int = 0
    nonce: str | int | None = None
    tts: bool = False
    pinned: bool = False
    edited_at: datetime | None = None
    reply_to: int | None = None
    mentions: list[User] = field(default_factory=list[User])
    mention_roles: list[int] = field(default_factory=list[int])
    mention_everyone: bool = False
    reactions: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    thread: Channel | None = None
    interaction: Interaction | None = None
    only_for: User | None = None
    dismissed: bool = False
    deleted: bool = False

    @property
    def is_loading(self) -> bool:
        """Whether it is shown as "thinking…"."""
        return bool(self.flags & LOADING)


@dataclass(eq=False)
class RegisteredCommand:
    """A registered application command: the data that was sent, and what Discord adds."""

    id: int
    version: int
    guild_id: int | None
    data: Json

    @property
    def name(self) -> str:
        """The command's name, without subcommands."""
        return self.data["name"]

    @property
    def type(self) -> int:
        """1 for a slash command, 2 for a user command, 3 for a message command."""
        return self.data.get("type", 1)


@dataclass(eq=False)
class Interaction:
    """A command, press, choice or modal of a person, with the bot's answer."""

    id: int
    token: str
    type: int
    user: User
    channel: Channel
    data: Json
    message: Message | None = None
    opener: Interaction | None = None
    nonce: str | None = None
    state: str = "waiting"  # then "acknowledged" or "failed"
    callback_type: int | None = None
    response: Message | None = None
    created: float = field(default_factory=monotonic)
    followups: list[Message] = field(default_factory=list[Message])
    choices: list[Json] = field(default_factory=list[Json])
    modal: Json | None = None
    followed: Message | None = None  # the message edited or written last, after the first answer
    timer: asyncio.TimerHandle | None = None
    refusal: str = ""


@dataclass(eq=False)
class ScheduledEvent:
    """An event on a guild's calendar."""

    id: int
    guild: Guild
    creator: User
    data: Json
    status: int = 1


@dataclass(frozen=True)
class WorldChange:
    """A change of the world: `kind` names the change, `subject` is what changed."""

    kind: str
    subject: Any
    extra: Json = field(default_factory=dict[str, Any])
