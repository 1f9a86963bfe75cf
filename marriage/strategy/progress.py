"""How many cards a player still needs: the number shown with their hand."""

from marriage.rules import SHOW_DUBLEES
from marriage.solver import NEVER, Hand, distance, pairs, show_distance
from marriage.state import Phase, ShowKind
from marriage.view import View


def cards_missing(view: View) -> int | None:
    """The number of cards that the viewer needs before they can show or, after a show, finish.

    None for spectators, dead hands, finished deals, hands that no cards could complete, and seats that showed dublees,
    which always wait for one pair.
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
