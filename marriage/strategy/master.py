"""The strongest computer player. docs/players.md tells how it was found and measured."""

from dataclasses import dataclass

from marriage.actions import (
    Action,
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.cards import Cards, sort_cards, without
from marriage.legal import finishes, may_take, must_show, shows, tunnelas
from marriage.rules import FINISH_DUBLEES, SHOW_DUBLEES
from marriage.solver import Hand, distance, pairs, rough_distance, show_distance
from marriage.solver.hand import finish_question, less, within
from marriage.state import Phase, ShowKind
from marriage.strategy.discards import Aim, discards, outs_after
from marriage.strategy.showable_sets import best_show
from marriage.view import View


@dataclass(frozen=True, slots=True)
class MasterPlayer:
    """Plays as `GreedyPlayer` does, and judges three things better.

    While it cannot show, it takes a discard only if that brings the show nearer: a card from the stock may do so, and that
    is worth more than a better hand for later. It collects dublees with fewer pairs. Once one card is missing for a
    finish, it takes a discard that more of the cards to come go with. It is deterministic.
    """

    dublees_from: tuple[int, ...] = (SHOW_DUBLEES, 6, 5)
    """The pairs that are enough to collect dublees while 0, 1, 2 or more cards are missing for a show by groups."""
    takes_for_show: bool = True
    """Whether a hand that cannot show yet takes only what brings the show nearer, and not what brings a finish nearer."""
    wider: float = 0.12
    """One card from the finish, a discard is taken if this much more of the unseen cards would finish after it."""

    def choose(self, view: View) -> Action:
        """The action for the viewer, who must be able to act."""
        if not view.own.answered and (view.phase is Phase.WINDOW or tunnelas(view)):
            faces = tunnelas(view)
            return ExposeTunnelas(faces) if faces else DeclineTunnelas()
        match view.phase:
            case Phase.DRAW:
                return TakeDiscard() if may_take(view) and self._is_worth_taking(view) else DrawStock()
            case Phase.CUT:
                return CutTiplu()
            case _:
                return _show(view) or next(iter(finishes(view)), None) or self._throw(view)

    def aim(self, view: View) -> Aim:
        """The goal for the viewer's hand; raises ValueError for a spectator's view."""
        seat = view.own
        if seat.shown is not None:
            return Aim.DUBLEES if seat.shown is ShowKind.DUBLEES else Aim.FINISH
        have = len(_pairs(view))
        if have < min(self.dublees_from):
            return Aim.SHOW
        missing = min(show_distance(Hand.of(view), view.rules), len(self.dublees_from) - 1)
        return Aim.DUBLEES if have >= self.dublees_from[missing] else Aim.SHOW

    def _throw(self, view: View) -> Discard:
        return Discard(discards(view, goal=self.aim(view))[0].card)

    def _is_worth_taking(self, view: View) -> bool:
        """Whether the top of the pile is better than a card from the stock."""
        rules, card, before = view.rules, view.pile[-1], Hand.of(view)
        after = before._replace(
            concealed=sort_cards((*before.concealed, card)), dead=without(before.dead, [card])
        )
        match self.aim(view):
            case Aim.FINISH:
                now, then = distance(before, rules), distance(after, rules)
                return then < now or (now == 1 and self._widens(view, before, after))
            case Aim.DUBLEES if view.own.shown is not None:
                return True  # a legal take always finishes then
            case Aim.DUBLEES:
                have = _pairs(view)
                gain = card not in have and card in pairs((*(view.own.cards or ()), card), rules)
                return gain and (rules.unseen_pickup == "free" or len(have) + 1 == SHOW_DUBLEES)
            case Aim.SHOW:
                now, then = show_distance(before, rules), show_distance(after, rules)
                if rules.unseen_pickup == "show_only":
                    return then == 0 < now
                if then < now or (now and self.takes_for_show):
                    return then < now
                return rough_distance(after, rules) < rough_distance(before, rules)

    def _widens(self, view: View, before: Hand, after: Hand) -> bool:
        """Whether, one card from the finish, many more of the unseen cards would finish after taking the top of the pile."""
        rules, card = view.rules, view.pile[-1]
        barred = card if rules.same_face_discard == "forbid" else None
        asked = finish_question(after, rules)
        near = [
            other
            for other in {*after.concealed}
            if other != barred and within(less(asked, other, after.wilds), 1)
        ]
        waits = outs_after(after, asked, (*near, card), rules, 1, showing=False)
        widest = max((waits[other] for other in near), default=0)
        return widest - waits[card] >= self.wider * sum(before.left(rules))


def _pairs(view: View) -> Cards:
    """The faces of the viewer's dublees; none where dublees are not allowed."""
    return pairs(view.own.cards or (), view.rules) if view.rules.dublees_allowed(len(view.seats)) else ()


def _show(view: View) -> Action | None:
    """The show to make now: by groups rather than dublees, unless eight pairs finish at once."""
    if view.own.shown is not None:
        return None
    if must_show(view):
        with_taken = best_show(view)
        return shows(view)[0] if with_taken is None else Show(with_taken)
    faces = _pairs(view)
    if len(faces) >= FINISH_DUBLEES:
        return ShowDublees(faces[:SHOW_DUBLEES])
    groups = best_show(view)
    if groups is not None:
        return Show(groups)
    return ShowDublees(faces) if len(faces) == SHOW_DUBLEES else None
