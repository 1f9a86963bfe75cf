"""Pending presses: opened without waiting, timed until they are answered, and judged."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from playground.interactions import THINK, UPDATE, UPDATE_LATER
from playground.model import Channel, Interaction, Message, User, WorldChange
from playground.services import PlaygroundServices
from tests.load.panels import Choice

Judge = Callable[["Press", Message | None], str]
"""Returns what is wrong with an answer, or an empty text if it is right."""
Sequel = Callable[["Press", Message | None], None]
"""Updates the person after the press, whether or not it was answered."""


def nothing_follows(_press: "Press", _message: Message | None) -> None:
    """Do nothing after the press."""


@dataclass(frozen=True)
class Aim:
    """The purpose of a press: its kind in the report, the judge of its answer, and what follows."""

    kind: str
    judge: Judge
    then: Sequel = nothing_follows


@dataclass(eq=False)
class Press:
    """One press. All times are in seconds of the loop's clock."""

    aim: Aim
    user: User
    verb: str
    revision: int
    """The table's revision that the pressed message shows."""
    due: float
    """When it should have been pressed; the generator's delay counts as waiting too."""
    opened: float
    interaction: Interaction
    ended: asyncio.Future["Press"]
    acknowledged: float | None = None
    complete: float | None = None
    fault: str = ""
    """What went wrong: no answer in time, or the wrong answer."""


@dataclass
class Presses:
    """Opens interactions and receives their answers."""

    services: PlaygroundServices
    all: list[Press] = field(default_factory=list)
    """All presses since the list was last cleared."""
    _open: dict[int, Press] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.services.world.subscribe(self._hear)

    @property
    def under_way(self) -> int:
        return len(self._open)

    def press(
        self, aim: Aim, user: User, message: Message, choice: Choice, due: float | None = None
    ) -> Press:
        """Press a button or choose in a select.

        Raises CannotDoError if Discord's client would not allow it.
        """
        opened, offer = self._loop.time(), choice.offer
        interaction = self.services.actions.component(
            user, message, offer.custom_id, list(choice.values) or None
        )
        return self._add(aim, interaction, offer.verb, offer.revision, due or opened, opened)

    def command(self, aim: Aim, user: User, channel: Channel, name: str, due: float | None = None) -> Press:
        """Type a command of one or two words without options."""
        first, *second = name.split()
        opened = self._loop.time()
        command = next(command for command in self.services.world.commands.values() if command.name == first)
        typed = [{"name": word, "options": []} for word in second]
        interaction = self.services.actions.command(user, channel, command.id, typed)
        return self._add(aim, interaction, f"/{name}", 0, due or opened, opened)

    def _add(
        self, aim: Aim, interaction: Interaction, verb: str, revision: int, due: float, opened: float
    ) -> Press:
        ended = self._loop.create_future()
        press = Press(aim, interaction.user, verb, revision, due, opened, interaction, ended)
        self._open[interaction.id] = press
        self.all.append(press)
        return press

    # Answers --------------------------------------------------------------------------------------

    def _hear(self, change: WorldChange) -> None:
        if change.kind == "interaction_update":
            press = self._open.get(change.subject.id)
            if press is not None and press.acknowledged is None:
                self._answered(press)
        elif change.kind == "interaction_followed" and (press := self._open.get(change.subject.id)):
            self._end(press, change.subject.followed)

    def _answered(self, press: Press) -> None:
        interaction = press.interaction
        if interaction.state == "failed":
            press.fault = interaction.refusal
            self._end(press, None)
            return
        press.acknowledged = self._loop.time()
        if interaction.callback_type not in (THINK, UPDATE_LATER):
            is_update = interaction.callback_type == UPDATE
            self._end(press, interaction.message if is_update else interaction.response)

    def _end(self, press: Press, message: Message | None) -> None:
        self._open.pop(press.interaction.id, None)
        if not press.fault:
            press.complete = self._loop.time()
            press.fault = press.aim.judge(press, message)
        press.aim.then(press, message)
        press.ended.set_result(press)

    def give_up(self) -> None:
        """Wait no longer for answers that were announced and have not come."""
        for press in list(self._open.values()):
            press.fault = "announced, never completed"
            self._end(press, None)
