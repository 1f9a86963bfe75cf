"""Everything that people, time and the machine may do, in any order.

Hypothesis chooses, and shrinks what fails.
"""

from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import ClassVar
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.league.eligibility import Applicant
from bot.league.leagues import Founding
from bot.people import NamedPerson
from bot.table.hosting import Actor
from data.preferences import Pace, Terms
from league.settings import default_settings
from marriage.actions import Action, Discard, DrawStock, Show
from marriage.cards import CARDS
from marriage.legal import legal_actions
from marriage.rules import PRESETS
from marriage.strategy.players import BeginnerPlayer
from marriage.view import View
from tests.bot.league.house import QUICK, start_anyhow
from tests.machine.invariants import Invariants
from tests.machine.world import CHANNEL, GUILD, PEOPLE, World

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000
MOST_TABLES, MOST_SEASONS = 4, 2
MOVES_A_TURN = 4
ILLEGAL: tuple[Callable[[View], Action], ...] = (
    lambda _: Discard(CARDS[53]),
    lambda _: Show(()),
    lambda seen: Discard(seen.own.cards[0]) if seen.own.cards else Show(()),
)
"""Moves that a rule or the turn may forbid."""

somebody = st.integers(0, PEOPLE - 1)
some_table = st.integers(1, MOST_TABLES)
times = st.sampled_from((1, 1, 2))
"""How often the same press arrives at the same time."""


