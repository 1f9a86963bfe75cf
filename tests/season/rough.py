"""A realistic season: a fifth do not come, some leave, some dispute results, and the bot is down for hours.

Few matches are played at the bot's tables, because that takes long; the others are reported as played with
real cards. So every message of the season is sent, and the deals cost nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import zip_longest
from random import Random
from typing import Any

from data.season_posts import PublicPost, ReportPost
from data.season_rows import SeasonEventRow
from data.transaction import ReadTransaction
from league.events import RoundDrawn
from league.season import Pod
from league.statistics.team_standings import team_standings
from league.times import days_later, local
from playground.person import BotAnswer, Person
from playground.server import Playground
from playground.shown import Shown
from tests.e2e.players import say
from tests.e2e.running import MovableClock, Running
from tests.e2e.seasons import UNHURRIED, Circle
from tests.season.recount import Place, Recount, TeamPlace
from tests.waiting import until

RIGHT, WRONG, ENACT = (say(f"league.{key}") for key in ("report_right", "report_wrong", "enact"))
SIT_DOWN, STAFF = say("button.join"), "asha"
ZONE = "Europe/Berlin"
CHANGES = {"spring": 3, "autumn": 10}
"""The month in which clocks are set."""
AT_ONCE = 8
"""The number of pods that act at the same time."""


def next_change(after: int, timezone: str = ZONE) -> int:
    """Return the first midnight in the time zone after a clock change, in milliseconds of UTC."""
    day = days_later(after, timezone, 1)
    while local(day, timezone).utcoffset() == local(after, timezone).utcoffset():
        day = days_later(day, timezone, 1)
    return day


@dataclass
class RoughSeason(Circle):
    """A season in which the staff do not play, so that their presses can be counted."""

    discord: Playground = field(kw_only=True)
    start: Callable[..., Awaitable[Running]] = field(kw_only=True)
    chance: Random = field(kw_only=True)
    left: set[int] = field(default_factory=set[int])
    """The people who have left."""
    rulings: int = 0
    """The number of rulings by the staff."""
    outages: int = 0
    disputes: int = 0
    no_shows: int = 0
    rows: int = 0
    """The number of table rows recounted so far."""
    differences: list[str] = field(default_factory=list[str])
    """The differences between the recount and the bot's tables."""

    @property
    def staff(self) -> Person:
        """The person who manages the league."""
        return self.discord.person(STAFF)

    @property
    def playing(self) -> list[Person]:
        """Everyone who has not left."""
        return [person for person in self.people if person.id not in self.left]

    def some(self, people: Sequence[Person], share: float) -> list[Person]:
        """Return a random share of these people."""
        return self.chance.sample(people, max(1, round(share * len(people))))

    async def press_all(self, label: str, words: str, people: Iterable[Person]) -> list[str]:
        """Let all of these people press this button of the newest message with these words.

        Return their answers.
        """
        message = await self.sees(words)

        async def press(person: Person) -> str:
            return (await person.press(label, message=message.id)).message.text

        return await self._each(press, people)

    async def leave(self, words: str, people: Iterable[Person]) -> None:
        """Let these people leave through the league's message."""
        gone = list(people)
        label, message = say("league.leave"), await self.sees(words)

        async def leave(person: Person) -> str:
            asked = await person.press(label, message=message.id)
            return (await person.press(label, message=asked.message)).message.text

        told = await self._each(leave, gone)
        self.left |= {person.id for person in gone}
        assert len(set(told)) == 1, told

    async def be_away(self, hours: float) -> None:
        """Stop the bot's process, and start another one on the same file this many hours later."""
        begun = self.clock.now()

        async def known_to_run() -> bool:
            async def read(db: ReadTransaction) -> bool:
                return (await db.key_values.last_alive() or 0) >= begun

            return await self.running.store.read(read)

        await until(known_to_run, timeout=UNHURRIED)
        await self.running.stop()
        self.clock.forward(hours * 3600)
        self.running = await self.start(clock=self.clock)
        self.outages += 1
        await self.rest()

    async def play_roughly(
        self, number: int, missing: Iterable[Person] = (), *, at_tables: int = 2, disputes: int = 0
    ) -> list[Pod]:
        """Play a round without those who do not come, and return the pods whose results are disputed.

        The first full pods play at their tables, and all others report. A person who is alone sits down, and
        no one joins them.
        """
        seen = await self.view()
        absent = list(missing)
        self.no_shows += len(absent)
        away = {person.id for person in absent} | self.left
        quarrels: list[Pod] = []
        reporting: list[tuple[Pod, list[Person], bool]] = []
        for pod in seen.pods_of(number):
            if pod.over:
                continue
            there = [person for person in self.named(pod.players, seen) if person.id not in away]
            if len(there) > 1 and len(quarrels) < disputes:
                quarrels.append(pod)
                reporting.append((pod, there, True))
            elif len(there) == len(pod.players) and at_tables > 0:
                at_tables -= 1
                await self.play_pod(seen, pod, there)
            elif len(there) > 1:
                reporting.append((pod, there, False))
            elif there:
                await there[0].press(SIT_DOWN, message=await self._table(seen.tables[pod.id].id, there[0]))
        await self._each(lambda told: self._report(*told), reporting)
        await self.rest()
        return quarrels

    async def _report(self, pod: Pod, there: Sequence[Person], disputed: bool) -> None:
        """Let one of them report a result; the others confirm it, or one objects."""
        self.disputes += disputed
        seen = await self.view()
        ids = {person.id for person in there}
        players = [player for player in pod.players if seen.people[player].id in ids]
        absent = [str(player) for player in pod.players if player not in players]
        deals = seen.season.settings.deals(len(players))
        chance = Random(pod.id)
        typed = "\n".join(" ".join(map(str, _points(chance, len(players)))) for _ in range(deals))
        reporter, *others = there
        await reporter.slash("league report", league=str(self.season))
        answer = await reporter.submit({"deals": typed, "absent": absent})
        assert answer.message.text == say("league.report_sent"), answer.message.text
        report = await self._posted(ReportPost(pod.id))
        for person in others[:1] if disputed else others:
            await person.press(WRONG if disputed else RIGHT, message=report)

    async def _posted(self, post: PublicPost) -> int:
        """Return the message id of this post, once it is in the channel and shows what it should."""

        async def number() -> int | None:
            place = await self.running.store.read(lambda db: db.seasons.post(self.season, post))
            return place.message_id if place else None

        message = await until(number, timeout=UNHURRIED)
        await self.staff.wait_for(lambda: self.staff.look(message).button(RIGHT))
        return message

    async def rule(self, command: str, **options: Any) -> Shown:
        """Let the staff make a ruling: a command, and the press that confirms it."""
        preview: BotAnswer = await self.staff.slash(
            f"league-staff {command}", reason="a quarrel", league=str(self.season), **options
        )
        shown = (await self.staff.press(ENACT, message=preview.message)).message
        assert "announced" in shown.text, shown.text
        self.rulings += 1
        await self.rest()
        return shown

    async def _each(self, act: Callable[..., Awaitable[object]], items: Iterable[object]) -> list[str]:
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(item: object) -> str:
            async with gate:
                return str(await act(item))

        return await asyncio.gather(*(one(item) for item in items))

    async def dispute(self, number: int) -> Pod:
        """Let one player report a result in the first match of a round, and another object."""
        seen = await self.view()
        pod = next(pod for pod in seen.pods_of(number) if not pod.over and len(pod.players) > 1)
        await self._report(pod, self.named(pod.players, seen), True)
        return pod

    # Promises

    def staff_acts(self, *kinds: int) -> int:
        """Return how often the staff have done something of these kinds so far."""
        done = self.discord.world.interactions.values()
        return sum(act.user.id == self.staff.id and act.type in kinds for act in done)

    def staff_presses(self) -> int:
        """Return how often the staff have typed, chosen or pressed something, except for rulings."""
        return self.staff_acts(COMMAND, PRESS) - 2 * self.rulings

    def refused(self) -> list[str]:
        """Return every request of the bot that Discord has refused."""
        return [
            f"{entry.method} {entry.path}: {entry.status} {entry.response}"
            for entry in self.discord.services.recorder.entries
            if entry.status >= 400
        ]

    async def recount(self) -> None:
        """Compare every table with the independent recount."""
        seen = await self.view()
        counted = Recount(entry.entry for entry in await self._events())
        for division in seen.divisions:
            found = [
                Place(row.rank, row.player, row.points, row.matches, row.deals)
                for row in (shown.row for shown in seen.standings(division).rows)
            ]
            self._compare(f"division {division}", found, counted.table(division))
        if seen.season.teams:
            rows = team_standings(seen.season)
            teams = [TeamPlace(row.rank, row.team.id, row.points, row.plain) for row in rows]
            self._compare("teams", teams, counted.team_table())

    def _compare(self, table: str, found: Sequence[object], counted: Sequence[object]) -> None:
        self.rows += len(counted)
        self.differences += [
            f"{table}: {row} in the bot, {other} by the recount"
            for row, other in zip_longest(found, counted)
            if row != other
        ]

    async def _events(self) -> Sequence[SeasonEventRow]:
        return await self.running.store.read(lambda db: db.seasons.events(self.season))

    async def opened(self) -> datetime:
        """Return when the league was opened, by its own clock."""
        zone = (await self.view()).season.settings.timezone
        return local((await self._events())[0].at, zone)

    async def beginnings(self) -> list[datetime]:
        """Return when each ordinary round began to be played, by the league's clock.

        If all are drawn at once, a round begins at the deadline of the previous one.
        """
        seen = await self.view()
        zone = seen.season.settings.timezone
        events = await self._events()
        drawn = {event.body.round: event.at for event in events if isinstance(event.body, RoundDrawn)}
        if seen.season.settings.format.draws_all_rounds:
            drawn |= {number + 1: seen.season.rounds[number].due for number in drawn if number + 1 in drawn}
        return [local(at, zone) for _, at in sorted(drawn.items())]


COMMAND, PRESS, FORM = 2, 3, 5
"""Kinds of interactions, as Discord numbers them."""


async def set_out(
    discord: Playground,
    start: Callable[..., Awaitable[Running]],
    clock: MovableClock,
    people: int,
    season: str,
    days_before: float,
) -> RoughSeason:
    """Start a bot some days before the clock change in that season, with people who will join a league."""
    change = next_change(clock.now())
    while local(change, ZONE).month != CHANGES[season]:
        change = next_change(change)
    ahead = timedelta(milliseconds=change - clock.now()) - timedelta(days=days_before)
    clock.forward(ahead.total_seconds())
    running = await start(clock=clock)
    persons = [discord.person(f"guest{number}") for number in range(1, people + 1)]
    return RoughSeason(running, clock, persons, 1, discord=discord, start=start, chance=Random(people))


def _points(chance: Random, seats: int) -> list[int]:
    """Return the points of a deal with a winner."""
    winner = chance.randrange(seats)
    paid = [0 if seat == winner else -chance.randrange(1, 40) for seat in range(seats)]
    paid[winner] = -sum(paid)
    return paid
