"""Hints: what a good player would do, with true figures, using nothing that the holder may not see."""

import random

import pytest

from marriage.actions import Discard, DrawStock, Show, TakeDiscard
from marriage.cards import CARDS, without
from marriage.solver import Hand, distance, show_distance
from marriage.state import Phase
from marriage.strategy.advice import advise
from marriage.strategy.discards import Aim
from marriage.strategy.master import MasterPlayer
from marriage.strategy.players import GreedyPlayer
from marriage.view import view
from tests.marriage.dealing import Script, arranged, deal, play
from tests.render.test_secrecy import twin

GREEDY = GreedyPlayer(count_outs=False)
MASTER = MasterPlayer()


def moments(number, every=7):
    dealt, _ = deal(number)
    states = [dealt, *(after for after, *_ in play(dealt, GREEDY.choose))]
    return [state for state in states[::every] if state.phase is not Phase.OVER]


@pytest.mark.parametrize("number", range(3))
def test_the_hint_is_what_the_master_does(number):
    for state in moments(number):
        seat = state.turn
        mine = view(state, seat)
        assert advise(mine).action == MASTER.choose(mine)
        waiting = (seat + 1) % len(state.seats)
        if state.phase is not Phase.WINDOW:
            assert advise(view(state, waiting)).action is None


def test_figures_are_true():
    checked = 0
    for state in moments(4, every=1)[2:60]:
        mine = view(state, state.turn)
        if MASTER.aim(mine) is Aim.DUBLEES:
            continue
        advice, hand, rules = advise(mine), Hand.of(mine), mine.rules
        count = show_distance if mine.own.shown is None else distance
        assert advice.before == count(hand, rules)
        if not isinstance(advice.action, Discard):
            continue
        rest = Hand(
            without(hand.concealed, [advice.action.card]), hand.exposed, hand.laid, hand.tiplu, hand.dead
        )
        assert advice.after == count(rest, rules)
        assert advice.outs == sum(hand.left(rules)[card] for card in advice.helpful)
        assert [advice.action.card, advice.second and advice.second.card] == [
            option.card for option in MASTER.ranked(mine)[:2]
        ]
        for card in random.Random(1).sample(CARDS[:52], 12):
            richer = Hand(
                tuple(sorted((*rest.concealed, card))), rest.exposed, rest.laid, rest.tiplu, rest.dead
            )
            if hand.left(rules)[card] and count(richer, rules) < advice.after:
                assert card in advice.helpful
        checked += 1
    assert checked > 3


@pytest.mark.parametrize("number", range(3))
def test_hidden_cards_change_no_hint(number):
    chance = random.Random(number)
    for state in moments(number, every=9):
        for seat in range(len(state.seats)):
            other = twin(state, seat, chance)
            assert other.seats != state.seats
            assert advise(view(state, seat)) == advise(view(other, seat))


def test_a_card_that_helps_is_taken_and_another_is_not():
    hand = "2S 3S 4S 7H 7H 7H 9D 10D 2H 4H 6C 8C QC KC 3D 5D KS JS 9S 6S 5C"
    for up, expected in (("JD", TakeDiscard), ("2C", DrawStock)):
        table = Script(arranged(hand, "", up=up, stock="AD")).close_window()
        advice = advise(table.view(0))
        assert isinstance(advice.action, expected)
        assert (advice.before, advice.after) == ((1, 0) if expected is TakeDiscard else (1, 1))


def test_who_can_show_is_told_which_sets():
    hand = "2S 3S 4S 7H 7H 7H 9D 10D JD 4H 6C 8C QC KC 3D 5D KS JS 9S 6S 5C"
    advice = advise(Script(arranged(hand, "", up="2C", stock="AD")).close_window().draw().view(0))
    assert isinstance(advice.action, Show)
    assert advice.helpful == ()


def test_there_is_no_hint_after_the_end():
    dealt, _ = deal(1)
    last = [after for after, *_ in play(dealt, GREEDY.choose)][-1]
    with pytest.raises(ValueError, match="over"):
        advise(view(last, 0))
    with pytest.raises(ValueError, match="spectator"):
        advise(view(dealt, None))
