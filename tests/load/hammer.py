"""One member who presses one thing thirty times a second, whatever the answer, while the others play."""

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from playground.client.command_options import CannotDoError
from playground.model import Message
from tests.load.crowd import Crowd
from tests.load.judging import anything, say
from tests.load.measuring import Step
from tests.load.panels import Choice, offers
from tests.load.presses import Aim, Press, Presses
from tests.load.stages import Stage
from tests.load.tables import Player, Table, forget

PER_SECOND = 30
SLOW_DOWN = say("error.slow_down")
MOST_MOVES, MOST_TRIES, PAUSE_S = 60, 20, 0.5
OPENED_BY = {"learn again": ("learn", "learn-again"), "data export": ("privacy", "export")}
"""The commands, and the button to press on the message that each one answers with."""
DEEDS = (
    "hand",
    "hint",
    "replay step",
    "animation",
    "learn",
    "learn again",
    "history",
    "leaderboard",
    "data export",
    "forget me",  # the last one: it takes the member from their table
)


@dataclass
class Hammered:
    """The result of hammering one thing: for the others, for the member, and for the bot's memory."""

    deed: str
    others: Step
    pressed: int
    answered: int
    turned_away: int
    """The number of presses answered with a request to slow down."""
    rss_before_mb: float


class Hammer:
    """The member: a player at a table with a computer, who does nothing else.

    The first table has a deal to replay.
    """

    def __init__(self, stage: Stage, crowd: Crowd) -> None:
        self._stage = stage
        self._tables = crowd.tables
        self._presses = Presses(stage.discord.services)
        self._finished, *others = self._tables.all
        own = next(table for table in others if table.computers)  # a hint is offered only next to a computer
        self._player: Player = own.people[0]
        self._opened: Message | None = None
        self._counts: Counter[str] = Counter()

    async def get_ready(self) -> None:
        """Play the first deal to its end, so that there is one to be replayed, and leave that table alone."""
        crowd = Crowd(self._presses, _OneTable(self._finished), self._stage.chance)
        for _ in range(MOST_MOVES):
            if "replay" in self._finished.offered:
                break
            press = crowd.move(self._stage.now())
            await (asyncio.sleep(0.1) if press is None else press.ended)
        else:
            raise RuntimeError("the deal that is to be replayed does not end")
        for player in (*self._finished.people, self._player):
            self._tables.players.remove(player)
        self._tables.all.remove(self._finished)

    async def hammer(self, deed: str, rate: float, seconds: float) -> Hammered:
        """Hammer one thing while the others press at their rate."""
        await self._open(deed)
        press = self._way(deed)
        self._counts.clear()
        before = (await self._stage.asking.figures())["rss_mb"]
        hammering = asyncio.create_task(self._strike(press))
        others = await self._stage.measure(rate, seconds)
        hammering.cancel()
        await asyncio.wait([hammering])
        counts = self._counts
        return Hammered(deed, others, counts["pressed"], counts["answered"], counts["turned away"], before)

    async def _strike(self, press: Callable[[], object]) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time()
        while True:
            try:
                press()
                self._counts["pressed"] += 1
            except CannotDoError:
                self._counts["not there"] += 1  # the message is just being changed
            due += 1 / PER_SECOND
            await asyncio.sleep(max(0.0, due - loop.time()))

    # What there is to hammer ----------------------------------------------------------------------

    async def _open(self, deed: str) -> None:
        """Open the message to hammer on, if there is one."""
        if deed in {"replay step", "animation"}:
            await self._opened_by(lambda: self._on(self._finished.message, "replay", self._keep))
        elif deed == "forget me":
            await self._opened_by(lambda: self._type("privacy", self._keep))
            await self._opened_by(lambda policy=self._opened: self._on(policy, "forget", self._keep))
        elif deed in OPENED_BY:
            await self._opened_by(lambda: self._type(OPENED_BY[deed][0], self._keep))

    async def _opened_by(self, press: Callable[[], Press]) -> None:
        """Press until it is answered. The member may still be asked to slow down."""
        for _ in range(MOST_TRIES):
            opening = await press().ended
            if not opening.fault:
                return
            await asyncio.sleep(PAUSE_S)
        raise RuntimeError(f"{opening.verb}: {opening.fault}")

    def _way(self, deed: str) -> Callable[[], object]:
        player = self._player
        match deed:
            case "hand":
                return lambda: self._on(player.table.message, "hand")
            case "hint":
                return lambda: self._on(player.hand, "hint")
            case "replay step":
                return lambda: self._on(self._opened, "replay")
            case "animation":
                return lambda: self._on(self._opened, "animate")
            case "forget me":
                return lambda: self._on(self._opened, "forget-sure")
            case "learn again" | "data export":
                return lambda: self._on(self._opened, OPENED_BY[deed][1])
            case _:
                return lambda: self._type(deed)

    def _on(self, message: Message | None, verb: str, then: Callable[..., None] | None = None) -> Press:
        offered = offers(message)
        if message is None or verb not in offered:
            raise CannotDoError(f"there is no {verb}")
        aim = Aim("hammer", anything, then or self._count)
        return self._presses.press(aim, self._player.user, message, Choice(offered[verb]))

    def _type(self, command: str, then: Callable[..., None] | None = None) -> Press:
        aim = Aim("hammer", anything, then or self._count)
        return self._presses.command(aim, self._player.user, self._player.table.channel, command)

    def _keep(self, _press: Press, message: Message | None) -> None:
        self._opened = message

    def _count(self, press: Press, message: Message | None) -> None:
        if press.complete is not None:
            self._counts["turned away" if press.fault.startswith(SLOW_DOWN[:20]) else "answered"] += 1
        if message is not None and message.only_for is not None and message is not self._opened:
            forget(message)


class _OneTable:
    """The tables as a crowd of one table sees them."""

    def __init__(self, table: Table) -> None:
        self.all = [table]
        self.players = table.people
