"""Hints: what a good player would do, with true figures, using nothing that the holder may not see."""

import random
from dataclasses import replace

import pytest

from marriage.actions import Discard, DrawStock, Show, ShowDublees, TakeDiscard
from marriage.cards import CARDS, MAN, Card, parse_cards, sort_cards, without
from marriage.rules import preset
from marriage.scoring.hand_points import points_of, score_hand
from marriage.solver import Hand, distance, pairs, show_distance
from marriage.state import Phase
from marriage.strategy.advice import advise, cards_missing, maal_now
from marriage.strategy.discards import Aim
from marriage.strategy.master import MasterPlayer
from marriage.strategy.players import GreedyPlayer
from marriage.view import view
from tests.marriage.dealing import Script, arranged, deal, expose, play, show
from tests.marriage.example_hands import FOUR, LAID, PAIRS, PRIMARY, REST, SINGLES, begun
from tests.render.test_secrecy import twin

GREEDY = GreedyPlayer(count_outs=False)
MASTER = MasterPlayer()


def moments(number, every=7):
    dealt, _ = deal(number)
    states = [dealt, *(after for after, *_ in play(dealt, GREEDY.choose))]
    return [state for state in states[::every] if state.phase is not Phase.OVER]


@pytest.mark.parametrize("number", range(3))
def test_the_hint_is_what_the_master_does(number):
    for state in moments(number):
        seat = state.turn
        mine = view(state, seat)
        assert advise(mine).action == MASTER.choose(mine)
        waiting = (seat + 1) % len(state.seats)
        if state.phase is not Phase.WINDOW:
            assert advise(view(state, waiting)).action is None


def test_figures_are_true():
    checked = 0
    for state in moments(4, every=1)[2:60]:
        mine = view(state, state.turn)
        if MASTER.aim(mine) is Aim.DUBLEES:
            continue
        advice, hand, rules = advise(mine), Hand.of(mine), mine.rules
        count = show_distance if mine.own.shown is None else distance
        assert advice.before == count(hand, rules)
        if not isinstance(advice.action, Discard):
            continue
        rest = Hand(
            without(hand.concealed, [advice.action.card]), hand.exposed, hand.laid, hand.tiplu, hand.dead
        )
        assert advice.after == count(rest, rules)
        assert advice.outs == sum(hand.left(rules)[card] for card in advice.helpful)
        assert [advice.action.card, advice.second and advice.second.card] == [
            option.card for option in MASTER.ranked(mine)[:2]
        ]
        for card in random.Random(1).sample(CARDS[:52], 12):
            richer = Hand(
                tuple(sorted((*rest.concealed, card))), rest.exposed, rest.laid, rest.tiplu, rest.dead
            )
            if hand.left(rules)[card]:
                assert (card in advice.helpful) == (count(richer, rules) < advice.after)
        checked += 1
    assert checked > 3


@pytest.mark.parametrize("number", range(3))
def test_hidden_cards_change_no_hint(number):
    chance = random.Random(number)
    for state in moments(number, every=9):
        for seat in range(len(state.seats)):
            other = twin(state, seat, chance)
            assert other.seats != state.seats
            assert advise(view(state, seat)) == advise(view(other, seat))


def test_a_card_that_helps_is_taken_and_another_is_not():
    hand = "2S 3S 4S 7H 7H 7H 9D 10D 2H 4H 6C 8C QC KC 3D 5D KS JS 9S 6S 5C"
    for up, expected in (("JD", TakeDiscard), ("2C", DrawStock)):
        table = Script(arranged(hand, "", up=up, stock="AD")).close_window()
        advice = advise(table.view(0))
        assert isinstance(advice.action, expected)
        assert (advice.before, advice.after) == ((1, 0) if expected is TakeDiscard else (1, 1))


def test_who_can_show_is_told_which_sets():
    hand = "2S 3S 4S 7H 7H 7H 9D 10D JD 4H 6C 8C QC KC 3D 5D KS JS 9S 6S 5C"
    advice = advise(Script(arranged(hand, "", up="2C", stock="AD")).close_window().draw().view(0))
    assert isinstance(advice.action, Show)
    assert advice.helpful == ()


