"""The strongest computer player. docs/players.md describes how it was found and measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from marriage.actions import (
    Action,
    CutTiplu,
    Discard,
    DrawStock,
    Show,
    TakeDiscard,
)
from marriage.cards import Card, sort_cards, without
from marriage.legal import dublee_show, finishes, may_take, shows
from marriage.moves import must_show
from marriage.rules import FINISH_DUBLEES, SHOW_DUBLEES
from marriage.solver import Hand, distance, pairs, rough_distance, show_distance
from marriage.solver.hand import finish_question, less, within
from marriage.state import Phase
from marriage.strategy.before_show import WEIGHTS, ShowWeights, discard_values
from marriage.strategy.discards import (
    Aim,
    DiscardOption,
    Lean,
    aim,
    discards,
    outs_after,
    safe_faces,
)
from marriage.strategy.players import tunnela_answer
from marriage.strategy.showable_sets import best_show
from marriage.view import View

SAFETY: Final = 0.15
"""The points that a player with the safe lean gives up for a safe discard."""


@dataclass(frozen=True, slots=True)
class MasterPlayer:
    """Plays like `GreedyPlayer`, but judges four things better.

    It is deterministic. Before it can show, it takes a discard only if that brings the show nearer: a card
    from the stock may do so too, and that is worth more than a better hand for later. It ranks the discards
    that leave the show equally near by points. It collects dublees with fewer pairs. When one card is missing
    for a finish, it takes a discard if more of the unseen cards would then finish.
    """

    dublees_from: tuple[int, ...] = (SHOW_DUBLEES, 6, 5)
    """How many pairs are enough to collect dublees while 0, 1, 2 or more cards are missing for a show by groups."""
    takes_for_show: bool = True
    """Whether a hand that cannot show yet takes only discards that bring the show, not a finish, nearer."""
    weights: ShowWeights | None = WEIGHTS
    """The weights for its discards before it can show; None to choose like `GreedyPlayer`."""
    wider: float = 0.12
    """When one card is missing, it takes a discard if the share of finishing cards grows by this much; 1 for never."""
    lean: Lean | None = None
    """The preference that decides between nearly equal discards."""

    def choose(self, view: View) -> Action:
        """Return the action for the viewer, who must be able to act."""
        return self.considered(view)[0]

    def considered(self, view: View) -> tuple[Action, tuple[DiscardOption, ...]]:
        """Return the action for the viewer, who must be able to act.

        If it is a discard, also return all discards from best to worst.
        """
        action = self._without_discard(view)
        if action is not None:
            return action, ()
        ranked = self.ranked(view)
        return Discard(ranked[0].card), ranked

    def _without_discard(self, view: View) -> Action | None:
        """Return the action unless it is a discard."""
        if (answer := tunnela_answer(view)) is not None:
            return answer
        match view.phase:
            case Phase.DRAW:
                return TakeDiscard() if may_take(view) and self._is_worth_taking(view) else DrawStock()
            case Phase.CUT:
                return CutTiplu()
            case _:
                return _show(view) or next(iter(finishes(view)), None)

    def aim(self, view: View) -> Aim:
        """Return the goal for the viewer's hand; raises ValueError for a spectator's view."""
        return aim(view, self.dublees_from)

    def ranked(self, view: View) -> tuple[DiscardOption, ...]:
        """Return the possible discards of the viewer, who holds 22 cards, from best to worst."""
        goal = self.aim(view)
        options = discards(view, goal=goal, lean=self.lean)
        if goal is not Aim.SHOW or self.weights is None:
            return options
        values = discard_values(view, tuple(option.card for option in options), self.weights)
        if values is None:
            return options
        if self.lean is Lean.SAFE:
            safe = safe_faces(view)
            values = {card: value + SAFETY * (card in safe) for card, value in values.items()}
        return tuple(sorted(options, key=partial(_order, values)))

    def _is_worth_taking(self, view: View) -> bool:
        """Return whether the top of the pile is better than a card from the stock."""
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
                held = view.own.cards or ()
                have = pairs(held, rules)
                gain = card not in have and card in pairs((*held, card), rules)
                return gain and (rules.unseen_pickup == "free" or len(have) + 1 == SHOW_DUBLEES)
            case Aim.SHOW:
                now, then = show_distance(before, rules), show_distance(after, rules)
                if rules.unseen_pickup == "show_only":
                    return then == 0 < now
                if then < now or (now and self.takes_for_show):
                    return then < now
                return rough_distance(after, rules) < rough_distance(before, rules)

    def _widens(self, view: View, before: Hand, after: Hand) -> bool:
        """Return whether, one card from the finish, taking the discard makes many more of the unseen cards finish."""
        rules, card = view.rules, view.pile[-1]
        asked = finish_question(after, rules)
        others = {*after.concealed} - {card}
        near = [other for other in others if within(less(asked, other, after.wilds), 1)]
        waits = outs_after(after, asked, (*near, card), rules, 1)
        widest = max((waits[other] for other in near), default=0)
        return widest - waits[card] >= self.wider * sum(before.left(rules))


def _order(values: Mapping[Card, float], option: DiscardOption) -> tuple[int, float]:
    """Return the sort key of a discard: those with a nearer show first, then those that keep more value."""
    return (option.distance, -values.get(option.card, 0.0))


def _show(view: View) -> Action | None:
    """Return the show to make now: by groups rather than dublees, unless eight pairs finish at once."""
    if view.own.shown is not None:
        return None
    if must_show(view):
        with_taken = best_show(view)
        return shows(view)[0] if with_taken is None else Show(with_taken)
    faces = pairs(view.own.cards or (), view.rules)
    if len(faces) >= FINISH_DUBLEES and (action := dublee_show(view)) is not None:
        return action
    groups = best_show(view)
    if groups is not None:
        return Show(groups)
    return dublee_show(view)
