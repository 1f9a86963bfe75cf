"""The analysis of a deal: its findings, that it needs only the seat's view, and that it is deterministic."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import pytest

from marriage.actions import Action, Discard, DrawStock, Finish, Show, TakeDiscard
from marriage.analysis.deal_analysis import (
    ANALYSIS,
    Analysis,
    analyse,
    choices,
    gaps,
)
from marriage.analysis.options import Option, options
from marriage.analysis.verdicts import Verdict
from marriage.decide import start
from marriage.duplicate_board import board_rules
from marriage.events import Drew, Event, Settled
from marriage.legal import legal_actions, legal_discards
from marriage.review import steps
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed
from marriage.state import Phase
from marriage.strategy.players import BeginnerPlayer, GreedyPlayer, Player, play_out
from marriage.view import View
from tests.marriage.pausing import worked_out

pytestmark = pytest.mark.xdist_group("analysis")  # so that only one process analyses each deal

STRONG = GreedyPlayer(count_outs=False)


@dataclass(frozen=True, slots=True)
class NeverShows:
    """Plays as a beginner, but throws a card when it could show."""

    def choose(self, view: View) -> Action:
        action = BeginnerPlayer().choose(view)
        return Discard(legal_discards(view)[0]) if isinstance(action, Show) else action


@dataclass(frozen=True, slots=True)
class NeverFinishes:
    """Plays well until it could finish, and then throws a card."""

    def choose(self, view: View) -> Action:
        action = STRONG.choose(view)
        return Discard(legal_discards(view)[0]) if isinstance(action, Finish) else action


def played(player: Player, number: int, preset: str = "pagat", *, board: bool = False) -> list[Event]:
    """Return the events of a deal of four, with this player in seat 0 and three strong ones."""
    rules = board_rules(PRESETS[preset]) if board else PRESETS[preset]
    dealt = start(rules, 4, number % 4, DealSeed(bytes([number]) * 32, "analysis", number), board=board)
    return list(play_out(dealt, [player, STRONG, STRONG, STRONG]))


def run(events: Sequence[Event], seat: int = 0) -> Analysis:
    """Return the whole analysis at once."""
    return worked_out(analyse(events, seat))[0]


@cache
def analysed(number: int) -> Analysis:
    return run(played(BeginnerPlayer(), number))


@cache
def found_in(player: Player) -> list[Analysis]:
    return [run(played(player, number)) for number in (1, 2)]


def test_the_same_deal_has_the_same_analysis() -> None:
    assert run(played(BeginnerPlayer(), 1)) == analysed(1)


def test_an_analysis_comes_back_from_its_json() -> None:
    assert ANALYSIS.validate_json(ANALYSIS.dump_json(analysed(2))) == analysed(2)


@pytest.mark.parametrize("number", [1, 2])
def test_a_result_is_luck_and_losses_and_a_rest(number: int) -> None:
    found = analysed(number)
    events = played(BeginnerPlayer(), number)
    (settled,) = (event for event in events if isinstance(event, Settled))
    assert found.net == settled.sheet.lines[0].net
    assert found.dealt_luck + found.drawn_luck - found.lost + found.rest == pytest.approx(found.net)
    assert len(found.draws) == sum(isinstance(event, Drew) and event.seat == 0 for event in events)


@pytest.mark.parametrize("number", [1, 2])
def test_a_decision_names_the_step_at_which_it_was_made(number: int) -> None:
    """The chosen action is what happened next in the replay, and the seat could choose it there."""
    replayed = steps(played(BeginnerPlayer(), number))
    for decision in analysed(number).decisions:
        known = replayed[decision.step].seen_by(0).view
        same_kind = {type(action) for action in legal_actions(known)}
        assert type(decision.chosen.action) in same_kind
        assert type(decision.best.action) in same_kind
        assert decision.loss >= 0
        assert decision.best.points >= decision.chosen.points


def test_a_show_that_was_missed_is_found() -> None:
    missed = [each for each in run(played(NeverShows(), 1)).decisions if each.missed_show]
    assert missed
    assert all(isinstance(each.chosen.action, Discard) for each in missed)


def test_a_finish_that_was_missed_is_found_and_dear() -> None:
    missed = [each for found in found_in(NeverFinishes()) for each in found.decisions if each.missed_finish]
    assert missed
    assert all(each.verdict is not Verdict.GOOD for each in missed)


def test_who_plays_better_loses_less() -> None:
    weak, strong = (sum(found.lost for found in found_in(player)) for player in (NeverFinishes(), STRONG))
    assert strong < weak


def test_a_deal_that_is_on_has_no_analysis() -> None:
    events = played(STRONG, 1)
    with pytest.raises(ValueError, match="not over"):
        run(events[:-2])


def test_the_worst_are_three_at_most_and_the_dearest() -> None:
    found = analysed(1)
    worst = found.worst
    assert len(worst) <= 3
    assert [each.loss for each in worst] == sorted((each.loss for each in worst), reverse=True)
    assert all(each.verdict is not Verdict.GOOD for each in worst)


def test_the_dearest_throw_is_the_one_that_lost_most_against_another_throw() -> None:
    found = analysed(1)
    throw = next(
        each
        for each in found.decisions
        if isinstance(each.chosen.action, Discard) and isinstance(each.best.action, Discard)
    )
    missed = replace(throw, best=replace(throw.best, action=Show(())), loss=9.0, verdict=Verdict.BLUNDER)
    dear = replace(throw, loss=5.0, verdict=Verdict.MISTAKE)
    dearest = replace(throw, loss=6.0, verdict=Verdict.BLUNDER)
    assert replace(found, decisions=(dear, dearest, missed)).dearest_throw is dearest
    assert replace(found, decisions=(missed,)).dearest_throw is None
    good = replace(throw, loss=0.0, verdict=Verdict.GOOD)
    assert replace(found, decisions=(good,)).dearest_throw is None
    assert replace(found, decisions=()).dearest_throw is None


def test_rollouts_of_an_option_beside_itself_find_no_difference() -> None:
    choice = next(each for each in choices(played(STRONG, 2), 0) if isinstance(each.action, Discard))
    found = gaps(choice.position, choice.action, choice.action, STRONG, "seed")
    for _ in range(3):
        gap = next(found)
    assert gap.samples == [0, 0, 0]
    assert (gap.mean, gap.error) == (0, 0)


def test_every_option_is_legal_and_the_best_comes_first() -> None:
    for choice in choices(played(STRONG, 7, "wikipedia"), 0):
        found = options(choice.view)
        assert [option.points for option in found] == sorted((o.points for o in found), reverse=True)
        if choice.view.phase is Phase.DRAW:
            assert {type(option.action) for option in found} <= {DrawStock, TakeDiscard}
        if choice.view.phase is not Phase.CUT:
            assert found
            assert all(isinstance(option, Option) for option in found)
