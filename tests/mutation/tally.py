"""The results of all mutants so far: a file that each run adds to, and that the document is written from."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypedDict

from tests.mutation.workshop import SURVIVED, Workshop, workshops

TALLY: Final = Path(__file__).with_name("tally.json")


class Entry(TypedDict):
    """The results of one module's mutants."""

    date: str
    digest: str
    """The digest of the module and its tests at that time."""
    mutants: int
    killed: int
    """The mutants noticed by a failed test, or by one that took so long that it was ended."""
    timeouts: int
    """The number of them noticed by taking too long."""
    survivors: list[str]
    """What each survivor changes, including those that no test executes."""


def read() -> dict[str, Entry]:
    """Return the tally, by module."""
    return json.loads(TALLY.read_text()) if TALLY.exists() else {}


def enter(workshop: Workshop) -> Entry:
    """Add a workshop's results to the tally. Raises ValueError if a mutant was not tried."""
    verdicts = workshop.verdicts()
    if unknown := set(verdicts.values()) - {"killed", "timeout", *SURVIVED}:
        raise ValueError(f"{workshop.module} has mutants that are {unknown}")
    survivors = [name for name, verdict in verdicts.items() if verdict in SURVIVED]
    entry: Entry = {
        "date": datetime.now(UTC).date().isoformat(),
        "digest": workshop.tried(),
        "mutants": len(verdicts),
        "killed": len(verdicts) - len(survivors),
        "timeouts": list(verdicts.values()).count("timeout"),
        "survivors": sorted(map(workshop.change, survivors)),
    }
    found = read() | {workshop.module: entry}
    known = [module for module in workshops() if module in found]
    TALLY.write_text(
        json.dumps({module: found[module] for module in known}, indent=1, ensure_ascii=False) + "\n"
    )
    return entry
