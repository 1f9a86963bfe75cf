"""Timing: accounts whose presses depend on each other in a way that those of two people do not.

Two people who play at two tables at the same time sometimes press within a second of each other by chance.
One person who plays for both accounts cannot do that, and a program may do it always. At one table, a player
who knows what the player before them will do answers them faster than they answer others. Each figure comes
with what chance would bring, as in `league.statistics.fairplay`.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from league.ids import TableId
from league.results import Player
from league.statistics.fairplay import LISTED, by_chance, student

TOGETHER_MS: Final = 1_000
"""The greatest distance of presses that count as simultaneous."""
LEAST_EXPECTED: Final = 5.0
"""The fewest simultaneous presses to expect by chance for which a pair is examined."""
LEAST_TABLES: Final = 4
"""The fewest tables at which one sat next after the other, and the fewest others, for which a pair is examined."""
LEAST_ANSWERS: Final = 10
"""The fewest answers to a player for which a table counts."""

_LAGS: Final = 60
"""The greatest shift, in widths of the window."""
_APART: Final = 5
"""The smallest shift: a smaller one may still depend on a simultaneous press."""

Times = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Coincidence:
    """Two accounts whose presses at two tables coincide more often, or less often, than by chance."""

    players: tuple[Player, Player]
    found: int
    """The number of simultaneous presses."""
    expected: float
    """The number after shifting the presses of one account by ten seconds to two minutes."""
    z: float
    """The z: above 0 for too many, below 0 for too few."""


@dataclass(frozen=True, slots=True)
class Coincidences:
    """The pairs that stand out, and how many would do so by chance."""

    pairs: tuple[Coincidence, ...]
    """The pairs, the strongest finding first."""
    compared: int
    """The number of comparisons: two for each pair, for too many and for too few."""
    expected: float


def coincidences(
    presses: Mapping[tuple[Player, TableId], Sequence[int]], least_z: float = LISTED
) -> Coincidences:
    """Find the pairs whose presses at two tables at the same time depend on each other.

    `presses` are the times of each player's moves at each table, in milliseconds. The simultaneous presses
    are compared with those after shifting one record. Such a cross-correlogram is not misled by people's
    changing pace.
    """
    times = {key: np.sort(np.array(values, dtype=np.int64)) for key, values in presses.items() if values}
    order = sorted(times, key=lambda key: (times[key][0], key))
    counts: defaultdict[tuple[Player, Player], NDArray[np.int64]] = defaultdict(
        lambda: np.zeros(2 * _LAGS + 1, dtype=np.int64)
    )
    playing: list[tuple[Player, TableId]] = []
    for key in order:
        playing = [other for other in playing if times[other][-1] >= times[key][0]]
        for other in playing:
            if other[0] != key[0] and other[1] != key[1]:
                one, two = sorted((key, other))
                counts[one[0], two[0]] += _correlogram(times[one], times[two])
        playing.append(key)
    found: list[Coincidence] = []
    compared = 0
    for pair, by_lag in counts.items():
        shifted = np.concatenate([by_lag[: _LAGS - _APART + 1], by_lag[_LAGS + _APART :]])
        expected, spread = float(shifted.mean()), float(shifted.var(ddof=1))
        if expected < LEAST_EXPECTED:
            continue
        compared += 2
        together = int(by_lag[_LAGS])
        z = counted(together, expected, max(1.0, spread / expected))
        if abs(z) >= least_z:
            found.append(Coincidence(pair, together, expected, z))
    found.sort(key=lambda one: (-abs(one.z), one.players))
    return Coincidences(tuple(found), compared, by_chance(compared, least_z))


def _correlogram(one: Times, two: Times) -> NDArray[np.int64]:
    """Return how many pairs of presses lie each number of windows apart, from `-_LAGS` to `_LAGS`; 0 is simultaneous."""
    widest = (2 * _LAGS + 1) * TOGETHER_MS
    first, after = np.searchsorted(two, one - widest), np.searchsorted(two, one + widest)
    near = after - first
    others: Times = np.arange(int(near.sum())) + np.repeat(first - np.cumsum(near) + near, near)
    lags = np.rint((two[others] - np.repeat(one, near)) / (2 * TOGETHER_MS)).astype(np.int64)
    return np.bincount(lags[np.abs(lags) <= _LAGS] + _LAGS, minlength=2 * _LAGS + 1)


def counted(found: int, expected: float, spread: float = 1.0) -> float:
    """Return the z of a count when another was expected.

    `spread` is the ratio of the variance of such counts to their mean, which is 1 for Poisson's distribution.
    The tail of Poisson's distribution is computed from the gamma distribution: E. B. Wilson and M. M.
    Hilferty, Proc. Nat. Acad. Sci. 17 (1931).

    >>> round(counted(0, 8.0), 2)
    -3.33
    """
    count, mean = found / spread, expected / spread
    shape = count if found > expected else count + 1
    z = 3 * sqrt(shape) * (1 - 1 / (9 * shape) - (mean / shape) ** (1 / 3))
    return z if (z > 0) == (found > expected) else 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """How soon a player made their first press after the player before them discarded."""

    table: TableId
    player: Player
    before: Player
    """The player who discarded."""
    ms: int


@dataclass(frozen=True, slots=True)
class Quick:
    """A player who answers one player faster than they answer others."""

    player: Player
    before: Player
    tables: int
    """The number of tables at which they sat next after them."""
    others: int
    """The number of tables at which they sat next after another player."""
    share: float
    """Their usual time after this player as a share of that after others, both relative to the pace of the table."""
    z: float


@dataclass(frozen=True, slots=True)
class QuickReport:
    """The pairs that stand out, and how many would do so by chance."""

    pairs: tuple[Quick, ...]
    """The pairs, the strongest finding first."""
    compared: int
    expected: float


def quick_answers(
    answers: Iterable[Answer], least_z: float = LISTED, least_tables: int = LEAST_TABLES
) -> QuickReport:
    """Find the players who answer one player faster than the rest.

    Each table counts once, because a player's times at one table depend on each other. The value of a table
    is the mean logarithm of their times, minus that of the others there except the player before them. The
    test is Student's t, because an honest player's values vary alike.
    """
    times: defaultdict[TableId, defaultdict[tuple[Player, Player], list[float]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for answer in answers:
        times[answer.table][answer.player, answer.before].append(log(max(1, answer.ms)))
    paces: defaultdict[Player, list[tuple[Player, float]]] = defaultdict(list)
    for pairs in times.values():
        means = {pair: fmean(values) for pair, values in pairs.items() if len(values) >= LEAST_ANSWERS}
        for (player, before), mean in means.items():
            if rest := [other for (who, _), other in means.items() if who not in {player, before}]:
                paces[player].append((before, mean - fmean(rest)))
    found: list[Quick] = []
    compared = 0
    for player, values in paces.items():
        for before in sorted({before for before, _ in values}):
            own = [value for other, value in values if other == before]
            others = [value for other, value in values if other != before]
            if min(len(own), len(others)) < max(2, least_tables):
                continue
            compared += 1
            shift = fmean(own) - fmean(others)
            if (z := student(others, own)) >= least_z:
                found.append(Quick(player, before, len(own), len(others), exp(shift), z))
    found.sort(key=lambda one: (-one.z, one.player, one.before))
    return QuickReport(tuple(found), compared, by_chance(compared, least_z))
