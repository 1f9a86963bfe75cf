"""Folding a log: nonsensical events are refused, and older logs fold as before."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from marriage.actions import CutTiplu, Discard, TakeDiscard
from marriage.apply import apply, replay
from marriage.cards import UNKNOWN, Card, parse_cards
from marriage.decide import start
from marriage.events import Dealt, Discarded, Dismissed, Drew, TipluCut, TipluTurned, WindowClosed
from marriage.invariants import check, check_waiting
from marriage.rules import Rules, preset
from marriage.view import mask, view
from tests.marriage.dealing import (
    Script,
    arranged,
    deal,
    expose,
    finish,
    finish_dublees,
    seed,
    show,
    turned_open,
)
from tests.marriage.example_hands import FOUR, LAID, PAIRS, PRIMARY, REST, SEVEN


@pytest.mark.parametrize(("players", "dealer"), [(1, 0), (6, 0), (3, 3), (3, -1)])
def test_no_deal_of_such_seats(players: int, dealer: int) -> None:
    with pytest.raises(ValueError, match=r"^a deal has 2 to 5 seats and a dealer among them$"):
        start(Rules(), players, dealer, seed(1))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_deal_says_what_it_is(players: int) -> None:
    [dealt] = start(Rules(), players, players - 1, seed(1), better=True, carry=[0, 7], board=True)
    assert isinstance(dealt, Dealt)
    assert (len(dealt.hands), dealt.dealer, dealt.key) == (players, players - 1, seed(1))
    assert (dealt.better, dealt.carry, dealt.board) == (True, (0, 7), True)
    [plain] = start(Rules(), players, 0, seed(1))
    assert isinstance(plain, Dealt)
    assert (plain.dealer, plain.better, plain.carry, plain.board) == (0, False, (), False)


def test_an_open_tiplu_is_turned_where_the_seed_says() -> None:
    dealt, turned = start(Rules(open_tiplu=True), 3, 0, seed(1))
    assert isinstance(dealt, Dealt)
    place = seed(1).cut(len(dealt.stock))
    assert turned == TipluTurned(place=place, card=dealt.stock[place])


def test_a_log_begins_with_the_deal_and_deals_once() -> None:
    state, (dealt,) = deal(1)
    with pytest.raises(ValueError, match=r"^a deal has at least one event$"):
        replay([])
    with pytest.raises(ValueError, match=r"^the first event of a deal is Dealt$"):
        replay([WindowClosed(), dealt])
    assert replay([dealt]) == state == apply(None, dealt)


def test_the_same_seed_deals_the_same() -> None:
    assert deal(5, 3)[1] == deal(5, 3)[1]
    assert deal(5, 3)[1] != deal(6, 3)[1]


def test_a_log_in_which_a_card_appears_from_nowhere_is_refused() -> None:
    state, _ = deal(1)
    card = next(card for card in state.stock if card not in state.seats[1].cards)
    with pytest.raises(ValueError, match="not among the cards"):
        apply(state, Discarded(seat=1, card=card))


def test_the_invariants_notice_a_wrong_log() -> None:
    script = Script(arranged("", "")).close_window()
    top = script.state.stock[0]
    wrong = next(card for card in script.state.stock if card != top)
    with pytest.raises(AssertionError, match="deck is not whole"):
        check(apply(script.state, Drew(seat=0, card=wrong)))
    with pytest.raises(AssertionError, match="seat 0 holds 21 cards"):
        check(apply(script.state, Drew(seat=1, card=top)))
    with pytest.raises(AssertionError, match="seen without showing"):
        check(apply(script.state, TipluCut(seat=0, place=0, card=top)))
    with pytest.raises(AssertionError, match="a card was drawn outside a turn"):
        check_waiting(apply(script.draw().state, WindowClosed()))


def test_a_viewer_who_sees_the_tiplu_later_learns_its_face() -> None:
    script = Script(arranged("AS 2S 3S 5H 5H 5H 7C 8C 9C", "AD 2D 3D 6H 7H 8H JS QS KS", stock="6C 6D QD"))
    script.close_window().draw().do(show("AS 2S 3S | 5H 5H 5H | 7C 8C 9C")).cut_to("QD").throw("6C")
    cut = next(event for event in script.events if isinstance(event, TipluCut))
    assert mask(cut, 1) == TipluCut(seat=0, place=cut.place, card=UNKNOWN, chosen=True)
    before = replay(mask(event, 1) for event in script.events)
    assert before.tiplu == UNKNOWN
    assert view(before, 1).tiplu is None
    script.draw().do(show("AD 2D 3D | 6H 7H 8H | JS QS KS"))
    after = replay(mask(event, 1) for event in script.events)
    assert view(after, 1).tiplu == Card.parse("QD")
    assert view(after, 1) == script.view(1)


def test_a_deal_dealt_by_hand_is_whole() -> None:
    dealt = arranged("5H", "", up="KD", stock="6C", last="QD")
    assert isinstance(dealt, Dealt)
    assert (dealt.up_card, dealt.stock[0], dealt.stock[-1]) == tuple(map(Card.parse, ("KD", "6C", "QD")))
    check(replay([dealt]))
    with pytest.raises(ValueError, match="more often"):
        arranged("5H 5H 5H", "5H")


def test_a_deal_is_dealt_once() -> None:
    state, (dealt,) = deal(1)
    with pytest.raises(ValueError, match=r"^a deal is dealt once$"):
        apply(state, dealt)


# Whole deals, event by event


def with_a_tunnela_outside_the_show() -> Script:
    hand = f"{PRIMARY} 8S 8S 8S 2D 3D 4D JS QS KS 9H 9S 9C"
    deal = Script(arranged(hand, "AD 2D 3D 6H 7H 8H 10S 10S 10S KH", "6C 6C 6C", stock="6D QD 4C 4H"))
    deal.do(expose("5H 8S"), seat=0).do(expose("6C"), seat=2).close_window().draw()
    deal.do(show("AS 2S 3S | 5H 5H 5H | 7C 8C 9C")).cut_to("QD").throw("9C")
    return deal.do(TakeDiscard(), show("AD 2D 3D | 6H 7H 8H | 10S 10S 10S")).throw("KH")


def by_dublees() -> Script:
    hand = f"2S {PAIRS} 3C 5D 7S 9H JD KC"
    deal = Script(arranged(hand, "", stock="3C QD")).do(expose("2S"), seat=0).close_window().draw()
    return deal.do(SEVEN).cut_to("QD").do(finish_dublees("3C", "KC"))


def with_an_open_tiplu() -> Script:
    dealt = arranged(f"{PRIMARY} {REST}", "", stock="QD 6C", rules=preset("pagat", open_tiplu=True))
    return Script(dealt, *turned_open(dealt)).close_window().draw().do(LAID).do(finish(FOUR, "6C"))


def with_an_exposed_eighth_dublee() -> Script:
    hand = f"9H 9H 9H {PAIRS} 3C 5D JD KC"
    deal = Script(arranged(hand, "", stock="7S QD")).do(expose("9H"), seat=0).close_window().draw()
    return deal.do(SEVEN).cut_to("QD").do(finish_dublees("9H", "7S"))


def by_groups_after_a_false_claim() -> Script:
    rules = preset("pagat", foul="each", false_claim="foul", same_turn_finish=False)
    deal = Script(arranged(f"{PRIMARY} {REST}", "", "", stock="6C QD 4C 5C", rules=rules)).close_window()
    deal.draw().do(LAID).throw("6C").do(CutTiplu(0)).draw().do(show("")).pass_turn().draw()
    return deal.do(finish(FOUR, str(deal.state.drawn)))


def until_the_stock_is_empty() -> Script:
    deal = Script(arranged("", "", "", "", "", rules=preset("pagat", reshuffle_cap=1))).close_window()
    while deal.state.sheet is None:
        deal.pass_turn()
    return deal


def on_a_board() -> Script:
    dealt = replace(arranged(f"{PRIMARY} {REST}", "", ""), board=True)
    return Script(dealt).close_window().draw().do(LAID, CutTiplu()).do(Discard(Card.parse("2H"))).pass_turn()


WHOLE = [
    with_a_tunnela_outside_the_show,
    by_dublees,
    with_an_open_tiplu,
    with_an_exposed_eighth_dublee,
    by_groups_after_a_false_claim,
    until_the_stock_is_empty,
    on_a_board,
]


@pytest.mark.parametrize("deal", WHOLE)
def test_what_a_viewer_folds_from_masked_events_is_its_view(deal: Callable[[], Script]) -> None:
    events = deal().events
    places = [*range(1, min(30, len(events))), len(events) - 1, len(events)]
    for viewer in (0, 1, None):
        for end in places:
            masked = replay(mask(event, viewer) for event in events[:end])
            assert view(masked, viewer) == view(replay(events[:end]), viewer)


@pytest.mark.parametrize("deal", WHOLE)
def test_the_hands_kept_from_move_to_move_are_right(deal: Callable[[], Script]) -> None:
    state = None
    for number, event in enumerate(deal().events, 1):
        state = apply(state, event)
        assert state.version == number
        for seat in state.seats:
            fresh = replace(seat)
            assert (seat.concealed(), seat.packed()) == (fresh.concealed(), fresh.packed())


def test_the_eighth_dublee_is_kept_apart_from_those_shown() -> None:
    [winner, _] = by_dublees().state.seats
    assert (winner.finish, len(winner.laid)) == ((parse_cards("3C 3C"),), 7)


def test_a_dismissal_ends_the_turn() -> None:
    deal = Script(arranged("", "")).close_window().do(TakeDiscard())
    state = apply(deal.state, Dismissed())
    assert (state.taken, state.drawn, state.shown_now) == (None, None, False)