def test_there_is_no_hint_after_the_end():
    dealt, _ = deal(1)
    last = [after for after, *_ in play(dealt, GREEDY.choose)][-1]
    with pytest.raises(ValueError, match=r"^the deal is over: there is nothing to advise$"):
        advise(view(last, 0))
    with pytest.raises(ValueError, match="spectator"):
        advise(view(dealt, None))


def test_before_a_show_by_groups_the_nearer_goal_counts_and_groups_where_both_are_as_near():
    near = "AS 2S 3S 5H 6H 7H 9C 10C 2D 2D 4D 4D 8S 8S JH JH KS KS QC QC 6D"
    seen = begun(near, "").view(0)
    assert show_distance(Hand.of(seen), seen.rules) == 7 - len(pairs(seen.hand, seen.rules)) == 1
    assert cards_missing(seen) == (1, Aim.SHOW)
    assert cards_missing(begun(near.replace("9C 10C", "6D 10C"), "").view(0)) == (0, Aim.DUBLEES)
    assert cards_missing(begun(f"{PAIRS} 3C 3C 7S 9H JD 3H KC", "").view(0)) == (0, Aim.DUBLEES)


def test_where_dublees_are_not_allowed_only_groups_count():
    seen = begun(f"{PAIRS} {SINGLES}", "", dublee=False).view(0)
    assert cards_missing(seen) == (show_distance(Hand.of(seen), seen.rules), Aim.SHOW)
    two = begun(f"{PAIRS} {SINGLES}", "", dublee_min_players=3).view(0)
    assert cards_missing(two) == cards_missing(seen)


def test_after_a_show_by_groups_what_is_missing_is_missing_for_a_finish():
    table = begun(f"{PRIMARY} {REST}", "", stock="6C QD").draw().do(LAID).cut_to("QD")
    assert cards_missing(table.view(0)) == (0, Aim.FINISH)
    poorer = begun(f"{PRIMARY} {FOUR.replace(' | ', ' ').replace('2D', '7D')}", "", stock="6C QD")
    seen = poorer.draw().do(LAID).cut_to("QD").view(0)
    assert cards_missing(seen) == (distance(Hand.of(seen), seen.rules), Aim.FINISH)


def test_nothing_is_missing_for_a_spectator_or_a_dead_hand_or_after_the_end():
    seen = begun(f"{PRIMARY} {REST}", "").view(0)
    assert cards_missing(seen) is not None
    assert cards_missing(replace(seen, viewer=None)) is None
    assert cards_missing(replace(seen, phase=Phase.OVER)) is None
    dead = replace(seen, seats=(replace(seen.own, out=True), *seen.seats[1:]))
    assert cards_missing(dead) is None


def test_for_a_hand_that_no_cards_complete_nothing_is_said_to_be_missing():
    """After a run of thirteen and two sets of three, two cards remain, which are no group."""
    laid = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS | 2H 3H 4H | 6H 7H 8H"
    rules = preset("wikipedia", direction="clockwise")
    hand = f"{laid.replace(' | ', ' ')} 9D 10D"
    table = Script(arranged(hand, "", stock="JD QC", rules=rules)).close_window().draw()
    assert cards_missing(table.view(0)) == (0, Aim.SHOW)
    assert cards_missing(table.do(show(laid)).cut_to("QC").view(0)) is None


def worth(view, laid=0):
    own = view.own
    return points_of(score_hand(own.cards, own.exposed, laid, view.tiplu, view.rules))


def test_the_maal_now_counts_laid_marriages_and_exposed_tunnelas():
    hand = f"QD KD JD AS 2S 3S 7C 8C 9C 5H 5H 5H {SINGLES}"
    table = Script(arranged(hand, "", stock="6C QD", rules=begun("", "", laid_marriage=True).state.rules))
    table.do(expose("5H"), seat=0).close_window().draw()
    seen = table.do(show("JD QD KD | AS 2S 3S | 7C 8C 9C")).cut_to("QD").view(0)
    assert maal_now(seen) == worth(seen, laid=1) > worth(seen)
    hidden = replace(seen, seats=(replace(seen.own, exposed=()), *seen.seats[1:]))
    assert maal_now(hidden) == worth(hidden, laid=1) < worth(seen, laid=1)


