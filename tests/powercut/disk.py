"""What a power cut may leave of the files of one folder.

- What was done to a file before a synchronisation of that file began is on the disk when it has ended. Of
  everything since, any part may be there, in any order: whole writes, single sectors of 512 bytes, new
  sizes. If a file has grown and nothing was written, there may be zeros or random bytes. No other byte
  changes.
- A name is on the disk if the folder was synchronised after the name was made, removed or renamed. Since
  then each name may stand for anything that it stood for, independently of the others: half of a rename
  may be there. Synchronising a file saves no name.

Real file systems promise more: most keep the names in order, and save a new file's name with its contents.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import NamedTuple

from tests.powercut.record import Kind, Note

SECTOR = 512


class Change(NamedTuple):
    """A write, or a new size of the file."""

    at: int
    data: bytes | None
    """The bytes written. If None, the file ends at `at` from now on."""


@dataclass
class File:
    """One file, independent of its name."""

    kept: bytearray = field(default_factory=bytearray)
    """What is on the disk for certain."""
    open: list[Change] = field(default_factory=list)
    """The changes that may or may not be on the disk."""
    before: int = 0
    """The number of changes before those."""

    @property
    def moment(self) -> int:
        """The number of changes so far."""
        return self.before + len(self.open)

    def keep(self, moment: int) -> None:
        """Mark all changes up to this moment as on the disk."""
        count = max(0, moment - self.before)
        for change in self.open[:count]:
            _apply(self.kept, change, bytes)
        del self.open[:count]
        self.before += count

    def after_a_cut(self, chance: Random) -> bytes:
        """Return what the disk may hold of the file after a cut."""
        content = bytearray(self.kept)
        fill = chance.choice((bytes, chance.randbytes))
        for change in chance.choice(SURVIVORS)(self.open, chance):
            _apply(content, change, fill)
        most = max((change.at + len(change.data or b"") for change in self.open), default=0)
        if most > len(content) and chance.random() < 1 / 4:
            content += fill(most - len(content))
        return bytes(content)


def _apply(content: bytearray, change: Change, fill: Callable[[int], bytes]) -> None:
    at, data = change
    if at > len(content):
        content += fill(at - len(content))
    if data is None:
        del content[at:]
    else:
        content[at : at + len(data)] = data


def _none(_changes: Sequence[Change], _chance: Random) -> list[Change]:
    return []


def _all(changes: Sequence[Change], _chance: Random) -> list[Change]:
    return [*changes]


def _first(changes: Sequence[Change], chance: Random) -> list[Change]:
    """Return the first changes, and some sectors of the next."""
    count = chance.randrange(len(changes) + 1)
    return [*changes[:count], *_some(_sectors(changes[count : count + 1]), chance)]


def _some(changes: Sequence[Change], chance: Random) -> list[Change]:
    """Return any of the changes, in any order."""
    share = chance.random()
    found = [change for change in changes if chance.random() < share]
    chance.shuffle(found)
    return found


def _torn(changes: Sequence[Change], chance: Random) -> list[Change]:
    return _some(_sectors(changes), chance)


SURVIVORS = (_none, _all, _first, _some, _torn)
"""Ways in which a cut may treat unfinished changes."""


def _sectors(changes: Sequence[Change]) -> list[Change]:
    """Return the same changes, with one write for each sector of the disk."""
    found = []
    for at, data in changes:
        if data is None:
            found.append(Change(at, None))
            continue
        end = at + len(data)
        edges = [at, *range(at - at % SECTOR + SECTOR, end, SECTOR), end]
        found += [Change(left, data[left - at : right - at]) for left, right in pairwise(edges)]
    return found


@dataclass
class Name:
    """What a name stands for."""

    files: list[File | None] = field(default_factory=lambda: [None])
    """The files that it may stand for after a cut, the newest last; None means no file."""
    before: int = 0
    """The number of files that it stood for before those."""

    @property
    def file(self) -> File | None:
        """The file that it stands for now."""
        return self.files[-1]

    @property
    def moment(self) -> int:
        """The number of files that it stood for before the present one."""
        return self.before + len(self.files) - 1

    def keep(self, moment: int) -> None:
        """Mark what it stood for at this moment as on the disk, unless something newer is."""
        count = max(0, moment - self.before)
        del self.files[:count]
        self.before += count


class Disk:
    """The files of one folder, updated by one note after another."""

    def __init__(self, folder: int, files: dict[str, tuple[int, bytes]], ignored: str | None = None) -> None:
        """`folder` is the folder's inode; `files` holds the inode and content of each certain file, by name.

        If `ignored` is given, barriers of files with this suffix have no effect. This is a control, which
        must lose something.
        """
        self._folder = folder
        self._ignored = ignored
        self._files = {number: File(bytearray(content)) for number, content in files.values()}
        self._names = {name: Name([self._files[number]]) for name, (number, _) in files.items()}
        self._syncing: dict[int, Callable[[], None]] = {}
        """What the running synchronisation of each thread saves to the disk when it ends."""

    def take(self, note: Note) -> None:
        """Apply what a note describes. Raises ValueError for a file that was created elsewhere."""
        match note.kind:
            case Kind.OPENED if note.file != self._folder:
                self._open(note.name, note.file)
            case Kind.WRITTEN:
                self._files[note.file].open.append(Change(note.at, note.data))
            case Kind.CUT:
                self._files[note.file].open.append(Change(note.at, None))
            case Kind.REMOVED:
                self._names[note.name].files.append(None)
            case Kind.RENAMED:
                file = self._names[note.name].file
                self._names[note.name].files.append(None)
                self._names.setdefault(note.data.decode(), Name()).files.append(file)
            case Kind.SYNCING:
                self._syncing[note.thread] = self._barrier(note.file)
            case Kind.SYNCED:
                self._syncing.pop(note.thread)()
            case _:
                pass

    def after_a_cut(self, chance: Random) -> dict[str, bytes]:
        """Return what the disk may hold after a cut, by name."""
        meant = {name: chance.choice((held.file, *held.files)) for name, held in self._names.items()}
        return {name: file.after_a_cut(chance) for name, file in meant.items() if file is not None}

    def as_left(self) -> dict[str, bytes]:
        """Return what is there without a power cut."""
        found: dict[str, bytes] = {}
        for name, held in self._names.items():
            if (file := held.file) is not None:
                left = File(bytearray(file.kept), [*file.open])
                left.keep(left.moment)
                found[name] = bytes(left.kept)
        return found

    @property
    def uncertain(self) -> int:
        """The number of changes that a cut may undo now."""
        files = {id(file): file for held in self._names.values() for file in held.files if file is not None}
        names = sum(len(held.files) - 1 for held in self._names.values())
        return names + sum(len(file.open) for file in files.values())

    def _open(self, name: str, number: int) -> None:
        held = self._names.setdefault(name, Name())
        if held.file is None:  # a removed file's inode may be used again
            held.files.append(File())
            self._files[number] = held.files[-1]
        elif held.file is not self._files.get(number):
            raise ValueError(f"{name} was replaced by something that is not recorded")

    def _barrier(self, number: int) -> Callable[[], None]:
        """Return what a synchronisation that begins now does when it ends."""
        if number == self._folder:
            moments = {name: held.moment for name, held in self._names.items()}
            return lambda: self._keep_names(moments)
        file = self._files[number]
        if self._ignored is not None and any(
            held.file is file for name, held in self._names.items() if name.endswith(self._ignored)
        ):
            return lambda: None
        moment = file.moment
        return lambda: file.keep(moment)

    def _keep_names(self, moments: dict[str, int]) -> None:
        for name, moment in moments.items():
            self._names[name].keep(moment)
