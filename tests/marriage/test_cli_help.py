"""The help of the command line: what it says of every command and argument is what `help.txt` says.

`python -m tests.marriage.test_cli_help` writes that file again after a change.
"""

from pathlib import Path

import pytest

from marriage.cli.main import COMMANDS
from tests.marriage.cli_calls import run

HELP = Path(__file__).with_name("help.txt")
WIDE = "10000"
"""So many columns that no text is broken, because Python's versions break lines differently."""


def told() -> str:
    """Return the help of all commands: what follows the usage, with single spaces."""
    parts: list[str] = []
    for name in ("", *(command.name for command in COMMANDS)):
        _, *described = run(*name.split(), "--help").out.splitlines()
        parts += [f"# {name}".strip(), *(" ".join(line.split()) for line in described)]
    return "\n".join(parts) + "\n"


def test_the_help_tells_what_every_command_and_argument_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", WIDE)
    assert told() == HELP.read_text()


if __name__ == "__main__":
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("COLUMNS", WIDE)
        HELP.write_text(told())
