"""A profile of the loop's thread by samples of processor time: cheap, and blind to nothing that Python runs."""

import asyncio
import os
import signal
import sys
import threading
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

INTERVAL_S = 0.002
IDLE = {"select"}
"""While the loop waits, the time is that of other threads."""
SHOWN = 25
_TURN = asyncio.Handle._run.__code__
"""Below it there is nothing but the loop."""
ROOT = str(Path(__file__).parents[2])


class Sampler:
    """Looks every two milliseconds of processor time at what the loop's thread is doing."""

    def __init__(self) -> None:
        self._own: Counter[str] = Counter()
        self._within: Counter[str] = Counter()
        self._count = 0

    def start(self) -> None:
        """Begin; call it in the main thread."""
        self._own.clear()
        self._within.clear()
        self._count = 0
        signal.signal(signal.SIGPROF, self._look)
        self._wakeup = signal.set_wakeup_fd(-1)  # the loop need not turn for a sample
        signal.setitimer(signal.ITIMER_PROF, INTERVAL_S, INTERVAL_S)

    def stop(self) -> dict[str, Any]:
        """End; shares of the processor time by function: its own, and with all that it called."""
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.set_wakeup_fd(self._wakeup)
        total = max(1, self._count)
        return {
            "samples": self._count,
            "own": {name: count / total for name, count in self._own.most_common(SHOWN)},
            "within": {name: count / total for name, count in self._within.most_common(3 * SHOWN)},
        }

    def _look(self, _signum: int, frame: FrameType | None) -> None:
        self._count += 1
        if frame is None or frame.f_code.co_name in IDLE:
            self._own[_other_thread()] += 1
            return
        self._own[_name(frame)] += 1
        names = set()
        while frame is not None and frame.f_code is not _TURN:
            names.add(_name(frame))
            frame = frame.f_back
        self._within.update(names)


def _other_thread() -> str:
    """What another thread is doing while the loop waits; several may be busy, the first that does not wait counts."""
    main = threading.main_thread().ident
    for ident, frame in sys._current_frames().items():
        if ident != main and not frame.f_code.co_filename.endswith(("threading.py", "queue.py")):
            name = _name(frame)
            if not name.startswith("concurrent/futures/thread.py"):
                return f"(another thread) {name}"
    return "(another thread)"


def _name(frame: FrameType) -> str:
    code = frame.f_code
    path = code.co_filename
    for start in (ROOT + os.sep, os.sep + "site-packages" + os.sep, os.sep + "python3.11" + os.sep):
        _, found, rest = path.partition(start)
        path = rest if found else path
    return f"{path}:{code.co_qualname}"
