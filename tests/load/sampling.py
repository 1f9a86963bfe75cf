"""Sampling profiles of the loop's thread and of the other threads, and the processor time of every thread."""

import asyncio
import ctypes
import os
import signal
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

INTERVAL_NS = 1_000_000
SHOWN = 40
_TURN = asyncio.Handle._run.__code__
"""The frame that marks the loop; callers below it are ignored."""
BESIDE_S = 0.004
"""How often the other threads are sampled."""
ROOT = str(Path(__file__).parents[2])


class Sampler:
    """Samples what the loop's thread is doing after every millisecond of its processor time.

    It uses that thread's own clock, so other threads and waiting are not part of the profile.
    """

    def __init__(self) -> None:
        self._own: Counter[str] = Counter()
        self._within: Counter[str] = Counter()
        self._count = 0
        self._timer: _ThreadTimer | None = None

    def start(self) -> None:
        """Start sampling. Call it in the main thread."""
        self._own.clear()
        self._within.clear()
        self._count = 0
        signal.signal(signal.SIGPROF, self._look)
        self._wakeup = signal.set_wakeup_fd(-1)  # the loop need not wake up for a sample
        self._timer = _ThreadTimer(INTERVAL_NS)

    def stop(self) -> dict[str, Any]:
        """Stop, and return shares of the thread's processor time by function: its own, and with its calls."""
        if self._timer is not None:
            self._timer.end()
        signal.set_wakeup_fd(self._wakeup)
        total = max(1, self._count)
        return {
            "samples": self._count,
            "own": {name: count / total for name, count in self._own.most_common(SHOWN)},
            "within": {name: count / total for name, count in self._within.most_common(3 * SHOWN)},
        }

    def _look(self, _signum: int, frame: FrameType | None) -> None:
        self._count += 1
        if frame is None:
            return
        self._own[_name(frame)] += 1
        self._within.update(_names(frame))


class SamplerBeside:
    """Samples every few milliseconds what the other threads do, and how much processor time they used.

    All of them are counted together; waiting is not part of the profile.
    """

    def __init__(self) -> None:
        self._within: Counter[str] = Counter()
        self._total_ns = 0
        self._is_over = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Start sampling. Call it in the thread to leave out."""
        self._within.clear()
        self._total_ns = 0
        self._is_over.clear()
        self._thread = threading.Thread(target=self._run, args=(threading.get_ident(),), daemon=True)
        self._thread.start()

    def stop(self) -> dict[str, float]:
        """Stop, and return shares of the threads' processor time by function, with all its calls."""
        self._is_over.set()
        if self._thread is not None:
            self._thread.join()
        total = max(1, self._total_ns)
        return {name: spent / total for name, spent in self._within.most_common(3 * SHOWN)}

    def _run(self, left_out: int) -> None:
        spent: dict[int, int] = {}
        mine = {left_out, threading.get_ident()}
        while not self._is_over.wait(BESIDE_S):
            frames = sys._current_frames()
            for thread in threading.enumerate():
                if thread.ident is None or thread.ident in mine:
                    continue
                now = time.clock_gettime_ns(time.pthread_getcpuclockid(thread.ident))
                since = now - spent.get(thread.ident, now)
                spent[thread.ident] = now
                if since and (frame := frames.get(thread.ident)) is not None:
                    self._total_ns += since
                    for name in _names(frame):
                        self._within[name] += since


def _names(frame: FrameType | None) -> set[str]:
    """Return the names of the functions being called below the loop."""
    names = set()
    while frame is not None and frame.f_code is not _TURN:
        names.add(_name(frame))
        frame = frame.f_back
    return names


def seconds_by_thread() -> dict[str, float]:
    """Return processor time by thread name; threads of one executor are counted together."""
    spent: Counter[str] = Counter()
    for thread in threading.enumerate():
        if thread.ident is not None:
            clock = time.pthread_getcpuclockid(thread.ident)
            spent[thread.name.rstrip("0123456789").rstrip("_")] += time.clock_gettime(clock)
    return dict(spent)


class _ThreadTimer:
    """Sends SIGPROF after each interval of this thread's processor time.

    Python's own timers cover only the process.
    """

    def __init__(self, interval_ns: int) -> None:
        self._library = ctypes.CDLL(None, use_errno=True)
        event = _SignalEvent(signo=signal.SIGPROF)
        self._number = ctypes.c_void_p()
        self._call(
            "timer_create", time.CLOCK_THREAD_CPUTIME_ID, ctypes.byref(event), ctypes.byref(self._number)
        )
        every = (ctypes.c_long * 4)(0, interval_ns, 0, interval_ns)
        self._call("timer_settime", self._number, 0, ctypes.byref(every), None)

    def end(self) -> None:
        self._call("timer_delete", self._number)

    def _call(self, name: str, *args: Any) -> None:
        if getattr(self._library, name)(*args):
            raise OSError(ctypes.get_errno(), name)


class _SignalEvent(ctypes.Structure):
    """The parts of Linux's `struct sigevent` that are used: a signal to the process."""

    _fields_ = [
        ("value", ctypes.c_void_p),
        ("signo", ctypes.c_int),
        ("notify", ctypes.c_int),
        ("rest", ctypes.c_char * 48),
    ]


def _name(frame: FrameType) -> str:
    code = frame.f_code
    path = code.co_filename
    for start in (ROOT + os.sep, os.sep + "site-packages" + os.sep, os.sep + "python3.11" + os.sep):
        _, found, rest = path.partition(start)
        path = rest if found else path
    return f"{path}:{code.co_qualname}"
