"""Renames and removals reach the disk in their order: a power cut may undo what has not been synced."""

import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from data.files import write_durably
from data.privacy.ledger import ForgottenLedger
from data.sqlite.backups import back_up, restore
from data.sqlite.integrity import forget_claim, forget_note, mark_file, note_file

SYNC = "sync the folder"


def database(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as made:
        made.execute("CREATE TABLE one (number)")
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return database(tmp_path / "tiplu.db")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    (tmp_path / "elsewhere").mkdir()
    return database(tmp_path / "elsewhere" / "copy")


@pytest.fixture
def steps(path: Path, copy: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is put and removed in the folder of the database, and when the folder is synced."""
    steps: list[str] = []
    replace, unlink, fsync = Path.replace, Path.unlink, os.fsync

    def put(self: Path, target: Path) -> Path:
        steps.append(re.sub(r"-\d+T[\d.]+Z", "", f"put {target.name}"))
        return replace(self, target)

    def remove(self: Path, *, missing_ok: bool = False) -> None:
        if self.exists():
            steps.append(f"remove {self.name}")
        unlink(self, missing_ok=missing_ok)

    def sync(handle: int) -> None:
        if os.path.samestat(os.fstat(handle), path.parent.stat()):
            steps.append(SYNC)
        fsync(handle)

    monkeypatch.setattr(Path, "replace", put)
    monkeypatch.setattr(Path, "unlink", remove)
    monkeypatch.setattr(os, "fsync", sync)
    return steps


def test_a_file_that_is_written_durably_is_put_in_its_place_on_the_disk(path: Path, steps: list[str]):
    write_durably(path.with_name("note"), "words")
    assert steps == ["put note", SYNC]


def test_a_request_to_be_forgotten_is_in_its_folder_on_the_disk(path: Path, steps: list[str]):
    ForgottenLedger(path.with_name("forgotten")).add("digest", 1)
    assert steps == [SYNC]


def test_a_mark_or_a_note_that_no_longer_holds_is_gone_on_the_disk(path: Path, steps: list[str]):
    mark_file(path).touch()
    note_file(path).touch()
    forget_claim(path)
    forget_note(path)
    assert steps == [f"remove {mark_file(path).name}", SYNC, f"remove {note_file(path).name}", SYNC]


def test_a_backup_takes_the_place_of_another_database_only_when_that_and_then_its_log_are_gone(
    path: Path, copy: Path, steps: list[str]
):
    path.with_name("tiplu.db-wal").touch()
    back_up(copy, path)
    assert steps == ["remove tiplu.db", SYNC, "remove tiplu.db-wal", SYNC, "put tiplu.db", SYNC]


def test_no_step_of_a_restore_begins_before_the_one_before_it_is_on_the_disk(
    path: Path, copy: Path, steps: list[str]
):
    restore(path, copy)
    mark = mark_file(path).name
    changes = [
        "put tiplu.db.restored",
        "put tiplu.db.replaced",
        f"put {mark}",
        "put tiplu.db",
        f"remove {mark}",
    ]
    assert steps == [step for change in changes for step in (change, SYNC)]


def test_a_damaged_file_is_kept_on_the_disk_before_a_backup_is_put_in_its_place(
    path: Path, copy: Path, steps: list[str]
):
    path.write_bytes(b"no database" * 1000)
    restore(path, copy)
    mark = mark_file(path).name
    changes = [f"put {mark}", "put tiplu.db.replaced", "put tiplu.db", f"remove {mark}"]
    assert steps[steps.index(f"put {mark}") :] == [step for change in changes for step in (change, SYNC)]
