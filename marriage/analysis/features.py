"""The few numbers from which a hand's worth is estimated. All of them follow from the view of its seat."""

from collections import Counter
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from marriage.cards import CARDS, Card, Cards, without
from marriage.maal import scoring_faces
from marriage.rules import Rules
from marriage.scoring.hand_points import laid_marriages, points_of, score_hand
from marriage.solver import Hand, distance, pairs, rough_distance, show_distance
from marriage.solver.hand import finish_question, holes, show_question
from marriage.solver.outs import helpful
from marriage.state import DUBLEES
from marriage.view import SeatView, View

MOST_MISSING: Final = 4
"""Hands that lack more cards than this for their aim are treated alike."""
_MANY_ROUNDS: Final = 15
_FEW_PAIRS: Final = 3


class Stage(StrEnum):
    """The stage at which a seat's worth is estimated. Each stage has weights of its own."""

    UNSEEN = "unseen"
    """The seat has discarded and has not shown."""
    CAN_SHOW = "can_show"
    """The seat holds 22 cards and may show now."""
    SEEN = "seen"
    """The seat has discarded after a show by groups."""
    DUBLEES = "dublees"
    """The seat has discarded after a show by dublees."""
    CAN_FINISH = "can_finish"
    """The seat holds 22 cards and may finish now."""


Features = tuple[float, ...]


def after_discard(view: View, card: Card) -> View:
    """Return the viewer's view after they discard `card`; `view` holds 22 cards."""
    own = view.own
    smaller = replace(
        own,
        cards=without(own.cards or (), [card]),
        concealed=without(own.concealed or (), [card]),
        count=own.count - 1,
        concealed_count=own.concealed_count - 1,
    )
    return replace(with_own(view, smaller), pile=(*view.pile, card))


def with_own(view: View, own: SeatView) -> View:
    """Return the view with the viewer's own seat replaced by `own`."""
    return replace(
        view, seats=tuple(own if seat == view.viewer else other for seat, other in enumerate(view.seats))
    )


def waiting(view: View, outs: int | None = None) -> tuple[Stage, Features]:
    """Return the stage and the features of a hand of 21 cards. Pass the number of `outs` if it is already known.

    `outs` counts the unseen cards that bring the hand nearer to a show, or to a finish by groups.
    """
    if view.own.shown is None:
        return Stage.UNSEEN, _unseen(view, outs)
    if view.own.shown is DUBLEES:
        return Stage.DUBLEES, (1.0, share_of_pairs(view), *_public(view), maal(view))
    return Stage.SEEN, _seen(view, outs)


def can_show(view: View) -> Features:
    """Return the features of a hand of 22 cards that may show."""
    missing = min(rough_distance(Hand.of(view), view.rules), 2 * MOST_MISSING)
    return (1.0, missing, *_public(view), maal(view))


def can_finish(view: View) -> Features:
    """Return the features of a hand of 22 cards that may finish."""
    return (1.0, *_public(view), maal(view))


def _unseen(view: View, outs: int | None) -> Features:
    hand, rules = Hand.of(view), view.rules
    missing = show_distance(hand, rules)
    near = _share_of_outs(view, outs, showing=True) if 0 < missing < MOST_MISSING else 1.0
    far = min(rough_distance(hand, rules), 2 * MOST_MISSING)
    return (*_by_distance(missing, near, view), far, maal(view), _spare_pairs(view))


def _seen(view: View, outs: int | None) -> Features:
    missing = distance(Hand.of(view), view.rules)
    near = _share_of_outs(view, outs, showing=False) if 0 < missing < MOST_MISSING else 1.0
    return (*_by_distance(missing, near, view), maal(view))


def _by_distance(missing: int, near: float, view: View) -> Features:
    """Return a constant, the outs and the public features for each distance.

    They are 0 except for the hand's own distance. A hand of 21 cards that lacks nothing still needs a
    discard, so it counts as lacking one card, which any draw brings.
    """
    step = min(max(missing, 1), MOST_MISSING)
    block = (1.0, near, *_public(view))
    nothing = (0.0,) * len(block)
    return tuple(
        value for each in range(1, MOST_MISSING + 1) for value in (block if each == step else nothing)
    )


def _public(view: View) -> tuple[float, float]:
    """Return how long the deal has lasted, in tens of rounds, and what share of the other seats have seen."""
    rounds = min(len(view.pile) / view.players + view.reshuffles, _MANY_ROUNDS) / 10
    others = [seat for index, seat in enumerate(view.seats) if index != view.viewer]
    return rounds, sum(seat.seen for seat in others) / len(others)


def _share_of_outs(view: View, known: int | None, *, showing: bool) -> float:
    """Return the share of the unseen cards that bring an incomplete hand of 21 cards nearer to a show or a finish."""
    hand, rules = Hand.of(view), view.rules
    left = hand.left(rules)
    if known is None:
        asked = show_question(hand, rules) if showing else finish_question(hand, rules)
        known = sum(left[card] for card in helpful(asked, left, hand.wilds, holes(asked) - 1))
    return known / max(1, sum(left))


def share_of_pairs(view: View) -> float:
    """Return the share of the unseen cards that make another pair."""
    hand, rules = Hand.of(view), view.rules
    held, left = Counter(view.own.cards or ()), hand.left(rules)
    singles = (card for card, copies in held.items() if copies == 1 and pairs((card, card), rules))
    return sum(left[card] for card in singles) / max(1, sum(left))


def _spare_pairs(view: View) -> float:
    """Return how many pairs the hand has beyond the usual number; 0 if dublees are not played."""
    if not view.rules.dublees_allowed(view.players):
        return 0.0
    return float(max(0, len(pairs(view.own.cards or (), view.rules)) - _FEW_PAIRS))


def maal(view: View) -> float:
    """Return the hand's points of maal. While the tiplu is unknown, this is the average over every possible tiplu."""
    own, rules, left = view.own, view.rules, Hand.of(view).left(view.rules)
    cards = own.cards or ()
    if view.tiplu is not None:
        return float(_points(cards, own.exposed, own.laid, view.tiplu, rules))
    tiplus = [card for card in CARDS[:-1] if card.is_pack and left[card]]
    total = sum(left[card] for card in tiplus)
    points = sum(left[card] * _points(cards, own.exposed, own.laid, card, rules) for card in tiplus)
    return points / max(1, total)


def _points(cards: Cards, exposed: Cards, laid: tuple[Cards, ...], tiplu: Card, rules: Rules) -> int:
    scoring = scoring_faces(tiplu, rules)
    kept = tuple(card for card in cards if card in scoring or card in exposed)
    marriages = laid_marriages(laid, tiplu)
    return _points_of(kept, exposed, marriages, tiplu, rules)  # pyright: ignore[reportArgumentType] - frozen models can be hashed


@lru_cache(maxsize=4096)
def _points_of(kept: Cards, exposed: Cards, laid: int, tiplu: Card, rules: Rules) -> int:
    """Return the points of the cards that count. Cached, because compared hands often hold the same scoring cards."""
    return points_of(score_hand(kept, exposed, laid, tiplu, rules))
