"""What a command is told by its environment, in tests that call it."""

from pathlib import Path

import pytest

from bot.settings import Settings

NOWHERE = "http://127.0.0.1:9/api/v10"
"""A Discord that nobody reaches."""


def tell(monkeypatch: pytest.MonkeyPatch, folder: Path, **given: str) -> None:
    """Have the environment give these settings and no others, with this folder as the current one."""
    monkeypatch.chdir(folder)
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name.upper(), value)
