"""Rank the possible discards of a seat from its own view."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Final

from marriage.cards import Card, Cards, face, sort_cards, without
from marriage.legal import legal_discards, throw_fouls
from marriage.maal import jhiplu, poplu, scoring_faces
from marriage.rules import FINISH_DUBLEES, HAND_SIZE, SHOW_DUBLEES, Rules
from marriage.scoring.hand_points import points_of, score_hand
from marriage.solver import Hand, distance, pairs, show_distance
from marriage.solver.hand import finish_question, holes, less, show_question, within
from marriage.solver.question import Question
from marriage.solver.suits import helpful, show_holes
from marriage.state import ShowKind
from marriage.strategy.before_show import maal_lost
from marriage.view import View

NO_DUBLEES: Final = HAND_SIZE
"""A number of pairs that no hand can hold: the player never collects dublees."""
DUBLEES_FROM: Final = (NO_DUBLEES, NO_DUBLEES, SHOW_DUBLEES - 1)
_REACH = 4
_FEW_OUTS = 3
_STEP = 0.05
"""The smallest difference in points of maal, on average over the tiplus, that a player with the maal lean notices."""
_HIGH_ACE = 13


class Aim(StrEnum):
    """The goals of a hand. Each member's text is also its key in the message catalogues."""

    SHOW = "show"
    """Three primary groups."""
    FINISH = "finish"
    """The groups of a finish, after a show by groups."""
    DUBLEES = "dublees"
    """Seven pairs, or the eighth."""


class Lean(StrEnum):
    """The preference that decides between nearly equal discards."""

    SAFE = "safe"
    """Throw cards that the next player has thrown, and neighbours of them, first."""
    MAAL = "maal"
    """Keep cards that may turn out to be maal, before a show."""


@dataclass(frozen=True, slots=True)
class DiscardOption:
    """One possible discard, and the state of the hand without it."""

    card: Card
    distance: int
    """The number of cards still needed to reach the aim."""
    outs: int | None
    """The number of unseen cards that would lower the distance; None unless the distance is the least."""


def aim(view: View, dublees_from: tuple[int, ...] = DUBLEES_FROM) -> Aim:
    """Return the goal for the viewer's hand; raises ValueError for a spectator's view.

    `dublees_from` lists how many pairs are enough to collect dublees while 0, 1, ... cards are missing for a
    show by groups. The last number applies to all hands farther away.
    """
    seat = view.own
    if seat.shown is not None:
        return Aim.DUBLEES if seat.shown is ShowKind.DUBLEES else Aim.FINISH
    if not view.rules.dublees_allowed(len(view.seats)):
        return Aim.SHOW
    have = len(pairs(seat.cards or (), view.rules))
    if have < min(dublees_from):
        return Aim.SHOW
    lacking = min(show_distance(Hand.of(view), view.rules), len(dublees_from) - 1)
    return Aim.DUBLEES if have >= dublees_from[lacking] else Aim.SHOW


def missing(hand: Hand, view: View, goal: Aim) -> int:
    """Return how many cards the viewer needs for a goal if this is their hand."""
    match goal:
        case Aim.SHOW:
            return show_distance(hand, view.rules)
        case Aim.FINISH:
            return distance(hand, view.rules)
        case Aim.DUBLEES:
            wanted = SHOW_DUBLEES if view.own.shown is None else FINISH_DUBLEES
            return max(0, wanted - len(pairs(all_cards(hand), view.rules)))


def all_cards(hand: Hand) -> Cards:
    """Return all cards of the hand: concealed, laid, and the three copies of each exposed tunnela."""
    laid = [card for group in hand.laid for card in group]
    open_too = [face for face in hand.exposed for _ in range(3 - laid.count(face))]
    return sort_cards((*hand.concealed, *laid, *open_too))


def discards(
    view: View, *, count_outs: bool = True, goal: Aim | None = None, lean: Lean | None = None
) -> tuple[DiscardOption, ...]:
    """Rank the possible discards of the viewer, who holds 22 cards, for a `goal`, or for `aim(view)`; best first.

    Throw fouls come last. Otherwise the criteria are, in this order:

    1. the least distance to the aim;
    2. before a show, the least distance to a finish with groups of three;
    3. keeping wild cards and maal;
    4. the most outs, if `count_outs`;
    5. the fewest neighbours of the discarded card in the hand.

    With dublees as the aim, wild cards replace nothing, so only the points of maal are kept. A `lean`
    outweighs up to two outs.
    """
    cards = legal_discards(view)
    match goal or aim(view):
        case Aim.DUBLEES:
            options = _towards_dublees(view, cards)
        case Aim.SHOW | Aim.FINISH:
            options = _towards_groups(view, cards, count_outs=count_outs, lean=lean)
    fouls = throw_fouls(view)
    return tuple(sorted(options, key=lambda option: option.card in fouls) if fouls else options)


# Dublees


