"""Deals played move by move, each for one rule of the pagat preset."""

import pytest

from marriage.actions import CutTiplu, DeclineTunnelas, Discard, DrawStock, Finish, TakeDiscard
from marriage.cards import parse_cards, sort_cards
from marriage.errors import Refusal
from marriage.events import (
    Finished,
    Settled,
    TipluCut,
    TipluSeen,
    TunnelasDeclined,
    WindowClosed,
)
from marriage.rules import preset
from marriage.sheet import Ending, What
from marriage.state import Phase
from marriage.strategy.advice import cards_missing
from marriage.strategy.discards import Aim
from tests.marriage.dealing import (
    Script,
    arranged,
    expose,
    finish,
    finish_dublees,
    groups_of,
    seed,
    show,
)
from tests.marriage.example_hands import FOUR, LAID, PAIRS, PRIMARY, REST, SEVEN, card, script

# The tunnela window


def test_the_window_closes_when_everyone_has_answered() -> None:
    deal = script("5H 5H 5H 6S 6S 6S", "8C 8C 8C", "")
    deal.do(expose("6S"), seat=0).do(DeclineTunnelas(), seat=2)
    assert deal.state.phase is Phase.WINDOW
    assert deal.legal(0) == ()
    assert deal.legal(1) == (expose("8C"), DeclineTunnelas())
    deal.do(expose("8C"), seat=1)
    assert deal.events[-1] == WindowClosed()
    assert [seat.exposed for seat in deal.state.seats] == [(card("6S"),), (card("8C"),), ()]
    assert (deal.state.phase, deal.state.turn) == (Phase.DRAW, 0)


def test_what_is_dealt_twice_may_be_exposed_in_any_choice() -> None:
    deal = script("5H 5H 5H 6S 6S 6S", "")
    assert deal.legal(0) == (expose("6S"), expose("5H"), expose("6S 5H"), DeclineTunnelas())
    deal.do(expose("6S 5H"), seat=0)
    assert deal.view(1).seats[0].exposed == parse_cards("6S 5H")
    assert deal.view(1).seats[0].concealed_count == 15


def test_a_window_tells_nothing_of_tunnelas_kept() -> None:
    holding, empty = script("5H 5H 5H", ""), script("5H 5H 6H", "5H")
    for deal in (holding, empty):
        deal.do(DeclineTunnelas(), seat=0)
    assert holding.view(1).seats[0] == empty.view(1).seats[0]
    assert holding.events[-1] == empty.events[-1] == TunnelasDeclined(seat=0)


def test_an_exposed_tunnela_is_a_primary_group() -> None:
    deal = script(f"{PRIMARY} {REST}", "").do(expose("5H"), seat=0).close_window().draw()
    assert cards_missing(deal.view()) == (0, Aim.SHOW)
    deal.do(LAID)
    assert deal.state.seats[0].spare_tunnelas() == ()
    assert deal.view(1).seats[0].laid == LAID.groups
    assert deal.view(1).seats[0].concealed_count == 13


def test_an_exposed_tunnela_that_was_not_laid_is_a_group_of_the_finish() -> None:
    hand = f"{PRIMARY} 8S 8S 8S 2D 3D 4D JS QS KS 9H 9S 9C"
    deal = (
        script(hand, "", stock="6C QD").do(expose("8S"), seat=0).close_window().draw().do(LAID).cut_to("QD")
    )
    assert len(deal.view().own.concealed or ()) == 10
    assert deal.legal()[0] == finish("2D 3D 4D | 9S 9H 9C | JS QS KS", "6C")
    deal.do(finish("JS KS QS | 2D 3D 4D | 9H 9S 9C", "6C"))
    assert deal.state.sheet is not None
    assert [item.what for item in deal.state.sheet.lines[0].items] == [What.TUNNELA]


def test_an_exposed_tunnela_is_one_dublee_and_a_spare_card() -> None:
    hand = f"2S {PAIRS} 3C 5D 7S 9H JD KC"
    deal = (
        script(hand, "", stock="3C QD").do(expose("2S"), seat=0).close_window().draw().do(SEVEN).cut_to("QD")
    )
    seat = deal.state.seats[0]
    assert seat.locked().total() == 15
    assert deal.refusal(Discard(card("2S"))) is Refusal.CARD_LOCKED
    deal.do(finish_dublees("3C", "KC"))
    assert deal.state.sheet is not None
    assert deal.state.sheet.ending is Ending.DUBLEES


