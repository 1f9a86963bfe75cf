"""Whatever a reader of the store is shown is already on the disk."""

import os
import re
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.powercut import record
from tests.powercut.checks import write
from tests.powercut.disk import Disk
from tests.powercut.record import Kind, Note
from tests.powercut.recording import LOG

pytestmark = pytest.mark.skipif(record.MISSING is not None, reason=record.MISSING or "")

CUTS = 2
"""The number of cuts after each observation."""
PERSON = 11
DATABASE = "games"
WAYS = ("function", "memory", "process")
WORK = f"""
import asyncio, socket
from pathlib import Path
from data.store import asked
from data.store import Store

PLACE = Path("FOLDER", "{DATABASE}")
LAST = 20
mine, its = socket.socketpair()


async def question(db):
    return await db.people.get({PERSON})


def beside():
    steps = asked(PLACE, question)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


WAYS = {{
    "function": lambda store: store.read(question),
    "memory": lambda store: store.directory.person({PERSON}),
    "process": lambda _: asyncio.to_thread(beside),
}}


async def look(store, name):
    seen = 0
    while seen < LAST:
        person = await WAYS[name](store)
        if person is not None and int(person.names.general) > seen:
            seen = int(person.names.general)
            mine.send(f"{{name}}:{{seen}} ".encode())
        await asyncio.sleep(0)


async def keep(store):
    for number in range(1, LAST + 1):
        await store.write(lambda db, number: db.people.keep({PERSON}, str(number), number), number)


async def main():
    store = await Store.open(PLACE)
    await asyncio.gather(keep(store), *(look(store, name) for name in WAYS))
    await store.close()


asyncio.run(main())
"""


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> tuple[Path, int, bytes, list[Note]]:
    """Record a store with one writer and a reader of each way.

    Returns the folder, the file's inode and first content, and the notes.
    """
    place = tmp_path_factory.mktemp("reading")
    folder = place / "folder"
    folder.mkdir()
    (folder / DATABASE).write_bytes(migrated.read_bytes())
    number = (folder / DATABASE).stat().st_ino
    variables = record.variables(record.build(place), folder, place / "record")
    subprocess.run(
        (sys.executable, "-c", WORK.replace("FOLDER", str(folder))),
        env=os.environ | {"PYTHONPATH": "."} | {name: str(value) for name, value in variables.items()},
        check=True,
    )
    return folder, number, migrated.read_bytes(), [*record.read(place / "record")]


def kept(files: Mapping[str, bytes], folder: Path, chance: Random) -> int:
    """Return the number that the store finds after a cut that leaves these files."""
    write(files, folder, chance)
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        return int(next(database.execute("SELECT name FROM person WHERE id = ?", (PERSON,)), "0")[0])


def lost(
    recorded: tuple[Path, int, bytes, Sequence[Note]], folder: Path, ignored: str | None = None
) -> tuple[Counter[str], list[str]]:
    """Return how much each way has shown, and what a power cut at the same moment has lost of it."""
    folder.mkdir()
    original, number, before, notes = recorded
    disk = Disk(original.stat().st_ino, {DATABASE: (number, before)}, ignored)
    chance, shown, missing = Random(7), Counter[str](), list[str]()
    for note in notes:
        disk.take(note)
        if note.kind is not Kind.SENT:
            continue
        for way, seen in re.findall(r"(\w+):(\d+) ", note.data.decode()):
            shown[way] += 1
            found = min(kept(disk.after_a_cut(chance), folder, chance) for _ in range(CUTS))
            if found < int(seen):
                missing.append(f"{way} has shown {seen}, and {found} is left")
    return shown, missing


def test_a_power_cut_loses_nothing_that_anybody_has_read(recorded, tmp_path: Path):
    shown, missing = lost(recorded, tmp_path / "cut")
    assert missing == []
    assert {*shown} == {*WAYS}


def test_without_the_barriers_of_the_log_it_does(recorded, tmp_path: Path):
    assert lost(recorded, tmp_path / "cut", LOG)[1]
