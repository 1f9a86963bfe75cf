"""What a person can do, and nothing else: the page and the virtual people of the tests both act through here."""

from typing import Any

from playground import access, permissions
from playground.command_input import CannotDo, CommandInput
from playground.form_input import FormInput, pick_options, pick_things
from playground.interaction_objects import resolved
from playground.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT, Interactions
from playground.messages import Post, walk
from playground.model import Channel, Command, Interaction, Message, Role, User
from playground.payloads import Json
from playground.rules_components import BUTTON, SELECTS, STRING_SELECT
from playground.rules_messages import Draft
from playground.rules_translations import LOCALES
from playground.world import World

MOST_TYPED = 2000
GUILD_CONTEXT, DM_CONTEXT = 0, 1


class Actions:
    """Acts for a person, on what that person's view shows; CannotDo where it does not show it."""

    def __init__(self, world: World, post: Post, interactions: Interactions) -> None:
        self.world = world
        self.post = post
        self.interactions = interactions

    # Seeing --------------------------------------------------------------------------------------

    def channels(self, user: User) -> list[Channel]:
        """Return the channels on the person's list, his DM with the bot included."""
        return [one for one in self.world.channels.values() if access.may_see(self.world, user, one)]

    def sees(self, user: User, message: Message) -> bool:
        """Tell whether the person has this message before his eyes."""
        if message.deleted or (
            message.only_for is not None and (message.only_for is not user or message.dismissed)
        ):
            return False
        return access.may(self.world, user, message.channel, "READ_MESSAGE_HISTORY")

    def messages(self, user: User, channel: Channel) -> list[Message]:
        """Return what the person reads in a channel, oldest first."""
        return [message for message in channel.messages.values() if self.sees(user, message)]

    def commands(self, user: User, channel: Channel | None = None) -> list[Command]:
        """Return the commands the person is offered, in a channel or anywhere."""
        return [one for one in self.world.commands.values() if self._offered(one, user, channel)]

    def _offered(self, command: Command, user: User, channel: Channel | None) -> bool:
        """Tell whether the command's contexts and permissions let this person use it here."""
        contexts = command.data.get("contexts") or [GUILD_CONTEXT, DM_CONTEXT]
        if channel is not None and channel.is_dm:
            in_dms = DM_CONTEXT in contexts and command.data.get("dm_permission") is not False
            return command.guild_id is None and in_dms
        if not self.world.bot.member or (channel is not None and GUILD_CONTEXT not in contexts):
            return False
        needed = command.data.get("default_member_permissions")
        held = access.of_member(self.world, user)
        # "0" is nobody but administrators; so administrators come first.
        return (
            needed is None or held == permissions.ALL or (needed != "0" and held & int(needed) == int(needed))
        )

    # Saying --------------------------------------------------------------------------------------

    def say(self, user: User, channel: Channel, content: str) -> Message:
        """Write a message as the person."""
        if not access.may(self.world, user, channel, "SEND_MESSAGES"):
            raise CannotDo("you may not write here")
        if not content.strip() or len(content) > MOST_TYPED:
            raise CannotDo(f"a message has 1 to {MOST_TYPED} characters")
        return self.post.write(channel, user, Draft(content), {})

    def dismiss(self, user: User, message: Message) -> None:
        """Put away an ephemeral message."""
        if message.only_for is not user:
            raise CannotDo("only a message that only you see can be dismissed")
        message.dismissed = True
        self.world.publish("message_dismiss", message)

    def close_dms(self, user: User, *, closed: bool) -> None:
        """Close or open the person's DMs to the bot."""
        user.dms_closed = closed
        self.world.publish("dms", user)

    def set_locale(self, user: User, locale: str) -> None:
        """Set the language of the person's Discord client."""
        if locale not in LOCALES:
            raise CannotDo("Discord has no such language")
        user.locale = locale
        self.world.publish("locale", user)

    # Commands ------------------------------------------------------------------------------------

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
        """Use a command, or ask for the suggestions of its focused option."""
        command = self.world.commands.get(command_id)
        if command is None or command not in self.commands(user, channel):
            raise CannotDo("this command is not offered here")
        if channel.is_thread and channel.archived:
            raise CannotDo("commands do not run in archived threads")
        if not access.may(self.world, user, channel, "USE_APPLICATION_COMMANDS"):
            raise CannotDo("you may not use commands here")
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
        command: Command,
        user: User,
        channel: Channel,
        options: list[Json],
        *,
        autocomplete: bool,
    ) -> None:
        typed = CommandInput(self.world, user, channel, autocomplete=autocomplete)
        data["options"] = typed.check(command.data.get("options") or [], options)
        if typed.things:
            data["resolved"] = resolved(self.world, channel, typed.things)

    def _target(self, command: Command, user: User, channel: Channel, target_id: int | None) -> Json:
        target: User | Message | None
        if command.type == 2:
            target = self.world.users.get(target_id or 0)
        else:
            target = channel.messages.get(target_id or 0)
            target = target if target is not None and self.sees(user, target) else None
        if target is None:
            raise CannotDo("there is nothing to use this command on")
        return {"target_id": str(target.id), "resolved": resolved(self.world, channel, [target])}

    # Components ----------------------------------------------------------------------------------

    def component(
        self,
        user: User,
        message: Message,
        custom_id: str,
        values: list[str] | None = None,
        *,
        nonce: str | None = None,
    ) -> Interaction:
        """Press a button or choose in a select."""
        if not self.sees(user, message):
            raise CannotDo("you do not see that message")
        found = next((one for one in walk(message.components) if one.get("custom_id") == custom_id), None)
        if found is None:
            raise CannotDo(f"the message shows no component {custom_id!r}")
        if found.get("disabled"):
            raise CannotDo("it is disabled")
        data: Json = {"custom_id": custom_id, "component_type": found["type"], "id": found["id"]}
        if found["type"] in SELECTS:
            data |= self._chosen(message.channel, found, values or [])
        elif found["type"] != BUTTON or values:
            raise CannotDo("a button takes no values")
        return self.interactions.open(COMPONENT, user, message.channel, data, message=message, nonce=nonce)

    def _chosen(self, channel: Channel, select: Json, values: list[str]) -> Json:
        low, high = select.get("min_values"), select.get("max_values") or 1
        low = 1 if low is None else low
        if not low <= len(values) <= high:
            raise CannotDo(f"choose {low} to {high}, not {len(values)}")
        if select["type"] == STRING_SELECT:
            return {"values": pick_options(select["options"], values)}
        things: list[User | Role | Channel] = pick_things(self.world, select, values)
        named = resolved(self.world, channel, list(things))
        return {"values": [str(thing.id) for thing in things], "resolved": named}

    # Forms ---------------------------------------------------------------------------------------

    def submit(
        self, user: User, opener: Interaction, answers: dict[str, Any], *, nonce: str | None = None
    ) -> Interaction:
        """Send a form the bot opened, with answers by custom_id; fields left out keep their prefilled value."""
        if opener.modal is None or opener.user is not user:
            raise CannotDo("no such form is open")
        filled = FormInput(self.world, answers)
        data: Json = {
            "custom_id": opener.modal["custom_id"],
            "components": filled.check(opener.modal["components"]),
        }
        if filled.things:
            data["resolved"] = resolved(self.world, opener.channel, filled.things)
        return self.interactions.open(
            SUBMIT, user, opener.channel, data, message=opener.message, opener=opener, nonce=nonce
        )
