"""Shared by all tests: a fresh file of games, and hypothesis with no deadline and fixed examples on CI."""

import gc
import os
import random
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import Phase, settings

from data.store import Place
from marriage.shuffle import DealSeed
from tests.games import DATABASES
from tests.postgres import MISSING, Server, binaries, running_server

pytest_plugins = [
    "tests.gate",
    "tests.in_process",
    "tests.jitter",
    "tests.memory",
    "tests.missing",
    "tests.new_stores",
]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for the database."""
    parser.addoption(
        "--database",
        choices=DATABASES,
        default=os.environ.get("DATABASE", "sqlite"),
        help="where the games of the tests are kept: in files, or by a server of the tests' own",
    )


SELDOM = 50_000, 10, 10
"""Garbage collection thresholds: new objects, and collections of each younger generation."""

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(  # many runs; each must only find an example, not shrink it
    "mutants",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=30,
    phases=(Phase.explicit, Phase.generate),
)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_configure() -> None:
    """Collect garbage rarely, and let no logger cache its settings.

    Imported objects are not garbage, and a test leaves little behind.
    """
    gc.set_threshold(*SELDOM)
    structlog.configure = partial(_configure, structlog.configure)
    _log_as_by_default()


def _configure(configure: Callable[..., None], **given: Any) -> None:
    """Configure the log as given, except that no logger keeps its first settings for later tests."""
    configure(**given | {"cache_logger_on_first_use": False})


def pytest_runtest_teardown() -> None:
    """Undo the log settings of a test, even if it called the program's own setup."""
    _log_as_by_default()


def _log_as_by_default() -> None:
    """Log as structlog does by default, except that tracebacks are plain: with `rich` installed, each would take a second."""
    structlog.reset_defaults()
    *others, _ = structlog.get_config()["processors"]
    renderer = structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
    structlog.configure(processors=[*others, renderer])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Start with the tests that one process must run as a group, so that no other waits for it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)


def pytest_collection_finish() -> None:
    """Freeze all imported objects, so that later garbage collections need not check them."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive all randomness of a test from its name, including the seeds of its deals."""
    drawn = random.Random(request.node.nodeid)
    monkeypatch.setattr("secrets.token_bytes", lambda size=32: drawn.randbytes(size))
    random.seed(request.node.nodeid)


@pytest.fixture(autouse=True)
def lot(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the first seat deal first, so that a test knows who is to move."""
    if "lot" not in request.keywords:
        monkeypatch.setattr(DealSeed, "first_dealer", lambda _seed, _rules, _players: 0)


@pytest.fixture(autouse=True)
def _own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let a bot that is not told where its games are keep files in a folder of the test: who was forgotten, and copies."""
    monkeypatch.setenv("DATABASE_PATH", str(tmp_path / "var" / "tiplu.sqlite3"))


SWAPS = 2_000
"""How long a draw is optimised if no test checks its quality."""


@pytest.fixture(autouse=True)
def _quick_draws(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw with little care for repeated pairings, because a full search dominates the time of a round."""
    if "whole_search" not in request.keywords:
        monkeypatch.setattr("league.pairing.schedule._MOST_SWAPS", SWAPS)


@pytest.fixture
def path(tmp_path: Path, migrated: Path) -> Path:
    """The location of the test's games: a file without any games."""
    path = tmp_path / "var" / "tiplu.sqlite3"
    path.parent.mkdir()
    shutil.copy(migrated, path)
    return path


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server for the tests only."""
    if binaries() is None:
        pytest.skip(MISSING)
    with running_server() as server:
        yield server


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """The location of the test's games in the requested database; it is empty."""
    if request.config.getoption("--database") == "sqlite":
        yield request.getfixturevalue("path")
        return
    server: Server = request.getfixturevalue("server")
    yield server.fresh()
