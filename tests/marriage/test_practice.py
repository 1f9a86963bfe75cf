from random import Random

import pytest

from marriage.actions import CutTiplu, Discard, DrawStock, ExposeTunnelas, Finish, Show, TakeDiscard
from marriage.apply import replay
from marriage.errors import IllegalActionError
from marriage.invariants import check
from marriage.legal import tunnelas
from marriage.state import Phase
from marriage.strategy.players import RandomPlayer
from marriage.strategy.practice import LEARNER, TEACHER, advised, after, opening
from marriage.view import view

MOST_TURNS = 6


def test_as_advised_it_teaches_every_kind_of_move_and_is_won_in_a_few_turns() -> None:
    events, done = opening(), []
    while (action := advised(replay(events))) is not None:
        done.append(type(action))
        events = after(events, action)
    state = replay(events)
    assert state.sheet.winner == LEARNER
    assert set(done) == {ExposeTunnelas, DrawStock, TakeDiscard, Discard, Show, CutTiplu, Finish}
    assert done.index(Show) < done.index(CutTiplu) < done.index(Finish)
    assert done.count(Discard) < MOST_TURNS
    assert not state.seats[TEACHER].shown


@pytest.mark.parametrize("seed", range(6))
def test_it_survives_whatever_the_learner_does(seed: int) -> None:
    player, events = RandomPlayer(Random(seed)), opening()
    for _ in range(400):
        state = replay(events)
        check(state)
        if state.phase is Phase.OVER:
            break
        assert state.phase is Phase.WINDOW or state.turn == LEARNER
        assert advised(state) is not None
        events = after(events, player.choose(view(state, LEARNER)))
    assert replay(events).phase is Phase.OVER


def test_a_broken_rule_changes_nothing() -> None:
    events = opening()
    with pytest.raises(IllegalActionError):
        after(events, DrawStock())
    assert opening() == events


def test_the_first_decision_is_about_a_tunnela() -> None:
    state = replay(opening())
    assert state.phase is Phase.WINDOW
    assert state.seats[TEACHER].answered
    assert tunnelas(view(state, LEARNER))
