"""A league's people over the wire: they press what they are shown, and the clock is moved forward.

Only the deals are shortened: the services play each to its end, from hands that someone wins soon.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count

from bot.league.agenda import draw_at
from bot.league.season import SeasonView
from bot.table.core.change import TableTransaction
from data.outbox_keys import CalendarEventKey, SeasonPostKey, SeasonReminderKey
from data.transaction import ReadTransaction
from data.values import SeatRow
from league.finals import final_standings
from league.season import Pod, fold
from marriage.decide import decide
from marriage.state import Phase
from marriage.view import view
from playground.person import Person
from playground.shown import Shown
from tests.bot.league.house import hurried
from tests.e2e.players import JOIN as SIT_DOWN
from tests.e2e.players import PATIENCE, READY, say
from tests.e2e.running import MovableClock, Running
from tests.marriage.dealing import actor
from tests.waiting import until

JOIN, LEAVE, IN, NEXT = (say(f"league.{key}") for key in ("join", "leave", "i_am_in", "my_next"))
DAY = 24 * 3_600_000
UNHURRIED = 8 * PATIENCE
MESSAGES = tuple(key.kind for key in (SeasonPostKey, SeasonReminderKey, CalendarEventKey))
"""The kinds of a season's messages."""


async def start_league(staff: Person, **options: str) -> Shown:
    """Draw the next round now, and confirm it; return the answer."""
    asked = await staff.slash("league-staff season start", **options)
    return (await staff.press(say("league.draw_now_yes"), message=asked.message)).message


