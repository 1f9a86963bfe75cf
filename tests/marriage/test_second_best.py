"""Short cuts of advice: what is not weighed, or not counted again, would have changed nothing."""

import random
from functools import cache

import pytest

from marriage.actions import Action, DeclineTunnelas, Discard, DrawStock
from marriage.analysis.options import (
    Option,
    Stage,
    after_discard,
    difference,
    figured,
    is_like,
    options,
    second_best,
    waiting,
)
from marriage.cards import CARDS
from marriage.rules import preset
from marriage.scoring.point_tables import point_table
from marriage.sheet import What
from marriage.solver import Hand
from marriage.solver.hand import finish_question, holes, more, show_question
from marriage.solver.suits import helpful
from marriage.state import Phase
from marriage.strategy.advice import advise
from marriage.strategy.discards import Aim, discards
from marriage.strategy.master import MasterPlayer
from marriage.strategy.players import GreedyPlayer
from marriage.view import View, view
from tests.marriage.dealing import Script, actor, arranged, deal, expose, play, show_dublees

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


def at_first_draw() -> View:
    """Return a view in which two tunnelas may still be exposed and the top of the pile may be taken."""
    rules = preset("pagat", tunnela_window="own_first_draw")
    return Script(arranged("5H 5H 5H 6S 6S 6S", "", "", rules=rules)).view(0)


def test_what_is_no_option_of_the_moment_has_no_second_best() -> None:
    """Exposing tunnelas, or not, costs no draw, so it is not weighed against drawing."""
    seen = at_first_draw()
    assert second_best(seen, DrawStock()) is not None
    assert second_best(seen, expose("5H")) is None


def test_in_the_window_every_tunnela_that_is_kept_hidden_costs_its_points() -> None:
    seen = Script(arranged("5H 5H 5H 6S 6S 6S", "", "")).view(0)
    worth = point_table("pagat", ()).worth
    one, two = (2 * worth(What.TUNNELA, count) for count in (1, 2))
    best, *others = options(seen)
    assert best.action == expose("6S 5H")
    assert {option.action: option.points - best.points for option in others} == {
        expose("5H"): pytest.approx(one - two),
        expose("6S"): pytest.approx(one - two),
        DeclineTunnelas(): pytest.approx(-two),
    }


def test_towards_the_eighth_dublee_the_unseen_partners_count() -> None:
    """Seven single cards have two partners each among the cards that the seat does not see."""
    hand = "2S 2S 4H 4H 6C 6C 8D 8D 10S 10S QH QH AC AC 3C 5D 7S 9H JD 3H KC"
    table = Script(arranged(hand, "", stock="JC QD")).close_window().draw()
    table.do(show_dublees("2S 4H 6C 8D 10S QH AC")).cut_to("QD").throw("JC")
    seen = table.view(0)
    unseen = 156 - 21 - len(seen.pile) - 1
    stage, features = waiting(seen)
    assert stage is Stage.DUBLEES
    assert features[:2] == (1.0, pytest.approx(14 / unseen))
    option = Option(Discard(seen.hand[0]), 3.0)
    assert figured(seen, option) is option
