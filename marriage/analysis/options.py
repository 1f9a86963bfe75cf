"""The options of a seat at one moment of a deal and their worth in points, from the view of that seat alone.

A hand's worth is estimated from a few numbers. All of them follow from the view of its seat.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from math import inf
from typing import Final

from marriage.actions import (
    Action,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.cards import CARDS, FACES, MAN, PACKS, Card, Cards, sort_cards, without
from marriage.legal import finishes, legal_actions, legal_discards, shows, throw_fouls
from marriage.maal import scoring_faces, wild_faces
from marriage.rules import Rules
from marriage.scoring.hand_points import laid_marriages, points_of, score_hand
from marriage.solver import Hand, distance, pairs, rough_distance, show_distance
from marriage.solver.hand import finish_question, holes, show_question
from marriage.solver.suits import helpful
from marriage.state import DUBLEES, Phase
from marriage.strategy.discards import Aim, discards, missing
from marriage.strategy.master import MasterPlayer
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
    tiplus = [card for card in CARDS[:FACES] if left[card]]
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


_Weights = dict[Stage, Features]

# fmt: off
_COUNT: Final[_Weights] = {
    Stage.UNSEEN: (
        -1.789, 9.294, -0.952, -4.617, -2.848, 6.337, -0.186, -3.766, -1.085, -1.922, -3.857, -3.297,
        0.0, 0.0, 0.0, 0.0, -0.422, 0.621, 0.686,
    ),
    Stage.CAN_SHOW: (3.691, -1.123, 0.963, -4.346, 0.808),
    Stage.SEEN: (
        1.072, 4.49, 0.891, -7.009, -1.746, 3.936, 0.125, -5.381, -3.457, 2.04, 1.194, -3.56,
        -2.34, -2.34, 3.325, -2.47, 1.098,
    ),
    Stage.DUBLEES: (4.815, 0.606, -1.05, -7.632, 1.208),
    Stage.CAN_FINISH: (6.583, 1.271, -8.155, 1.064),
}
_VOID: Final[_Weights] = {
    Stage.UNSEEN: (
        -3.49, 13.49, -1.518, -6.334, -5.68, 7.32, -2.437, -5.219, -4.615, -1.868, -5.951, -2.655,
        0.0, 0.0, 0.0, 0.0, 0.061, 0.545, 0.919,
    ),
    Stage.CAN_SHOW: (4.361, -0.912, -0.319, -5.114, 0.957),
    Stage.SEEN: (
        2.863, 7.97, -2.422, -7.363, -1.094, 5.841, -2.042, -5.117, -2.864, 3.664, -1.291, -3.706,
        -2.146, -2.146, -1.699, -0.305, 1.1,
    ),
    Stage.DUBLEES: (4.85, 0.163, 1.518, -3.925, 0.615),
    Stage.CAN_FINISH: (11.512, -0.442, -11.428, 1.009),
}
# fmt: on


def expected_points(view: View, stage: Stage, features: Features) -> float:
    """Return the points that the viewer can expect to gain in the deal."""
    weights = (_COUNT if view.rules.unseen_maal == "count" else _VOID)[stage]
    worth = sum(weight * value for weight, value in zip(weights, features, strict=True))
    return worth * (view.players - 1) * view.factor


_PLAYER = MasterPlayer()
_BEST_DISCARDS = 3
"""How many discards are evaluated after a simulated draw."""
_SHOW_A_ROUND_LATER = 0.6
_FINISH_A_ROUND_LATER = 1.3
"""The cost of finishing a round later, in points for each opponent: the average from rollouts."""
_OF_DISCARDS = 0.4
"""The part of an estimated difference between two discards that rollouts confirm on average.

