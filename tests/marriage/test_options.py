"""Every option that changes the play, by examples."""

import pytest
from pydantic import ValidationError

from marriage.actions import (
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    Finish,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.cards import Card, parse_cards
from marriage.decide import start
from marriage.errors import Refusal
from marriage.events import (
    Dealt,
    Settled,
    Showed,
    TipluCut,
    TipluSeen,
    TipluTurned,
)
from marriage.moves import wilds
from marriage.rules import PRESETS, preset
from marriage.scoring.hand_points import score_hand
from marriage.sheet import Ending, What
from marriage.state import Phase
from marriage.strategy.advice import Aim, cards_missing
from marriage.view import mask, view
from tests.marriage.dealing import (
    Script,
    arranged,
    deal,
    expose,
    finish,
    finish_dublees,
    groups_of,
    seed,
    show,
    show_dublees,
)
from tests.marriage.example_hands import (
    FOUR,
    LAID,
    OTHER,
    OTHER_LAID,
    PAIRS,
    PRIMARY,
    REST,
    SEVEN,
    SINGLES,
    begun,
    card,
    sheet_of,
)

# Order of play


@pytest.mark.parametrize(
    ("direction", "order"), [("clockwise", [2, 3, 0, 1]), ("anticlockwise", [0, 3, 2, 1])]
)
def test_direction(direction: str, order: list[int]) -> None:
    rules = preset("pagat", direction=direction)
    deal = Script(arranged("", "", "", "", dealer=1, rules=rules)).close_window()
    turns = []
    for _ in order:
        turns.append(deal.state.turn)
        deal.pass_turn()
    assert turns == order


def test_the_first_block_of_the_deck_goes_to_the_first_in_turn() -> None:
    for direction, first in (("clockwise", 2), ("anticlockwise", 0)):
        dealt = start(preset("pagat", direction=direction), 3, 1, seed(8))[0]
        assert isinstance(dealt, Dealt)
        assert dealt.hands[first] == tuple(sorted(seed(8).deck(dealt.rules)[:21]))


# The tunnela window until the player's first draw


def test_a_tunnela_may_be_exposed_until_the_players_first_draw() -> None:
    deal = begun("", "6S 6S 6S", "8C 8C 8C", tunnela_window="own_first_draw")
    assert deal.state.phase is Phase.DRAW
    assert deal.legal(1) == (expose("6S"), DeclineTunnelas())
    assert deal.legal(0) == (DeclineTunnelas(), DrawStock(), TakeDiscard())
    deal.draw().do(expose("6S"), seat=1)
    assert (deal.state.turn, deal.state.phase) == (0, Phase.PLAY)
    assert deal.view(2).seats[1].exposed == parse_cards("6S")
    assert deal.refusal(expose("6S"), 1) is Refusal.WINDOW_CLOSED
    deal.do(deal.legal()[-1]).pass_turn()
    assert deal.legal()[:2] == (expose("8C"), DeclineTunnelas())
    deal.do(TakeDiscard())
    assert deal.refusal(expose("8C")) is Refusal.WINDOW_CLOSED


# The open tiplu


def test_an_open_tiplu_is_turned_at_the_deal_for_all_to_see() -> None:
    rules = preset("pagat", open_tiplu=True, man_cards=3)
    events = start(rules, 3, 0, seed(4))
    dealt, turned = events
    assert isinstance(dealt, Dealt)
    assert isinstance(turned, TipluTurned)
    assert turned.card == dealt.stock[turned.place]
    state, _ = deal(4, 3, open_tiplu=True, man_cards=3)
    assert state.tiplu == turned.card
    assert state.stock == dealt.stock[: turned.place] + dealt.stock[turned.place + 1 :]
    for viewer in (None, 0, 1, 2):
        assert view(state, viewer).tiplu == turned.card
        assert mask(turned, viewer) == turned


def test_with_an_open_tiplu_cards_are_wild_only_for_those_who_have_shown() -> None:
    rules = preset("pagat", open_tiplu=True)
    dealt = arranged(f"{PRIMARY} JD 2C 2H QD", "", stock="QD 6C QH", rules=rules)
    deal = Script(dealt, TipluTurned(place=0, card=card("QD"))).close_window().draw()
    assert deal.refusal(show("AS 2S 3S | 5H 5H 5H | JD 2C 2H")) is Refusal.NOT_PRIMARY
    assert wilds(deal.view(0)) == frozenset()
    deal.do(LAID)
    assert card("QH") in wilds(deal.view(0))
    assert wilds(view(deal.state, None)) == wilds(deal.view(1)) == frozenset()
    assert isinstance(deal.events[-1], Showed)
    assert deal.state.seats[0].seen
    assert deal.state.phase is Phase.PLAY
    deal.throw("6C").pass_turn()
    assert deal.state.pile[-1] == card("QH")
    assert deal.refusal(TakeDiscard()) is Refusal.SEEN_TAKES_NO_WILD


# Seeing with the discard


def test_the_tiplu_is_cut_and_seen_with_the_discard() -> None:
    deal = begun(f"{PRIMARY} {REST}", OTHER, stock="6C 4S QD KC 5S", same_turn_finish=False).draw().do(LAID)
    assert deal.state.phase is Phase.PLAY
    assert deal.view(0).tiplu is None
    assert [type(action) for action in deal.legal()] == [Discard] * len(deal.legal())
    deal.throw("6C")
    assert (deal.state.phase, deal.state.turn) == (Phase.CUT, 0)
    assert len(deal.state.seats[0].cards) == 21
    assert deal.legal() == (CutTiplu(),)
    deal.cut_to("QD")
    assert (deal.state.phase, deal.state.turn) == (Phase.DRAW, 1)
    assert deal.view(0).tiplu == card("QD")
    deal.draw().do(OTHER_LAID)
    assert not deal.state.seats[1].seen
    assert deal.view(1).tiplu is None
    deal.throw("4S")
    assert deal.events[-1] == TipluSeen(seat=1, card=card("QD"))
    assert deal.view(1).tiplu == card("QD")
    deal.draw().do(finish(FOUR, "KC"))
    assert sheet_of(deal).winner == 0


def test_the_last_card_of_the_stock_may_be_cut_with_the_discard() -> None:
    rules = preset("pagat", same_turn_finish=False)
    deal = Script(arranged(f"{PRIMARY} {REST}", "", "", "", "", rules=rules)).close_window()
    deal.do(TakeDiscard()).throw("3H").do(TakeDiscard()).do(deal.legal()[-1])
    while len(deal.state.stock) > 2:
        deal.pass_turn()
    deal.draw().do(LAID, deal.legal()[-1])
    assert (deal.state.phase, len(deal.state.stock)) == (Phase.CUT, 1)
    deal.do(CutTiplu(0))
    assert deal.state.reshuffles == 1
    assert deal.state.turn == 1


# What may be taken


def test_an_unseen_player_takes_only_to_show_with_the_card() -> None:
    hand = "AS 2S 4H 5H 6H 7C 8C 9C JD KD 9S 9H JH 2C 4C 6D 8D QH KS 3D 10S"
    deal = begun(hand, "", up="3S", unseen_pickup="show_only")
    assert deal.legal() == (DrawStock(), TakeDiscard())
    deal.do(TakeDiscard())
    assert deal.legal() == (show("AS 2S 3S | 4H 5H 6H | 7C 8C 9C"),)
    deal.do(*deal.legal()).do(CutTiplu())
    deal.do(next(action for action in deal.legal() if isinstance(action, Discard)))
    assert deal.state.turn == 1


def test_a_card_may_be_taken_for_a_group_beside_exposed_tunnelas() -> None:
    hand = "5H 5H 5H 6S 6S 6S 8C 8C 8C 10D 10D 10D AS 2S"
    rules = preset("pagat", unseen_pickup="show_only")
    deal = Script(arranged(hand, "", up="3S", rules=rules)).do(expose("5H 6S 8C 10D"), seat=0).close_window()
    deal.do(TakeDiscard())
    assert deal.refusal(show("5H 5H 5H | 6S 6S 6S | 8C 8C 8C")) is Refusal.MUST_SHOW
    assert deal.legal() == (show("AS 2S 3S | 5H 5H 5H | 6S 6S 6S"),)
    deal.do(*deal.legal())
    assert len(deal.state.seats[0].spare_tunnelas()) == 2


def test_a_card_may_be_taken_for_the_seventh_dublee() -> None:
    hand = "2S 2S 4H 4H 6C 6C 8D 8D 10S 10S QH QH AC 3C 5D 7S 9H JD KC 3H 5C"
    deal = begun(hand, "", up="AC", unseen_pickup="show_only").do(TakeDiscard())
    assert deal.legal() == (SEVEN,)
    deal.do(SEVEN)
    assert deal.state.phase is Phase.CUT
    assert begun(hand, "", up="AC", unseen_pickup="show_only", dublee_min_players=3).legal() == (DrawStock(),)


def test_a_card_may_be_taken_for_an_eighth_pair_that_is_one_of_the_dublees_shown() -> None:
    deal = begun(f"{PAIRS} {SINGLES}", "", up="KC", unseen_pickup="show_only").do(TakeDiscard())
    [shown] = deal.legal()
    assert isinstance(shown, ShowDublees)
    assert card("KC") in shown.faces


def test_a_card_may_be_taken_for_dublees_that_leave_one_to_discard_beside_exposed_tunnelas() -> None:
    hand = "9C 9C 9C JC JC JC QC QC QC KC KC KC 2S 2S 4H 4H 6S 6S 8H 8H 10S"
    rules = preset("pagat", unseen_pickup="show_only")
    deal = Script(arranged(hand, "", up="10S", rules=rules)).do(expose("9C JC QC KC"), seat=0).close_window()
    assert deal.legal() == (DrawStock(), TakeDiscard())


def test_a_card_of_an_exposed_face_is_not_taken_to_show_with() -> None:
    """The exposed three are the pair of man cards, so the fourth would not come out of the hand."""
    rules = preset("pagat", man_cards=4, joker_dublee=True, unseen_pickup="show_only")
    hand = "MAN MAN MAN 2S 2S 4H 4H 6C 6C 8D 8D 10S 10S QH QH 3C 5D 7S 9H JD KC"
    script = Script(arranged(hand, "", up="MAN", rules=rules))
    script.do(expose("MAN"), seat=0).close_window()
    assert script.legal() == (DrawStock(),)
    assert script.refusal(TakeDiscard()) is Refusal.TAKE_ONLY_TO_SHOW


def test_a_longer_run_may_hold_the_card_taken() -> None:
    options = {"unseen_pickup": "show_only", "group_size": "three_plus"}
    deal = begun("AS 2S 4S 5H 5H 5H 7C 8C 9C", "", up="3S", **options).do(TakeDiscard())
    deal.do(show("AS 2S 3S 4S | 5H 5H 5H | 7C 8C 9C"))
    assert deal.state.phase is Phase.CUT


def test_the_master_card_may_complete_the_group_of_the_card_taken() -> None:
    options = {"unseen_pickup": "show_only", "master_card": "always"}
    hand = "AS MASTER 4H 5H 6H 7C 8C 9C JD KD 9S 9H JH 2C 4C 6D 8D QH KS 3D 10S"
    deal = begun(hand, "", up="3S", **options).do(TakeDiscard())
    assert show("AS 3S MASTER | 4H 5H 6H | 7C 8C 9C") in deal.legal()


@pytest.mark.parametrize("preset_name", ["wikipedia", "gambiter"])
def test_a_seen_player_may_take_a_wild_card_where_that_is_allowed(preset_name: str) -> None:
    rules = preset(preset_name, direction="clockwise")
    deal = Script(arranged(PRIMARY, "", stock="6C QH QD", rules=rules)).close_window()
    deal.draw().do(LAID).cut_to("QD").throw("6C").pass_turn()
    assert deal.legal() == (DrawStock(), TakeDiscard())
    deal.do(TakeDiscard())


# Longer groups


def test_longer_runs_and_trials_of_four() -> None:
    hand = "AS 2S 3S 4S 5S 5H 5H 5H 7C 8C 9C 10C 9H 9S 9D 9C 10D JD QD KD AD"
    deal = begun(hand, "", stock="2H 6S", group_size="three_plus").draw()
    deal.do(show("AS 2S 3S 4S 5S | 5H 5H 5H | 7C 8C 9C 10C")).cut_to("6S")
    assert len(deal.view().own.concealed or ()) == 10
    assert deal.refusal(finish("9H 9S 9D 9C | 10D JD QD KD | AD", "2H")) is Refusal.NOT_A_GROUP
    assert isinstance(deal.legal()[0], Finish)
    deal.do(finish("9H 9S 9D 9C | 10D JD QD KD AD", "2H"))
    assert sheet_of(deal).winner == 0


def test_a_hand_that_is_all_laid_finishes_with_the_next_card() -> None:
    hand = "AS 2S 3S 4S 5S 6S 7S 8S AH 2H 3H 4H 5H 6H 7H AC 2C 3C 4C 5C 6C"
    deal = begun(hand, "", stock="KD JD QD", group_size="three_plus").draw()
    deal.do(show("AS 2S 3S 4S 5S 6S 7S 8S | AH 2H 3H 4H 5H 6H 7H | AC 2C 3C 4C 5C 6C")).cut_to("QD")
    assert deal.legal() == (finish("", "KD"), Discard(card("KD")))
    deal.throw("KD").pass_turn().draw()
    deal.do(deal.legal()[0])
    assert sheet_of(deal).winner == 0


def test_primary_trial() -> None:
    hand = "AS 2S 3S 5H 5H 5H KS KH KC"
    laid = show("AS 2S 3S | 5H 5H 5H | KS KH KC")
    assert begun(hand, "").draw().refusal(laid) is Refusal.NOT_PRIMARY
    assert begun(hand, "", primary_trial=True).draw().do(laid).state.phase is Phase.CUT


# Printed jokers and the master card


def test_man_cards_exposed_are_a_tunnela_and_a_primary_group() -> None:
    hand = f"MAN MAN MAN AS 2S 3S 7C 8C 9C {REST}"
    laid = show("MAN MAN MAN | AS 2S 3S | 7C 8C 9C")
    rules = preset("pagat", man_cards=3)
    deal = (
        Script(arranged(hand, "", stock="6C QD", rules=rules)).do(expose("MAN"), seat=0).close_window().draw()
    )
    assert deal.refusal(Discard(card("MAN"))) is Refusal.CARD_LOCKED
    deal.do(laid).cut_to("QD").do(finish(FOUR, "6C"))
    assert [(item.what, item.points) for item in sheet_of(deal).lines[0].items] == [(What.MAN_TUNNELA, 45)]
    assert begun(hand, "", man_cards=3).draw().refusal(laid) is Refusal.NOT_PRIMARY


def test_a_man_card_is_wild_after_seeing() -> None:
    hand = f"{PRIMARY} MAN 2D 4D JS MAN KS 9H 9S 9C AH 2H 3H"
    deal = begun(hand, "", stock="6C QC", man_cards=2).draw()
    assert deal.refusal(show("AS 2S 3S | 5H 5H 5H | MAN 2D 4D")) is Refusal.NOT_PRIMARY
    deal.do(LAID).cut_to("QC").do(finish("2D MAN 4D | JS MAN KS | 9H 9S 9C | AH 2H 3H", "6C"))
    assert sheet_of(deal).winner == 0


def test_two_man_cards_are_a_dublee_only_as_a_joker_dublee() -> None:
    hand = "MAN MAN 2S 2S 4H 4H 6C 6C 8D 8D 10S 10S QH QH 3C"
    seven = show_dublees("2S 4H 6C 8D 10S QH MAN")
    options = {"man_cards": 2, "joker_dublee": True}
    deal = begun(hand, "", stock="6S 3C QD", **options).draw()
    assert deal.legal()[0] == seven
    deal.do(seven).cut_to("QD").throw("6S").pass_turn()
    deal.do(TakeDiscard()).do(*deal.legal())
    assert sheet_of(deal).ending is Ending.DUBLEES
    assert begun(hand, "", stock="6S", man_cards=2).draw().refusal(seven) is Refusal.NOT_SEVEN_DUBLEES


def test_two_man_cards_may_be_the_eighth_dublee() -> None:
    hand = f"{PAIRS} MAN 3C 5D 7S 9H JD KC"
    options = {"man_cards": 2, "joker_dublee": True, "seen_pickup_wild": "forbid"}
    deal = begun(hand, "", stock="6S MAN QD", **options).draw().do(SEVEN).cut_to("QD").throw("6S").pass_turn()
    deal.do(TakeDiscard(), finish_dublees("MAN", "3C"))
    assert sheet_of(deal).winner == 0


def test_the_master_card_stands_in_before_seeing_only_where_it_always_does() -> None:
    hand = "AS MASTER 3S 5H 5H 5H 7C 8C 9C"
    laid = show("AS MASTER 3S | 5H 5H 5H | 7C 8C 9C")
    assert begun(hand, "", master_card="after_seeing").draw().refusal(laid) is Refusal.NOT_PRIMARY
    deal = begun(hand, "", stock="6C", master_card="always").draw()
    assert cards_missing(deal.view()) == (0, Aim.SHOW)
    assert deal.refusal(show("AS 3S 3S | 5H 5H MASTER | 7C 8C 9C")) in (Refusal.NOT_HELD, Refusal.NOT_PRIMARY)
    deal.do(laid)
    assert deal.state.phase is Phase.CUT


def test_the_master_card_completes_no_tunnela() -> None:
    deal = begun("AS 2S 3S 5H 5H MASTER 7C 8C 9C", "", master_card="always").draw()
    assert deal.refusal(show("AS 2S 3S | 5H 5H MASTER | 7C 8C 9C")) is Refusal.NOT_PRIMARY


def test_the_master_card_completes_no_pure_trial() -> None:
    hand, laid = "3S 4S 5S 6H 6H 6H KS KH MASTER", show("3S 4S 5S | 6H 6H 6H | KS KH MASTER")
    deal = begun(hand, "", master_card="always", primary_trial=True).draw()
    assert deal.refusal(laid) is Refusal.NOT_PRIMARY


@pytest.mark.parametrize("master_card", ["always_tunnelas", "always_primary"])
def test_the_master_card_completes_a_tunnela_that_is_only_shown(master_card: str) -> None:
    rules = preset("pagat", master_card=master_card)
    deal = Script(arranged("AS 2S 3S 5H 5H MASTER 7C 8C 9C", "", stock="6C 5H", rules=rules))
    assert deal.refusal(expose("5H"), seat=0) is Refusal.NO_TUNNELA
    deal.close_window().draw()
    assert cards_missing(deal.view()) == (0, Aim.SHOW)
    deal.do(show("AS 2S 3S | 5H 5H MASTER | 7C 8C 9C")).cut_to("5H")
    seat = deal.state.seats[0]
    items = score_hand(seat.cards, seat.exposed, 0, Card.parse("5H"), deal.state.rules)
    assert What.TUNNELA not in {item.what for item in items}
    assert What.MASTER in {item.what for item in items}


def test_the_master_card_completes_a_pure_trial() -> None:
    hand, laid = "3S 4S 5S 6H 6H 6H KS KH MASTER", show("3S 4S 5S | 6H 6H 6H | KS KH MASTER")
    options = {"master_card": "always_primary"}
    assert begun(hand, "", **options).draw().refusal(laid) is Refusal.NOT_PRIMARY
    deal = begun(hand, "", primary_trial=True, **options).draw()
    assert deal.do(laid).state.phase is Phase.CUT


@pytest.mark.parametrize(
    ("hand", "up", "shown"),
    [
        ("5H MASTER 4D 5D 6D 7C 8C 9C", "5H", "5H 5H MASTER | 4D 5D 6D | 7C 8C 9C"),
        ("KS MASTER 4D 5D 6D 7C 8C 9C", "KH", "KS KH MASTER | 4D 5D 6D | 7C 8C 9C"),
        ("KS KH 4D 5D 6D 7C 8C 9C", "MASTER", "KS KH MASTER | 4D 5D 6D | 7C 8C 9C"),
    ],
)
def test_a_card_may_be_taken_to_show_with_the_master_card(hand: str, up: str, shown: str) -> None:
    options = {"unseen_pickup": "show_only", "master_card": "always_primary", "primary_trial": True}
    deal = begun(hand, "", up=up, **options).do(TakeDiscard())
    assert any(isinstance(action, Show) for action in deal.legal())
    assert deal.do(show(shown)).state.phase is Phase.CUT


# Dublees


@pytest.mark.parametrize(("laid", "points"), [(True, 15), (False, 10)])
def test_a_marriage_that_was_laid_to_show_may_count_more(laid: bool, points: int) -> None:
    deal = begun(f"JD QD KD 5H 5H 5H 7C 8C 9C {REST}", "", stock="6C QD", laid_marriage=laid).draw()
    deal.do(show("JD QD KD | 5H 5H 5H | 7C 8C 9C")).cut_to("QD").do(finish(FOUR, "6C"))
    assert sum(item.points for item in sheet_of(deal).lines[0].items) == points


def test_dublees_need_so_many_players() -> None:
    for players, allowed in ((3, False), (4, True)):
        deal = begun(PAIRS, *[""] * (players - 1), dublee_min_players=4).draw()
        assert (SEVEN in deal.legal()) == allowed


@pytest.mark.parametrize(
    ("game", "announced", "factor"), [("off", False, 1), ("mark", True, 1), ("double", True, 3)]
)
def test_a_dublee_game(game: str, announced: bool, factor: int) -> None:
    deal = begun(f"{PAIRS} 3C 5D 7S 9H JD KC 3H", "", stock="3C QD", dublee_game=game, better_factor=3).draw()
    assert (deal.view(1).dublee_game, deal.view(1).factor) == (False, 1)
    deal.do(SEVEN).cut_to("QD")
    assert (deal.view(1).dublee_game, deal.view(1).factor) == (announced, factor)
    assert (deal.view(None).dublee_game, deal.view(None).factor) == (announced, factor)
    deal.do(finish_dublees("3C", "KC"))
    assert sheet_of(deal).factor == factor
    assert sheet_of(deal).lines[0].payment == 15 * factor


# All options together


@pytest.mark.parametrize("name", PRESETS)
def test_a_deal_of_every_preset(name: str) -> None:
    rules = preset(name, direction="clockwise")
    deal = Script(
        arranged(f"{PRIMARY} {REST}", "", "", "", stock="6C QD KC KH KS 8D", rules=rules)
    ).close_window()
    deal.draw().do(LAID)
    if rules.same_turn_finish:
        deal.cut_to("QD").do(finish(FOUR, "6C"))
    else:
        deal.throw("6C").cut_to("QD").pass_turn().pass_turn().pass_turn().draw().do(finish(FOUR, "8D"))
    assert sheet_of(deal).ending is Ending.GROUPS
    assert isinstance(deal.events[-1], Settled)
    assert [type(event) for event in deal.events].count(TipluCut) == 1
    assert sum(line.net for line in sheet_of(deal).lines) == 0


def test_options_that_contradict_each_other_make_no_rules() -> None:
    for options in ({"throw_foul": True}, {"false_claim": "foul"}):
        with pytest.raises(ValidationError, match="need a form of foul"):
            preset("pagat", **options)
    assert groups_of("") == ()
