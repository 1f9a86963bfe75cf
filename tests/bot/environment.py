"""The environment of a command that a test calls."""

from pathlib import Path

import pytest

from bot.settings import Settings

NOWHERE = "http://127.0.0.1:9/api/v10"
"""An address at which no Discord can be reached."""


def tell(monkeypatch: pytest.MonkeyPatch, folder: Path, **given: str) -> None:
    """Set the environment to exactly these settings, and make this folder the current one."""
    monkeypatch.chdir(folder)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name.upper(), value)
