"""Measure how often the true value is within one ± of ratings and adjusted points.

    python -m benchmarks.calibration [RUNS] [PLAYERS]

It uses the seasons of `benchmarks/ratings.py` with players of known skill: RUNS (12) of PLAYERS (40) each, at
random tables, with strong players among strong ones, and with some players who choose the weakest. The output
is the share of players whose true value is within one standard error of the estimate; the correct share is 68
%. The true rating is the value at which a rating settles, where the model gives every pair its true chances.
It follows from the density at 0 of the difference of two players' luck.
"""

import random
import statistics
import sys
from collections.abc import Callable, Sequence
from math import pi, sqrt

from benchmarks.ratings import MEETINGS, SKILL, Skills, seasons
from league.results import DealResult
from league.statistics.estimates import strengths
from league.statistics.ratings import MU, recompute

CHECKPOINTS = (10, 25, 50, 100, 200, 400)
LUCK = ((0.81, 2 / 1.8), (0.18, 10 / 1.8), (0.01, 18 / 1.8))
"""The difference of two players' luck: weights of normal distributions, and their variances."""
SETTLED = 4 * sqrt(2) * 4 * 25 / 6 * sum(share / sqrt(2 * pi * variance) for share, variance in LUCK)
"""One standard deviation of a deal's luck in a settled rating, on the scale of mu."""


def rating_errors(deals: Sequence[DealResult], skills: Skills) -> list[float]:
    """Return how far each player's rating is from the true one, in standard errors."""
    now, known = deals[-1].at, recompute(deals)
    mean = statistics.fmean(skills)
    return [
        abs(known[player].mu - MU - SETTLED * (skill - mean)) / known[player].error(now)
        for player, skill in enumerate(skills)
    ]


def adjusted_errors(deals: Sequence[DealResult], skills: Skills) -> list[float]:
    """Return the same for the points adjusted for opponents."""
    known, mean = strengths(deals), statistics.fmean(skills)
    return [
        abs(known[player].value - (skill - mean)) / known[player].error for player, skill in enumerate(skills)
    ]


FIGURES: dict[str, Callable[[Sequence[DealResult], Skills], list[float]]] = {
    "rating": rating_errors,
    "points adjusted for opponents": adjusted_errors,
}


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    players = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    for meeting in MEETINGS:
        found: dict[tuple[str, int], list[float]] = {}
        for seed in range(runs):
            chance = random.Random(1_000 + seed)
            skills = [chance.gauss(0, SKILL) for _ in range(players)]
            rounds = seasons(skills, chance, meeting)
            for count in CHECKPOINTS:
                deals = [deal for played in rounds[:count] for deal in played]
                for name, errors in FIGURES.items():
                    found.setdefault((name, count), []).extend(errors(deals, skills))
        print(meeting, f"({runs} runs)")
        print(f"{'deals a player':32}", *(f"{count:>6}" for count in CHECKPOINTS))
        for name in FIGURES:
            shares = (statistics.fmean(error <= 1 for error in found[name, at]) for at in CHECKPOINTS)
            print(f"{name:32}", *(f"{share:>6.0%}" for share in shares))
        print(flush=True)


if __name__ == "__main__":
    main()
