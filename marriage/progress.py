"""How far a seat is, from what it knows: the figure beside its hand."""

from marriage.rules import SHOW_DUBLEES
from marriage.solver import NEVER, Hand, distance, pairs, show_distance
from marriage.state import Phase, ShowKind
from marriage.view import View


def cards_missing(view: View) -> int | None:
    """Cards still to come before the viewer can show, or, once he has, can finish.

    0 for a hand that can; None where nothing can be said: spectators, dead hands, ended deals, and a seat that
    showed dublees needs no count, for it always waits for one pair.
    """
    if view.viewer is None or view.phase is Phase.OVER:
        return None
    if view.own.out or view.own.shown is ShowKind.DUBLEES:
        return None
    hand = Hand.of(view)
    if view.own.shown is None:
        by_groups = show_distance(hand, view.rules)
        if not view.rules.dublees_allowed(len(view.seats)):
            return _known(by_groups)
        missing_pairs = SHOW_DUBLEES - len(pairs(view.own.cards or (), view.rules))
        return min(by_groups, max(0, missing_pairs))
    return _known(distance(hand, view.rules))


def _known(cards: int) -> int | None:
    return None if cards >= NEVER else cards
