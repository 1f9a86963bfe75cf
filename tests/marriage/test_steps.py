"""A deal step by step: each viewer is shown what it could know then, and no more."""

from dataclasses import replace

import pytest

from marriage.apply import apply, replay
from marriage.cards import UNKNOWN
from marriage.events import (
    Dealt,
    Discarded,
    Dismissed,
    Drew,
    Event,
    Finished,
    Settled,
    Showed,
    TipluCut,
    TipluSeen,
    TunnelasDeclined,
    TunnelasExposed,
    WindowClosed,
)
from marriage.moves import dismissed
from marriage.review import steps
from marriage.state import Phase
from marriage.strategy.players import GreedyPlayer
from marriage.view import mask, view
from tests.marriage.dealing import deal, play

QUIET = (TunnelasDeclined, WindowClosed, Settled)


def whole(number: int = 1, players: int = 3) -> list[Event]:
    state, events = deal(number, players)
    for *_, happened in play(state, GreedyPlayer(count_outs=False).choose):
        events = [*events, *happened]
    return events


@pytest.fixture(scope="module")
def events() -> list[Event]:
    return whole()


def test_every_event_that_is_worth_it_is_a_step(events):
    found = steps(events)
    assert [step.event for step in found] == [event for event in events if not isinstance(event, QUIET)]
    assert isinstance(found[0].event, Dealt)
    assert isinstance(found[-1].event, Finished)
    assert found[-1].state == replay(events)


def test_a_quiet_event_belongs_to_the_step_before_it(events):
    first = steps(events)[0]
    assert first.state.phase is Phase.DRAW
    assert all(seat.answered for seat in first.state.seats)


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_seat_sees_exactly_what_it_could_see_then(events, seat):
    """The view is folded from masked events only, independently of how the steps are made."""
    found = steps(events)
    state = None
    number = -1
    for event in events:
        state = apply(state, mask(event, seat))
        number += not isinstance(event, QUIET)
        following = events[state.version] if state.version < len(events) else None
        if isinstance(following, QUIET):
            continue
        moment = found[number].seen_by(seat)
        assert moment.view == view(state, seat)
        if not isinstance(event, QUIET):
            assert moment.event == mask(event, seat)


def test_hidden_cards_are_hidden_from_the_others(events):
    for step in steps(events):
        if isinstance(step.event, Drew | TipluCut | TipluSeen):
            for seat in (0, 1, 2, None):
                seen = step.seen_by(seat).event
                assert isinstance(seen, Drew | TipluCut | TipluSeen)
                assert (seen.card == UNKNOWN) == (seat != step.event.seat)


def test_with_every_hand_open_nothing_is_hidden(events):
    for step in steps(events):
        moment = step.opened()
        assert moment.event == step.event
        assert [seat.cards for seat in moment.view.seats] == [seat.cards for seat in step.state.seats]
        assert (moment.view.tiplu, moment.view.drawn) == (step.state.tiplu, step.state.drawn)
        spectator = view(step.state, None)
        assert replace(moment.view, seats=spectator.seats, tiplu=spectator.tiplu, drawn=None) == spectator


def test_turning_points_are_the_rare_events(events):
    notable = [step.event for step in steps(events) if step.notable]
    assert {type(event) for event in notable} >= {Dealt, Showed, TipluCut, Finished}
    assert not any(isinstance(event, Drew | Discarded) for event in notable)


def test_an_exposed_tunnela_is_a_step_and_a_dismissed_deal_ends_with_one():
    numbers = (number for number in range(100) if TunnelasExposed in map(type, whole(number, 5)))
    found = steps(whole(next(numbers), 5))
    assert any(isinstance(step.event, TunnelasExposed) and step.notable for step in found)
    state, events = deal(3)
    found = steps([*events, *dismissed(state)])
    assert [type(step.event) for step in found] == [Dealt, Dismissed]
    assert found[-1].state.phase is Phase.OVER


def test_no_events_are_no_steps():
    assert steps([]) == ()
    with pytest.raises(ValueError, match="first event"):
        steps([WindowClosed()])


def test_a_step_does_not_show_its_cards_in_a_log(events):
    assert "Card" not in repr(steps(events)[0])
