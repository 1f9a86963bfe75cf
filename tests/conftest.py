"""What all tests share: a fresh file of games; hypothesis without a clock, the same examples on every machine of the CI."""

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
    """Take the database."""
    parser.addoption(
        "--database",
        choices=DATABASES,
        default=os.environ.get("DATABASE", "sqlite"),
        help="where the games of the tests are kept: in files, or by a server of the tests' own",
    )


SELDOM = 50_000, 10, 10
"""So many new objects, and so many times that, are looked at for garbage."""

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(  # many runs, of which each only has to find an example, not a small one
    "mutants",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=30,
    phases=(Phase.explicit, Phase.generate),
)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_configure() -> None:
    """Look for garbage seldom: what is imported is none, and a test leaves little behind. Let no logger keep its settings."""
    gc.set_threshold(*SELDOM)
    structlog.configure = partial(_configure, structlog.configure)


def _configure(configure: Callable[..., None], **given: Any) -> None:
    """Configure the log as given, but for loggers that would keep the settings of their first use over later tests."""
    configure(**given | {"cache_logger_on_first_use": False})


def pytest_runtest_teardown() -> None:
    """What a test has set for the log ends with it, also where it called the program's own set-up."""
    structlog.reset_defaults()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what one process has to do as a whole, so that no other has to wait for it at the end."""
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)


def pytest_collection_finish() -> None:
    """Set aside all that has been imported: whatever garbage is collected later need not look at it each time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make everything that a test draws at random follow from its name, the seeds of its deals included."""
    drawn = random.Random(request.node.nodeid)
    monkeypatch.setattr("secrets.token_bytes", lambda size=32: drawn.randbytes(size))
    random.seed(request.node.nodeid)


@pytest.fixture(autouse=True)
def lot(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lot for who deals first falls on the first seat, so that a test may say who is to move."""
    if "lot" not in request.keywords:
        monkeypatch.setattr(DealSeed, "first_dealer", lambda _seed, _rules, _players: 0)


SWAPS = 2_000
"""How long a draw is searched for where no test looks at how good it is."""


@pytest.fixture(autouse=True)
def _quick_draws(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw with little care for who has met before: the whole search takes longer than all else in a season's round."""
    if "whole_search" not in request.keywords:
        monkeypatch.setattr("league.pairing.schedule._MOST_SWAPS", SWAPS)


@pytest.fixture
def path(tmp_path: Path, migrated: Path) -> Path:
    """Where the games of the test are kept: a file in which nothing is yet."""
    path = tmp_path / "var" / "tiplu.sqlite3"
    path.parent.mkdir()
    shutil.copy(migrated, path)
    return path


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """A PostgreSQL server of the tests' own."""
    if binaries() is None:
        pytest.skip(MISSING)
    with running_server() as server:
        yield server


@pytest.fixture
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """Where the games of the test are kept, in the database that was asked for; nothing is there yet."""
    if request.config.getoption("--database") == "sqlite":
        yield request.getfixturevalue("path")
        return
    server: Server = request.getfixturevalue("server")
    yield server.fresh()
