"""How well a person decides, apart from luck: the mean over the deals that they had analysed, with its error."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Final

FEWEST_DEALS: Final = 3
"""The fewest analysed deals for which the mean and its error are meaningful."""
LATEST_DEALS: Final = 50
"""The number of latest deals to include, so that the figure describes how the person plays now."""


@dataclass(frozen=True, slots=True)
class DecisionQuality:
    """The mean over analysed deals, each figure with its standard error."""

    deals: int
    accuracy: float
    """The accuracy in percent."""
    accuracy_error: float
    lost: float
    """The points that decisions lost in a deal, converted to a table of four."""
    lost_error: float


def decision_quality(deals: Sequence[tuple[float, float]]) -> DecisionQuality | None:
    """Return the quality from each deal's accuracy and lost points; None for too few deals."""
    if len(deals) < FEWEST_DEALS:
        return None
    accuracies, losses = ([deal[place] for deal in deals] for place in (0, 1))
    return DecisionQuality(len(deals), fmean(accuracies), _error(accuracies), fmean(losses), _error(losses))


def _error(figures: Sequence[float]) -> float:
    return stdev(figures) / sqrt(len(figures))
