"""Message catalogues: a folder with one TOML file for each language. Messages missing in a language are in English."""

import re
import string
import tomllib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, TypeVarTuple, cast

T = TypeVar("T")
Args = TypeVarTuple("Args")

ENGLISH: Final = "en"

_spoken: ContextVar[str] = ContextVar("spoken", default=ENGLISH)


def spoken() -> str:
    """Return the code of the current language: English, unless within `speaking`."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Generator[None, None, None]:
    """Make this the current language within the block, and in the tasks and threads that it starts."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def in_language(language: str, function: Callable[[*Args], T], *args: *Args) -> T:
    """Call a function with this as the current language. Use it for work in another process."""
    with speaking(language):
        return function(*args)


class _Filler(string.Formatter):
    """A formatter for placeholders.

    `{count:deal|deals}` is the first word for 1 and the second for every other number. `{at:s}` converts
    milliseconds to whole seconds, as Discord's time stamps need: `<t:{at:s}:R>`.
    """

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec == "s" and isinstance(value, int):
            return str(value // 1000)
        singular, bar, plural = format_spec.partition("|")
        return (singular if str(value) == "1" else plural) if bar else format(value, format_spec)


_FILLER = _Filler()
_NEEDS_FILLER: Final = re.compile(r"\||:s\}")


class Texts:
    """One language's catalogue: `texts("lobby.title", table=12)`."""

    def __init__(self, messages: dict[str, str], language: str = ENGLISH) -> None:
        self.templates = messages
        """The messages by key, with their placeholders."""
        self.language = language
        """The code of the catalogue's language. Missing messages are in English."""

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return the message of that key with its `{placeholders}` filled in; raises KeyError for an unknown key.

        Values are inserted verbatim and never parsed as templates themselves.
        """
        template = self.templates[key]
        if "{" not in template:
            return template
        # Few messages have a plural or a time, and Python's own formatting takes a quarter of the time.
        if _NEEDS_FILLER.search(template):
            return _FILLER.format(template, **values)
        return template.format(**values)

    def __contains__(self, key: str) -> bool:
        return key in self.templates

    def keys(self) -> frozenset[str]:
        """Every key of the catalogue."""
        return frozenset(self.templates)

    def template(self, key: str) -> str:
        """The message of that key with its placeholders unfilled; raises KeyError for an unknown key."""
        return self.templates[key]


@cache
def load(folder: Path, language: str) -> Texts:
    """Load the catalogue of that language, completed with English; raises FileNotFoundError if it has no file."""
    own = own_messages(folder, language)
    return Texts(own if language == ENGLISH else own_messages(folder, ENGLISH) | own, language)


@cache
def own_messages(folder: Path, language: str) -> dict[str, str]:
    """Return the messages in that language's own file, by key; raises FileNotFoundError if it has no file."""
    with (folder / f"{language}.toml").open("rb") as file:
        return _flat(tomllib.load(file))


def _flat(tree: dict[str, Any], prefix: str = "") -> dict[str, str]:
    messages: dict[str, str] = {}
    for key, value in tree.items():
        if isinstance(value, dict):
            messages |= _flat(cast("dict[str, Any]", value), f"{prefix}{key}.")
        else:
            messages[prefix + key] = value
    return messages
