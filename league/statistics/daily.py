"""The deal of the day: everybody plays the same seat of the same deal, so the points can be compared directly."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import fmean
from typing import Final

from league.results import Player
from league.statistics.duplicate import beaten

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
    """The board of one day, the best first; players who did not finish come last, without a place."""
    done = sorted(
        (attempt for attempt in attempts if attempt.finished),
        key=lambda attempt: (-attempt.net, attempt.name, attempt.player),
    )
    shares = _shares(done)
    ranked = [
        DayLine(1 + sum(other.net > attempt.net for other in done), attempt, shares.get(attempt.player))
        for attempt in done
    ]
    return (*ranked, *(DayLine(None, attempt, None) for attempt in attempts if not attempt.finished))


def month_list(attempts: Iterable[Attempt]) -> tuple[MonthLine, ...]:
    """Return the list of a month, ordered by the mean share of the others beaten.

    Players with fewer days than `LEAST_DAYS` come last. Days on which no other player finished do not count.
    """
    days: defaultdict[date, list[Attempt]] = defaultdict(list)
    for attempt in attempts:
        if attempt.finished:
            days[attempt.day].append(attempt)
    shares_of: defaultdict[Player, list[tuple[float, Attempt]]] = defaultdict(list)
    for done in days.values():
        for player, share in _shares(done).items():
            shares_of[player].append((share, next(attempt for attempt in done if attempt.player == player)))
    lines = [_month_line(player, found) for player, found in shares_of.items()]
    ranked = sorted((line for line in lines if line.days >= LEAST_DAYS), key=_best_first)
    others = sorted((line for line in lines if line.days < LEAST_DAYS), key=_best_first)
    return (*(_placed(line, ranked) for line in ranked), *others)


def _shares(done: Sequence[Attempt]) -> dict[Player, float]:
    if len(done) < 2:
        return {}
    nets = {attempt.player: attempt.net for attempt in done}
    return {
        player: beaten(net, [other for name, other in nets.items() if name != player])
        for player, net in nets.items()
    }


def _month_line(player: Player, found: Sequence[tuple[float, Attempt]]) -> MonthLine:
    return MonthLine(
        place=None,
        player=player,
        name=found[-1][1].name,
        days=len(found),
        beaten=fmean(share for share, _ in found),
        mean=fmean(attempt.net for _, attempt in found),
    )


def _best_first(line: MonthLine) -> tuple[float, float, int]:
    return -line.beaten, -line.mean, line.player


def _placed(line: MonthLine, ranked: Sequence[MonthLine]) -> MonthLine:
    better = sum(_best_first(other)[:2] < _best_first(line)[:2] for other in ranked)
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
