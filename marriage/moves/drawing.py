"""Drawing a card: from the stock, or from the pile."""

from marriage.events import Event, drew, took
from marriage.state import State


def draw(state: State, seat: int) -> list[Event]:
    """The events of drawing the top card of the stock."""
    return [drew(seat, state.stock[0])]


def take(state: State, seat: int) -> list[Event]:
    """The events of taking the top card of the pile."""
    return [took(seat, state.pile[-1])]
