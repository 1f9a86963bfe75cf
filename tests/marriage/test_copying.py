"""Quick copies of seats and states: they are what `replace` would make, frozen, and keep nothing worked out before."""

from dataclasses import FrozenInstanceError, replace
from random import Random

import pytest

from marriage.state import SEATS, Copies, Phase, Seat, State
from tests.marriage.dealing import at_random, deal, play


@pytest.fixture
def states() -> Copies[State]:
    return Copies(State)


@pytest.fixture
def seats() -> Copies[Seat]:
    return Copies(Seat)


def test_a_copy_is_what_replace_would_make_and_the_original_stays(
    states: Copies[State], seats: Copies[Seat]
) -> None:
    dealt, _ = deal(3)
    for state, *_ in [(dealt,), *play(dealt, at_random(Random(3)))]:
        before = replace(state)
        for changes in ({}, {"version": 7}, {"phase": Phase.OVER, "pile": (), "tiplu": None}):
            assert states.changed(state, **changes) == replace(state, **changes)
        seat = state.seats[0]
        assert seats.changed(seat, out=True, cards=()) == replace(seat, out=True, cards=())
        assert state == before


def test_a_copy_is_frozen_and_has_no_other_fields(states: Copies[State]) -> None:
    state, _ = deal(3)
    with pytest.raises(FrozenInstanceError):
        states.changed(state, version=7).version = 8  # type: ignore[misc]
    with pytest.raises(AttributeError):
        states.changed(state, tiplus=())


def test_a_hand_worked_out_before_is_not_taken_over_into_the_copy(seats: Copies[Seat]) -> None:
    state, _ = deal(3)
    cards = state.seats[0].cards
    laid = seats.changed(state.seats[0], laid=(cards[:3],))
    assert laid.concealed() == cards[3:]
    assert SEATS.changed(laid, cards=cards[:-1]).concealed() == cards[3:-1]
