"""`python -m marriage analyse`: the analysis of a finished deal, from its text."""

import json
from functools import cache
from pathlib import Path

import pytest

from marriage.actions import Action, Discard, DrawStock, FinishDublees, Show, TakeDiscard
from marriage.analysis.deal_analysis import Analysis, Decision, Draw
from marriage.analysis.options import Option
from marriage.analysis.verdicts import Verdict
from marriage.cards import Card, parse_cards
from marriage.cli.analyse import to_json, to_text
from marriage.decide import start
from marriage.notation import deal_of, write_action, write_deal
from marriage.rules import PRESETS
from marriage.strategy.players import BeginnerPlayer, GreedyPlayer, play_out
from tests.marriage.cli_calls import ask_lines, run
from tests.marriage.dealing import seed

VERDICTS = ["good", "inaccuracy", "mistake", "blunder"]


@cache
def finished() -> str:
    """Return the text of a deal with a beginner in seat 0 and a better player in seat 1."""
    dealt = start(PRESETS["pagat"], 2, 0, seed(6))
    return write_deal(deal_of(play_out(dealt, [BeginnerPlayer(), GreedyPlayer(count_outs=False)])))


def test_every_seat_is_judged_and_its_result_split_into_luck_and_losses(tmp_path: Path) -> None:
    file = tmp_path / "deal.txt"
    file.write_text(finished(), encoding="utf-8")
    first, second = run("analyse", str(file), "--json").answer["seats"]
    assert [first["seat"], second["seat"]] == [0, 1]
    assert first["net"] + second["net"] == 0
    assert first["accuracy"] < second["accuracy"] <= 100
    for seat in (first, second):
        assert sum(seat["luck"].values()) - seat["lost"] == pytest.approx(seat["net"], abs=0.05)
        assert list(seat["verdicts"]) == VERDICTS
        assert sum(seat["verdicts"].values()) == len(seat["decisions"])
        assert seat["lost"] == pytest.approx(sum(each["loss"] for each in seat["decisions"]), abs=0.5)
    wrong = [each for each in first["decisions"] if each["verdict"] != "good"]
    assert wrong
    assert all(each["chosen"] != each["best"] for each in wrong)
    text = run("analyse", "-", "--seat", "0", given=finished()).out
    summary, worst = text.split("\n\n")
    assert summary.splitlines()[0].split() == [
        "seat",
        "net",
        "accuracy",
        "lost",
        "dealt",
        "drawn",
        "rest",
        *VERDICTS,
    ]
    assert len(summary.splitlines()) == 2
    dearest = max(wrong, key=lambda each: each["loss"])
    assert worst.splitlines()[1].split()[:3] == ["0", str(dearest["step"]), dearest["verdict"]]


def test_a_request_may_ask_about_one_seat() -> None:
    [answer] = ask_lines("analyse", [{"deal": finished(), "seat": 1}])
    assert [seat["seat"] for seat in answer["seats"]] == [1]


@pytest.mark.parametrize(
    ("arguments", "given", "said"),
    [
        ((), "", "analyse needs a FILE with a finished deal, or - for standard input"),
        (("-",), "", "line 1: the text begins with the line 'marriage deal 1'"),
        (("-",), "unfinished", "the deal is not over"),
        (("-", "--seat", "2"), "finished", "there is no seat 2; seats count from 0 to 1"),
        (("-", "--seat", "x"), "finished", "--seat takes a number, not 'x'"),
    ],
)
def test_what_cannot_be_analysed_is_refused(arguments: tuple[str, ...], given: str, said: str) -> None:
    deals = {"finished": finished(), "unfinished": "\n".join(finished().splitlines()[:-1])}
    status, out, err = run("analyse", *arguments, given=deals.get(given, given))
    assert (status, out) == (2, "")
    assert err == f"python -m marriage analyse: {said}\n"


def test_a_line_that_is_no_deal_is_answered_by_a_sentence() -> None:
    [answer] = ask_lines("analyse", [{"deal": "nonsense"}])
    assert json.dumps(answer).startswith('{"error": ')


