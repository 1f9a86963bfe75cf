"""Message catalogues: one TOML file a language in a folder. English is whole; what another lacks is said in English."""

import string
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Final

ENGLISH: Final = "en"

_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)


def spoken() -> str:
    """The language that is spoken just now: English, unless within `speaking`."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Speak this language to whoever is answered within the block (and the tasks and threads that it starts)."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


class _Plural(string.Formatter):
    """Fills in places, where `{count:deal|deals}` is the first word for 1 and the second for every other number."""

    def format_field(self, value: Any, format_spec: str) -> str:
        one, plural, other = format_spec.partition("|")
        return (one if str(value) == "1" else other) if plural else format(value, format_spec)


_PLURAL = _Plural()


class Texts:
    """One language's catalogue: `texts("lobby.title", table=12)`."""

    def __init__(self, messages: dict[str, str], language: str = ENGLISH) -> None:
        self._messages = messages
        self.language = language
        """The language that is spoken where the catalogue has the words for it."""

    def __call__(self, key: str, /, **values: Any) -> str:
        """The message of that key with its `{places}` filled in; raises KeyError for a key that is not there.

        Values are put in as they are and never read as templates themselves.
        """
        return _PLURAL.format(self._messages[key], **values)

    def __contains__(self, key: str) -> bool:
        return key in self._messages

    def keys(self) -> frozenset[str]:
        """Every key of the catalogue."""
        return frozenset(self._messages)

    def template(self, key: str) -> str:
        """The message of that key with its places still open; raises KeyError for a key that is not there."""
        return self._messages[key]


@cache
def load(folder: Path, language: str) -> Texts:
    """The catalogue of that language, English where it lacks a key; raises FileNotFoundError when there is none."""
    own = own_messages(folder, language)
    return Texts(own if language == ENGLISH else own_messages(folder, ENGLISH) | own, language)


@cache
def own_messages(folder: Path, language: str) -> dict[str, str]:
    """What the file of that language itself has, by key; raises FileNotFoundError when there is none."""
    with (folder / f"{language}.toml").open("rb") as file:
        return _flat(tomllib.load(file))


def _flat(tree: dict[str, Any], prefix: str = "") -> dict[str, str]:
    messages: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            messages |= _flat(value, f"{prefix}{key}.")
        else:
            messages[prefix + key] = value
    return messages
