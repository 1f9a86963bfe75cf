"""Hints: the advice, and the second best option, but only if there is one that is worse."""

from dataclasses import replace

import pytest

from marriage.actions import Discard
from marriage.analysis.hint import fewer_outs, hint_of
from marriage.analysis.options import second_best
from marriage.cards import parse_cards
from marriage.strategy.advice import advise
from marriage.view import view
from tests.marriage.dealing import Script, arranged, deal
from tests.marriage.test_second_best import moments


def test_a_hint_is_the_advice_with_what_else_might_be_done():
    told = silent = 0
    for seen in moments("pagat", every=16):
        hint, advice = hint_of(seen), advise(seen)
        assert hint.advice == advice
        alike = advice.second is not None and (
            advice.second.distance <= advice.after and fewer_outs(advice, advice.second) <= 0
        )
        if hint.second is None:
            silent += 1
            assert hint.points == 0
        else:
            told += 1
            assert not alike
            assert hint.second != advice.action
            other = None if advice.second is None else Discard(advice.second.card)
            assert (hint.second, hint.points) == second_best(seen, advice.action, other)
    assert told
    assert silent


def test_a_spectator_gets_no_hint():
    with pytest.raises(ValueError, match="spectator"):
        hint_of(view(deal(1, 4)[0], None))


def test_who_has_to_wait_gets_no_second_option():
    table = Script(arranged("", "")).close_window()
    hint = hint_of(table.view(1))
    assert (hint.advice.action, hint.second, hint.points) == (None, None, 0.0)


def test_a_worse_second_discard_is_told_with_what_it_costs():
    """A sequence is almost complete; without the four of hearts, one card fewer completes another one."""
    hand = "AS 2S 3S 5H 6H 7H 9C 10C 4H 7D AC 4D QC 6H 10S 7S 9H KH 10H QS 5D"
    seen = Script(arranged(hand, "", stock="4H")).close_window().draw().view(0)
    king, four = (Discard(card) for card in parse_cards("KH 4H"))
    hint = hint_of(seen)
    assert (hint.advice.action, hint.advice.outs) == (king, 27)
    assert hint.advice.second is not None
    assert (hint.advice.second.card, hint.advice.second.outs) == (four.card, 26)
    assert (hint.second, hint.points) == second_best(seen, king, four)
    assert hint.points > 0


def test_the_second_option_is_the_second_discard_of_the_advice_where_the_estimate_prefers_another():
    seen = moments("murder")[2]
    hint = hint_of(seen)
    estimated = second_best(seen, hint.advice.action)
    assert hint.advice.second is not None
    assert estimated is not None
    assert hint.second == Discard(hint.advice.second.card) != estimated[0]


def test_fewer_outs_are_counted_only_where_the_second_discard_leaves_the_hand_as_near():
    """Outs are not counted for a discard that leaves the hand further away."""
    advice = advise(moments("murder")[2])
    assert advice.second is not None
    assert fewer_outs(advice, replace(advice.second, outs=advice.outs - 4)) == 4
    assert fewer_outs(advice, replace(advice.second, outs=None)) == 0
