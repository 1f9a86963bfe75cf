"""What opening a new file of games costs is paid once in a process, not in each test that does so.

A process of the bot opens one file and keeps it; the tests open thousands. Each would make all tables, and compile every statement
anew, for SQLAlchemy keeps what it has compiled with an engine.
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
"""Gives a new file its tables."""


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of games in which nothing is yet. A copy of it is as good as a new one, and soon made."""
    path = tmp_path_factory.mktemp("migrated") / "tiplu.sqlite3"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(opening, "_make", MAKE)
        opening.prepare(path)
    return path


@pytest.fixture(scope="session", autouse=True)
def _migrated_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a new file be a copy of that one."""

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
    """A new file of this test is made, and is no copy: it has a key of its own."""
    monkeypatch.setattr(opening, "_make", MAKE)


@pytest.fixture(scope="session", autouse=True)
def _compiled_once() -> Iterator[None]:
    """Let all engines of the same kind share their dialect and what was compiled for it."""
    make = engines._engine

    @cache
    def first(pragmas: tuple[str, ...]) -> Engine:
        engine = make(Path(":memory:"), pragmas)
        engine.connect().close()  # upon which its dialect knows the library
        return engine

    def sharing(path: Path, pragmas: tuple[str, ...]) -> Engine:
        engine = make(path, pragmas)
        engine.dialect, engine._compiled_cache = first(pragmas).dialect, first(pragmas)._compiled_cache
        return engine

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engines, "_engine", sharing)
        yield
