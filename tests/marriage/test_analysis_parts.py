"""The parts of an analysis on a short deal: a seat throws a card instead of finishing, and finishes a round later."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import cycle, islice

import pytest

from marriage.actions import Action, CutTiplu, DeclineTunnelas, Discard, DrawStock, Finish, Show, TakeDiscard
from marriage.analysis.deal_analysis import (
    Choice,
    Decision,
    Gap,
    Position,
    analyse,
    check_dearest,
    choices,
    ended,
    gaps,
    judge,
    judged,
    put_together,
    weigh_draws,
)
from marriage.analysis.options import (
    difference,
    figured,
    options,
    worth_of_draw,
    worth_of_hand,
)
from marriage.analysis.verdicts import Verdict, accuracy, verdict
from marriage.events import Drew, Event, Settled
from marriage.legal import finishes
from marriage.review import steps
from marriage.rules import preset
from marriage.strategy.players import GreedyPlayer, Player
from tests.marriage.dealing import DULL_FACES, Script, arranged, expose
from tests.marriage.example_hands import LAID, PRIMARY, REST, begun, card
from tests.marriage.pausing import worked_out

PLAYER = GreedyPlayer(count_outs=False)
FINISH_LATER = 1.3
"""What a round's delay of a finish costs against one opponent."""


@cache
def events(seats: int = 2) -> list[Event]:
    """Return the deal: seat 0 shows and could finish, but throws a card, and finishes in its next turn."""
    hands = (f"{PRIMARY} {REST}", " ".join(DULL_FACES[:21]), "")
    table = begun(*hands[:seats], stock="6C QD 9D", unseen_maal="murder")
    table.draw().do(LAID).cut_to("QD").throw("6C")
    while table.state.turn:
        table.pass_turn()
    table.draw()
    return table.do(finishes(table.view(0))[0]).events


@cache
def decisions() -> tuple[Decision, ...]:
    return worked_out(judge(events(), 0))[0]


def missed() -> Choice:
    """Return the choice to throw a card instead of finishing."""
    return next(choice for choice in choices(events(), 0) if isinstance(choice.action, Discard))


# The choices


def test_every_choice_of_the_seat_is_found_with_its_step() -> None:
    replayed = steps(events())
    found = list(choices(events(), 0))
    assert [type(choice.action).__name__ for choice in found] == [
        "DeclineTunnelas",
        "DrawStock",
        "Show",
        "CutTiplu",
        "Discard",
        "DrawStock",
        "Finish",
    ]
    assert [choice.step for choice in found] == [0, 0, 1, 2, 3, 6, 7]
    for choice in found[1:]:
        seen = replayed[choice.step].seen_by(0).view
        assert replace(choice.view, version=seen.version) == seen


def test_a_choice_knows_the_state_and_the_seat() -> None:
    choice = missed()
    assert choice.position.seat == 0
    assert choice.view == Script(*events()[:7]).view(0)
    assert choice.position.state == Script(*events()[:7]).state


def test_a_choice_knows_the_cards_that_everybody_saw_taken() -> None:
    table = begun("9C", "", stock="2D").draw().throw("9C").do(TakeDiscard())
    table.throw(str(next(each for each in table.view().hand if each != card("9C")))).draw()
    *_, last = choices([*table.events, *table.throw("2D").events[-1:]], 0)
    assert last.position.remembered == {1: (card("9C"),)}


def test_the_choices_of_the_other_seat_are_its_own() -> None:
    assert [type(choice.action) for choice in choices(events(), 1)] == [DeclineTunnelas, DrawStock, Discard]


# Judging a choice


def test_a_missed_finish_is_told_with_what_it_cost() -> None:
    decision = judged(missed())
    assert decision is not None
    found = options(missed().view)
    chosen = next(option for option in found if option.action == Discard(card("6C")))
    assert decision.step == 3
    assert decision.best == found[0]
    assert isinstance(decision.best.action, Finish)
    assert decision.chosen == figured(missed().view, chosen)
    assert decision.chosen.missing == 0
    assert decision.others == tuple(option for option in found[1:] if option is not chosen)[:3]
    assert decision.loss == pytest.approx(FINISH_LATER)
    assert decision.verdict is verdict(decision.loss, 2) is Verdict.MISTAKE
    assert decision.accuracy == accuracy(decision.best.points, decision.loss, 2)
    assert decision.rollouts == 0


def test_the_best_of_two_options_is_explained_too() -> None:
    drawing = next(choice for choice in choices(events(), 0) if isinstance(choice.action, DrawStock))
    decision = judged(drawing)
    assert decision is not None
    best, other = options(drawing.view)
    assert decision.best == figured(drawing.view, best) != best
    assert decision.chosen.action == DrawStock()
    assert decision.loss == pytest.approx(difference(best, other))


