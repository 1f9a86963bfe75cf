"""Hidden cards dealt anew: what the seat knows stays as it is, and everything else may be anywhere."""

from random import Random
from typing import Any

import pytest

from marriage.actions import Discard, DrawStock, TakeDiscard
from marriage.analysis.deal_analysis import choices
from marriage.analysis.hidden import Memory, deal_anew
from marriage.apply import replay
from marriage.cards import Card, Cards, parse_cards
from marriage.decide import start
from marriage.duplicate_board import board_rules
from marriage.events import Discarded, Drew, Showed, ShowedDublees, TipluTurned, Took
from marriage.invariants import check
from marriage.rules import PRESETS, preset
from marriage.shuffle import DealSeed
from marriage.state import State
from marriage.strategy.players import BeginnerPlayer
from marriage.view import view
from tests.marriage.dealing import Script, act, arranged
from tests.marriage.example_hands import LAID, PRIMARY, REST
from tests.marriage.test_analysis import played

FIVE, SIX, SEVEN = parse_cards("5H 6H 7H")


def sampled(state: State, seat: int, remembered: dict[int, Cards] | None = None) -> list[State]:
    """Return thirty deals that the seat could be in."""
    found = [deal_anew(state, seat, remembered or {}, Random(number)) for number in range(30)]
    for other in found:
        check(other)
        assert view(other, seat) == view(state, seat)
    return found


# What everybody remembers


def test_a_card_taken_from_the_pile_is_remembered_until_it_is_thrown() -> None:
    memory = Memory()
    assert memory.held() == {}
    for event in (Took(1, FIVE), Discarded(1, SIX), Took(1, FIVE), Took(1, SEVEN), Took(2, FIVE)):
        memory.follow(event)
    assert memory.held() == {1: (FIVE, FIVE, SEVEN), 2: (FIVE,)}
    memory.follow(Discarded(1, FIVE))
    memory.follow(Discarded(0, SEVEN))
    assert memory.held() == {1: (FIVE, SEVEN), 2: (FIVE,)}


def test_a_card_drawn_from_the_stock_is_not_remembered() -> None:
    memory = Memory()
    memory.follow(Drew(1, FIVE))
    assert memory.held() == {}


@pytest.mark.parametrize(
    "shown",
    [
        Showed(1, (parse_cards("4H 5H 6H"), parse_cards("9C 9C 9C"))),
        ShowedDublees(1, ((FIVE,) * 2, (SIX,) * 2)),
    ],
    ids=["groups", "dublees"],
)
def test_a_taken_card_that_was_shown_is_no_longer_in_hand(shown: Showed | ShowedDublees) -> None:
    memory = Memory()
    for card in (FIVE, SIX, SEVEN):
        memory.follow(Took(1, card))
    memory.follow(shown)
    assert memory.held() == {1: (SEVEN,)}


# Dealing anew


@pytest.mark.parametrize(("preset", "board"), [("pagat", False), ("pagat", True), ("kathmandu", False)])
def test_hidden_cards_dealt_anew_change_nothing_that_the_seat_knows(preset: str, board: bool) -> None:
    """The new cards depend only on what the seat knows, so a rollout never peeks at the true cards."""
    asked = list(choices(played(BeginnerPlayer(), 5, preset, board=board), 0))[::3]
    assert asked
    for choice in asked:
        state, remembered = choice.position.state, choice.position.remembered
        other = deal_anew(state, 0, remembered, Random("one"))
        check(other)
        assert view(other, 0) == choice.view
        assert deal_anew(other, 0, remembered, Random("two")) == deal_anew(
            state, 0, remembered, Random("two")
        )
        for seat, cards in remembered.items():
            assert not set(cards) - set(other.seats[seat].cards) - set(state.seats[seat].laid)


def test_the_tiplu_of_a_board_dealt_anew_is_a_card_of_the_packs() -> None:
    """The tiplu is the first of the cards set aside, and it cannot be a man card."""
    rules = board_rules(PRESETS["pagat"].with_options(man_cards=6))
    state = replay(start(rules, 3, 0, DealSeed(bytes(32), "analysis", 1), board=True))
    others = [deal_anew(state, 0, {}, Random(number)) for number in range(160)]
    assert all(other.aside[0].is_pack for other in others)
    assert len({other.aside for other in others}) > 100
    for other in others:
        check(other)


def second_turn(**options: Any) -> Script:
    """Return a deal in which seat 0 has shown, has seen that the tiplu is the queen of diamonds, and threw the 6 of clubs."""
    rules = preset("pagat", **options)
    dealt = arranged(f"{PRIMARY} {REST}", "", stock="6C QD", rules=rules)
    turned = [TipluTurned(place=1, card=dealt.stock[1])] if rules.open_tiplu else []
    table = Script(dealt, *turned).close_window().draw().do(LAID)
    return (table if rules.open_tiplu else table.cut_to("QD")).throw("6C")


def test_hidden_hands_and_the_stock_are_dealt_anew_each_time() -> None:
    state = Script(arranged("", "")).close_window().draw().state
    others = sampled(state, 0)
    assert len({other.seats[1].cards for other in others}) == len({other.stock for other in others}) == 30
    assert len({other.key.seed for other in others} | {state.key.seed}) == 31


def test_the_tiplu_may_be_any_card_of_the_packs_for_who_has_not_seen_it() -> None:
    state = second_turn(man_cards=6).state
    tiplus = {other.tiplu for other in sampled(state, 1)}
    assert len(tiplus) > 15
    assert all(tiplu is not None and tiplu.is_pack for tiplu in tiplus)


def test_the_tiplu_stays_for_who_has_seen_it_or_where_it_is_open() -> None:
    assert {other.tiplu for other in sampled(second_turn().state, 0)} == {Card.parse("QD")}
    assert {other.tiplu for other in sampled(second_turn(open_tiplu=True).state, 1)} == {Card.parse("QD")}


def test_cards_that_were_taken_from_the_pile_stay_in_the_hand_and_others_do_not() -> None:
    state = second_turn().do(TakeDiscard()).state
    six = Card.parse("6C")
    assert all(six in other.seats[1].cards for other in sampled(state, 0, {1: (six,)}))
    assert not all(six in other.seats[1].cards for other in sampled(state, 0))


def test_a_remembered_card_that_lies_open_by_now_is_not_held_again() -> None:
    """Seat 0 laid its sequence of spades; only a card that it still conceals stays."""
    held = (*parse_cards("AS 2S 3S"), Card.parse("JS"))
    others = sampled(second_turn().state, 1, {0: held})
    assert all(Card.parse("JS") in other.seats[0].concealed() for other in others)
    assert len({other.seats[0].cards for other in others}) == 30


def test_a_deal_dealt_anew_can_be_played_on_past_the_end_of_its_stock() -> None:
    """The new order of the discards follows from the seed of the sampled deal."""
    state = deal_anew(Script(arranged("", "")).close_window().state, 0, {}, Random("one"))
    while not state.reshuffles:
        state, _ = act(state, state.turn, DrawStock())
        assert state.drawn is not None
        state, _ = act(state, state.turn, Discard(state.drawn))