Large differences are overestimated most.
"""
_SAMPLES = 4
"""How many helpful and how many other cards are sampled for a draw."""


@dataclass(frozen=True, slots=True)
class Option:
    """One option, and the points that the viewer can expect to gain in the whole deal if they choose it."""

    action: Action
    points: float
    missing: int | None = None
    """The number of cards then missing for a show, or for a finish after a show by groups; None if it says nothing."""
    outs: int | None = None
    """The number of unseen cards that bring the hand nearer; None if they were not counted."""


def figured(view: View, option: Option) -> Option:
    """Return the option with the figures that explain it filled in."""
    if view.own.shown is DUBLEES:
        return option
    match option.action:
        case Discard(card=card):
            after = after_discard(view, card)
        case TakeDiscard():
            return replace(option, missing=_missing(after_taking(view)))
        case DrawStock():
            after = view
        case _:
            return option
    return replace(option, missing=_missing(after), outs=sum(_by_help(after)[0].values()))


def _missing(view: View) -> int:
    return missing(Hand.of(view), view, Aim.SHOW if view.own.shown is None else Aim.FINISH)


def difference(better: Option, other: Option) -> float:
    """Return how many points more one option is worth than another, corrected for overestimation."""
    are_discards = isinstance(better.action, Discard) and isinstance(other.action, Discard)
    return (better.points - other.points) * (_OF_DISCARDS if are_discards else 1)


def second_best(view: View, action: Action, other: Action | None = None) -> tuple[Action, float] | None:
    """Return the second best option, or `other`, and how many points less it is worth; None if there is no choice.

    If an option is estimated to be worth more than `action`, the difference is 0. The estimates are too rough
    to overrule the advice.
    """
    possible = _possible(view)
    if len(possible) < 2:
        return None
    asked = possible if other is None else [each for each in possible if _matters(each, action, other)]
    found = _weighed(view, asked)
    advised = next((option for option in found if is_like(option.action, action)), None)
    rest = (option for option in found if option is not advised)
    second = next((option for option in rest if other in (None, option.action)), None)
    if advised is None or second is None:
        return None
    return second.action, max(0.0, difference(advised, second))


def _matters(option: Action, action: Action, other: Action) -> bool:
    """Return whether an option is needed to compare two actions.

    Other discards are not needed, and take the longest.
    """
    return not isinstance(option, Discard) or option in (action, other)


def is_like(option: Action, action: Action) -> bool:
    """Return whether an option represents an action. The choice of sets, and the place of a cut, are not judged."""
    if isinstance(option, Finish) and isinstance(action, Finish):
        return True
    alike = isinstance(option, Show | ShowDublees | FinishDublees) and type(option) is type(action)
    return option == action or alike


def options(view: View) -> tuple[Option, ...]:
    """Return the viewer's options, best first.

    Empty if they cannot act, or have to cut the tiplu, where all places are alike.
    """
    return _weighed(view, _possible(view))


def _possible(view: View) -> Sequence[Action]:
    """Return the actions that are to be judged."""
    match view.phase:
        case Phase.WINDOW:
            kinds = (ExposeTunnelas, DeclineTunnelas)
            return [action for action in legal_actions(view) if isinstance(action, kinds)]
        case Phase.DRAW:
            kinds = (DrawStock, TakeDiscard)
            return [action for action in legal_actions(view) if isinstance(action, kinds)]
        case Phase.PLAY:
            return [*finishes(view), *shows(view), *map(Discard, legal_discards(view))]
        case _:
            return ()


def _weighed(view: View, actions: Sequence[Action]) -> tuple[Option, ...]:
    """Return these actions as options, best first."""
    if not actions:
        return ()
    match view.phase:
        case Phase.WINDOW:
            found = _exposing(view, actions)
        case Phase.DRAW:
            found = [Option(action, _worth_of_drawing(view, action)) for action in actions]
        case _:  # only in the phase of play are there others
            found = _playing(view, actions)
    return tuple(sorted(found, key=lambda option: -option.points))


def with_card(view: View, card: Card) -> View:
    """Return the view after the viewer, who is to draw, drew this card from the stock."""
    own = view.own
    larger = replace(
        own,
        cards=sort_cards((*(own.cards or ()), card)),
        concealed=sort_cards((*view.hand, card)),
        count=own.count + 1,
        concealed_count=own.concealed_count + 1,
        answered=True,
    )
    stock_count = max(0, view.stock_count - 1)
    return replace(with_own(view, larger), phase=Phase.PLAY, drawn=card, stock_count=stock_count)


def after_taking(view: View) -> View:
    """Return the view after the viewer, who is to draw, took the top of the pile."""
    card = view.pile[-1]
    larger = with_card(view, card)
    return replace(
        larger, pile=view.pile[:-1], throwers=view.throwers[:-1], taken=card, stock_count=view.stock_count
    )


def after_exposing(view: View, faces: Cards) -> View:
    """Return the viewer's view after they expose the tunnelas of these faces."""
    own = view.own
    laid = [face for face in faces for _ in range(PACKS)]
    smaller = replace(
        own,
        exposed=faces,
        concealed=without(own.concealed or (), laid),
        concealed_count=own.concealed_count - len(laid),
        answered=True,
    )
    return with_own(view, smaller)


