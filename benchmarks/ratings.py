"""Compare our boards with plain means, openskill's defaults and Glicko-2, on players of known skill.

    python -m benchmarks.ratings [RUNS] [PLAYERS]

In each of RUNS (6) seasons PLAYERS (40) of known skill (0.25 standard deviations of a deal's luck apart) play
deals of four seats: at random tables, and with strong players among strong ones. After 25 to 400 deals a
player every method ranks them. The output is the mean rank correlation (Spearman) with the true skill, over
the same deals for all. Luck is not normal: one in ten results is three times as far out, and points are whole
numbers, so that ties happen.

Glicko-2 (Glickman, "Example of the Glicko-2 system", 2013) takes every table as the games of all its pairs;
tau is 0.5, and a rating period five deals, fifteen games, as its author advises.
"""

import random
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, permutations
from math import exp, log, pi, sqrt

from openskill.models import PlackettLuce

from league.results import DealResult
from league.statistics.estimates import strengths
from league.statistics.ratings import ranks, recompute

CHECKPOINTS = (25, 50, 100, 200, 400)
SEATS = 4
SKILL = 0.25
PAR = 20.0

RANDOM, STRONG, CHOSEN = MEETINGS = (
    "random tables",
    "strong players play strong ones",
    "some choose the weakest",
)

Skills = Sequence[float]
Values = dict[int, float]
Round = list[DealResult]


def seasons(skills: Skills, chance: random.Random, meeting: str) -> list[Round]:
    """Yield rounds of one deal each, with everybody at a table; `meeting` is one of `MEETINGS`."""
    rounds: list[Round] = []
    for number in range(CHECKPOINTS[-1]):
        order = list(range(len(skills)))
        chance.shuffle(order)
        if meeting == STRONG:
            order.sort(key=lambda player: skills[player] + chance.gauss(0, SKILL / 5))
        elif meeting == CHOSEN:
            order = chosen(order, skills, chance)
        tables = [order[first : first + SEATS] for first in range(0, len(order), SEATS)]
        rounds.append([deal(table, skills, (number, place), chance) for place, table in enumerate(tables)])
    return rounds


