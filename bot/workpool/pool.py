"""Long work outside the event loop, with room for everyone."""

import asyncio
import os
import pickle
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, TypeVar, TypeVarTuple, overload

import structlog

from bot.errors import UserError
from bot.workpool.drawing import Drawing
from bot.workpool.worker import Worker, WorkerDiedError
from league.ids import PersonId

MOST_PROCESSES: Final = max(1, min(4, (os.cpu_count() or 2) - 1))

T = TypeVar("T")
Args = TypeVarTuple("Args")

log = structlog.get_logger(__name__)


class WorkKind(StrEnum):
    """The purpose of long work. A person has at most one piece of each kind."""

    ANALYSIS = "analysis"
    ANIMATION = "animation"
    BOARD = "board"
    ESTIMATE = "estimate"
    EXPORT = "export"
    FOLD = "fold"
    HINT = "hint"
    MATCHES = "matches"
    PUZZLE = "puzzle"


class SupersededError(UserError):
    """Raised when the same person has requested another piece of work of this kind."""

    def __init__(self) -> None:
        super().__init__("error.superseded")


@dataclass(slots=True, eq=False)
class _Job:
    """A piece of work and the callers that wait for it, each with a future that ends the wait."""

    content: bytes
    task: asyncio.Task[Any]
    waiting: dict[asyncio.Future[None], tuple[WorkKind, PersonId] | None] = field(
        default_factory=dict[asyncio.Future[None], tuple[WorkKind, PersonId] | None]
    )


class WorkPool:
    """A few other processes that run functions. They are started on demand.

    Identical calls are computed once for all callers. If a person requests another piece of the same kind,
    the previous one is cancelled. Work without a caller is cancelled too: a generator stops at its next
    `yield`, where others also get their turn; the answer of any other function is dropped.
    """

    def __init__(self, most: int = MOST_PROCESSES) -> None:
        self._most = most
        self._drawing = Drawing()
        self._workers: list[Worker] = []
        self._starting = asyncio.Lock()
        self._again = asyncio.Semaphore(most)
        """The limit for work that is repeated because its process has ended."""
        self._jobs: dict[bytes, _Job] = {}
        self._asked: dict[tuple[WorkKind, PersonId], _Job] = {}

    @overload
    async def run(
        self,
        kind: WorkKind,
        person_id: PersonId | None,
        function: Callable[[*Args], Generator[None, None, T]],
        *args: *Args,
    ) -> T: ...

    @overload
    async def run(
        self, kind: WorkKind, person_id: PersonId | None, function: Callable[[*Args], T], *args: *Args
    ) -> T: ...

    async def run(
        self, kind: WorkKind, person_id: PersonId | None, function: Callable[..., Any], *args: Any
    ) -> Any:
        """Run a function and return its result.

        `person_id` is the person who requested it, None for the bot itself. Function, arguments and result
        are pickled. The other process imports the function's module, which should therefore import little:
        functions of `render`, `league` and `marriage` are best. State of this process, such as the current
        language, is not available there. If the process is killed, the function runs again.

        Raises what the function raises, SupersededError if the person has requested something newer, and
        WorkerDiedError if the process was killed twice.
        """
        content = pickle.dumps((function, args))
        job = self._jobs.get(content) or self._start(content)
        place = None if person_id is None else (kind, person_id)
        if place is not None:
            self._take_place(place, job)
        let_go = asyncio.get_running_loop().create_future()
        job.waiting[let_go] = place
        try:
            await asyncio.wait((job.task, let_go), return_when=asyncio.FIRST_COMPLETED)
            if let_go.done():
                raise SupersededError
            return job.task.result()
        finally:
            self._leave(job, let_go)

    async def draw(self, function: Callable[[*Args], T], *args: *Args) -> T:
        """Run a function that takes some milliseconds, such as drawing a picture; raises what it raises.

        The same conditions apply as for `run`, but the work is never superseded, and the current language is
        available.
        """
        return await self._drawing.run(function, *args)

    def renew(self) -> None:
        """Let every process end when its work is done, so that nothing it remembers is kept."""
        self._drawing.renew()
        for worker in self._workers:
            worker.retire()

    async def close(self) -> None:
        """End all work at once."""
        await self._drawing.close()
        for job in list(self._jobs.values()):
            job.task.cancel()
        await asyncio.gather(*(job.task for job in self._jobs.values()), return_exceptions=True)
        workers, self._workers = self._workers, []
        await asyncio.gather(*(worker.close() for worker in workers))

    def _take_place(self, place: tuple[WorkKind, PersonId], job: _Job) -> None:
        former = self._asked.get(place)
        self._asked[place] = job
        if former is not None and former is not job:
            for let_go, whose in former.waiting.items():
                if whose == place and not let_go.done():
                    let_go.set_result(None)

    def _leave(self, job: _Job, let_go: asyncio.Future[None]) -> None:
        place = job.waiting.pop(let_go)
        let_go.cancel()
        if place is not None and self._asked.get(place) is job and place not in job.waiting.values():
            del self._asked[place]
        if not job.waiting:
            job.task.cancel()
            self._jobs.pop(job.content, None)

    def _start(self, content: bytes) -> _Job:
        job = _Job(content, asyncio.create_task(self._work(content), name="long work"))
        self._jobs[content] = job
        return job

    async def _work(self, content: bytes) -> Any:
        worker = await self._free_worker()
        try:
            return await worker.run(content)
        except WorkerDiedError:
            log.warning("work.died")
        return await self._alone(content)

    async def _alone(self, content: bytes) -> Any:
        """Do work in a separate process: if it kills that process too, no other work is lost."""
        async with self._again:
            worker = await Worker.start()
            try:
                return await worker.run(content)
            finally:
                await worker.close()

    async def _free_worker(self) -> Worker:
        """Return an idle process, else a new one, else the one with the least to do."""
        async with self._starting:
            self._workers = [worker for worker in self._workers if not worker.has_ended]
            there = [worker for worker in self._workers if worker.is_open]
            if len(there) < self._most and all(worker.load for worker in there):
                there.append(await Worker.start())
                self._workers.append(there[-1])
            return min(there, key=lambda worker: worker.load)
