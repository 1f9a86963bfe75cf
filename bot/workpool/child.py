"""`python -m bot.workpool.child NICENESS`: does work for the bot, one step of each piece at a time.

It reads work from standard input and writes answers to standard output. Both carry frames: a number, a
length, and that many bytes. A piece of work is a pickled function with its arguments. Its answer has the same
number, and is a pickled pair of a success flag and the result or the exception. An empty frame cancels the
work with its number.

A generator function yields to the next piece of work at every `yield`, and can be cancelled there. So all
work progresses side by side, and a long piece blocks no other. The process ends when its input ends, or when
its output has no reader.

Free memory is returned to the system whenever there is nothing to do, and now and then in between.
"""

import os
import pickle
import select
import struct
import sys
import traceback
from collections.abc import Generator
from inspect import isgenerator
from typing import Any, Final, cast

from bot.memory import give_back

FRAME: Final = struct.Struct(">QQ")
"""The head of every frame: the number of a piece of work, and how many bytes follow."""
_CHUNK: Final = 1 << 16
_REST_S: Final = 1.0
"""The idle time, in seconds, after which memory is returned."""
_MANY: Final = 500
"""The number of answers after which memory is returned in any case, which takes some milliseconds."""

Steps = Generator[None, None, Any]


class _Input:
    """The incoming frames."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._buffer = bytearray()

    def waits(self, within_s: float = 0) -> bool:
        """Return whether input has arrived or ended, or does so within this many seconds."""
        return bool(self._buffer) or bool(select.select([self._descriptor], [], [], within_s)[0])

    def frame(self) -> tuple[int, bytes]:
        """Wait for the next frame and return it; raises EOFError at the end."""
        number, length = FRAME.unpack(self._take(FRAME.size))
        return number, self._take(length)

    def _take(self, length: int) -> bytes:
        while len(self._buffer) < length:
            chunk = os.read(self._descriptor, _CHUNK)
            if not chunk:
                raise EOFError
            self._buffer += chunk
        taken = bytes(self._buffer[:length])
        del self._buffer[:length]
        return taken


class _Server:
    """Takes turns between the pieces of work that it was given."""

    def __init__(self, descriptor_in: int, descriptor_out: int) -> None:
        self._input = _Input(descriptor_in)
        self._out = descriptor_out
        self._under_way: dict[int, Steps] = {}
        """The work by number, the piece whose turn is next first."""
        self._answered = 0
        """The number of answers since memory was last returned."""

    def serve(self) -> None:
        """Work until the input ends, or the answers have no reader."""
        try:
            while True:
                while not self._under_way or self._input.waits():
                    self._tidy()
                    self._receive(*self._input.frame())
                self._go_on()
        except (EOFError, BrokenPipeError):
            return

    def _tidy(self) -> None:
        """Return free memory to the system after many answers, or when idle."""
        rests = self._answered and not self._under_way and not self._input.waits(_REST_S)
        if rests or self._answered >= _MANY:
            give_back()
            self._answered = 0

    def _receive(self, number: int, content: bytes) -> None:
        if content:
            self._under_way[number] = _steps(content)
        else:
            self._under_way.pop(number, None)

    def _go_on(self) -> None:
        """Run one step of the work whose turn it is, then move that to the end of the queue."""
        number = next(iter(self._under_way))
        steps = self._under_way.pop(number)
        try:
            next(steps)
        except StopIteration as done:
            self._answer(number, (True, done.value))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where the work is awaited
            error.add_note(traceback.format_exc())
            self._answer(number, (False, error))
        else:
            self._under_way[number] = steps

    def _answer(self, number: int, answer: tuple[bool, object]) -> None:
        self._answered += 1
        try:
            content = pickle.dumps(answer)
            if not answer[0]:
                pickle.loads(content)  # noqa: S301 - an error that cannot be read would leave its reader waiting
        except Exception as error:  # noqa: BLE001 - an answer of any kind may be impossible to send
            content = pickle.dumps((False, TypeError(f"the answer cannot be sent: {error!r}")))
        view = memoryview(FRAME.pack(number, len(content)) + content)
        while view:
            view = view[os.write(self._out, view) :]


def _steps(content: bytes) -> Steps:
    """Return a piece of work as steps; a plain function is a single one."""
    function, args = pickle.loads(content)  # noqa: S301 - from the process that started this one, and nobody else
    result = function(*args)
    return (yield from cast("Steps", result)) if isgenerator(result) else result


def main() -> None:
    """Serve; anything printed goes to standard error, not among the answers."""
    out = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    os.nice(int(sys.argv[1]))
    _Server(sys.stdin.fileno(), out).serve()


if __name__ == "__main__":
    main()
