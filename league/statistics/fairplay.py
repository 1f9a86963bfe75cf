"""Fair play: figures that may give staff a reason to ask. Each comes with how many would look like it by chance.

None of them is a verdict. Two people who play for one shared result show it in three ways: points move from
one to the other when they meet, one feeds the other discards, and they rarely play apart.

A player who hears about a board's cards does better on it than in deals that no one can know. Honest players may be listed too.

Two people who play at two tables at the same time sometimes press within a second of each other by chance.
One person who plays for both accounts cannot do that, and a program may do it always. At one table, a player
who knows what the player before them will do answers them faster than they answer others.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import copysign, exp, log, log1p, sqrt
from statistics import NormalDist, fmean, variance
from typing import Final

import numpy as np
from numpy.typing import NDArray

from league.ids import TableId
from league.results import DealId, DealResult, Player
from league.statistics.estimates import Estimate, surprises

LISTED: Final = 3.5
"""The lowest z for which a pair is listed."""
SHARED_DEALS: Final = 12
"""The fewest common deals to examine a pair: one match, because most pairs in a season of pods meet once."""
_NORMAL: Final = NormalDist()


def by_chance(comparisons: int, z: float) -> float:
    """Return the expected number of comparisons of honest players, out of this many, that reach z."""
    return comparisons * (1 - _NORMAL.cdf(z))


def _spread(values: Sequence[float]) -> tuple[float, float]:
    """Return the squared standard error of a mean, and its part of the denominator of the degrees of freedom."""
    error = variance(values) / len(values)
    return error, error**2 / (len(values) - 1)


def passing(
    given: Sequence[float],
    gained: Sequence[float],
    given_apart: Sequence[float],
    gained_apart: Sequence[float],
) -> float:
    """Return the z of how much more of one player's points go to another when they meet; 0 for too few values.

    `given` and `gained` are their results in common deals; the others are their results in deals without each
    other. Results within a deal depend on each other, so their difference is compared (`welch`).

    >>> round(passing([-1, -2, 0, -1], [1, 2, 1, 0], [0, 1, -1, 0], [1, -1, 0, 0]), 2)
    1.84
    """
    if min(map(len, (given, given_apart, gained_apart))) < 2:
        return 0.0
    between = [gain - loss for loss, gain in zip(given, gained, strict=True)]
    shift = fmean(between) - (fmean(gained_apart) - fmean(given_apart))
    return welch(shift, between, given_apart, gained_apart)


def welch(shift: float, *groups: Sequence[float]) -> float:
    """Return the z of a sum or difference of the means of these groups; 0 if none of them varies.

    Each group has at least two values. This is Welch's t, converted to z by Wallace's approximation (1959).
    """
    errors, parts = zip(*map(_spread, groups), strict=True)
    if not sum(errors):
        return 0.0
    return _normal(shift / sqrt(sum(errors)), sum(errors) ** 2 / sum(parts))


def student(values: Sequence[float], others: Sequence[float]) -> float:
    """Return the z of how much greater one mean is than another, for groups that vary alike; 0 if none varies.

    This is Student's t, which needs fewer values than Welch's. Each group has at least one value, and both
    together at least three.
    """
    freedom = len(values) + len(others) - 2
    squares = sum((value - fmean(group)) ** 2 for group in (values, others) for value in group)
    error = sqrt(squares / freedom * (1 / len(values) + 1 / len(others)))
    return _normal((fmean(values) - fmean(others)) / error, freedom) if error else 0.0


def _normal(t: float, freedom: float) -> float:
    """Return the z that is as likely as Student's t with these degrees of freedom.

    Source: D. L. Wallace, Ann. Math. Statist. 30 (1959).
    """
    size = (8 * freedom + 1) / (8 * freedom + 3) * sqrt(freedom * log1p(t**2 / freedom))
    return copysign(size, t)


def two_shares(hits: int, tries: int, other_hits: int, other_tries: int) -> float:
    """Return the z of the difference of two shares; 0 if there are too few tries."""
    if not tries or not other_tries:
        return 0.0
    pooled = (hits + other_hits) / (tries + other_tries)
    error = sqrt(pooled * (1 - pooled) * (1 / tries + 1 / other_tries))
    return (hits / tries - other_hits / other_tries) / error if error else 0.0


@dataclass(frozen=True, slots=True)
class Transfer:
    """Points that seem to move from one player to another when they meet."""

    giver: Player
    receiver: Player
    deals: int
    """The number of deals that they have in common."""
    z: float


@dataclass(frozen=True, slots=True)
class FairPlayReport:
    """The pairs that stand out, and how many would do so by chance."""

    transfers: tuple[Transfer, ...]
    """The transfers, the strongest first."""
    compared: int
    """The number of comparisons: two for each pair, because either may be the giver."""
    expected: float
    """The number of pairs that would be listed if everybody played honestly."""


def transfers(
    deals: Iterable[DealResult],
    estimates: Mapping[Player, Estimate],
    least_z: float = LISTED,
    least_deals: int = SHARED_DEALS,
) -> FairPlayReport:
    """Find the pairs in which one player loses and the other gains more than usual when they meet.

    Results are compared with those expected from the strengths (`league.statistics.estimates.strengths`) of
    the table.
    """
    values: defaultdict[Player, list[float]] = defaultdict(list)
    together: defaultdict[tuple[Player, Player], list[int]] = defaultdict(list)
    for surprise in surprises(deals, estimates):
        for pair in permutations(surprise, 2):
            together[pair].append(len(values[pair[0]]))
        for player, value in surprise.items():
            values[player].append(value)
    pairs = [pair for pair, places in together.items() if len(places) >= least_deals]
    parted = {pair: _with_and_without(values[pair[0]], together[pair]) for pair in pairs}
    found: list[Transfer] = []
    for giver, receiver in pairs:
        given, given_apart = parted[giver, receiver]
        gained, gained_apart = parted[receiver, giver]
        if (z := passing(given, gained, given_apart, gained_apart)) >= least_z:
            found.append(Transfer(giver, receiver, len(given), z))
    found.sort(key=lambda transfer: (-transfer.z, transfer.giver, transfer.receiver))
    return FairPlayReport(tuple(found), len(pairs), by_chance(len(pairs), least_z))


def _with_and_without(values: Sequence[float], places: Sequence[int]) -> tuple[list[float], list[float]]:
    inside = set(places)
    return (
        [values[place] for place in places],
        [value for place, value in enumerate(values) if place not in inside],
    )


@dataclass(frozen=True, slots=True)
class Throws:
    """How many of a player's discards each next player could take, and how many they took."""

    thrown: Counter[Player]
    taken: Counter[Player]

    @classmethod
    def nothing(cls) -> "Throws":
        """Return the counts before the first discard."""
        return cls(Counter(), Counter())


def feeding(throws: Throws, receiver: Player) -> float:
    """Return the z of how much more often the receiver takes the player's discards than other neighbours do."""
    thrown, taken = throws.thrown.total(), throws.taken.total()
    own_thrown, own_taken = throws.thrown[receiver], throws.taken[receiver]
    return two_shares(own_taken, own_thrown, taken - own_taken, thrown - own_thrown)


def dependence(matches: Iterable[Collection[Player]], player: Player, other: Player) -> float:
    """Return the share, from 0 to 1, of a player's matches in which the other sat at the table."""
    played = [players for players in matches if player in players]
    return sum(other in players for players in played) / len(played) if played else 0.0


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


TOGETHER_MS: Final = 1_000
"""The greatest distance of presses that count as simultaneous."""
LEAST_EXPECTED: Final = 5.0
"""The fewest simultaneous presses to expect by chance for which a pair is examined."""
LEAST_TABLES: Final = 4
"""The fewest tables at which one sat next after the other, and the fewest others, to examine a pair."""
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
class TimedAnswer:
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
    answers: Iterable[TimedAnswer], least_z: float = LISTED, least_tables: int = LEAST_TABLES
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
