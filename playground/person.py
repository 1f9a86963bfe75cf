"""Virtual people for tests. They can do only what a person can do in Discord's client.

    async with Playground() as discord:                 # with the bot running against discord.api_url
        asha, bikram = discord.person("asha"), discord.person("bikram")
        await discord.bot_ready("marriage")             # the gateway is identified, /marriage is registered

        answer = await asha.slash("marriage play", seats=4, opponent=bikram)
        answer.message.text                             # a Shown (shown.py): text, buttons, selects, files, ephemeral
        await bikram.press("Join")                      # the newest message in their channel with that button
        await asha.press(re.compile(r":start:"), message=answer.message)          # custom_id or label by pattern
        await asha.choose("Your hand", ["7♠"])          # select by placeholder or custom_id; values or labels
        await asha.choose("Opponent", [bikram])         # user, role and channel selects: people, names, ids
        await asha.press("Rules")                       # opens a modal ...
        await asha.submit({"Points": "100", "Dublee": True})      # ... answered by label or custom_id
        await asha.autocomplete("marriage join", table="cha", focused="table")   # [{"name": ..., "value": ...}]
        await asha.user_command("Challenge to Marriage", bikram)
        await asha.message_command("Report", answer.message)

        asha.messages("marriage"); asha.dm(); asha.last()         # lists of Shown, oldest first; the newest one
        asha.say("hello", channel="general")
        await asha.sees("Your turn")                    # waits for a message with that text, returns it
        await asha.sees(re.compile("turn"), channel=asha.dm_channel)
        await asha.wait_for(lambda: asha.last().button("Draw"), timeout=5)       # any condition; returns its value

A person is in one channel, `#marriage` of the first guild at first: `asha.go("general")`, `asha.go(asha.dm_channel)`,
`asha.go(thread)`, `asha.go(world.channel("marriage", guild))`. Names are looked for in the guild in which they are.
Commands and presses happen there unless `channel=` or `message=` says otherwise.

Each action waits for the bot's answer: a deferred one until it is complete (`wait=False`: only until it is acknowledged).
It returns an `BotAnswer`: `.type` (4 message, 5 deferred, 6 and 7 update, 8 choices, 9 modal), `.message` (the message created
or updated), `.modal`. Three exceptions are raised: `CannotDoError`, when the person's client does not offer the action (no
such button, disabled, not among the options, a required field empty); `NotAnsweredError`, when the bot does not answer in
time ("This interaction failed"); `TimeoutError`, when a condition does not become true, with what the person sees.
"""

import asyncio
import re
from collections.abc import Callable
from typing import Any, TypeVar

from playground import access
from playground.client import modal_answers
from playground.client.command_options import CannotDoError
from playground.interactions import UPDATE, UPDATE_LATER
from playground.model import Channel, GuildRole, Interaction, Message, RegisteredCommand, Upload, User
from playground.payloads import Json, is_array
from playground.services import PlaygroundServices
from playground.shown import Shown, Wanted, fits

T = TypeVar("T")
PATIENCE = 5.0
Where = Channel | str | int | None


class NotAnsweredError(Exception):
    """The bot did not answer in time, so the person reads "This interaction failed"."""


class BotAnswer:
    """The bot's answer to one action."""

    def __init__(self, person: "Person", interaction: Interaction) -> None:
        self.person = person
        self.interaction = interaction

    @property
    def type(self) -> int:
        """4 message, 5 deferred, 6 and 7 update of the message, 8 choices, 9 modal."""
        return self.interaction.callback_type or 0

    @property
    def modal(self) -> Json | None:
        """The modal that was opened."""
        return self.interaction.modal

    @property
    def _message(self) -> Message | None:
        if self.type == UPDATE_LATER:
            return self.interaction.followed
        return self.interaction.message if self.type == UPDATE else self.interaction.response

    @property
    def message(self) -> Shown:
        """The message created or updated, as it looks now (for type 6 the one that followed).

        Raises CannotDoError if there is none.
        """
        message = self._message
        if message is None or message.deleted:
            raise CannotDoError("the bot answered with no message")
        return Shown(self.person.world, message)

    @property
    def followups(self) -> list[Shown]:
        """The follow-up messages that still exist."""
        return [
            Shown(self.person.world, message) for message in self.interaction.followups if not message.deleted
        ]

    @property
    def complete(self) -> bool:
        """Whether no message is "thinking…" any more and every deferred update has arrived."""
        message = self._message
        if message is None:
            return self.type != UPDATE_LATER
        return message.deleted or not message.is_loading


