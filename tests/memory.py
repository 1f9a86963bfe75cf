"""The place of the tests' files: in memory, if the machine has room for it.

The store waits for the disk at every commit, as it must. On disk, that is a large part of a test's time, and
on a slow disk most of it. No test cuts the power of this machine (`tests/powercut` simulates its own disk),
so none can tell the difference.
"""

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 1 << 30
"""Bytes that must be free: more than all that is kept at a time."""


def pytest_configure() -> None:
    """Create temporary folders in memory, unless TMPDIR names another place.

    Processes started by tests do the same.
    """
    if "TMPDIR" not in os.environ and is_good(MEMORY):
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None  # it may be cached


def fastest() -> Path | None:
    """Return the folder in memory if it is good; None stands for the usual place of temporary folders."""
    return MEMORY if is_good(MEMORY) else None


def is_good(folder: Path) -> bool:
    """Return whether files can be kept in the folder, and programs run from there."""
    try:
        return (
            os.access(folder, os.W_OK)
            and not os.statvfs(folder).f_flag & os.ST_NOEXEC
            and shutil.disk_usage(folder).free >= ROOM
        )
    except OSError:
        return False
