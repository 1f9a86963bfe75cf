"""The results of the power cuts, with an entry for each life of the bot."""

from dataclasses import dataclass, field
from pathlib import Path

from tests import tally


@dataclass
class Entry:
    """The results of the cuts of one life."""

    what: str
    """How it ended."""
    number: int
    moves: int = 0
    """Moves by people; computers have made others."""
    told: int = 0
    """How often something new was reported about the tables; all of it must be found."""
    barriers: int = 0
    cuts: int = 0
    uncertain: int = 0
    """The total number of changes that these cuts might undo."""
    most_uncertain: int = 0
    events: int = 0
    """The number of replayed events."""
    copies: int = 0
    """The number of file copies that the bot reported, in this life and those before."""
    control_cuts: int = 0
    control_losses: int = 0
    """The number of control cuts, without the barriers of the log, that lost something."""
    broken: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        faults = "".join(f"\nBROKEN {fault}" for fault in self.broken)
        return (
            f"life {self.number}, {self.what}: {self.cuts} cuts, {len(self.broken)} promises broken{faults}"
        )


class Tally(tally.Tally[Entry]):
    """All entries."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, Entry)

    def is_blind(self, since: int = 0) -> bool:
        """Return whether the control lost nothing from this entry on, so that the results prove nothing."""
        return not any(entry.control_losses for entry in self.entries[since:])

    def __str__(self) -> str:
        cuts = self.sum("cuts")
        most = max((entry.most_uncertain for entry in self.entries), default=0)
        return (
            f"{cuts} cuts in {len(self.entries)} lives of the bot with {self.sum('barriers')} barriers; at one they might undo "
            f"{self.sum('uncertain') / max(cuts, 1):.0f} changes on average, {most} at most\n"
            f"{self.sum('moves')} moves by people, {self.sum('told')} times something new was told; "
            f"{self.sum('events')} events replayed\n"
            f"with the barriers of the log ignored, {self.sum('control_losses')} of {self.sum('control_cuts')} cuts lost something\n"
            f"{len(self.broken)} promises broken"
        )