def decision(
    step: int, chosen: Action, best: Action, loss: float, verdict: Verdict, rollouts: int
) -> Decision:
    accuracy = 100 - 10.04 * loss
    return Decision(step, Option(chosen, 2.0), Option(best, 3.456), (), loss, verdict, accuracy, rollouts)


FIVE, KING = map(Discard, parse_cards("5H KS"))
SHOW = Show(tuple(map(parse_cards, ("AS 2S 3S", "5H 5H 5H", "7C 8C 9C"))))
FINISH = FinishDublees(Card.parse("6C"), Card.parse("KS"))
DECISIONS = (
    decision(4, TakeDiscard(), DrawStock(), 1.256, Verdict.INACCURACY, 0),
    decision(7, FIVE, SHOW, 6.123, Verdict.BLUNDER, 30),
    decision(9, KING, KING, 0.0, Verdict.GOOD, 0),
    decision(12, KING, FINISH, 2.345, Verdict.MISTAKE, 30),
)
ANALYSIS = Analysis(1, 2, DECISIONS, (Draw(5, FIVE.card, -1.113), Draw(8, KING.card, 2.224)), net=-17)


def test_the_figures_of_a_seat_are_rounded_for_programs() -> None:
    [seat] = to_json((ANALYSIS,))["seats"]
    decisions = seat.pop("decisions")
    assert seat == {
        "seat": 1,
        "net": -17,
        "accuracy": round(ANALYSIS.accuracy or 0, 1),
        "lost": 9.72,
        "luck": {"dealt": 3.46, "drawn": 1.11, "rest": -11.84},
        "verdicts": {"good": 1, "inaccuracy": 1, "mistake": 1, "blunder": 1},
    }
    assert decisions[0] == {
        "step": 4,
        "chosen": "take",
        "best": "draw",
        "loss": 1.26,
        "verdict": "inaccuracy",
        "accuracy": 87.4,
        "missed": None,
        "rollouts": 0,
    }
    assert [each["missed"] for each in decisions] == [None, "show", None, "finish"]
    assert [each["rollouts"] for each in decisions] == [0, 30, 0, 30]


def test_people_get_a_table_of_the_seats_and_one_of_the_dearest_mistakes() -> None:
    other = Analysis(seat=0, players=2, decisions=(), draws=(), net=17)
    assert to_text((other, ANALYSIS)).splitlines() == [
        "seat  net  accuracy  lost  dealt  drawn   rest  good  inaccuracy  mistake  blunder",
        "0     +17         –   0.0   +0.0   +0.0  +17.0     0           0        0        0",
        f"1     -17      {ANALYSIS.accuracy:.0f} %   9.7   +3.5   +1.1  -11.8     1           1        1        1",
        "",
        "seat  step  verdict     points  chosen      best",
        f"1        7  blunder       -6.1  discard 5H  {write_action(SHOW)}",
        f"1       12  mistake       -2.3  discard KS  {write_action(FINISH)}",
        "1        4  inaccuracy    -1.3  take        draw",
    ]


def test_the_accuracy_of_a_seat_that_decided_nothing_is_unknown() -> None:
    [seat] = to_json((Analysis(seat=0, players=2, decisions=(), draws=(), net=13),))["seats"]
    assert seat["accuracy"] is None


def test_where_nobody_lost_anything_there_is_no_second_table() -> None:
    text = to_text((Analysis(seat=0, players=2, decisions=(), draws=(), net=13),))
    assert "\n\n" not in text
    assert text.splitlines()[1].split()[:3] == ["0", "+13", "–"]


def test_the_figures_of_the_seats_stand_one_below_the_other() -> None:
    seats = [Analysis(seat, 2, decisions=(), draws=(), net=net) for seat, net in enumerate((9, -10))]
    assert [line[:9] for line in to_text(tuple(seats)).splitlines()] == [
        "seat  net",
        "0      +9",
        "1     -10",
    ]
