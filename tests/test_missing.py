"""A run on a machine that lacks something reports at its end what was not tested, and how to enable it."""

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import pytest

from tests import missing


@dataclass
class Reporter:
    """What pytest reports at the end of a run of these tests."""

    stats: dict[str, list[Any]]
    lines: list[str] = field(default_factory=list)

    def write_line(self, line: str, **_markup: bool) -> None:
        self.lines.append(line)


def last_lines(monkeypatch: pytest.MonkeyPatch, *ran: str) -> list[str]:
    """Return what a run of some tests adds to its report on a machine without anything that they need."""
    monkeypatch.setattr(missing, "NEEDS", [replace(need, found=None) for need in missing.NEEDS])
    reporter = Reporter({"skipped": [SimpleNamespace(nodeid=test) for test in ran]})
    assert [*missing.pytest_terminal_summary(reporter)] == [None]  # type: ignore[arg-type]
    return reporter.lines


def test_one_line_each_says_what_was_not_tested_and_how_to_have_it(monkeypatch: pytest.MonkeyPatch):
    page, wire = last_lines(monkeypatch, "tests/playground/test_page.py::test_a_page")
    assert "no Chromium" in page
    assert "apt-get install chromium" in page
    assert "DISCORD_OPENAPI is not set" in wire
    assert "https://github.com/discord/discord-api-spec" in wire


def test_what_the_run_did_not_ask_for_is_not_missed(monkeypatch: pytest.MonkeyPatch):
    assert last_lines(monkeypatch, "tests/test_house.py::test_every_room_is_here") == []


def test_every_run_says_so(request: pytest.FixtureRequest):
    assert request.config.pluginmanager.has_plugin("tests.missing")
