"""A world of some tables: a Discord, the bot with all features on, people, and the ear that reads all."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest

from bot.history.season_pages import SeasonPages
from marriage.rules import PRESETS
from playground.person import CannotDoError, NotAnsweredError, Person
from playground.server import Playground
from tests.canary.listening import Ear
from tests.canary.pictures import mark_pictures
from tests.canary.playing import Company
from tests.e2e.players import PATIENCE, act, is_asked
from tests.e2e.running import MovableClock, Running, run_here
from tests.e2e.seasons import JOIN, Circle, start_league
from tests.evening.guests import Board
from tests.waiting import SLOW_DEADLINE

TABLES_AT_ONCE = 3
MATCH_OF = 3
"""The players of a match of the league."""
MATCH_DEALS = 3
"""What its rotation has at three seats."""
BOARDS_AT = 3
"""The tables of a league in duplicate, all with the same boards: the fewest there can be."""
PATIENCE_S = 600.0
"""Longer than any table takes, even on a busy machine."""
KEPT_OF_THE_WIRE = 500
LONGEST_FAULT = 3_000
FEATURES = {
    "card_emojis": True,
    "puzzle_stock": 20,
    "backup_every_h": 1,
    "monitoring_port": 0,
    "tables_per_channel": 1_000,
    "tables_per_person_h": 1_000,
    "deals_per_table_h": 1_000,
}
EDITS = r"/channels/\d+/messages"
LANGUAGES = ("en-US", "hi")
CHANNELS = ("marriage", "general")

Provoke = Callable[[Running], None]


@dataclass
class Outcome:
    """The outcome of one world, as stored in the tally."""

    number: int
    first: int
    deals: int = 0
    tables: int = 0
    seconds: float = 0.0
    pieces: dict[str, int] = field(default_factory=dict[str, int])
    size: int = 0
    cards: int = 0
    looks: int = 0
    leaks: list[str] = field(default_factory=list[str])
    stuck: list[str] = field(default_factory=list[str])
    """Tables, or the world itself, that did not come to an end."""

    @property
    def what(self) -> str:
        """The name of its tables."""
        return f"{self.number}:{self.first}"

    @property
    def broken(self) -> list[str]:
        """What happened that must not happen."""
        return [*self.leaks, *self.stuck]


def prepare(patch: pytest.MonkeyPatch, name: str) -> None:
    """Mark pictures, derive seeds from a name, and make results independent of the machine's speed."""
    mark_pictures(patch)
    patch.setattr("bot.table.flow.sealing.secrets", SimpleNamespace(token_bytes=Random(name).randbytes))
    for method in (Person.wait_for, Person.sees):
        defaults = method.__defaults__ or ()
        patch.setattr(method, "__defaults__", (*defaults[:-1], PATIENCE))
    for place in ("PATIENCE_S", "ANSWER_TIMEOUT_S"):
        patch.setattr(f"bot.interactions.reply.{place}", SLOW_DEADLINE / 2)
    patch.setattr("bot.interactions.receiver.LATEST_MS", SLOW_DEADLINE * 1000)


async def play(number: int, first: int, tables: int, folder: Path, provoke: Provoke | None = None) -> Outcome:
    """Play these tables of a number; `provoke` may make the bot reveal what it should not."""
    outcome = Outcome(number, first, tables=tables)
    path = folder / "games" / "tiplu.sqlite3"
    path.parent.mkdir(mode=0o700)
    with pytest.MonkeyPatch.context() as patch:
        prepare(patch, f"{number}:{first}")
        async with Playground(deadline=SLOW_DEADLINE, keep=KEPT_OF_THE_WIRE) as discord:
            world = World(discord, path, number, outcome)
            try:
                await world.play(range(first, first + tables), provoke)
            except Exception as error:  # noqa: BLE001 - a world that cannot go on is a finding
                outcome.stuck.append("".join(traceback.format_exception(error))[-LONGEST_FAULT:])
    return outcome