def test_an_exposed_tunnela_may_be_the_eighth_dublee() -> None:
    hand = f"9H 9H 9H {PAIRS} 3C 5D JD KC"
    deal = (
        script(hand, "", stock="7S QD").do(expose("9H"), seat=0).close_window().draw().do(SEVEN).cut_to("QD")
    )
    done = finish_dublees("9H", "7S")
    assert done in deal.legal()
    assert deal.refusal(finish_dublees("9H", "9H")) is Refusal.CARD_LOCKED
    deal.do(done)
    assert deal.state.phase is Phase.OVER


def test_more_than_three_exposed_tunnelas_all_serve() -> None:
    hand = "5H 5H 5H 6S 6S 6S 8C 8C 8C 10D 10D 10D 2D 3D 4D JS QS KS 9H 9S 9C"
    deal = script(hand, "", stock="6C QC").do(expose("5H 6S 8C 10D"), seat=0).close_window().draw()
    assert deal.legal()[0] == show("5H 5H 5H | 6S 6S 6S | 8C 8C 8C")
    deal.do(show("10D 10D 10D | 8C 8C 8C | 6S 6S 6S")).cut_to("QC")
    assert deal.state.seats[0].spare_tunnelas() == groups_of("5H 5H 5H")
    deal.do(finish("2D 3D 4D | JS QS KS | 9H 9S 9C", "6C"))
    assert deal.state.phase is Phase.OVER


def test_a_tunnela_in_hand_is_a_primary_group_though_another_is_exposed() -> None:
    hand = "5H 5H 5H 6S 6S 6S 7C 8C 9C"
    deal = script(hand, "").do(expose("5H"), seat=0).close_window().draw()
    deal.do(show("6S 6S 6S | 7C 8C 9C | 5H 5H 5H"))
    assert deal.state.phase is Phase.CUT


# The turn


def test_the_first_turn_is_that_of_the_seat_after_the_dealer() -> None:
    assert script("", "", "", dealer=1).state.turn == 2
    assert script("", "", "", dealer=2).state.turn == 0
    assert script("", "", "", dealer=1, rules=preset("wikipedia")).state.turn == 0


def test_the_first_up_card_may_be_taken() -> None:
    deal = script("", "", up="KD").close_window()
    assert deal.legal() == (DrawStock(), TakeDiscard())
    deal.do(TakeDiscard())
    assert deal.state.pile == ()
    assert deal.view(0).taken == deal.view(1).taken == card("KD")
    assert Discard(card("KD")) not in deal.legal()
    deal.do(deal.legal()[-1])
    assert deal.state.turn == 1
    assert deal.view().taken is None


def test_a_face_taken_and_held_before_cannot_be_discarded_either() -> None:
    deal = script("KD KD", "", up="KD").close_window().do(TakeDiscard())
    assert deal.refusal(Discard(card("KD"))) is Refusal.SAME_FACE
    assert Discard(card("KD")) not in deal.legal()


def test_the_face_taken_may_be_discarded_when_there_is_nothing_else() -> None:
    tunnelas = "2S 2S 2S 4H 4H 4H 6C 6C 6C 8D 8D 8D 10S 10S 10S QH QH QH AC AC AC"
    deal = script(tunnelas, "", up="KD").do(expose("2S 4H 6C 8D 10S QH AC"), seat=0).close_window()
    deal.do(TakeDiscard())
    assert deal.legal()[-1] == Discard(card("KD"))
    deal.throw("KD")
    assert deal.state.turn == 1


def test_a_card_drawn_from_the_stock_may_be_discarded() -> None:
    deal = script("KD", "", stock="KD").close_window().draw().throw("KD")
    assert deal.state.pile[-1] == card("KD")


# Showing and the tiplu


def test_the_first_to_show_cuts_at_the_chosen_place() -> None:
    deal = script(PRIMARY, "", "", stock="6C 2H QD 7D").close_window().draw().do(LAID)
    assert (deal.state.phase, deal.state.turn) == (Phase.CUT, 0)
    assert deal.legal() == (CutTiplu(),)
    before = deal.state.stock
    deal.do(CutTiplu(1))
    assert deal.events[-1] == TipluCut(seat=0, place=1, card=card("QD"), chosen=True)
    assert deal.state.stock == before[:1] + before[2:]
    assert deal.state.phase is Phase.PLAY
    assert [deal.view(seat).tiplu for seat in (0, 1, 2)] == [card("QD"), None, None]
    assert deal.view(1).tiplu_cut


def test_chance_cuts_where_the_seed_says() -> None:
    deal = script(PRIMARY, "").close_window().draw().do(LAID)
    place = seed(0).cut(112)
    expected = deal.state.stock[place]
    deal.do(CutTiplu())
    assert deal.events[-1] == TipluCut(seat=0, place=place, card=expected, chosen=False)


