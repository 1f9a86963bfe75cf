"""The services of a league without Discord: people by number, and a clock that the test moves."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from bot.league.calendar_acts import extended, paused, resumed
from bot.league.eligibility import Applicant
from bot.league.leagues import Founding
from bot.league.ruling_events import closing, undone
from bot.league.rulings import Make
from bot.league.season import SeasonView
from bot.people import NamedPerson
from bot.table.core.change import TableTransaction
from bot.table.core.table import READY
from data.outbox_keys import SeasonKey
from data.preferences import Pace
from data.repositories.messages import OutboxRow
from data.season_rows import SeasonEventRow
from data.store import Store
from data.transaction import ReadTransaction
from data.values import DeadlineRow
from league.season import fold
from league.settings import default_settings
from league.standings import standings
from marriage.actions import Action, Discard, DrawStock
from marriage.arena.ladder import AT_TABLES
from marriage.cards import parse_cards
from marriage.events import Event
from marriage.legal import shows
from marriage.rules import PRESETS, Rules
from marriage.shuffle import DealSeed
from marriage.state import Phase
from marriage.view import View, view
from tests.bot.house import House
from tests.marriage.dealing import WINNING, actor, arranged, decided

GUILD, CHANNEL, STAFF = 1, 2, NamedPerson(99, "Staff")
HOUR, DAY = 3_600_000, 24 * 3_600_000
QUICK = {"account_days": 0, "server_days": 0, "rotations": 1}

NOWHERE: Any = SimpleNamespace(get_guild=lambda _guild_id: None, is_ready=lambda: True)
"""A client in no server."""


WINNER = Counter(parse_cards(WINNING))


def hurried(seen: View) -> Action:
    """Choose an action that ends a deal of `start_anyhow` soon: all but the chosen winner pass."""
    if seen.own.shown is None and not Counter(seen.own.cards) >= WINNER:
        if seen.phase is Phase.DRAW:
            return DrawStock()
        if seen.phase is Phase.PLAY and seen.drawn is not None:
            return Discard(seen.drawn)
    if seen.phase is Phase.PLAY and seen.own.shown is None:
        return shows(seen)[0]
    return AT_TABLES["greedy"].choose(seen)


def start_anyhow(rules: Rules, players: int, dealer: int, key: DealSeed, **terms: Any) -> list[Event]:
    """A stand-in for `marriage.decide.start`: a player chosen by the deal's number wins in the first turn."""
    winner = Random(f"{key.table} {key.deal}").randrange(players)
    return [
        replace(arranged(*decided(players, winner), dealer=dealer, rules=rules, number=key.deal), **terms)
    ]


async def waiting_posts(db: ReadTransaction, now: int) -> list[OutboxRow[SeasonKey]]:
    """Return the posts of seasons that are due."""
    rows = await db.outbox.due(now, 1_000)
    return [row for row in rows if isinstance(row.key, SeasonKey)]


