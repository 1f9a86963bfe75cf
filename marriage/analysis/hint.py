"""All that a hint tells, worked out of a view at once, wherever there is time for it."""

from dataclasses import dataclass

from marriage.actions import Action, Discard
from marriage.analysis.options import second_best
from marriage.strategy.advice import Advice, advise
from marriage.strategy.discards import DiscardOption
from marriage.view import View


@dataclass(frozen=True, slots=True)
class Hint:
    """What to do, and what else might be done."""

    advice: Advice
    second: Action | None
    """The second best option; None without a choice, and where another discard leaves the hand as near to its aim."""
    points: float
    """How many points less it is worth; 0 without one."""


def hint_of(view: View) -> Hint:
    """The hint for the viewer; raises ValueError for a spectator or a deal that is over.

    Mostly it takes some milliseconds, and some hundredths of a second at the longest.
    """
    advice = advise(view)
    second, points = _second(view, advice) or (None, 0.0)
    return Hint(advice, second, points)


def fewer_outs(advice: Advice, second: DiscardOption) -> int:
    """How many cards fewer bring the hand nearer after the second best discard than after the best."""
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
