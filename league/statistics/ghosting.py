"""Ghosting: results on boards that another table had finished before, beside everything else that a player played.

Somebody who hears of a board's cards does better on it than in deals of which nobody can know. Honest players may be listed
too, so each finding goes with how many would be by chance, as in `league.statistics.fairplay`.
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
"""The fewest boards finished elsewhere before, and the fewest other deals, with which a player is looked at."""


@dataclass(frozen=True, slots=True)
class BoardPlay:
    """One play of a board."""

    board: tuple[int, int]
    """Its set, and its number in that."""
    started_at: int
    """When this table began it, in the unit of `DealResult.at`."""


@dataclass(frozen=True, slots=True)
class LateBoards:
    """Somebody who does better on boards that another table had finished before."""

    player: Player
    boards: int
    """How many such boards they played."""
    others: int
    """With how many other deals of theirs these were compared."""
    gain: float
    """How much more they made of these boards, in standard deviations of a deal's luck."""
    z: float


@dataclass(frozen=True, slots=True)
class LateReport:
    """The players who stand out, and how many would by chance."""

    players: tuple[LateBoards, ...]
    """The strongest first."""
    compared: int
    expected: float


def late_boards(
    deals: Iterable[DealResult],
    boards: Mapping[DealId, BoardPlay],
    estimates: Mapping[Player, Estimate],
    least_z: float = LISTED,
    least_boards: int = LEAST_BOARDS,
) -> LateReport:
    """The players whose results are better on boards that another table finished before theirs began them.

    Results are those beyond what the strengths at the table let expect, on a board less the same seat's at the other
    tables. `boards` tells which of the deals were boards.
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
    """The mean at each seat; 0 everywhere without a play."""
    if not plays:
        return [0.0] * seats
    return [fmean(column) for column in zip(*(values.values() for values in plays), strict=True)]
