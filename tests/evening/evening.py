"""The evening itself: tables are opened, rounds pass, things go wrong, and everything ends."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from random import Random

from bot.settings import Settings
from playground.faults import Failure
from playground.person import NotAnsweredError, Person
from tests.e2e.players import (
    COMPUTER,
    JOIN,
    MANAGE,
    READY,
    START,
    press_tool,
    say,
    set_match,
)
from tests.evening.guests import Board, Guest, spend_together
from tests.evening.report import Report, Standstill, report
from tests.evening.script import HOMES, Plan, Script, Seat
from tests.evening.stage import Stage
from tests.waiting import SLOW_DEADLINE, until

THREAD = say("manage.thread_off")
REAL = {
    name: Settings.model_fields[name].default
    for name in (
        "computer_pause_ms",
        "table_edit_gap_ms",
        "followed_edit_s",
        "mid_turn_edit_s",
        "answer_edits_m",
        "seen_hand_s",
    )
}
"""The default settings of the evening, in place of those for quick tests."""
COMPUTER_S = 1.3
"""Slightly longer than a computer's pause before it plays."""
GRACE_S = 30
"""The minimum time that the bot gives everyone once it is back."""
EDITS = r"/channels/\d+/messages"
QUIET_ROUNDS = 15
"""The evening ends after so many rounds without a move, longer than anyone's nap."""
NIGHT_STEP_S = 10
MOST_NIGHT_STEPS = 300
SWEEP_S = 3 * 3600
"""Longer than a table waits between two deals for people who never return."""
STAND = "SELECT status, count(*) FROM game_table GROUP BY status"
RUNNING = "SELECT id FROM game_table WHERE status = 'playing'"
DUE = f"""
    SELECT kind, name FROM outbox WHERE done_at IS NULL AND not_before <= :now
    AND kind NOT IN ('table', 'close') AND NOT EXISTS (
        SELECT 1 FROM outbox AS sent WHERE (sent.subject, sent.about, sent.name) = (outbox.subject, outbox.about, outbox.name) AND sent.done_at > :now - {REAL["table_edit_gap_ms"]})
    UNION ALL SELECT kind, CAST(table_id AS TEXT) FROM deadline WHERE due_at <= :now
"""


@dataclass
class Party:
    """A table with its guests."""

    plan: Plan
    board: Board
    guests: list[Guest]


