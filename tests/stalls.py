"""Finds what blocks the event loop: every callback that occupies the loop's thread longer than allowed.

    with noted(5) as stalls:
        ...
    assert not stalls

Only processor time of that thread counts, so a busy machine causes no stall. While a callback runs, another
thread samples what it is doing, so that each stall names its place.
"""

import asyncio
import gc
import sys
import threading
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

LOOK_S = 0.001
ROOT = str(Path(__file__).parents[1])
OURS = tuple(f"{ROOT}/{folder}/" for folder in ("bot", "cogs", "data", "league", "marriage", "render"))


@dataclass
class Stall:
    """A callback that took too long."""

    ms: float
    seen: Counter[str] = field(default_factory=Counter)
    """The places of the bot where it was seen, with their counts; each starts with the innermost function."""

    def __str__(self) -> str:
        where = self.seen.most_common(1)
        return f"{self.ms:6.1f} ms  {where[0][0] if where else '(not seen)'}"


class _Watch:
    """Times every callback of the loop in this thread."""

    def __init__(self, longest_ms: float) -> None:
        self._longest_ms = longest_ms
        self._thread = threading.get_ident()
        self._seen: Counter[str] | None = None
        self._over = threading.Event()
        self.stalls: list[Stall] = []

    def run(self, handle: Any, original: Any) -> None:
        seen = self._seen = Counter[str]()
        begun = time.thread_time()
        try:
            original(handle)
        finally:
            self._seen = None
            took = (time.thread_time() - begun) * 1000
            if took > self._longest_ms:
                self.stalls.append(Stall(took, seen))

    def look(self) -> None:
        while not self._over.wait(LOOK_S):
            seen = self._seen
            frame = sys._current_frames().get(self._thread)
            if seen is not None and (place := _place(frame)):
                seen[place] += 1

    def end(self) -> None:
        self._over.set()


def _place(frame: FrameType | None) -> str:
    """Return where in the bot a thread is, with its callers; an empty text outside the bot."""
    places: list[str] = []
    while frame is not None:
        code = frame.f_code
        if code.co_filename.startswith(OURS):
            places.append(f"{code.co_filename.removeprefix(ROOT + '/')}:{code.co_qualname}")
        frame = frame.f_back
    return " < ".join(places[:4])


@contextmanager
def noted(longest_ms: float) -> Generator[list[Stall], None, None]:
    """Note every stall during the block, in the order in which they end.

    Garbage collection is off meanwhile: that of all tests takes long, and the bot collects its own between
    two answers (`bot/upkeep.py`).
    """
    gc.disable()
    watch, original = _Watch(longest_ms), asyncio.Handle._run

    def run(handle: Any) -> None:
        watch.run(handle, original)

    looking = threading.Thread(target=watch.look, daemon=True)
    looking.start()
    asyncio.Handle._run = run  # type: ignore[method-assign]
    try:
        yield watch.stalls
    finally:
        asyncio.Handle._run = original  # type: ignore[method-assign]
        gc.enable()
        watch.end()
        looking.join()
