"""`python -m marriage`: what is read from the command line, and how answers are written."""

import json
import sys
from io import BytesIO, TextIOWrapper

import pytest

from marriage.cli.main import main
from tests.marriage.cli_calls import run
from tests.marriage.test_cli import DEAL

LINE = json.dumps(DEAL)


def test_an_argument_that_cannot_be_written_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    err = TextIOWrapper(BytesIO(), encoding="ascii", errors="strict")
    monkeypatch.setattr(sys, "stderr", err)
    with pytest.raises(SystemExit):
        main(["score", "file", "\udcff"])
    err.flush()
    assert err.buffer.getvalue().endswith(b"unrecognized arguments: \\udcff\n")


def test_lines_are_answered_as_json_anyway() -> None:
    assert run("score", "--json", "--jsonl", "-", given=LINE) == run("score", "--jsonl", "-", given=LINE)


def test_a_request_beside_the_lines_is_refused() -> None:
    said = "with --jsonl every request stands in its line, and none on the command line"
    assert run("score", "file", "--jsonl", "-") == (2, "", f"python -m marriage score: {said}\n")


def test_json_has_the_letters_of_all_scripts_as_they_are() -> None:
    assert '"राम"' in run("score", "--json", "-", given=LINE).out
