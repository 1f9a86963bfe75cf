"""Computer players: they play every kind of deal to its end, by the rules and with some sense."""

import random

import pytest

from marriage.actions import (
    CutTiplu,
    DeclineTunnelas,
    Discard,
    DrawStock,
    ExposeTunnelas,
    Finish,
    FinishDublees,
    Show,
    ShowDublees,
    TakeDiscard,
)
from marriage.apply import replay
from marriage.arena.ladder import LADDER
from marriage.cards import Card, parse_cards
from marriage.decide import start
from marriage.legal import legal_actions
from marriage.rules import PRESETS, Rules, preset
from marriage.sheet import Ending
from marriage.state import Phase
from marriage.strategy.players import GreedyPlayer, Player, RandomPlayer
from marriage.view import view
from tests.marriage.dealing import Script, actor, arranged, deal, play, seed

GREEDY = GreedyPlayer(count_outs=False)

HOUSE_RULES = {
    "show only": {"unseen_pickup": "show_only"},
    "late finish": {"same_turn_finish": False, "dublee": False},
    "open": {"open_tiplu": True, "group_size": "three_plus"},
    "men": {"man_cards": 3, "master_card": "after_seeing", "joker_dublee": True},
    "master": {"master_card": "always", "primary_trial": True, "man_cards": 1},
    "late tunnelas": {"tunnela_window": "own_first_draw", "seen_pickup_wild": "allow"},
    "dismiss": {"stock_out": "dismiss"},
}


def ended(number, chooser: Player, players=4, **options):
    state, _ = deal(number, players, **options)
    states = [step[0] for step in play(state, chooser.choose)]
    return states[-1], sum(state.phase is Phase.DRAW for state in states)


@pytest.mark.parametrize("name", PRESETS)
def test_a_greedy_table_finishes_its_deals(name):
    turns = []
    for number in range(3):
        state, count = ended(number, GreedyPlayer(), **PRESETS[name].model_dump())
        assert state.sheet.ending in (Ending.GROUPS, Ending.DUBLEES)
        turns.append(count)
    assert 5 < sum(turns) / len(turns) < 40


@pytest.mark.parametrize("name", HOUSE_RULES)
@pytest.mark.parametrize("players", [2, 5])
def test_it_plays_by_every_house_rule(name, players):
    for number in range(2):
        state, _ = ended(number, GREEDY, players, **HOUSE_RULES[name])
        assert state.sheet is not None


def test_a_random_player_plays_by_the_rules():
    for number, options in enumerate(HOUSE_RULES.values()):
        state, _ = deal(number, 3, **options)
        player = RandomPlayer(random.Random(number))
        for step, _ in enumerate(play(state, player.choose)):
            if step == 120:
                break


def test_a_greedy_player_beats_random_ones():
    wins = 0
    for number in range(6):
        chance = RandomPlayer(random.Random(number))
        state, _ = deal(number, 3)
        seats = [chance, GREEDY, chance]
        while state.phase is not Phase.OVER:
            seat = actor(state)
            state = next(play(state, seats[seat].choose))[0]
        wins += state.sheet.winner == 1
    assert wins >= 5


def test_the_same_view_gets_the_same_answer():
    dealt, _ = deal(7, 4)
    for state, _, _, _ in play(dealt, GREEDY.choose):
        if state.phase is Phase.PLAY:
            seen = view(state, state.turn)
            assert GreedyPlayer().choose(seen) == GreedyPlayer().choose(seen)
            break


def test_it_exposes_all_its_tunnelas_or_declines():
    table = Script(arranged("5H 5H 5H 9D 9D 9D", "2S 3S"))
    assert GREEDY.choose(table.view(0)) == ExposeTunnelas(parse_cards("5H 9D"))
    without = Script(
        arranged("AS 3S 5S 7S 9S JS KS AH 3H 5H 7H 9H JH KH AD 3D 5D 7D 9D JD KD", "2S", up="2C")
    )
    assert GREEDY.choose(without.view(0)) == DeclineTunnelas()


SCATTERED = "AS 4S 8S JS 2H 6H 9H KH 3D 7D 10D"
TWO_RUNS_AND_A_PAIR = f"5C 6C 7C 9C 10C JC AD AD {SCATTERED} 5H QS"


