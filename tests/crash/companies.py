"""The people of a day of crashes: after any failure, they look again and do what comes next."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from playground.model import Message
from playground.person import CannotDoError, Person
from playground.shown import Shown
from playground.world import World
from tests.e2e.players import (
    CLOSE,
    COMPUTER,
    HAND,
    JOIN,
    MANAGE,
    NEXT,
    READY,
    START,
    act,
    is_asked,
    panel_in_dm,
    press_tool,
    say,
    set_match,
    type_act,
)
from tests.evening.guests import Board
from tests.games import Rows

REMATCH, AGREES = (say(f"button.{key}") for key in ("rematch", "agree"))
THREAD = say("manage.thread_off")
OPEN_TABLE = """
    SELECT id, status FROM game_table
    WHERE channel_id = :channel AND status != 'closed' ORDER BY id LIMIT 1
"""
SEATED = "SELECT person_id, computer, ready FROM seat WHERE table_id = :table"
STORED = "SELECT revision FROM interaction_seen WHERE interaction_id = :interaction"
"""The bot stores every interaction that has changed a table, and none that it has refused."""
MOST_MOVES = 4
FEW_TRIED = 10
"""So few tried moves tell nothing."""
LEAST_MADE = 0.5
"""The smallest share of tried moves that must be made. Some come too late, or meet an end of the bot."""


@dataclass
class Company:
    """People who play at one table after another in their own channel; the first of them is the host."""

    world: World
    rows: Rows
    home: str
    people: Sequence[Person]
    chance: Random
    computers: int = 0
    pace: str = "normal"
    deals: int = 1
    thread: bool = False
    types: bool = False
    """Whether they type their moves."""
    opens: bool = True
    """Whether they open tables themselves; a league's table already exists."""
    asleep: set[int] = field(default_factory=set)
    """The seats of inactive people; the computer has to play for them."""
    gone: bool = False
    moves: int = 0
    """The moves that were made and acknowledged."""
    asked: Counter[int] = field(default_factory=Counter)
    """How often each table was asked for a computer."""
    tried: int = 0
    """The moves that the bot answered, including those that it refused."""
    _ruled: set[int] = field(default_factory=set)
    """The tables whose rules were asked for: once is enough."""

    async def spend(self) -> None:
        """Let everyone do what there is to do, in random order."""
        for place in self.chance.sample(range(len(self.people)), len(self.people)):
            if not self.gone and place not in self.asleep:
                try:
                    await self._spend(place, self.people[place])
                except (CannotDoError, TimeoutError):
                    continue  # the button has changed just before the press, and the answer says so

    async def table(self) -> tuple[int, str] | None:
        """Return their open table and its status, or None."""
        found = await self.rows(OPEN_TABLE, channel=self.world.channel(self.home).id)
        return found[0] if found else None

    async def _spend(self, place: int, person: Person) -> None:
        open_table = await self.table()
        if open_table is None:
            if place == 0 and self.opens:
                await person.slash("marriage play")
            return
        number, status = open_table
        message = Board(self.world, number, self.home).message
        if status == "lobby" and message is not None:
            await self._gather(place, person, number, message)
        elif status == "playing":
            await self._play(person, message)
        elif status == "between" and message is not None:
            await self._go_on(person, person.look(message))

    async def _gather(self, place: int, person: Person, number: int, message: Message) -> None:
        seated = await self.rows(SEATED, table=number)
        is_ready = {person_id: ready for person_id, _, ready in seated}
        if person.id not in is_ready:
            await person.press(JOIN, message=message)
        elif not self.opens:
            if not is_ready[person.id]:
                await person.press(READY, message=message)
        elif place == 0:
            await self._host(
                person, number, message, computers=sum(kind is not None for _, kind, _ in seated)
            )
            if len(await self.rows(SEATED, table=number)) == len(self.people) + self.computers:
                await person.press(START, message=message)

    async def _host(self, person: Person, number: int, message: Message, computers: int) -> None:
        if number not in self._ruled:
            self._ruled.add(number)
            await set_match(person, message, self.deals, self.pace)
            if self.thread:
                panel = (await press_tool(person, message, MANAGE)).message
                await person.press(THREAD, message=panel)
        assert computers <= self.asked[number], (
            f"table {number} has {computers} computers, a press counts twice"
        )
        for _ in range(self.computers - computers):
            self.asked[number] += 1
            await press_tool(person, message, COMPUTER)

    async def _play(self, person: Person, message: Message | None) -> None:
        shown = None if message is None else person.look(message)
        if shown is not None and shown.button(AGREES):
            await person.press(AGREES, message=message)
            return
        panel = panel_in_dm(person)
        if panel is None or not is_asked(panel):
            if shown is not None and self.chance.random() < 1 / 8:
                await person.press(HAND, message=message)
            return
        await self._move(person, panel)

    async def _move(self, person: Person, panel: Shown) -> None:
        for _ in range(MOST_MOVES):
            if not is_asked(panel):
                return
            panel = (await (type_act if self.types else act)(person, panel)).panel
            self.tried += 1
            self.moves += await self._has_moved(person)

    async def _has_moved(self, person: Person) -> bool:
        """Return whether what the person did last has changed the table."""
        interactions = reversed(self.world.interactions.values())
        last = next(one for one in interactions if one.user is person.user)
        return bool(await self.rows(STORED, interaction=last.id))

    async def _go_on(self, person: Person, shown: Shown) -> None:
        if shown.button(NEXT):
            await person.press(NEXT, message=shown)
        elif self.opens and shown.button(REMATCH):
            await press_tool(person, shown, REMATCH if self.chance.random() < 1 / 3 else CLOSE)

    async def leave(self) -> None:
        """Send everyone home for good."""
        self.gone = True
        for person in self.people:
            if await self.table() is not None:
                await person.slash("marriage leave")


def too_few_moves(companies: Sequence[Company]) -> list[str]:
    """Return a fault if most of the moves that these people tried were refused; none as long as they tried few."""
    tried, made = (sum(getattr(company, name) for company in companies) for name in ("tried", "moves"))
    return (
        [f"only {made} of {tried} moves were made"]
        if tried > FEW_TRIED and made <= LEAST_MADE * tried
        else []
    )
