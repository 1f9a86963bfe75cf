"""The tunnela window: after the deal a seat may expose three identical cards for points."""

from marriage.apply import apply
from marriage.cards import Cards
from marriage.events import Event, TunnelasDeclined, TunnelasExposed, WindowClosed
from marriage.state import Phase, State


def expose(state: State, seat: int, faces: Cards) -> list[Event]:
    """The events of exposing the tunnelas of these faces."""
    return _answered(state, TunnelasExposed(seat=seat, faces=faces))


def decline(state: State, seat: int) -> list[Event]:
    """The events of exposing nothing."""
    return _answered(state, TunnelasDeclined(seat=seat))


def _answered(state: State, answer: Event) -> list[Event]:
    after = apply(state, answer)
    done = state.phase is Phase.WINDOW and all(seat.answered for seat in after.seats)
    return [answer, WindowClosed()] if done else [answer]
