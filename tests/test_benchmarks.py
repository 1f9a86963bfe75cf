"""Every benchmark runs, at sizes so small that the figures mean nothing: what it calls still exists."""

import sys
from importlib import import_module
from itertools import groupby, islice
from pathlib import Path
from typing import Any

import pytest
import structlog

from marriage.strategy.master import MasterPlayer

ROOT = Path(__file__).parents[1]

SMALL: dict[str, tuple[str, dict[str, Any]]] = {
    "analysis": ("8", {}),
    "attendance": ("2", {"PLACES": (1,)}),
    "boards": ("400 300 2", {"ROUNDS": 2, "LIMIT_MS": 1_000_000}),
    "calibration": ("1 8", {}),
    "duplicate": ("10 2 2", {}),
    "engine": ("0.01", {"ROUNDS": 1}),
    "fair_play": ("1", {}),
    "ladder": ("times 1", {"AT_TABLES": ("novice",), "TEMPERED": (), "EXPERTS": ()}),
    "ladder_ranking": ("2", {}),
    "players": ("2", {"VARIANTS": {"master": MasterPlayer()}}),
    "pods": ("0.1 1", {"FIELDS": (8,)}),
    "ratings": ("2 8", {}),
    "solver": ("--hands 2", {}),
    "starting": ("5", {}),
    "store": ("3", {"WRITERS": (1, 2), "SLOW_DISK_S": 0}),
    "ties": ("1000", {}),
}
"""For each benchmark its arguments, and other values of its module."""
PARTS = {"filling", "seasons"}
"""Modules that benchmarks share."""
APART = {"par", "render"}
"""Benchmarks tested elsewhere: below, or in `tests/league/test_par.py`."""


def test_no_benchmark_is_forgotten() -> None:
    there = {path.stem for path in (ROOT / "benchmarks").glob("[a-z]*.py")}
    assert there == SMALL.keys() | PARTS | APART


@pytest.mark.lot
@pytest.mark.parametrize("name", SMALL)
def test_a_benchmark_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = import_module(f"benchmarks.{name}")
    arguments, values = SMALL[name]
    monkeypatch.setattr(sys, "argv", [name, *arguments.split()])
    monkeypatch.setattr(structlog, "configure", lambda **_: None)  # it would hold for later tests too
    for constant, value in values.items():
        monkeypatch.setattr(module, constant, value)
    assert module.main() in (None, 0)
    assert len(capsys.readouterr().out.splitlines()) >= 1


def test_pictures_are_timed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Only our own pictures are timed: each rival needs a process, and most are not installed."""
    from benchmarks import render

    for constant, value in {"HANDS": 2, "DEALS": 1, "TABLE_STEP": 10, "REPEATS": 1, "REPLAYED": 15}.items():
        monkeypatch.setattr(render, constant, value)
    monkeypatch.setattr(render, "RIVALS", {})
    few = [one for _, kind in groupby(render.samples(), lambda one: one[0][:6]) for one in islice(kind, 2)]
    monkeypatch.setattr(render, "samples", lambda: few)
    monkeypatch.setattr(render, "states", lambda whole=render.states: islice(whole(), 40))
    render.race(1)
    render.ways()
    render.tables()
    render.seats()
    render.others()
    assert "times ours" in capsys.readouterr().out
