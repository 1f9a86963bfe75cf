"""All services over one file, without Discord: presses are calls, and time passes only on request."""

import asyncio
import shutil
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import closing
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeVar

from bot.errors import RepeatedInteractionError, StaleRevisionError, UserError
from bot.people import NamedPerson
from bot.services import Services, wire
from bot.settings import Settings
from data.store import Store
from data.values import DeadlineRow
from marriage.errors import IllegalActionError
from tests.bot.clocks import connect
from tests.bot.house import Hand

GUILD, CHANNEL = 676_000_000_000_000_001, 676_000_000_000_000_002
FIRST_PERSON = 675_857_204_661_714_944
"""The first person's id.

Ids are as long as Discord's, so that no other number in the file equals one by chance.
"""
PEOPLE = 5
MOST_DUE = 400
REFUSALS = (UserError, IllegalActionError, StaleRevisionError, RepeatedInteractionError)

Call = Callable[[int], Awaitable[Any]]
"""What a press does, given the interaction's id."""
T = TypeVar("T")


class World:
    """The people, the clock, the services, and every press that was answered."""

    def __init__(self, empty: Path, folder: Path) -> None:
        self.path = folder / "tiplu.sqlite3"
        shutil.copy(empty, self.path)
        self.loop = asyncio.new_event_loop()
        self.clock = Hand(1_700_000_000_000)
        self._ids, self._numbers = count(1_400_000_000_000_000_000), count()
        self.staff = self._somebody()
        self.people = [self._somebody() for _ in range(PEOPLE)]
        self.forgotten: list[NamedPerson] = []
        self.answered: list[int] = []
        self.last: tuple[int, Call] | None = None
        self.services = self._begin()

    def _somebody(self) -> NamedPerson:
        number = next(self._numbers)
        return NamedPerson(FIRST_PERSON + 4_099 * number, f"Vyakti{number}")

    def _begin(self) -> Services:
        self.store = self.run(Store.open(self.path))
        settings = Settings(
            _env_file=None,
            discord_token="x",
            computer_pause_ms=0,
            tables_per_person_h=1_000,
            deals_per_table_h=1_000,
            database_path=self.path,
        )
        return wire(settings, self.store, self.clock)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.loop.run_until_complete(work)

    def restart(self) -> None:
        """Replace the services by others over the same file."""
        self.run(self.store.close())
        self.services = self._begin()
        self.run(connect(self.services.outages))

    def close(self) -> None:
        self.run(self.store.close())
        self.loop.close()

    # Presses

    def press(self, call: Call, times: int = 1) -> bool:
        """Press, and deliver the same interaction `times` times at once. Return whether it was accepted.

        The press may be delivered again after a restart, so `call` must look up the services each time.
        """
        number = next(self._ids)
        outcomes = self.run(self._at_once(call, number, times))
        for outcome in outcomes:
            if isinstance(outcome, BaseException) and not isinstance(outcome, REFUSALS):
                raise outcome
        done = sum(not isinstance(outcome, BaseException) for outcome in outcomes)
        assert done <= 1, "one press counted twice"
        if done:
            self.answered.append(number)
            self.last = number, call
        return done == 1

    async def _at_once(self, call: Call, number: int, times: int) -> list[Any]:
        return await asyncio.gather(*(call(number) for _ in range(times)), return_exceptions=True)

    def press_again(self) -> None:
        """Deliver the last accepted interaction again, and check that it does nothing."""
        if self.last is None:
            return
        number, call = self.last
        before = self.everything_that_counts()
        [outcome] = self.run(self._at_once(call, number, 1))
        assert isinstance(outcome, REFUSALS), f"a repeated press gave {outcome!r}"
        assert self.everything_that_counts() == before

    def everything_that_counts(self) -> list[Any]:
        """Return all that has happened: deal and season events, results, seats, and revisions of tables."""
        kept = ("event", "season_event", "result", "seat", "deal")
        return [self.rows(f"SELECT * FROM {name}") for name in kept] + [
            self.rows("SELECT id, status, revision, deal_no, host_id FROM game_table")
        ]

    # Time

    def pass_time(self, milliseconds: int) -> None:
        """Let time pass, and do everything that comes due at its own time."""
        until = self.clock.at + milliseconds
        for _ in range(MOST_DUE):
            due = self._next_due()
            if due is None or due[0] > until:
                break
            at, act = due
            self.clock.at = max(self.clock.at, at)
            self.run(act())
        self.clock.at = until

    def _next_due(self) -> tuple[int, Callable[[], Coroutine[Any, Any, Any]]] | None:
        deadlines = self.rows(
            "SELECT table_id, kind, revision, due_at, set_at FROM deadline ORDER BY due_at LIMIT 1"
        )
        seasons = self.rows("SELECT due_at, id FROM season WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1")
        acts = [
            *((row[3], partial(self.services.deadlines.act, DeadlineRow(*row))) for row in deadlines),
            *((due_at, partial(self.services.rounds.catch_up, season)) for due_at, season in seasons),
        ]
        return min(acts, key=lambda act: act[0], default=None)

    def set_clock(self, by_ms: int) -> None:
        """Let the machine's clock jump."""
        self.clock.at += by_ms
        self.run(self.services.outages.clock_moved(by_ms))

    # People

    def forget(self, who: int) -> None:
        """Forget a person, and replace them by a new one."""
        person, self.people[who] = self.people[who], self._somebody()
        self.run(self.services.forgetting.forget(person.id))
        self.forgotten.append(person)

    # The file

    def rows(self, question: str) -> list[Any]:
        """Query the file on a connection of its own."""
        with closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as connection:
            return connection.execute(question).fetchall()
