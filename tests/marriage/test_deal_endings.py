"""How deals end under the pagat preset: by dublees, when the stock runs out, and the resulting payments."""

from dataclasses import replace

import pytest

from marriage.actions import CutTiplu, DeclineTunnelas, Discard, DrawStock, TakeDiscard
from marriage.cards import parse_cards, sort_cards
from marriage.errors import Refusal
from marriage.events import (
    Dismissed,
    Reshuffled,
    Settled,
    Showed,
    TipluCut,
)
from marriage.invariants import check_waiting
from marriage.moves import dismissed
from marriage.rules import HAND_SIZE, preset
from marriage.scoring.hand_points import points_of, score_hand
from marriage.sheet import Ending, Sheet, Status, What
from marriage.state import Phase, ShowKind
from marriage.strategy.advice import cards_missing, maal_now
from marriage.strategy.discards import Aim
from tests.marriage.dealing import (
    Script,
    arranged,
    expose,
    finish,
    finish_dublees,
    groups_of,
    replay_checked,
    seed,
    show,
)
from tests.marriage.example_hands import (
    FOUR,
    LAID,
    PAIRS,
    PRIMARY,
    REST,
    SEVEN,
    SINGLES,
    card,
    script,
    sheet_of,
)

# Dublees


def dublees(stock: str = "JC", other: str = "") -> Script:
    deal = script(f"{PAIRS} {SINGLES}", other, stock=f"{stock} QD").close_window().draw()
    return deal.do(SEVEN).cut_to("QD")


def test_seven_dublees_cut_the_tiplu() -> None:
    deal = dublees()
    assert deal.state.seats[0].shown is ShowKind.DUBLEES
    assert deal.view(1).seats[0].laid == tuple((face, face) for face in sort_cards(SEVEN.faces))
    assert cards_missing(deal.view(0)) is None
    assert deal.view(0).tiplu == card("QD")


def test_what_is_missing_is_told_with_what_it_is_missing_for() -> None:
    drawn = script(f"{PAIRS} {SINGLES}", "", stock="JC QD").close_window().draw()
    assert cards_missing(drawn.view(0)) == (0, Aim.DUBLEES)
    far = script(f"{PAIRS[3:]} {SINGLES}", "", stock="JC QD").close_window().draw()
    assert cards_missing(far.view(0)) == (1, Aim.DUBLEES)


def test_what_the_maal_is_worth_is_told_to_who_has_seen() -> None:
    deal = dublees("QD")
    seen, unseen = deal.view(0), deal.view(1)
    assert seen.tiplu == card("QD")
    assert maal_now(seen) == points_of(score_hand(seen.own.cards or (), (), 0, card("QD"), seen.rules))
    assert maal_now(unseen) is None


def test_eight_dublees_in_the_turn_of_the_show() -> None:
    deal = dublees("3C")
    assert [a for a in deal.legal() if not isinstance(a, Discard)] == [finish_dublees("3C", "7S")]
    deal.do(finish_dublees("3C", "JD"))
    assert deal.state.sheet is not None
    assert deal.state.sheet.winner == 0


def test_the_discard_that_makes_the_eighth_pair_is_taken_to_finish() -> None:
    deal = dublees("JC 3C").throw("JC").pass_turn()
    assert deal.legal() == (DrawStock(), TakeDiscard())
    deal.do(TakeDiscard())
    assert deal.legal() == (finish_dublees("3C", "7S"),)
    deal.do(*deal.legal())
    assert deal.state.phase is Phase.OVER


def test_a_wild_discard_may_be_the_eighth_dublee() -> None:
    deal = dublees("JC JD").throw("JC").pass_turn()
    assert deal.state.pile[-1] == card("JD")
    deal.do(TakeDiscard(), finish_dublees("JD", "KC"))
    assert deal.state.phase is Phase.OVER


def test_a_card_taken_for_the_eighth_pair_finishes_with_that_pair() -> None:
    deal = dublees("5D 3C").throw("KC").pass_turn().do(TakeDiscard())
    assert deal.refusal(finish_dublees("5D", "JD")) is Refusal.MUST_FINISH
    assert [type(action).__name__ for action in deal.legal()] == ["FinishDublees"]
    deal.do(*deal.legal())
    assert deal.state.seats[0].finish == groups_of("3C 3C")


def test_nothing_is_taken_that_could_not_be_finished_with() -> None:
    # Six exposed tunnelas and a pair: with a third card of its face, or any other, no card would be free to
    # throw.
    tunnelas = "2S 2S 2S 4H 4H 4H 6C 6C 6C 8D 8D 8D 10S 10S 10S QH QH QH"
    deal = script(f"{tunnelas} AC AC 3C", "", stock="JD 3C").do(expose("2S 4H 6C 8D 10S QH"), seat=0)
    deal.close_window().draw().do(SEVEN).do(CutTiplu(5)).throw("JD").pass_turn()
    assert deal.state.pile[-1] == card("3C")
    assert deal.legal() == (DrawStock(),)
    assert deal.refusal(TakeDiscard()) is Refusal.DUBLEE_TAKES_TO_FINISH


