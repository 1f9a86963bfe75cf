"""Compute everything that a hint shows from a view."""

from dataclasses import dataclass

from marriage.actions import Action, Discard
from marriage.analysis.options import second_best
from marriage.strategy.advice import Advice, advise
from marriage.strategy.discards import DiscardOption
from marriage.view import View


@dataclass(frozen=True, slots=True)
class Hint:
    """A hint: what to do, and what else might be done."""

    advice: Advice
    second: Action | None
    """The second best option. None if there is no choice, or if another discard leaves the hand as near to its aim."""
    points: float
    """How many points less the second option is worth; 0 if there is none."""


def hint_of(view: View) -> Hint:
    """Return the hint for the viewer; raises ValueError for a spectator or a deal that is over.

    It usually takes a few milliseconds, and a few hundredths of a second at most.
    """
    advice = advise(view)
    second, points = _second(view, advice) or (None, 0.0)
    return Hint(advice, second, points)


def fewer_outs(advice: Advice, second: DiscardOption) -> int:
    """Return how many fewer cards bring the hand nearer after the second best discard than after the best one."""
    return 0 if second.outs is None else advice.outs - second.outs


def _second(view: View, advice: Advice) -> tuple[Action, float] | None:
    if advice.action is None:
        return None
    other = advice.second
    if other is None:
        return second_best(view, advice.action)
    if other.distance <= advice.after and fewer_outs(advice, other) <= 0:
        return None
    return second_best(view, advice.action, Discard(other.card))
