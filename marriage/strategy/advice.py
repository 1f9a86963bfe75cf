"""Advice for a player, from their own view only: what they still need, what their maal is worth, what to do now and why."""

from dataclasses import dataclass
from typing import NamedTuple

from marriage.actions import Action, Discard, TakeDiscard
from marriage.cards import CARDS, Card, Cards, sort_cards, without
from marriage.legal import legal_actions
from marriage.rules import SHOW_DUBLEES
from marriage.scoring.hand_points import laid_marriages, points_of, score_hand
from marriage.solver import NEVER, Hand, distance, pairs, show_distance
from marriage.solver.hand import finish_question, holes, less, show_question
from marriage.solver.suits import helpful
from marriage.state import Phase, ShowKind
from marriage.strategy.discards import Aim, DiscardOption, all_cards, missing
from marriage.strategy.master import MasterPlayer
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


_PLAYER = MasterPlayer()


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice for one hand."""

    action: Action | None
    """The recommended action; None while the player has to wait."""
    aim: Aim
    before: int
    """The number of cards missing for the aim now."""
    after: int
    """The number of cards missing after the action."""
    helpful: Cards
    """The faces that bring the hand nearer to the aim after the action, sorted."""
    outs: int
    """The number of copies of these faces that the viewer cannot see."""
    second: DiscardOption | None = None
    """The second best discard, if a discard is recommended and there is another."""


def advise(view: View) -> Advice:
    """Return the advice for the viewer; raises ValueError for a spectator or a deal that is over."""
    if view.phase is Phase.OVER:
        raise ValueError("the deal is over: there is nothing to advise")
    hand, goal = Hand.of(view), _PLAYER.aim(view)
    action, ranked = _PLAYER.considered(view) if legal_actions(view) else (None, ())
    before = missing(hand, view, goal)
    next_hand = _hand_after(hand, action, view)
    after = before if next_hand is hand else missing(next_hand, view, goal)
    thrown = action.card if isinstance(action, Discard) else None
    helps = _helpful(hand, thrown, view, goal) if after else ()
    left = hand.left(view.rules)
    second = ranked[1] if len(ranked) > 1 else None
    return Advice(action, goal, before, after, helps, sum(left[card] for card in helps), second)


def _hand_after(hand: Hand, action: Action | None, view: View) -> Hand:
    """Return the hand after the action, as far as it is known."""
    match action:
        case Discard():
            return hand._replace(concealed=without(hand.concealed, [action.card]))
        case TakeDiscard():
            top = view.pile[-1]
            return hand._replace(concealed=sort_cards((*hand.concealed, top)), dead=without(hand.dead, [top]))
        case _:
            return hand


def _helpful(hand: Hand, thrown: Card | None, view: View, goal: Aim) -> Cards:
    """Return the unseen faces that bring the hand, without the discarded card, nearer to its aim."""
    rules, left = view.rules, hand.left(view.rules)
    if goal is Aim.DUBLEES:
        live = [card for card in CARDS[:-1] if left[card]]
        cards = all_cards(hand)
        rest = cards if thrown is None else without(cards, [thrown])
        have = pairs(rest, rules)
        return tuple(card for card in live if card not in have and card in pairs((*rest, card), rules))
    asked = show_question(hand, rules) if goal is Aim.SHOW else finish_question(hand, rules)
    if thrown is not None:
        asked = less(asked, thrown, hand.wilds)
    return helpful(asked, left, hand.wilds, holes(asked) - 1)
