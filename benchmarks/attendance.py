"""Whether not playing pays: how often a player reaches the finals by playing on, and by each way of not playing instead.

    python -m benchmarks.attendance [SEASONS] [FINALISTS] [PLAYED]

SEASONS (2000) seasons of 16 players and 7 rounds, of whom FINALISTS (4) reach the finals. Skill and luck of a match are normal, with
the spreads of `league/standings.py`: 7 and 16.7 league points. After PLAYED (5) rounds the player at each place either plays the
others or plays none of them; everything else is the same. For comparison, the last column has absences that cost nothing,
as they did before.

What each way gives in a new season is what `league/book.py` books, as `tests/league/test_attendance.py` compares:

* away: does not check in;
* no-show: is drawn and does not come, whether or not they have proposed a time or agreed to one;
* leaves: sits down, and leaves the match to a computer. They are last, and their score is never above nought;
* ends deals: the whole table agrees to end its deals before anybody wins.
"""

import sys
from collections.abc import Callable, Mapping
from random import Random
from statistics import fmean
from typing import Final

from league.points import BONUS
from league.settings import default_settings

PLAYERS, ROUNDS, PLAYED, CUT = 16, 7, 5, 4
SKILL, LUCK, SCORE_LUCK = 7.0, 16.7, 10.0
PLACES = (1, 2, 3, 4, 5, 7, 11, 16)
RULES: Final = default_settings("pods")

Missed = Callable[[float, Random], float]
"""The result of a missed round, given the player's mean so far."""


def away(mean: float, _: Random) -> float:
    """Return the result of a player who did not check in, or whose table ended its deals."""
    return min(0.0, mean) + RULES.absence_points / 100


def no_show(mean: float, _: Random) -> float:
    """Return the result of a player who was drawn, but was not at the table in time."""
    return min(0.0, mean) + RULES.no_show_points / 100


def leaves(_: float, random: Random) -> float:
    """Return the points for last place plus a score of at most zero.

    The computer in the seat is as good as the others.
    """
    return BONUS[4][-1] / 100 + min(0.0, random.gauss(0, SCORE_LUCK))


def free(_: float, __: Random) -> float:
    """Return the result of an absence that costs nothing."""
    return 0.0


WAYS: Final[Mapping[str, Missed]] = {
    "away": away,
    "no-show": no_show,
    "leaves": leaves,
    "ends deals": away,
}


def season(random: Random) -> list[list[float]]:
    """Return the league points of every player in every round."""
    skills = [random.gauss(0, SKILL) for _ in range(PLAYERS)]
    mean = fmean(skills)
    return [[skill - mean + random.gauss(0, LUCK) for _ in range(ROUNDS)] for skill in skills]


def compared(
    points: list[list[float]], place: int, missed: Missed, cut: int = CUT, played: int = PLAYED
) -> tuple[bool, bool]:
    """Return whether a player reaches the finals by playing on, and by not playing.

    The player is the one at this place after `played` rounds.
    """
    so_far = [sum(lines[:played]) for lines in points]
    player = sorted(range(PLAYERS), key=lambda player: -so_far[player])[place - 1]
    others = sorted((sum(lines) for number, lines in enumerate(points) if number != player), reverse=True)
    random = Random(so_far[player])
    rest = sum(missed(so_far[player] / played, random) for _ in range(ROUNDS - played))
    return sum(points[player]) > others[cut - 1], so_far[player] + rest > others[cut - 1]


def main() -> None:
    """Print one line per place: playing on, each way of not playing, and absences that cost nothing."""
    seasons, cut, rounds = (
        int(sys.argv[place]) if len(sys.argv) > place else usual
        for place, usual in ((1, 2_000), (2, CUT), (3, PLAYED))
    )
    ways = {**WAYS, "if 0": free}
    print(f"{'place':>5} {'plays on':>11}", *(f"{way:>11}" for way in ways))
    for place in PLACES:
        random = Random(place)
        drawn = [season(random) for _ in range(seasons)]
        found = {
            way: [compared(points, place, missed, cut, rounds) for points in drawn]
            for way, missed in ways.items()
        }
        plays = fmean(played for played, _ in found["away"])
        shares = (fmean(reached for _, reached in results) for results in found.values())
        print(f"{place:>5} {plays:>11.1%}", *(f"{share:>11.1%}" for share in shares))


if __name__ == "__main__":
    main()
