"""The ratings of the players that sit at tables, as measured by `benchmarks/ladder.py`, which writes `ratings.json`.

They are those of Massey ("Statistical Models Applied to the Rating of Sports Teams", 1997): the differences between two ratings
fit the differences between their points at the same table, by least squares. Each player is measured against the one a rung
below, so a rating is a sum of rungs. The scale is made to read like that of people's ratings.
"""

from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Annotated, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

_POINT: Final = 40
"""What a point a deal more than others at the same table adds to a rating."""
_BASE: Final = 1500
"""The rating of the usual player."""


class Rung(BaseModel):
    """What one player was measured to be above the one a rung below."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    player: str
    below: str
    deals: Annotated[int, Field(ge=2)]
    """Each played from every seat, the player against others of the rung below."""
    gap: float
    """How many points a deal the player gains more than the others."""
    error: Annotated[float, Field(gt=0)]
    """One standard error of the gap, over deals."""


class Ladder(BaseModel):
    """The measured ladder."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int
    preset: str
    seats: int
    usual: str
    """The player whose rating the scale is fixed by."""
    rungs: tuple[Rung, ...]
    """The weakest first; each player's rung below is the player before."""


class Rating(NamedTuple):
    """A rating and one standard error of its difference to the usual player's."""

    value: int
    error: int


@cache
def ladder() -> Ladder:
    """The ladder that comes with the engine."""
    return Ladder.model_validate_json(files("marriage.arena").joinpath("ratings.json").read_bytes())


def rated(measured: Ladder) -> dict[str, Rating]:
    """The rating of each player on a ladder."""
    rungs = measured.rungs
    players = (rungs[0].below, *(rung.player for rung in rungs))
    usual = players.index(measured.usual)
    found: dict[str, Rating] = {}
    for place, player in enumerate(players):
        between = rungs[min(place, usual) : max(place, usual)]
        gap = sum(rung.gap for rung in between) * (1 if place > usual else -1)
        error = sqrt(sum(rung.error**2 for rung in between))
        found[player] = Rating(_BASE + round(_POINT * gap), round(_POINT * error))
    return found


@cache
def ratings() -> dict[str, Rating]:
    """The rating of each player at tables."""
    return rated(ladder())
