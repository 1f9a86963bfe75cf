"""The record of what a process did to one folder's files and what it sent, made by a preloaded library."""

import shutil
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

SOURCE = Path(__file__).with_name("recorder.c")
COMPILER = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
"""The compiler of the library, or None."""
MISSING = (
    None
    if COMPILER and sys.platform == "linux"
    else "power cuts are recorded by a library that needs a C compiler (`apt-get install gcc libc6-dev`) and Linux"
)
"""A sentence that says what this machine lacks, or None."""
SYNC_MS = 4
"""The added duration of a synchronisation, as on a real disk: much is written and sent meanwhile."""
_HEAD = struct.Struct("<IIQqII")


class Kind(IntEnum):
    """The kind of a note; `recorder.c` says when each is made."""

    OPENED = 1
    """A file of this name was opened, and created if it did not exist."""
    WRITTEN = 2
    CUT = 3
    """The size of a file was changed."""
    REMOVED = 4
    RENAMED = 5
    SYNCING = 6
    SYNCED = 7
    SENT = 8
    NOT_SENT = 9
    """Only the first bytes were sent of what the same thread was about to send."""
    MAPPED = 10
    """The index of a log was opened. It is in memory, and needs no barrier."""
    NOT_FOLLOWED = 11


@dataclass(frozen=True, slots=True)
class Note:
    """One recorded operation."""

    kind: Kind
    thread: int
    file: int
    """The inode, or the number of the socket."""
    at: int
    name: str
    data: bytes


def build(folder: Path) -> Path:
    """Compile the library. Raises RuntimeError with what is missing if that is not possible."""
    if MISSING or COMPILER is None:
        raise RuntimeError(MISSING)
    library = folder / "recorder.so"
    command = (
        COMPILER,
        "-std=gnu11",
        "-O1",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-shared",
        "-fPIC",
        "-o",
        library,
    )
    run = subprocess.run((*command, SOURCE, "-ldl"), capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"{SOURCE.name} cannot be compiled here:\n{run.stderr}")
    return library


def variables(library: Path, folder: Path, record: Path) -> dict[str, object]:
    """Return the environment variables for a process whose work in a folder is recorded."""
    return {
        "LD_PRELOAD": library,
        "POWERCUT_FOLDER": folder.resolve(),
        "POWERCUT_RECORD": record,
        "POWERCUT_SYNC_US": SYNC_MS * 1000,
    }


def read(path: Path) -> Iterator[Note]:
    """Yield the notes in order. Raises ValueError if something was done that the recorder cannot follow.

    The last note may be incomplete if the process was killed while writing it. It had no visible effect yet.
    """
    with path.open("rb") as file:
        while len(head := file.read(_HEAD.size)) == _HEAD.size:
            kind, thread, number, at, name_size, size = _HEAD.unpack(head)
            body = file.read(name_size + size)
            if len(body) < name_size + size:
                return
            note = Note(Kind(kind), thread, number, at, body[:name_size].decode(), body[name_size:])
            if note.kind is Kind.NOT_FOLLOWED:
                raise ValueError(f"a file was changed in a way that is not followed: {note.name}")
            yield note
