"""Advice for a player: what to do now and why, from their own view only."""

from dataclasses import dataclass

from marriage.actions import Action, Discard, TakeDiscard
from marriage.cards import CARDS, Card, Cards, sort_cards, without
from marriage.legal import legal_actions
from marriage.rules import FINISH_DUBLEES, SHOW_DUBLEES
from marriage.solver import Hand, distance, pairs, show_distance
from marriage.solver.hand import finish_question, holes, less, more, show_question
from marriage.state import Phase
from marriage.strategy.discards import Aim, DiscardOption, discards
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
    action = _PLAYER.choose(view) if legal_actions(view) else None
    before = _missing(hand, view, goal)
    next_hand = _hand_after(hand, action, view)
    after = before if next_hand is hand else _missing(next_hand, view, goal)
    thrown = action.card if isinstance(action, Discard) else None
    helps = _helpful(hand, thrown, view, goal) if after else ()
    left = hand.left(view.rules)
    outs = sum(left[card] for card in helps)
    return Advice(action, goal, before, after, helps, outs, _second(action, view, goal))


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


def _second(action: Action | None, view: View, goal: Aim) -> DiscardOption | None:
    """The best discard but for the recommended one; None if another action is recommended."""
    if not isinstance(action, Discard):
        return None
    return next((option for option in discards(view, goal=goal) if option.card != action.card), None)


def _missing(hand: Hand, view: View, goal: Aim) -> int:
    rules = view.rules
    match goal:
        case Aim.SHOW:
            return show_distance(hand, rules)
        case Aim.FINISH:
            return distance(hand, rules)
        case Aim.DUBLEES:
            wanted = SHOW_DUBLEES if view.own.shown is None else FINISH_DUBLEES
            return max(0, wanted - len(pairs(_all_cards(hand), rules)))


def _helpful(hand: Hand, thrown: Card | None, view: View, goal: Aim) -> Cards:
    """The unseen faces that bring the hand, without the discarded card, nearer to its aim."""
    rules, left = view.rules, hand.left(view.rules)
    live = [card for card in CARDS[:-1] if left[card]]
    if goal is Aim.DUBLEES:
        cards = _all_cards(hand)
        rest = cards if thrown is None else without(cards, [thrown])
        have = pairs(rest, rules)
        return tuple(card for card in live if card not in have and card in pairs((*rest, card), rules))
    asked = show_question(hand, rules) if goal is Aim.SHOW else finish_question(hand, rules)
    if thrown is not None:
        asked = less(asked, thrown, hand.wilds)
    least = holes(asked)
    return tuple(card for card in live if holes(more(asked, card, hand.wilds)) < least)


def _all_cards(hand: Hand) -> Cards:
    """All cards of the hand: concealed, laid, and the three copies of each exposed tunnela."""
    laid = [card for group in hand.laid for card in group]
    open_too = [face for face in hand.exposed for _ in range(3 - laid.count(face))]
    return sort_cards((*hand.concealed, *laid, *open_too))
