"""The points of a ladder: a player's expected result in a match against average opponents, estimated from all matches.

Players of a ladder choose whom they meet and how often, so a sum of points would reward volume against weak
players. A seat's league points are modelled as its player's strength, minus the mean strength of the table,
plus luck, and all strengths are estimated together. Each is shrunk towards 0, as if the player had also
played some matches without gain or loss, so one lucky match does not make a leader.

Repeated matches among the same people count less and less, because each adds less information.

The computation uses only sums, products and quotients in a fixed order, so that all machines agree.
"""

from collections.abc import Iterable, Mapping
from itertools import combinations
from math import sqrt
from typing import Final

from league.points import nearest
from league.results import Player

HELD_BACK: Final = 5.0
"""The number of matches at 0 by which a strength is shrunk.

It is the squared luck of a match divided by the spread of strengths, 16.7 / 7.
"""
_SWEEPS: Final = 200
_NEAR: Final = 1e-9
_FINE: Final = 1_000_000
"""The parts of a hundredth to which strengths are exact.

An exact half of a hundredth, frequent after one round, is rounded away from 0.
"""


def ladder_points(matches: Iterable[Mapping[Player, int]]) -> dict[Player, int]:
    """Return each player's expected points in a match against average opponents.

    `matches` are the league points of each match, in the order of play.
    """
    met: dict[tuple[Player, Player], int] = {}
    weighed: list[tuple[float, list[tuple[Player, int]]]] = []
    for match in matches:
        seats = sorted(match.items())
        pairs = list(combinations([player for player, _ in seats], 2))
        before = sum(met.get(pair, 0) for pair in pairs) / len(pairs)
        weighed.append((1 / sqrt(1 + before), seats))
        for pair in pairs:
            met[pair] = met.get(pair, 0) + 1
    return {
        player: nearest(round(_FINE * strength), _FINE) for player, strength in _strengths(weighed).items()
    }


def _strengths(matches: list[tuple[float, list[tuple[Player, int]]]]) -> dict[Player, float]:
    """Solve the equations of a ridge regression by the Gauss-Seidel method, with as many sweeps as it takes."""
    own: dict[Player, float] = {}
    pull: dict[Player, float] = {}
    shared: dict[Player, dict[Player, float]] = {}
    for weight, seats in matches:
        part = weight / len(seats)
        for player, points in seats:
            own[player] = own.get(player, HELD_BACK) + weight - part
            pull[player] = pull.get(player, 0.0) + weight * points
            others = shared.setdefault(player, {})
            for other, _ in seats:
                if other != player:
                    others[other] = others.get(other, 0.0) + part
    found = dict.fromkeys(sorted(own), 0.0)
    for _ in range(_SWEEPS):
        most = 0.0
        for player, before in found.items():
            others = sum(part * found[other] for other, part in shared[player].items())
            found[player] = (pull[player] + others) / own[player]
            most = max(most, abs(found[player] - before))
        if most < _NEAR:
            break
    return found
