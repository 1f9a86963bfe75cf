from dataclasses import FrozenInstanceError, replace
from random import Random

import pytest

from marriage.state import SEATS, STATES, Phase
from tests.marriage.dealing import at_random, deal, play


def test_a_copy_is_what_replace_would_make_and_the_original_stays() -> None:
    dealt, _ = deal(3)
    for state, *_ in [(dealt,), *play(dealt, at_random(Random(3)))]:
        before = replace(state)
        for changes in ({}, {"version": 7}, {"phase": Phase.OVER, "pile": (), "tiplu": None}):
            assert STATES.changed(state, **changes) == replace(state, **changes)
        seat = state.seats[0]
        assert SEATS.changed(seat, out=True, cards=()) == replace(seat, out=True, cards=())
        assert state == before


def test_a_copy_is_frozen_and_has_no_other_fields() -> None:
    state, _ = deal(3)
    with pytest.raises(FrozenInstanceError):
        STATES.changed(state, version=7).version = 8  # type: ignore[misc]
    with pytest.raises(AttributeError):
        STATES.changed(state, tiplus=())


def test_a_hand_worked_out_before_is_not_taken_over_into_the_copy() -> None:
    state, _ = deal(3)
    cards = state.seats[0].cards
    laid = SEATS.changed(state.seats[0], laid=(cards[:3],))
    assert laid.concealed() == cards[3:]
    assert SEATS.changed(laid, cards=cards[:-1]).concealed() == cards[3:-1]
