"""How many repeated meetings a season may have, by players; shared with `benchmarks/pods.py`."""

from league.pairing.meetings import History
from league.pairing.pods import Entrant, chance, draw

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
"""By players: the repeats after 4, 6 and 8 rounds that annealing was seen to reach."""


def allowed(repeats: int) -> float:
    """What a build may need where annealing was seen to reach so many."""
    return 1.1 * repeats + 2 if repeats else 2


def drawn_season(players: int, seed: int, rounds: int = 8) -> list[tuple[tuple[int, ...], ...]]:
    """The pods of every round, everybody there each time."""
    history, found = History(), []
    for number in range(1, rounds + 1):
        pods = draw(
            [Entrant(player) for player in range(players)], history, chance(bytes([seed] * 32), "s", number)
        )
        found.append(pods)
        for pod in pods:
            history.add(pod)
    return found
