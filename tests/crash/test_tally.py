"""The tally of crashes: the counts of former runs are kept, and add up."""

from collections import Counter
from pathlib import Path

from tests.crash.tally import Day, Tally


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
