"""Whole deals played at random: every invariant after every event, and offered actions against legal ones."""

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
from marriage.cards import CARDS, Card
from marriage.decide import decide
from marriage.errors import IllegalActionError
from marriage.events import (
    EVENT,
    Dealt,
    Discarded,
    Event,
    Finished,
    FinishedDublees,
    Reshuffled,
    Settled,
    Took,
)
from marriage.legal import legal_actions
from marriage.rules import HAND_SIZE
from marriage.sheet import Ending, Sheet, Status
from marriage.state import Phase, ShowKind, State
from marriage.view import view
from tests.marriage.dealing import CHANCE, DEALING, DEALS, at_random, deal, play

SIMPLE: tuple[Action, ...] = (
    DeclineTunnelas(),
    DrawStock(),
    TakeDiscard(),
    CutTiplu(),
    *(Discard(card) for card in CARDS),
    *(ExposeTunnelas((card,)) for card in CARDS),
)


@settings(DEALING, max_examples=40)
@given(DEALS, CHANCE)
def test_a_deal_played_through(events: list[Event], chance: random.Random) -> None:
    begun = state = replay(events)
    for after, _, _, caused in play(begun, at_random(chance)):
        assert after.version == state.version + len(caused)
        assert [seat.out for seat in state.seats] <= [seat.out for seat in after.seats]
        state, events = after, [*events, *caused]
    settled = events[-1]
    assert isinstance(settled, Settled)
    assert state.sheet is settled.sheet
    assert replay(events) == state
    assert [EVENT.validate_json(EVENT.dump_json(event)) for event in events] == events
    agree_with_sheet(state, settled.sheet)


def agree_with_sheet(state: State, sheet: Sheet) -> None:
    assert sum(line.net for line in sheet.lines) == 0
    for seat, line in zip(state.seats, sheet.lines, strict=False):
        assert len(seat.cards) == HAND_SIZE + seat.out
        assert (line.status is Status.FOUL) == seat.out
        assert (line.status is Status.UNSEEN) == (not seat.out and seat.shown is None)
    debtors = sheet.lines[len(state.seats) :]
    assert all(line.status is Status.PAUSE for line in debtors)
    assert {seat for seat in state.carry if seat >= len(state.seats)} <= {len(state.seats)}
    if sheet.ending is Ending.DISMISSED:
        assert (sheet.winner, sheet.total) == (None, 0)
        assert sheet.owing[: len(state.carry)] == state.carry
    else:
        assert sheet.winner == state.turn
        assert state.seats[state.turn].seen
        doubled = state.rules.dublee_game == "double"
        doubled &= any(seat.shown is ShowKind.DUBLEES for seat in state.seats)
        assert sheet.factor == (state.rules.better_factor if state.better or doubled else 1)
        assert sheet.factor == view(state, None).factor


@settings(DEALING, max_examples=18)
@given(DEALS, CHANCE)
def test_what_is_offered_is_what_is_allowed(events: list[Event], chance: random.Random) -> None:
    begun = replay(events)
    agree(begun)
    for state, _, _, _ in play(begun, at_random(chance)):
        if state.phase is Phase.CUT or state.taken is not None or chance.random() < 0.05:
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
    except IllegalActionError:
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


@settings(DEALING, max_examples=12)
@given(DEALS, CHANCE)
def test_the_pile_remembers_who_discarded_each_card(events: list[Event], chance: random.Random) -> None:
    begun = replay(events)
    pile: list[tuple[Card, int | None]] = [(begun.pile[0], None)]
    for after, _, _, caused in play(begun, at_random(chance)):
        for event in caused:
            match event:
                case Discarded(seat=seat, card=card) | Finished(seat=seat, discard=card):
                    pile.append((card, seat))
                case FinishedDublees(seat=seat, discard=card):
                    pile.append((card, seat))
                case Took():
                    pile.pop()
                case Reshuffled():
                    del pile[:-1]
                case _:
                    pass
        assert view(after, None).discards == tuple(pile)
