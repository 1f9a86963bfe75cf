"""`make soak` checks what it says: every event of a deal."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from marriage.events import Event
from marriage.invariants import check
from marriage.state import Phase, State
from tests.marriage import dealing
from tests.soak import attempt, main, ranges


def test_every_event_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[State] = []

    def look(state: State) -> None:
        seen.append(state)
        check(state)

    monkeypatch.setattr(dealing, "check", look)
    assert attempt(range(1, 2)).broken == []
    assert [state.version for state in seen] == list(range(1, len(seen) + 1))
    assert seen[-1].phase is Phase.OVER


def test_a_lost_card_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    apply = dealing.apply

    def losing(state: State | None, event: Event) -> State:
        after = apply(state, event)
        return after if after.version < 10 else replace(after, stock=after.stock[1:])

    monkeypatch.setattr(dealing, "apply", losing)
    (fault,) = attempt(range(1, 2)).broken
    assert fault.startswith("deal 1: ")
    assert "the deck is not whole" in fault


def test_runs_add_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tally = tmp_path / "tally.jsonl"
    monkeypatch.setattr(sys, "argv", ["soak", "--deals", "2", "--jobs", "1", "--tally", str(tally)])
    assert main() == 0
    assert main() == 0
    assert "4 deals, 0 with a fault" in capsys.readouterr().out
    assert len(tally.read_text().splitlines()) == 2


def test_the_ranges_are_all_deals_in_order() -> None:
    parts = ranges(range(10, 17), 3)
    assert parts == [range(10, 13), range(13, 16), range(16, 17)]
    assert max(map(len, ranges(range(100_000), 2))) == 2_500
