"""A finished deal passes the audit, and none of its cards can be changed unnoticed."""

import random
from dataclasses import replace
from functools import cache
from itertools import count

import pytest

from marriage.apply import apply, replay
from marriage.cards import CARDS, UNKNOWN
from marriage.decide import decide, pack_place, start
from marriage.events import Dealt, Drew, Event, Reshuffled, TipluCut
from marriage.review import audit
from marriage.rules import preset
from marriage.strategy.players import GreedyPlayer
from marriage.view import view
from tests.marriage.dealing import actor, at_random, deal, play, seed


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


def cut_by_chance() -> tuple[list[Event], TipluCut, int]:
    """Return a deal up to its cut, the cut, and how many places it could have been made at."""
    before = start(preset("pagat", man_cards=6), 2, 0, seed(0))
    state, player = replay(before), GreedyPlayer(count_outs=False)
    while True:
        for event in decide(state, actor(state), player.choose(view(state, actor(state)))):
            if isinstance(event, TipluCut):
                return before, event, len(state.stock)
            before.append(event)
            state = apply(state, event)


def test_a_cut_left_to_chance_is_at_the_place_that_follows_from_the_seed():
    before, cut, places = cut_by_chance()
    stock = replay(before).stock
    assert (cut.chosen, cut.place) == (False, pack_place(stock, seed(0).cut(places)))
    audit([*before, cut], seed(0))
    for place in (other for other in range(places) if other != cut.place):
        forged = TipluCut(cut.seat, place, stock[place], chosen=False)
        with pytest.raises(
            ValueError, match=r"^the tiplu was not cut at the place that follows from the seed$"
        ):
            audit([*before, forged], seed(0))


@pytest.mark.parametrize("chosen", [True, None], ids=["chosen", "not noted, as in older events"])
def test_a_cut_may_be_at_another_place_unless_it_was_left_to_chance(chosen):
    before, cut, places = cut_by_chance()
    place = pack_place(replay(before).stock, (cut.place + 1) % places)
    audit([*before, TipluCut(cut.seat, place, replay(before).stock[place], chosen)], seed(0))


def test_a_cut_left_to_chance_passes_over_the_man_cards():
    rules = preset("pagat", man_cards=6)
    for number in count():
        [dealt] = start(rules, 2, 0, seed(number))
        named = seed(number).cut(len(dealt.stock))
        if not dealt.stock[named].is_pack:
            break
    place = pack_place(dealt.stock, named)
    audit([dealt, TipluCut(0, place, dealt.stock[place], chosen=False)], seed(number))


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
    for chosen in (None, True, False):
        audit([dealt, replace(cut, chosen=chosen)], seed(0))
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
