"""The strongest computer player where its nets were judged: nets judge takes and discards before a show (docs/players.md).

It has nets for the classes of incentives in which they were judged: what becomes of the maal of those who have not seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from operator import mul
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from marriage.actions import Action, Discard, DrawStock, TakeDiscard
from marriage.cards import Card, Cards
from marriage.legal import may_take
from marriage.rules import PRESETS, Rules
from marriage.state import Phase
from marriage.strategy.before_show import WEIGHTS, maal_lost
from marriage.strategy.discards import NO_DUBLEES, Aim, Lean, aim, safe_faces
from marriage.strategy.master import SAFETY, MasterPlayer
from marriage.strategy.net_features import (
    Features,
    Situation,
    discard_features,
    discard_options,
    take_features,
)
from marriage.strategy.players import GreedyPlayer, tunnela_answer
from marriage.view import View

SEATS: Final = 4
"""The number of seats that the nets were trained for."""
NETS: Final = {
    "pagat": "pagat",
    "murder": "murder",
    "kidnap": "pagat",
    "kathmandu": "pagat",
    "wikipedia": "pagat",
    "gambiter": "pagat",
}
"""For the incentives of a preset, the preset whose nets play there. None was measured below the master (docs/players.md)."""
_SAME_INCENTIVES: Final = {
    "direction",
    "first_dealer",
    "stock_out",
    "reshuffle_cap",
    "better_after",
    "better_factor",
    "foul",
    "foul_points",
    "false_claim",
    "dead_hand",
}
"""The options that may differ from those of the training, because they do not change what a hand is worth."""
_GREEDY: Final = GreedyPlayer()
_MASTER: Final = MasterPlayer()


class Net(BaseModel):
    """A net with one hidden layer of rectified units, plus a linear part."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    units: tuple[tuple[float, ...], ...]
    """The weights of the features for each hidden unit."""
    bias: tuple[float, ...]
    out: tuple[float, ...]
    """The weight of each hidden unit in the output."""
    linear: tuple[float, ...]
    """The weights of the features themselves."""

    def value(self, features: Sequence[float]) -> float:
        """Return the net's output for these features, in points."""
        total = sum(map(mul, self.linear, features))
        for weights, bias, out in zip(self.units, self.bias, self.out, strict=True):
            unit = bias + sum(map(mul, weights, features))
            if unit > 0:
                total += out * unit
        return total


class Nets(BaseModel):
    """The nets for one class of incentives, and their origin. `python -m training fit` writes them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: int
    preset: str
    made: str
    """The date of the fit."""
    seed: str
    """The seed of the labelled deals; their purpose is "fit"."""
    deals: int
    rollouts: int
    """The number of rollouts of each option."""
    takes: int
    """The number of labelled takes."""
    discards: int
    """The number of labelled discards."""
    caution: float
    """The points by which a discard must be better than that of greedy+outs; included in the net."""
    simulator: str
    """A digest of the simulator's sources."""
    numpy: str
    """The version of numpy."""
    begun_from: str | None = None
    """The preset whose nets these are, but for a linear part that was fitted to the labels of this one; None for their own."""
    take: Net
    """The net for the points that a take gains over a draw."""
    discard: Net
    """The net for the points that a discard leaves, comparable within a decision."""


@cache
def nets(preset: str) -> Nets:
    """The packaged nets that were trained in a preset; `python -m training fit` writes them."""
    return Nets.model_validate_json((files("marriage.strategy") / f"expert-{preset}.json").read_text())


def nets_for(rules: Rules, players: int) -> Nets | None:
    """The nets that play by these incentives with this number of seats; None if there are none."""
    if players != SEATS:
        return None
    asked = _incentives(rules)
    return next((nets(NETS[preset]) for preset in NETS if _known(preset) == asked), None)


@cache
def _known(preset: str) -> dict[str, Any]:
    return _incentives(PRESETS[preset])


def _incentives(rules: Rules) -> dict[str, Any]:
    """The options that change what a hand is worth."""
    options = rules.model_dump(exclude=_SAME_INCENTIVES)
    if (
        rules.unseen_maal == "void" and rules.tunnel_pachaunu
    ):  # then the tunnelas of the unseen are void as well
        options["unseen_maal"] = "murder"
    return options


@dataclass(frozen=True, slots=True)
class ExpertPlayer:
    """Plays like `GreedyPlayer`, but nets choose takes and discards before a show.

    It is deterministic. After a show it takes cards as the master does. Under rules that the nets were not
    trained for, it plays like the master altogether.
    """

    habits: MasterPlayer = _MASTER
    """The master that it follows otherwise, and whose lean and love of maal it shares."""
    dublees_from: tuple[int, ...] = (NO_DUBLEES,)
    """How many pairs are enough to collect dublees regardless of the nets, as in `MasterPlayer`."""

    def choose(self, view: View) -> Action:
        """Return the action for the viewer, who must be able to act."""
        trained = nets_for(view.rules, view.players)
        if trained is None:
            return self.habits.choose(view)
        own = view.own
        if own.shown is not None:
            return self.habits.choose(view) if view.phase is Phase.DRAW else _GREEDY.choose(view)
        if (answer := tunnela_answer(view)) is not None:
            return answer
        if aim(view, self.dublees_from) is Aim.DUBLEES:
            return self.habits.choose(view)
        if view.phase is Phase.DRAW:
            takes = may_take(view) and trained.take.value(take_features(Situation(view))) > 0
            return TakeDiscard() if takes else DrawStock()
        action = _GREEDY.choose(view)
        return (
            Discard(self._thrown(view, action.card, trained.discard))
            if isinstance(action, Discard)
            else action
        )

    def _thrown(self, view: View, base: Card, net: Net) -> Card:
        """Return the discard; of equal ones that of greedy+outs, then the lowest face."""
        situation = Situation(view)
        options = discard_options(situation, base)
        likes = self._likes(view, options, situation.left)

        def value(card: Card) -> float:
            features: Features = discard_features(situation, card, is_base=card == base)
            return net.value(features) + likes.get(card, 0.0)

        return max(options, key=value)

    def _likes(self, view: View, options: Cards, left: Sequence[int]) -> dict[Card, float]:
        """Return the points that a temper adds to discards."""
        if self.habits.lean is Lean.SAFE:
            return dict.fromkeys(safe_faces(view), SAFETY)
        weights = self.habits.weights
        if weights is None or weights.maal == WEIGHTS.maal:
            return {}
        more = (weights.maal - WEIGHTS.maal) * (view.players - 1)
        return {card: -more * lost for card, lost in maal_lost(view, options, left).items()}
