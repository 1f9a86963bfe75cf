"""People who play whole deals, and meanwhile press and type whatever else is offered."""

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from playground.person import CannotDoError, NotAnsweredError, Person
from playground.shown import Shown
from playground.world import World
from tests.e2e.players import is_asked, panel_in_dm, press_tool, write_rules
from tests.evening.guests import Board, Guest

# Matched by custom ids, because a table speaks the language that its players share.
COMPUTER, HAND, JOIN, READY, START, NEXT, CLOSE, MORE = (
    re.compile(rf"mr1:{verb}:")
    for verb in ("computer", "hand", "join", "ready", "start", "next", "close", "table-more")
)
PLAYED = re.compile(r"mr1:replay:\d+:(\d+)")
"""The button of a replay, which names the deal that is over."""
MOVES = re.compile(
    r"mr1:(?:draw|take|discard|pick-discard|show|dublees|cut|finish|decline|expose|pick-expose|pick-show|leave|quit|close|next"
    r"|rematch|start|end|agree|refuse|claim|dms|retry|forget|erase|sit|stand|ready|words|pick-claim|leave-deal|away|play-now|foul"
    r"|pick-foul|private|kick|manage|pick-rule|pick-lang|settings|pick-settings|setup|pick-setup|privacy)[a-z-]*:"
)
"""Verbs that change the course of a deal or personal settings; only players press them, not the curious."""
ASKED = (
    "marriage hand",
    "marriage rules",
    "marriage tables",
    "marriage replay",
    "history",
    "analyse",
    "verify",
    "profile",
    "leaderboard",
    "export deals",
    "fairplay",
    "puzzle",
    "daily",
    "help",
    "learn",
    "league standings",
    "league pods",
    "league-staff season export",
    "score sheet",
)
"""Commands that anyone may type at any time; a person who is not offered one types nothing."""
_IDLE = 3
COMPLETED = (("marriage discard", "card"), ("marriage tunnela", "card"), ("marriage play", "rules"))


@dataclass
class Curious:
    """Looks at everything that a person sees, and presses or types some of it."""

    person: Person
    chance: Random
    board: Board
    pressed: int = 0

    async def look(self) -> None:
        """Try one thing at random; ignore it if it is gone by then."""
        with suppress(CannotDoError, NotAnsweredError):
            match self.chance.randrange(4):
                case 0:
                    await self._type()
                case 1:
                    name, option = self.chance.choice(COMPLETED)
                    await self.person.autocomplete(
                        name, focused=option, **{option: self.chance.choice(("", "5", "A", "s"))}
                    )
                case _:
                    await self._press(self.chance.choice(self._messages()))
            self.pressed += 1

    def _messages(self) -> list[Shown]:
        """Return the table, the hand, and messages shown only to this person."""
        seen = self.person.actions.messages(self.person.user, self.person.channel)
        own = [message for message in seen if message.only_for is not None][-3:]
        found = [self.board.seen_by(self.person), panel_in_dm(self.person), *map(self.person.look, own)]
        return [message for message in found if message is not None] or [self.person.last()]

    async def _type(self) -> None:
        await self.person.slash(self.chance.choice(ASKED))

    async def _press(self, message: Shown) -> None:
        buttons = [
            button
            for button in message.buttons
            if button.custom_id and not button.disabled and not MOVES.match(button.custom_id)
        ]
        selects = [
            select
            for select in message.selects
            if select.options and not select.disabled and not MOVES.match(select.custom_id)
        ]
        if selects and self.chance.random() < 1 / 3:
            select = self.chance.choice(selects)
            most = self.chance.randint(max(1, select.min_values), max(1, min(3, select.max_values)))
            values = self.chance.sample(select.values, min(most, len(select.values)))
            await self.person.choose(select.custom_id, values, message=message)
        elif buttons:
            await self.person.press(self.chance.choice(buttons).custom_id or "", message=message)


