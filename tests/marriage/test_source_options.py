"""Options that single sources need: longer trials, mixed pairs, six man cards, throwing back, reshuffles without end."""

import random

import pytest

from marriage.actions import Discard, Finish, TakeDiscard
from marriage.cards import MAN, parse_cards, sort_cards
from marriage.errors import Refusal
from marriage.events import Dismissed, Reshuffled, Showed
from marriage.groups import GroupKind, group_kind, wilds_for
from marriage.invariants import check_waiting
from marriage.moves import free_discards
from marriage.rules import PRESETS, Rules, preset
from marriage.scoring.hand_points import points_of, score_hand
from marriage.sheet import Ending, What
from marriage.solver import Hand, find_finish
from marriage.solver.cover import cover
from marriage.solver.hand import interchangeable, question
from marriage.state import Phase
from marriage.strategy.advice import advise
from marriage.strategy.players import BeginnerPlayer, GreedyPlayer
from tests.marriage import oracle
from tests.marriage.dealing import Script, arranged
from tests.marriage.hands import deck
from tests.marriage.test_options import (
    LAID,
    PAIRS,
    PRIMARY,
    SEVEN,
    begun,
    card,
    expose,
    finish,
    show,
)

JACK = card("JC")
LONG = Rules(group_size="three_plus", long_trial=True)
SHORT = Rules(group_size="three_plus")


# Longer trials


@pytest.mark.parametrize("cards", ["KS KC KH KD JD", "KS KC KH JD JS", "KS KD JD JS QC", "KS KC KH KD JD JS"])
def test_wild_cards_make_a_trial_longer_only_where_the_rules_say_so(cards):
    group, wilds = parse_cards(cards), wilds_for(JACK, LONG)
    assert group_kind(group, wilds, LONG) is GroupKind.DIRTY_TRIAL
    assert group_kind(group, wilds, SHORT) is None
    assert group_kind(group, wilds, LONG.with_options(group_size="three")) is None
    assert group_kind(group, frozenset(), LONG) is None


@pytest.mark.parametrize("cards", ["KS KS KC KH JD", "KS KS KS JD", "KS KC KH KD 2C JD"])
def test_a_longer_trial_still_has_each_suit_once(cards):
    assert group_kind(parse_cards(cards), wilds_for(JACK, LONG), LONG) is None


def test_a_deal_is_finished_with_four_kings_and_a_wild_card():
    hand = f"{PRIMARY} KS KC KH KD JD 8S 8C 8H 8D 2H 2H 2H"
    finished = finish("KS KC KH KD JD | 8S 8C 8H 8D | 2H 2H 2H", "4D")
    long = (
        begun(hand, "", stock="4D JC", group_size="three_plus", long_trial=True).draw().do(LAID).cut_to("JC")
    )
    found = next(action for action in long.legal() if isinstance(action, Finish))
    assert sorted(map(len, found.groups)) == [3, 4, 5]
    assert long.do(finished).state.sheet.winner == 0
    short = begun(hand, "", stock="4D JC", group_size="three_plus").draw().do(LAID).cut_to("JC")
    assert short.refusal(finished) is Refusal.NOT_A_GROUP
    assert not any(isinstance(action, Finish) for action in short.legal())


def few_ranks(chance, rules, tiplu):
    """Return thirteen cards of two ranks, tunnelas and wild cards, with some replaced by others."""
    cards = deck(rules)
    cards.remove(tiplu)
    first, two, *threes = chance.sample([rank for rank in range(13) if rank != tiplu.rank], 4)
    liked = [suit * 13 + rank for rank in (first, two) for suit in range(4)]
    liked += [chance.randrange(4) * 13 + threes[0]] * 3
    hand = [next(card for card in cards if card == face) for face in liked]
    wild = [card for card in cards if card in wilds_for(tiplu, rules)]
    kept = chance.choice((9, 10, 11, 11, 11))
    hand = chance.sample(hand, kept) + chance.sample(wild, 1 if kept == 11 else 2)
    for held in hand:
        if held in cards:
            cards.remove(held)
    size = chance.choice((12, 13))
    hand = hand[:size]
    return sort_cards([*hand, *chance.sample(cards, size - len(hand))])


