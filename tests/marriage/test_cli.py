"""`python -m marriage` as a process of its own: help, usage errors, pipes, encodings."""

import json
import os
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from marriage.cli.command import read_request
from marriage.cli.main import main
from tests.marriage.cli_calls import run

ROOT = Path(__file__).parents[2]
DEAL = {
    "winner": 0,
    "players": [{"name": "राम", "status": "seen", "points": 3}, {"status": "seen", "points": 0}],
}
COMMANDS = ("score", "arrange", "simulate", "analyse", "verify")


def process(*arguments: str, given: str = "", **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "marriage", *arguments],
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
        env=os.environ | environment,
    )


def test_without_arguments_it_prints_its_help() -> None:
    done = process()
    assert (done.returncode, done.stdout) == (2, "")
    assert all(command in done.stderr for command in COMMANDS)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help(command: str) -> None:
    status, out, err = run(*command.split(), "--help")
    assert (status, err) == (0, "")
    assert "--jsonl FILE" in out
    assert "10C" in out


@pytest.mark.parametrize(
    "arguments",
    [("shuffle",), ("score", "a", "b"), ("score", "--xml"), ("arrange", "--laid"), ("--jsonl",), ("--json",)],
)
def test_usage_errors(arguments: tuple[str, ...]) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith("usage: python -m marriage")


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(DEAL), encoding="utf-8")
    expected = run("score", "--json", "-", given=json.dumps(DEAL)).out
    assert run("score", str(file), "--json").out == run("--json", "score", str(file)).out == expected
    assert run("score", "--jsonl", str(file)).out == run("--jsonl", str(file), "score").out == expected
    for missing in (str(tmp_path / "none.json"), str(tmp_path), "\0", "x" * 5000):
        for arguments in (("score", missing), ("score", "--jsonl", missing), ("verify", missing)):
            status, out, err = run(*arguments)
            assert (status, out) == (2, "")
            assert "cannot read" in err
    assert run("score").status == run("verify").status == 2


@pytest.mark.parametrize("encoding", ["ascii", "utf-8", "latin-1"])
def test_output_is_utf_8_everywhere(encoding: str) -> None:
    done = process(
        "score", "-", given=json.dumps(DEAL), PYTHONIOENCODING=encoding, LC_ALL="C", PYTHONUTF8="0"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "राम" in done.stdout


def test_a_reader_that_goes_away_is_no_error() -> None:
    line = json.dumps(DEAL) + "\n"
    command = [sys.executable, "-m", "marriage", "score", "--jsonl", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(line.encode())
        running.stdin.flush()
        assert json.loads(running.stdout.readline())["total"] == 3
        running.stdout.close()
        try:
            running.stdin.write(line.encode() * 100)
            running.stdin.close()
        except BrokenPipeError:
            pass
        assert running.stderr.read() == b""
        assert running.wait() == 1


def test_in_this_process_output_is_utf_8_and_what_cannot_be_written_is_escaped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(DEAL), encoding="utf-8")
    out = TextIOWrapper(BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["score", str(file)]) == 0
    assert "राम".encode() in out.buffer.getvalue()


def test_in_this_process_a_reader_that_goes_away_is_no_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "deal.json"
    file.write_text(json.dumps(DEAL), encoding="utf-8")
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w", encoding="utf-8") as out:
        monkeypatch.setattr(sys, "stdout", out)
        assert main(["score", str(file)]) == 1
        out.flush()  # into a closed pipe


def test_an_interruption_ends_it_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_arguments: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("marriage.cli.main._run", interrupted)
    assert run("score", "-") == (130, "", "")


def test_a_request_that_cannot_be_read_to_its_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(BytesIO):
        def read(self, _size: int | None = -1, /) -> bytes:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdin", TextIOWrapper(Broken()))
    with pytest.raises(ValueError, match="cannot read the request: Input/output error"):
        read_request("-")
