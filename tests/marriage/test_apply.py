"""Folding a log: nonsensical events are refused, and older logs fold as before."""

import pytest

from marriage.apply import apply, replay
from marriage.cards import UNKNOWN, Card
from marriage.decide import start
from marriage.events import Dealt, Discarded, Drew, TipluCut, WindowClosed
from marriage.invariants import check, check_waiting
from marriage.rules import Rules
from marriage.view import mask, view
from tests.marriage.dealing import Script, arranged, deal, seed, show


@pytest.mark.parametrize(("players", "dealer"), [(1, 0), (6, 0), (3, 3), (3, -1)])
def test_no_deal_of_such_seats(players: int, dealer: int) -> None:
    with pytest.raises(ValueError, match="2 to 5 seats"):
        start(Rules(), players, dealer, seed(1))


def test_a_log_begins_with_the_deal_and_deals_once() -> None:
    state, (dealt,) = deal(1)
    with pytest.raises(ValueError, match="at least one event"):
        replay([])
    with pytest.raises(ValueError, match="first event"):
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
    assert mask(cut, 1) == TipluCut(seat=0, place=cut.place, card=UNKNOWN)
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
    with pytest.raises(ValueError, match="dealt once"):
        apply(state, dealt)
