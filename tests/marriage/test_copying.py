from dataclasses import FrozenInstanceError, replace
from random import Random

import pytest

from marriage.state import Phase, changed_seat, changed_state
from tests.marriage.dealing import at_random, deal, play


def test_a_copy_is_what_replace_would_make_and_the_original_stays() -> None:
    dealt, _ = deal(3)
    for state, *_ in [(dealt,), *play(dealt, at_random(Random(3)))]:
        before = replace(state)
        for changes in ({}, {"version": 7}, {"phase": Phase.OVER, "pile": (), "tiplu": None}):
            assert changed_state(state, **changes) == replace(state, **changes)
        seat = state.seats[0]
        assert changed_seat(seat, out=True, cards=()) == replace(seat, out=True, cards=())
        assert state == before


def test_a_copy_is_frozen_and_has_no_other_fields() -> None:
    state, _ = deal(3)
    with pytest.raises(FrozenInstanceError):
        changed_state(state, version=7).version = 8  # type: ignore[misc]
    with pytest.raises(AttributeError):
        changed_state(state, tiplus=())
