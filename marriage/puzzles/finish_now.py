"""Do you finish now? Whether the hand can finish, with which card, and why waiting for more maal would be worse."""

from typing import Final

from marriage.cards import CARDS, Card, sort_cards, without
from marriage.legal import wilds
from marriage.moves.checks import free_discards
from marriage.puzzles.puzzle import Kind, Option, Puzzle, Waiting
from marriage.rules import FINISH_GROUPS, PRIMARY_GROUPS
from marriage.scoring.hand_points import laid_marriages, points_of, score_hand
from marriage.solver import Hand, distance, find_finish
from marriage.state import DUBLEES, GROUPS
from marriage.view import SeatView, View

_MORE_POINTS: Final = 2
"""How many points of maal the best finish keeps beyond the next one."""
_RISK: Final = 0.05
"""Only where waiting needs the others to finish in fewer than one round of twenty is finishing the clear answer."""


def finish_now(view: View) -> Puzzle | None:
    """The puzzle of the viewer's finish by sets; None where it has no clearly best answer."""
    if view.own.shown is not GROUPS or view.tiplu is None or not view.own.seen:
        return None
    if view.shown_now and not view.rules.same_turn_finish:
        return None
    options = [_option(view, card) for card in free_discards(view, view.hand)]
    finishing = [option for option in options if option.points is not None]
    if finishing:
        return _may_finish(view, options, finishing)
    return _may_not(options)


def _option(view: View, card: Card) -> Option:
    """The throw of one card: with the sets and the points of the finish, if it is one."""
    hand, rules, tiplu = Hand.of(view), view.rules, view.tiplu
    missing = distance(hand._replace(concealed=without(hand.concealed, [card])), rules)
    if missing or tiplu is None:
        return Option(card=card, missing=missing)
    free = FINISH_GROUPS - PRIMARY_GROUPS - sum((face,) * 3 not in view.own.laid for face in view.own.exposed)
    plan = find_finish(view.hand, free, wilds(view), rules, keep=frozenset(view.hand) - {card})
    if plan is None or plan.discard != card:
        raise RuntimeError("the solver finds no sets for a hand that lacks no card")
    return Option(
        card=card, sets=plan.groups, points=_maal(view, without(view.own.cards or (), [card]), tiplu)
    )


def _maal(view: View, cards: tuple[Card, ...], tiplu: Card) -> int:
    own = view.own
    return points_of(score_hand(cards, own.exposed, laid_marriages(own.laid, tiplu), tiplu, view.rules))


def _may_not(options: list[Option]) -> Puzzle | None:
    """No throw finishes. Only a hand that lacks a single card makes one look twice."""
    least = min(option.missing for option in options)
    if least != 1:
        return None
    return Puzzle(Kind.FINISH, (*options, Option(missing=least)), len(options))


def _may_finish(view: View, options: list[Option], finishing: list[Option]) -> Puzzle | None:
    first, *others = sorted(finishing, key=lambda option: -(option.points or 0))
    if others and (first.points or 0) < (others[0].points or 0) + _MORE_POINTS:
        return None
    waiting = _waiting(view, first)
    if waiting is None or waiting.break_even > _RISK:
        return None
    return Puzzle(Kind.FINISH, (*options, Option()), options.index(first), waiting)


def _waiting(view: View, finish: Option) -> Waiting | None:
    """What one more turn may bring at most, and what it costs if somebody finishes first; None where it has no bound.

    The bound counts every unseen card as equally likely to be the next and as kept together with the whole hand, so that
    no maal is ever lost to it. It needs the next card to come from the stock: a wild card from the pile must be forbidden.
    Points of other players change a result by the same amount whether the viewer finishes now or later.
    """
    rules, tiplu = view.rules, view.tiplu
    if tiplu is None or rules.seen_pickup_wild == "allow" or rules.unseen_maal == "kidnap_cards":
        return None
    if view.stock_count < view.players:
        return None
    left = Hand.of(view).left(rules)
    now = finish.points or 0
    more = sum(
        left[card] * max(0, _maal(view, sort_cards((*(view.own.cards or ()), card)), tiplu) - now)
        for card in CARDS[:-1]
        if left[card]
    )
    others = [seat for index, seat in enumerate(view.seats) if index != view.viewer]
    cost = sum(_pays(seat, view) for seat in others) + rules.seen_pay
    return Waiting((view.players - 1) * more / sum(left), cost) if cost else None


def _pays(seat: SeatView, view: View) -> int:
    """What another seat pays for the finish at least."""
    if seat.out or (seat.shown is DUBLEES and view.rules.dublee_exempt):
        return 0
    return view.rules.seen_pay if seat.seen else view.rules.unseen_pay
