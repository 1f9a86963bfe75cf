"""What `make` installs for each of its targets, and when; nothing is really installed here."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.test_house import ROOT
from tests.test_locks import LOCKS

PLAY, _WITH_SERVER, DEV, BENCH, SUPPLY, FUZZ, MUTATION = LOCKS
STAMPS = {
    PLAY: ".venv/.play",
    DEV: ".venv/.dev",
    BENCH: ".venv/.bench",
    SUPPLY: ".venv/.supply",
    FUZZ: ".venv/.fuzz",
    MUTATION: ".venv/.mutation",
}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The Makefile with the locks, all with the same timestamp."""
    for name in ("Makefile", *LOCKS):
        shutil.copy(ROOT / name, tmp_path)
        os.utime(tmp_path / name, (1000, 1000))
    return tmp_path


def install(checkout: Path, *locks: str) -> None:
    """Stamp locks as installed, one after the other."""
    for number, lock in enumerate(locks, 1):
        stamp = checkout / STAMPS[lock]
        stamp.parent.mkdir(exist_ok=True)
        stamp.touch()
        os.utime(stamp, (1000 + number, 1000 + number))


def would(checkout: Path, *arguments: str) -> str:
    """Return what `make` would run, and fail on unexpected undefined variables."""
    command = ("make", "-n", "--warn-undefined-variables", *arguments)
    bare = {"PATH": os.environ["PATH"]}  # not the flags of a `make test` that runs this
    run = subprocess.run(command, cwd=checkout, env=bare, capture_output=True, text=True, check=True)
    assert set(re.findall(r"undefined variable [`'](\w+)'", run.stderr)) <= {
        "GAMES",
        "KIND",
        "MODULE",
        "PORT",
        "PROCESSES",
        "READER",
        "SECONDS",
        "UPGRADE",
    }
    return run.stdout


def installs(plan: str) -> list[str]:
    return re.findall(r"-r (\S+\.lock)", plan)


def test_playing_needs_the_first_lock_only(checkout: Path):
    plan = would(checkout, "play")
    assert installs(plan) == [PLAY]
    assert "Building .venv" in plan
    assert f"--only-binary :all: -r {PLAY}" in plan


def test_nothing_is_built_from_source_for_playing_tests_and_audits(checkout: Path):
    """A source package runs its own code when it is installed; a wheel is only unpacked."""
    plan = would(checkout, "play") + would(checkout, "test") + would(checkout, "audit")
    lines = [line for line in plan.splitlines() if "pip install" in line]
    assert len(lines) == 5
    assert all("--require-hashes --only-binary :all: -r" in line for line in lines)


@pytest.mark.parametrize("target", ["sbom", "audit", "licences"])
def test_what_looks_at_packages_has_a_lock_of_its_own(checkout: Path, target: str):
    assert installs(would(checkout, target)) == [PLAY, SUPPLY]


@pytest.mark.parametrize("target", ["test", "lint"])
def test_tests_and_lint_add_the_second(checkout: Path, target: str):
    assert installs(would(checkout, target)) == [PLAY, DEV]
    install(checkout, PLAY)
    plan = would(checkout, target)
    assert installs(plan) == [DEV]
    assert "rm -rf" not in plan


def test_benchmarks_add_the_third_and_build_only_two_of_its_packages(checkout: Path):
    plan = would(checkout, "bench")
    assert installs(plan) == [PLAY, DEV, BENCH]
    assert f"--require-hashes --only-binary :all: --no-binary pyvips,rlcard -r {BENCH}" in plan


def test_the_fuzzer_of_the_readers_has_a_lock_of_its_own(checkout: Path):
    plan = would(checkout, "fuzztext")
    assert installs(plan) == [PLAY, DEV, FUZZ]
    assert f"--only-binary :all: -r {FUZZ}" in plan


def test_mutants_have_a_lock_of_their_own(checkout: Path):
    plan = would(checkout, "mutate", "MODULE=marriage/scoring")
    assert installs(plan) == [PLAY, DEV, MUTATION]
    assert "-m tests.mutation marriage/scoring" in plan


def test_nothing_is_installed_twice(checkout: Path):
    install(checkout, PLAY, DEV)
    assert [installs(would(checkout, target)) for target in ("play", "test", "play", "run")] == [[]] * 4


def test_a_newer_lock_is_installed(checkout: Path):
    install(checkout, PLAY, DEV)
    os.utime(checkout / DEV, (2000, 2000))
    assert installs(would(checkout, "play")) == []
    assert installs(would(checkout, "test")) == [DEV]
    os.utime(checkout / PLAY, (2000, 2000))
    assert installs(would(checkout, "test")) == [PLAY, DEV]


def test_a_port_and_a_file_can_be_named(checkout: Path):
    install(checkout, PLAY)
    assert "-m playground  --database var/other.sqlite3" in would(checkout, "play", "GAMES=var/other.sqlite3")
    assert "-m playground --port 8090" in would(checkout, "play", "PORT=8090")
    assert "--port" not in would(checkout, "play")
