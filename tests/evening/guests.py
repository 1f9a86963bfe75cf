"""The guests of an evening: each looks at what Discord shows, and presses what it offers, in character."""

import asyncio
import re
from dataclasses import dataclass, field
from random import Random

from playground.model import Message
from playground.person import BotAnswer, CannotDoError, Person
from playground.shown import Shown
from playground.world import World
from tests.e2e.players import (
    CLOSE,
    HAND,
    MORE,
    NEXT,
    Played,
    act,
    is_asked,
    panel_in_dm,
    press_tool,
    say,
    type_act,
)

REMATCH, LEDGER, BACK = (say(f"button.{key}") for key in ("rematch", "ledger", "back"))
PAUSED = "/marriage resume"
AGREES, REFUSES = re.compile("^mr1:agree:"), re.compile("^mr1:refuse:")
DEAL = re.compile(r"(?:Match \*\*\d+\*\* · d|D)eal \*\*\d+\*\*")
PLAYED = re.compile(r"(?:Match \*\*\d+\*\* · d|D)eal \*\*(\d+)\*\*")
TURN = r"\*\*{name}\*\*(?: draws| has drawn| showed)|waiting for [^\n]*{name}"
MOST_MOVES = 12
"""The most moves in one turn. More is a fault of the bot, or of a guest here."""


class Board:
    """The current state of one table, as anyone sees it who scrolls through the channel."""

    def __init__(self, world: World, number: int, home: str) -> None:
        self._world = world
        self._home = world.channel(home)
        self.number = number
        self._buttons = re.compile(rf"'mr1:(?!ledger|rules|league-|score-)[a-z-]+:{number}:")
        self._known: Message | None = None

    @property
    def message(self) -> Message | None:
        """The newest message with buttons of this table, or None."""
        if self._known is None or not self._is_live(self._known):
            places = [self._home, *self._world.threads(self._home)]
            live = [
                message for place in places for message in place.messages.values() if self._is_live(message)
            ]
            self._known = max(live, key=lambda message: message.id, default=None)
        return self._known

    def _is_live(self, message: Message) -> bool:
        public = message.only_for is None and message.author is self._world.bot and not message.deleted
        return public and self._buttons.search(repr(message.components)) is not None

    def seen_by(self, person: Person) -> Shown | None:
        """Return the message as this person sees it, or None if they do not see it."""
        message = self.message
        if message is None:
            return None
        try:
            return person.look(message)
        except CannotDoError:
            return None


