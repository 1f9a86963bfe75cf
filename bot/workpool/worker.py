"""One process that does long work, as the bot sees it."""

import asyncio
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import Any, Final, Self

from bot.workpool.child import FRAME

ROOT: Final = Path(__file__).parents[2]
NICENESS: Final = 5
"""The niceness of long work: presses that are answered at once go first."""
IDLE_S: Final = 60.0
"""The idle time, in seconds, after which a process ends.

A process holds 50 to 100 megabytes, and starting one takes a second at most.
"""


class WorkerDiedError(Exception):
    """Raised when the process ended before it had answered."""


class Worker:
    """A process and the work that it was given."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._last = 0
        self._is_open = True
        self._idle: asyncio.TimerHandle | None = None
        self._reading = asyncio.create_task(self._read(), name="read work")

    @classmethod
    async def start(cls, niceness: int = NICENESS) -> Self:
        """Start a process with this additional niceness.

        It does not share the bot's terminal, so it ends with the bot, not before.
        """
        command = (sys.executable, "-m", "bot.workpool.child", str(niceness))
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, cwd=ROOT, start_new_session=True
        )
        return cls(process)

    @property
    def is_open(self) -> bool:
        """Whether it takes more work."""
        return self._is_open

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone."""
        return self._reading.done()

    @property
    def load(self) -> int:
        """The number of pieces of work that it has."""
        return len(self._answers)

    async def run(self, content: bytes) -> Any:
        """Run the pickled function; raises what it raises, or WorkerDiedError. Cancelling the call cancels the work."""
        if self._idle is not None:
            self._idle.cancel()
        self._last += 1
        number, answer = self._last, asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        self._send(number, content)
        try:
            return await answer
        finally:
            if self._answers.pop(number, None) is not None:
                self._send(number, b"")
            self._rest()

    def retire(self) -> None:
        """Take no more work, and end when the existing work is done."""
        self._is_open = False
        self._rest()

    async def close(self) -> None:
        """End at once."""
        self._is_open = False
        if self._process.returncode is None:
            self._process.kill()
        self._rest()
        await self._reading
        await self._process.wait()

    def _rest(self) -> None:
        if self._answers:
            return
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        if self._is_open:
            self._idle = asyncio.get_running_loop().call_later(IDLE_S, self.retire)
        elif self._process.stdin is not None:
            self._process.stdin.close()

    def _send(self, number: int, content: bytes) -> None:
        stdin = self._process.stdin
        if stdin is not None and not stdin.is_closing():
            stdin.write(FRAME.pack(number, len(content)) + content)

    async def _read(self) -> None:
        try:
            while True:
                await self._read_answer()
        except (asyncio.IncompleteReadError, ConnectionError):
            self._is_open = False
            for answer in self._answers.values():
                if not answer.done():
                    answer.set_exception(WorkerDiedError)
            self._answers.clear()

    async def _read_answer(self) -> None:
        if self._process.stdout is None:
            raise ConnectionError
        number, length = FRAME.unpack(await self._process.stdout.readexactly(FRAME.size))
        content = await self._process.stdout.readexactly(length)
        answer = self._answers.pop(number, None)
        if answer is None or answer.done():
            return
        succeeded, result = pickle.loads(content)  # noqa: S301 - from our own process
        if succeeded:
            answer.set_result(result)
        else:
            answer.set_exception(result)
