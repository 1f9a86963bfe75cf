"""Ranking the possible discards of a seat, from its own view."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from marriage.cards import CARDS, Card, Cards, face, without
from marriage.legal import discards as legal_discards
from marriage.legal import throw_fouls
from marriage.maal import scoring_faces
from marriage.rules import FINISH_DUBLEES, SHOW_DUBLEES, Rules
from marriage.scoring.hand_points import points_of, score_hand
from marriage.solver import Hand, pairs, show_distance
from marriage.solver.cover import cover
from marriage.solver.hand import finish_question, holes, less, more, show_question
from marriage.solver.question import Question
from marriage.solver.suits import show_holes, splits
from marriage.state import ShowKind
from marriage.view import View

_MANY_PAIRS = SHOW_DUBLEES - 1
_FAR_FROM_GROUPS = 2
_REACH = 4
_HIGH_ACE = 13


class Aim(StrEnum):
    """The goals of a hand. Each member's text is also its key in the message catalogues."""

    SHOW = "show"
    """Three primary groups."""
    FINISH = "finish"
    """The groups of a finish, after a show by groups."""
    DUBLEES = "dublees"
    """Seven pairs, or the eighth."""


@dataclass(frozen=True, slots=True)
class DiscardOption:
    """One possible discard, and the state of the hand without it."""

    card: Card
    distance: int
    """The number of cards still needed to reach the aim."""
    outs: int | None
    """The number of unseen cards that would lower the distance; None for options whose distance is not the least."""


def aim(view: View) -> Aim:
    """The best goal for the viewer's hand; raises ValueError for a spectator's view."""
    seat = view.own
    if seat.shown is not None:
        return Aim.DUBLEES if seat.shown is ShowKind.DUBLEES else Aim.FINISH
    if not view.rules.dublees_allowed(len(view.seats)):
        return Aim.SHOW
    many = len(pairs(seat.cards or (), view.rules)) >= _MANY_PAIRS
    if many and show_distance(Hand.of(view), view.rules) >= _FAR_FROM_GROUPS:
        return Aim.DUBLEES
    return Aim.SHOW


def discards(view: View, *, count_outs: bool = True, goal: Aim | None = None) -> tuple[DiscardOption, ...]:
    """The possible discards of the viewer, who holds 22 cards, ranked from best to worst for a `goal`, or for `aim(view)`.

    Throw fouls come last. Otherwise the criteria are, in this order:

    1. the least distance to the aim;
    2. before a show, the least distance to a finish with groups of three;
    3. keeping wild cards and maal;
    4. the most outs, if `count_outs`;
    5. the fewest neighbours of the discarded card in the hand.

    With dublees as the aim, wild cards replace nothing, so that maal is kept by its points only.
    """
    cards = legal_discards(view)
    match goal or aim(view):
        case Aim.DUBLEES:
            options = _towards_dublees(view, cards)
        case Aim.SHOW | Aim.FINISH:
            options = _towards_groups(view, cards, count_outs=count_outs)
    fouls = throw_fouls(view)
    return tuple(sorted(options, key=lambda option: option.card in fouls) if fouls else options)


# Dublees


def _towards_dublees(view: View, cards: Cards) -> list[DiscardOption]:
    seat, rules = view.own, view.rules
    left = Hand.of(view).left(rules)
    goal = SHOW_DUBLEES if seat.shown is None else FINISH_DUBLEES
    options: list[DiscardOption] = []
    for card in cards:
        rest = without(seat.cards or (), [card])
        paired = pairs(rest, rules)
        singles = [other for other in set(rest) if other not in paired and pairs((other, other), rules)]
        options.append(DiscardOption(card, max(0, goal - len(paired)), sum(left[other] for other in singles)))
    lost = {card: _points_lost(view, card) for card in cards}
    return sorted(
        options, key=lambda option: (option.distance, lost[option.card], -(option.outs or 0), option.card)
    )


def _points_lost(view: View, card: Card) -> int:
    """The points that the viewer's hand loses with this card; 0 while the tiplu is unknown."""
    seat, tiplu, rules = view.own, view.tiplu, view.rules
    if tiplu is None or card not in scoring_faces(tiplu, rules):
        return 0
    held = seat.cards or ()

    def worth(cards: Cards) -> int:
        return points_of(score_hand(cards, seat.exposed, 0, tiplu, rules, seen=seat.seen))

    return worth(held) - worth(without(held, [card]))


# Groups


def _towards_groups(view: View, cards: Cards, *, count_outs: bool) -> list[DiscardOption]:
    hand, rules = Hand.of(view), view.rules
    showing = view.own.shown is None
    asked = show_question(hand, rules) if showing else finish_question(hand, rules)
    distances = {card: _holes(less(asked, card, hand.wilds), showing=showing) for card in cards}
    least = min(distances.values())
    tied = tuple(card for card in cards if distances[card] == least)
    further = _further(hand, tied, rules) if showing else frozenset[Card]()
    outs = outs_after(hand, asked, tied, rules, least, showing=showing) if count_outs else {}
    keep = hand.wilds if view.tiplu is None else hand.wilds | scoring_faces(view.tiplu, rules)

    def order(card: Card) -> tuple[int, bool, bool, int, int, Card]:
        near = sum(other in _neighbours(card) for other in hand.concealed)
        return (distances[card], card in further, card in keep, -outs.get(card, 0), near, card)

    return [DiscardOption(card, distances[card], outs.get(card)) for card in sorted(cards, key=order)]


def _holes(asked: Question, *, showing: bool) -> int:
    return show_holes(asked) if showing else holes(asked)


def _further(hand: Hand, cards: Cards, rules: Rules) -> frozenset[Card]:
    """The cards whose loss increases the distance to a finish, measured with groups of three, which is fast."""
    asked = finish_question(hand, rules)._replace(plus=False)
    least = holes(asked)
    return frozenset(card for card in cards if cover(less(asked, card, hand.wilds), at_most=least) is None)


def outs_after(
    hand: Hand, asked: Question, cards: Cards, rules: Rules, least: int, *, showing: bool
) -> dict[Card, int]:
    """For each discard, the number of unseen cards that would lower the distance, which is now `least`."""
    if least == 0:
        return dict.fromkeys(cards, 0)
    reach = frozenset[Card]().union(*map(_neighbours, hand.concealed))
    left = hand.left(rules)

    def lowers(option: Question, out: Card) -> bool:
        richer = more(option, out, hand.wilds)
        if showing and splits(richer):
            return show_holes(richer) < least
        return cover(richer, at_most=least - 1) is not None

    # A card that does not help the whole hand does not help it without a discard either.
    live = [
        out for out in CARDS[:-1] if left[out] and (out in reach or out in hand.wilds) and lowers(asked, out)
    ]
    return {
        card: sum(left[out] for out in live if lowers(less(asked, card, hand.wilds), out)) for card in cards
    }


@cache
def _neighbours(card: Card) -> frozenset[Card]:
    """The faces that can share a natural group of at most five cards with this one, itself included."""
    if not card.is_pack:
        return frozenset()
    near = {card.rank + step for step in range(-_REACH, _REACH + 1)}
    if card.rank == 0:
        near |= {_HIGH_ACE - step for step in range(1, _REACH + 1)}
    ranks = {0 if rank == _HIGH_ACE else rank for rank in near if 0 <= rank <= _HIGH_ACE}
    run = {face(card.suit, rank) for rank in ranks}
    return frozenset(run | {face(suit, card.rank) for suit in range(4)})
