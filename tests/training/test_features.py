"""The simulator and the player compute the same features of a decision, number by number."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from marriage.actions import Action, Discard
from marriage.arena.match import ArenaMatch
from marriage.decide import start
from marriage.duplicate_board import board_rules
from marriage.legal import may_take
from marriage.rules import PRESETS
from marriage.state import Phase
from marriage.strategy.net_features import (
    IS_BASE,
    Features,
    Situation,
    discard_features,
    discard_options,
    take_features,
)
from marriage.strategy.players import GreedyPlayer, play_out
from marriage.view import View
from training.simulator import SEATS, Simulator, deals, has_compiler

pytestmark = pytest.mark.skipif(
    not has_compiler(), reason="the simulator is compiled with gcc, which is not here"
)


@dataclass
class Noting:
    """Plays as greedy+outs, and notes the features of its decisions before a show."""

    takes: list[Features] = field(default_factory=list)
    discards: list[Features] = field(default_factory=list)
    faces: list[int] = field(default_factory=list)

    def choose(self, view: View) -> Action:
        action = GreedyPlayer().choose(view)
        if view.own.shown is None and view.phase is Phase.DRAW and may_take(view):
            self.takes.append(take_features(Situation(view)))
        if view.own.shown is None and isinstance(action, Discard):
            situation = Situation(view)
            options = discard_options(situation, action.card)
            if len(options) > 1:
                self.faces += options
                for card in options:
                    self.discards.append(discard_features(situation, card, is_base=card == action.card))
        return action


@pytest.mark.parametrize(
    ("number", "preset"),
    [(0, "pagat"), (1, "murder"), (2, "kidnap"), (3, "pagat"), (4, "murder"), (5, "kidnap")],
)
def test_both_see_the_same_features(number: int, preset: str):
    match = ArenaMatch(("",), PRESETS[preset], 1, purpose="fit")
    dealt = start(board_rules(match.rules), SEATS, number % SEATS, match.key(number), board=True)
    noted = Noting()
    assert list(play_out(dealt, [noted] * SEATS))
    takes, discards = Simulator(PRESETS[preset]).labels(
        deals("fit", 1, first=number), rollouts=0, takes=1.0, discards=1.0
    )
    assert len(takes.values) > SEATS
    assert discards.faces.tolist() == noted.faces
    starts = np.diff(discards.decisions, prepend=-1) > 0
    assert ((discards.features[:, IS_BASE] == 1) == starts).all()
    np.testing.assert_allclose(takes.features, np.array(noted.takes), atol=1e-5)
    np.testing.assert_allclose(discards.features, np.array(noted.discards), atol=1e-5)
