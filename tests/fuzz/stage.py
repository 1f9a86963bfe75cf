"""What the others have before anyone forges anything: tables, a season, scores, settings, finished deals."""

import asyncio
from dataclasses import dataclass, field
from functools import partial

import bot.table.flow.seating as played
from bot.app import TipluBot
from bot.lanes import LONGEST_WAIT_MS
from data.preferences import GuildSettings
from data.repositories.messages import OutboxRow
from playground.model import Channel
from playground.person import Person
from playground.server import Playground
from playground.shown import Shown
from tests.e2e import dealt
from tests.e2e.players import (
    CLOSE,
    COMPUTER,
    MANAGE,
    MORE,
    START,
    open_settings,
    open_table,
    panel_in_dm,
    play_by_buttons,
    press_tool,
    say,
)
from tests.e2e.running import MovableClock, Running
from tests.e2e.seasons import JOIN, Circle, start_league
from tests.waiting import until

OTHERS = ("asha", "bikram", "chandra", "deepa", "eshan")
FORGERS = ("mallory", "mukesh")
LONGEST_MS = 2 * LONGEST_WAIT_MS
"""How far the clock is moved for retries: a few attempts of something that has failed for long."""
MOST_NAMED = 10


class StoppedClock(MovableClock):
    """A clock that can be stopped, so that nothing happens to the others by itself."""

    def __init__(self) -> None:
        super().__init__()
        self._stands_at: int | None = None

    def now(self) -> int:
        return super().now() if self._stands_at is None else self._stands_at

    def follow(self) -> int:
        return super().follow() if self._stands_at is None else 0

    def stand(self, at: int) -> None:
        """Show this moment from now on."""
        self._stands_at = at


@dataclass
class Stage:
    """The people, and the forms opened by then, which serve as models for forged ones.

    What the others have is in the first of two servers. The forgers may manage the second one.
    """

    discord: Playground
    running: Running
    clock: StoppedClock
    others: list[Person] = field(default_factory=list)
    forgers: list[Person] = field(default_factory=list)
    own_tables: list[int] = field(default_factory=list)
    """The forgers' tables."""

    @property
    def abroad(self) -> Channel:
        """A channel of the second server."""
        world = self.discord.world
        return next(place for place in world.channels.values() if place.guild not in {None, world.guild})

    @property
    def bot(self) -> TipluBot:
        """The bot under attack."""
        return self.running.bot

    async def set(self) -> None:
        """Set up what everyone has."""
        self.others = [self.discord.person(name) for name in OTHERS]
        self.forgers = [self.discord.person(name) for name in FORGERS]
        for forger in self.forgers:
            self.discord.world.grant(forger.user, "MANAGE_GUILD", guild=self.abroad.guild)
        await self._rules()
        await self._season()
        await self._tables()
        await self._alone()
        self.clock.stand(self.clock.now())
        await self.settle()

    async def _rules(self) -> None:
        """Choose the rules of the first server: until then, any host there may answer the question about them."""
        server = self.discord.world.guild.id
        settings = GuildSettings(rules=GuildSettings().terms.rules)
        await self.running.store.write(lambda db: db.guilds.keep(server))
        await self.running.store.write(lambda db: db.guilds.set_settings(server, settings))

    async def _season(self) -> None:
        circle = Circle(self.running, self.clock, self.others[:4])
        signup = await circle.open("Autumn", "1, 2, 3", confirm_hours=0, tables="channel")
        for person in circle.people:
            await person.press(JOIN, message=signup)
        await circle.staff.slash(
            "league-staff season settings", setting="account_days", value="3650"
        )  # not for forgers
        await start_league(circle.staff)
        await circle.staff.sees("Play your match until")
        await circle.rest()

    async def _tables(self) -> None:
        asha, bikram, chandra, deepa, eshan = self.others
        usual = played.start
        played.start = dealt.quick()  # pyright: ignore[reportAttributeAccessIssue] - as the tests do
        try:
            over = await open_table(deepa, eshan)
            await deepa.press(START, message=over)
            await asyncio.gather(play_by_buttons(deepa), play_by_buttons(eshan))
        finally:
            played.start = usual
        await press_tool(deepa, await deepa.sees("won deal"), CLOSE)

        table = await open_table(asha, bikram)
        await self._make_private(asha, table)
        await asha.press(START, message=table)
        for player in (asha, bikram):
            await player.wait_for(partial(panel_in_dm, player))

        lobby = await open_table(chandra, computers=1)
        await self._make_private(chandra, lobby)
        assert (await chandra.press(MORE, message=lobby)).message.button(COMPUTER)

    async def _make_private(self, host: Person, lobby: Shown) -> None:
        panel = (await press_tool(host, lobby, MANAGE)).message
        await host.press(say("manage.private_off"), message=panel)

    async def _alone(self) -> None:
        """Set up what one person has alone: settings, practice, the deal of the day, scores of an evening."""
        asha, bikram, chandra, deepa, _ = self.others
        await asha.choose(say("settings.theme"), ["dark"], message=await open_settings(asha, "cards"))
        await bikram.slash("learn")
        await deepa.slash("daily")
        general = self.discord.world.channel("general")
        evening = await chandra.slash("score new", players="Ram, Sita, Gita", channel=general)
        await chandra.press(say("button.score_deal"), message=evening.message)
        await chandra.submit({"winner": ["Ram"], "seen": ["Sita"], "maal": "Ram: 10\nSita: 2\nGita: 5"})

    async def settle(self) -> None:
        """Wait until everything is published. Raises TimeoutError with what was not published.

        The clock is moved forward so that retries come due, and moved back afterwards. However many forgeries
        there are, nothing that belongs to the others expires.
        """
        stood = self.clock.now()

        async def at_rest() -> bool:
            moment = await self.running.store.read(lambda db: db.outbox.next_at())
            if moment is not None and self.clock.now() < moment <= stood + LONGEST_MS:
                self._move_clock(moment)
            return moment is None

        try:
            await until(at_rest, timeout=60)
        except TimeoutError as error:
            raise TimeoutError(f"not published: {await self._unpublished()}") from error
        finally:
            self._move_clock(stood)

    def _move_clock(self, moment: int) -> None:
        self.clock.stand(moment)
        self.running.later(self.clock, 0)

    async def _unpublished(self) -> list[OutboxRow]:
        return await self.running.store.read(
            lambda db: db.outbox.due(self.clock.now() + LONGEST_MS, MOST_NAMED)
        )

    async def play(self, forger: Person) -> None:
        """Start a deal of the forger against a computer, so that they have a game to forge moves in."""
        await forger.slash("marriage leave")
        table = await open_table(forger, computers=1)
        await forger.press(START, message=table)
        seated_at = await self.bot.services.tables.table_of(forger.id)
        self.own_tables.append(seated_at or 0)
