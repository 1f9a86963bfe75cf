"""Lanes for background work, and the sleeps between its checks.

Work on different subjects runs side by side, work on the same subject in order. A subject is anything that
only one piece of work may handle at a time: a channel, a direct message, a table, a season. Slow work gives
up its place after a moment, so a subject that hangs does not delay others.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable
from functools import partial
from types import TracebackType
from typing import Generic, Self, TypeVar

from bot.clock import Clock
from data.cancellation import to_the_end
from league.times import MINUTE, SECOND

LONGEST_SLEEP_S = 30.0
"""The longest sleep, in seconds, because the clock may be set or the machine may sleep."""
GATHERING_S = 0.02
"""How long a woken worker waits for further wake-ups, in seconds, so that one check handles them all."""


class Wakeup:
    """The sleep of one worker.

    The worker calls `look` before it looks for work, so that no later `wake` is lost.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._changed = asyncio.Event()

    def wake(self) -> None:
        """Wake the worker: there may be something to do."""
        self._changed.set()

    def look(self) -> None:
        """Let every `wake` from now on end the next sleep."""
        self._changed.clear()

    async def sleep(self, moments: Iterable[int] = ()) -> None:
        """Sleep until the first of these moments, in milliseconds since 1970, or until woken."""
        waits = [(moment - self._clock.now()) / SECOND for moment in moments]
        try:
            async with asyncio.timeout(max(0, min([LONGEST_SLEEP_S, *waits]))):
                await self._changed.wait()
        except TimeoutError:
            return
        await asyncio.sleep(GATHERING_S)


SLOW_S = 0.5
"""How long work counts against `at_once`, in seconds. Work that takes longer is slow."""
SETTLE_S = 5.0
"""How long callers that need certainty wait for the work under way, in seconds."""
MOST = 256
"""The most pieces of work under way, including slow ones: each may hold a connection and a picture."""
FIRST_WAIT_MS = 1_000
LONGEST_WAIT_MS = MINUTE
MOST_FAILING = 10_000
"""The most subjects whose failures are counted."""

Work = Callable[[], Awaitable[bool]]
"""Works on one item.

Returns True if its subject may have more to do now, so that the worker has to look again.
"""
Item = TypeVar("Item", bound=Hashable)


def backoff_ms(failures: int, longest_ms: int = LONGEST_WAIT_MS) -> int:
    """Return the pause before the next attempt, given the number of failures before this one."""
    return min(FIRST_WAIT_MS << min(failures, 20), longest_ms)


class Failures:
    """Counts consecutive failures by subject, for work whose failures the store does not count."""

    def __init__(self) -> None:
        self._counts: dict[Hashable, int] = {}
        """By subject, the least recent failure first."""

    def failed(self, subject: Hashable) -> int:
        """Count a failure; returns how many consecutive failures came before it."""
        before = self._counts.pop(subject, 0)
        self._counts[subject] = before + 1
        if len(self._counts) > MOST_FAILING:
            del self._counts[next(iter(self._counts))]
        return before

    def succeeded(self, subject: Hashable) -> None:
        """Reset the count."""
        self._counts.pop(subject, None)


class Lanes(Generic[Item]):
    """Runs work by subject. As a context manager, it cancels work under way on exit and waits for its end.

    A worker reads due items from the store, without those `taken`, offers each, and sleeps until `wake` is
    called. That happens when there is room again, and when a lane becomes free whose subject may have more to
    do.
    """

    def __init__(self, at_once: int, wake: Callable[[], None]) -> None:
        self._at_once = at_once
        self._wake = wake
        self._tasks: dict[Hashable, asyncio.Task[bool]] = {}
        self._quick: set[Hashable] = set()
        """The lanes whose work is not slow so far."""
        self._taken: dict[Hashable, set[Item]] = {}
        """By busy lane: the items that it was offered."""
        self._fault: BaseException | None = None

    @property
    def room(self) -> int:
        """The number of further lanes that may start work now."""
        return max(0, min(self._at_once - len(self._quick), MOST - len(self._tasks)))

    @property
    def taken(self) -> list[Item]:
        """The items to leave out: each is being worked on, or waits for its lane."""
        return [item for items in self._taken.values() for item in items]

    def is_busy(self, lane: Hashable) -> bool:
        """Return whether work is under way in this lane."""
        return lane in self._tasks

    def offer(self, lane: Hashable, item: Item, work: Work) -> None:
        """Start work on an item. If its lane is busy or there is no room, it has to be offered again later."""
        if lane in self._tasks:
            self._taken[lane].add(item)
        elif self.room:
            self._taken[lane] = {item}
            self._quick.add(lane)
            self._tasks[lane] = task = asyncio.create_task(self._run(lane, work), name=f"lane {lane}")
            task.add_done_callback(partial(self._ended, lane))

    async def _run(self, lane: Hashable, work: Work) -> bool:
        slow = asyncio.get_running_loop().call_later(SLOW_S, self._give_place_back, lane)
        try:
            return await work()
        finally:
            slow.cancel()

    def _ended(self, lane: Hashable, task: asyncio.Task[bool]) -> None:
        had_room = self.room > 0
        fault = None if task.cancelled() else task.exception()
        self._fault = self._fault or fault
        del self._tasks[lane]
        self._quick.discard(lane)
        waits = len(self._taken.pop(lane)) > 1
        if waits or not had_room or task.cancelled() or fault is not None or task.result():
            self._wake()

    def _give_place_back(self, lane: Hashable) -> None:
        had_room = self.room > 0
        self._quick.discard(lane)
        if not had_room:
            self._wake()

    async def settle(self) -> None:
        """Wait for the end of the current work, but not for work that hangs."""
        if tasks := list(self._tasks.values()):
            await asyncio.wait(tasks, timeout=SETTLE_S)

    def check(self) -> None:
        """Raise the first exception that work has raised since the last call."""
        fault, self._fault = self._fault, None
        if fault is not None:
            raise fault

    async def __aenter__(self) -> Self:
        self._fault = None
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await to_the_end(asyncio.wait(tasks))
