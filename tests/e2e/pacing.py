"""Tables with a clock, and a bot whose time a test moves."""

import re
from dataclasses import dataclass
from typing import Any

from bot.table.core.change import TableTransaction
from data.preferences import Pace, TableOptions
from playground.person import Person
from playground.shown import Shown
from tests.e2e.conftest import Discord, StartBot
from tests.e2e.looking import Facts, facts
from tests.e2e.players import START, open_table
from tests.e2e.running import MovableClock, Running
from tests.waiting import until

TITLE = re.compile(r"Marriage · Table 1\b")


@dataclass
class Timed:
    """A bot in this process with its movable clock, and people at its first table."""

    discord: Discord
    bot: Running
    clock: MovableClock
    people: tuple[Person, ...]
    opened: Shown

    @property
    def table(self) -> Shown:
        """The table's message, which is reposted from time to time."""
        place = self.opened.message.channel
        posted = [
            message
            for message in self.people[0].messages(place)
            if not message.ephemeral and TITLE.search(message.text)
        ]
        return posted[-1] if posted else self.opened

    def later(self, seconds: float) -> None:
        self.bot.later(self.clock, seconds)

    async def facts(self) -> Facts:
        return await facts(self.bot)

    async def due(self) -> dict[str, int]:
        """Return what the table waits for, and when it is due."""
        return {row.kind: row.due_at for row in (await self.facts()).deadlines}

    async def waits_for_a_person(self) -> None:
        """Wait until no computer is about to move, and a person's clock runs."""

        async def runs() -> bool:
            return "turn" in await self.due()

        await until(runs)

    async def event_names(self) -> list[str]:
        return [event.event for event in (await self.facts()).events]

    async def shows(self, words: str, *, absent: bool = False) -> Shown:
        """Return the table's message once it contains these words (or no longer does)."""
        watcher = self.people[0]
        shown = await watcher.wait_for(
            lambda: (seen := self.table) and (words in seen.text) is not absent and seen
        )
        assert isinstance(shown, Shown)
        return shown

    async def through_window(self) -> None:
        """Let the time to expose tunnelas be over."""

        async def is_over() -> bool:
            return "window" not in await self.due()

        if closes := (await self.due()).get("window"):
            self.later(max(0, closes - self.clock.now()) / 1000)
        await until(is_over)


async def set_pace(bot: Running, pace: Pace) -> None:
    """Set the pace, as the form of the lobby does."""

    async def command(tx: TableTransaction) -> None:
        tx.update(options=TableOptions(pace=pace))

    await bot.bot.services.tables.change(1, command)


async def timed(
    discord: Discord, start_bot: StartBot, pace: Pace, *names: str, computers: int = 0, **options: Any
) -> Timed:
    """A deal that has just been dealt, its tunnela window open."""
    clock = MovableClock()
    bot = await start_bot(clock=clock, **options)
    people = tuple(discord.person(name) for name in names)
    table = await open_table(*people, computers=computers)
    await set_pace(bot, pace)
    await people[0].press(START, message=table)
    return Timed(discord, bot, clock, people, table)
