"""The results of forged interactions, and the tally that keeps them from one run to the next."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Broken:
    """Something that must not happen, and the range of forgeries of which one caused it."""

    first: int
    last: int
    what: str

    @property
    def numbers(self) -> range:
        """The numbers of the forgeries of which one caused it."""
        return range(self.first, self.last + 1)

    @property
    def is_named(self) -> bool:
        """Whether it is known which forgery caused it."""
        return self.first == self.last


@dataclass
class Report:
    """The results of all forgeries."""

    number: int
    first: int = 0
    sent: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    odd: Counter[str] = field(default_factory=Counter)
    broken: list[Broken] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def what(self) -> str:
        """The number of the run and of its first forgery."""
        return f"{self.number}:{self.first}"

    @property
    def unnamed(self) -> list[range]:
        """The rounds in which something broke that no single forgery is known to have caused, each once."""
        return sorted(
            {fault.numbers for fault in self.broken if not fault.is_named}, key=lambda numbers: numbers.start
        )

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.kinds.most_common())
        answers = ", ".join(f"{count} {kind}" for kind, count in self.answers.most_common())
        odd = f"{self.odd.total()}: " + ", ".join(f"{count} {why}" for why, count in self.odd.most_common(40))
        pace = self.sent / self.seconds if self.seconds else 0
        return (
            f"{self.sent} forged interactions of number {self.number} in {self.seconds:.0f} s ({pace:.0f} a second)\n"
            f"  sent     {kinds}\n  answers  {answers}\n  odd      {odd}\n"
            f"  broken   {len(self.broken)}"
        )


def together(parts: Sequence[Report]) -> Report:
    """Return one report of several parts. Raises IndexError if there are none."""
    return Report(
        parts[0].number,
        min(part.first for part in parts),
        sum(part.sent for part in parts),
        sum((part.kinds for part in parts), Counter()),
        sum((part.answers for part in parts), Counter()),
        sum((part.odd for part in parts), Counter()),
        [fault for part in parts for fault in part.broken],
        sum(part.seconds for part in parts),
    )
