"""The computer players by name, the weakest first.

The players in `FROZEN` never change, so that figures of different versions can be compared. A test holds their moves.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from marriage.strategy.beginner import BeginnerPlayer
from marriage.strategy.master import MasterPlayer
from marriage.strategy.players import GreedyPlayer, Player, RandomPlayer

Factory = Callable[[Random], Player]
"""Makes a player for one seat of one deal; only a player who plays by chance uses the random numbers."""

FROZEN: Final[dict[str, Factory]] = {
    "random": RandomPlayer,
    "novice": lambda _: BeginnerPlayer(near=1, keeps_wilds=False),
    "beginner": lambda _: BeginnerPlayer(),
    "casual": lambda _: GreedyPlayer(count_outs=False, uses_pile=False),
    "greedy": lambda _: GreedyPlayer(count_outs=False),
    "greedy+outs": lambda _: GreedyPlayer(),
}
LADDER: Final[dict[str, Factory]] = {**FROZEN, "master": lambda _: MasterPlayer()}


def require_players(names: tuple[str, ...]) -> None:
    """Raise ValueError, with a sentence that lists the players, if there is no player of one of these names."""
    for name in names:
        if name not in LADDER:
            raise ValueError(f"there is no player {name[:40]!r}; there are {', '.join(LADDER)}")
