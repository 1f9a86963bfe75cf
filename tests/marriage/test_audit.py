"""A finished deal passes the audit, and none of its cards can be changed unnoticed."""

import random
from dataclasses import replace
from functools import cache

import pytest

from marriage.apply import replay
from marriage.cards import CARDS, UNKNOWN
from marriage.decide import start
from marriage.events import Dealt, Drew, Reshuffled, TipluCut
from marriage.review import audit
from marriage.rules import preset
from tests.marriage.dealing import at_random, deal, play, seed


@cache
def finished(number: int):
    state, events = deal(number, 2)
    log = list(events)
    for _state, _seat, _action, more in play(state, at_random(random.Random(number))):
        log += more
    return log


@pytest.mark.parametrize("number", range(4))
def test_an_honest_deal_checks_out(number):
    audit(finished(number), seed(number))


def test_another_seed_does_not():
    with pytest.raises(ValueError, match=r"^the cards were not dealt in the order of the deck$"):
        audit(finished(0), seed(1))


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (Drew, r"a card drawn by seat [01] was not the top of the stock"),
        (TipluCut, "the tiplu is not the card at the place where it was cut"),
        (Reshuffled, "reshuffle 1 does not follow from the seed"),
    ],
)
def test_a_changed_card_is_noticed(kind, sentence):
    number, log, at = next(
        (number, log, index)
        for number, log in enumerate(map(finished, range(4)))
        for index, event in enumerate(log)
        if isinstance(event, kind)
    )
    event = log[at]
    forged = (
        replace(event, stock=event.stock[::-1])
        if isinstance(event, Reshuffled)
        else replace(event, card=next(card for card in CARDS if card != event.card))
    )
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        audit([*log[:at], forged, *log[at + 1 :]], seed(number))


def test_a_log_begins_with_the_deal():
    for log in ([], finished(0)[1:]):
        with pytest.raises(ValueError, match=r"^the first event is not the deal$"):
            audit(log, seed(0))
    assert isinstance(finished(0)[0], Dealt)


@pytest.mark.parametrize("options", [{}, {"open_tiplu": True}])
def test_the_stakes_of_a_deal_do_not_change_its_cards(options):
    rules = preset("pagat", **options)
    audit(start(rules, 3, 1, seed(1), better=True, carry=(2,), board=True), seed(1))


def test_the_tiplu_of_a_board_is_the_first_of_the_cards_put_aside():
    dealt = replace(finished(0)[0], board=True)
    state = replay([dealt])
    cut = TipluCut(seat=0, place=0, card=state.aside[0])
    audit([dealt, cut], seed(0))
    for wrong in (
        replace(cut, place=1),
        replace(cut, card=state.aside[1] if len(state.aside) > 1 else UNKNOWN),
    ):
        with pytest.raises(ValueError, match="where it was cut"):
            audit([dealt, wrong], seed(0))


def test_the_second_reshuffle_is_another_than_the_first():
    dealt = finished(0)[0]
    state = replay([dealt])
    first = Reshuffled((*state.stock, *seed(0).reshuffle(1, ())))
    again = Reshuffled(first.stock)
    audit([dealt, first, again], seed(0))
    with pytest.raises(ValueError, match=r"^reshuffle 2 does not follow from the seed$"):
        audit([dealt, first, Reshuffled(first.stock[::-1])], seed(0))


def test_no_other_card_put_aside_can_be_the_tiplu_of_a_board():
    [dealt] = start(preset("pagat"), 3, 0, seed(1), board=True)
    state = replay([dealt])
    assert len(state.aside) > 1
    with pytest.raises(ValueError, match="where it was cut"):
        audit([dealt, TipluCut(seat=1, place=1, card=state.aside[1])], seed(1))
