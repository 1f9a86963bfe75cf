"""Whole deals played at random: every invariant after every event, and what is offered against what is allowed."""

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from marriage.actions import (
    Action,
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    TakeDiscard,
)
from marriage.apply import replay
from marriage.cards import CARDS
from marriage.decide import decide
from marriage.errors import IllegalAction
from marriage.events import EVENT, Dealt, Settled
from marriage.legal import legal_actions
from marriage.rules import HAND_SIZE
from marriage.sheet import Ending
from marriage.state import Phase, State
from marriage.view import view
from tests.marriage.dealing import at_random, deal, play

DEALS = st.builds(deal, st.integers(0, 2**32), players=st.integers(2, 5), dealer=st.sampled_from([0, 1]))
SIMPLE: tuple[Action, ...] = (
    DeclineTunnelas(),
    DrawStock(),
    TakeDiscard(),
    CutTiplu(),
    *(Discard(card) for card in CARDS),
    *(ExposeTunnelas((card,)) for card in CARDS),
)


@settings(deadline=None, max_examples=20)
@given(DEALS, st.builds(random.Random, st.integers(0, 2**32)))
def test_a_deal_played_through(dealt, chance: random.Random) -> None:
    state, events = dealt
    for after, _, _, caused in play(state, at_random(chance)):
        assert after.version == state.version + len(caused)
        state, events = after, [*events, *caused]
    settled = events[-1]
    assert isinstance(settled, Settled)
    assert state.sheet is settled.sheet
    assert all(len(hand) == HAND_SIZE for hand in settled.hands)
    assert sum(line.net for line in settled.sheet.lines) == 0
    if settled.sheet.ending is Ending.DISMISSED:
        assert settled.sheet.winner is None
    else:
        assert settled.sheet.winner == state.turn
    assert [EVENT.validate_json(EVENT.dump_json(event)) for event in events] == events
    assert replay(events) == state


@settings(deadline=None, max_examples=10)
@given(DEALS, st.builds(random.Random, st.integers(0, 2**32)))
def test_what_is_offered_is_what_is_allowed(dealt, chance: random.Random) -> None:
    dealt_state, _ = dealt
    agree(dealt_state)
    for state, _, _, _ in play(dealt_state, at_random(chance)):
        if state.phase is Phase.CUT or chance.random() < 0.04:
            agree(state)


def agree(state: State) -> None:
    for seat in range(len(state.seats)):
        offered = legal_actions(view(state, seat))
        assert len(set(offered)) == len(offered)
        for action in offered:
            assert decide(state, seat, action)
        for action in SIMPLE:
            assert (action in offered) == allowed(state, seat, action), (seat, action)


def allowed(state: State, seat: int, action: Action) -> bool:
    try:
        decide(state, seat, action)
    except IllegalAction:
        return False
    return True


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32), st.integers(2, 5), st.integers(0, 3), st.sampled_from(["off", "always"]))
def test_the_deal_itself(number: int, players: int, man_cards: int, master: str) -> None:
    state, (dealt,) = deal(number, players, man_cards=man_cards, master_card=master)
    assert isinstance(dealt, Dealt)
    deck = state.rules.deck_size
    assert [len(hand) for hand in dealt.hands] == [HAND_SIZE] * players
    assert len(dealt.stock) == deck - HAND_SIZE * players - 1
    assert state.pile == (dealt.up_card,)
    faces = Counter(state.all_cards())
    assert sorted(faces.values()) == sorted(
        [3] * 52 + [man_cards] * (man_cards > 0) + [1] * (master != "off")
    )
    assert state.turn == 1
    assert state.phase is Phase.WINDOW
