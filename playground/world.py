"""The state of the server, all of it in memory, and the notification of each change."""

import asyncio
import re
from collections.abc import Callable
from datetime import UTC, datetime

from playground import permissions
from playground.files import clean_name, size_in_pixels
from playground.model import (
    DIRECT,
    FORUM,
    TEXT,
    Attachment,
    Channel,
    Emoji,
    Guild,
    GuildRole,
    Interaction,
    Message,
    RegisteredCommand,
    Snowflakes,
    Upload,
    User,
    WorldChange,
)

PEOPLE = {"asha": "Asha", "bikram": "Bikram", "chandra": "Chandra", "devi": "देवी", "eklavya": "Eklavya"}
GUILD = "Chautari"
CHANNELS = {"marriage": TEXT, "league": TEXT, "general": TEXT, "forum": FORUM}
USER_NAME = re.compile(r"[a-z][a-z0-9]{0,31}")


class World:
    """The guilds with their channels, the people and messages, and the bot.

    `guild` is the first guild, which is the default. `subscribe()` registers a listener for every change;
    `changed()` waits for the next change.
    """

    def __init__(self, *, bot_name: str = "Tiplu", guilds: int = 1) -> None:
        self.ids = Snowflakes()
        self.base_url = ""
        self.bot = User(self.ids.of(f"bot {bot_name}"), bot_name.lower(), bot_name, bot=True)
        self.application_id = self.bot.id
        self.application_flags = 0
        self.privileged_intents = 0
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.interactions: dict[int, Interaction] = {}
        self.commands: dict[int, RegisteredCommand] = {}
        self.emojis: dict[int, Emoji] = {}
        self.uploads: dict[int, Attachment] = {}
        self._listeners: list[Callable[[WorldChange], None]] = []
        self._waiting: dict[asyncio.Future[None], None] = {}
        """The tasks waiting for a change, in order of arrival; a set would wake them in a random order."""
        for name, shown in PEOPLE.items():
            self._add_user(name, shown)
        self.owner = self.user("asha")
        for number in range(guilds):
            self._found_guild("" if number == 0 else f" {number + 1}")
        self.guild = next(iter(self.guilds.values()))

    def _found_guild(self, which: str) -> None:
        """Add a guild with its channels. `which` is appended to all names from which its ids are made."""
        name = f"{GUILD}{which}"
        number = self.ids.of(f"guild {name}")
        everyone = GuildRole(number, "@everyone", permissions.EVERYONE, position=0)
        shown = self.bot.shown_name
        bot_role = GuildRole(self.ids.of(f"role {shown}{which}"), shown, permissions.BOT, managed=True)
        guild = Guild(number, name, everyone, bot_role)
        guild.roles = {role.id: role for role in (everyone, bot_role)}
        self.bot.roles.append(bot_role.id)
        self.guilds[number] = guild
        for position, (channel, kind) in enumerate(CHANNELS.items()):
            self._keep_channel(
                Channel(self.ids.of(f"channel {channel}{which}"), kind, channel, guild, position=position)
            )

    # Changes --------------------------------------------------------------------------------------

    def subscribe(self, listener: Callable[[WorldChange], None]) -> Callable[[], None]:
        """Call the listener at each change; returns a function that ends the subscription."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def publish(self, kind: str, subject: object, **extra: object) -> None:
        """Notify the listeners of a change."""
        change = WorldChange(kind, subject, extra)
        for listener in tuple(self._listeners):
            listener(change)
        for waiter in self._waiting:
            if not waiter.done():
                waiter.set_result(None)
        self._waiting.clear()

    async def changed(self) -> None:
        """Wait for the next change of any kind."""
        waiter = asyncio.get_running_loop().create_future()
        self._waiting[waiter] = None
        try:
            await waiter
        finally:
            self._waiting.pop(waiter, None)

    # People ---------------------------------------------------------------------------------------

    def _add_user(self, name: str, shown: str) -> User:
        user = User(self.ids.of(f"user {name}"), name, shown)
        self.users[user.id] = user
        return user

    def user(self, who: User | str | int) -> User:
        """Return a user by name or id; raises LookupError."""
        if isinstance(who, User):
            return who
        if isinstance(who, int):
            return self.users[who]
        for user in self.users.values():
            if user.name == who:
                return user
        raise LookupError(f"no user is called {who!r}")

    def welcome(self, name: str) -> User:
        """Return the person with this name; a new one joins all guilds. Raises ValueError for an invalid name."""
        if not USER_NAME.fullmatch(name):
            raise ValueError("a name has 1 to 32 characters of a-z and 0-9 and begins with a letter")
        try:
            user = self.user(name)
        except LookupError:
            user = self._add_user(name, name.capitalize())
            for guild in self.guilds.values():
                self.publish("member_add", user, guild=guild)
        if user.bot:
            raise ValueError(f"{name} is the bot")
        return user

    def grant(self, who: User | str, *names: str, guild: Guild | None = None) -> GuildRole:
        """Give a person permissions in a whole guild, through a new role."""
        user, guild = self.user(who), guild or self.guild
        role = GuildRole(self.ids.new(), f"{user.name}'s permissions", permissions.bits(*names))
        guild.roles[role.id] = role
        user.roles.append(role.id)
        self.publish("role_create", role, guild=guild)
        self.publish("member_update", user, guild=guild)
        return role

    def remove_member(self, who: User | str, guild: Guild | None = None) -> None:
        """Remove a person from a guild; their messages stay."""
        user, guild = self.user(who), guild or self.guild
        guild.left.add(user.id)
        user.roles = [role_id for role_id in user.roles if role_id not in guild.roles]
        self.publish("member_remove", user, guild=guild)

    # Channels -------------------------------------------------------------------------------------

    def add_channel(
        self, name: str, kind: int = TEXT, *, requires_tag: bool = False, guild: Guild | None = None
    ) -> Channel:
        """Add a text channel, or a forum that may require tags."""
        channel = Channel(self.ids.new(), kind, name, guild or self.guild, requires_tag=requires_tag)
        return self._keep_channel(channel)

    def _keep_channel(self, channel: Channel) -> Channel:
        self.channels[channel.id] = channel
        self.publish("channel_create", channel)
        return channel

    def channel(self, which: Channel | str | int, guild: Guild | None = None) -> Channel:
        """Return a channel or thread of a guild by name, or any channel by id; raises LookupError."""
        if isinstance(which, Channel):
            return which
        if isinstance(which, int):
            return self.channels[which]
        wanted = which.removeprefix("#")
        for channel in self.channels.values():
            if channel.guild is (guild or self.guild) and channel.name == wanted:
                return channel
        raise LookupError(f"no channel is called {which!r}")

    def dm_channel(self, who: User | str) -> Channel:
        """Return the DM channel of a person with the bot; the first call creates it."""
        user = self.user(who)
        for channel in self.channels.values():
            if channel.is_dm and user in channel.recipients:
                return channel
        return self._keep_channel(Channel(self.ids.of(f"dm {user.name}"), DIRECT, recipients=[user]))

    def threads(self, parent: Channel | None = None) -> list[Channel]:
        """Return all threads, or those of one channel."""
        found = [channel for channel in self.channels.values() if channel.is_thread]
        return [thread for thread in found if parent is None or thread.parent is parent]

    def delete_channel(self, which: Channel | str | int) -> None:
        """Delete a channel with its threads and messages."""
        channel = self.channel(which)
        for thread in self.threads(channel):
            self.delete_channel(thread)
        del self.channels[channel.id]
        for message in channel.messages.values():
            message.deleted = True
        self.publish("channel_delete", channel)

    def archive(self, which: Channel | str | int, *, archived: bool = True, locked: bool = False) -> None:
        """Archive or reopen a thread, as a moderator would."""
        thread = self.channel(which)
        thread.archived, thread.locked = archived, locked
        thread.archive_changed = datetime.now(UTC)
        self.publish("channel_update", thread)

    # Permissions and membership of the bot --------------------------------------------------------

    def deny(self, which: Channel | str, *names: str, who: User | str | None = None) -> None:
        """Deny permissions in one channel, to the bot or to `who`."""
        self._overwrite(which, who, deny=permissions.bits(*names))

    def allow(self, which: Channel | str, *names: str, who: User | str | None = None) -> None:
        """Allow permissions in one channel, to the bot or to `who`."""
        self._overwrite(which, who, allow=permissions.bits(*names))

    def _overwrite(
        self, which: Channel | str, who: User | str | None, *, allow: int = 0, deny: int = 0
    ) -> None:
        channel = self.channel(which)
        target = self.bot.id if who is None else self.user(who).id
        allowed, denied = channel.overwrites.get(target, (0, 0))
        channel.overwrites[target] = (allowed & ~deny | allow, denied & ~allow | deny)
        self.publish("channel_update", channel)

    def kick_bot(self, guild: Guild | None = None) -> None:
        """Remove the bot from a guild, as the owner would."""
        guild = guild or self.guild
        guild.left.add(self.bot.id)
        self.publish("guild_gone", guild)

    def invite_bot(self, guild: Guild | None = None) -> None:
        """Add the bot to a guild again."""
        guild = guild or self.guild
        guild.left.discard(self.bot.id)
        self.publish("guild_back", guild)

    # Messages -------------------------------------------------------------------------------------

    def message(self, message_id: int) -> Message:
        """Return a message by id, from any channel; raises LookupError."""
        for channel in self.channels.values():
            if message_id in channel.messages:
                return channel.messages[message_id]
        raise LookupError(f"no message {message_id}")

    def delete_message(self, message: Message | int) -> None:
        """Delete a message, as a moderator would."""
        gone = message if isinstance(message, Message) else self.message(message)
        del gone.channel.messages[gone.id]
        gone.deleted = True
        self.publish("message_delete", gone)

    def keep_upload(self, upload: Upload) -> Attachment:
        """Store a file that a person gives to a command or modal, so that the bot can fetch it."""
        kept = Attachment(
            self.ids.new(), self.guild.id, clean_name(upload.filename), upload.content, upload.content_type
        )
        kept.size_in_pixels = size_in_pixels(upload.content)
        self.uploads[kept.id] = kept
        return kept
