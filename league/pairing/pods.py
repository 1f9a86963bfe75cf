"""The pods of a round: who is in the draw, who is kept apart, the sizes of the tables, the seats, and whom players have met so far."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from math import ceil
from random import Random
from typing import Final, Literal

from league.results import Player
from marriage.shuffle import deal_key

Pod = tuple[Player, ...]
"""The players drawn together, in the order of their seats."""
Pair = frozenset[Player]


@dataclass(frozen=True, slots=True)
class History:
    """Counts over the rounds of a season."""

    meetings: Counter[Pair] = field(default_factory=Counter[Pair])
    odd: Counter[Player] = field(default_factory=Counter[Player])
    """How often a player sat at a table of a size other than four."""
    seats: Counter[tuple[Player, int]] = field(default_factory=Counter[tuple[Player, int]])
    before: Counter[tuple[Player, Player]] = field(default_factory=Counter[tuple[Player, Player]])
    """How often the first sat directly before the second."""

    @classmethod
    def of(cls, rounds: Iterable[Sequence[Pod]]) -> "History":
        """Return the counts over all pods of these rounds."""
        found = cls()
        for pods in rounds:
            for pod in pods:
                found.add(pod)
        return found

    def copy(self) -> "History":
        """Return a copy of the counts, to add to."""
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
        """Return the number of repeated meetings: the sum of m(m-1)/2 over all pairs that met m times.

        A third meeting counts twice.
        """
        return sum(times * (times - 1) // 2 for times in self.meetings.values())


@dataclass(frozen=True, slots=True)
class KeptApart:
    """Two players are kept apart in draws if possible; if `apart` is False, they no longer are."""

    first: Player
    second: Player
    apart: bool = True
    event: Literal["kept_apart"] = "kept_apart"

    @property
    def pair(self) -> Pair:
        """Both, in no order."""
        return frozenset((self.first, self.second))


def kept_apart(pairs: Iterable[Pair]) -> Mapping[Player, frozenset[Player]]:
    """Return, by player, those whom they must not be drawn with.

    >>> kept_apart([frozenset((1, 2))])[2]
    frozenset({1})
    """
    found: defaultdict[Player, frozenset[Player]] = defaultdict(frozenset)
    for pair in pairs:
        for player in pair:
            found[player] |= pair - {player}
    return dict(found)


_SWISS_LARGE: Final = 32
USUAL: Final = 4
"""The default size of a table."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player in the draw."""

    player: Player
    hours: frozenset[int] = frozenset()
    """The blocks of the day in which the player can play; empty for any."""
    apart: frozenset[Player] = frozenset()
    """The players whom they must not be drawn with."""


def table_sizes(players: int, *, no_fives: bool = False, usual: int = USUAL) -> tuple[int, ...]:
    """Return the table sizes for so many players, large ones first.

    They are of the `usual` size where possible, else of three to five. Two players make a table of two.
    Raises ValueError for fewer.
    """
    if players < 2:
        raise ValueError("a draw needs two players or more")
    largest = 4 if no_fives and usual < 5 else 5
    found = (_even_sizes(players, tables) for tables in range(1, players // 3 + 1))
    fitting = [sizes for sizes in found if sizes[0] <= largest]
    # Of sizes that are as near to the usual one, those with the smaller largest table come first.
    return min(
        fitting, key=lambda sizes: (sum((size - usual) ** 2 for size in sizes), sizes), default=(players,)
    )


def _even_sizes(players: int, tables: int) -> tuple[int, ...]:
    """Return the sizes of so many tables if they differ by at most one, large ones first."""
    small, larger = divmod(players, tables)
    return (small + 1,) * larger + (small,) * (tables - larger)


def swiss_weight(players: int) -> float:
    """Return how much a difference in the standings counts in a Swiss draw of so many players."""
    return 0.3 if players >= _SWISS_LARGE else 1.0


def fewest_repeats(players: int, rounds: int, *, no_fives: bool = False) -> int:
    """Return a lower bound of the repeats in so many rounds; often more are needed."""
    meetings = rounds * sum(size * (size - 1) // 2 for size in table_sizes(players, no_fives=no_fives))
    each, more = divmod(meetings, players * (players - 1) // 2)
    return players * (players - 1) // 2 * (each * (each - 1) // 2) + each * more


def fewest_by_overlap(players: int, rounds: int, *, no_fives: bool = False) -> int:
    """Return a lower bound from the minimal overlap of two rounds' tables; larger if tables are few.

    The squares of the meetings of all pairs, and of each player with themselves, add up to the squares of the
    overlaps of any two tables of the season.
    """
    sizes = table_sizes(players, no_fives=no_fives)
    within = sum(size * size for size in sizes)
    between = sum(_least_squares(size, len(sizes)) for size in sizes)
    squares = rounds * within + rounds * (rounds - 1) * between - players * rounds * rounds
    meetings = rounds * sum(size * (size - 1) for size in sizes)
    return max(0, ceil((squares - meetings) / 4))


def _least_squares(units: int, parts: int) -> int:
    """Return the least sum of squares of so many integers with this sum."""
    each, more = divmod(units, parts)
    return parts * each * each + more * (2 * each + 1)


def chance(seed: bytes, season: str, number: int) -> Random:
    """Return the random numbers of a draw, from the season's seed by the shuffle's hash with its own tag."""
    return Random(deal_key(seed, season, number, (), "pods"))  # noqa: S311 - decides no card and can be checked


def mix(order: list[int], random: Random) -> None:
    """Shuffle a list using only `random()`, whose numbers are the same in every version of Python."""
    for last in range(len(order) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        order[last], order[other] = order[other], order[last]


def slots_of(sizes: Sequence[int]) -> tuple[list[tuple[int, ...]], list[int], list[bool]]:
    """Return for every slot of the tables: the other slots of its table, the table, whether its size is odd."""
    company: list[tuple[int, ...]] = []
    table_of: list[int] = []
    for table, size in enumerate(sizes):
        slots = range(len(table_of), len(table_of) + size)
        company += [tuple(other for other in slots if other != slot) for slot in slots]
        table_of += [table] * size
    return company, table_of, [sizes[table] != USUAL for table in table_of]


def seated(players: Sequence[Player], history: History, random: Random) -> Pod:
    """Return the players in the seat order that best balances who sat where, and then who sat before whom."""
    mixed = list(range(len(players)))
    mix(mixed, random)
    candidates = [tuple(players[place] for place in order) for order in permutations(mixed)]
    return min(candidates, key=lambda pod: _wear(pod, history))


def _wear(pod: Pod, history: History) -> tuple[int, int]:
    """Return how uneven seats and neighbours would become, as sums of squares: n² grows by 2n + 1."""
    return (
        sum(history.seats[player, seat] for seat, player in enumerate(pod)),
        sum(history.before[pair] for pair in zip(pod, pod[1:] + pod[:1], strict=True)),
    )