class Person:
    """A virtual person; the docstring of the module shows how to use one."""

    def __init__(self, services: PlaygroundServices, user: User) -> None:
        self.services = services
        self.world = services.world
        self.actions = services.actions
        self.user = user
        self.channel: Channel = self.world.channel("marriage")
        self._form: Interaction | None = None

    def __repr__(self) -> str:
        return f"<{self.user.name} in {self.channel.name or 'DM'}>"

    @property
    def id(self) -> int:
        """The user's id."""
        return self.user.id

    @property
    def mention(self) -> str:
        """The text that mentions this person."""
        return f"<@{self.user.id}>"

    # Reading --------------------------------------------------------------------------------------

    def go(self, channel: Where) -> "Person":
        """Go to another channel, thread or DM that this person can see."""
        self.channel = self._channel(channel)
        return self

    @property
    def dm_channel(self) -> Channel:
        """The DM with the bot."""
        return self.world.dm_channel(self.user)

    def _channel(self, which: Where) -> Channel:
        channel = self.channel if which is None else self.world.channel(which, self.channel.guild)
        if not access.may_see(self.world, self.user, channel):
            raise CannotDoError(f"{self.user.name} sees no channel {which!r}")
        return channel

    def messages(self, channel: Where = None) -> list[Shown]:
        """Return the messages that this person can read in a channel, oldest first."""
        return [Shown(self.world, message) for message in self._readable(channel)]

    def _readable(self, channel: Where) -> list[Message]:
        return self.actions.messages(self.user, self._channel(channel))

    def dm(self) -> list[Shown]:
        """Return the DM with the bot, oldest first."""
        return self.messages(self.dm_channel)

    def last(self, channel: Where = None) -> Shown:
        """Return the newest message; raises CannotDoError in an empty channel."""
        messages = self._readable(channel)
        if not messages:
            raise CannotDoError(f"{self.user.name} sees no message")
        return Shown(self.world, messages[-1])

    def look(self, message: Shown | Message | int) -> Shown:
        """Return a message as it looks now; raises CannotDoError if this person cannot see it."""
        number = message if isinstance(message, int) else message.id
        for channel in self.world.channels.values():
            found = channel.messages.get(number)
            if found is not None and self.actions.sees(self.user, found):
                return Shown(self.world, found)
        raise CannotDoError(f"{self.user.name} does not see message {number}")

    def find(self, text: Wanted, channel: Where = None) -> Shown | None:
        """Return the newest message that contains a text or matches a pattern."""
        pattern = re.compile(re.escape(text)) if isinstance(text, str) else text
        newest_first = (Shown(self.world, message) for message in reversed(self._readable(channel)))
        return next((shown for shown in newest_first if pattern.search(shown.text)), None)

    def commands(self, channel: Where = None) -> list[str]:
        """Return the names of the commands offered in a channel."""
        return [command.name for command in self.actions.commands(self.user, self._channel(channel))]

    # Waiting --------------------------------------------------------------------------------------

    async def wait_for(self, condition: Callable[[], T], timeout: float = PATIENCE) -> T:  # noqa: ASYNC109 - the error names it
        """Wait until a condition is true, checked after each change of the world, and return its value."""
        try:
            async with asyncio.timeout(timeout):
                while not (value := condition()):
                    await self.world.changed()
                return value
        except TimeoutError:
            raise TimeoutError(
                f"not within {timeout} s; {self.user.name} sees {self.messages()[-5:]}"
            ) from None

    async def sees(self, text: Wanted, channel: Where = None, timeout: float = PATIENCE) -> Shown:  # noqa: ASYNC109 - as above
        """Wait for a message that contains a text or matches a pattern, and return it."""
        found = await self.wait_for(lambda: self.find(text, channel), timeout)
        if found is None:
            raise CannotDoError("unreachable: wait_for returns true values only")
        return found

    async def _answer(self, interaction: Interaction, *, wait: bool) -> BotAnswer:
        """Wait for the bot's answer, and keep the modal that it may open."""
        await self.wait_for(
            lambda: interaction.state != "waiting", self.services.interactions.deadline + PATIENCE
        )
        if interaction.state == "failed":
            raise NotAnsweredError(f"this interaction failed: {interaction.refusal}")
        answer = BotAnswer(self, interaction)
        if interaction.modal is not None:
            self._form = interaction
        if wait:
            await self.wait_for(lambda: answer.complete)
        return answer

    # Writing and using commands -------------------------------------------------------------------

    def say(self, content: str, channel: Where = None) -> Shown:
        """Write a message."""
        return Shown(self.world, self.actions.say(self.user, self._channel(channel), content))

    def post(self, forum: Where, name: str, content: str = "Hello") -> Channel:
        """Write a post in a forum."""
        return self.actions.post(self.user, self._channel(forum), name, content)

    def close_dms(self, *, closed: bool = True) -> None:
        """Close (or open) this person's DMs to the bot."""
        self.actions.close_dms(self.user, closed=closed)

    async def slash(
        self, name: str, *, channel: Where = None, wait: bool = True, **options: Any
    ) -> BotAnswer:
        """Use a slash command: `slash("marriage play", seats=4)`.

        An option is a string, a number, a boolean, a Person, User, Role or Channel, or an Upload.
        """
        place = self._channel(channel)
        command, nested = self._nested_options(name, place, options)
        interaction = self.actions.command(self.user, place, command.id, nested)
        return await self._answer(interaction, wait=wait)

    async def autocomplete(
        self, name: str, *, focused: str, channel: Where = None, **options: Any
    ) -> list[Json]:
        """Return the suggestions for the focused option, given the other options."""
        place = self._channel(channel)
        options.setdefault(focused, "")
        command, nested = self._nested_options(name, place, options, focused=focused)
        interaction = self.actions.command(self.user, place, command.id, nested, autocomplete=True)
        await self._answer(interaction, wait=False)
        return interaction.choices

    def _nested_options(
        self, name: str, place: Channel, options: dict[str, Any], focused: str | None = None
    ) -> tuple[RegisteredCommand, list[Json]]:
        """Return the named command, and the options nested under the subcommands in the name."""
        first, *inner = name.removeprefix("/").split()
        command = self._command(first, 1, place)
        given: list[Json] = [
            {"name": key, "value": plain(value), **({"focused": True} if key == focused else {})}
            for key, value in options.items()
        ]
        for word in reversed(inner):
            given = [{"name": word, "options": given}]
        return command, given

    def _command(self, name: str, kind: int, place: Channel) -> RegisteredCommand:
        offered = {
            command.name: command
            for command in self.actions.commands(self.user, place)
            if command.type == kind
        }
        if name not in offered:
            raise CannotDoError(f"{self.user.name} is offered no {name!r}, but {list(offered)}")
        return offered[name]

    async def user_command(self, name: str, target: "Person | User", *, channel: Where = None) -> BotAnswer:
        """Use a command from the menu of a user."""
        place = self._channel(channel)
        command = self._command(name, 2, place)
        interaction = self.actions.command(self.user, place, command.id, [], target_id=target.id)
        return await self._answer(interaction, wait=True)

    async def message_command(self, name: str, target: Shown | Message) -> BotAnswer:
        """Use a command from the menu of a message."""
        place = self.look(target).message.channel
        command = self._command(name, 3, place)
        interaction = self.actions.command(self.user, place, command.id, [], target_id=target.id)
        return await self._answer(interaction, wait=True)

    # Components and modals ------------------------------------------------------------------------

    async def press(
        self,
        wanted: Wanted,
        *,
        message: Shown | Message | int | None = None,
        channel: Where = None,
        wait: bool = True,
    ) -> BotAnswer:
        """Press a button, named by its label, emoji or custom_id, or by a pattern for one of them."""
        candidates = [self.look(message)] if message is not None else self.messages(channel)[::-1]
        found = [
            (shown, button) for shown in candidates for button in shown.buttons if button.is_called(wanted)
        ]
        if not found:
            raise CannotDoError(f"{self.user.name} sees no button {wanted!r} in {candidates[:5]}")
        usable = [pair for pair in found if not pair[1].disabled and pair[1].custom_id]
        if not usable:
            raise CannotDoError(f"{wanted!r} is disabled or a link, in {found[0][0]!r}")
        shown, button = usable[0]
        interaction = self.actions.component(self.user, shown.message, button.custom_id or "")
        return await self._answer(interaction, wait=wait)

    async def choose(
        self,
        wanted: Wanted,
        values: list[Any],
        *,
        message: Shown | Message | int | None = None,
        channel: Where = None,
        wait: bool = True,
    ) -> BotAnswer:
        """Choose values, labels, people or ids in a select, named by its placeholder or custom_id."""
        candidates = [self.look(message)] if message is not None else self.messages(channel)[::-1]
        found = [
            (shown, select) for shown in candidates for select in shown.selects if select.is_called(wanted)
        ]
        if not found:
            raise CannotDoError(f"{self.user.name} sees no select {wanted!r} in {candidates[:5]}")
        shown, select = found[0]
        chosen = [str(plain(value)) for value in values]
        interaction = self.actions.component(self.user, shown.message, select.custom_id, chosen)
        return await self._answer(interaction, wait=wait)

    @property
    def form(self) -> Json | None:
        """The modal that this person has open: custom_id, title, components."""
        return self._form.modal if self._form else None

    async def submit(self, answers: dict[str, Any] | None = None, *, wait: bool = True) -> BotAnswer:
        """Submit the open modal, with answers by label or custom_id; other fields keep their prefilled values."""
        if self._form is None or self._form.modal is None:
            raise CannotDoError(f"{self.user.name} has no modal open")
        fields = modal_answers.fields(self._form.modal["components"])
        named: dict[str, Any] = {}
        for key, value in (answers or {}).items():
            found = [field["custom_id"] for label, field in fields if fits(key, label, field["custom_id"])]
            if len(found) != 1:
                raise CannotDoError(
                    f"the modal has no single field {key!r}, but {[label for label, _ in fields]}"
                )
            named[found[0]] = [plain(item) for item in value] if is_array(value) else value
        interaction = self.actions.submit(self.user, self._form, named)
        answer = await self._answer(interaction, wait=wait)
        self._form = None
        return answer

    def dismiss(self, message: Shown | Message) -> None:
        """Dismiss an ephemeral message."""
        self.actions.dismiss(self.user, self.look(message).message)


def plain(value: Any) -> Any:
    """Return the value of an option as Discord sends it: people, roles and channels become their ids."""
    if isinstance(value, (Person, User, GuildRole, Channel)):
        return str(value.id)
    return value


__all__ = ["BotAnswer", "CannotDoError", "NotAnsweredError", "Person", "Shown", "Upload"]
