"""The counts, with an entry for each thing that happened to the processes."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

from tests import tally


@dataclass
class Entry:
    """The results of one event."""

    what: str
    number: int
    run: int = 0
    """The number of its run."""
    bots: int = 0
    tables: int = 0
    killed: int = 0
    """The number of killed processes; the database server is counted separately."""
    stopped: int = 0
    started: int = 0
    restarts: int = 0
    """How often the database server was stopped and started again."""
    seconds: float = 0.0
    """How long all of it took."""
    moves: int = 0
    presses: int = 0
    late: int = 0
    """Presses answered after more than three seconds, when Discord has already shown the person a failure."""
    dropped: int = 0
    """Presses that reached a process too late for Discord to accept an answer, and were not answered."""
    unanswered: int = 0
    longest_gap_s: float = 0.0
    """The longest time for which a shard had no process."""
    shared_s: float = 0.0
    """How long it took until every process had its share of the shards again."""
    messages: int = 0
    """The number of messages compared with what they should show."""
    broken: list[str] = field(default_factory=list)


class Tally(tally.Tally[Entry]):
    """All entries."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, Entry)

    def __str__(self) -> str:
        kinds = Counter(entry.what for entry in self.entries)
        return "\n".join(
            [
                *(f"{count:>4}  {what} {self._of([what])}" for what, count in kinds.most_common()),
                f"{len(self.entries):>4}  in all: {self._of(kinds)}; {len(self.broken)} promises broken",
            ]
        )

    def _of(self, kinds: Collection[str]) -> str:
        """Return the totals of these kinds."""
        entries = [entry for entry in self.entries if entry.what in kinds]

        def add(*names: str) -> int:
            return sum(getattr(entry, name) for entry in entries for name in names)

        return (
            f"{add('killed', 'stopped', 'started')} kills, stops and starts ({add('killed')}, {add('stopped')}, {add('started')}), "
            f"{add('restarts')} restarts of the server, {add('moves')} moves by people, {add('presses')} presses, "
            f"{add('unanswered')} unanswered, {add('late')} late, {add('dropped')} too late, {add('messages')} messages compared; "
            f"longest without a server {max(entry.longest_gap_s for entry in entries):.1f} s, "
            f"shared out again after {max(entry.shared_s for entry in entries):.1f} s at most"
        )
