"""Whether missing rounds pays: how often a player reaches the finals by playing on, and by staying away instead.

    python -m benchmarks.attendance [SEASONS] [FINALISTS] [PLAYED]

SEASONS (2000) seasons of 16 players and 7 rounds, of whom FINALISTS (4) reach the finals. Skill and luck of a match are normal, with
the spreads of `league/luck.py`: 7 and 16.7 league points. After PLAYED (5) rounds the player at each place either plays the
others or misses them all; everything else is the same. Printed for the rule of new seasons, and for absences that cost
nothing, as they did before.
"""

import sys
from collections.abc import Callable
from random import Random
from statistics import fmean

from league.settings import default_settings

PLAYERS, ROUNDS, PLAYED, CUT = 16, 7, 5, 4
SKILL, LUCK = 7.0, 16.7
PLACES = (1, 2, 3, 4, 5, 7, 11, 16)

Missed = Callable[[float], float]
"""What a missed round gives, from the player's mean."""


def now(mean: float) -> float:
    """By the rule of new seasons."""
    return min(0.0, mean) + default_settings("pods").absence_points / 100


def free(_: float) -> float:
    """Absences that cost nothing."""
    return 0.0


def season(random: Random) -> list[list[float]]:
    """The league points of every player in every round."""
    skills = [random.gauss(0, SKILL) for _ in range(PLAYERS)]
    mean = fmean(skills)
    return [[skill - mean + random.gauss(0, LUCK) for _ in range(ROUNDS)] for skill in skills]


def compared(
    points: list[list[float]], place: int, missed: Missed, cut: int = CUT, played: int = PLAYED
) -> tuple[bool, bool]:
    """Whether the player at this place after so many rounds is one of the finalists by playing on, and by missing the rest."""
    so_far = [sum(lines[:played]) for lines in points]
    player = sorted(range(PLAYERS), key=lambda player: -so_far[player])[place - 1]
    others = sorted((sum(lines) for number, lines in enumerate(points) if number != player), reverse=True)
    away = so_far[player] + (ROUNDS - played) * missed(so_far[player] / played)
    return sum(points[player]) > others[cut - 1], away > others[cut - 1]


def main() -> None:
    """Print a line for each place: playing on, missing by the rule, missing where it costs nothing."""
    seasons, cut, rounds = (
        int(sys.argv[place]) if len(sys.argv) > place else usual
        for place, usual in ((1, 2_000), (2, CUT), (3, PLAYED))
    )
    print(f"{'place':>5} {'plays on':>9} {'misses':>9} {'costs nothing':>14}")
    for place in PLACES:
        random = Random(place)
        drawn = [season(random) for _ in range(seasons)]
        ruled = [compared(points, place, now, cut, rounds) for points in drawn]
        nothing = [compared(points, place, free, cut, rounds) for points in drawn]
        plays, misses = fmean(played for played, _ in ruled), fmean(away for _, away in ruled)
        print(f"{place:>5} {plays:>9.1%} {misses:>9.1%} {fmean(away for _, away in nothing):>14.1%}")


if __name__ == "__main__":
    main()
