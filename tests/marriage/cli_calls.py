"""The command line as a test calls it: in this process, with bytes for standard input."""

import io
import json
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from typing import Any, NamedTuple
from unittest.mock import patch

from marriage.cli.main import main


class Run(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def answer(self) -> dict[str, Any]:
        assert self.status == 0, self.err
        return json.loads(self.out)

    @property
    def answers(self) -> list[dict[str, Any]]:
        assert self.status == 0, self.err
        return [json.loads(line) for line in self.out.splitlines()]


def run(*arguments: str, given: bytes | str = b"") -> Run:
    data = given.encode() if isinstance(given, str) else given
    out, err = io.StringIO(), io.StringIO()
    stdin = io.TextIOWrapper(io.BytesIO(data))
    with patch("sys.stdin", stdin), redirect_stdout(out), redirect_stderr(err):
        try:
            status = main(arguments)
        except SystemExit as stopped:
            status = int(stopped.code or 0)
    return Run(status, out.getvalue(), err.getvalue())


def ask(command: str, request: object) -> Run:
    """Send one request, and return its run, which answers in JSON."""
    return run(command, "--json", "-", given=json.dumps(request))


def ask_lines(command: str, requests: Sequence[object]) -> list[dict[str, Any]]:
    """Send many requests, one per line, and return their answers."""
    answers = run(command, "--jsonl", "-", given="\n".join(map(json.dumps, requests))).answers
    assert len(answers) == len(requests)
    return answers


def refusal(command: str, request: object) -> str:
    """Return the sentence that refuses a request, which must be the same both ways of asking."""
    answered = ask(command, request)
    assert (answered.status, answered.out) == (2, "")
    assert answered.err.endswith("\n")
    assert answered.err.count("\n") == 1
    said = answered.err.removeprefix(f"python -m marriage {command}: ").strip()
    assert ask_lines(command, [request]) == [{"error": said}]
    return said
