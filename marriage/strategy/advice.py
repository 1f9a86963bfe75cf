"""Advice for a player: what to do now and why, from their own view only."""

from dataclasses import dataclass

from marriage.actions import Action, Discard, TakeDiscard
from marriage.cards import CARDS, Card, Cards, sort_cards, without
from marriage.legal import legal_actions
from marriage.solver import Hand, pairs
from marriage.solver.hand import finish_question, holes, less, show_question
from marriage.solver.outs import helpful
from marriage.state import Phase
from marriage.strategy.discards import Aim, DiscardOption, all_cards, missing
from marriage.strategy.master import MasterPlayer
from marriage.view import View

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
    """The advice for the viewer; raises ValueError for a spectator or a deal that is over."""
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
    """The hand after the action, as far as it is known."""
    match action:
        case Discard():
            return hand._replace(concealed=without(hand.concealed, [action.card]))
        case TakeDiscard():
            top = view.pile[-1]
            return hand._replace(concealed=sort_cards((*hand.concealed, top)), dead=without(hand.dead, [top]))
        case _:
            return hand


def _helpful(hand: Hand, thrown: Card | None, view: View, goal: Aim) -> Cards:
    """The unseen faces that bring the hand, without the discarded card, nearer to its aim."""
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
