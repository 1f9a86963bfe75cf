"""Whole deals for tests: started from a seed, played at random among what is legal, checked at every step."""

import random
from collections.abc import Callable, Iterator

from marriage.actions import Action, Discard, Finish, FinishDublees, Show, ShowDublees
from marriage.apply import apply, replay
from marriage.check import check
from marriage.decide import decide, start
from marriage.events import Event
from marriage.legal import legal_actions
from marriage.rules import Rules
from marriage.shuffle import DealSeed
from marriage.state import Phase, State
from marriage.view import View, view

Chooser = Callable[[View], Action]


def seed(number: int) -> DealSeed:
    return DealSeed(number.to_bytes(32, "big"), "test", 1)


def deal(number: int, players: int = 4, dealer: int = 0, **options: object) -> tuple[State, list[Event]]:
    events = start(Rules.model_validate(options), players, dealer, seed(number))
    return replay(events), events


def actor(state: State) -> int:
    """The seat that is asked next."""
    if state.phase is Phase.WINDOW:
        return next(seat for seat, held in enumerate(state.seats) if not held.answered)
    return state.turn


def play(
    state: State, choose: Chooser, most: int = 5_000
) -> Iterator[tuple[State, int, Action, list[Event]]]:
    """Every state after an action, until the deal is over."""
    for _ in range(most):
        if state.phase is Phase.OVER:
            return
        seat = actor(state)
        action = choose(view(state, seat))
        events = decide(state, seat, action)
        for event in events:
            state = apply(state, event)
            if event is events[-1]:
                check(state)
        yield state, seat, action, events
    raise AssertionError("the deal does not end")


def at_random(chance: random.Random) -> Chooser:
    """Chooses anything legal, but shows and finishes whenever it may."""

    def choose(seen: View) -> Action:
        actions = legal_actions(seen)
        good = [a for a in actions if isinstance(a, Show | ShowDublees | Finish | FinishDublees)]
        if good:
            return chance.choice(good)
        return chance.choice(actions)

    return choose


def discards(actions: tuple[Action, ...]) -> list[Discard]:
    return [action for action in actions if isinstance(action, Discard)]
