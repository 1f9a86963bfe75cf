"""Play a deal to its end with a computer player at every seat."""

from collections.abc import Iterator, Sequence

from marriage.apply import apply, replay
from marriage.decide import decide
from marriage.events import Event
from marriage.state import OVER, WINDOW, State
from marriage.strategy.players import Player
from marriage.view import view


def play_out(events: Sequence[Event], players: Sequence[Player]) -> Iterator[Event]:
    """Yield all events of a deal, from first to last. `players` sit at the seats; `events` have already happened."""
    yield from events
    yield from (event for event, _ in play_on(replay(events), players))


def play_on(state: State, players: Sequence[Player]) -> Iterator[tuple[Event, State]]:
    """Yield the events from this state to the end of the deal, each with the state after it."""
    while state.phase is not OVER:
        seat = _next_to_act(state)
        for event in decide(state, seat, players[seat].choose(view(state, seat))):
            state = apply(state, event)
            yield event, state


def _next_to_act(state: State) -> int:
    if state.phase is not WINDOW:
        return state.turn
    return next(index for index, seat in enumerate(state.seats) if not seat.answered)
