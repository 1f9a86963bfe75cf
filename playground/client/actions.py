"""A person's actions in Discord's client. The page and the virtual people of the tests both act through it."""

from typing import Any

from playground import access, permissions
from playground.client.command_options import CannotDoError, CommandOptions
from playground.client.modal_answers import ModalAnswers, pick_options, pick_things
from playground.interaction_objects import resolved
from playground.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT, Interactions
from playground.messages import MessageWriter, walk
from playground.model import (
    PUBLIC_THREAD,
    Channel,
    Guild,
    GuildRole,
    Interaction,
    Message,
    RegisteredCommand,
    User,
    moment,
)
from playground.payloads import Json
from playground.validation.components import BUTTON, SELECTS, STRING_SELECT
from playground.validation.messages import Draft
from playground.validation.translations import LOCALES
from playground.world import World

MAX_CONTENT = 2000
GUILD_CONTEXT, DM_CONTEXT = 0, 1


class Actions:
    """Acts for a person on what they can see. Raises CannotDoError for anything else."""

    def __init__(self, world: World, writer: MessageWriter, interactions: Interactions) -> None:
        self.world = world
        self.writer = writer
        self.interactions = interactions

    # Reading --------------------------------------------------------------------------------------

    def channels(self, user: User) -> list[Channel]:
        """Return the channels that the person sees, their DM with the bot included."""
        return [
            channel for channel in self.world.channels.values() if access.may_see(self.world, user, channel)
        ]

    def sees(self, user: User, message: Message) -> bool:
        """Return whether the person can read this message."""
        if message.deleted or (
            message.only_for is not None and (message.only_for is not user or message.dismissed)
        ):
            return False
        return access.may(self.world, user, message.channel, "READ_MESSAGE_HISTORY")

    def messages(self, user: User, channel: Channel) -> list[Message]:
        """Return the messages that the person can read in a channel, oldest first."""
        return [message for message in channel.messages.values() if self.sees(user, message)]

    def commands(self, user: User, channel: Channel) -> list[RegisteredCommand]:
        """Return the commands offered to the person in a channel."""
        return [command for command in self.world.commands.values() if self._offered(command, user, channel)]

    def commands_anywhere(self, user: User, guild: Guild) -> list[RegisteredCommand]:
        """Return the commands offered to the person in a guild or in their DM with the bot."""
        return [command for command in self.world.commands.values() if self._permitted(command, user, guild)]

    def _offered(self, command: RegisteredCommand, user: User, channel: Channel) -> bool:
        """Return whether the command's contexts and permissions let the person use it here."""
        contexts = command.data.get("contexts") or [GUILD_CONTEXT, DM_CONTEXT]
        if channel.guild is None:
            in_dms = DM_CONTEXT in contexts and command.data.get("dm_permission") is not False
            return command.guild_id is None and in_dms
        return GUILD_CONTEXT in contexts and self._permitted(command, user, channel.guild)

    def _permitted(self, command: RegisteredCommand, user: User, guild: Guild) -> bool:
        if not guild.has(self.world.bot) or command.guild_id not in (None, guild.id):
            return False
        needed = command.data.get("default_member_permissions")
        held = access.of_member(self.world, user, guild)
        # "0" means administrators only, so they are checked first.
        return (
            needed is None or held == permissions.ALL or (needed != "0" and held & int(needed) == int(needed))
        )

    # Writing --------------------------------------------------------------------------------------

    def say(self, user: User, channel: Channel, content: str) -> Message:
        """Write a message as the person."""
        if channel.is_forum:
            raise CannotDoError("a forum has posts only")
        if not access.may(self.world, user, channel, "SEND_MESSAGES"):
            raise CannotDoError("you may not write here")
        if not content.strip() or len(content) > MAX_CONTENT:
            raise CannotDoError(f"a message has 1 to {MAX_CONTENT} characters")
        return self.writer.write(channel, user, Draft(content), {})

    def post(self, user: User, forum: Channel, name: str, content: str) -> Channel:
        """Write a post in a forum as the person."""
        if not forum.is_forum or not access.may(self.world, user, forum, "SEND_MESSAGES"):
            raise CannotDoError("you may not write posts here")
        post = Channel(self.world.ids.new(), PUBLIC_THREAD, name, parent=forum, owner_id=user.id)
        post.members[user.id] = moment(post.id)
        self.world.channels[post.id] = post
        self.world.publish("channel_create", post)
        self.writer.write(post, user, Draft(content), {}, first=True)
        return post

    def dismiss(self, user: User, message: Message) -> None:
        """Dismiss an ephemeral message."""
        if message.only_for is not user:
            raise CannotDoError("only an ephemeral message can be dismissed")
        message.dismissed = True
        self.world.publish("message_dismiss", message)

    def close_dms(self, user: User, *, closed: bool) -> None:
        """Close or open the person's DMs to the bot."""
        user.dms_closed = closed
        self.world.publish("dms", user)

    def set_locale(self, user: User, locale: str) -> None:
        """Set the language of the person's client."""
        if locale not in LOCALES:
            raise CannotDoError("Discord has no such language")
        user.locale = locale
        self.world.publish("locale", user)

    # Commands -------------------------------------------------------------------------------------

    def command(
        self,
        user: User,
        channel: Channel,
        command_id: int,
        options: list[Json],
        *,
        target_id: int | None = None,
        autocomplete: bool = False,
        nonce: str | None = None,
    ) -> Interaction:
        """Use a command, or request suggestions for its focused option."""
        command = self.world.commands.get(command_id)
        if command is None or command not in self.commands(user, channel):
            raise CannotDoError("this command is not offered here")
        if channel.is_forum:
            raise CannotDoError("commands run in the posts of a forum, not beside them")
        if channel.is_thread and channel.archived:
            raise CannotDoError("commands do not run in archived threads")
        if not access.may(self.world, user, channel, "USE_APPLICATION_COMMANDS"):
            raise CannotDoError("you may not use commands here")
        data: Json = {"id": str(command.id), "name": command.name, "type": command.type}
        if command.guild_id is not None:
            data["guild_id"] = str(command.guild_id)
        if command.type == 1:
            self._fill_in(data, command, user, channel, options, autocomplete=autocomplete)
        else:
            data |= self._target(command, user, channel, target_id)
        kind = AUTOCOMPLETE if autocomplete else COMMAND
        return self.interactions.open(kind, user, channel, data, nonce=nonce)

    def _fill_in(
        self,
        data: Json,
        command: RegisteredCommand,
        user: User,
        channel: Channel,
        options: list[Json],
        *,
        autocomplete: bool,
    ) -> None:
        typed = CommandOptions(self.world, user, channel, autocomplete=autocomplete)
        data["options"] = typed.check(command.data.get("options") or [], options)
        if typed.things:
            data["resolved"] = resolved(self.world, channel, typed.things)

    def _target(
        self, command: RegisteredCommand, user: User, channel: Channel, target_id: int | None
    ) -> Json:
        target: User | Message | None
        if command.type == 2:
            target = self.world.users.get(target_id or 0)
        else:
            target = channel.messages.get(target_id or 0)
            target = target if target is not None and self.sees(user, target) else None
        if target is None:
            raise CannotDoError("the target of this command was not found")
        return {"target_id": str(target.id), "resolved": resolved(self.world, channel, [target])}

    # Components -----------------------------------------------------------------------------------

    def component(
        self,
        user: User,
        message: Message,
        custom_id: str,
        values: list[str] | None = None,
        *,
        nonce: str | None = None,
    ) -> Interaction:
        """Press a button, or choose values of a select."""
        if not self.sees(user, message):
            raise CannotDoError("you do not see that message")
        components = walk(message.components)
        found = next((component for component in components if component.get("custom_id") == custom_id), None)
        if found is None:
            raise CannotDoError(f"the message has no component {custom_id!r}")
        if found.get("disabled"):
            raise CannotDoError("the component is disabled")
        data: Json = {"custom_id": custom_id, "component_type": found["type"], "id": found["id"]}
        if found["type"] in SELECTS:
            data |= self._chosen(message.channel, found, values or [])
        elif found["type"] != BUTTON or values:
            raise CannotDoError("a button takes no values")
        return self.interactions.open(COMPONENT, user, message.channel, data, message=message, nonce=nonce)

    def _chosen(self, channel: Channel, select: Json, values: list[str]) -> Json:
        low, high = select.get("min_values"), select.get("max_values") or 1
        low = 1 if low is None else low
        if not low <= len(values) <= high:
            raise CannotDoError(f"choose {low} to {high} values, not {len(values)}")
        if select["type"] == STRING_SELECT:
            return {"values": pick_options(select["options"], values)}
        things: list[User | GuildRole | Channel] = pick_things(self.world, channel.guild, select, values)
        return {
            "values": [str(thing.id) for thing in things],
            "resolved": resolved(self.world, channel, list(things)),
        }

    # Modals ---------------------------------------------------------------------------------------

    def submit(
        self, user: User, opener: Interaction, answers: dict[str, Any], *, nonce: str | None = None
    ) -> Interaction:
        """Submit a modal, with answers by custom_id; fields left out keep their prefilled values."""
        if opener.modal is None or opener.user is not user:
            raise CannotDoError("no such modal is open")
        filled = ModalAnswers(self.world, opener.channel.guild, answers)
        data: Json = {
            "custom_id": opener.modal["custom_id"],
            "components": filled.check(opener.modal["components"]),
        }
        if filled.things:
            data["resolved"] = resolved(self.world, opener.channel, filled.things)
        return self.interactions.open(
            SUBMIT, user, opener.channel, data, message=opener.message, opener=opener, nonce=nonce
        )
