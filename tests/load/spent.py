"""The processor time and memory that processes have used so far, as Linux reports them."""

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
    """Return what a process has used by itself; nothing if it has ended."""
    try:
        used, _, resident = _told(process)
    except (FileNotFoundError, ProcessLookupError):
        return Spent()
    return Spent(_clock_s(process) or used, resident)


def spent_below(process: int) -> Spent:
    """Return what this process's children have used. Those that have ended count with their time."""
    _, spent, _ = _told(process)
    resident = 0.0
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text().split():
            its = spent_by(int(child))
            spent, resident = spent + its.cpu_s, resident + its.rss_mb
    return Spent(spent, resident)


def _clock_s(process: int) -> float:
    """Return the time of the process's own clock, in seconds; 0 if the process has ended.

    The clock counts nanoseconds, while `stat` counts hundredths of a second. Its number is that of
    clock_getcpuclockid(3), which Python does not offer.
    """
    try:
        return time.clock_gettime((~process << 3) | 2)
    except OSError:
        return 0.0


def _told(process: int) -> tuple[float, float, float]:
    """Return the seconds of the process, the seconds of its ended children, and its memory."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    own, ended = (sum(map(int, fields[place : place + 2])) * _TICK_S for place in (11, 13))
    return own, ended, int(fields[21]) * _PAGE_MB


def machine_s() -> float:
    """Return the processor time of all programs since boot; 0 if the system does not report it."""
    try:
        user, nice, system = Path("/proc/stat").read_text().split(maxsplit=4)[1:4]
    except OSError:
        return 0.0
    return (int(user) + int(nice) + int(system)) * _TICK_S
