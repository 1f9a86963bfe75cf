"""Computer players: each chooses an action from the view of its seat."""

from dataclasses import dataclass
from random import Random
from typing import Protocol

from marriage.actions import (
    Action,
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Show,
    TakeDiscard,
)
from marriage.cards import sort_cards, without
from marriage.legal import dublee_show, finishes, legal_actions, may_take, shows, tunnelas
from marriage.moves.checks import must_show
from marriage.rules import FINISH_DUBLEES, SHOW_DUBLEES
from marriage.solver import Hand, distance, pairs, plan_show, rough_distance, show_distance
from marriage.state import Phase, ShowKind
from marriage.strategy.discards import DUBLEES_FROM, Aim, Lean, aim, discards
from marriage.view import View


class Player(Protocol):
    """An object that can play a seat."""

    def choose(self, view: View) -> Action:
        """The action for the viewer, who must be able to act."""
        ...


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Chooses uniformly among the legal actions."""

    random: Random

    def choose(self, view: View) -> Action:
        """A random legal action."""
        return self.random.choice(legal_actions(view))


@dataclass(frozen=True, slots=True)
class GreedyPlayer:
    """Shows and finishes as soon as it can, and always keeps the smallest distance to its aim.

    It exposes all its tunnelas, takes the discard only if that brings it nearer, and plays for dublees if it has six
    pairs while a show by groups is far away. It is deterministic.
    """

    count_outs: bool = True
    """Whether to prefer, among discards of equal distance, the one with the most outs: stronger, but slower."""
    uses_pile: bool = True
    """Whether it ever takes a discard."""
    dublees_from: tuple[int, ...] = DUBLEES_FROM
    """How many pairs are enough to collect dublees while 0, 1, 2 or more cards are missing for a show by groups."""
    takes_for_show: bool = False
    """Whether a hand that cannot show yet takes only discards that bring the show, not a finish, nearer."""
    lean: Lean | None = None
    """The preference that decides between nearly equal discards."""

    def choose(self, view: View) -> Action:
        """The action for the viewer, who must be able to act."""
        if (answer := tunnela_answer(view)) is not None:
            return answer
        match view.phase:
            case Phase.DRAW:
                takes = self.uses_pile and may_take(view) and self._is_worth_taking(view)
                return TakeDiscard() if takes else DrawStock()
            case Phase.CUT:
                return CutTiplu()
            case _:
                return _show(view) or next(iter(finishes(view)), None) or self._throw(view)

    def _throw(self, view: View) -> Discard:
        goal = aim(view, self.dublees_from)
        return Discard(discards(view, count_outs=self.count_outs, goal=goal, lean=self.lean)[0].card)

    def _is_worth_taking(self, view: View) -> bool:
        """Whether the top of the pile brings the hand nearer to its aim."""
        seat, card = view.own, view.pile[-1]
        if seat.shown is ShowKind.DUBLEES:
            return True  # a legal take always finishes then
        before = Hand.of(view)
        after = before._replace(
            concealed=sort_cards((*before.concealed, card)), dead=without(before.dead, [card])
        )
        match aim(view, self.dublees_from):
            case Aim.FINISH:
                return distance(after, view.rules) < distance(before, view.rules)
            case Aim.DUBLEES:
                have = pairs(seat.cards or (), view.rules)
                gain = card not in have and card in pairs((*(seat.cards or ()), card), view.rules)
                return gain and (_free_to_take(view) or len(have) + 1 == SHOW_DUBLEES)
            case Aim.SHOW:
                now, then = show_distance(before, view.rules), show_distance(after, view.rules)
                if not _free_to_take(view):
                    return then == 0 < now
                if then < now or (now and self.takes_for_show):
                    return then < now
                return rough_distance(after, view.rules) < rough_distance(before, view.rules)


def tunnela_answer(view: View) -> Action | None:
    """What a computer player answers about its tunnelas; None if it makes a move instead.

    It exposes all that it has. Out of turn, while its window is open, it may do nothing else.
    """
    faces = tunnelas(view)
    if view.own.answered or not (faces or view.phase is Phase.WINDOW or view.turn != view.viewer):
        return None
    return ExposeTunnelas(faces) if faces else DeclineTunnelas()


def _show(view: View) -> Action | None:
    """Return the show to make now: by groups rather than dublees, unless eight pairs finish at once."""
    seat, rules = view.own, view.rules
    if seat.shown is not None:
        return None
    if must_show(view):
        return shows(view)[0]  # with the card that was taken for it
    faces = pairs(seat.cards or (), rules) if rules.dublees_allowed(len(view.seats)) else ()
    if len(faces) >= FINISH_DUBLEES and (action := dublee_show(view)) is not None:
        return action
    groups = plan_show(Hand.of(view), rules)
    if groups is not None:
        return Show(groups)
    return dublee_show(view)


def _free_to_take(view: View) -> bool:
    """Whether the discard may be taken without showing with it at once."""
    return view.rules.unseen_pickup == "free"
