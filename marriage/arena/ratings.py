"""The ratings of the players at tables. `benchmarks/ladder.py` measures them and writes `ratings.json`.

The method is Massey's ("Statistical Models Applied to the Rating of Sports Teams", 1997): a least-squares fit
of rating differences to the point differences at the same table. Each player is measured against the one a
rung below, so a rating is a sum of rungs. The scale is chosen to read like that of people's ratings.
"""

from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Annotated, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

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
