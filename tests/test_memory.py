"""Where the tests keep their files."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests import memory


def test_only_a_folder_with_room_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    free = memory.ROOM
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=free))
    assert memory.is_good(tmp_path)
    free = memory.ROOM - 1
    assert not memory.is_good(tmp_path)
    assert not memory.is_good(tmp_path / "missing")


def test_a_place_that_was_named_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TMPDIR", "named")
    memory.pytest_configure()
    assert memory.os.environ["TMPDIR"] == "named"
