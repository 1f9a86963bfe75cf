"""How many repeated meetings a season may have, by players; shared with `benchmarks/pods.py`."""

from functools import partial

from league.pairing.pods import Entrant, History, chance, fewest_by_overlap, fewest_repeats
from league.pairing.schedule import draw_next

ROUNDS = (4, 6, 8)
GATES = {
    8: (24, 60, 120),
    9: (41, 99, 182),
    10: (13, 32, 63),
    11: (17, 40, 80),
    12: (18, 47, 96),
    13: (24, 63, 124),
    14: (6, 21, 55),
    16: (4, 24, 72),
    17: (18, 43, 94),
    18: (0, 12, 41),
    20: (1, 14, 53),
    22: (1, 5, 27),
    24: (0, 6, 31),
    28: (0, 1, 20),
    32: (0, 0, 7),
    40: (0, 0, 0),
    48: (0, 0, 0),
    100: (0, 0, 0),
    200: (0, 0, 0),
}
"""By players: the repeats after 4, 6 and 8 rounds that annealing has reached."""


USUAL = 7
"""The default number of rounds of a season."""
BEST = {
    9: 138,
    13: 86,
    17: 60,
    18: 16,
    19: 18,
    20: 20,
    21: 30,
    22: 7,
    23: 7,
    24: 8,
    25: 8,
    26: 0,
    27: 1,
    28: 0,
    29: 2,
    33: 0,
}
"""By players: the fewest known repeats of a season of the usual length, if the bounds are not reached.

They were found by annealing for minutes, with 40,000,000 swaps a run instead of 400,000.
"""


def fewest(players: int, rounds: int) -> int:
    """Return a lower bound on the repeats of a season of so many rounds."""
    return max(fewest_repeats(players, rounds), fewest_by_overlap(players, rounds))


def allowed(repeats: int) -> float:
    """Return how many repeats are allowed, given how many annealing has reached."""
    return 1.1 * repeats + 2 if repeats else 2


def drawn_season(players: int, seed: int, rounds: int = 8) -> list[tuple[tuple[int, ...], ...]]:
    """Return the pods of every round if everyone is there each time."""
    history, found = History(), []
    entrants = [Entrant(player) for player in range(players)]
    for number in range(1, rounds + 1):
        left = rounds - number + 1
        pods = draw_next(entrants, history, number, left, partial(chance, bytes([seed] * 32), "s"))
        found.append(pods)
        for pod in pods:
            history.add(pod)
    return found
