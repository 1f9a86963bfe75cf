"""The puzzle "Do you finish now?": whether and with which card, and why waiting for maal would be worse."""

from typing import Final

from marriage.cards import CARDS, Card, sort_cards, without
from marriage.legal import wilds
from marriage.moves import free_discards
from marriage.puzzles.puzzle import Puzzle, PuzzleKind, PuzzleOption, Waiting
from marriage.rules import FINISH_GROUPS, PRIMARY_GROUPS
from marriage.scoring.hand_points import laid_marriages, points_of, score_hand
from marriage.solver import Hand, distance, find_finish
from marriage.state import DUBLEES, GROUPS
from marriage.view import SeatView, View

_MORE_POINTS: Final = 2
"""How many points of maal the best finish must keep beyond the next best one."""
_RISK: Final = 0.05
"""The greatest break-even chance (`Waiting.break_even`) for which finishing is the clear answer: one round in twenty."""


def finish_now(view: View) -> Puzzle | None:
    """Return the puzzle of the viewer's finish by sets; None if it has no clearly best answer."""
    if view.own.shown is not GROUPS or view.tiplu is None or not view.own.seen:
        return None
    if view.shown_now and not view.rules.same_turn_finish:
        return None
    options = [_option(view, card) for card in free_discards(view, view.hand)]
    finishing = [option for option in options if option.points is not None]
    if finishing:
        return _may_finish(view, options, finishing)
    return _may_not(options)


def _option(view: View, card: Card) -> PuzzleOption:
    """Return the option to throw one card. If that is a finish, it has the sets and the points."""
    hand, rules, tiplu = Hand.of(view), view.rules, view.tiplu
    missing = distance(hand._replace(concealed=without(hand.concealed, [card])), rules)
    if missing or tiplu is None:
        return PuzzleOption(card=card, missing=missing)
    free = FINISH_GROUPS - PRIMARY_GROUPS - sum((face,) * 3 not in view.own.laid for face in view.own.exposed)
    plan = find_finish(view.hand, free, wilds(view), rules, keep=frozenset(view.hand) - {card})
    if plan is None or plan.discard != card:
        raise RuntimeError("the solver finds no sets for a hand that lacks no card")
    return PuzzleOption(
        card=card, sets=plan.groups, points=_maal(view, without(view.own.cards or (), [card]), tiplu)
    )


def _maal(view: View, cards: tuple[Card, ...], tiplu: Card) -> int:
    own = view.own
    return points_of(score_hand(cards, own.exposed, laid_marriages(own.laid, tiplu), tiplu, view.rules))


def _may_not(options: list[PuzzleOption]) -> Puzzle | None:
    """Return the puzzle if no throw finishes. It is only worth asking if the hand lacks a single card."""
    least = min(option.missing for option in options)
    if least != 1:
        return None
    return Puzzle(PuzzleKind.FINISH, (*options, PuzzleOption(missing=least)), len(options))


def _may_finish(view: View, options: list[PuzzleOption], finishing: list[PuzzleOption]) -> Puzzle | None:
    first, *others = sorted(finishing, key=lambda option: -(option.points or 0))
    if others and (first.points or 0) < (others[0].points or 0) + _MORE_POINTS:
        return None
    waiting = _waiting(view, first)
    if waiting is None or waiting.break_even > _RISK:
        return None
    return Puzzle(PuzzleKind.FINISH, (*options, PuzzleOption()), options.index(first), waiting)


def _waiting(view: View, finish: PuzzleOption) -> Waiting | None:
    """Bound the gain of waiting one more turn, and the cost if another player finishes first. None without a bound.

    The bound counts every unseen card as equally likely to be the next one, and assumes that it is kept
    together with the whole hand, so no maal is ever lost to it. The next card must come from the stock, so a
    wild card on the pile must be forbidden. Points of other players change the result by the same amount
    whether the viewer finishes now or later.
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
    """Return the least that another seat pays for the finish."""
    if seat.out or (seat.shown is DUBLEES and view.rules.dublee_exempt):
        return 0
    return view.rules.seen_pay if seat.seen else view.rules.unseen_pay