# The stock runs out


def exhausted(cap: int = 3, **options: object) -> Script:
    """Return a deal in which five seats draw and throw until the stock has one card left."""
    rules = preset("pagat", reshuffle_cap=cap, **options)
    deal = script("", "", "", "", "", rules=rules).close_window()
    while len(deal.state.stock) > 1:
        deal.pass_turn()
    return deal


def test_the_discards_become_the_stock_in_the_order_of_the_seed() -> None:
    deal = exhausted()
    order = seed(0).reshuffle(1, (*deal.state.pile,))
    last = deal.state.stock[0]
    deal.pass_turn()
    assert deal.events[-1] == Reshuffled(stock=order)
    assert deal.state.pile == (last,)
    assert deal.state.stock == order
    assert deal.view(0).stock_count == 50
    assert (deal.state.reshuffles, deal.state.phase) == (1, Phase.DRAW)


def test_the_tiplu_stays_when_the_discards_are_reshuffled() -> None:
    deal = (
        script(PRIMARY, "", "", "", "", stock="6C QD").close_window().draw().do(LAID).cut_to("QD").throw("6C")
    )
    while deal.state.reshuffles == 0:
        deal.pass_turn()
    assert deal.state.tiplu == card("QD")
    assert len(deal.state.stock) == 49
    assert deal.view(0).tiplu == card("QD")


@pytest.mark.parametrize("cap", [1, 2])
def test_after_the_last_reshuffle_the_deal_is_dismissed(cap: int) -> None:
    deal = exhausted(cap)
    while deal.state.phase is not Phase.OVER:
        deal.pass_turn()
    assert deal.state.reshuffles == cap
    dismissed, settled = deal.events[-2:]
    assert dismissed == Dismissed()
    assert isinstance(settled, Settled)
    assert settled.tiplu is None
    sheet = settled.sheet
    assert (sheet.ending, sheet.winner, sheet.total) == (Ending.DISMISSED, None, 0)
    assert {(line.status, line.net) for line in sheet.lines} == {(Status.UNSEEN, 0)}
    assert deal.view(3).seats[1].cards == deal.state.seats[1].cards


def test_dismissed_at_once_where_nothing_is_reshuffled() -> None:
    deal = exhausted(stock_out="dismiss").pass_turn()
    assert (deal.state.phase, deal.state.reshuffles) == (Phase.OVER, 0)
    assert Dismissed() in deal.events


@pytest.mark.parametrize("held", [HAND_SIZE, HAND_SIZE + 1])
def test_a_deal_dismissed_by_agreement_keeps_whole_hands_before_the_draw_and_after_it(held: int) -> None:
    deal = script("", "").close_window()
    if held > HAND_SIZE:
        deal.draw()
    state = replay_checked([*deal.events, *dismissed(deal.state)])
    check_waiting(state)
    assert [len(seat.cards) for seat in state.seats] == [held, HAND_SIZE]


def test_an_empty_stock_is_refilled_before_a_cut() -> None:
    deal = script(f"{PRIMARY} {REST}", "", "", "", "").close_window().do(TakeDiscard()).throw("3H")
    while len(deal.state.stock) > 1:
        deal.pass_turn()
        assert deal.state.reshuffles == 0
    pile = deal.state.pile
    deal.draw().do(LAID)
    assert [type(event) for event in deal.events[-2:]] == [Showed, Reshuffled]
    assert deal.state.phase is Phase.CUT
    assert deal.state.pile == pile[-1:]
    assert deal.state.stock == seed(0).reshuffle(1, pile[:-1])
    deal.do(CutTiplu(len(deal.state.stock) - 1))
    assert deal.state.phase is Phase.PLAY


def test_a_first_show_without_a_card_to_cut_ends_the_deal() -> None:
    rules = preset("pagat", stock_out="dismiss")
    deal = (
        script(f"{PRIMARY} {REST}", "", "", "", "", rules=rules).close_window().do(TakeDiscard()).throw("3H")
    )
    while len(deal.state.stock) > 1:
        deal.pass_turn()
    deal.draw().do(LAID)
    assert [type(event) for event in deal.events[-3:]] == [Showed, Dismissed, Settled]
    assert [line.status for line in sheet_of(deal).lines] == [Status.SEEN, *[Status.UNSEEN] * 4]


def test_the_last_card_of_the_stock_may_be_cut_and_the_turn_goes_on() -> None:
    deal = script(f"{PRIMARY} {REST}", "", "", "", "").close_window().do(TakeDiscard()).throw("3H")
    deal.do(TakeDiscard()).do(deal.legal()[-1])
    while len(deal.state.stock) > 2:
        deal.pass_turn()
    deal.draw().do(LAID, CutTiplu(0))
    assert isinstance(deal.events[-1], TipluCut)
    assert (deal.state.phase, deal.state.stock) == (Phase.PLAY, ())
    deal.throw("2H")
    assert isinstance(deal.events[-1], Reshuffled)


