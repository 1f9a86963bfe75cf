"""The tally of crashes: the counts of former runs are kept, and add up."""

import asyncio
import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

import pytest

from tests.canary import __main__ as canary
from tests.canary.session import Outcome
from tests.crash import __main__ as crash
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


def test_a_line_that_a_kill_has_cut_off_is_dropped(tmp_path: Path):
    path = tmp_path / "tally.jsonl"
    for number in (7, 8):
        Tally(path).add(Day(number, "2026-11-26", "sqlite", kills=number))
    path.write_bytes(path.read_bytes()[:-20])
    assert [day.number for day in Tally(path).entries] == [7]
    Tally(path).add(Day(9, "2026-11-26", "sqlite"))
    assert [day.number for day in Tally(path).entries] == [7, 9]


class StoppedStorm:
    """A day of which people stop the run, as with Ctrl-C."""

    def __init__(self, *_: object) -> None:
        self.broken: list[str] = []

    async def run(self, _: int) -> None:
        raise asyncio.CancelledError

    def counted(self, database: str, _: float) -> Day:
        return Day(7, "2026-11-26", database)


async def test_a_day_that_is_stopped_before_its_last_checks_is_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "tally.jsonl"
    monkeypatch.setattr(crash, "Storm", StoppedStorm)
    for name in ("games_of", "patient_discord"):
        monkeypatch.setattr(crash, name, nullcontext)
    with pytest.raises(asyncio.CancelledError):
        await crash.play("sqlite", 7, 3, Tally(path))
    assert Tally(path).entries == []
