"""What all tests share: a fresh file of games; hypothesis without a clock, the same examples on every machine of the CI."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from data.files.opening import prepare
from marriage.shuffle import DealSeed

pytest_plugins = ["tests.jitter", "tests.missing"]

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of games in which nothing is yet. It is migrated once: a copy of it is as good as a new one, and soon made."""
    path = tmp_path_factory.mktemp("migrated") / "tiplu.sqlite3"
    prepare(path)
    return path


@pytest.fixture(autouse=True)
def lot(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lot for who deals first falls on the first seat, so that a test may say who is to move."""
    if "lot" not in request.keywords:
        monkeypatch.setattr(DealSeed, "first_dealer", lambda _seed, _rules, _players: 0)


@pytest.fixture
def path(tmp_path: Path, migrated: Path) -> Path:
    """Where the games of the test are kept: a file in which nothing is yet."""
    path = tmp_path / "var" / "tiplu.sqlite3"
    path.parent.mkdir()
    shutil.copy(migrated, path)
    return path
