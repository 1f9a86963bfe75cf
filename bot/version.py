"""The version of Tiplu, which only `pyproject.toml` states."""

import tomllib
from pathlib import Path
from typing import Final

_PROJECT: Final = Path(__file__).parents[1] / "pyproject.toml"


def version() -> str:
    """The version as in `pyproject.toml`: the bot runs from its checkout, so the file is always there."""
    with _PROJECT.open("rb") as file:
        return tomllib.load(file)["project"]["version"]