class World:
    """One Discord with its bot and its people."""

    def __init__(self, discord: Playground, path: Path, number: int, outcome: Outcome) -> None:
        self._discord = discord
        self._path = path
        self._number = number
        self._outcome = outcome
        self._clock = MovableClock()

    async def play(self, tables: range, provoke: Provoke | None) -> None:
        """Play every table, some at once."""
        pages = self._path.parent / "pages"
        running = await run_here(self._discord, self._path, clock=self._clock, pages_path=pages, **FEATURES)
        ear = Ear(self._discord, self._path)
        if provoke is not None:
            provoke(running)
        try:
            waiting = iter(tables)
            matches = await self._beside(running, tables.start, ear)
            await asyncio.gather(
                *[
                    self._play(f"match {match.number}", company, company.play_match(match, PATIENCE_S))
                    for match, company in matches
                ],
                *[self._tables(waiting, ear) for _ in range(TABLES_AT_ONCE)],
            )
            ear.hear_metrics()
            services = running.bot.services
            await SeasonPages(running.store, self._clock, services.workpool, pages).publish()
            await running.stop()
            for page in pages.rglob("*.html"):
                ear.hear_page(page, *[match.number for match, _ in matches])
            ear.hear_modes()
        finally:
            self._note(ear)
            ear.close()
            if not running.task.done():
                await running.stop()

    def _note(self, ear: Ear) -> None:
        outcome, heard = self._outcome, ear.heard
        outcome.deals = sum(deal.over for deal in ear.oracle.deals.values())
        outcome.pieces, outcome.size, outcome.cards = dict(heard.pieces), heard.size, heard.cards
        outcome.leaks = [str(leak) for leak in ear.leaks]

    async def _tables(self, waiting: "iter[int]", ear: Ear) -> None:  # type: ignore[valid-type]
        for table in waiting:
            company = self._company(table, ear)
            await self._play(f"table {table}", company, company.play(PATIENCE_S))
            ear.hear_metrics()

    async def _play(self, name: str, company: Company, play: Awaitable[None]) -> None:
        try:
            await play
        except (TimeoutError, CannotDoError, NotAnsweredError, AssertionError) as error:
            self._outcome.stuck.append(f"{name}: {type(error).__name__}: {error}"[:LONGEST_FAULT])
        self._outcome.looks += company.looks

    def _company(self, table: int, ear: Ear) -> Company:
        chance = Random(f"{self._number}:{table}")
        people = [self._person(f"p{table}x{place}", chance) for place in range(chance.randint(1, 3))]
        computers = chance.randint(0 if len(people) > 1 else 1, 2)
        if chance.random() < 1 / 8:
            self._discord.faults.fail(EDITS, method="PATCH", status=chance.choice((500, 503)))
        host, *guests = people
        for person in people:
            person.go(CHANNELS[table % len(CHANNELS)])
        watcher = self._person(f"w{table}", chance).go(host.channel)
        deals, preset = chance.choice((1, 1, 2)), chance.choice(list(PRESETS))
        return Company(
            self._discord.world, ear.oracle.is_open, host, guests, watcher, computers, preset, deals, chance
        )

    def _person(self, name: str, chance: Random) -> Person:
        person = self._discord.person(name)
        person.user.locale = chance.choice(LANGUAGES)
        return person

    async def _beside(self, running: Running, first: int, ear: Ear) -> list[tuple[Board, Company]]:
        """Open a league, and play two attempts at the deal of the day. Return the matches of its round, each with its players.

        One league in eight plays duplicate.
        """
        chance = Random(f"{self._number}:match {first}")
        is_duplicate = chance.random() < 1 / 8
        count = MATCH_OF * (BOARDS_AT if is_duplicate else 1)
        people = [self._discord.person(f"league{first}x{place}") for place in range(count)]
        watcher = self._person(f"w{first}x", chance).go(people[0].channel)
        circle = Circle(running, self._clock, people)
        matches = await open_league(self._discord, circle, watcher, chance, ear, is_duplicate=is_duplicate)
        for person in people[:2]:
            panel = (await person.slash("daily")).message
            while is_asked(panel):
                panel = (await act(person, panel)).panel
        return matches


async def open_league(
    discord: Playground, circle: Circle, watcher: Person, chance: Random, ear: Ear, *, is_duplicate: bool
) -> list[tuple[Board, Company]]:
    """Open a league for these people and draw its first round; return the matches, each with its players."""
    discord.world.grant(circle.staff.user, "MANAGE_GUILD")
    same_boards = {"no_fives": "yes", "duplicate": "yes"} if is_duplicate else {}
    signup = await circle.open(
        "Autumn", "1, 2, 3", confirm_hours=0, tables="channel", public_page="yes", **same_boards
    )
    for person in circle.people:
        await person.press(JOIN, message=signup)
    await start_league(circle.staff)
    await circle.rest()
    seen = await circle.view()
    matches: list[tuple[Board, Company]] = []
    for pod in seen.pods_of(1):
        host, *guests = circle.named(pod.players, seen)
        company = Company(
            discord.world,
            lambda number: ear.oracle.finished(number) < MATCH_DEALS,
            host,
            guests,
            watcher,
            computers=0,
            preset="",
            deals=MATCH_DEALS,
            chance=Random(f"{chance.random()}"),
        )
        matches.append((Board(discord.world, seen.tables[pod.id].id, host.channel.name), company))
    return matches