@pytest.mark.parametrize(("named", "cut"), [(0, 2), (1, 2), (2, 2), (109, 109), (110, 2)])
def test_a_man_is_passed_over_for_the_next_card_of_the_packs(named: int, cut: int) -> None:
    rules = preset("pagat", man_cards=2, master_card="after_seeing")
    table = arranged(PRIMARY, "AD", stock="6C MAN MAN QD", last="MASTER", rules=rules)
    deal = Script(table).close_window().draw().do(LAID)
    assert len(deal.state.stock) == 115
    named = named if named < 100 else len(deal.state.stock) - (111 - named)
    cut = cut if cut < 100 else len(deal.state.stock) - (111 - cut)
    deal.do(CutTiplu(named))
    event = deal.events[-1]
    assert isinstance(event, TipluCut)
    assert event.place == cut
    assert event.card.is_pack


def test_a_later_shower_looks_at_the_same_tiplu() -> None:
    other = "AD 2D 3D 6H 7H 8H JS QS KS"
    deal = (
        script(PRIMARY, other, "", stock="6C 6D QD").close_window().draw().do(LAID).cut_to("QD").throw("6C")
    )
    deal.draw().do(show("AD 2D 3D | 6H 7H 8H | JS QS KS"))
    assert deal.events[-1] == TipluSeen(seat=1, card=card("QD"))
    assert [deal.view(seat).tiplu for seat in (0, 1, 2)] == [card("QD"), card("QD"), None]
    assert deal.state.phase is Phase.PLAY
    assert deal.refusal(CutTiplu()) is Refusal.NOTHING_TO_CUT


def test_show_and_finish_in_one_turn() -> None:
    deal = script(f"{PRIMARY} {REST}", "", stock="6C QD").close_window().draw().do(LAID).cut_to("QD")
    assert isinstance(deal.legal()[0], Finish)
    deal.do(finish(FOUR, "6C"))
    assert [type(event) for event in deal.events[-2:]] == [Finished, Settled]
    seat = deal.view(1).seats[0]
    assert seat.finish == tuple(map(sort_cards, groups_of(FOUR)))
    assert len(seat.cards or ()) == 21
    assert deal.state.pile[-1] == card("6C")


def test_the_finish_uses_wild_cards() -> None:
    # Tiplu QD: every Q, JD and KD stand in.
    hand = f"{PRIMARY} 2D QC 4D JS QS JD 9H QH KD AH QC QH"
    deal = script(hand, "", stock="6C QD").close_window().draw().do(LAID).cut_to("QD")
    deal.do(finish("2D QC 4D | JS QS JD | 9H QH KD | AH QC QH", "6C"))
    assert deal.state.phase is Phase.OVER


def test_before_seeing_nothing_is_wild() -> None:
    deal = script(f"{PRIMARY} {REST}", "", stock="6C QD").close_window().draw()
    assert deal.refusal(show("AS 2S 3S | 5H 5H 5H | JS QS 2D")) is Refusal.NOT_PRIMARY


def test_what_was_laid_stays_as_it_was_laid() -> None:
    deal = script(f"{PRIMARY} 4S {REST[3:]}", "", stock="6C QD").close_window().draw().do(LAID).cut_to("QD")
    assert deal.refusal(Discard(card("AS"))) is Refusal.CARD_LOCKED
    assert deal.refusal(finish("3S 4S 2D | JS QS KS | 9H 9S 9C | AH 2H 3H", "6C")) is Refusal.NOT_HELD


def test_a_player_may_play_on_for_maal() -> None:
    deal = script(f"{PRIMARY} {REST}", "", stock="6C QD").close_window().draw().do(LAID).cut_to("QD")
    deal.throw("6C").pass_turn()
    assert deal.state.phase is Phase.DRAW


def test_an_unseen_player_may_take_a_wild_card() -> None:
    deal = script(PRIMARY, "", stock="6C QH QD").close_window().draw().do(LAID).cut_to("QD").throw("6C")
    deal.pass_turn()
    assert deal.state.pile[-1] == card("QH")
    assert deal.view(0).pile == deal.view(1).pile
    assert deal.legal() == (DrawStock(),)
    unseen = script(PRIMARY, "", stock="QH QD").close_window().draw().do(LAID).cut_to("QD").throw("QH")
    assert unseen.legal() == (DrawStock(), TakeDiscard())
    unseen.do(TakeDiscard())
