"""One reader of text: what it takes, which errors it may raise, and what writes its values back."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bot.errors import UserError
from bot.words.texts import catalogue

LANGUAGES = ("en", "ne", "hi")
LONGEST_REFUSAL = 2_000
TYPED, COMMAND, PRESSED, FILE = 4_000, 6_000, 100, 1 << 20
"""The maximum number of characters of a field, a command's option, a custom id, and a file."""

ODD = (
    *" \t\n\r,;:=-+/|#%.\"'\\{}[]<>()@*_~\0\x7f\x85\u00a0\u200b\u202e\u2028\ufeff\ud800\U0001f0a1",
    *("0", "-1", "00", "१२", "٣", "²", "½", "1e9", "1_0", "NaN", "9" * 25, "9" * 5_000, "−3", "0x1f"),
    *("İ", "ß", "ﬁ", "é", "क्ष", "🂡", "null", "true", "[[", "}}", "None", "%s", "{0}", "..", "://"),
)
"""What readers stumble over: all kinds of blanks, signs and digits, half characters, growing letters."""


class NotAnInput(Exception):  # noqa: N818 - a name is a sentence here
    """A text that cannot reach the reader, such as one that is not JSON if the library parses it first."""


@dataclass(frozen=True)
class Reader:
    """A function that reads what people, Discord or files hand in."""

    of: Callable[..., Any]
    """The project's function."""
    read: Callable[[str], Any]
    """Calls the function with a text."""
    refusals: type[Exception] | tuple[type[Exception], ...]
    """The errors that it is documented to raise for a text that it does not take."""
    samples: tuple[str, ...]
    """Texts that it takes."""
    longest: int = TYPED
    """The maximum number of characters of a text that reaches it."""
    write: Callable[[Any], str] | None = None
    """Writes a value as a text that reads back as the same value; None for values that are never written."""
    of_what: str = ""
    """What distinguishes two entries of the same function."""

    @property
    def name(self) -> str:
        """The name of the module and the function."""
        name = f"{self.of.__module__}.{self.of.__qualname__}"
        return f"{name}[{self.of_what}]" if self.of_what else name


class Misread(AssertionError):  # noqa: N818 - a name is a sentence here
    """A reader did something with a text that it must not do."""


def check(reader: Reader, text: str) -> bool:
    """Let the reader read a text, cut to its maximum length, and return whether it took it.

    Raises Misread if the value that was read does not survive writing and reading, and any error that is not
    one of the reader's refusals.
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
    """Check that the refusal's message is in the catalogues and short enough to be sent."""
    if not isinstance(error, UserError):
        return
    for language in LANGUAGES:
        if not 0 < len(catalogue(language)(error.key, **error.values)) <= LONGEST_REFUSAL:
            raise Misread(f"{reader.name}: the refusal of {text!r} is too long in {language}")


def of_json(read: Callable[[Any], Any]) -> Callable[[str], Any]:
    """Return a reader of a value that the library has already parsed as JSON."""

    def read_text(text: str) -> Any:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            raise NotAnInput from None
        return read(value)

    return read_text
