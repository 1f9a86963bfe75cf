"""`python -m marriage analyse`: the analysis of a finished deal, from its text."""

import json
from functools import cache
from pathlib import Path

import pytest

from marriage.analysis.deal_analysis import Analysis
from marriage.cli.analyse import to_text
from marriage.decide import start
from marriage.notation import deal_of, write_deal
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
        ((), "", "analyse needs a FILE"),
        (("-",), "", "marriage deal 1"),
        (("-",), "unfinished", "the deal is not over"),
        (("-", "--seat", "2"), "finished", "there is no seat 2; seats count from 0 to 1"),
        (("-", "--seat", "x"), "finished", "--seat takes a number, not 'x'"),
    ],
)
def test_what_cannot_be_analysed_is_refused(arguments: tuple[str, ...], given: str, said: str) -> None:
    deals = {"finished": finished(), "unfinished": "\n".join(finished().splitlines()[:-1])}
    status, out, err = run("analyse", *arguments, given=deals.get(given, given))
    assert (status, out) == (2, "")
    assert said in err


def test_a_line_that_is_no_deal_is_answered_by_a_sentence() -> None:
    [answer] = ask_lines("analyse", [{"deal": "nonsense"}])
    assert json.dumps(answer).startswith('{"error": ')


def test_where_nobody_lost_anything_there_is_no_second_table() -> None:
    text = to_text((Analysis(seat=0, players=2, decisions=(), draws=(), net=13),))
    assert "\n\n" not in text
    assert text.splitlines()[1].split()[:3] == ["0", "+13", "–"]