def test_a_show_of_other_sets_is_told_as_it_was_made() -> None:
    showing = next(choice for choice in choices(events(), 0) if isinstance(choice.action, Show))
    decision = judged(showing)
    assert decision is not None
    assert decision.chosen.action == LAID != decision.best.action
    assert (decision.loss, decision.verdict) == (0, Verdict.GOOD)


def test_exposing_while_a_card_is_to_be_drawn_is_no_decision_to_judge() -> None:
    rules = preset("pagat", tunnela_window="own_first_draw")
    table = Script(arranged("5H 5H 5H", "", rules=rules))
    position = Position(table.state, 0, {})
    assert judged(Choice(0, table.view(0), expose("5H"), position)) is None
    assert judged(Choice(0, table.view(0), DrawStock(), position)) is not None


def test_whoever_cuts_decides_nothing() -> None:
    cutting = next(choice for choice in choices(events(), 0) if isinstance(choice.action, CutTiplu))
    assert judged(cutting) is None


def test_a_draw_without_another_choice_decides_nothing() -> None:
    seen = replace(begun("", "").view(0), pile=())
    assert judged(Choice(0, seen, DrawStock(), Position(begun("", "").state, 0, {}))) is None


def test_a_seat_is_judged_with_a_pause_after_each_choice() -> None:
    found, pauses = worked_out(judge(events(), 0))
    made = list(choices(events(), 0))
    assert found == tuple(decision for choice in made if (decision := judged(choice)) is not None)
    assert (len(found), pauses) == (6, 7)


# Rollouts


def test_rollouts_of_two_options_are_the_same_either_way_round() -> None:
    finish, throw = judged_best(), Discard(card("6C"))
    better = samples_of(gaps(missed().position, finish, throw, PLAYER, "seed"))
    worse = samples_of(gaps(missed().position, throw, finish, PLAYER, "seed"))
    assert len(better) == 6
    assert any(better)
    assert worse == [-sample for sample in better]


def test_another_seed_samples_other_deals() -> None:
    throw = Discard(card("6C"))
    found = {tuple(samples_of(gaps(missed().position, judged_best(), throw, PLAYER, seed))) for seed in "abc"}
    assert len(found) > 1


def judged_best() -> Action:
    return options(missed().view)[0].action


def samples_of(found: Iterator[Gap]) -> list[int]:
    """Return the differences of the first six pairs of rollouts."""
    return list(islice(found, 6))[-1].samples


@dataclass
class Rollouts:
    """Stands in for the rollouts: finds these differences, and remembers what was asked."""

    found: tuple[int, ...]
    asked: list[tuple[Position, Action, Action, Player, str]] = field(default_factory=list)

    def __call__(
        self, position: Position, better: Action, worse: Action, player: Player, seed: str
    ) -> Iterator[Gap]:
        self.asked.append((position, better, worse, player, seed))
        gap = Gap()
        for sample in cycle(self.found):
            gap.samples.append(sample)
            yield gap


@pytest.fixture
def rolled(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Rollouts]:
    def roll(*found: int) -> Rollouts:
        rollouts = Rollouts(found)
        monkeypatch.setattr("marriage.analysis.deal_analysis.gaps", rollouts)
        return rollouts

    return roll


def test_mistakes_and_blunders_are_checked_and_nothing_else(rolled: Callable[..., Rollouts]) -> None:
    rollouts = rolled(3)
    marked = [
        replace(each, verdict=kind, loss=1.0)
        for each, kind in zip(decisions(), (*Verdict, Verdict.GOOD, Verdict.GOOD), strict=True)
    ]
    found, pauses = worked_out(check_dearest(events(), 0, marked))
    assert [each.rollouts for each in found] == [
        30 if each.verdict in (Verdict.MISTAKE, Verdict.BLUNDER) else 0 for each in marked
    ]
    assert [each for each in found if not each.rollouts] == [
        each for each in marked if each.verdict in (Verdict.GOOD, Verdict.INACCURACY)
    ]
    assert pauses == 2 * 30
    assert len(rollouts.asked) == 2


def test_the_four_dearest_are_checked(rolled: Callable[..., Rollouts]) -> None:
    rolled(3)
    losses = (4.0, 9.0, 5.0, 8.0, 6.0, 7.0)
    dear = [
        replace(each, verdict=Verdict.BLUNDER, loss=loss)
        for each, loss in zip(decisions(), losses, strict=True)
    ]
    found, _ = worked_out(check_dearest(events(), 0, dear))
    assert [each.rollouts > 0 for each in found] == [loss > 5 for loss in losses]
    assert [each.step for each in found] == [each.step for each in dear]


