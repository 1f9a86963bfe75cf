"""From points lost to verdicts: classes of mistakes, and accuracy in percent."""

from collections.abc import Sequence
from enum import StrEnum
from math import exp, sqrt
from statistics import fmean, harmonic_mean
from typing import Final

INACCURACY: Final = 1.0
MISTAKE: Final = 2.0
BLUNDER: Final = 3.5
"""The loss, in points at a table of four seats, from which a decision is a blunder. docs/analysis.md says why."""
_OPPONENTS: Final = 3
"""The opponents at the table for which the thresholds are stated. The stakes of a deal grow with their number."""
_SCALE: Final = 8.0
"""The points at a table of four seats that raise a chance of 50 % to one of 73 %."""
_LEAST: Final = 1.0
"""The harmonic mean needs positive values."""


class Verdict(StrEnum):
    """How good a decision was. Each member's text is also its key in the message catalogues."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


def verdict(loss: float, players: int) -> Verdict:
    """Return the class of a decision that lost `loss` points at a table of `players` seats.

    At tables of fewer than four the thresholds fall more slowly than the stakes: only with the root of the number of
    opponents, as the errors of the estimates do.
    """
    scaled = at_four(loss, players)
    if players - 1 < _OPPONENTS:
        scaled *= sqrt((players - 1) / _OPPONENTS)
    if scaled >= BLUNDER:
        return Verdict.BLUNDER
    if scaled >= MISTAKE:
        return Verdict.MISTAKE
    return Verdict.INACCURACY if scaled >= INACCURACY else Verdict.GOOD


def at_four(points: float, players: int) -> float:
    """Convert points at a table of `players` seats to points at a table of four seats."""
    return points * _OPPONENTS / (players - 1)


def accuracy(before: float, loss: float, players: int) -> float:
    """Return the accuracy of one decision, from 0 to 100, for a player who expected `before` points and lost `loss`.

    The curve comes from lichess (https://lichess.org/page/accuracy): 103.1668 exp(-0.04354 d) - 3.1669, where
    d is the percentage of the chances lost. On lichess these are chances to win a game. Here a logistic curve
    turns expected points into a chance.
    """
    lost = 100 * (_chance(at_four(before, players)) - _chance(at_four(before - loss, players)))
    return min(100.0, max(0.0, 103.1668 * exp(-0.04354 * lost) - 3.1669))


def whole_accuracy(accuracies: Sequence[float]) -> float | None:
    """Return the accuracy of a deal: the average of the arithmetic and the harmonic mean over its decisions.

    None without decisions. lichess does the same, but also weighs decisions by the volatility of the phase of
    the game.
    """
    if not accuracies:
        return None
    return (fmean(accuracies) + harmonic_mean([max(_LEAST, each) for each in accuracies])) / 2


def _chance(points: float) -> float:
    return 1 / (1 + exp(-points / _SCALE))