def test_maal_is_told_only_of_a_living_hand_that_has_seen_in_a_deal_that_goes_on():
    seen = begun(f"{PRIMARY} {REST}", "", stock="6C QD").draw().do(LAID).cut_to("QD").view(0)
    assert maal_now(seen) is not None
    assert maal_now(replace(seen, phase=Phase.OVER)) is None
    assert maal_now(replace(seen, tiplu=None)) is None
    for change in ({"out": True}, {"seen": False}, {"cards": None}):
        assert maal_now(replace(seen, seats=(replace(seen.own, **change), *seen.seats[1:]))) is None


def test_towards_dublees_the_unseen_partners_of_single_cards_help():
    """The card that it throws needs no partner any more."""
    singles = "2H 3D KD JS 6S 9D AC 4C 9S"
    hand = f"AS AS 4S 4S 8H 8H QH QH 6D 6D 10C 10C {singles}"
    table = Script(arranged(hand, "", up="7D", stock="7H")).close_window()
    before = advise(table.view(0))
    assert (before.action, before.aim, before.before, before.after) == (DrawStock(), Aim.DUBLEES, 1, 1)
    assert before.helpful == sort_cards(parse_cards(singles))
    assert before.outs == 2 * len(before.helpful)
    after = advise(table.draw().view(0))
    assert isinstance(after.action, Discard)
    kept = {*parse_cards(f"{singles} 7H")} - {after.action.card}
    assert after.helpful == tuple(sorted(kept))
    all_seen = replace(table.view(0), pile=parse_cards("7D 2H 2H"), throwers=(1, 1))
    assert Card.parse("2H") not in advise(all_seen).helpful


def test_man_cards_help_where_two_of_them_are_a_dublee():
    six = "AS AS 4S 4S 8H 8H QH QH 6D 6D 10C 10C"
    for joker_dublee in (True, False):
        rules = {"man_cards": 2, "joker_dublee": joker_dublee}
        advice = advise(begun(f"{six} MAN 2H 3D KD JS 6S 9D AC 4C", "", up="7D", **rules).view(0))
        assert advice.aim is Aim.DUBLEES
        assert (MAN in advice.helpful) == joker_dublee


def test_who_can_show_dublees_waits_for_nothing():
    advice = advise(begun(f"{PAIRS} {SINGLES}", "").draw().view(0))
    assert isinstance(advice.action, ShowDublees)
    assert (advice.after, advice.helpful, advice.outs) == (0, (), 0)


def test_there_is_a_second_discard_only_where_another_card_may_be_thrown():
    laid = "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS | 2H 3H 4H | 6H 7H 8H"
    rules = preset("wikipedia", direction="clockwise")
    for drawn, others in (("9D", 0), ("JD", 1)):
        hand = f"{laid.replace(' | ', ' ')} 9D 9D"
        table = Script(arranged(hand, "", stock=f"{drawn} QC", rules=rules)).close_window().draw()
        advice = advise(table.do(show(laid)).cut_to("QC").view(0))
        assert isinstance(advice.action, Discard)
        assert (advice.second is not None) == others


def test_a_card_that_was_taken_and_kept_is_no_longer_among_those_that_may_come():
    """The jack completes the run; its other two copies may still come, and count for nothing more."""
    hand = "2S 3S 4S 7H 7H 2C 9D 10D 2H 4H 6C 8C QC KC 3D 5D KS JS 9S 6S 5C"
    seen = Script(arranged(hand, "", up="JD", stock="AD")).close_window().view(0)
    advice = advise(seen)
    assert isinstance(advice.action, TakeDiscard)
    taken = Hand.of(seen)
    taken = taken._replace(concealed=sort_cards((*taken.concealed, seen.pile[-1])), dead=())
    assert (advice.before, advice.after) == (
        show_distance(Hand.of(seen), seen.rules),
        show_distance(taken, seen.rules),
    )
    assert advice.before == advice.after + 1
