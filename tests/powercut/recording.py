"""A disk on which a process is recorded while it lives, and the cuts of what was recorded."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random

from data.sqlite.opening import look
from tests.powercut import record
from tests.powercut.checks import INDEX, Line, counts, write
from tests.powercut.cuts import Cut, Life, made, places
from tests.powercut.tally import Entry
from tests.powercut.told import Told

DATABASE = "tiplu.sqlite3"
LOG = "-wal"


class Recording:
    """One life after the other on the same disk, each recorded and then cut in many places."""

    def __init__(self, folder: Path, cuts: int | None, control: int) -> None:
        """Use a folder that does not exist yet, and cut each life in `cuts` places, or in all if it is None.

        `control` is the number of cuts without the barriers of the log.
        """
        self.disk = folder / "disk"
        self.database = self.disk / DATABASE
        self._cut_disk = folder / "cut"
        self._record = folder / "record"
        for path in (folder, self.disk, self._cut_disk):
            path.mkdir(mode=0o700)
        self._library = record.build(folder)
        self._cuts = cuts
        self._control = control
        self._told = Told()

    @property
    def variables(self) -> dict[str, object]:
        """The environment variables for the process."""
        return record.variables(self._library, self.disk, self._record)

    async def life(self, entry: Entry, live: Callable[[], Awaitable[None]], chance: Random) -> None:
        """Let a process live, cut its record, and leave what one more cut leaves."""
        folder = self.disk.stat().st_ino
        before = {file.name: (file.stat().st_ino, file.read_bytes()) for file in self._files()}
        self._record.unlink(missing_ok=True)
        write({name: content for name, (_, content) in before.items()}, self._cut_disk, chance)
        first, was_older = self._beginning()
        await live()
        life = Life([*record.read(self._record)], folder, before, self._told)
        left = _without_empty_logs({file.name: file.read_bytes() for file in self._files()})
        disk, told = life.disk(), life.told.after()
        for note in life.notes:
            disk.take(note)
            told.take(note)
        recorded = _without_empty_logs(disk.as_left())
        if odd := sorted(name for name in {*recorded, *left} if recorded.get(name) != left.get(name)):
            entry.broken.append(f"the record does not account for what is in the folder: {', '.join(odd)}")
        write(left, self._cut_disk, chance)
        await self._cut(
            entry, life, await Line.of(self._cut_disk / DATABASE, first, was_older=was_older), chance
        )
        entry.told = told.moments
        entry.copies = len(told.copies)
        self._told = told
        write(disk.after_a_cut(chance), self.disk, chance)

    def _beginning(self) -> tuple[dict[str, int], bool]:
        """Return the initial row counts, and whether an earlier version wrote the file."""
        path = self._cut_disk / DATABASE
        if not path.exists():
            return {}, False
        was_older = look(path) == "older"
        return counts(path), was_older

    def _files(self) -> list[Path]:
        return [file for file in self.disk.iterdir() if not file.name.endswith(INDEX)]

    async def _cut(self, entry: Entry, life: Life, line: Line, chance: Random) -> None:
        """Cut the power in many places of this life, and then in some while ignoring the log's barriers."""
        wanted = places(life, chance)
        if self._cuts is not None:
            wanted = sorted(chance.sample(wanted, min(self._cuts, len(wanted))))
        entry.barriers = len(life.barriers)
        path = self._cut_disk / DATABASE
        async for cut in made(life, line, wanted, path, chance):
            _count(entry, cut)
        control = sorted(chance.sample(wanted, min(self._control, len(wanted))))
        async for cut in made(life, line.anew(), control, path, chance, ignored=LOG):
            entry.control_cuts += 1
            entry.control_losses += bool(cut.verdict.broken)


def _without_empty_logs(files: dict[str, bytes]) -> dict[str, bytes]:
    """Leave out empty logs: opening the file after the bot has ended creates one."""
    return {name: content for name, content in files.items() if content or not name.endswith(LOG)}


def _count(entry: Entry, cut: Cut) -> None:
    entry.cuts += 1
    entry.uncertain += cut.uncertain
    entry.most_uncertain = max(entry.most_uncertain, cut.uncertain)
    entry.events += cut.verdict.events
    entry.broken += [f"life {entry.number}, cut at {cut.place}: {fault}" for fault in cut.verdict.broken]
