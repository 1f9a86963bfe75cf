"""The command that started the program, for texts that name it."""

import sys
from pathlib import Path


def program() -> str:
    """Return what to type before the name of a command: `tiplu` if the process was started that way."""
    started = Path(sys.argv[0])
    return "tiplu" if "tiplu" in (started.stem, started.parent.name) else "python -m bot"
