"""What to do now, and why: a hint for the holder of a hand, from what he may know and nothing else."""

from dataclasses import dataclass

from marriage.actions import Action, Discard, TakeDiscard
from marriage.cards import CARDS, Card, Cards, sort_cards, without
from marriage.hints import Aim, aim
from marriage.legal import legal_actions
from marriage.players import Greedy
from marriage.rules import FINISH_DUBLEES, SHOW_DUBLEES
from marriage.solver import Hand, distance, pairs, show_distance
from marriage.solver.hand import finish_question, holes, less, more, show_question
from marriage.state import Phase
from marriage.view import View

_PLAYER = Greedy()


@dataclass(frozen=True, slots=True)
class Advice:
    """A hint for a hand."""

    action: Action | None
    """What to do; None while there is nothing to do but wait."""
    aim: Aim
    before: int
    """The cards that are missing for the aim now."""
    after: int
    """The cards that are missing when that is done."""
    helpful: Cards
    """The faces that then bring the hand nearer, sorted."""
    outs: int
    """How many copies of them may still come, as far as the viewer can see."""


def advise(view: View) -> Advice:
    """The hint for the viewer; raises ValueError for a spectator, and for a deal that is over."""
    if view.phase is Phase.OVER:
        raise ValueError("the deal is over: there is nothing to advise")
    hand, goal = Hand.of(view), aim(view)
    action = _PLAYER.choose(view) if legal_actions(view) else None
    before = _missing(hand, view, goal)
    then = _then(hand, action, view)
    after = before if then is hand else _missing(then, view, goal)
    thrown = action.card if isinstance(action, Discard) else None
    helps = _helpful(hand, thrown, view, goal) if after else ()
    left = hand.left(view.rules)
    return Advice(action, goal, before, after, helps, sum(left[card] for card in helps))


def _then(hand: Hand, action: Action | None, view: View) -> Hand:
    """The hand once that is done, as far as it is known."""
    match action:
        case Discard():
            return hand._replace(concealed=without(hand.concealed, [action.card]))
        case TakeDiscard():
            top = view.pile[-1]
            return hand._replace(concealed=sort_cards((*hand.concealed, top)), dead=without(hand.dead, [top]))
        case _:
            return hand


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
    """The faces still to come that bring a hand nearer to its aim, without the card that is thrown."""
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
    """The cards in hand and those that lie open, an exposed tunnela with all its copies."""
    laid = [card for group in hand.laid for card in group]
    open_too = [face for face in hand.exposed for _ in range(3 - laid.count(face))]
    return sort_cards((*hand.concealed, *laid, *open_too))
