"""A run on a machine that lacks something says at its end what was not tested, and how to have it."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def last_lines(*arguments: str) -> list[str]:
    """What a run of some tests says beside its reports, on a machine without Chromium and the description."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith(("DISCORD_", "PYTEST_"))}
    command = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments)
    run = subprocess.run(command, cwd=ROOT, env=bare | {"PATH": ""}, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    return [line for line in run.stdout.splitlines() if line.startswith("Not tested: ")]


def test_one_line_each_says_what_was_not_tested_and_how_to_have_it():
    page, wire = last_lines("-m", "real", "tests/playground/test_page.py")
    assert "no Chromium" in page
    assert "apt-get install chromium" in page
    assert "DISCORD_OPENAPI is not set" in wire
    assert "https://github.com/discord/discord-api-spec" in wire


def test_what_the_run_did_not_ask_for_is_not_missed():
    assert last_lines("tests/test_house.py::test_every_room_is_here") == []
