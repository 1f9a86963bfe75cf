"""What became of all mutants so far: a file that each run adds to, from which the document's figures are written."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypedDict

from tests.mutation.workshop import SURVIVED, Workshop, workshops

TALLY: Final = Path(__file__).with_name("tally.json")


class Entry(TypedDict):
    """What became of the mutants of one module."""

    date: str
    digest: str
    """Of the module and its tests then."""
    mutants: int
    killed: int
    """By a test that failed, or that took so long that it was ended."""
    timeouts: int
    """How many of them took so long."""
    survivors: list[str]
    """What each of them changes, those included that no test ran into."""


def read() -> dict[str, Entry]:
    """The tally, by module."""
    return json.loads(TALLY.read_text()) if TALLY.exists() else {}


def enter(workshop: Workshop) -> Entry:
    """Add what a workshop has found to the tally; raises ValueError where a mutant was not tried."""
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