@dataclass
class Guest:
    """A person at a table. Rounds are counted from the start of the evening."""

    person: Person
    board: Board
    chance: Random
    types: bool = False
    """Whether the guest types commands and never reads direct messages."""
    shuns_dms: bool = False
    naps: range = range(0)
    """The rounds in which the guest does nothing."""
    leaves: int | None = None
    gives_up: int | None = None
    """The round in which the guest asks the others to end the deal."""
    agreeable: bool = True
    enough: int = 2
    """After so many deals the guest goes home, if no number is agreed."""
    wants_rematch: bool = False
    gone: bool = False
    startled: int = 0
    came_back: bool = False
    """Whether the guest has just returned, to a seat that a computer may have taken."""
    asked_for: set[str] = field(default_factory=set)
    """The deals and matches that the guest has already requested."""

    def is_awake(self, number: int) -> bool:
        return not self.gone and number not in self.naps

    async def spend(self, number: int) -> int:
        """Do what there is to do in this round; return the number of moves."""
        if not self.is_awake(number):
            return 0
        try:
            return await self._spend(number)
        except CannotDoError:  # the button has changed just before the press
            self.startled += 1
            return 0

    async def _spend(self, number: int) -> int:
        if self.leaves is not None and number >= self.leaves:
            await self.leave()
            return 0
        shown = self.board.seen_by(self.person)
        if number == self.naps.stop and shown and shown.button(HAND) and self._first_time("back"):
            await self.person.press(HAND, message=shown)
            self.came_back = True
        if self.gives_up == number and self._first_time("give up"):
            await self.person.slash("marriage end")
            shown = self.board.seen_by(self.person)
        if shown is None and PAUSED in self._last_dm() and self._first_time("resume"):
            await self.person.slash("marriage resume")
        if shown is not None:
            await self._beside_the_game(shown)
        return await self._play()

    def _last_dm(self) -> str:
        panel = panel_in_dm(self.person)
        return panel.text if panel is not None else ""

    async def leave(self) -> None:
        self.gone = True
        await self.person.slash("marriage leave")

    async def _beside_the_game(self, shown: Shown) -> None:
        """Vote, and do what follows a deal; sometimes look at other things."""
        if shown.button(AGREES):
            if self._first_time(f"vote in {DEAL.findall(shown.text)[:1]}"):
                await self.person.press(AGREES if self.agreeable else REFUSES, message=shown)
            return
        played = PLAYED.search(shown.text)
        if played and shown.button(NEXT):
            await self._go_on(shown, int(played[1]))
        elif played and shown.button(REMATCH):
            await self._after_the_match(shown)
        elif self.chance.random() < 1 / 20:
            curious = [label for label in (LEDGER, MORE, HAND) if shown.button(label)]
            if curious:
                await self.person.press(self.chance.choice(curious), message=shown)

    async def _go_on(self, shown: Shown, played: int) -> None:
        if played >= self.enough and self._first_time(f"close after {played}"):
            more = (await self.person.press(MORE, message=shown)).message
            if more.button(CLOSE):
                await self.person.press(CLOSE, message=more)
                return
        if self._first_time(f"deal {played}"):
            await self.person.press(NEXT, message=shown)

    async def _after_the_match(self, shown: Shown) -> None:
        """Play one rematch if the guest wants one, and then go home."""
        if self.wants_rematch:
            if self._first_time("rematch"):
                await self.person.press(REMATCH, message=shown)
            self.wants_rematch = False
        elif self.chance.random() < 1 / 3:
            await press_tool(self.person, shown, CLOSE)

    def _first_time(self, what: str) -> bool:
        """Return True if this is new, and mark it as done."""
        new = what not in self.asked_for
        self.asked_for.add(what)
        return new

    async def _play(self) -> int:
        """Move while it is the guest's turn, mostly from one panel; return the number of moves."""
        panel, moves = await self._panel(), 0
        while panel is not None and is_asked(panel):
            moves += 1
            assert moves <= MOST_MOVES, f"{self.person} is asked again and again in {panel!r}"
            panel = (await self._move(panel)).panel
            if self.chance.random() < 1 / 20:
                panel = await self._other_device(panel)
        return moves

    async def _move(self, panel: Shown) -> Played:
        if self.types:
            return await type_act(self.person, panel)
        return await act(self.person, panel)

    async def _panel(self) -> Shown | None:
        """Return the panel to play from, if it is the guest's turn."""
        if not (self.types or self.shuns_dms):
            return panel_in_dm(self.person)
        shown = self.board.seen_by(self.person)
        name = re.escape(self.person.user.shown_name)
        if shown is None or not re.search(TURN.format(name=name), shown.text):
            return None
        if self.types:
            return _message(await self.person.slash("marriage hand"))
        return _message(await self.person.press(HAND, message=shown))

    async def _other_device(self, panel: Shown) -> Shown:
        """Continue from a panel opened elsewhere."""
        shown = self.board.seen_by(self.person)
        if shown is not None and shown.button(HAND):
            return _message(await self.person.press(HAND, message=shown))
        if panel.button(MORE):
            more = await self.person.press(MORE, message=panel)
            return _message(await self.person.press(BACK, message=more.message))
        return panel


def _message(answer: BotAnswer) -> Shown:
    return answer.message


async def spend_together(guests: list[Guest], number: int, chance: Random) -> int:
    """Play a round of one table: usually in some order, sometimes all at once.

    Raises the error of one guest, once the others have finished too.
    """
    order = chance.sample(guests, len(guests))
    if chance.random() < 1 / 6:
        outcomes = await asyncio.gather(*(guest.spend(number) for guest in order), return_exceptions=True)
        for fault in [outcome for outcome in outcomes if isinstance(outcome, BaseException)]:
            raise fault
        return sum([outcome for outcome in outcomes if isinstance(outcome, int)])
    return sum([await guest.spend(number) for guest in order])