def test_the_solver_agrees_with_the_oracle_about_longer_trials():
    chance, changed = random.Random("longer trials"), 0
    for number in range(10):
        rules = LONG.with_options(man_cards=chance.choice((0, 2, 6)))
        tiplu = chance.choice(parse_cards("JC 5H AS 9D"))
        concealed = few_ranks(chance, rules, tiplu)
        hand = Hand(concealed, tiplu=tiplu)
        asked = interchangeable(question(hand, rules, 12)._replace(primary=0))
        holes = cover(asked).holes
        right = oracle.distance(concealed, rules, primary=0, total=12, tiplu=tiplu, gone=(tiplu,))
        assert holes == right, (number, concealed, tiplu)
        changed += holes < cover(asked._replace(long_trial=False)).holes
        if len(concealed) == 13:
            assert (find_finish(concealed, 4, hand.wilds, rules) is not None) == (holes == 0)
    assert changed


# Pairs of cards of equal worth


def worth(cards, **options):
    return points_of(score_hand(parse_cards(cards), (), 0, JACK, preset("wikipedia-2010", **options)))


@pytest.mark.parametrize(
    ("cards", "apart", "together"),
    [
        ("QC 10C", 4, 5),
        ("QC QC 10C", 7, 10),
        ("QC QC 10C 10C", 10, 12),
        ("QC QC QC 10C 10C 10C", 20, 20),
        ("JC QC 10C", 10, 10),
        ("JC QC QC 10C", 12, 13),
        ("JS MAN", 10, 15),
        ("JS JS MAN", 20, 25),
        ("JS MAN MAN MAN", 30, 30),
        ("JC JC", 8, 8),
    ],
)
def test_two_cards_of_two_points_are_five_whatever_their_faces_only_where_pairs_are_mixed(
    cards, apart, together
):
    assert worth(cards, man_cards=3) == apart
    assert worth(cards, man_cards=3, mixed_pairs=True) == together


def test_a_mixed_pair_is_called_one():
    items = score_hand(parse_cards("QC 10C"), (), 0, JACK, Rules(mixed_pairs=True))
    assert [(item.what, item.cards, item.points) for item in items] == [
        (What.MIXED, parse_cards("QC 10C"), 5)
    ]


def test_kinds_with_rows_of_their_own_are_no_pair():
    rules = Rules(mixed_pairs=True, custom_points=(("poplu", (3, 6)),))
    assert points_of(score_hand(parse_cards("QC 10C"), (), 0, JACK, rules)) == 3 + 2


# Custom values for kinds of tunnelas that share a row of a table


def test_a_tunnela_that_has_a_value_of_its_own_is_worth_it_in_any_table():
    rules = preset("gambiter", custom_points=(("joker_tunnela", (10,)),))
    cards = parse_cards("JD JD JD 5H 5H 5H QC QC QC")
    items = score_hand(cards, parse_cards("JD 5H QC"), 0, JACK, rules)
    assert {item.what: item.points for item in items} == {
        What.JOKER_TUNNELA: 10,
        What.TUNNELA: 15,
        What.POPLU: 10,
    }
    plain = score_hand(cards, parse_cards("JD 5H QC"), 0, JACK, preset("gambiter"))
    assert {item.what: item.points for item in plain} == {What.TUNNELA: 25, What.POPLU: 10}


# Six man cards


def test_two_man_cards_a_pack_are_six():
    assert preset("pagat", man_cards=6).deck_size == 162
    rules = preset("pagat", man_cards=6)
    held = " ".join(["MAN"] * 6)
    totals = [points_of(score_hand(parse_cards(held)[:count], (), 0, JACK, rules)) for count in range(7)]
    assert totals == [0, 5, 15, 25, 30, 40, 50]


