"""Duplicate: the same boards are played at several tables, and every seat is compared with the same seat elsewhere.

Cards and personal stocks are the same at every table (`marriage.duplicate_board`), so the only luck left is
what the others do. A board's secret is that of an ordinary deal whose table is the set of boards. So there is
one commitment for all tables and one record to check. Nothing of a set is shown before the last table has
finished.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isqrt
from typing import Final, TypeVar

from league.points import MICRO, MatchRules, in_pars, nearest
from marriage.duplicate_board import BOARD_SEATS

LEAST_TABLES: Final = 3
"""The fewest tables that can play duplicate."""
_COMPARED: Final = 2
_A_PAR: Final = 1000
"""The duplicate points of a margin of one par, in hundredths."""

Table = TypeVar("Table")


@dataclass(frozen=True, slots=True)
class BoardScore:
    """The score of one seat on a board, compared with the same seat at the other tables."""

    points: int
    """Duplicate points, in hundredths: ten times the mean margin in pars."""
    beaten: float
    """The share of the other tables beaten, with a tie counting half: matchpoints, from 0 to 1."""


def fits(tables: Sequence[int]) -> bool:
    """Return whether tables of these sizes can play duplicate: enough tables, all of three or all of four seats."""
    return len(tables) >= LEAST_TABLES and len(set(tables)) == 1 and tables[0] in BOARD_SEATS


def board_dealer(number: int, seats: int) -> int:
    """Return the dealer's seat on a board, the same at every table. Over a match all seats deal equally often."""
    return (number - 1) % seats


def playing_order(table: int, tables: int, boards: int) -> tuple[int, ...]:
    """Return the order in which a table (the first is 1) plays the boards. Each table begins with a different board."""
    first = (table - 1) * (boards // tables) % boards
    return tuple((first + place) % boards + 1 for place in range(boards))


def compare(results: Mapping[Table, Sequence[int]], rules: MatchRules) -> dict[Table, tuple[BoardScore, ...]]:
    """The scores of one board, by table and seat, from the points of every table that finished it.

    A margin is cut like a deal. At each seat the scores add up to 0, except for rounding. Raises ValueError for fewer
    than two tables, or tables of different sizes.
    """
    if len(results) < _COMPARED or len({len(points) for points in results.values()}) > 1:
        raise ValueError("a board is compared between two tables or more, all of the same size")
    return {
        table: tuple(
            _score(points, [other[seat] for name, other in results.items() if name != table], rules)
            for seat, points in enumerate(points_by_seat)
        )
        for table, points_by_seat in results.items()
    }


def _score(points: int, others: Sequence[int], rules: MatchRules) -> BoardScore:
    total = sum(in_pars(points - other, rules) for other in others)
    return BoardScore(nearest(_A_PAR * total, MICRO * len(others)), beaten(points, others))


def beaten(points: int, others: Sequence[int]) -> float:
    """Return the share of the others that these points beat, with a tie counting half, from 0 to 1; `others` is not empty."""
    return sum((points > other) + (points >= other) for other in others) / (2 * len(others))


def gained(boards: Sequence[int]) -> int:
    """Return the sum of duplicate points as a gain, in millionths of par like the gains of ordinary deals."""
    return sum(boards) * MICRO // _A_PAR


def match_score(boards: Sequence[int]) -> int:
    """Return the score part of a match played on boards: the sum of its duplicate points over the root of their number.

    The unit is hundredths of league points, exact, with halves rounded away from 0. Raises ValueError without
    a board.
    """
    if not boards:
        raise ValueError("a match has one board or more")
    total = sum(boards)
    size = (isqrt(4 * total**2 // len(boards)) + 1) // 2
    return size if total > 0 else -size
