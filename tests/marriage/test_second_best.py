"""Short cuts of advice: what is not weighed, or not counted again, would have changed nothing."""

import random
from functools import cache

import pytest

from marriage.actions import Action, Discard
from marriage.analysis.options import (
    after_discard,
    difference,
    is_like,
    options,
    second_best,
    waiting,
)
from marriage.cards import CARDS
from marriage.rules import preset
from marriage.solver import Hand
from marriage.solver.hand import finish_question, holes, more, show_question
from marriage.solver.suits import helpful
from marriage.state import Phase
from marriage.strategy.advice import advise
from marriage.strategy.discards import Aim, discards
from marriage.strategy.master import MasterPlayer
from marriage.strategy.players import GreedyPlayer
from marriage.view import View, view
from tests.marriage.dealing import actor, deal, play

GREEDY = GreedyPlayer(count_outs=False)
MASTER = MasterPlayer()
NAMES = ("pagat", "kathmandu", "wikipedia-2010", "murder")


@cache
def moments(name: str, every: int = 4) -> tuple[View, ...]:
    """Return what seats that had to act saw, in deals under a preset."""
    found: list[View] = []
    for number in range(2):
        dealt, _ = deal(number, 4, **preset(name).model_dump())
        for index, (state, *_) in enumerate(play(dealt, GREEDY.choose)):
            if index % every == 0 and state.phase is not Phase.OVER:
                found.append(view(state, actor(state)))
    return tuple(found)


def second_of_all(seen: View, action: Action, other: Action | None) -> tuple[Action, float] | None:
    """Return the second best with every option weighed."""
    found = options(seen)
    advised = next((option for option in found if is_like(option.action, action)), None)
    rest = [option for option in found if option is not advised and other in (None, option.action)]
    if advised is None or not rest:
        return None
    return rest[0].action, max(0.0, difference(advised, rest[0]))


@pytest.mark.parametrize("name", NAMES)
def test_the_second_best_is_what_it_is_among_all_options(name: str) -> None:
    compared = 0
    for seen in moments(name):
        advice = advise(seen)
        if advice.action is None:
            continue
        other = None if advice.second is None else Discard(advice.second.card)
        found = second_best(seen, advice.action, other)
        assert found == second_of_all(seen, advice.action, other)
        compared += found is not None
    assert compared > 10


@pytest.mark.parametrize("name", NAMES)
def test_advice_ranks_the_discards_as_the_player_does(name: str) -> None:
    for seen in moments(name):
        action, ranked = MASTER.considered(seen)
        assert action == MASTER.choose(seen) == advise(seen).action
        assert ranked == (MASTER.ranked(seen) if isinstance(action, Discard) else ())


@pytest.mark.parametrize("name", NAMES)
def test_helpful_cards_are_those_that_leave_fewer_holes(name: str) -> None:
    looked_at = 0
    for seen in random.Random(name).sample(moments(name), 12):
        hand = Hand.of(seen)
        ask = show_question if seen.own.shown is None else finish_question
        asked, left = ask(hand, seen.rules), hand.left(seen.rules)
        least = holes(asked)
        if least:
            better = [
                card for card in CARDS[:-1] if left[card] and holes(more(asked, card, hand.wilds)) < least
            ]
            assert list(helpful(asked, left, hand.wilds, least - 1)) == better
            looked_at += 1
    assert looked_at > 3


@pytest.mark.parametrize("name", NAMES)
def test_outs_that_were_counted_for_a_discard_are_those_of_the_hand_without_it(name: str) -> None:
    compared = 0
    for seen in moments(name, every=9):
        if seen.phase is not Phase.PLAY or MASTER.aim(seen) is Aim.DUBLEES:
            continue
        for option in discards(seen, goal=MASTER.aim(seen))[:3]:
            after = after_discard(seen, option.card)
            assert waiting(after, option.outs) == waiting(after)
            compared += option.outs is not None
    assert compared > 3
