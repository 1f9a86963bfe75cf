"""The stand-alone script needs only Python, and agrees with the command line."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bot.history.past_deals import record_json
from marriage.shuffle import DealSeed, record
from tests.marriage.cli_calls import run

SCRIPT = Path(__file__).parents[2] / "docs" / "verify_deal.py"
RECORD = json.loads(record_json(record(DealSeed(bytes(range(32)), "T1", 7, ("0:auto:-", "1:आ:-")), 160, 3)))


def script(*arguments: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the script alone, without the project or any installed package."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), *arguments]
    return subprocess.run(command, input=given, capture_output=True, encoding="utf-8", check=False, cwd="/")


@pytest.mark.parametrize(
    ("size", "men"), [(156, 0), (157, 1), (157, 0), (159, 3), (160, 3), (160, 4), (162, 6), (163, 6)]
)
def test_it_prints_what_the_command_line_prints(size: int, men: int, tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(record_json(record(DealSeed(bytes(32), "table 1", size), size, men)), encoding="utf-8")
    alone = script(str(file))
    assert (alone.returncode, alone.stderr) == (0, "")
    assert alone.stdout == run("verify", str(file)).out


@pytest.mark.parametrize("size", [156, 157, 159, 160, 161])
def test_it_reads_older_records_as_the_command_line_does(size: int) -> None:
    older = json.loads(record_json(record(DealSeed(bytes(32), "table 1", size), size, size - 156)))
    del older["men"]
    given = json.dumps(older)
    alone, ours = script("-", given=given), run("verify", "-", given=given)
    assert alone.returncode == ours.status == (0 if size < 161 else 1)
    assert alone.returncode or alone.stdout == ours.out


def test_it_reads_standard_input() -> None:
    given = json.dumps(RECORD)
    assert script("-", given=given).stdout == run("verify", "-", given=given).out != ""


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": "11" * 32},
        {"table": "T2"},
        {"items": ["0:auto:-"]},
        {"deck": "0" * 64},
        {"C": "0" * 64},
        {"v": 2},
        {"men": 2},
        {"men": 5},
    ],
)
def test_it_refuses_what_the_command_line_refuses(changed: dict[str, Any]) -> None:
    given = json.dumps(RECORD | changed)
    alone, ours = script("-", given=given), run("verify", "-", given=given)
    assert alone.returncode == ours.status == 1
    assert alone.stdout == ""
    assert f"python -m marriage verify: {alone.stderr}" == ours.err


@pytest.mark.parametrize("changed", [{"N": 1000}, {"N": 163, "men": 7}, {"N": 155, "men": -1}])
def test_it_refuses_a_deck_of_other_cards(changed: dict[str, Any]) -> None:
    alone = script("-", given=json.dumps(RECORD | changed))
    assert alone.returncode == 1
    assert "cards are not the packs" in alone.stderr


def test_it_says_what_it_does() -> None:
    alone = script()
    assert alone.returncode == 1
    assert "python verify_deal.py RECORD" in alone.stderr
