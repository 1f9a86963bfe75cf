"""The record of what a process did to the files of one folder and what it sent, made by a library that is loaded before it."""

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
"""What compiles the library, or None."""
MISSING = (
    None
    if COMPILER and sys.platform == "linux"
    else "power cuts are recorded by a library that needs a C compiler (`apt-get install gcc libc6-dev`) and Linux"
)
"""What this machine lacks, in a sentence, or None."""
SYNC_MS = 4
"""How much longer than here a synchronisation lasts, as on a disk: much is written and sent meanwhile."""
_HEAD = struct.Struct("<IIQqII")


class Kind(IntEnum):
    """What a note tells of; `recorder.c` says when each is made."""

    OPENED = 1
    """A file of this name is open; unless it was there, it was made."""
    WRITTEN = 2
    CUT = 3
    """A file was given another size."""
    REMOVED = 4
    RENAMED = 5
    SYNCING = 6
    SYNCED = 7
    SENT = 8
    NOT_SENT = 9
    """Of what the same thread was about to send, only the first bytes have left."""
    MAPPED = 10
    """The index of a log was opened. It lies in memory, and no barrier is asked for it."""
    NOT_FOLLOWED = 11


@dataclass(frozen=True, slots=True)
class Note:
    """One thing that was done."""

    kind: Kind
    thread: int
    file: int
    """The inode, or the number of the socket."""
    at: int
    name: str
    data: bytes


def build(folder: Path) -> Path:
    """Compile the library; raises RuntimeError with what is missing where that is not possible."""
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
    """What is to be in the environment of a process whose work in a folder is to be recorded."""
    return {
        "LD_PRELOAD": library,
        "POWERCUT_FOLDER": folder.resolve(),
        "POWERCUT_RECORD": record,
        "POWERCUT_SYNC_US": SYNC_MS * 1000,
    }


def read(path: Path) -> Iterator[Note]:
    """The notes in their order; raises ValueError where something was done that the recorder cannot follow.

    The last one may be incomplete, when the process was killed in the midst of it: it had no effect yet that anybody knew of.
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
