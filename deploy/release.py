"""Release the version in `pyproject.toml`: check that it is complete, then tag the commit.

    python deploy/release.py

A release is a tag, a changelog entry with a date, and files of its schema in `tests/data/upgrades/`, which every later
version must open. The script pushes nothing; `git push --tags` does.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def missing(root: Path, version: str) -> Iterator[str]:
    """Return a sentence for each thing that this version lacks."""
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        yield f"CHANGELOG.md has no entry with a date for {version}: rename the section Unreleased."
    if not list((root / "tests" / "data" / "upgrades").glob(f"{version}-*.xz")):
        yield f"tests/data/upgrades/ has no files of the schema of {version}: add the files that this version writes."
    if _git(root, "status", "--porcelain"):
        yield "There are changes that are not committed yet: commit them and run the tests."
    if f"v{version}" in _git(root, "tag").split():
        yield f"v{version} is tagged already: raise the version in pyproject.toml and marriage/__init__.py."


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def main(root: Path = ROOT) -> int:
    """Check and tag; return 1 and change nothing if something is missing."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version: str = project["version"]
    if sentences := list(missing(root, version)):
        print(*sentences, sep="\n", file=sys.stderr)
        return 1
    _git(root, "tag", "--annotate", f"v{version}", "--message", f"Tiplu {version}")
    print(f"Tagged v{version}. `git push --tags` publishes it.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
