"""Verdicts of the analysis, played out on the simulator from what the seat knew."""

import sys
from dataclasses import replace
from random import Random

import pytest

from marriage.actions import DeclineTunnelas, Discard, DrawStock, ExposeTunnelas, Finish, TakeDiscard
from marriage.analysis.deal_analysis import Choice, Decision, Position, choices, gaps, judged
from marriage.analysis.hidden import deal_anew
from marriage.analysis.options import Option
from marriage.analysis.verdicts import Verdict
from marriage.cards import CARDS
from marriage.decide import start
from marriage.events import Event, Settled
from marriage.rules import PRESETS
from marriage.shuffle import DealSeed
from marriage.state import Phase
from marriage.strategy.players import GreedyPlayer, play_out
from training import __main__ as commands
from training.judge import JudgedEstimate
from training.positions import gains
from training.simulator import SUPPORTED, has_compiler
from training.verdicts import CheckedVerdict, check, summary

needs_compiler = pytest.mark.skipif(
    not has_compiler(), reason="the simulator is compiled with gcc, which is not here"
)


def played(preset: str, number: int, seats: int = 4) -> list[Event]:
    dealt = start(PRESETS[preset], seats, 0, DealSeed(bytes([number]) * 32, "verdicts", number))
    return list(play_out(dealt, [GreedyPlayer()] * seats))


def with_all_known(position: Position) -> Position:
    """The same position, if everybody's hand were public."""
    hands = {
        seat: held.concealed() for seat, held in enumerate(position.state.seats) if seat != position.seat
    }
    return replace(position, remembered=hands)


@needs_compiler
@pytest.mark.parametrize("preset", SUPPORTED)
def test_a_finish_with_all_hands_known_is_settled_as_on_the_engine(preset: str):
    settled = 0
    for number in range(4):
        events = played(preset, number)
        end = events[-1]
        assert isinstance(end, Settled)
        for choice in choices(events, end.sheet.winner or 0):
            if isinstance(choice.action, Finish):
                gained = gains(with_all_known(choice.position), choice.action, 5, "seed")
                assert gained.tolist() == [end.sheet.lines[choice.position.seat].net] * 5
                settled += 1
    assert settled


@needs_compiler
@pytest.mark.parametrize(("preset", "seats"), [("pagat", 4), ("murder", 2), ("kidnap", 5)])
def test_every_judged_decision_can_be_played_out(preset: str, seats: int):
    events, kinds = played(preset, 7, seats), set[type]()
    for seat in range(seats):
        for choice in choices(events, seat):
            decision = judged(choice)
            for option in () if decision is None else (decision.chosen, decision.best, *decision.others):
                assert len(gains(choice.position, option.action, 2, "seed")) == 2
                kinds.add(type(option.action))
    assert {DrawStock, TakeDiscard, Discard} <= kinds


@needs_compiler
def test_a_tunnela_counts_for_who_exposes_it():
    """Every hand beside it is known, and a tunnela in hand is worth nothing at the settlement."""
    for number in range(40):
        asked = [each for each in choices(played("pagat", number), 0) if each.view.phase is Phase.WINDOW]
        for choice in asked:
            if isinstance(choice.action, ExposeTunnelas):
                exposed, kept = (
                    gains(choice.position, action, 200, "seed").mean()
                    for action in (choice.action, DeclineTunnelas())
                )
                assert exposed > kept + 5
                return
    pytest.fail("nobody was dealt a tunnela")


def drawing(number: int) -> Choice:
    """A late decision of the first seat between the stock and the pile."""
    asked = [each for each in choices(played("pagat", number), 0) if each.view.phase is Phase.DRAW]
    return asked[-2]


@needs_compiler
def test_hidden_cards_change_nothing():
    choice = drawing(3)
    position = choice.position
    other = replace(
        position,
        state=deal_anew(position.state, position.seat, position.remembered, Random("other")),
    )
    assert other.state != position.state
    for action in (DrawStock(), TakeDiscard()):
        first, second = (gains(each, action, 20, "seed") for each in (position, other))
        assert first.tolist() == second.tolist()
        assert len(set(first.tolist())) > 1


@needs_compiler
def test_rollouts_find_what_those_of_the_engine_find():
    position = drawing(3).position
    engine = gaps(position, TakeDiscard(), DrawStock(), GreedyPlayer(), "seed")
    gap = next(each for each in engine if len(each.samples) == 8)
    taken, drawn = (gains(position, action, 2000, "seed") for action in (TakeDiscard(), DrawStock()))
    assert abs((taken - drawn).mean() - gap.mean) < 3 * gap.error


@needs_compiler
def test_a_card_that_the_seat_does_not_hold_cannot_end_a_deal():
    choice = drawing(3)
    with pytest.raises(RuntimeError, match="cannot play"):
        gains(choice.position, Finish((), CARDS[0]), 1, "seed")


@needs_compiler
def test_the_command_checks_every_verdict(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(
        sys,
        "argv",
        ["training", *["verdicts", "--deals", "1", "--pairs", "50", "--first", "9", "--purpose", "fit"]],
    )
    commands.main()
    lines = capsys.readouterr().out.splitlines()
    told = [line.split("\t") for line in lines if "\t" in line]
    assert told
    assert {line[0] for line in told} == {"9"}
    assert {line[2] for line in told} <= set(Verdict)
    sums = [line for line in lines if "\t" not in line]
    assert sums[0].startswith(f"{told[0][2]}: ")


def test_rules_that_the_simulator_does_not_play_are_checked_on_the_engine():
    first = next(check("kathmandu", "judge", range(4), 2))
    assert first.found.error >= 0
    assert first.loss > 0


def said(verdict: Verdict, loss: float, found: JudgedEstimate) -> CheckedVerdict:
    option = Option(DrawStock(), 0.0)
    decision = Decision(0, option, replace(option, action=TakeDiscard()), (), loss, verdict, 50.0)
    return CheckedVerdict(1, "casual", decision, loss, found)


def test_the_summary_counts_what_rollouts_confirm():
    checked = [
        said(Verdict.MISTAKE, 2.0, JudgedEstimate(3.0, 1.0)),
        said(Verdict.BLUNDER, 4.0, JudgedEstimate(-1.0, 1.0)),
        said(Verdict.MISTAKE, 3.0, JudgedEstimate(1.0, 1.0)),
        said(Verdict.INACCURACY, 1.0, JudgedEstimate(-1.0, 1.0)),
    ]
    lines = list(summary(checked))
    assert [line.split(":")[0] for line in lines] == [
        *("mistake", "blunder", "inaccuracy", "mistakes and blunders", "casual", "DrawStock<TakeDiscard"),
    ]
    assert lines[0] == (
        "mistake: 2 of 2 lose, 100.0% ± 19.2%; 1 by two standard errors; 2.50 points said, 2.00 found"
    )
    assert lines[3].startswith("mistakes and blunders: 2 of 3 lose, 66.7%")