@dataclass
class Circle:
    """Everyone who plays in one season; the first person is the league's staff."""

    running: Running
    clock: MovableClock
    people: Sequence[Person]
    season: int = 0
    presses: "count[int]" = field(default_factory=lambda: count(1))
    """Interaction numbers for the services that end the deals."""

    @property
    def staff(self) -> Person:
        """The person who runs the league."""
        return self.people[0]

    async def view(self) -> SeasonView:
        """Return the season as the bot sees it."""
        return await self.running.bot.services.leagues.view(self.season)

    async def open(self, name: str, numbers: str, format_: str = "pods", **settings: object) -> Shown:
        """Open the league with its form, with numbers that admit new accounts; return its message."""
        await self.staff.slash("league-staff season create")
        await self.staff.submit(
            {
                "name": name,
                "format": [say(f"league.format_{format_}")],
                "numbers": numbers,
                "rotations": ["4 deals at four seats, 3 at three"],
            }
        )
        self.season = (await self.running.bot.services.leagues.find(self.running.bot.guilds[0].id, name)).id
        for key, value in ({"account_days": 0, "server_days": 0} | settings).items():
            changed = {"setting": key, "value": str(value), "league": str(self.season)}
            answer = await self.staff.slash("league-staff season settings", **changed)
            assert f"`{key}`" in answer.message.text
        await self.rest()
        return await self.sees("Sign up until")

    async def sees(self, words: str) -> Shown:
        """Return the channel's newest message with these words, once it exists."""
        return await self.staff.sees(re.compile(re.escape(words)), timeout=UNHURRIED)

    async def press(self, label: str, words: str, people: Iterable[Person]) -> list[str]:
        """Have each of these people press this button of the newest message with these words.

        Returns the answers.
        """
        told: list[str] = []
        for person in people:
            answer = await person.press(label, message=await self.sees(words))
            assert answer.message.ephemeral
            told.append(answer.message.text)
        return told

    async def leave(self, words: str, people: Iterable[Person]) -> list[str]:
        """Have each of these people leave by the newest message with these words; return the answers.

        They confirm that they leave.
        """
        told: list[str] = []
        for person in people:
            asked = await person.press(LEAVE, message=await self.sees(words))
            told.append((await person.press(LEAVE, message=asked.message)).message.text)
        return told

    async def rest(self) -> None:
        """Wait until the bot has done and shown everything due."""

        async def quiet() -> bool:
            now = self.clock.now()

            async def read(db: ReadTransaction) -> bool:
                due = [at for _, at in await db.seasons.soonest(1) if at <= now]
                return not due and not (await db.outbox.look(now, 1, kinds=MESSAGES)).due

            return await self.running.store.read(read)

        await until(quiet, timeout=UNHURRIED)

    async def until(self, when: Callable[[SeasonView], int]) -> None:
        """Let time pass until shortly after a moment, in milliseconds."""
        ahead = max(0, when(await self.view()) - self.clock.now()) / 1000
        self.running.later(self.clock, ahead + 1)
        self.running.bot.services.scheduler.wake()
        await self.rest()

    async def draw(self, number: int) -> None:
        """Let time pass until a round is drawn."""
        await self.until(lambda seen: draw_at(seen.row, seen.season, number))
        assert (await self.view()).season.drawn >= number

    async def play_round(self, number: int, without: Collection[Person] = ()) -> None:
        """Have all pods of a round sit down and play, except those with one of these people."""
        seen = await self.view()
        missing = {person.id for person in without}
        for pod in seen.pods_of(number):
            persons = [seen.people[player].id for player in pod.players]
            if not pod.over and not missing & set(persons):
                await self.play_pod(seen, pod, [person for person in self.people if person.id in persons])
        self.running.bot.services.scheduler.wake()
        await self.rest()

    async def play_sitting(self, number: int, away: Collection[Person]) -> None:
        """Have all pods of a sitting's round play; they wait for absent players, then play without them."""
        seen = await self.view()
        missing = {person.id for person in away}
        short: list[int] = []
        for pod in seen.pods_of(number):
            there = [person for person in self.named(pod.players, seen) if person.id not in missing]
            if len(there) == len(pod.players):
                await self.play_pod(seen, pod, there)
            elif there:
                await self._sit_down(seen, pod, there)
                short.append(pod.id)
        if short:
            minutes = seen.season.settings.no_show_minutes
            begun = max((time.proposal.at for pod, time in seen.times.items() if pod in short), default=0)
            await self.until(lambda _: begun + minutes * 60_000)
        seen = await self.view()
        for pod in (seen.season.pods[pod] for pod in short):
            there = self.named([player for player in pod.players if player not in pod.missed], seen)
            if not pod.over and len(there) > 1:
                await self._play(seen.tables[pod.id].id, there)
        self.running.bot.services.scheduler.wake()
        await self.rest()

    async def play_pod(self, seen: SeasonView, pod: Pod, players: Sequence[Person]) -> None:
        """Have the players press Join and Ready at their table; then play its match."""
        await self._sit_down(seen, pod, players)
        await self._play(seen.tables[pod.id].id, players)

    async def _sit_down(self, seen: SeasonView, pod: Pod, players: Sequence[Person]) -> None:
        table = await self._table(seen.tables[pod.id].id, players[0])
        for person in players:
            await person.press(SIT_DOWN, message=table)

    async def _play(self, table_id: int, players: Sequence[Person]) -> None:
        """Press Ready, unless the bot began without the missing players, and play every deal to its end."""
        table = await self._table(table_id, players[0])
        status = self.running.bot.services.tables.status

        async def plays() -> bool:
            return await status(table_id) == "playing"

        async def may_begin() -> bool:
            return _enabled(players[0].look(table), READY) or await plays()

        await until(may_begin, timeout=UNHURRIED)
        for person in players:
            if not await plays():
                await person.press(READY, message=table)
        await until(plays, timeout=UNHURRIED)
        await self._play_out(table_id)

    async def _table(self, table_id: int, player: Person) -> Shown:
        """Return a table's message once this player can see it; others may not see the pod's thread."""

        async def message() -> int | None:
            return (await self.running.bot.services.tables.snapshot(table_id)).table.message_id

        number = await until(message, timeout=UNHURRIED)
        return await player.wait_for(lambda: player.look(number))

    async def _play_out(self, table_id: int) -> None:
        services = self.running.bot.services

        async def play(tx: TableTransaction) -> tuple[SeatRow, ...]:
            while tx.state is not None and tx.state.phase is not Phase.OVER:
                seat = actor(tx.state)
                tx.record(decide(tx.state, seat, hurried(view(tx.state, seat))), actor=seat)
            await services.play.follow(tx, [])
            return tx.seats

        while True:
            seats = await services.tables.change(table_id, play)
            match = (await services.tables.snapshot(table_id)).match
            if match is None or match.row.is_over:
                return
            for seat_row in seats:
                await services.play.next_deal(table_id, seat_row.person_id or 0, next(self.presses))

    async def check(self) -> None:
        """Assert that the season and its tables follow from its events, regardless of the bot's caches."""
        seen = await self.view()
        events = await self.running.store.read(lambda db: db.seasons.events(self.season))
        anew = fold(event.entry for event in events)
        assert anew == seen.season
        for division in seen.divisions:
            live = seen.standings(division)
            assert [row.row for row in live.rows] == list(final_standings(anew, division).rows)

    def named(self, players: Iterable[int], seen: SeasonView) -> list[Person]:
        """Return the people of these players."""
        ids = {seen.people[player].id for player in players}
        return [person for person in self.people if person.id in ids]


def _enabled(message: Shown, label: str) -> bool:
    button = message.button(label)
    return button is not None and not button.disabled
