"""What a lock names: packages, versions, hashes."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PLAYING = ROOT / "requirements-postgres.lock"
"""The lock with everything that a bot may be installed from: that of a bot on a file, and the driver of PostgreSQL."""

_REQUIREMENT = re.compile(
    r"^([A-Za-z0-9._-]+)(?:\[[a-z,-]+\])?==([^ ;\\]+)((?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE
)


@dataclass(frozen=True)
class Pin:
    """One version of one package, and the hashes of the files that it may be installed from."""

    name: str
    version: str
    hashes: frozenset[str]


def pins(lock: Path) -> list[Pin]:
    """Return every requirement of a lock. A package that differs by Python version has several."""
    return [
        Pin(name, version, frozenset(re.findall(r"--hash=sha256:([0-9a-f]{64})\b", rest)))
        for name, version, rest in _REQUIREMENT.findall(lock.read_text())
    ]


def plain(name: str) -> str:
    """Return the name as locks spell it."""
    return re.sub(r"[-_.]+", "-", name).lower()
