"""Par: the usual spread of a seat's points in a deal, measured between computer players.

`benchmarks/par.py` computes the table `par.json` with this project's engine. A season freezes its figures
when it opens, so a new table never changes an old result.
"""

from functools import cache
from importlib.resources import files
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from marriage.rules import PRESETS, SEATS_MAX, SEATS_MIN, Rules, nearest_preset


class Measured(BaseModel):
    """One figure of the table."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    preset: str
    seats: Annotated[int, Field(ge=SEATS_MIN, le=SEATS_MAX)]
    par: Annotated[float, Field(gt=0)]
    error: Annotated[float, Field(ge=0)]
    """One standard error of the figure."""
    deals: Annotated[int, Field(ge=1)]
    squares: Annotated[int, Field(ge=1)]
    """The sum, over all deals, of a deal's square: the squared points of its seats together."""
    squares_of_squares: Annotated[int, Field(ge=1)]
    """The sum, over all deals, of that square squared again. `benchmarks/par.py` adds to both sums."""


class ParTable(BaseModel):
    """The measured table."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int
    player: str
    """The computer player at all seats."""
    rows: tuple[Measured, ...]


@cache
def table() -> ParTable:
    """Return the table that is packaged with the bot."""
    return ParTable.model_validate_json(files("league.statistics").joinpath("par.json").read_bytes())


_UNLIKE_POINTS: Final = frozenset({"direction", "man_cards"})
"""Options that change the points of a deal little or not at all."""


def pars(rules: Rules) -> dict[int, int]:
    """Return the par of tables of two to five seats under these rules, in hundredths of a point.

    Rules that match no preset get the figures of the nearest one: par only has to be the same for all at a
    table.
    """
    name, _ = nearest_preset(rules, _UNLIKE_POINTS)
    return {row.seats: round(100 * row.par) for row in table().rows if row.preset == name}


@cache
def preset_par(preset: str, seats: int) -> float:
    """Return the par of a preset with this number of seats, in points; raises KeyError if the table has none."""
    return pars(PRESETS[preset])[seats] / 100
