"""Duplicate: the same boards are played at several tables, and every seat is compared with the same seat elsewhere.

Cards and personal stocks are the same at every table (`marriage.duplicate_board`), so the only luck left is
what the others do. A board's secret is that of an ordinary deal whose table is the set of boards. So there is
one commitment for all tables and one record to check. Nothing of a set is shown before the last table has
finished.

In the deal of the day, everybody plays the same seat of the same deal.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import isqrt
from statistics import fmean
from typing import Final, TypeVar

from league.points import MICRO, MatchRules, in_pars, nearest
from league.results import Player
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
    """Return the scores of one board, by table and seat, from the points of every table that finished it.

    A margin is cut like a deal. At each seat the scores add up to 0, except for rounding. Raises ValueError
    for fewer than two tables, or tables of different sizes.
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


LEAST_DAYS: Final = 10
"""The number of days that a player needs for a place in the monthly list."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A player's attempt at the deal of a day."""

    day: date
    player: Player
    name: str
    net: int
    """The points that the seat won or paid."""
    finished: bool
    """Whether the player finished the deal. If not, a computer did."""
    deal: int
    """The id of the deal. Two deals have one date if a server's time zone or the clock was changed."""


@dataclass(frozen=True, slots=True)
class DayLine:
    """One line of a day's board."""

    place: int | None
    """The place, 1 for the best, shared by equals. None if a computer finished the deal."""
    attempt: Attempt
    beaten: float | None
    """The share of the others beaten, with a tie counting half; None if there were no others."""


@dataclass(frozen=True, slots=True)
class MonthLine:
    """One line of a monthly list."""

    place: int | None
    """The place; None for players with too few days."""
    player: Player
    name: str
    days: int
    beaten: float
    """The mean share of the others beaten."""
    mean: float
    """The mean points per deal."""


def day_board(attempts: Sequence[Attempt]) -> tuple[DayLine, ...]:
    """Return the board of one day, the best first; players who did not finish come last, without a place."""
    done = sorted(
        (attempt for attempt in attempts if attempt.finished),
        key=lambda attempt: (-attempt.net, attempt.name, attempt.player),
    )
    shares, losses = _shares(done), [-attempt.net for attempt in done]
    ranked = [
        DayLine(1 + bisect_left(losses, -attempt.net), attempt, shares.get(attempt.player))
        for attempt in done
    ]
    return (*ranked, *(DayLine(None, attempt, None) for attempt in attempts if not attempt.finished))


def month_list(attempts: Iterable[Attempt]) -> tuple[MonthLine, ...]:
    """Return the list of a month, ordered by the mean share of the others beaten.

    Players with fewer days than `LEAST_DAYS` come last. Deals that no other player finished do not count.
    """
    deals: defaultdict[int, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        if attempt.finished:
            deals[attempt.deal].append(attempt)
    shares_of: defaultdict[Player, list[tuple[float, Attempt]]] = defaultdict(list)
    for done in deals.values():
        attempt_of = {attempt.player: attempt for attempt in done}
        for player, share in _shares(done).items():
            shares_of[player].append((share, attempt_of[player]))
    lines = [_month_line(player, found) for player, found in shares_of.items()]
    ranked = sorted((line for line in lines if line.days >= LEAST_DAYS), key=_best_first)
    others = sorted((line for line in lines if line.days < LEAST_DAYS), key=_best_first)
    scores = [_best_first(line)[:2] for line in ranked]
    return (*(_placed(line, scores) for line in ranked), *others)


def _shares(done: Sequence[Attempt]) -> dict[Player, float]:
    """Return the share of the others that each player has beaten, as `beaten` does, but for many players."""
    if len(done) < 2:
        return {}
    nets = sorted(attempt.net for attempt in done)
    return {
        attempt.player: (bisect_left(nets, attempt.net) + bisect_right(nets, attempt.net) - 1)
        / (2 * (len(nets) - 1))
        for attempt in done
    }


def _month_line(player: Player, found: Sequence[tuple[float, Attempt]]) -> MonthLine:
    return MonthLine(
        place=None,
        player=player,
        name=found[-1][1].name,
        days=len({attempt.day for _, attempt in found}),
        beaten=fmean(share for share, _ in found),
        mean=fmean(attempt.net for _, attempt in found),
    )


def _best_first(line: MonthLine) -> tuple[float, float, int]:
    return -line.beaten, -line.mean, line.player


def _placed(line: MonthLine, scores: Sequence[tuple[float, float]]) -> MonthLine:
    better = bisect_left(scores, _best_first(line)[:2])
    return MonthLine(1 + better, line.player, line.name, line.days, line.beaten, line.mean)


def current_streak(days: Collection[date], today: date) -> int:
    """Return the number of consecutive days up to today, or up to yesterday, because today is not over.

    >>> current_streak({date(2026, 11, 18), date(2026, 11, 19)}, date(2026, 11, 20))
    2
    >>> current_streak({date(2026, 11, 18)}, date(2026, 11, 20))
    0
    """
    last = max(days, default=date.min)
    return streak(days, last) if last >= today - timedelta(days=1) else 0


def streak(days: Collection[date], last: date) -> int:
    """Return the number of consecutive days that end with `last`.

    >>> streak({date(2026, 11, 19), date(2026, 11, 20), date(2026, 11, 17)}, date(2026, 11, 20))
    2
    """
    length = 0
    while last - timedelta(days=length) in days:
        length += 1
    return length