def worth_of_hand(view: View) -> float:
    """Return the worth of 22 cards if the viewer makes the best of them."""
    return max(_standing_after(view, action, outs) for action, outs in _promising(view))


def worth_of_draw(view: View) -> float:
    """Return the worth of the next card from the stock: the average over the cards that it may be.

    A few cards are sampled from those that bring the hand nearer to its aim, and a few from the others.
    """
    kinds = _by_help(view)
    total = sum(copies for kind in kinds for copies in kind.values())
    return sum(sum(kind.values()) * _mean_worth(view, kind) for kind in kinds if kind) / max(1, total)


def _by_help(view: View) -> tuple[dict[Card, int], dict[Card, int]]:
    """Return the unseen cards with their numbers of copies: first those that bring the hand nearer, then the others."""
    hand, rules = Hand.of(view), view.rules
    asked = show_question(hand, rules) if view.own.shown is None else finish_question(hand, rules)
    left = hand.left(rules)
    nearer = helpful(asked, left, hand.wilds, holes(asked) - 1)
    helps = {card: left[card] for card in nearer}
    return helps, {card: left[card] for card in CARDS[:-1] if left[card] and card not in helps}


def _mean_worth(view: View, kind: dict[Card, int]) -> float:
    step = max(1, len(kind) // _SAMPLES)
    sampled = list(kind)[::step][:_SAMPLES]
    return sum(kind[card] * worth_of_hand(with_card(view, card)) for card in sampled) / sum(
        kind[card] for card in sampled
    )


def _promising(view: View) -> list[tuple[Action, int | None]]:
    """Return the candidates for the best action with 22 cards, with the outs after each discard if counted."""
    found = [*finishes(view), *shows(view)]
    if found:
        return [(action, None) for action in found]
    goal = _PLAYER.aim(view)
    best = discards(view, goal=goal)[:_BEST_DISCARDS]
    return [(Discard(option.card), None if goal is Aim.DUBLEES else option.outs) for option in best]


def _exposing(view: View, actions: Sequence[Action]) -> list[Option]:
    """Return what the hand is worth after exposing the best tunnelas, and how much less it is worth without them."""
    best, *others = sorted(
        ((_tunnela_points(view, _exposed_by(action)), action) for action in actions),
        key=lambda option: -option[0],
    )
    most, action = best
    worth = expected_points(view, *waiting(after_exposing(view, _exposed_by(action))))
    return [Option(action, worth), *(Option(other, worth - most + points) for points, other in others)]


def _exposed_by(action: Action) -> Cards:
    return action.faces if isinstance(action, ExposeTunnelas) else ()


def _tunnela_points(view: View, faces: Cards) -> float:
    """Return the points that exposed tunnelas bring from all opponents together, under a tiplu that makes none special."""
    cards = tuple(face for face in faces for _ in range(PACKS))
    tiplu = next(card for card in CARDS[:FACES] if wild_faces(card).isdisjoint({*faces} - {MAN}))
    worth = points_of(score_hand(cards, faces, 0, tiplu, view.rules))
    return float(worth * (view.players - 1))


def _worth_of_drawing(view: View, action: Action) -> float:
    return worth_of_draw(view) if isinstance(action, DrawStock) else worth_of_hand(after_taking(view))


def _playing(view: View, actions: Sequence[Action]) -> list[Option]:
    """Evaluate the actions with 22 cards.

    A player who throws instead of showing or finishing can do so one round later at best.
    """
    found = [Option(action, _standing_after(view, action)) for action in actions]
    aims = [option.points for option in found if not isinstance(option.action, Discard)]
    a_round = _SHOW_A_ROUND_LATER if view.own.shown is None else _FINISH_A_ROUND_LATER
    most = max(aims, default=inf) - a_round * (view.players - 1) * view.factor
    return [
        replace(option, points=min(most, option.points)) if isinstance(option.action, Discard) else option
        for option in found
    ]


def _standing_after(view: View, action: Action, outs: int | None = None) -> float:
    """Return what the viewer can expect after an action with 22 cards.

    Pass the `outs` after a discard if they are known.
    """
    match action:
        case Finish() | FinishDublees():
            return expected_points(view, Stage.CAN_FINISH, can_finish(view))
        case Show() | ShowDublees():
            return expected_points(view, Stage.CAN_SHOW, can_show(view))
        case Discard(card=card):
            foul = view.rules.foul_points if card in throw_fouls(view) else 0
            return expected_points(view, *waiting(after_discard(view, card), outs)) - foul
        case _:
            raise RuntimeError(f"{action} is no action with 22 cards")
