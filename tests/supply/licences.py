"""The licences of everything that is installed with a bot, as a document."""

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.supply.lock import PLAYING, ROOT, pins, plain

DOCUMENT = ROOT / "docs" / "licences.md"
ACCEPTED = {
    "0BSD",
    "Apache Software License",
    "Apache-2.0",
    "BSD License",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "CNRI-Python",
    "MIT",
    "MIT License",
    "MIT-CMU",
    "PSF-2.0",
    "Python Software Foundation License",
    "Zlib",
}
"""The accepted licences, as packages name them.

All allow using, changing and redistributing a program with the notices kept.
"""
ELSEWHERE = {"audioop-lts": "PSF-2.0"}
"""Packages that only other versions of Python need, and that are therefore not installed here."""
_HEAD = """# Licences

Tiplu is under the MIT licence, in the file `LICENSE`. Its fonts are under the licences in `render/fonts/OFL.txt` and
`render/fonts/DejaVu-LICENSE.txt`. The bot also needs these packages, each in the version of `requirements-postgres.lock`. The list
omits packages that only the tests and benchmarks need. `make licences` writes this page from the metadata of the packages.

| package | version | licence |
|---|---|---|
"""


def write() -> None:
    """Write the document. Raises ValueError if an installed version differs from the lock's."""
    DOCUMENT.write_text(_HEAD + "".join(f"| {' | '.join(row)} |\n" for row in _rows(_installed())))


def told() -> list[tuple[str, str, str]]:
    """Return the package, version and licence of every row of the document."""
    rows = re.findall(r"^\| (\S+) \| (\S+) \| ([^|]+) \|$", DOCUMENT.read_text(), re.MULTILINE)
    return [row for row in rows if row[0] != "package"]


def refused(licence: str) -> set[str]:
    """Return the licences of an expression that are not accepted; in a choice, all count."""
    return set(re.split(r" AND | OR |; ", licence)) - ACCEPTED


def _rows(installed: dict[str, tuple[str, str]]) -> Sequence[tuple[str, str, str]]:
    versions: dict[str, list[str]] = {}
    for pin in pins(PLAYING):
        versions.setdefault(plain(pin.name), []).append(pin.version)
    for name, (version, _) in installed.items():
        if version not in versions.get(name, [version]):
            raise ValueError(f"{name} {version} is installed, and the lock has {versions[name]}")
    return [
        (name, version, installed[name][1] if name in installed else ELSEWHERE[name])
        for name in sorted(versions)
        for version in versions[name]
    ]


def _installed() -> dict[str, tuple[str, str]]:
    """Return the version and licence of every installed package, by name."""
    ask = (Path(sys.executable).with_name("pip-licenses"), "--from=mixed", "--format=json")
    found = json.loads(subprocess.run(ask, check=True, capture_output=True, text=True).stdout)
    return {plain(one["Name"]): (one["Version"], one["License"]) for one in found}
