"""Measure how often two players tie in league points for the last place in the finals, or for first place.

    python -m benchmarks.ties [SEASONS]

SEASONS (40000) seasons have 16 players, 7 rounds of 12 deals at four seats, and 4 finalists; everybody plays
every round. Luck is normal with the spread of a deal by the rules of pagat.com, and players differ by a fifth
of it.
"""

import sys
from typing import Final

import numpy as np

from league.points import BONUS

PAR: Final = 19.3
PLAYERS, ROUNDS, SEATS, DEALS, FINALISTS = 16, 7, 4, 12, 4
CUT = 3
AT_ONCE = 1_000


def totals(chance: np.random.Generator, seasons: int) -> np.ndarray:
    """Return the league points of this many seasons in hundredths, each from the first to the last place."""
    skill = chance.normal(0, PAR / 5, (seasons, PLAYERS))
    total = np.zeros((seasons, PLAYERS))
    for _ in range(ROUNDS):
        drawn = chance.permuted(np.tile(np.arange(PLAYERS), (seasons, 1)), axis=1)
        strengths = np.take_along_axis(skill, drawn, 1).reshape(seasons, -1, SEATS, 1)
        raw = chance.normal(0, PAR, (*strengths.shape[:3], DEALS)) + strengths
        points = np.rint(raw - raw.mean(2, keepdims=True))
        points[:, :, 0] -= points.sum(2)  # points are whole numbers, and sum to 0
        gains = np.clip(points / PAR, -CUT, CUT)
        sums = (gains - gains.mean(2, keepdims=True)).sum(3)
        places = np.argsort(np.argsort(-sums, axis=2), axis=2)
        won = np.rint(1000 * sums / np.sqrt(DEALS)) + np.array(BONUS[SEATS])[places]
        found = np.zeros_like(total)
        np.put_along_axis(found, drawn, won.reshape(seasons, PLAYERS), 1)
        total += found
    return -np.sort(-total, axis=1)


def main() -> None:
    """Simulate the seasons and print the results."""
    seasons = int(sys.argv[1]) if len(sys.argv) > 1 else 40_000
    chance = np.random.default_rng(1)
    first = last = 0
    for _ in range(seasons // AT_ONCE):
        table = totals(chance, AT_ONCE)
        first += int((table[:, 0] == table[:, 1]).sum())
        last += int((table[:, FINALISTS - 1] == table[:, FINALISTS]).sum())
    print(f"{seasons} seasons: tied for the first place {first}, for the last place in the finals {last}")


if __name__ == "__main__":
    main()
