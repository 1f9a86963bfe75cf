"""The tally of crashes: the counts of former runs are kept, and add up."""

import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.canary import __main__ as canary
from tests.canary.session import Outcome
from tests.crash import moments
from tests.crash.tally import Day, Tally
from tests.fuzz import __main__ as fuzz
from tests.fuzz.report import Report
from tests.tally import Tally as AnyTally


def test_days_add_up_over_runs(tmp_path: Path):
    path = tmp_path / "var" / "tally.jsonl"
    Tally(path).add(Day(7, "2026-11-23", "sqlite", kills=3, ends=Counter(killed=3, stopped=1), moves=30))
    Tally(path).add(Day(7, "2026-11-23", "postgres", kills=9, ends=Counter(killed=9)))
    Tally(path).add(
        Day(8, "2026-11-24", "sqlite", kills=2, ends=Counter(killed=2), moves=12, broken=["a move is lost"])
    )
    whole = Tally(path).all("sqlite")
    assert (whole.kills, whole.ends, whole.moves) == (5, Counter(killed=5, stopped=1), 42)
    assert whole.date == "2026-11-24"
    assert "     6  in all" in str(whole)
    assert "5 times a bot was killed" in str(whole)
    assert str(whole).endswith("1 promises broken, and 0 by faults that are fixed")
    assert Tally(path).broken == ["day 8: a move is lost"]


def test_a_run_plays_the_days_from_its_number_on_that_the_tally_lacks(tmp_path: Path):
    tally = Tally(tmp_path / "tally.jsonl")
    assert moments.missing(tally, 7, 300) == [7, 8, 9]
    for number in (7, 9, 500):
        tally.add(Day(number, "2026-11-26", moments.DATABASE, kills=12_000))
    assert moments.missing(tally, 7, 300) == [8, 10, 11]
    assert moments.missing(tally, 7, 0) == []


@pytest.mark.parametrize(
    ("main", "asks", "entry"),
    [
        (moments.main, "--kills=0", Day(7, "2026-11-26", moments.DATABASE)),
        (canary.main, "--count=2", Outcome(7, 0, deals=2)),
        (fuzz.main, "--count=250", Report(7, 0, 250)),
    ],
)
def test_a_run_that_plays_nothing_says_so_and_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], main, asks, entry
):
    path = tmp_path / "tally.jsonl"
    AnyTally(path, type(entry)).add(entry)
    monkeypatch.setattr(sys, "argv", ["run", asks, f"--tally={path}"])
    assert main() == 2
    assert "Nothing was played" in capsys.readouterr().out
