"""A first deal against a computer, for people who learn the game: always the same cards, really played."""

from collections.abc import Sequence
from typing import Final

from marriage.actions import Action
from marriage.apply import apply, replay
from marriage.decide import decide, start
from marriage.events import Event
from marriage.players import Greedy
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed
from marriage.state import Phase, State
from marriage.view import View, view

LEARNER: Final = 0
TEACHER: Final = 1
SEED: Final = (3720).to_bytes(32, "big")
"""Chosen for what happens when one plays as advised: a tunnela, a draw, a card from the pile, a show, a finish."""

_PLAYER: Final = Greedy()


def opening() -> tuple[Event, ...]:
    """The deal up to the learner's first decision."""
    key = DealSeed(SEED, "practice", 1)
    return _answered(tuple(start(PRESETS["pagat"], 2, TEACHER, key)))


def after(events: Sequence[Event], action: Action) -> tuple[Event, ...]:
    """The deal after an action of the learner's, and what the computer did then; raises IllegalAction."""
    return _answered((*events, *decide(replay(events), LEARNER, action)))


def advised(state: State) -> Action | None:
    """What the computer would do in the learner's place, by what he may know; None once the deal is over."""
    return None if state.phase is Phase.OVER else preferred(view(state, LEARNER))


def preferred(of: View) -> Action:
    """What the computer does with this view of a seat that may act."""
    return _PLAYER.choose(of)


def _answered(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The deal once the computer has done all that it is asked for."""
    state, log = replay(events), list(events)
    while _asked(state):
        for event in decide(state, TEACHER, _PLAYER.choose(view(state, TEACHER))):
            state = apply(state, event)
            log.append(event)
    return tuple(log)


def _asked(state: State) -> bool:
    match state.phase:
        case Phase.OVER:
            return False
        case Phase.WINDOW:
            return not state.seats[TEACHER].answered
        case _:
            return state.turn == TEACHER