def test_of_four_man_cards_three_are_exposed_and_the_fourth_stands_in():
    hand = "MAN MAN MAN MAN AS 2S 3S 7C 8C 9C 2D 4D 9S 9H 9C AH 2H 3H 5S 6S 7S"
    rules = preset("pagat", man_cards=6)
    deal = (
        Script(arranged(hand, "", stock="6C QD", rules=rules)).do(expose("MAN"), seat=0).close_window().draw()
    )
    assert deal.state.seats[0].concealed().count(MAN) == 1
    deal.do(show("MAN MAN MAN | AS 2S 3S | 7C 8C 9C")).cut_to("QD")
    deal.do(finish("2D MAN 4D | 9S 9H 9C | AH 2H 3H | 5S 6S 7S", "6C"))
    sheet = deal.state.sheet
    assert sheet is not None
    assert {item.what: item.points for item in sheet.lines[0].items} == {What.MAN_TUNNELA: 45, What.MAN: 5}
    check_waiting(deal.state)


# Throwing back


def test_the_card_just_taken_is_thrown_back_only_where_the_rules_let_it():
    for allowed in (False, True):
        option = "allow" if allowed else "forbid"
        deal = begun("", "", up="KD", same_face_discard=option).do(TakeDiscard())
        assert (Discard(card("KD")) in deal.legal()) is allowed
        if allowed:
            assert deal.throw("KD").state.turn == 1
        else:
            assert deal.refusal(Discard(card("KD"))) is Refusal.SAME_FACE


def test_the_face_just_taken_may_be_thrown_back_if_there_is_no_other():
    seen = begun("", "", up="KD").do(TakeDiscard()).view()
    assert free_discards(seen, parse_cards("2S KD KD")) == parse_cards("2S")
    assert free_discards(seen, parse_cards("KD KD")) == parse_cards("KD")


def test_only_presets_whose_source_forbids_it_forbid_throwing_back():
    forbid = {name for name, rules in PRESETS.items() if rules.same_face_discard == "forbid"}
    assert forbid == {"pagat", "kathmandu", "murder", "kidnap"}


# The stock runs out on the card of a first show


def run_out(stocks=1, **options):
    """Return a deal in which the first show comes with the last card of stock number `stocks`."""
    deal = begun("", "", "", "", PRIMARY, up="KD", **options)
    while deal.state.reshuffles < stocks - 1 or len(deal.state.stock) > 1:
        deal.pass_turn()
    return deal.draw().do(LAID)


def test_where_an_empty_stock_dismisses_the_deal_a_first_show_with_the_last_card_does_too():
    deal = run_out(stock_out="dismiss")
    assert [type(event) for event in deal.events[-3:-1]] == [Showed, Dismissed]
    assert deal.state.sheet is not None
    assert deal.state.sheet.ending is Ending.DISMISSED


def test_a_first_show_does_not_go_past_the_reshuffle_cap():
    within = run_out(stocks=2, reshuffle_cap=2)
    assert within.state.phase is Phase.CUT
    assert within.state.reshuffles == 2
    past = run_out(stocks=2, reshuffle_cap=1)
    assert [type(event) for event in past.events[-3:-1]] == [Showed, Dismissed]
    assert past.state.reshuffles == 1


def test_without_a_cap_the_discards_become_a_new_stock_again_and_again():
    deal = begun("", "", "", "", "", reshuffle_cap=0)
    while deal.state.reshuffles < 6:
        deal.pass_turn()
    assert sum(isinstance(event, Reshuffled) for event in deal.events) == 6
    assert deal.state.phase is Phase.DRAW


# Maal after a show by dublees


@pytest.mark.parametrize("player", [GreedyPlayer(), GreedyPlayer(count_outs=False), BeginnerPlayer()])
def test_who_showed_dublees_throws_no_maal_where_a_worthless_card_would_do(player):
    hand = f"{PAIRS} KC QC AC 5D 7S 9H JD"
    deal = begun(hand, "", stock="6S KC", dublee=True).draw().do(SEVEN).cut_to("KC")
    seen = deal.view(0)
    assert seen.tiplu == card("KC")
    thrown = player.choose(seen)
    assert isinstance(thrown, Discard)
    assert thrown.card not in parse_cards("KC QC AC")
    hint = advise(seen).action
    assert isinstance(hint, Discard)
    assert hint.card not in parse_cards("KC QC AC")
