"""The cuts of one life of the bot: where they are, what each leaves, and what came of it."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from tests.powercut.checks import Line, Verdict, judge, write
from tests.powercut.disk import Disk
from tests.powercut.record import Kind, Note
from tests.powercut.told import Told


@dataclass
class Life:
    """What was recorded of a process, and what was there before it."""

    notes: Sequence[Note]
    folder: int
    """The inode of the folder."""
    before: dict[str, tuple[int, bytes]]
    """The inode and content of each file on the disk when the process began."""
    told: Told
    """What had been reported before."""

    @property
    def barriers(self) -> list[int]:
        """The places of the notes with which barriers end."""
        return [place for place, note in enumerate(self.notes) if note.kind is Kind.SYNCED]

    def disk(self, ignored: str | None = None) -> Disk:
        """Return the disk as it was when the process began."""
        return Disk(self.folder, self.before, ignored)


@dataclass
class Cut:
    """One cut, just before a note."""

    place: int
    uncertain: int
    """The number of changes that it may have undone."""
    verdict: Verdict


def places(life: Life, chance: Random) -> list[int]:
    """Return places just before and after the end of every barrier, and half as many random ones."""
    most = len(life.notes) + 1
    at_barriers = {place + side for place in life.barriers for side in (0, 1)}
    others = [place for place in range(most) if place not in at_barriers]
    return sorted(at_barriers | set(chance.sample(others, min(len(life.barriers), len(others)))))


async def made(
    life: Life, line: Line, wanted: Sequence[int], path: Path, chance: Random, ignored: str | None = None
) -> AsyncIterator[Cut]:
    """Cut the power at each of these places in turn, and judge what is left at `path`."""
    disk, told, place = life.disk(ignored), life.told.after(), 0
    for cut in wanted:
        for note in life.notes[place:cut]:
            disk.take(note)
            told.take(note)
        place = cut
        write(disk.after_a_cut(chance), path.parent, chance)
        yield Cut(cut, disk.uncertain, await judge(path, told, line))
