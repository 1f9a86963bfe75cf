"""The legal actions of a seat, from its own view: what buttons offer and what computer players choose from."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Final

from marriage.actions import (
    Action,
    CutTiplu,
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
from marriage.cards import CARDS, MAN, MASTER, PACKS, Card, Cards, without
from marriage.maal import scoring_faces, wild_faces
from marriage.moves import (
    barred,
    eighth_pairs,
    free_beside,
    free_discards,
    may_finish,
    may_show,
    must_finish,
    must_show,
    shower,
    shows_with,
    take_refusal,
    wilds,
)
from marriage.rules import FINISH_GROUPS, PRIMARY_GROUPS, Rules
from marriage.solver import find_dublees, find_finishes, find_show
from marriage.state import CUT, DRAW, DUBLEES, GROUPS, OVER, WINDOW
from marriage.view import AnyView, View

_STOCK: Final = (DrawStock(),)
_EITHER: Final = (*_STOCK, TakeDiscard())
_DISCARDS: Final = tuple(map(Discard, CARDS))
"""The discard of each face, by its number. Created once, because creating them took half of the time."""


def legal_actions(view: AnyView) -> tuple[Action, ...]:
    """Return the actions that the viewer may take now; empty if it is not their turn or they have no seat.

    A show or a finish can often be arranged in many ways. Only one of them is listed; `decide` accepts them
    all.
    """
    if view.viewer is None or view.phase is OVER or view.own.out:
        return ()
    window: tuple[Action, ...] = () if view.own.answered else _window(view)
    if view.phase is WINDOW or view.viewer != view.turn:
        return window
    if view.phase is DRAW:
        return window + (_EITHER if may_take(view) else _STOCK)
    if view.phase is CUT:
        return (*window, CutTiplu())
    return (*window, *shows(view), *finishes(view), *map(_DISCARDS.__getitem__, legal_discards(view)))


def _window(view: AnyView) -> tuple[Action, ...]:
    faces = tunnelas(view)
    choices = (
        ExposeTunnelas(chosen) for size in range(len(faces)) for chosen in combinations(faces, size + 1)
    )
    return (*choices, DeclineTunnelas())


def tunnelas(view: AnyView) -> Cards:
    """Return the faces that the viewer holds at least three times in hand."""
    counts = Counter(view.hand)
    return tuple(card for card, count in counts.items() if count >= PACKS)


def may_take(view: AnyView) -> bool:
    """Return whether the viewer may take the top of the pile instead of drawing from the stock."""
    return take_refusal(view) is None


def is_barred_in_public(view: View, seat: int) -> bool:
    """Return whether a spectator's `view` is enough to know that this seat may not take the top of the pile.

    Some bars are known only to the seat itself, and do not count: the wild cards of a hidden tiplu, or a card
    with which the hand could not show or finish.
    """
    if not view.pile:
        return True
    card, taker, rules = view.pile[-1], view.seats[seat], view.rules
    if taker.shown is DUBLEES:
        return (card, card) in taker.laid or not _makes_pair(card, rules)
    if taker.shown is GROUPS:
        open_wilds = frozenset[Card]() if view.tiplu is None else wild_faces(view.tiplu)
        return rules.seen_pickup_wild == "forbid" and (not card.is_pack or card in open_wilds)
    if rules.unseen_pickup == "free" or card.is_pack:
        return False
    in_pair = rules.dublees_allowed(len(view.seats)) and _makes_pair(card, rules)
    return not in_pair and not (card == MASTER and rules.master_in_sequences)


def _makes_pair(card: Card, rules: Rules) -> bool:
    """Return whether two of this face are a dublee."""
    return card.is_pack or (card == MAN and rules.joker_dublee)


def legal_discards(view: AnyView) -> Cards:
    """Return the faces that the viewer, who holds 22 cards, may discard; sorted, each listed once."""
    if view.taken is not None and (must_finish(view) or must_show(view)):
        return ()
    return free_discards(view, view.hand)


def throw_fouls(view: View) -> frozenset[Card]:
    """Return the faces whose discard would be a throw foul now.

    These are the wild cards of the packs, if viewer and next seat have seen.
    """
    if not view.rules.throw_foul or view.viewer is None:
        return frozenset()
    following = view.next_live(view.viewer)
    if following == view.viewer or not view.seats[following].seen:
        return frozenset()
    return frozenset(card for card in wilds(view) if card.is_pack)


def shows(view: AnyView) -> tuple[Action, ...]:
    """Return at most one show by groups and one by dublees, if the viewer can make them."""
    seat, rules = view.own, view.rules
    if seat.shown is not None:
        return ()
    if view.taken is not None and must_show(view):
        hand = without(view.hand, [view.taken])
        return shows_with(view.taken, hand, seat.exposed, rules, players=view.players)
    groups = find_show(view.hand, seat.exposed, rules, packed=view.packed)
    by_dublees = dublee_show(view)
    found: list[Action] = []
    if groups is not None and may_show(shower(view), by_groups := Show(groups)):
        found.append(by_groups)
    if by_dublees is not None:
        found.append(by_dublees)
    return tuple(found)


def dublee_show(view: AnyView) -> ShowDublees | None:
    """Return a show by seven dublees, if the viewer, who has not shown, can make one."""
    seat, rules = view.own, view.rules
    if not rules.dublees_allowed(view.players):
        return None
    packed = None if seat.exposed else view.packed
    faces = find_dublees(seat.cards or (), rules, exposed=seat.exposed, packed=packed)
    action = None if faces is None else ShowDublees(faces)
    return action if action is not None and may_show(shower(view), action) else None


def finishes(view: AnyView) -> tuple[Action, ...]:
    """Return one way to finish, if the viewer can finish."""
    action = next(_closings(view), None)
    return () if action is None or not may_finish(view, action) else (action,)


def every_finish(view: AnyView) -> Iterator[Action]:
    """Yield a way to finish for each closing discard and each eighth dublee that the rules allow; the best first."""
    return (action for action in _closings(view) if may_finish(view, action))


def _closings(view: AnyView) -> Iterator[Finish | FinishDublees]:
    seat = view.own
    if seat.shown is None or (view.shown_now and not view.rules.same_turn_finish):
        return iter(())
    return _finishes_by_dublee(view) if seat.shown is DUBLEES else _finishes_by_groups(view)


def _finishes_by_groups(view: AnyView) -> Iterator[Finish]:
    seat = view.own
    spare = sum((card,) * PACKS not in seat.laid for card in seat.exposed) if seat.exposed else 0
    needed = FINISH_GROUPS - PRIMARY_GROUPS - spare
    keep = _maal(view)
    plans = find_finishes(
        view.hand, needed, wilds(view), view.rules, barred=barred(view), keep=keep, packed=view.packed
    )
    return (Finish(groups=plan.groups, discard=plan.discard) for plan in plans)


def _finishes_by_dublee(view: AnyView) -> Iterator[FinishDublees]:
    seat, keep, wild = view.own, _maal(view), wilds(view)
    for face in eighth_pairs(seat.cards or (), seat.laid, view.rules):
        if must_finish(view) and face != view.taken:
            continue
        pool = free_discards(view, free_beside(face, view.hand, seat.exposed))
        for discard in sorted(pool, key=lambda card: (card in keep, card in wild, card)):
            yield FinishDublees(face=face, discard=discard)


def _maal(view: AnyView) -> frozenset[Card]:
    """Return the maal faces, which are worth keeping when choosing the closing discard."""
    return frozenset() if view.tiplu is None else scoring_faces(view.tiplu, view.rules)
