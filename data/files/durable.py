"""Small files that survive a power cut: written whole or not at all."""

import os
import sys
from pathlib import Path

if sys.platform == "darwin":
    import fcntl


def write_durably(path: Path, text: str) -> None:
    """Replace a file by this text, mode 600. Afterwards it is on the disk; cut off before, the old text is still there.

    Raises OSError.
    """
    partial = path.with_name(path.name + ".partial")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(text.encode())  # all of it, or an error: `os.write` may stop halfway
        file.flush()
        sync_contents(file.fileno())
    partial.replace(path)
    sync_directory(path.parent)


def sync_contents(handle: int) -> None:
    """Bring what was written to an open file to the disk itself; raises OSError."""
    if sys.platform == "darwin":  # its fsync stops at the cache of the disk
        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
    elif sys.platform == "win32":
        os.fsync(handle)
    else:
        os.fdatasync(handle)


def sync_directory(folder: Path) -> None:
    """Make what was renamed or removed in a folder last; Windows has no such call and needs none."""
    if sys.platform == "win32":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
