"""The computer player for learners: always legal, always the same, and no match for the others."""

import pytest

from marriage.actions import Discard, DrawStock, TakeDiscard
from marriage.apply import apply
from marriage.decide import decide, start
from marriage.legal import wilds
from marriage.rules import PRESETS, Rules, preset
from marriage.shuffle import DealSeed
from marriage.state import Phase, State
from marriage.strategy.players import BeginnerPlayer, GreedyPlayer, Player
from marriage.view import view
from tests.marriage.dealing import deal, play


def played(players: list[Player], rules: Rules, number: int) -> tuple[State, list[object]]:
    """Play a whole deal, and return its end and the first player's actions."""
    state, acts = None, []
    for event in start(rules, len(players), 0, DealSeed(number.to_bytes(32, "big"), "1", 1)):
        state = apply(state, event)
    while state.phase is not Phase.OVER:
        seat = state.turn
        if state.phase is Phase.WINDOW:
            seat = next(seat for seat, held in enumerate(state.seats) if not held.answered)
        action = players[seat].choose(view(state, seat))
        assert action == players[seat].choose(view(state, seat))
        if seat == 0:
            acts.append(action)
        for event in decide(state, seat, action):
            state = apply(state, event)
    return state, acts


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("number", range(3))
def test_it_plays_whole_deals_by_every_preset(name: str, number: int):
    state, acts = played([BeginnerPlayer()] * 3, PRESETS[name], number)
    assert state.sheet is not None
    assert not any(isinstance(act, TakeDiscard) for act in acts)
    assert any(isinstance(act, DrawStock) for act in acts)
    assert any(isinstance(act, Discard) for act in acts)


def test_it_plays_with_man_cards_a_master_card_and_an_open_tiplu():
    rules = preset(
        "pagat", man_cards=3, master_card="always", open_tiplu=True, tunnela_window="own_first_draw"
    )
    state, _ = played([BeginnerPlayer()] * 2, rules, 5)
    assert state.sheet is not None


def test_it_loses_most_deals_to_a_better_player():
    winners = []
    for number in range(12):
        players: list[Player] = [BeginnerPlayer(), GreedyPlayer(count_outs=False)]
        state, _ = played(players, PRESETS["pagat"], number)
        winners.append(state.sheet.winner)
    assert winners.count(1) >= 7


NOVICE = BeginnerPlayer(near=1, keeps_wilds=False)
CASUAL = GreedyPlayer(count_outs=False, uses_pile=False)


def test_a_novice_throws_a_wild_card_that_a_beginner_keeps():
    thrown = 0
    state, _ = deal(1, 3)
    for after, _, _, _ in play(state, GreedyPlayer().choose):
        if after.phase is not Phase.PLAY:
            continue
        seen = view(after, after.turn)
        throws = NOVICE.choose(seen)
        if isinstance(throws, Discard) and throws.card in wilds(seen):
            assert BeginnerPlayer().choose(seen) != throws
            thrown += 1
    assert thrown


def test_a_casual_player_leaves_the_pile_alone():
    left = 0
    for number in range(2):
        state, _ = deal(number, 3)
        for after, _, _, _ in play(state, CASUAL.choose):
            if after.phase is Phase.DRAW:
                seen = view(after, after.turn)
                assert CASUAL.choose(seen) == DrawStock()
                left += isinstance(GreedyPlayer(count_outs=False).choose(seen), TakeDiscard)
    assert left