@dataclass
class Evening(Stage):
    """One evening, from the first `/marriage play` to the last closed table."""

    script: Script
    parties: list[Party] = field(default_factory=list)
    standstills: list[Standstill] = field(default_factory=list)
    returns: list[tuple[int, int]] = field(default_factory=list)
    """The tables at which people came back to their seats, and when."""
    failures: list[Failure] = field(default_factory=list)
    """The failures to inject, and how many of each are still to come."""
    excused: int = 0
    """Presses while no bot was running."""
    by_hand: int = 0
    settings = REAL
    due = DUE

    async def _pass(self, seconds: float) -> None:
        """Let time pass, and then enough for computers in turn to play."""
        await self.pass_by(seconds)
        await self.pass_by(COMPUTER_S)

    # The course of the evening -------------------------------------------------------------------

    async def run(self) -> Report:
        """Play the evening; the report contains everything that must hold afterwards."""
        try:
            return await self._run()
        finally:
            if not self.process.life.done():
                await self.process.kill()

    async def _run(self) -> Report:
        began = self.clock.now()
        self.discord.faults.limit(EDITS, 5, 0.5)
        await self.start_bot()
        for place, plan in enumerate(self.script.plans, 1):
            self.parties.append(await self._open(place, plan))
        number = quiet = 0
        while number < self.script.scale.rounds and quiet < QUIET_ROUNDS:
            number += 1
            moved = self.by_hand
            await self._round(number)
            quiet = quiet + 1 if self.by_hand == moved else 0
            if number % 10 == 0:
                await self._tell(number)
        for guest in (guest for party in self.parties for guest in party.guests):
            if guest.is_awake(number):
                await guest.leave()
        minutes = (self.clock.now() - began) / 60_000
        await self._sweep()
        await self.end_bot()
        async with self.games.left() as left:
            made = await report(self.discord, left, self.standstills, self.returns)
        made.by_hand, made.minutes = self.by_hand, minutes
        return made

    async def _sweep(self) -> None:
        """Let what is left end by itself, after everyone has gone to bed."""
        for _ in range(MOST_NIGHT_STEPS):
            if not await self.games.rows(RUNNING):
                break
            await self._pass(NIGHT_STEP_S)
        await self._pass(SWEEP_S)

    async def _tell(self, number: int) -> None:
        stand = ", ".join(f"{count} {status}" for status, count in await self.games.rows(STAND))
        self.tell(f"round {number}: {stand}; {self.by_hand} moves by people")

    def broken(self, made: Report) -> list[str]:
        """Return the broken promises of the evening."""
        lost = self.unanswered() - self.excused
        ordered = sum(times for status, times in self.script.mishaps.failing.values() if status == 429)
        provoked = (
            made.statuses[429]
            - ordered
            + sum(failure.times for failure in self.failures if failure.status == 429)
        )
        return [
            *self.complaints,
            *self.discord.failures,
            *made.unsound,
            *made.too_long,
            *([f"{lost} interactions were not answered"] if lost else []),
            *([f"{provoked} answers 429 were provoked"] if provoked else []),
            *([f"{made.paid_a_move:.2f} calls a move"] if made.paid_a_move > 1 else []),
        ]

    async def _round(self, number: int) -> None:
        await self._mishaps_before(number)
        rounds = [spend_together(party.guests, number, self.chance) for party in self.parties]
        if number == self.script.mishaps.restart:
            await self._killed(rounds)
        else:
            self.by_hand += sum(await asyncio.gather(*rounds))
            await self.settled()
            again = [spend_together(party.guests, number, self.chance) for party in self.parties]
            self.by_hand += sum(await asyncio.gather(*again))
        self._note_returns()
        await self._pass(self.chance.uniform(4, 8))

    def _note_returns(self) -> None:
        for party in self.parties:
            for guest in party.guests:
                if guest.came_back:
                    self.returns.append((party.board.number, self.clock.now()))
                guest.came_back = False

    async def _mishaps_before(self, number: int) -> None:
        mishaps, world = self.script.mishaps, self.discord.world
        if number in mishaps.deleted_messages:
            message = self.parties[mishaps.deleted_messages[number]].board.message
            if message is not None:
                world.delete_message(message)
        if number in mishaps.deleted_threads:
            message = self.parties[mishaps.deleted_threads[number]].board.message
            if message is not None and message.channel.is_thread:
                world.delete_channel(message.channel)
        if number in mishaps.failing:
            status, times = mishaps.failing[number]
            self.failures.append(
                self.discord.faults.fail(EDITS, method="PATCH", status=status, times=times, retry_after=0.2)
            )
        if number in mishaps.talk:
            talker = self.discord.person("talker")
            for count in range(8):
                talker.say(f"and then, {count}?", mishaps.talk[number])
        await self._permissions(number)
        if mishaps.staff is not None and mishaps.staff[0] == number:
            await self._rule_on(self.parties[mishaps.staff[1]])

    async def _permissions(self, number: int) -> None:
        lost, world = self.script.mishaps.lost, self.discord.world
        if number == lost.start:
            self._lost_at = self.clock.now()
            world.deny(HOMES[-1], "VIEW_CHANNEL")
        if number == lost.stop:
            world.allow(HOMES[-1], "VIEW_CHANNEL")
            await self.settled()
            homes = frozenset({world.channel(HOMES[-1]).id})
            self.standstills.append(Standstill(self._lost_at, self.clock.now(), homes))

    async def _rule_on(self, party: Party) -> None:
        staff = self.discord.person("warden")
        self.discord.world.grant(staff.user, "MANAGE_GUILD")
        await staff.slash("marriage end", table=party.board.number, reason="It is late")

    async def _killed(self, rounds: list[Coroutine[None, None, int]]) -> None:
        """Kill the process while people press; those presses stay unanswered, and another process starts."""
        before = self.unanswered()
        self.discord.interactions.deadline = 1.0
        tasks = [asyncio.create_task(work) for work in rounds]
        heard = len(self.discord.world.interactions) + len(tasks) // 2
        await until(
            lambda: len(self.discord.world.interactions) >= heard or all(task.done() for task in tasks)
        )
        [(alive,)] = await self.games.rows("SELECT value FROM meta WHERE key = 'alive'")
        assert await self.process.kill() == -9
        self.look_into_the_log(self.process)
        for outcome in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(outcome, BaseException) and not isinstance(
                outcome, (NotAnsweredError, TimeoutError)
            ):
                raise outcome
        self.excused += self.unanswered() - before
        self.discord.interactions.deadline = SLOW_DEADLINE
        self.clock.forward(60)
        await self.start_bot()
        self.standstills.append(Standstill(int(alive), self.clock.now() + GRACE_S * 1000))

    # Opening a table -----------------------------------------------------------------------------

    async def _open(self, number: int, plan: Plan) -> Party:
        board = Board(self.discord.world, number, plan.home)
        guests = [self._guest(seat, plan, board) for seat in plan.seats]
        host = guests[0].person
        table = (await host.slash("marriage play")).message
        await set_match(host, table, plan.deals, plan.pace.value)
        for guest in guests[1:]:
            await guest.person.press(JOIN, message=board.message)
        for _ in range(plan.computers):
            await press_tool(host, board.message, COMPUTER)
        if plan.thread:
            panel = (await press_tool(host, board.message, MANAGE)).message
            await host.press(THREAD, message=panel)
        if plan.all_ready:
            for guest in guests:
                await press_tool(guest.person, board.message, READY)
        else:
            await host.press(START, message=board.message)
        await self._pass(1)
        return Party(plan, board, guests)

    def _guest(self, seat: Seat, plan: Plan, board: Board) -> Guest:
        person: Person = self.discord.person(seat.name)
        person.go(plan.home)
        if seat.shown is not None:
            person.user.global_name = seat.shown
        person.close_dms(closed=seat.dms_closed)
        return Guest(
            person,
            board,
            Random(f"{self.number} {seat.name}"),
            types=seat.types,
            shuns_dms=seat.shuns_dms,
            naps=seat.naps,
            leaves=seat.leaves,
            gives_up=seat.gives_up,
            agreeable=seat.agreeable,
            enough=self.script.scale.enough,
            wants_rematch=plan.rematch,
        )
