"""What players have met with in the draws so far: opponents, odd-sized tables, seats."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from league.results import Player

Pod = tuple[Player, ...]
"""The players drawn together, in the order of their seats."""
Pair = frozenset[Player]


@dataclass(frozen=True, slots=True)
class History:
    """Counts over the rounds of a season."""

    meetings: Counter[Pair] = field(default_factory=Counter[Pair])
    odd: Counter[Player] = field(default_factory=Counter[Player])
    """How often a player sat at a table of another size than four."""
    seats: Counter[tuple[Player, int]] = field(default_factory=Counter[tuple[Player, int]])
    before: Counter[tuple[Player, Player]] = field(default_factory=Counter[tuple[Player, Player]])
    """How often the first sat directly before the second."""

    @classmethod
    def of(cls, rounds: Iterable[Sequence[Pod]]) -> "History":
        """The counts over all pods of these rounds."""
        found = cls()
        for pods in rounds:
            for pod in pods:
                found.add(pod)
        return found

    def copy(self) -> "History":
        """The same counts, to go on with."""
        return History(self.meetings.copy(), self.odd.copy(), self.seats.copy(), self.before.copy())

    def add(self, pod: Pod) -> None:
        """Count one more pod."""
        self.meetings.update(map(frozenset, combinations(pod, 2)))
        if len(pod) != 4:
            self.odd.update(pod)
        self.seats.update((player, seat) for seat, player in enumerate(pod))
        self.before.update(zip(pod, pod[1:] + pod[:1], strict=True))

    def everybody_played(self, players: Sequence[Player], rounds: int) -> bool:
        """Return whether these players, and no one else, have all played so many rounds."""
        played = Counter[Player]()
        for (player, _), times in self.seats.items():
            played[player] += times
        return played == Counter(dict.fromkeys(players, rounds))

    def repeats(self) -> int:
        """The repeated meetings, a third one counting twice: the sum of m(m-1)/2 over all pairs that met m times."""
        return sum(times * (times - 1) // 2 for times in self.meetings.values())