@pytest.mark.parametrize("up", ["KD", "MAN"])
def test_a_stock_of_men_alone_is_refilled_before_a_cut(up: str) -> None:
    rules = preset("pagat", man_cards=3)
    deal = Script(arranged(PRIMARY, "", "", "", "", up=up, last="MAN MAN", rules=rules)).close_window()
    while len(deal.state.stock) > 3:
        deal.pass_turn()
    while deal.state.turn != 0:
        deal.do(TakeDiscard())
        deal.do(next(action for action in deal.legal() if isinstance(action, Discard)))
    deal.draw().do(LAID)
    assert isinstance(deal.events[-1], Reshuffled)
    assert deal.state.stock[:2] == parse_cards("MAN MAN")
    deal.do(CutTiplu(0))
    event = deal.events[-1]
    assert isinstance(event, TipluCut)
    assert event.place == 2
    assert deal.state.stock[:2] == parse_cards("MAN MAN")


# Settlement


def test_the_settlement_of_a_whole_deal() -> None:
    """Tiplu QD. Seat 0 finishes; seat 1 has seen and holds a marriage; seat 2 has not and holds a poplu."""
    marriage = "JD QD KD"
    deal = script(
        f"{PRIMARY} {REST}",
        f"AD 2D 3D 6H 7H 8H 10S 10S 10S {marriage} 4C 4S 7D 9D 5C 6S 4H 3C KC",
        "KD 4C 5S 7S 8S 10H JH KH AC 3C 5C 10C JC 6D 8D 10D 2C 4H 7H 9D KC",
        up="6S",
        stock="6C QD 8H KS 6C",
    )
    deal.do(DeclineTunnelas(), seat=0).do(expose("10S"), seat=1).do(DeclineTunnelas(), seat=2)
    deal.draw().do(LAID).cut_to("QD").throw("6C")
    deal.draw().do(show("AD 2D 3D | 6H 7H 8H | 10S 10S 10S")).throw("8H")
    deal.pass_turn()
    deal.draw().do(finish(FOUR, "6C"))
    sheet = deal.state.sheet
    assert sheet is not None
    assert (sheet.ending, sheet.winner, sheet.total, sheet.factor) == (Ending.GROUPS, 0, 17, 1)
    assert [line.status for line in sheet.lines] == [Status.SEEN, Status.SEEN, Status.UNSEEN]
    assert [line.points for line in sheet.lines] == [0, 15, 2]
    assert [line.maal for line in sheet.lines] == [-17, 28, -11]
    assert [line.payment for line in sheet.lines] == [13, -3, -10]
    assert [line.net for line in sheet.lines] == [-4, 25, -21]
    assert [(item.what, item.points) for item in sheet.lines[1].items] == [
        (What.TUNNELA, 5),
        (What.MARRIAGE, 10),
    ]


def test_a_winner_by_dublees_is_paid_the_bonus() -> None:
    deal = dublees("3C").do(finish_dublees("3C", "KC"))
    sheet = deal.state.sheet
    assert sheet is not None
    assert [line.payment for line in sheet.lines] == [15, -15]


# The sets of the winner


def test_before_the_end_and_without_a_winner_there_is_no_finish() -> None:
    assert dublees().view(1).finish == ()
    dismissed = replace(dublees().view(1), sheet=Sheet(Ending.DISMISSED, None, (), 0))
    assert dismissed.finish == ()


def test_the_pairs_of_a_winner_are_the_shown_ones_and_the_eighth() -> None:
    deal = dublees("3C").do(finish_dublees("3C", "JD"))
    assert deal.view(1).finish == (
        *((face, face) for face in sort_cards(SEVEN.faces)),
        (card("3C"), card("3C")),
    )


def test_exposed_tunnelas_that_were_not_shown_are_sets_of_the_finish() -> None:
    hand = f"{PRIMARY} 4D 4D 4D JS QS KS 9H 9S 9C AH 2H 3H"
    deal = script(hand, "", stock="6C QD").do(expose("5H 4D"), seat=0).close_window().draw()
    deal.do(show("AS 2S 3S | 5H 5H 5H | 7C 8C 9C")).cut_to("QD")
    deal.do(finish("JS QS KS | 9H 9S 9C | AH 2H 3H", "6C"))
    sets = groups_of("AS 2S 3S | 5H 5H 5H | 7C 8C 9C | JS QS KS | 9H 9S 9C | AH 2H 3H | 4D 4D 4D")
    assert deal.view(1).finish == tuple(map(sort_cards, sets))


def test_a_pair_that_leaves_no_card_to_throw_is_not_the_eighth() -> None:
    """Of eight cards, six are in exposed tunnelas, so only the pair in hand would be left.

    But each tunnela is a pair too.
    """
    hand = f"{PAIRS} KD KD KD KC KC KC 3S"
    deal = script(hand, "", up="JD", stock="3S QD").do(expose("KD KC"), seat=0).close_window().draw()
    deal.do(SEVEN).cut_to("QD")
    assert [action for action in deal.legal() if not isinstance(action, Discard)] == [
        finish_dublees("KD", "3S")
    ]
    assert deal.refusal(finish_dublees("3S", "KD")) is Refusal.CARD_LOCKED
