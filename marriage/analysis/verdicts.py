"""From points lost to verdicts: classes of mistakes, and accuracy in percent."""

from collections.abc import Sequence
from enum import StrEnum
from math import exp
from statistics import fmean, harmonic_mean
from typing import Final

INACCURACY: Final = 1.0
MISTAKE: Final = 2.0
BLUNDER: Final = 3.5
"""Points lost at a table of four seats from which on a decision is one of these. docs/analysis.md says why."""
_OPPONENTS: Final = 3
"""Of the table for which the thresholds are stated. What a deal moves grows with the number of opponents."""
_SCALE: Final = 8.0
"""Points at a table of four seats that change a chance of one half to one of 73 %."""
_LEAST: Final = 1.0
"""The harmonic mean takes no zero."""


class Verdict(StrEnum):
    """How good a decision was. Each member's text is also its key in the message catalogues."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


def verdict(loss: float, players: int) -> Verdict:
    """The class of a decision that lost so many points at a table of so many seats."""
    scaled = at_four(loss, players)
    if scaled >= BLUNDER:
        return Verdict.BLUNDER
    if scaled >= MISTAKE:
        return Verdict.MISTAKE
    return Verdict.INACCURACY if scaled >= INACCURACY else Verdict.GOOD


def at_four(points: float, players: int) -> float:
    """As many points as these at a table of so many seats would be at one of four."""
    return points * _OPPONENTS / (players - 1)


def accuracy(before: float, loss: float, players: int) -> float:
    """The accuracy of one decision, from 0 to 100, for somebody who could expect `before` points and lost `loss`.

    The curve is that of lichess (https://lichess.org/page/accuracy), 103.1668 exp(-0.04354 d) - 3.1669, for d percent of
    the chances lost. There chances are those to win a game; here the expected points become a chance by a logistic curve.
    """
    lost = 100 * (_chance(at_four(before, players)) - _chance(at_four(before - loss, players)))
    return min(100.0, max(0.0, 103.1668 * exp(-0.04354 * lost) - 3.1669))


def whole_accuracy(accuracies: Sequence[float]) -> float | None:
    """The accuracy of a deal, None without a decision: half the mean and half the harmonic mean of its decisions.

    So does lichess, which also weighs them by how volatile the phase of the game is.
    """
    if not accuracies:
        return None
    return (fmean(accuracies) + harmonic_mean([max(_LEAST, each) for each in accuracies])) / 2


def _chance(points: float) -> float:
    return 1 / (1 + exp(-points / _SCALE))
