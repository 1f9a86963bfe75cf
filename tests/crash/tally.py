"""The results of process ends, with one entry per day."""

from collections import Counter
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from tests import tally


@dataclass
class Day:
    """The results of one day."""

    number: int
    date: str
    """The date of the run, such as 2026-11-24."""
    database: str
    kills: int = 0
    """How often a bot was killed or cut off."""
    ends: Counter[str] = field(default_factory=Counter)
    """The ways in which processes ended."""
    deals: int = 0
    events: int = 0
    """The number of events replayed."""
    moves: int = 0
    """The moves of people, without those of computers."""
    interactions: int = 0
    unheard: int = 0
    """The number of interactions that no process could answer."""
    messages: int = 0
    """How many messages were compared with what they should show."""
    seconds: float = 0.0
    broken: list[str] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)
    """The promises that were broken by faults that are fixed: entered by hand, once they are."""

    @property
    def what(self) -> str:
        """The name of the day."""
        return f"day {self.number}"

    def __add__(self, later: "Day") -> "Day":
        """Return the sum of both days, with the later day's number and date."""
        sums = {name: getattr(self, name) + getattr(later, name) for name in SUMMED}
        return replace(later, **sums)

    def __str__(self) -> str:
        ends = [f"{count:>6,}  {ending}" for ending, count in self.ends.most_common()]
        total = f"{self.ends.total():>6,}  in all, in {self.seconds:,.0f} s; {self.kills:,} times a bot was killed"
        counts = (
            f"{self.deals:,} deals with {self.events:,} events replayed, {self.moves:,} moves by people, "
            f"{self.interactions:,} interactions, {self.unheard:,} of them with nobody to answer, "
            f"{self.messages:,} messages compared; {len(self.broken)} promises broken, and {len(self.fixed)} by faults "
            "that are fixed"
        )
        return "\n".join([*ends, total, counts])


SUMMED = [name.name for name in fields(Day) if name.name not in {"number", "date", "database"}]


class Tally(tally.Tally[Day]):
    """All days."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, Day)

    def all(self, database: str) -> Day:
        """Return the sum of all days on this database, with the number and the date of the last."""
        whole = Day(0, "", database)
        for day in self.entries:
            if day.database == database:
                whole = whole + day
        return whole