class Evenings(RuleBasedStateMachine):
    """Tables, a league and privacy, through the bot's own services."""

    empty: ClassVar[Path]
    """A games file without any games; every run begins with a copy of it."""

    @initialize(players=st.sampled_from((0, 2, 3, 4)), rounds=st.integers(0, 3))
    def begin(self, players: int, rounds: int) -> None:
        self.folder = TemporaryDirectory()
        self.quick = patch("bot.table.flow.seating.start", start_anyhow)
        self.quick.start()
        self.world = World(self.empty, Path(self.folder.name))
        self.held = Invariants(self.world)
        if players:
            self.deal(players, rounds)

    def teardown(self) -> None:
        if hasattr(self, "world"):
            self.world.close()
            self.quick.stop()
            self.folder.cleanup()

    @invariant()
    def everything_holds(self) -> None:
        if hasattr(self, "world"):
            self.held.check()

    def person(self, who: int) -> NamedPerson:
        return self.world.people[who]

    def actor(self, who: int) -> Actor:
        return Actor(self.person(who))

    # Tables

    @rule(who=somebody, times=times)
    def open_table(self, who: int, times: int) -> None:
        if len(self.world.rows("SELECT id FROM game_table")) < MOST_TABLES:
            person = self.person(who)
            self.world.press(
                lambda number: self.world.services.lobby.open(GUILD, CHANNEL, person, number), times
            )

    @rule(who=somebody, table=some_table, times=times)
    def sit_down(self, who: int, table: int, times: int) -> None:
        person = self.person(who)
        self.world.press(lambda number: self.world.services.lobby.join(table, person, number), times)

    @rule(who=somebody, table=some_table)
    def add_computer(self, who: int, table: int) -> None:
        actor = self.actor(who)
        self.world.press(lambda number: self.world.services.hosting.add_computer(table, actor, number))

    @rule(who=somebody, table=some_table, deals=st.integers(0, 3), pace=st.sampled_from(tuple(Pace)))
    def set_terms(self, who: int, table: int, deals: int, pace: Pace) -> None:
        actor, terms = self.actor(who), Terms(rules=PRESETS["pagat"], deals=deals, pace=pace)
        self.world.press(
            lambda number: self.world.services.hosting.set_terms(table, actor, lambda _: terms, number)
        )

    @rule(who=somebody, table=some_table, times=times)
    def start(self, who: int, table: int, times: int) -> None:
        person = self.person(who)
        self.world.press(lambda number: self.world.services.play.start(table, person.id, number), times)

    @rule(players=st.integers(2, PEOPLE), rounds=st.integers(0, 6))
    def deal(self, players: int, rounds: int) -> None:
        """Let the first `players` people who may sit down begin a table and play."""
        tables = len(self.world.rows("SELECT id FROM game_table"))
        self.open_table(0, 1)
        table = min(tables + 1, MOST_TABLES)
        for who in range(players):
            self.sit_down(who, table, 1)
        for who in range(players):
            self.start(who, table, 1)
        self.play_on(table, rounds)

    @rule(table=some_table, rounds=st.integers(1, 6))
    def play_on(self, table: int, rounds: int) -> None:
        """Let everyone whose turn it is move until the deal is over: draw, show, cut, discard or finish."""
        for _ in range(rounds * MOVES_A_TURN):
            for person in self.world.people:
                self._move(table, person, BeginnerPlayer().choose)

    @rule(who=somebody, table=some_table, chance=st.randoms(use_true_random=False), times=times)
    def move(self, who: int, table: int, chance: Random, times: int) -> None:
        """Make any legal move; out of turn, draw."""

        def choose(view: View) -> Action:
            legal = legal_actions(view)
            return chance.choice(legal) if legal else DrawStock()

        self._move(table, self.person(who), choose, times)

    @rule(who=somebody, table=some_table, illegal=st.sampled_from(ILLEGAL))
    def move_illegally(self, who: int, table: int, illegal: Callable[[View], Action]) -> None:
        self._move(table, self.person(who), illegal)

    @rule(who=somebody, table=some_table, late=st.integers(1, 5))
    def press_a_stale_button(self, who: int, table: int, late: int) -> None:
        found = self.world.rows(f"SELECT revision FROM game_table WHERE id = {table}")
        if not found or found[0][0] < late:
            return
        before = self.world.everything_that_counts()
        person, revision = self.person(who), found[0][0] - late
        done = self.world.press(
            lambda number: self.world.services.play.move(
                table, person.id, BeginnerPlayer().choose, revision, number
            )
        )
        assert not done or self.world.everything_that_counts() != before

    def _move(
        self, table: int, person: NamedPerson, choose: Callable[[View], Action], times: int = 1
    ) -> bool:
        return self.world.press(
            lambda number: self.world.services.play.move(table, person.id, choose, None, number), times
        )

    @rule(
        who=somebody,
        table=some_table,
        what=st.sampled_from(("next_deal", "rematch", "ready", "finish_table")),
        times=times,
    )
    def between_deals(self, who: int, table: int, what: str, times: int) -> None:
        person = self.person(who)
        self.world.press(
            lambda number: getattr(self.world.services.play, what)(table, person.id, number), times
        )

    @rule(who=somebody, table=some_table)
    def leave(self, who: int, table: int) -> None:
        person = self.person(who)
        self.world.press(lambda number: self.world.services.leaving.leave(table, person.id, number))

    @rule(who=somebody, table=some_table)
    def come_back(self, who: int, table: int) -> None:
        person = self.person(who)

        async def back(_number: int) -> None:
            await self.world.services.presence.back(table, person.id)

        [outcome] = self.world.run(self.world._at_once(back, 0, 1))
        assert outcome is None or isinstance(outcome, Exception)

    # A league

    @rule()
    def open_league(self) -> None:
        if len(self.world.rows("SELECT id FROM season")) >= MOST_SEASONS:
            return
        terms = {"rounds": 1, "signup_days": 1, "confirm_hours": 0, "round_days": 2}
        settings = default_settings("pods").with_options(**(QUICK | terms))
        founding = Founding("Sharad", settings, PRESETS["pagat"], Pace.NONE)
        self.world.press(
            lambda number: self.world.services.leagues.create(
                GUILD, CHANNEL, self.world.staff, founding, number
            )
        )

    @rule(who=somebody, season=st.integers(1, MOST_SEASONS), times=times)
    def enter(self, who: int, season: int, times: int) -> None:
        entrant = Applicant(self.person(who), 1_000_000, 1_000_000)
        self.world.press(lambda number: self.world.services.entries.join(season, entrant, number), times)

    @rule(season=st.integers(1, MOST_SEASONS))
    def everybody_enters_and_is_drawn(self, season: int) -> None:
        for who in range(PEOPLE):
            self.enter(who, season, 1)
        self.world.pass_time(2 * DAY)

    @rule(who=somebody, season=st.integers(1, MOST_SEASONS))
    def withdraw(self, who: int, season: int) -> None:
        person = self.person(who)
        self.world.press(lambda number: self.world.services.entries.leave(season, person, number))

    @rule(who=somebody, season=st.integers(1, MOST_SEASONS), pod=st.integers(1, 2), times=times)
    def report(self, who: int, season: int, pod: int, times: int) -> None:
        person = self.person(who)
        found = self.world.rows(f"SELECT id FROM season WHERE id = {season}")
        pods = self.world.run(self.world.services.leagues.view(season)).season.pods if found else {}
        if pod not in pods:
            return
        seats = len(pods[pod].players)
        line = " ".join(["24", *["-8"] * (seats - 2), str(8 * (seats - 2) - 24)])
        deals = "\n".join([line] * seats)
        self.world.press(
            lambda number: self.world.services.reports.report(season, pod, person, deals, [], number),
            times,
        )

    @rule(who=somebody, season=st.integers(1, MOST_SEASONS), pod=st.integers(1, 2), agrees=st.booleans())
    def answer_a_report(self, who: int, season: int, pod: int, agrees: bool) -> None:
        if not self.world.rows(f"SELECT id FROM season WHERE id = {season}"):
            return
        pods = self.world.run(self.world.services.leagues.view(season)).season.pods
        told = pods[pod].report if pod in pods else None
        if told is None:
            return
        person, at = self.person(who), told.at
        self.world.press(
            lambda number: self.world.services.reports.answer(season, pod, at, person, number, agrees=agrees)
        )

    # The machine, time and privacy

    @rule()
    def deliver_again(self) -> None:
        self.world.press_again()

    @rule()
    def restart(self) -> None:
        self.world.restart()

    @rule(milliseconds=st.sampled_from((1_000, 20_000, 2 * MINUTE, HOUR, DAY)))
    def time_passes(self, milliseconds: int) -> None:
        self.world.pass_time(milliseconds)

    @rule(by_ms=st.sampled_from((-HOUR, -2_000, 2_000, HOUR)))
    def clock_jumps(self, by_ms: int) -> None:
        self.world.set_clock(by_ms)

    @precondition(lambda self: len(self.world.forgotten) < 3)
    @rule(who=somebody)
    def forget(self, who: int) -> None:
        self.world.forget(who)
