"""Ghosting: results on boards that another table had finished before, compared with the player's other results.

A player who hears about a board's cards does better on it than in deals that no one can know. Honest players
may be listed too, so each finding comes with how many would be listed by chance, as in
`league.statistics.fairplay`.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from league.results import DealId, DealResult, Player
from league.statistics.adjusted import Estimate, surprises
from league.statistics.fairplay import LISTED, by_chance, welch

LEAST_BOARDS: Final = 12
"""The fewest boards finished elsewhere before, and the fewest other deals, for which a player is examined."""


@dataclass(frozen=True, slots=True)
class BoardPlay:
    """One play of a board."""

    board: tuple[int, int]
    """The set of the board, and its number in the set."""
    started_at: int
    """The time at which this table began it, in the unit of `DealResult.at`."""


@dataclass(frozen=True, slots=True)
class LateBoards:
    """A player who does better on boards that another table had finished before."""

    player: Player
    boards: int
    """The number of such boards that they played."""
    others: int
    """The number of their other deals in the comparison."""
    gain: float
    """How much better their results on these boards are, in standard deviations of a deal's luck."""
    z: float


@dataclass(frozen=True, slots=True)
class LateReport:
    """The players who stand out, and how many would do so by chance."""

    players: tuple[LateBoards, ...]
    """The players, the strongest finding first."""
    compared: int
    expected: float


def late_boards(
    deals: Iterable[DealResult],
    boards: Mapping[DealId, BoardPlay],
    estimates: Mapping[Player, Estimate],
    least_z: float = LISTED,
    least_boards: int = LEAST_BOARDS,
) -> LateReport:
    """Find the players who do better on boards that another table finished before theirs began them.

    Results are measured against what the strengths at the table predict; on a board, the same seat's results
    at the other tables are also subtracted. `boards` says which of the deals were boards.
    """
    late: defaultdict[Player, list[float]] = defaultdict(list)
    others: defaultdict[Player, list[float]] = defaultdict(list)
    plays: defaultdict[tuple[int, int], list[tuple[DealResult, Mapping[Player, float]]]] = defaultdict(list)
    rated = [deal for deal in deals if deal.rated]
    for deal, surprise in zip(rated, surprises(rated, estimates), strict=True):
        if deal.id in boards:
            plays[boards[deal.id].board].append((deal, surprise))
            continue
        for player, value in surprise.items():
            others[player].append(value)
    for tables in plays.values():
        for deal, surprise in tables:
            elsewhere = [(other, values) for other, values in tables if other.id != deal.id]
            told = any(other.at <= boards[deal.id].started_at for other, _ in elsewhere)
            usual = _by_seat([values for _, values in elsewhere], len(surprise))
            for (player, value), mean in zip(surprise.items(), usual, strict=True):
                (late if told else others)[player].append(value - mean)
    looked_at = [
        player
        for player, values in late.items()
        if min(len(values), len(others[player])) >= max(2, least_boards)
    ]
    found: list[LateBoards] = []
    for player in looked_at:
        gain = fmean(late[player]) - fmean(others[player])
        if (z := welch(gain, late[player], others[player])) >= least_z:
            found.append(LateBoards(player, len(late[player]), len(others[player]), gain, z))
    found.sort(key=lambda one: (-one.z, one.player))
    return LateReport(tuple(found), len(looked_at), by_chance(len(looked_at), least_z))


def _by_seat(plays: Sequence[Mapping[Player, float]], seats: int) -> list[float]:
    """Return the mean at each seat; 0 everywhere if there are no plays."""
    if not plays:
        return [0.0] * seats
    return [fmean(column) for column in zip(*(values.values() for values in plays), strict=True)]
