"""Release the version that `pyproject.toml` names: check that everything of it is there, then tag the commit.

    python deploy/release.py

A release is a tag, an entry in the changelog with a date, and files of its schema in `tests/data/upgrades/`, which every later
version must be able to open. Nothing is pushed: `git push --tags` does that.
"""

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]


def missing(root: Path, version: str) -> Iterator[str]:
    """What this version still needs, a sentence each."""
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE):
        yield f"CHANGELOG.md has no entry of its own, with a date, for {version}: name what is unreleased so."
    if not list((root / "tests" / "data" / "upgrades").glob(f"{version}-*.xz")):
        yield f"tests/data/upgrades/ has no files of the schema of {version}: keep those that this version writes."
    if _git(root, "status", "--porcelain"):
        yield "Something is not committed yet: commit it, and let the tests pass."
    if f"v{version}" in _git(root, "tag").split():
        yield f"v{version} is tagged already: raise the version in pyproject.toml."


def _git(root: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout


def main(root: Path = ROOT) -> int:
    """Check and tag; returns 1 and changes nothing if something is missing."""
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
