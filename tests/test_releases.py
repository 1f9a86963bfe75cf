"""What every release needs: one version everywhere, a changelog, and hooks that do what `make lint` does."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import marriage
from bot.__main__ import main
from deploy import release
from tests.test_house import ROOT

SECTIONS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert marriage.__version__ == project["version"]
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


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository that is ready to release version 1.2.0."""
    (tmp_path / "pyproject.toml").write_text('[project]\nversion = "1.2.0"\n')
    (tmp_path / "CHANGELOG.md").write_text("## [Unreleased]\n\n## [1.2.0] - 2027-01-31\n")
    upgrades = tmp_path / "tests" / "data" / "upgrades"
    upgrades.mkdir(parents=True)
    (upgrades / "1.2.0-deals.sqlite3.xz").touch()
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    commit(tmp_path)
    return tmp_path


def git(place: Path, *arguments: str) -> str:
    who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    return subprocess.run(
        ["git", *who, *arguments], cwd=place, check=True, capture_output=True, text=True
    ).stdout


def commit(place: Path) -> None:
    git(place, "commit", "--quiet", "--all", "--allow-empty", "--message", "more")


def test_a_release_is_tagged_once(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for name in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        monkeypatch.setenv(name, "A")
    for name in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(name, "a@example.org")
    assert release.main(project) == 0
    assert git(project, "tag").split() == ["v1.2.0"]
    assert release.main(project) == 1
    assert "tagged already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("file", "content", "sentence"),
    [
        ("CHANGELOG.md", "## [Unreleased]\n\n## [1.1.0] - 2027-01-31\n", "no entry"),
        ("CHANGELOG.md", "## [Unreleased]\n\n## [1.2.0]\n", "with a date"),
        ("pyproject.toml", '[project]\nversion = "1.3.0"\n', "no files of the schema"),
    ],
)
def test_a_release_without_its_parts_is_refused(
    project: Path, file: str, content: str, sentence: str, capsys: pytest.CaptureFixture[str]
):
    (project / file).write_text(content)
    commit(project)
    assert release.main(project) == 1
    assert sentence in capsys.readouterr().err
    assert git(project, "tag") == ""


def test_what_is_not_committed_is_not_released(project: Path, capsys: pytest.CaptureFixture[str]):
    (project / "more").touch()
    assert release.main(project) == 1
    assert "not committed" in capsys.readouterr().err