def chosen(order: Sequence[int], skills: Skills, chance: random.Random) -> list[int]:
    """Return the same players, with a tenth of them choosing the three weakest who are free.

    Every fourth player sometimes does.
    """
    choosing = [player for player in order if player % 4 == 0][: max(1, len(order) // 10)]
    others = [player for player in order if player not in choosing]
    others.sort(key=lambda player: skills[player] + chance.gauss(0, SKILL / 5))
    weak, rest = others[: 3 * len(choosing)], others[3 * len(choosing) :]
    chance.shuffle(weak)
    chance.shuffle(rest)
    tables = [[player, *weak[3 * place : 3 * place + 3]] for place, player in enumerate(choosing)]
    return [*(player for table in tables for player in table), *rest]


def deal(table: list[int], skills: Skills, name: tuple[int, int], chance: random.Random) -> DealResult:
    """Play one deal: skill plus heavy-tailed luck; the points add up to zero."""
    raw = [
        skills[player] + chance.gauss(0, 3 if chance.random() < 0.1 else 1) / sqrt(1.8) for player in table
    ]
    mean = statistics.fmean(raw)
    points = [round(PAR * (points - mean)) for points in raw]
    points[chance.randrange(SEATS)] -= sum(points)
    return DealResult(name, name[0], tuple(table), tuple(points), PAR)


def plain_means(deals: Sequence[DealResult]) -> Values:
    points: dict[int, list[int]] = {}
    for deal in deals:
        for player, won in zip(deal.people(), deal.points, strict=True):
            points.setdefault(player, []).append(won)
    return {player: statistics.fmean(won) for player, won in points.items()}


def adjusted(deals: Sequence[DealResult]) -> Values:
    return {player: estimate.value for player, estimate in strengths(deals).items()}


def rating(deals: Sequence[DealResult]) -> Values:
    now = deals[-1].at
    return {player: rating.order(now) for player, rating in recompute(deals).items()}


def openskill_defaults(deals: Sequence[DealResult]) -> Values:
    """Rank by Plackett-Luce with the package's defaults and its own ordinal."""
    model = PlackettLuce()
    known = {player: model.rating() for deal in deals for player in deal.people()}
    for deal in deals:
        people = deal.people()
        after = model.rate([[known[player]] for player in people], ranks=ranks(deal))
        known |= {player: found for player, [found] in zip(people, after, strict=True)}
    return {player: rating.ordinal() for player, rating in known.items()}


# Glicko-2 on the scale of its own paper: mu, phi, sigma

State = tuple[float, float, float]
_TAU = 0.5
_PERIOD = 5


def glicko2(deals: Sequence[DealResult]) -> Values:
    known: dict[int, State] = {
        player: (0.0, 350 / 173.7178, 0.06) for deal in deals for player in deal.people()
    }
    for _, period in groupby(deals, key=lambda deal: deal.at // _PERIOD):
        games: dict[int, list[tuple[State, float]]] = {}
        for deal in period:
            people = deal.people()
            for first, other in permutations(range(len(people)), 2):
                score = (
                    1 + (deal.points[first] > deal.points[other]) - (deal.points[first] < deal.points[other])
                ) / 2
                games.setdefault(people[first], []).append((known[people[other]], score))
        known |= {player: _period(known[player], played) for player, played in games.items()}
    return {player: mu for player, (mu, _, _) in known.items()}


def _period(state: State, games: Sequence[tuple[State, float]]) -> State:
    mu, phi, sigma = state
    weights = [1 / sqrt(1 + 3 * other[1] ** 2 / pi**2) for other, _ in games]
    expected = [
        1 / (1 + exp(-weight * (mu - other[0]))) for weight, (other, _) in zip(weights, games, strict=True)
    ]
    v = 1 / sum(weight**2 * chance * (1 - chance) for weight, chance in zip(weights, expected, strict=True))
    gain = sum(
        weight * (score - chance) for weight, chance, (_, score) in zip(weights, expected, games, strict=True)
    )
    sigma = _volatility(phi, sigma, v, v * gain)
    phi = 1 / sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    return mu + phi**2 * gain, phi, sigma


def _volatility(phi: float, sigma: float, v: float, delta: float) -> float:
    """Step 5 of the paper: the Illinois method."""

    def f(x: float) -> float:
        spread = phi**2 + v + exp(x)
        return exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - log(sigma**2)) / _TAU**2

    low = log(sigma**2)
    if delta**2 > phi**2 + v:
        high = log(delta**2 - phi**2 - v)
    else:
        high = low - _TAU
        while f(high) < 0:
            high -= _TAU
    f_low, f_high = f(low), f(high)
    while abs(high - low) > 1e-6:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)


METHODS: dict[str, Callable[[Sequence[DealResult]], Values]] = {
    "points adjusted for opponents (ours)": adjusted,
    "rating (ours)": rating,
    "plain means": plain_means,
    "openskill, defaults": openskill_defaults,
    "Glicko-2": glicko2,
}


def correlation(skills: Skills, found: Values) -> float:
    """Return Spearman's rank correlation with the true skill."""
    values = [found[player] for player in range(len(skills))]
    return statistics.correlation(_places(skills), _places(values))


def _places(values: Sequence[float]) -> list[float]:
    """Return the place of each value; equal values share the mean of their places."""
    return [
        sum(other < value for other in values) + (sum(other == value for other in values) - 1) / 2
        for value in values
    ]


def one_run(players: int, chance: random.Random, meeting: str) -> dict[str, list[float]]:
    skills = [chance.gauss(0, SKILL) for _ in range(players)]
    rounds = seasons(skills, chance, meeting)
    return {
        name: [
            correlation(skills, method([deal for played in rounds[:count] for deal in played]))
            for count in CHECKPOINTS
        ]
        for name, method in METHODS.items()
    }


def means(runs: Sequence[dict[str, list[float]]]) -> Iterator[tuple[str, list[float], list[float]]]:
    """Yield each method with its mean correlation at each checkpoint, and the standard errors."""
    for name in METHODS:
        results = [run[name] for run in runs]
        yield (
            name,
            [statistics.fmean(at) for at in zip(*results, strict=True)],
            [statistics.stdev(at) / sqrt(len(runs)) for at in zip(*results, strict=True)],
        )


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 6
    players = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    for meeting in (RANDOM, STRONG):
        runs = [one_run(players, random.Random(seed), meeting) for seed in range(count)]
        print(meeting, f"({count} runs)")
        print(f"{'deals a player':38}", *(f"{at:>11}" for at in CHECKPOINTS))
        for name, found, errors in means(runs):
            print(
                f"{name:38}",
                *(f"{value:.2f} ± {error:.2f}" for value, error in zip(found, errors, strict=True)),
            )
        print(flush=True)


if __name__ == "__main__":
    main()
