"""How well a person decides, apart from luck: a figure of the deals that they had analysed, with its error."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Final

FEWEST_DEALS: Final = 3
"""The fewest analysed deals of which the figure and its error say something."""
LATEST_DEALS: Final = 50
"""Of how many deals the figure is: it tells how somebody plays now."""


@dataclass(frozen=True, slots=True)
class DecisionQuality:
    """The mean over analysed deals, each figure with its standard error."""

    deals: int
    accuracy: float
    """In percent."""
    accuracy_error: float
    lost: float
    """The points that decisions lost in a deal, at a table of four."""
    lost_error: float


def decision_quality(deals: Sequence[tuple[float, float]]) -> DecisionQuality | None:
    """The figure of analysed deals, each with its accuracy and what was lost in it; None for too few of them."""
    if len(deals) < FEWEST_DEALS:
        return None
    accuracies, losses = ([deal[place] for deal in deals] for place in (0, 1))
    return DecisionQuality(len(deals), fmean(accuracies), _error(accuracies), fmean(losses), _error(losses))


def _error(figures: Sequence[float]) -> float:
    return stdev(figures) / sqrt(len(figures))
