"""Find puzzles in a deal. Each moment is seen as one seat knew it, and nothing else enters a puzzle."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from marriage.apply import apply
from marriage.events import Drew, Event, TipluSeen, Took
from marriage.notation import read_position, write_position
from marriage.puzzles.computers import deal_between_computers, seats_of
from marriage.puzzles.finish_now import finish_now
from marriage.puzzles.puzzle import Puzzle
from marriage.puzzles.which_card import which_card
from marriage.puzzles.which_sets import which_sets
from marriage.state import PLAY, State
from marriage.view import View, mask, view

_ASKS: Final = (Drew, Took, TipluSeen)
"""The events after which a seat has a decision to make. After other events it may be in the middle of a move."""


class Found(NamedTuple):
    """A puzzle in a deal."""

    seat: int
    step: int
    """The number of events before the question."""
    position: str
    """The seat's knowledge, as written by `marriage.notation`; unknown cards are `??`."""
    puzzle: Puzzle


def puzzles_of(view: View) -> tuple[Puzzle, ...]:
    """Return the puzzles that this view poses to its viewer; none unless it is their turn to play a card."""
    if view.viewer is None or view.phase is not PLAY or view.turn != view.viewer:
        return ()
    found = (which_sets(view), finish_now(view), which_card(view))
    return tuple(puzzle for puzzle in found if puzzle is not None)


def puzzles_in(events: Sequence[Event], seats: Iterable[int]) -> Iterator[Found]:
    """Yield the puzzles that a deal posed to these seats, seat by seat and in the order of play."""
    for seat in seats:
        for found in _moments(events, seat):
            yield from found


def search_deal(events: Sequence[Event], seats: Sequence[int]) -> Generator[None, None, tuple[Found, ...]]:
    """Do the same as work that pauses after every moment, so that other work can run in between."""
    kept: list[Found] = []
    for seat in seats:
        for found in _moments(events, seat):
            kept += found
            yield
    return tuple(kept)


def search_computers(number: int) -> Generator[None, None, tuple[Found, ...]]:
    """Find the puzzles of the deal between computers with this number, as work that pauses."""
    events: list[Event] = []
    for event in deal_between_computers(number):
        events.append(event)
        yield
    return (yield from search_deal(events, range(seats_of(number))))


def _moments(events: Sequence[Event], seat: int) -> Iterator[tuple[Found, ...]]:
    """Yield the puzzles posed at every moment at which the seat had a decision to make."""
    state: State | None = None
    for step, event in enumerate(events, start=1):
        state = apply(state, mask(event, seat))
        if isinstance(event, _ASKS) and event.seat == seat:
            puzzles = puzzles_of(view(state, seat))
            yield tuple(Found(seat, step, write_position(state), puzzle) for puzzle in puzzles)


def view_of(position: str, seat: int) -> View:
    """Rebuild the view of a puzzle from its stored position; raises ValueError for a text that is no position."""
    return view(read_position(position), seat)
