"""The tally as a document: docs/mutants.md."""

import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from tests.mutation.tally import Entry, read
from tests.mutation.workshop import ROOT, workshops

DOCUMENT: Final = ROOT / "docs" / "mutants.md"
REASONS: Final = Path(__file__).with_name("reasons.toml")
LEAST: Final = 90
"""The percentage of every module's mutants that must be noticed."""
_BEGIN: Final = "<!-- from the tally -->\n"


def write() -> None:
    """Rewrite the part of the document that follows from the tally."""
    DOCUMENT.write_text(written(DOCUMENT.read_text()))


def written(text: str) -> str:
    """Return the document with the part that follows from the tally."""
    return text.partition(_BEGIN)[0] + _BEGIN + "\n".join(_lines(read())) + "\n"


def score(entries: Iterable[Entry]) -> float:
    """Return the percentage of mutants that were noticed; 100 if there are none."""
    counts = [(entry["killed"], entry["mutants"]) for entry in entries]
    mutants = sum(count for _, count in counts)
    return 100 * sum(killed for killed, _ in counts) / mutants if mutants else 100


def shortcomings(tally: Mapping[str, Entry]) -> list[str]:
    """Return which modules have too few of their mutants noticed, and which survivors lack a reason."""
    told = reasons()
    return [
        f"{module}: {score([entry]):.1f} %, which is less than {LEAST} %"
        for module, entry in tally.items()
        if score([entry]) < LEAST
    ] + [
        f"{module}: no reason for {change}"
        for module, entry in tally.items()
        for change in entry["survivors"]
        if (module, change) not in told
    ]


def reasons() -> dict[tuple[str, str], str]:
    """Return why a survivor is acceptable, by its module and what the mutant changes."""
    told: dict[str, dict[str, list[str]]] = tomllib.loads(REASONS.read_text())
    return {
        (module, change): why
        for why, modules in told.items()
        for module, changes in modules.items()
        for change in changes
    }


def _lines(tally: dict[str, Entry]) -> Iterator[str]:
    untried = [module for module in workshops() if module not in tally]
    yield f"\nOf {len(workshops())} modules {len(tally)} have been tried: {_counts(tally.values())}.\n"
    yield "| module | mutants | noticed | of these by taking too long | survivors | percent | tried |"
    yield "|---|--:|--:|--:|--:|--:|---|"
    for module, entry in tally.items():
        survivors = entry["mutants"] - entry["killed"]
        percent = f"{score([entry]):.1f}"
        cells = (
            module,
            entry["mutants"],
            entry["killed"],
            entry["timeouts"],
            survivors,
            percent,
            entry["date"],
        )
        yield f"| {' | '.join(map(str, cells))} |"
    yield "\n## Survivors\n"
    argued: defaultdict[str, list[str]] = defaultdict(list)
    told = reasons()
    for module, entry in tally.items():
        for change in entry["survivors"]:
            argued[told.get((module, change), "Not argued yet.")].append(f"- {module}, `{change}`")
    for why in sorted(argued, key="Not argued yet.".__eq__):
        yield f"**{why}**\n"
        yield "\n".join(argued[why]) + "\n"
    yield "## Not tried yet\n"
    yield ", ".join(untried) + "." if untried else "Nothing."


def _counts(entries: Iterable[Entry]) -> str:
    counted = list(entries)
    mutants = sum(entry["mutants"] for entry in counted)
    return f"{sum(entry['killed'] for entry in counted):,} of {mutants:,} mutants were noticed, {score(counted):.1f} %"
