"""The examples of docs/command-line.md produce the output below them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from marriage.notation import read_deal

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", TEXT, flags=re.MULTILINE | re.DOTALL)


def example(block: str) -> tuple[str, str]:
    """Return the command, over as many lines as its quotes extend, and its output."""
    lines = block.removeprefix("$ ").splitlines(keepends=True)
    for end in range(1, len(lines) + 1):
        command = "".join(lines[:end])
        if command.count("'") % 2 == 0 and command.count('"') % 2 == 0:
            return command, "".join(lines[end:])
    raise ValueError(f"an example without an end: {block}")


@pytest.mark.parametrize("block", blocks("console"))
def test_examples(block: str) -> None:
    command, output = example(block)
    python = Path(sys.executable).parent
    done = subprocess.run(
        ["/bin/bash", "-c", command],
        capture_output=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
        env=os.environ | {"PATH": f"{python}:{os.environ['PATH']}"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == output


def test_the_deal_is_read() -> None:
    [text] = blocks("text")
    assert len(read_deal(text).moves) == 9


def test_every_command_is_there() -> None:
    for command in ("score", "arrange", "simulate", "match", "verify"):
        assert f"## {command}\n" in TEXT
