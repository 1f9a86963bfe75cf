"""What processes have taken so far, as Linux tells: processor time and memory."""

import os
import time
from pathlib import Path
from typing import NamedTuple

_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 1e6
_TICK_S = 1 / os.sysconf("SC_CLK_TCK")


class Spent(NamedTuple):
    """Processor time in seconds, and the memory that is held now."""

    cpu_s: float = 0.0
    rss_mb: float = 0.0


def spent_by(process: int) -> Spent:
    """What a process has taken by itself; nothing if it has ended."""
    try:
        used, _, resident = _told(process)
    except (FileNotFoundError, ProcessLookupError):
        return Spent()
    return Spent(_clock_s(process) or used, resident)


def spent_below(process: int) -> Spent:
    """What the processes have taken that this one has started; those that have ended count by their time."""
    _, spent, _ = _told(process)
    resident = 0.0
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            its = spent_by(int(child))
            spent, resident = spent + its.cpu_s, resident + its.rss_mb
    return Spent(spent, resident)


def _clock_s(process: int) -> float:
    """By the process's own clock, which counts nanoseconds where `stat` counts hundredths; 0 once it has ended.

    Its number is that of clock_getcpuclockid(3), which Python does not offer.
    """
    try:
        return time.clock_gettime((~process << 3) | 2)
    except OSError:
        return 0.0


def _told(process: int) -> tuple[float, float, float]:
    """Seconds of its own and of its children that have ended, and memory."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    own, ended = (sum(map(int, fields[place : place + 2])) * _TICK_S for place in (11, 13))
    return own, ended, int(fields[21]) * _PAGE_MB


def machine_s() -> float:
    """Processor time of all programs since the machine began; 0 where the system does not tell."""
    try:
        user, nice, system = Path("/proc/stat").read_text().split(maxsplit=4)[1:4]
    except OSError:
        return 0.0
    return (int(user) + int(nice) + int(system)) * _TICK_S
