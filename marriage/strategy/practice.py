"""The practice deal: a real deal against a computer player, always with the same cards, for people learning the game."""

from collections.abc import Sequence
from typing import Final

from marriage.actions import Action
from marriage.apply import apply, replay
from marriage.decide import decide, start
from marriage.events import Event
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed
from marriage.state import Phase, State
from marriage.strategy.players import GreedyPlayer
from marriage.view import View, view

LEARNER: Final = 0
TEACHER: Final = 1
SEED: Final = (3720).to_bytes(32, "big")
"""Chosen so that a learner who follows the advice meets a tunnela, a draw, a discard to take, a show and a finish."""

_PLAYER: Final = GreedyPlayer()


def opening() -> tuple[Event, ...]:
    """Return the events up to the learner's first decision: whether to expose a tunnela."""
    return _answered(tuple(start(PRESETS["pagat"], 2, TEACHER, DealSeed(SEED, "practice", 1))))


def after(events: Sequence[Event], action: Action) -> tuple[Event, ...]:
    """Return all events after an action of the learner and the computer's answer; raises IllegalActionError."""
    return _answered((*events, *decide(replay(events), LEARNER, action)))


def advised(state: State) -> Action | None:
    """Return the computer player's action for the learner, from their view; None once the deal is over."""
    return None if state.phase is Phase.OVER else preferred(view(state, LEARNER))


def preferred(view: View) -> Action:
    """Return the action that the computer player chooses for the viewer, who must be able to act."""
    return _PLAYER.choose(view)


def _answered(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the events after the computer has taken all actions that are its turn."""
    state, log = replay(events), list(events)
    while _is_computers_turn(state):
        for event in decide(state, TEACHER, _PLAYER.choose(view(state, TEACHER))):
            state = apply(state, event)
            log.append(event)
    return tuple(log)


def _is_computers_turn(state: State) -> bool:
    match state.phase:
        case Phase.OVER:
            return False
        case Phase.WINDOW:
            return not state.seats[TEACHER].answered
        case _:
            return state.turn == TEACHER
