"""The invariants accept every stage of a deal, and name what is wrong with an impossible state."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from marriage.actions import CutTiplu, TakeDiscard
from marriage.apply import apply
from marriage.cards import parse_cards
from marriage.invariants import check, check_waiting
from marriage.moves import dismissed
from marriage.state import GROUPS, Phase, State
from tests.marriage.dealing import Script, expose, finish, show
from tests.marriage.example_hands import FOUR, LAID, PRIMARY, REST, begun, card


def waiting() -> State:
    """Return a deal in which seat 0 is to draw."""
    return begun(f"{PRIMARY} {REST}", "", stock="6C QD").state


def holding(**options: Any) -> Script:
    """Return a deal in which seat 0 holds a hand to show and finish with, and has drawn the 6C."""
    return begun(f"{PRIMARY} {REST}", "", stock="6C QD", **options).draw()


def shown(**options: Any) -> Script:
    return holding(**options).do(LAID)


def seen() -> State:
    return shown().cut_to("QD").state


def won() -> State:
    return shown().cut_to("QD").do(finish(FOUR, "6C")).state


def cutting_after_the_discard() -> State:
    return shown(same_turn_finish=False).throw("6C").state


def dead() -> State:
    """Return a deal of three in which the hand of seat 0 is dead and seat 1 is to draw."""
    return begun("", "", "", false_claim="foul", foul="next").draw().do(show("")).state


def all_dead() -> State:
    """Return a deal that ended because even the last hand is dead."""
    script = begun("", "", false_claim="foul", foul="next", dead_hand="pays")
    return script.draw().do(show("")).draw().do(show("")).state


def stopped(state: State) -> State:
    """Return the deal after the players agreed to dismiss it."""
    for event in dismissed(state):
        state = apply(state, event)
    return state


def with_seat(state: State, number: int = 0, **changes: Any) -> State:
    """Return the state with these fields of a seat changed."""
    seats = [replace(seat, **changes) if place == number else seat for place, seat in enumerate(state.seats)]
    return replace(state, seats=tuple(seats))


def with_one_more(state: State, number: int = 0) -> State:
    """Return the state after this seat was given the top of the stock."""
    cards = sorted((*state.seats[number].cards, state.stock[0]))
    return replace(with_seat(state, number, cards=tuple(cards)), stock=state.stock[1:])


def without_stock(state: State) -> State:
    """Return the state with all cards of the stock under the pile, as if seat 0 had thrown them."""
    pile = (*state.stock, *state.pile)
    return replace(state, stock=(), pile=pile, throwers=(0,) * (len(pile) - 1))


def unbalanced(state: State) -> State:
    assert state.sheet is not None
    first, *rest = state.sheet.lines
    return replace(state, sheet=replace(state.sheet, lines=(replace(first, net=first.net + 1), *rest)))


def uncut(state: State) -> State:
    """Return the state with the tiplu back in the stock."""
    assert state.tiplu is not None
    return replace(state, tiplu=None, stock=(state.tiplu, *state.stock))


def cut_before(state: State) -> State:
    return replace(state, tiplu=state.stock[0], stock=state.stock[1:])


def board_without_stock() -> State:
    """Return a duplicate deal in which the tiplu is to be cut and the stock of the seat in turn is empty."""
    dealt = replace(begun(f"{PRIMARY} {REST}", "").events[0], board=True)
    return without_stock(Script(dealt).close_window().draw().do(LAID).state)


def board_with_a_man_card_aside() -> State:
    """Return that deal with its tiplu in the wrong order: a man card comes before it."""
    state = board_without_stock()
    return replace(state, rules=state.rules.with_options(man_cards=1), aside=(card("MAN"), *state.aside))


POSSIBLE: dict[str, Callable[[], State]] = {
    "the window": lambda: Script(begun("", "").events[0]).state,
    "every card exposed": lambda: (
        Script(begun("2S 2S 2S 4S 4S 4S 6S 6S 6S 8S 8S 8S 2H 2H 2H 4H 4H 4H 6H 6H 6H", "").events[0])
        .do(expose("2S 4S 6S 8S 2H 4H 6H"), seat=0)
        .state
    ),
    "before the first turn": waiting,
    "in a turn": lambda: holding().state,
    "the up card taken": lambda: begun("", "").do(TakeDiscard()).state,
    "before the cut": lambda: shown().state,
    "after the cut": seen,
    "shown, with the cut to come": lambda: shown(same_turn_finish=False).state,
    "the cut that ends a turn": cutting_after_the_discard,
    "after that cut": lambda: Script(*shown(same_turn_finish=False).throw("6C").do(CutTiplu(0)).events).state,
    "a finish": won,
    "a dead hand": dead,
    "only dead hands": all_dead,
    "dismissed before a turn": lambda: stopped(waiting()),
    "dismissed in a turn": lambda: stopped(holding().state),
    "dismissed before the cut": lambda: stopped(shown().state),
    "a board without stock": board_without_stock,
    "man cards": lambda: begun("MAN MAN", "", man_cards=3).state,
    "a master card": lambda: begun("MASTER", "", master_card="always", man_cards=0).state,
}


@pytest.mark.parametrize("state", POSSIBLE.values(), ids=POSSIBLE)
def test_the_invariants_hold_in_every_stage_of_a_deal(state: Callable[[], State]) -> None:
    check_waiting(state())


IMPOSSIBLE: list[tuple[str, Callable[[], State]]] = [
    ("the deck is not whole", lambda: replace(waiting(), pile=(), throwers=())),
    ("the deck is not whole", lambda: replace(waiting(), rules=waiting().rules.with_options(man_cards=4))),
    ("the seat in turn does not exist", lambda: replace(waiting(), turn=2)),
    ("the seat in turn does not exist", lambda: replace(waiting(), turn=-1)),
    ("a card of the pile was discarded by nobody or twice", lambda: replace(waiting(), throwers=(0, 0))),
    (
        "a card of the pile was discarded by nobody or twice",
        lambda: replace(holding().throw("6C").state, throwers=()),
    ),
    ("seat 0 holds 22 cards, not 21", lambda: with_one_more(waiting())),
    ("seat 1 holds 22 cards, not 21", lambda: with_one_more(waiting(), 1)),
    ("seat 0 holds 22 cards, not 21", lambda: with_one_more(cutting_after_the_discard())),
    ("seat 0 holds 22 cards, not 21", lambda: with_one_more(won())),
    ("seat 1 holds 22 cards, not 21", lambda: with_one_more(stopped(holding().state), 1)),
    ("seat 0 holds 21 cards, not 22", lambda: replace(waiting(), drawn=card("6C"))),
    ("seat 0 holds 23 cards, not 22", lambda: with_one_more(dead())),
    (
        "the hand of seat 0 is not sorted",
        lambda: with_seat(waiting(), cards=waiting().seats[0].cards[::-1]),
    ),
    ("seat 0 does not hold the cards that it laid", lambda: with_seat(waiting(), exposed=(card("6C"),))),
    ("seat 0 has shown without laying, or laid unshown", lambda: with_seat(waiting(), shown=GROUPS)),
    (
        "seat 0 has shown without laying, or laid unshown",
        lambda: with_seat(waiting(), laid=(parse_cards("5H 5H 5H"),)),
    ),
    ("seat 0 threw without having seen", lambda: with_seat(waiting(), threw=True)),
    ("seat 0 has seen without showing", lambda: with_seat(waiting(), seen=True)),
    ("seat 0 has seen a tiplu that was not cut", lambda: uncut(seen())),
    ("there is a score sheet before the end", lambda: replace(won(), phase=Phase.DRAW)),
    ("the nets do not sum to zero", lambda: unbalanced(won())),
]


@pytest.mark.parametrize(("sentence", "state"), IMPOSSIBLE)
def test_an_impossible_state_is_named(sentence: str, state: Callable[[], State]) -> None:
    with pytest.raises(AssertionError) as caught:
        check(state())
    assert str(caught.value) == sentence


STUCK: list[tuple[str, Callable[[], State]]] = [
    ("the deck is not whole", lambda: replace(waiting(), pile=(), throwers=())),
    ("a deal has a score sheet when it is over, and only then", lambda: replace(won(), sheet=None)),
    (
        "a card was drawn outside a turn, or a turn goes on without one",
        lambda: replace(holding().state, drawn=None),
    ),
    (
        "a card was drawn outside a turn, or a turn goes on without one",
        lambda: replace(holding().state, phase=Phase.DRAW),
    ),
    (
        "a card was drawn outside a turn, or a turn goes on without one",
        lambda: replace(shown(same_turn_finish=False).state, phase=Phase.CUT),
    ),
    (
        "a card was drawn outside a turn, or a turn goes on without one",
        lambda: replace(shown().state, drawn=None),
    ),
    ("a dead hand has the turn", lambda: replace(dead(), turn=0)),
    ("there is no stock to draw from", lambda: without_stock(waiting())),
    ("no card in the stock can be the tiplu", lambda: without_stock(shown().state)),
    ("no card in the stock can be the tiplu", board_with_a_man_card_aside),
    ("the tiplu is cut twice", lambda: cut_before(shown().state)),
]


@pytest.mark.parametrize(("sentence", "state"), STUCK)
def test_a_deal_that_cannot_go_on_is_named(sentence: str, state: Callable[[], State]) -> None:
    with pytest.raises(AssertionError) as caught:
        check_waiting(state())
    assert str(caught.value) == sentence