def _towards_dublees(view: View, cards: Cards) -> list[DiscardOption]:
    seat, rules = view.own, view.rules
    left = Hand.of(view).left(rules)
    goal = SHOW_DUBLEES if seat.shown is None else FINISH_DUBLEES
    ranked: list[tuple[int, int, int, Card]] = []
    for card in cards:
        rest = without(seat.cards or (), [card])
        paired = pairs(rest, rules)
        singles = [other for other in set(rest) if other not in paired and pairs((other, other), rules)]
        outs = sum(left[other] for other in singles)
        ranked.append((max(0, goal - len(paired)), _points_lost(view, card), -outs, card))
    return [DiscardOption(card, distance, -fewer) for distance, _, fewer, card in sorted(ranked)]


def _points_lost(view: View, card: Card) -> int:
    """Return the points that the viewer's hand loses with this card; 0 while the tiplu is unknown."""
    seat, tiplu, rules = view.own, view.tiplu, view.rules
    if tiplu is None or card not in scoring_faces(tiplu, rules):
        return 0
    held = seat.cards or ()

    def worth(cards: Cards) -> int:
        return points_of(score_hand(cards, seat.exposed, 0, tiplu, rules, seen=seat.seen))

    return worth(held) - worth(without(held, [card]))


# Groups


def _towards_groups(view: View, cards: Cards, *, count_outs: bool, lean: Lean | None) -> list[DiscardOption]:
    hand, rules = Hand.of(view), view.rules
    showing = view.own.shown is None
    asked = show_question(hand, rules) if showing else finish_question(hand, rules)
    distances = {card: _holes(less(asked, card, hand.wilds), showing=showing) for card in cards}
    least = min(distances.values())
    tied = tuple(card for card in cards if distances[card] == least)
    further = _further(hand, tied, rules) if showing else frozenset[Card]()
    waits = outs_after(hand, asked, tied, rules, least) if count_outs else {}
    worse = _against(lean, view, tied)
    few = _FEW_OUTS if lean else 1

    def order(card: Card) -> tuple[int, bool, bool, int, int, int, int, Card]:
        wait = waits.get(card, 0)
        near = sum(other in neighbours(card) for other in hand.concealed)
        rank = (-(wait // few), worse.get(card, 0), -wait, near, card)
        return (distances[card], card in further, card in hand.wilds, *rank)

    return [DiscardOption(card, distances[card], waits.get(card)) for card in sorted(cards, key=order)]


def _against(lean: Lean | None, view: View, cards: Cards) -> dict[Card, int]:
    """Return how strongly a player with this lean objects to each discard."""
    match lean:
        case Lean.SAFE:
            safe = safe_faces(view)
            return {card: card not in safe for card in cards}
        case Lean.MAAL if not view.own.seen:
            left = Hand.of(view).left(view.rules)
            return {card: round(lost / _STEP) for card, lost in maal_lost(view, cards, left).items()}
        case _:
            return {}


def safe_faces(view: View) -> frozenset[Card]:
    """Return the faces that the next player has little use for: what they threw, and its neighbours in the suit."""
    if view.viewer is None:
        raise ValueError("a spectator discards nothing")
    follower = view.next_live(view.viewer)
    thrown = {card for card, thrower in view.discards if thrower == follower}
    nearby = {side(card) for card in thrown if card.is_pack for side in (jhiplu, poplu)}
    return frozenset(thrown | nearby)


def _holes(asked: Question, *, showing: bool) -> int:
    return show_holes(asked) if showing else holes(asked)


def _further(hand: Hand, cards: Cards, rules: Rules) -> frozenset[Card]:
    """Return the cards whose loss increases the distance to a finish.

    It is measured with groups of three, which is fast.
    """
    asked = finish_question(hand, rules)._replace(plus=False)
    least = holes(asked)
    return frozenset(card for card in cards if not within(less(asked, card, hand.wilds), least))


def outs_after(hand: Hand, asked: Question, cards: Cards, rules: Rules, least: int) -> dict[Card, int]:
    """Return, for each discard, the number of unseen cards that would lower the distance, now `least`."""
    if least == 0:
        return dict.fromkeys(cards, 0)
    left = hand.left(rules)
    # A card that does not help the whole hand does not help it without a discard either.
    live = helpful(asked, left, hand.wilds, least - 1)

    def after(card: Card) -> int:
        helps = helpful(less(asked, card, hand.wilds), left, hand.wilds, least - 1, among=live)
        return sum(left[out] for out in helps)

    return {card: after(card) for card in cards}


@cache
def neighbours(card: Card) -> frozenset[Card]:
    """Return the faces that fit in a natural group of at most five cards with this one, itself included."""
    if not card.is_pack:
        return frozenset()
    near = {card.rank + step for step in range(-_REACH, _REACH + 1)}
    if card.rank == 0:
        near |= {_HIGH_ACE - step for step in range(1, _REACH + 1)}
    ranks = {0 if rank == _HIGH_ACE else rank for rank in near if 0 <= rank <= _HIGH_ACE}
    run = {face(card.suit, rank) for rank in ranks}
    return frozenset(run | {face(suit, card.rank) for suit in range(4)})
