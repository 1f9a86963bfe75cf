"""One reader of text: what it takes, what it may refuse it with, and who writes what it reads."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.errors import UserError
from bot.words.texts import catalogue

LANGUAGES = ("en", "ne", "hi")
LONGEST_REFUSAL = 2_000
TYPED, COMMAND, PRESSED, FILE = 4_000, 6_000, 100, 1 << 20
"""The most characters of a field, of an option of a command, of a custom id, and of a file."""

ODD = (
    *" \t\n\r,;:=-+/|#%.\"'\\{}[]<>()@*_~\0\x7f\x85\u00a0\u200b\u202e\u2028\ufeff\ud800\U0001f0a1",
    *("0", "-1", "00", "१२", "٣", "²", "½", "1e9", "1_0", "NaN", "9" * 25, "9" * 5_000, "−3", "0x1f"),
    *("İ", "ß", "ﬁ", "é", "क्ष", "🂡", "null", "true", "[[", "}}", "None", "%s", "{0}", "..", "://"),
)
"""What readers stumble over: blanks, signs and digits of all kinds, half characters, and letters that change their length."""


class NotAnInput(Exception):  # noqa: N818 - a name is a sentence here
    """Nothing that could reach the reader, such as a text that is no JSON where the library has read JSON before."""


@dataclass(frozen=True)
class Reader:
    """A function that reads what people, Discord or files hand in."""

    of: Callable[..., Any]
    """The function of the project."""
    read: Callable[[str], Any]
    """Calls it with a text."""
    refusals: type[Exception] | tuple[type[Exception], ...]
    """What it says that it raises for a text that it does not take."""
    samples: tuple[str, ...]
    """Texts that it takes."""
    longest: int = TYPED
    """No text of more characters reaches it."""
    write: Callable[[Any], str] | None = None
    """Writes a value as a text that is read as the same value; None for what is never written."""
    of_what: str = ""
    """Tells apart two entries of the same function."""

    @property
    def name(self) -> str:
        """The module and the function."""
        name = f"{self.of.__module__}.{self.of.__qualname__}"
        return f"{name}[{self.of_what}]" if self.of_what else name


class Misread(AssertionError):  # noqa: N818 - a name is a sentence here
    """A reader did with a text what it must not do."""


def check(reader: Reader, text: str) -> bool:
    """Let the reader read a text, cut to its length, and return whether it took it.

    Raises Misread where what it read is written as something else, and whatever it raises beside its refusals.
    """
    try:
        value = reader.read(text[: reader.longest])
    except NotAnInput:
        return False
    except reader.refusals as error:
        _check_words(reader, text, error)
        return False
    if reader.write is not None and value is not None:
        written = reader.write(value)
        if (again := reader.read(written)) != value:
            raise Misread(f"{reader.name}: {text!r} is {value!r}, written as {written!r}, which is {again!r}")
    return True


def _check_words(reader: Reader, text: str, error: Exception) -> None:
    """What is said of it is in the catalogues, and short enough to be sent."""
    if not isinstance(error, UserError):
        return
    for language in LANGUAGES:
        if not 0 < len(catalogue(language)(error.key, **error.values)) <= LONGEST_REFUSAL:
            raise Misread(f"{reader.name}: the refusal of {text!r} is too long in {language}")


def of_json(read: Callable[[Any], Any]) -> Callable[[str], Any]:
    """A reader of what the library has read as JSON before."""

    def read_text(text: str) -> Any:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise NotAnInput from None
        return read(value)

    return read_text
