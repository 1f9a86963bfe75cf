"""The values of the notation, each with a writer and a reader: numbers, yes and no, texts, cards, groups of cards."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from marriage.cards import Card, Cards, format_cards, parse_cards

LARGEST: Final = (1 << 32) - 1
NOTHING: Final = "-"


@dataclass(frozen=True, slots=True)
class Codec:
    """How one kind of value is written and read; `read` raises ValueError with a sentence."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def write_groups(groups: Iterable[Cards]) -> str:
    """Groups of cards separated by commas, such as `3S 4S 5S, 6H 6H 6H`; an empty group is `-`."""
    return ", ".join(format_cards(group) or NOTHING for group in groups)


def read_groups(text: str) -> tuple[Cards, ...]:
    """Read groups of cards separated by commas; raises ValueError."""
    return tuple(map(_read_group, text.split(","))) if text.strip() else ()


def _read_group(text: str) -> Cards:
    if not text.strip():
        raise ValueError(f"a group is missing next to a comma; an empty group is written {NOTHING}")
    return () if text.strip() == NOTHING else parse_cards(text)


def read_number(text: str) -> int:
    """Read a number of at most four bytes in plain digits; raises ValueError."""
    if text.isascii() and text.isdigit() and len(text) <= len(str(LARGEST)) and int(text) <= LARGEST:
        return int(text)
    raise ValueError(f"{clipped(text)} is no number from 0 to {LARGEST}")


def write_flag(flag: object) -> str:
    """Write yes or no."""
    return "yes" if flag else "no"


def read_flag(text: str) -> bool:
    """Read yes or no; raises ValueError."""
    if text in ("yes", "no"):
        return text == "yes"
    raise ValueError(f"{clipped(text)} is neither yes nor no")


def write_numbers(numbers: Iterable[int]) -> str:
    """Numbers separated by blanks."""
    return " ".join(map(str, numbers))


def read_numbers(text: str) -> tuple[int, ...]:
    """Read numbers separated by blanks; raises ValueError."""
    return tuple(map(read_number, text.split()))


def write_text(text: str) -> str:
    """A text on one line; raises ValueError for a text with a line break or with blanks at its ends."""
    if text != text.strip() or "\n" in text:
        raise ValueError("a text with a line break, or a blank at its end, cannot be written on a line")
    return text


def clipped(text: str) -> str:
    """A text shortened and quoted for an error message."""
    return repr(text[:40])


NUMBER: Final = Codec(str, read_number)
NUMBERS: Final = Codec(write_numbers, read_numbers)
FLAG: Final = Codec(write_flag, read_flag)
CARD: Final = Codec(str, Card.parse)
CARDS: Final = Codec(format_cards, parse_cards)
GROUPS: Final = Codec(write_groups, read_groups)
