"""Boards: the same cards at several tables, a stock for every seat."""

import random
from dataclasses import replace
from itertools import chain

import pytest

from marriage.actions import CutTiplu, DeclineTunnelas, Discard, DrawStock
from marriage.apply import apply, replay
from marriage.cards import CARDS, MAN, UNKNOWN, sort_cards
from marriage.decide import decide, start
from marriage.duplicate_board import board_rules, share_out
from marriage.errors import IllegalActionError, Refusal
from marriage.events import Dismissed, Drew, Event, Reshuffled, TipluCut
from marriage.invariants import check_waiting
from marriage.legal import legal_actions
from marriage.moves import end_turn
from marriage.notation import deal_of, play, read_deal, read_position, write_deal, write_position
from marriage.review import audit
from marriage.rules import PRESETS
from marriage.sheet import Ending
from marriage.state import Phase, State
from marriage.strategy.players import GreedyPlayer
from marriage.view import view
from tests.marriage.dealing import actor, at_random, seed
from tests.marriage.dealing import play as play_on

RULES = PRESETS["pagat"]


def dealt(number: int = 1, players: int = 4, dealer: int = 0, rules=RULES) -> tuple[State, list[Event]]:
    events = start(rules, players, dealer, seed(number), board=True)
    return replay(events), events


@pytest.mark.parametrize(("players", "each", "out"), [(2, 56, 0), (3, 30, 1), (4, 17, 2), (5, 9, 4)])
def test_the_stock_goes_round(players, each, out):
    state, [event] = dealt(players=players)
    order = RULES.playing_order(players, 0)
    rest = event.stock[1:]
    assert state.stock == rest[0::players][:each]
    for place, seat in enumerate(order[1:], 1):
        assert state.stocks[seat] == rest[place::players][:each]
    assert state.stocks[order[0]] == ()
    assert state.aside == (event.stock[0], *rest[players * each :])
    assert len(state.aside) == 1 + out
    check_waiting(state)


def test_a_printed_joker_is_no_tiplu():
    shared = share_out((MAN, CARDS[3], CARDS[4], CARDS[5], CARDS[6]), (1, 0))
    assert shared == (((CARDS[4], CARDS[6]), (MAN, CARDS[5])), CARDS[3], ())
    assert share_out((UNKNOWN,) * 5, (0, 1)).stocks == ((UNKNOWN,) * 2, (UNKNOWN,) * 2)


def draws(events: list[Event], seat: int) -> list:
    return [event.card for event in events if isinstance(event, Drew) and event.seat == seat]


def test_nobody_elses_play_moves_a_card():
    """Each seat draws its own cards in the order of the board, no matter who takes discards in between."""
    seen: dict[int, list] = {}
    for chance in range(6):
        state, events = dealt(number=7)
        stocks = {
            seat: [state.stock, *state.stocks][0 if seat == state.turn else seat + 1] for seat in range(4)
        }
        for _, _, _, caused in play_on(state, at_random(random.Random(chance))):
            events += caused
        shuffled = any(isinstance(event, Reshuffled) for event in events)
        for seat in range(4):
            drawn = draws(events, seat)
            count = min(len(drawn), len(stocks[seat]))
            assert drawn[:count] == list(stocks[seat][:count])
            assert shuffled or len(drawn) <= len(stocks[seat])
            seen.setdefault(seat, []).append(drawn)
        audit(events, seed(7))
        half = replay(events[: len(events) // 2])
        assert read_position(write_position(half)) == half
        assert play(read_deal(write_deal(deal_of(events)))) == events
    assert len({len(stocks) for stocks in chain.from_iterable(seen.values())}) > 1, (
        "the deals went different ways"
    )


def test_computers_play_boards_to_the_end():
    player, endings, tiplus = GreedyPlayer(count_outs=False), [], set()
    for dealer in range(4):
        state, [event] = dealt(number=3, dealer=dealer)
        while state.phase is not Phase.OVER:
            seat = actor(state)
            for caused in decide(state, seat, player.choose(view(state, seat))):
                state = apply(state, caused)
                if isinstance(caused, TipluCut):
                    assert caused.card == event.stock[0]
                    tiplus.add(caused.card)
            check_waiting(state)
        endings.append(state.sheet.ending)
        assert sort_cards(state.all_cards()) == state.all_cards()
    assert endings.count(Ending.DISMISSED) == 0
    assert len(tiplus) == 1, "the tiplu is fixed, no matter who deals"


def test_nobody_chooses_where_the_tiplu_of_a_board_is_cut():
    state, events = dealt(number=3)
    player = GreedyPlayer(count_outs=False)
    while state.phase is not Phase.CUT:
        for caused in decide(state, actor(state), player.choose(view(state, actor(state)))):
            state = apply(state, caused)
    assert view(state, state.turn).board
    with pytest.raises(IllegalActionError) as refused:
        decide(state, state.turn, CutTiplu(1))
    assert refused.value.code is Refusal.NO_SUCH_PLACE
    [cut] = decide(state, state.turn, CutTiplu())
    assert cut == TipluCut(state.turn, 0, events[0].stock[0], chosen=False)


def test_an_open_tiplu_is_that_of_the_board():
    state, [event, turned] = dealt(rules=RULES.with_options(open_tiplu=True))
    assert turned.card == state.tiplu == event.stock[0]
    assert len(state.aside) == 2


def test_a_dry_seat_draws_from_the_discards():
    state, _ = dealt(players=4, rules=RULES.with_options(dublee=False))
    reshuffled = None
    chance = random.Random(1)
    while reshuffled is None and state.phase is not Phase.OVER:
        seat = actor(state)
        seen = view(state, seat)
        legal = [
            action
            for action in legal_actions(seen)
            if isinstance(action, DrawStock | Discard | DeclineTunnelas)
        ]
        for caused in decide(state, seat, chance.choice(legal)):
            before, state = state, apply(state, caused)
            if isinstance(caused, Reshuffled):
                reshuffled = (before, caused)
        check_waiting(state)
    before, event = reshuffled
    assert before.stock == ()
    assert state.stock == event.stock
    assert sorted(event.stock) == sorted(before.pile[:-1])
    assert decide(state, state.turn, DrawStock()) == [Drew(state.turn, event.stock[0])]


def test_a_dry_seat_draws_even_a_single_discard_from_under_the_top_one():
    state, _ = dealt(players=4)
    dry = replace(state, stock=())
    assert end_turn(replace(dry, pile=state.pile * 2), []) == [Reshuffled(stock=state.pile)]
    assert end_turn(dry, [])[0] == Dismissed()


def test_nothing_is_carried_from_board_to_board():
    rules = board_rules(
        PRESETS["wikipedia"].with_options(better_after=3, throw_foul=True, false_claim="foul")
    )
    assert (rules.better_after, rules.foul, rules.throw_foul, rules.false_claim) == (
        0,
        "off",
        False,
        "reject",
    )
    total = PRESETS["wikipedia-2010"].with_options(throw_foul=True)
    assert board_rules(total) == total