class LeagueHouse(House):
    """A league whose season a test drives step by step."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.clock.at = 1_700_000_000_000
        self.leagues, self.entries = self.services.leagues, self.services.entries
        self.reports, self.rounds = self.services.reports, self.services.rounds
        self.season_admin = self.services.season_admin

    async def open(
        self, format_: str = "pods", *, name: str = "Autumn", pace: Pace = Pace.NONE, **options: Any
    ) -> int:
        settings = default_settings(format_).with_options(**(QUICK | options))
        founding = Founding(name, settings, PRESETS["pagat"], pace)
        return await self.leagues.create(GUILD, CHANNEL, STAFF, founding, next(self.ids))

    async def close_season(self, season: int, reason: str) -> None:
        """Close the season as staff, and confirm."""
        await self.rule(season, reason, lambda told, _, __: closing(told))

    async def rule(self, season: int, reason: str, make: Make) -> SeasonEventRow:
        """Enter a ruling as staff, and confirm."""
        rulings = self.services.rulings
        preview = await rulings.prepare(season, STAFF, reason, make)
        return await rulings.enact(season, preview.draft, STAFF, next(self.ids))

    async def undo(self, season: int, number: int) -> None:
        """Undo the event with that number as staff, and confirm."""
        rulings = self.services.rulings
        preview = await rulings.prepare(
            season, STAFF, "a mistake", lambda _, entries, __: undone(entries, number), corrects=number
        )
        await rulings.enact(season, preview.draft, STAFF, next(self.ids))

    async def start(self, season: int) -> None:
        """Draw the next round now, as staff."""
        draw = await self.season_admin.next_draw(season)
        await self.season_admin.start(season, draw.last, next(self.ids))

    async def extend(self, season: int, until: int, reason: str) -> SeasonEventRow:
        """Move the next deadline, as staff."""
        row = (await self.view(season)).row
        return await self.rule(season, reason, lambda told, _, __: extended(row, told, until))

    async def pause(self, season: int, reason: str) -> SeasonEventRow:
        """Pause the season, as staff."""
        return await self.rule(season, reason, lambda told, _, __: paused(told))

    async def resume(self, season: int, reason: str) -> SeasonEventRow:
        """Resume the season, as staff."""
        return await self.rule(season, reason, lambda told, _, __: resumed(told))

    async def join(self, season: int, *people: int) -> None:
        for number in people:
            await self.entries.join(season, entrant(number), next(self.ids))

    async def come(self, season: int, number: int, *people: int) -> None:
        """Check these people in for a round."""
        for person in people:
            await self.entries.check_in(season, number, entrant(person), next(self.ids))

    async def until(self, season: int, at: int) -> None:
        """Let time pass, and run each due moment of the season."""
        while True:
            row = await self.store.read(lambda db: db.seasons.get(season))
            assert row is not None
            if row.due_at is None or row.due_at > at:
                break
            self.clock.at = max(self.clock.at, row.due_at)
            await self.rounds.catch_up(season)
        self.clock.at = max(at, self.clock.at)

    async def view(self, season: int) -> SeasonView:
        return await self.leagues.view(season)

    async def play_round(self, season: int, number: int, *without: int) -> None:
        """Play the round at all tables except those of the players in `without`."""
        seen = await self.view(season)
        for pod in seen.pods_of(number):
            persons = [seen.people[player].id for player in pod.players]
            if pod.over or set(persons) & set(without):
                continue
            await self.play_table(seen.tables[pod.id].id, persons)

    async def sit_down(self, table: int, persons: list[int]) -> None:
        for person in persons:
            await self.lobby.join(table, NamedPerson(person, f"P{person}"), next(self.ids))

    async def get_ready(self, table: int, persons: Iterable[int]) -> None:
        """Let these people press Ready, one after the other."""
        for person in persons:
            await self.play.ready(table, person, next(self.ids))

    async def play_table(self, table: int, persons: list[int]) -> None:
        """Play a whole match: everyone sits down and is ready, and every deal is played."""
        await self.sit_down(table, persons)
        await self.play_match(table, persons)

    async def play_match(self, table: int, persons: list[int]) -> None:
        """Play the match of the seated players; then they close the table."""
        await self.play_deals(table, persons)
        await self.play.finish_table(table, persons[0], next(self.ids))

    async def play_deals(self, table: int, persons: list[int]) -> None:
        """Play the match of the seated players, who stay at the table."""
        await self.get_ready(table, persons)
        await self.play_deals_on(table)

    async def play_deals_on(self, table: int) -> None:
        """Play the deals of a match that has begun."""
        while True:
            await self.finish_deal(table)
            match = await self.store.read(lambda db: db.matches.latest(table))
            assert match is not None
            if match.is_over:
                return

            async def read(db: ReadTransaction):
                return next(seat.person_id for seat in await db.tables.seats(table) if seat.person_id)

            person = await self.store.read(read)
            await self.next_deal(table, person)

    async def posts(self) -> list[object]:
        """Return what waits to be posted now."""
        return [row.key.post for row in await self.store.read(waiting_posts, self.clock.at)]

    async def ready_deadline(self, table: int) -> DeadlineRow:
        """Return the deadline by which the players of a table must be ready."""
        due = await self.store.read(lambda db: db.deadlines.of_table(table))
        return next(row for row in due if row.kind == READY)

    async def next_deal(self, table: int, person: int) -> None:
        await self.play.next_deal(table, person, next(self.ids))
        due = await self.ready_deadline(table)
        self.clock.at = max(self.clock.at, due.due_at)
        await self.play.all_ready(table, due.revision)

    async def finish_deal(self, table: int) -> None:
        """Play the deal to its end in one transaction."""

        async def command(tx: TableTransaction) -> None:
            while tx.state is not None and tx.state.phase is not Phase.OVER:
                seat = actor(tx.state)
                action = hurried(view(tx.state, seat))
                tx.record(self.decide(tx.state, seat, action), actor=seat)
            await self.play.follow(tx, [])

        await self.tables.change(table, command)

    def decide(self, state: Any, seat: int, action: Any) -> list[Event]:
        from marriage.decide import decide

        return decide(state, seat, action)

    async def assert_fold(self, season: int) -> None:
        """Assert that the standings follow from the events, in any order."""
        events = await self.store.read(lambda db: db.seasons.events(season))
        entries = [event.entry for event in events]
        live = (await self.view(season)).season
        assert fold(reversed(entries)) == live
        again = fold(entries[len(entries) // 2 :], fold(entries[: len(entries) // 2]))
        assert standings(again) == standings(live)


def entrant(number: int) -> Applicant:
    return Applicant(NamedPerson(number, f"P{number}"), 1_000_000, 1_000_000)


@pytest.fixture
async def house(store: Store, monkeypatch: pytest.MonkeyPatch) -> LeagueHouse:
    monkeypatch.setattr("bot.table.flow.seating.start", start_anyhow)
    return LeagueHouse(store)
