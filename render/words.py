"""The message catalogues, and the texts of pictures and alt texts.

A catalogue is a folder with one TOML file for each language. Messages missing in a language are in English. The texts of
pictures are in `render/messages/`; some signs are the same in every language.
"""

import re
import string
import tomllib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar, TypeVarTuple, cast

from marriage.cards import CARDS, MAN, MASTER, UNKNOWN, Card
from marriage.maal import Role

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


class Messages:
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
        """Return every key of the catalogue."""
        return frozenset(self.templates)

    def template(self, key: str) -> str:
        """Return the message of that key, placeholders unfilled; raises KeyError for an unknown key."""
        return self.templates[key]


@cache
def load(folder: Path, language: str) -> Messages:
    """Load the catalogue of that language, completed with English; raises FileNotFoundError if it has no file."""
    own = own_messages(folder, language)
    return Messages(own if language == ENGLISH else own_messages(folder, ENGLISH) | own, language)


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


CATALOGUES: Final = Path(__file__).with_name("messages")

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""The ranks as printed on the cards, in every language."""
BADGES: Final = {Role.TIPLU: "T", Role.ALTER: "A", Role.JOKER: "W"}
"""The letters on badges. Poplu and jhiplu have arrows to the cards above and below the tiplu, because J would be a jack."""
DEALER_MARK: Final = "D"

_SUITS: Final = ("spades", "hearts", "diamonds", "clubs")
_SPECIALS: Final = {MAN: "man", MASTER: "master", UNKNOWN: "unknown"}


def say(key: str, /, **values: Any) -> str:
    """Return the message of that key in the current language; raises KeyError for an unknown key."""
    return _texts(spoken())(key, **values)


@cache
def _texts(language: str) -> Messages:
    return load(CATALOGUES, language)


def suit_name(card: Card) -> str:
    """Return the name of a card's suit, or of a card without a suit."""
    return _suit_names(spoken())[card]


@cache
def _suit_names(language: str) -> dict[Card, str]:
    """Return the suit names by card, cached because one alt text needs forty."""
    say = _texts(language)
    return {
        card: say(f"suit.{_SUITS[card.suit]}" if card.is_pack else f"special.{_SPECIALS[card]}")
        for card in CARDS
    }


def signed(number: int) -> str:
    """Format a gain or loss with its sign. The minus is a true one, as wide as the plus."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def decimal(figure: float, digits: int = 1, *, sign: bool = False) -> str:
    """Format a figure with `digits` decimals and a true minus; with `sign`, positive figures get a plus.

    >>> decimal(-2.04), decimal(0.04, sign=True), decimal(3, 2, sign=True)
    ('−2.0', '0.0', '+3.00')
    """
    shown = f"{abs(figure):.{digits}f}"
    if float(shown) == 0:
        return shown
    return f"−{shown}" if figure < 0 else f"{'+' * sign}{shown}"
