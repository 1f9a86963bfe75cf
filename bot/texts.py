"""The words that people read, from the message catalogues in `bot/messages/`: one TOML file a language."""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Final

_spoken: ContextVar[str] = ContextVar("spoken", default="en")

CATALOGUES: Final = Path(__file__).with_name("messages")


class Texts:
    """One language's catalogue: `texts("lobby.title", table=12)`."""

    def __init__(self, messages: dict[str, str]) -> None:
        self._messages = messages

    def __call__(self, key: str, /, **values: Any) -> str:
        """The message of that key with its `{places}` filled in; raises KeyError for a key that is not there.

        Values are put in as they are and never read as templates themselves.
        """
        return self._messages[key].format(**values)

    def __contains__(self, key: str) -> bool:
        return key in self._messages

    def keys(self) -> frozenset[str]:
        """Every key of the catalogue."""
        return frozenset(self._messages)


def texts() -> Texts:
    """The catalogue of the language that is spoken just now: English, unless within `speaking`."""
    return catalogue(_spoken.get())


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak this language to whoever is answered within the block (and the tasks that it starts)."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


@cache
def catalogue(language: str) -> Texts:
    """The catalogue of that language; raises FileNotFoundError when there is none."""
    with (CATALOGUES / f"{language}.toml").open("rb") as file:
        return Texts(_flat(tomllib.load(file)))


def _flat(tree: dict[str, Any], prefix: str = "") -> dict[str, str]:
    messages: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            messages |= _flat(value, f"{prefix}{key}.")
        else:
            messages[prefix + key] = value
    return messages
