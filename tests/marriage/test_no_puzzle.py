"""When a turn poses no puzzle: there is no clear answer, or the rules leave no choice."""

from dataclasses import replace

import pytest

from marriage.events import Event, TipluTurned
from marriage.puzzles import PuzzleKind, puzzles_of
from marriage.puzzles.finding import finish_now, which_card, which_sets
from marriage.rules import preset
from marriage.state import DUBLEES
from marriage.view import SeatView, View
from tests.marriage.dealing import Script, arranged
from tests.marriage.example_hands import LAID, PRIMARY, REST


def shown(**options: object) -> Script:
    """Return a deal whose seat 0 has just shown and may finish by throwing the 6 of clubs."""
    rules = preset("pagat", **options)
    dealt = arranged(f"{PRIMARY} {REST}", "", stock="6C QD", rules=rules)
    events: list[Event] = [dealt]
    if rules.open_tiplu:
        events.append(TipluTurned(place=1, card=dealt.stock[1]))
    table = Script(*events).close_window().draw().do(LAID)
    return table if rules.open_tiplu else table.cut_to("QD")


def turn(hand: str, **options: object) -> View:
    """Return the view before the discard from this hand of 22 cards."""
    *dealt, drawn = hand.split()
    rules = preset("pagat", tunnela_window="own_first_draw", **options)
    table = Script(arranged(" ".join(dealt), "", "", up="KC", stock=drawn, rules=rules))
    return table.close_window().draw().view(0)


def with_other(view: View, **changes: object) -> View:
    """Return the view with seat 1 changed."""
    other: SeatView = replace(view.seats[1], **changes)
    return replace(view, seats=(view.seats[0], other))


# Finish now


def test_a_finish_that_nothing_outweighs_is_a_puzzle() -> None:
    puzzle = finish_now(shown().view(0))
    assert puzzle is not None
    assert (str(puzzle.answer.card), puzzle.answer.points) == ("6C", 0)
    assert not puzzle.goes_on
    assert puzzle.waiting is not None
    assert puzzle.waiting.cost == 10 + 3


def test_a_hand_that_lacks_a_card_is_a_puzzle_whose_answer_is_to_go_on() -> None:
    table = Script(arranged(f"{PRIMARY} {REST[:-2]}7D", "", stock="6C QD")).close_window().draw().do(LAID)
    puzzle = finish_now(table.cut_to("QD").view(0))
    assert puzzle is not None
    assert puzzle.goes_on
    assert puzzle.answer.missing == 1


def test_where_the_finish_waits_for_another_turn_there_is_nothing_to_ask() -> None:
    assert finish_now(shown(open_tiplu=True).view(0)) is not None
    assert finish_now(shown(open_tiplu=True, same_turn_finish=False).view(0)) is None


@pytest.mark.parametrize("options", [{"seen_pickup_wild": "allow"}, {"unseen_maal": "kidnap_cards"}])
def test_where_waiting_may_bring_anything_finishing_is_no_clear_answer(options: dict[str, str]) -> None:
    assert finish_now(shown(**options).view(0)) is None


def test_before_a_stock_of_less_than_a_round_waiting_has_no_bound() -> None:
    seen = shown().view(0)
    assert finish_now(replace(seen, stock_count=2)) is not None
    assert finish_now(replace(seen, stock_count=1)) is None


def test_who_pays_little_for_the_finish_makes_waiting_cheap() -> None:
    """The others pay 10 unseen, 3 seen, and nothing with a dead hand or exempt dublees; the player pays 3."""
    seen = shown(dublee_exempt=True).view(0)
    costs = [
        puzzle.waiting.cost
        for changes in ({}, {"seen": True}, {"out": True}, {"seen": True, "shown": DUBLEES})
        if (puzzle := finish_now(with_other(seen, **changes))) and puzzle.waiting
    ]
    assert costs == [13, 6, 3, 3]


def test_where_nobody_pays_anything_no_waiting_is_dear() -> None:
    assert finish_now(with_other(shown(seen_pay=0).view(0), out=True)) is None


# Which sets


def test_shows_that_leave_the_same_cards_are_offered_once() -> None:
    """Three twos, threes and fours are three tunnelas or three sequences."""
    seen = turn("2S 2S 2S 3S 3S 3S 4S 4S 4S 5S 9S KS 5H 6H 7H 3D 6D 7D KD 7C QC KC")
    puzzle = which_sets(seen)
    assert puzzle is not None
    assert puzzle.kind is PuzzleKind.SETS
    laid = [sorted(card for group in option.sets for card in group) for option in puzzle.options]
    assert len(laid) == 5
    assert all(laid.count(cards) == 1 for cards in laid)


def test_with_seven_dublees_there_is_another_show_to_think_of() -> None:
    hand = "{} 2S 3S 3S 4S 4S 6H 6H 7H 7H 8H 8H 4D 4C KC AH KD KH 3H 3C 8C 8C"
    assert which_sets(turn(hand.format("2S"))) is None
    assert which_sets(turn(hand.format("AS"))) is not None


# Which card


def test_two_cards_to_choose_from_are_too_few() -> None:
    """Nearly every card may be thrown; only one clearly leaves fewer helpful cards."""
    hand = "AS 4S 4S 3H 8H 8H 8H 9H 10H 10H QH QH 2D 2D 9D 9D JD JD 7C JC QC QC"
    assert which_card(turn(hand, dublee=False)) is None


def test_no_turn_of_another_is_a_puzzle() -> None:
    table = shown()
    assert puzzles_of(table.view(0))
    assert puzzles_of(table.view(1)) == ()
