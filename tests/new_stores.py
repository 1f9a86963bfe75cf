"""The cost of opening a new games file is paid once per process, not in each test that opens one.

A process of the bot opens one file and keeps it; the tests open thousands. Each would create all tables and
compile every statement again, because SQLAlchemy keeps compiled statements with an engine.
"""

import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from sqlalchemy import Engine

from data.migrating import MIGRATIONS
from data.sqlite import engines, opening

MAKE = opening._make
"""Creates the tables of a new file."""


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a games file without any games. A copy of it is as good as a new file, and quick to make."""
    path = tmp_path_factory.mktemp("migrated") / "tiplu.sqlite3"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "_make", MAKE)
        opening.prepare(path)
    return path


@pytest.fixture(scope="session", autouse=True)
def _migrated_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """Make new files as copies of that one."""

    def make(path: Path, migrations: Path) -> None:
        if migrations == MIGRATIONS and not path.stat().st_size:
            shutil.copyfile(request.getfixturevalue("migrated"), path)
        else:
            MAKE(path, migrations)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "_make", make)
        yield


@pytest.fixture
def migrated_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make this test's new files without copying, so that each has its own key."""
    monkeypatch.setattr(opening, "_make", MAKE)


@pytest.fixture(scope="session", autouse=True)
def _compiled_once() -> Iterator[None]:
    """Let all engines of the same kind share their dialect and its compiled statements."""
    make = engines._engine

    @cache
    def first(pragmas: tuple[str, ...]) -> Engine:
        engine = make(Path(":memory:"), pragmas)
        engine.connect().close()  # this initialises its dialect
        return engine

    def sharing(path: Path, pragmas: tuple[str, ...]) -> Engine:
        engine = make(path, pragmas)
        engine.dialect, engine._compiled_cache = first(pragmas).dialect, first(pragmas)._compiled_cache
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "_engine", sharing)
        yield
