"""A finished deal passes the audit, and none of its cards can be changed unnoticed."""

import random
from dataclasses import replace
from functools import cache

import pytest

from marriage.cards import CARDS
from marriage.events import Dealt, Drew, Reshuffled, TipluCut
from marriage.review import audit
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
    with pytest.raises(ValueError, match="order of the deck"):
        audit(finished(0), seed(1))


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [(Drew, "top of the stock"), (TipluCut, "place where it was cut"), (Reshuffled, "follow from the seed")],
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
    with pytest.raises(ValueError, match=sentence):
        audit([*log[:at], forged, *log[at + 1 :]], seed(number))


def test_a_log_begins_with_the_deal():
    with pytest.raises(ValueError, match="first event is not the deal"):
        audit(finished(0)[1:], seed(0))
    assert isinstance(finished(0)[0], Dealt)
