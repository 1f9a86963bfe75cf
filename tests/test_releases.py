"""What every release needs: one version everywhere, a changelog, and hooks that do what `make lint` does."""

import re
import tomllib

import pytest

from bot.__main__ import main
from tests.test_house import ROOT

SECTIONS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"Tiplu {project['version']}\n"


def test_the_changelog_begins_with_what_is_unreleased_and_knows_this_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    [unreleased, *released] = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text, re.MULTILINE)
    assert unreleased == ("Unreleased", "")
    assert all(date for _, date in released)
    numbers = [tuple(map(int, number.split("."))) for number, _ in released]
    assert numbers == sorted(numbers, reverse=True)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert released[0][0] == project["version"]
    assert set(re.findall(r"^### (.+)$", text, re.MULTILINE)) <= SECTIONS


def test_the_hooks_run_the_commands_of_make_lint():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [recipe] = re.findall(r"^lint: .*\n((?:\t.*\n)+)", makefile, re.MULTILINE)
    commands = [line.strip().replace("$(BIN)", ".venv/bin") for line in recipe.splitlines()]
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert re.findall(r"^ +entry: (.+)$", hooks, re.MULTILINE) == commands


def test_the_hooks_download_nothing():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert set(re.findall(r"repo: (.+)$", hooks, re.MULTILINE)) == {"local"}
    assert set(re.findall(r"language: (.+)$", hooks, re.MULTILINE)) == {"system"}
