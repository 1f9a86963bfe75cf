"""What must hold of the files that a power cut has left, when the store opens them."""

import re
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from data.errors import StoreError
from data.sqlite.copies import found
from data.sqlite.opening import look
from data.store import Store
from data.transaction import ReadTransaction
from marriage.events import Event
from tests.crash.files import Files
from tests.games import FileOfGames, Seen
from tests.powercut.told import Told

INDEX = "-shm"
LASTING = ("deal", "event", "result", "season_event", "score_entry", "daily_try")
"""Tables that never lose a row in these runs."""
OF_SEASONS = "SELECT id, body FROM season_event ORDER BY id"
BEFORE = re.compile(r"\.before-\d+$")
"""The suffix of a complete copy made before a migration."""
ANSWERED = "SELECT interaction_id FROM interaction_seen"
VERSIONS = """
    SELECT id, version, (SELECT count(*) FROM event WHERE table_id = game_table.id) FROM game_table
"""


class LeftOfGames(FileOfGames):
    """Games as a cut left them. They are opened as they are, because inspecting them first would change them.

    The store checks the whole file (`integrity_check`) when it opens it.
    """

    @asynccontextmanager
    async def left(self) -> AsyncIterator[Seen]:
        store = await Store.open(self.place)
        try:
            seen = Seen(store, self.rows)
            seen.unsound += [
                f"a foreign key leads nowhere: {row}" for row in await self.rows("PRAGMA foreign_key_check")
            ]
            yield seen
        finally:
            await store.close()


@dataclass
class Line:
    """What is known about all states that the games went through."""

    deals: Mapping[tuple[int, int], list[Event]] = field(default_factory=dict)
    """All events that there were in the end, by table and deal."""
    answered: set[int] = field(default_factory=set)
    """The interactions that were noted in the end."""
    season: Sequence[tuple[Any, ...]] = ()
    """All events of seasons that there were in the end."""
    first: Mapping[str, int] = field(default_factory=dict)
    """The number of rows of each table of `LASTING` in the beginning."""
    was_older: bool = False
    """Whether the file was one of an earlier version in the beginning."""
    versions: dict[tuple[int, int], int] = field(default_factory=dict)
    """The number of events at each version of a table, which is the same wherever it is found."""
    sound_copies: set[bytes] = field(default_factory=set)
    """The digests of copies that were found intact."""

    def anew(self) -> "Line":
        """Return a copy for cuts that share nothing with those before."""
        return replace(self, versions={}, sound_copies=set())

    @classmethod
    async def of(cls, path: Path, first: Mapping[str, int], *, was_older: bool) -> "Line":
        """Read what a process left in a file if the machine kept running."""
        games = LeftOfGames(path)
        async with games.left() as left:
            numbers = await left.rows("SELECT table_id, deal_no FROM deal")
            deals = {
                (table, number): await left.store.read(_events, table, number) for table, number in numbers
            }
            answered = {number for (number,) in await left.rows(ANSWERED)}
            return cls(deals, answered, await left.rows(OF_SEASONS), first, was_older)


async def _events(db: ReadTransaction, table: int, number: int) -> list[Event]:
    return await db.deals.events(table, number)


def counts(path: Path) -> dict[str, int]:
    """Return the number of rows of each lasting table, in a file that is not in use."""
    with closing(sqlite3.connect(path)) as file:
        return {name: file.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in LASTING}


@dataclass
class Verdict:
    """The result of one cut."""

    broken: list[str]
    events: int
    """The number of replayed events."""


def write(files: Mapping[str, bytes], folder: Path, chance: Random) -> None:
    """Replace a folder's content with these files.

    The index of a log may be there as well, with random content.
    """
    for former in folder.iterdir():
        former.unlink()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    for name in [*files]:
        if name.endswith("-wal") and chance.random() < 1 / 2:
            (folder / name.replace("-wal", INDEX)).write_bytes(chance.randbytes(32768))


@dataclass
class FilesAfterCut(Files):
    """What must hold for the files, and what they may share with all other cuts of a life."""

    told: Told = field(default_factory=Told)
    line: Line = field(default_factory=Line)

    async def broken(self) -> list[str]:
        return [
            *await super().broken(),
            *(
                f"deal {number} of table {table} has events that there never were"
                for (table, number), events in self.deals.items()
                if events != self.line.deals.get((table, number), [])[: len(events)]
            ),
        ]

    async def _of_rows(self, left: Seen) -> list[str]:
        found = await super()._of_rows(left)
        noted = {number for (number,) in await left.rows(ANSWERED)}
        if missing := (self.told.answered & self.line.answered) - noted:
            found.append(f"{len(missing)} presses that were answered would count again")
        if self.season != self.line.season[: len(self.season)]:
            found.append("a season has events that there never were")
        for table, count in self.line.first.items():
            [(there,)] = await left.rows(f"SELECT count(*) FROM {table}")
            if there < count:
                found.append(f"{table} has {there} rows, and had {count} when the process was started")
        for table, version, events in await left.rows(VERSIONS):
            if self.line.versions.setdefault((table, version), events) != events:
                found.append(f"table {table} has {events} events at version {version}, and had others before")
        return found

    async def broken_copies(self) -> list[str]:
        """Return the faults of copies: each reported copy exists, and only whole ones bear their name."""
        path = self.games.place
        assert isinstance(path, Path)
        copies = {copy.path.name: copy.path for copy in found(path.parent, path)}
        missing = [f"the copy {name} is not there" for name in sorted(self.told.copies - copies.keys())]
        return missing + [fault for copy in copies.values() for fault in await self._of_copy(copy)]

    async def _of_copy(self, path: Path) -> list[str]:
        digest = sha256(path.read_bytes()).digest()
        if digest in self.line.sound_copies:
            return []
        try:
            look(path)
            faults = await FilesAfterCut(LeftOfGames(path), line=replace(self.line, first={})).broken()
        except StoreError as error:
            faults = [f"cannot be opened: {error!r}"]
        if not faults:
            self.line.sound_copies.add(digest)
        return [f"the copy {path.name}: {fault}" for fault in faults]

    def broken_upgrade(self) -> list[str]:
        """Return the faults of an upgrade.

        If a file was upgraded, the earlier version is kept next to it, intact.
        """
        path = self.games.place
        assert isinstance(path, Path)
        try:
            before = [*filter(BEFORE.search, map(str, path.parent.glob(f"{path.name}.before-*")))]
            if not before and self.line.was_older and look(path) == "current":
                return ["the file of the earlier version is gone"]
            return [
                f"{copy} is none of the earlier version" for copy in before if look(Path(copy)) != "older"
            ]
        except StoreError as error:
            return [f"a file cannot be looked at: {error!r}"]


async def judge(path: Path, told: Told, line: Line) -> Verdict:
    """Open what a cut has left at `path`, and find what is missing or wrong."""
    files = FilesAfterCut(LeftOfGames(path), Counter(told.revisions), told=told, line=line)
    try:
        faults = [*files.broken_upgrade(), *await files.broken_copies(), *await files.broken()]
        return Verdict(faults, files.checked)
    except StoreError as error:
        return Verdict([f"the bot does not start: {error!r}"], 0)
