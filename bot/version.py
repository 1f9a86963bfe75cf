"""The version of Tiplu, which only `pyproject.toml` states, and the command by which it was started."""

import sys
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Final

_PROJECT: Final = Path(__file__).parents[1] / "pyproject.toml"


@cache
def version() -> str:
    """The version as in `pyproject.toml`: of the checkout, or of the package that was built from one."""
    if not _PROJECT.exists():
        return metadata.version("tiplu")
    with _PROJECT.open("rb") as file:
        return tomllib.load(file)["project"]["version"]


def program() -> str:
    """Return what to type before the name of a command: `tiplu` if the process was started that way."""
    started = Path(sys.argv[0])
    return "tiplu" if "tiplu" in (started.stem, started.parent.name) else "python -m bot"
