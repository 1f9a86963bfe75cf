"""The computer players by name, the weakest first."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

from marriage.strategy.beginner import BeginnerPlayer
from marriage.strategy.expert import ExpertPlayer
from marriage.strategy.master import MasterPlayer
from marriage.strategy.players import GreedyPlayer, Player, RandomPlayer
from marriage.strategy.tempers import Temper, tempered

Factory = Callable[[Random], Player]
"""Make a player for one seat of one deal. Only players that choose at random use the random numbers."""


AT_TABLES: Final[dict[str, BeginnerPlayer | GreedyPlayer | MasterPlayer]] = {
    "novice": BeginnerPlayer(near=1, keeps_wilds=False),
    "beginner": BeginnerPlayer(),
    "casual": GreedyPlayer(count_outs=False, uses_pile=False),
    "greedy": GreedyPlayer(count_outs=False),
    "greedy+outs": GreedyPlayer(),
    "master": MasterPlayer(),
}
"""The players of the levels, one a rung above the other."""
TEMPERED: Final[dict[str, Player]] = {
    f"{name}/{temper}": tempered(player, temper)
    for name, player in AT_TABLES.items()
    for temper in Temper
    if not isinstance(player, BeginnerPlayer)
}
"""The same players with a temper, such as `greedy/bold`.

Beginners have none, because they do not evaluate their moves.
"""

EXPERTS: Final[dict[str, ExpertPlayer]] = {
    "expert": ExpertPlayer(),
    **{f"expert/{temper}": tempered(ExpertPlayer(), temper) for temper in Temper},
}
"""The player that sits at tables for the master. It is the master where its nets were not judged."""


def seated(name: str) -> str:
    """The name of the player that sits at a table for a name of `AT_TABLES`: for the master it is the expert."""
    return "expert" if name == "master" else name


def at_table(name: str, temper: Temper | None = None) -> Player:
    """Return the player that sits at a table for a name of `AT_TABLES`, with a temper if it has one."""
    players: dict[str, Player] = {**AT_TABLES, **TEMPERED, **EXPERTS}
    return players[seated(name) if temper is None else f"{seated(name)}/{temper}"]


def _always(player: Player, _: Random) -> Player:
    return player


LADDER: Final[dict[str, Factory]] = {
    "random": RandomPlayer,
    **{name: partial(_always, player) for name, player in (AT_TABLES | TEMPERED | EXPERTS).items()},
}
FROZEN: Final = ("random", *AT_TABLES)
"""Players that never change, so that figures of different versions can be compared. A test fixes their moves."""


def require_players(names: tuple[str, ...]) -> None:
    """Raise ValueError, with a sentence that lists the players, if there is no player of one of these names."""
    for name in names:
        if name not in LADDER:
            raise ValueError(f"there is no player {name[:40]!r}; there are {', '.join(LADDER)}")
