"""Where tests keep their files: in memory, where the machine has room for it.

The store waits for the disk at every commit, as it must: a large part of what a test takes there, and on a slow disk most of it. No
test cuts the power of this machine (`tests/powercut` has a disk of its own making), so none can tell the difference.
"""

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 1 << 30
"""Bytes that must be free: more than all that is kept at a time."""


def pytest_configure() -> None:
    """Have temporary folders made in memory, unless TMPDIR says where; the processes that a test starts do the same."""
    if "TMPDIR" not in os.environ and is_good(MEMORY):
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None  # which may be known from before


def is_good(folder: Path) -> bool:
    """Whether files can be kept there, and programs be run from there."""
    try:
        return (
            os.access(folder, os.W_OK)
            and not os.statvfs(folder).f_flag & os.ST_NOEXEC
            and shutil.disk_usage(folder).free >= ROOM
        )
    except OSError:
        return False
