"""A player's progress: the cards that they still need, and the worth of their maal."""

from typing import NamedTuple

from marriage.rules import SHOW_DUBLEES
from marriage.scoring.hand_points import laid_marriages, points_of, score_hand
from marriage.solver import NEVER, Hand, distance, pairs, show_distance
from marriage.state import Phase, ShowKind
from marriage.strategy.discards import Aim
from marriage.view import View


class Missing(NamedTuple):
    """The number of cards that a hand needs, and its goal."""

    cards: int
    aim: Aim


def cards_missing(view: View) -> Missing | None:
    """Return the cards that the viewer needs to show, by groups or by dublees, or to finish after a show by groups.

    None for spectators, dead hands, finished deals, hands that no cards could complete, and seats that showed
    dublees, which always wait for one pair.
    """
    if view.viewer is None or view.phase is Phase.OVER:
        return None
    if view.own.out or view.own.shown is ShowKind.DUBLEES:
        return None
    hand = Hand.of(view)
    if view.own.shown is None:
        by_groups = show_distance(hand, view.rules)
        if not view.rules.dublees_allowed(len(view.seats)):
            return _known(by_groups, Aim.SHOW)
        missing_pairs = max(0, SHOW_DUBLEES - len(pairs(view.own.cards or (), view.rules)))
        return (
            Missing(by_groups, Aim.SHOW)
            if by_groups <= missing_pairs
            else Missing(missing_pairs, Aim.DUBLEES)
        )
    return _known(distance(hand, view.rules), Aim.FINISH)


def maal_now(view: View) -> int | None:
    """Return what the viewer's cards are worth now; None before they have seen, for dead hands and finished deals."""
    own = view.own
    if view.phase is Phase.OVER or own.out or not own.seen or view.tiplu is None or own.cards is None:
        return None
    marriages = laid_marriages(own.laid, view.tiplu)
    return points_of(score_hand(own.cards, own.exposed, marriages, view.tiplu, view.rules))


def _known(cards: int, aim: Aim) -> Missing | None:
    return None if cards >= NEVER else Missing(cards, aim)