def test_a_decision_is_played_out_from_its_own_position(rolled: Callable[..., Rollouts]) -> None:
    rollouts = rolled(3)
    worked_out(check_dearest(events(), 0, decisions()))
    declined, thrown = rollouts.asked
    by_action = {choice.action: choice for choice in choices(events(), 0)}
    assert declined[:4] == (by_action[DeclineTunnelas()].position, expose("5H"), DeclineTunnelas(), PLAYER)
    assert thrown[:4] == (missed().position, judged_best(), Discard(card("6C")), PLAYER)
    seeds = declined[4], thrown[4]
    assert all(seeds)
    assert len(set(seeds)) == 2


def test_rollouts_that_agree_outweigh_the_estimate(rolled: Callable[..., Rollouts]) -> None:
    """At two seats the estimate errs by half a point, so it weighs 4; rollouts weigh 100 at most."""
    rolled(3)
    decision = checked()
    loss = (4 * FINISH_LATER + 100 * 3) / 104
    assert decision.loss == pytest.approx(loss)
    assert decision.verdict is verdict(loss, 2)
    assert decision.accuracy == pytest.approx(accuracy(decision.best.points, loss, 2))


def test_an_estimate_at_three_seats_errs_by_a_whole_point(rolled: Callable[..., Rollouts]) -> None:
    rolled(3)
    judged_before, _ = worked_out(judge(events(3), 0))
    found, _ = worked_out(check_dearest(events(3), 0, judged_before))
    decision = next(each for each in found if each.step == missed().step)
    assert decision.loss == pytest.approx((2 * FINISH_LATER + 100 * 3) / 101)


def test_rollouts_that_differ_weigh_less(rolled: Callable[..., Rollouts]) -> None:
    rolled(-1, 7)
    weight = 1 / Gap([-1, 7] * 15).error ** 2
    assert 1 < weight < 4
    assert checked().loss == pytest.approx((4 * FINISH_LATER + weight * 3) / (4 + weight))


def test_a_choice_that_rollouts_find_better_loses_nothing(rolled: Callable[..., Rollouts]) -> None:
    rolled(-3)
    assert (checked().loss, checked().verdict) == (0, Verdict.GOOD)


def checked() -> Decision:
    """Return the missed finish after its check."""
    found, _ = worked_out(check_dearest(events(), 0, decisions()))
    return next(each for each in found if each.step == missed().step)


# Luck, and the whole


def test_the_luck_of_a_draw_is_what_the_hand_is_worth_more_than_expected() -> None:
    found, pauses = worked_out(weigh_draws(events(), 0))
    assert pauses == len(found) == 2
    replayed = steps(events())
    for draw, place in zip(found, (4, 10), strict=True):
        event = replayed[draw.step].event
        assert isinstance(event, Drew)
        assert (event.seat, event.card) == (0, draw.card)
        before, after = Script(*events()[:place]).view(0), Script(*events()[: place + 1]).view(0)
        assert draw.luck == pytest.approx(worth_of_hand(after) - worth_of_draw(before))


def test_the_draws_of_the_other_seat_are_its_own() -> None:
    found, _ = worked_out(weigh_draws(events(), 1))
    assert [draw.card for draw in found] == [card("9D")]


def test_an_analysis_puts_its_parts_together(rolled: Callable[..., Rollouts]) -> None:
    rolled(3)
    found, pauses = worked_out(analyse(events(), 0))
    parts = worked_out(check_dearest(events(), 0, decisions()))[0], worked_out(weigh_draws(events(), 0))[0]
    assert found == put_together(events(), 0, *parts)
    assert (found.decisions, found.draws) == parts
    assert pauses == 7 + 2 * 30 + 2


def test_an_analysis_names_the_seat_and_what_it_gained() -> None:
    settled = events()[-1]
    assert isinstance(settled, Settled)
    for seat in (0, 1):
        found = put_together(events(), seat, [], [])
        assert (found.seat, found.players, found.net) == (seat, 2, settled.sheet.lines[seat].net)
    assert ended(events()) == settled.sheet


def test_an_analysis_counts_its_verdicts() -> None:
    found = put_together(events(), 0, decisions(), [])
    assert [found.count(kind) for kind in Verdict] == [4, 0, 1, 1]


def test_a_deal_that_is_on_is_refused_before_any_work() -> None:
    with pytest.raises(ValueError, match=r"^the deal is not over$"):
        next(analyse(events()[:-2], 0))