@dataclass
class Player(Guest):
    """A guest at a table of any language, who opens their hand anew where curiosity has left it at something else."""

    idle: int = 0
    """How many looks in a row found nothing to do."""

    async def _beside_the_game(self, shown: Shown) -> None:
        replay = shown.button(PLAYED)
        found = PLAYED.match((replay and replay.custom_id) or "")
        if found is None or shown.button(NEXT) is None:
            await super()._beside_the_game(shown)
        else:
            await self._go_on(shown, int(found[1]))

    async def _go_on(self, shown: Shown, played: int) -> None:
        if played >= self.enough and self._first_time(f"close after {played}"):
            more = (await self.person.press(MORE, message=shown)).message
            if more.button(CLOSE):
                await self.person.press(CLOSE, message=more)
                return
        if self._first_time(f"deal {played}"):
            await self.person.press(NEXT, message=shown)

    async def _panel(self) -> Shown | None:
        panel = await super()._panel()
        self.idle = 0 if panel is not None and is_asked(panel) else self.idle + 1
        shown = self.board.seen_by(self.person)
        if self.idle < _IDLE or shown is None or not shown.button(HAND):
            return panel
        self.idle = 0
        return (await self.person.press(HAND, message=shown)).message


@dataclass
class Company:
    """One table: the players and the spectators."""

    world: World
    goes_on: Callable[[int], bool]
    """Whether the table of this number is still played at."""
    host: Person
    guests: list[Person]
    watcher: Person
    computers: int
    preset: str
    deals: int
    chance: Random
    looks: int = 0
    """How often someone pressed or typed something out of curiosity."""

    async def play(self, patience_s: float) -> None:
        """Open the table and play until it is closed."""
        table = (await self.host.slash("marriage play")).message
        found = re.search(r"mr1:[a-z-]+:(\d+):", repr(table.message.components))
        assert found, table
        board = Board(self.world, int(found[1]), self.host.channel.name)
        with suppress(CannotDoError):
            await write_rules(self.host, table, "", self.preset)
        for person in self.guests:
            await person.press(JOIN, message=board.message)
        for _ in range(self.computers):
            await press_tool(self.host, board.message, COMPUTER)
        await self.host.press(START, message=board.message)
        await self._until_over(board, patience_s)

    async def play_match(self, board: Board, patience_s: float) -> None:
        """Play the match of a league at the table that it was given."""
        await self.sit_down(board)
        await self._until_over(board, patience_s)

    async def sit_down(self, board: Board) -> None:
        """Begin the match of a league at the table that it was given."""
        for person in (self.host, *self.guests):
            await person.press(JOIN, message=board.message)
        for person in (self.host, *self.guests):
            await person.press(READY, message=board.message)

    async def _until_over(self, board: Board, patience_s: float) -> None:
        """Play to the end; raises TimeoutError if that takes longer than this."""
        players = [
            Player(
                person,
                board,
                Random(f"{self.chance.random()}"),
                types=self.chance.random() < 1 / 4,
                shuns_dms=self.chance.random() < 1 / 4,
                enough=self.deals,
            )
            for person in (self.host, *self.guests)
        ]
        curious = [Curious(person, self.chance, board) for person in (self.host, *self.guests, self.watcher)]
        try:
            async with asyncio.timeout(patience_s):
                await self._until_done(board, players, curious)
        except TimeoutError:
            raise TimeoutError(
                f"{board.seen_by(self.host)!r}; {[panel_in_dm(one.person) for one in players]}"
            ) from None
        self.looks = sum(one.pressed for one in curious)

    async def _until_done(self, board: Board, players: list[Player], curious: list[Curious]) -> None:
        number = 0
        while self.goes_on(board.number):
            number += 1
            moved = 0
            for guest in players:
                if self.chance.random() < 1 / 3:
                    await self.chance.choice(curious).look()
                moved += await guest.spend(number)
            if not moved:
                with suppress(TimeoutError):
                    async with asyncio.timeout(0.2):
                        await self.world.changed()
