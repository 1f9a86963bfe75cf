"""The recording library: it misses no file operation, and reports what it cannot follow."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.powercut import __main__ as powercut
from tests.powercut import record
from tests.powercut.disk import Disk
from tests.powercut.record import Kind, Note
from tests.powercut.told import Told

pytestmark = pytest.mark.skipif(record.MISSING is not None, reason=record.MISSING or "")

WORK = """
import os, socket, sqlite3, threading
from pathlib import Path
from data.files import sync_directory, write_durably

folder = Path("FOLDER")
with (folder / "plain").open("wb") as file:
    file.write(b"one")
    file.flush()
    os.fsync(file.fileno())
    file.write(b"two")
with (folder / "plain").open("ab") as file:
    file.write(b"three")
handle = os.open(folder / "plain", os.O_RDWR)
os.ftruncate(handle, 8)
os.pwrite(handle, b"!", 20)
os.close(handle)
(folder / "gone").write_bytes(b"gone")
(folder / "gone").unlink()
write_durably(folder / "small", "first")
write_durably(folder / "small", "second")
os.chdir(folder)
Path("relative").write_bytes(b"relative")
Path("relative").replace("elsewhere")
database = sqlite3.connect(folder / "games", isolation_level=None)
database.execute("PRAGMA journal_mode=WAL")
database.execute("CREATE TABLE numbers (number)")
for number in range(300):
    database.execute("INSERT INTO numbers VALUES (?)", (number,))
database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
database.execute("INSERT INTO numbers VALUES (301)")
mine, its = socket.socketpair()
mine.send(b"mr1:hand:7:12 ")
os._exit(0)  # as if it were killed
"""


def run(work: str, tmp_path: Path) -> tuple[Path, list[Note]]:
    """Run a program, and return its folder and the record."""
    folder = tmp_path / "folder"
    folder.mkdir()
    told = record.variables(record.build(tmp_path), folder, tmp_path / "record") | {"POWERCUT_SYNC_US": 0}
    subprocess.run(
        (sys.executable, "-c", work.replace("FOLDER", str(folder))),
        env=os.environ | {"PYTHONPATH": "."} | {name: str(value) for name, value in told.items()},
        check=True,
    )
    return folder, [*record.read(tmp_path / "record")]


def test_the_record_accounts_for_every_byte_of_every_file(tmp_path: Path):
    folder, notes = run(WORK, tmp_path)
    disk, told = Disk(folder.stat().st_ino, {}), Told()
    for note in notes:
        disk.take(note)
        told.take(note)
    there = {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}
    assert {"plain", "small", "elsewhere", "games", "games-wal"} <= {*there}
    assert disk.as_left() == there
    assert told.revisions == {7: 12}
    assert any(note.kind is Kind.MAPPED for note in notes)
    assert notes[-1].kind is Kind.SENT


def test_a_barrier_has_a_beginning_and_an_end(tmp_path: Path):
    _, notes = run(WORK, tmp_path)
    kinds = [note.kind for note in notes]
    assert kinds.count(Kind.SYNCING) == kinds.count(Kind.SYNCED) > 3
    first = kinds.index(Kind.SYNCING)
    assert [note.data for note in notes[:first] if note.kind is Kind.WRITTEN] == [b"one"]


@pytest.mark.parametrize(
    "way",
    [
        "os.writev(handle, [b'a', b'b'])",
        "os.posix_fallocate(handle, 0, 10)",
        "os.link('FOLDER/file', 'FOLDER/link')",
        "os.ftruncate(handle, 10); mmap.mmap(handle, 10)",
        "os.rename('FOLDER/file', 'FOLDER-outside')",
    ],
)
def test_what_cannot_be_followed_is_told(tmp_path: Path, way: str):
    with pytest.raises(ValueError, match="not followed"):
        run(f"import mmap, os; handle = os.open('FOLDER/file', os.O_RDWR | os.O_CREAT); {way}", tmp_path)


def test_without_a_compiler_it_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(powercut, "MISSING", "there is no compiler")
    monkeypatch.setattr(sys, "argv", ["powercut"])
    assert powercut.main() == 2
    assert "there is no compiler" in capsys.readouterr().err
