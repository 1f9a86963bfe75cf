"""The computer players by name, the weakest first, and their ratings.

The ratings of the players at tables. `benchmarks/ladder.py` measures them and writes `ratings.json`.

The method is Massey's ("Statistical Models Applied to the Rating of Sports Teams", 1997): a least-squares fit
of rating differences to the point differences at the same table. Each player is measured against the one a
rung below, so a rating is a sum of rungs. The scale is chosen to read like that of people's ratings.
"""

from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files
from math import sqrt
from random import Random
from typing import Annotated, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from marriage.strategy.expert import ExpertPlayer
from marriage.strategy.master import MasterPlayer
from marriage.strategy.players import BeginnerPlayer, GreedyPlayer, Player, RandomPlayer
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
"""The players of the levels, the weakest first."""
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


_POINT: Final = 40
"""How much a rating rises for each point a deal more than the others at the same table."""
_BASE: Final = 1500
"""The rating of the reference player (`MeasuredLadder.usual`)."""


class Rung(BaseModel):
    """The measured lead of one player over the player one rung below."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    player: str
    below: str
    deals: Annotated[int, Field(ge=2)]
    """The number of deals. Each is played from every seat, against players of the rung below."""
    gap: float
    """The player's lead over the others in points a deal."""
    error: Annotated[float, Field(gt=0)]
    """One standard error of the gap, computed over deals."""


class MeasuredLadder(BaseModel):
    """The measured ladder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int
    preset: str
    seats: int
    usual: str
    """The reference player, whose rating fixes the scale."""
    rungs: tuple[Rung, ...]
    """The rungs, the weakest first. Each player is compared with the one before."""


class LadderRating(NamedTuple):
    """A rating, and one standard error of its difference from the reference player's rating."""

    value: int
    error: int


@cache
def ladder() -> MeasuredLadder:
    """Return the ladder that is packaged with the engine."""
    return MeasuredLadder.model_validate_json(files("marriage.arena").joinpath("ratings.json").read_bytes())


def rated(measured: MeasuredLadder) -> dict[str, LadderRating]:
    """Return the rating of each player on a ladder."""
    rungs = measured.rungs
    players = (rungs[0].below, *(rung.player for rung in rungs))
    usual = players.index(measured.usual)
    found: dict[str, LadderRating] = {}
    for place, player in enumerate(players):
        between = rungs[min(place, usual) : max(place, usual)]
        gap = sum(rung.gap for rung in between) * (1 if place > usual else -1)
        error = sqrt(sum(rung.error**2 for rung in between))
        found[player] = LadderRating(_BASE + round(_POINT * gap), round(_POINT * error))
    return found


@cache
def ratings() -> dict[str, LadderRating]:
    """Return the rating of each player at tables."""
    return rated(ladder())