def test_it_takes_the_discard_that_brings_it_nearer_and_no_other():
    taking = Script(arranged(TWO_RUNS_AND_A_PAIR, "2S 2S", up="AD")).close_window()
    assert GREEDY.choose(taking.view(0)) == TakeDiscard()
    leaving = Script(arranged(TWO_RUNS_AND_A_PAIR, "2S 2S", up="QS")).close_window()
    assert GREEDY.choose(leaving.view(0)) == DrawStock()


def test_where_a_discard_is_taken_only_to_show_it_is_taken_for_nothing_else():
    rules = Rules(unseen_pickup="show_only")
    nearer = TWO_RUNS_AND_A_PAIR.replace("5C 6C 7C", "5C 6C 2C")
    ready = TWO_RUNS_AND_A_PAIR.replace("QS", "AD")
    for hand, up, choice in (
        (TWO_RUNS_AND_A_PAIR, "AD", TakeDiscard),
        (nearer, "AD", DrawStock),
        (ready, "7C", DrawStock),
    ):
        table = Script(arranged(hand, "2S 2S", up=up, rules=rules)).close_window()
        assert isinstance(GREEDY.choose(table.view(0)), choice)


def test_it_shows_as_soon_as_it_can_and_cuts_by_chance():
    table = Script(arranged(TWO_RUNS_AND_A_PAIR, "2S 2S", up="AD")).close_window()
    table.do(TakeDiscard())
    shown = GREEDY.choose(table.view(0))
    assert isinstance(shown, Show)
    assert set(shown.groups) == set(map(parse_cards, ("5C 6C 7C", "9C 10C JC", "AD AD AD")))
    table.do(shown)
    assert GREEDY.choose(table.view(0)) == CutTiplu()


SIX_PAIRS = "AS AS 4S 4S 8H 8H QH QH 6D 6D 10C 10C"


def test_with_six_pairs_and_no_groups_it_collects_dublees():
    table = Script(arranged(f"{SIX_PAIRS} 2H 3D KD JS 6S 9D AC 4C 9S", "2S 2S", up="KD")).close_window()
    assert GREEDY.choose(table.view(0)) == TakeDiscard()
    table.do(TakeDiscard())
    assert GREEDY.choose(table.view(0)).action == "show_dublees"


def test_without_the_seventh_pair_it_throws_a_single_card():
    table = Script(arranged(f"{SIX_PAIRS} 2H 3D KD JS 6S 9D AC 4C 9S", "2S 2S", up="7D", stock="7H"))
    table.close_window().draw()
    thrown = GREEDY.choose(table.view(0))
    assert isinstance(thrown, Discard)
    assert thrown.card not in parse_cards(SIX_PAIRS)


def test_eight_pairs_show_and_finish_in_one_turn():
    table = Script(arranged(f"{SIX_PAIRS} 2H 2H KD JS 6S 9D AC 4C 9S", "2S 2S", up="KD")).close_window()
    for kind in (TakeDiscard, ShowDublees, CutTiplu, FinishDublees):
        action = GREEDY.choose(table.view(0))
        assert isinstance(action, kind)
        table.do(action)
    assert table.state.sheet.ending is Ending.DUBLEES


def test_a_hand_that_can_finish_does():
    groups = "5C 6C 7C 9C 10C JC AD AD AD 2H 3H 4H 7S 8S 9S KS KH KC 4D 5D 6D"
    table = Script(arranged(groups, "2S 2S", up="QD", stock="9H")).close_window().draw()
    table.do(*[GREEDY.choose(table.view(0))])
    table.cut_to("2C")
    finish = GREEDY.choose(table.view(0))
    assert isinstance(finish, Finish)
    assert finish.discard == Card.parse("9H")


@pytest.mark.parametrize("make", LADDER.values(), ids=LADDER)
def test_out_of_turn_a_player_only_answers_about_tunnelas(make):
    state = replay(start(preset("pagat", tunnela_window="own_first_draw"), 3, 0, seed(4)))
    later = view(state, (state.turn + 1) % 3)
    assert legal_actions(later) == (DeclineTunnelas(),)
    assert make(random.Random(1)).choose(later) == DeclineTunnelas()
