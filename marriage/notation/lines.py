"""Texts of several lines: a title, then a name and a value on each line. Errors name the faulty line.

Each kind of value has a writer and a reader: numbers, yes and no, texts, cards, groups of cards. The header of deals and
positions has the rules, and the secret seed of the deal.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pydantic import ValidationError

from marriage.cards import Card, Cards, format_cards, parse_cards
from marriage.rules import PRESETS, Rules, nearest_preset
from marriage.shuffle import SEED_BYTES, DealSeed

LARGEST: Final = (1 << 32) - 1
NOTHING: Final = "-"


@dataclass(frozen=True, slots=True)
class Codec:
    """How one kind of value is written and read; `read` raises ValueError with a sentence."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]


def write_groups(groups: Iterable[Cards]) -> str:
    """Write groups of cards separated by commas, such as `3S 4S 5S, 6H 6H 6H`; an empty group is `-`."""
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
    """Return numbers separated by spaces."""
    return " ".join(map(str, numbers))


def read_numbers(text: str) -> tuple[int, ...]:
    """Read numbers separated by spaces; raises ValueError."""
    return tuple(map(read_number, text.split()))


def write_text(text: str) -> str:
    """Return a text for one line; raises ValueError if it has a line break, or spaces at its ends."""
    if text != text.strip() or "\n" in text:
        raise ValueError("a text with a line break, or a blank at its end, cannot be written on a line")
    return text


def clipped(text: str) -> str:
    """Return a text shortened and quoted for an error message."""
    return repr(text[:40])


NUMBER: Final = Codec(str, read_number)
NUMBERS: Final = Codec(write_numbers, read_numbers)
FLAG: Final = Codec(write_flag, read_flag)
CARD: Final = Codec(str, Card.parse)
CARDS: Final = Codec(format_cards, parse_cards)
GROUPS: Final = Codec(write_groups, read_groups)


T = TypeVar("T")

REPEATED: Final = ("option", "points", "item")
"""The names that may occur on several lines."""


@dataclass(frozen=True, slots=True)
class NotationLine:
    """One line of a text."""

    number: int
    name: str
    value: str

    def read(self, reader: Callable[[str], T]) -> T:
        """Read the value; a ValueError of the reader gets the line number added."""
        try:
            return reader(self.value)
        except ValueError as error:
            raise self.wrong(str(error)) from None

    def wrong(self, what: str) -> ValueError:
        """Make an error about this line."""
        return ValueError(f"line {self.number}: {what}")


def lines_of(text: str, title: str) -> Iterator[NotationLine]:
    """Yield the lines after the title, except empty lines and comments (#).

    Raises ValueError for a wrong title.
    """
    numbered = ((number, line.strip()) for number, line in enumerate(text.split("\n"), 1))
    content = ((number, line) for number, line in numbered if line and not line.startswith("#"))
    number, first = next(content, (1, ""))
    if first != title:
        raise ValueError(f"line {number}: the text begins with the line {title!r}")
    for number, line in content:
        name, _, value = line.partition(" ")
        yield NotationLine(number, name, value.strip())


class Block:
    """Lines that belong together, by name."""

    def __init__(self, number: int = 1) -> None:
        self.last = number
        self.once: dict[str, NotationLine] = {}
        self.repeated: dict[str, list[NotationLine]] = {name: [] for name in REPEATED}

    def add(self, line: NotationLine) -> None:
        """Add a line; raises ValueError for a repeated name."""
        self.last = line.number
        if line.name in REPEATED:
            self.repeated[line.name].append(line)
        elif line.name in self.once:
            raise line.wrong(f"{clipped(line.name)} stands here twice")
        else:
            self.once[line.name] = line

    def take(self, name: str, reader: Callable[[str], T]) -> T:
        """Take out the value of a name; raises ValueError if it is missing."""
        if name not in self.once:
            raise ValueError(f"line {self.last}: above here the line {name!r} is missing")
        return self.once.pop(name).read(reader)

    def take_all(self, name: str) -> list[NotationLine]:
        """Take out the lines of a name that may be repeated."""
        return self.repeated.pop(name)

    def done(self) -> None:
        """Raise ValueError if a line was not taken."""
        left = [*self.once.values(), *(line for lines in self.repeated.values() for line in lines)]
        for line in left:
            raise line.wrong(f"there is no {clipped(line.name)} here")


_SEED_DIGITS: Final = 2 * SEED_BYTES
_ROWS: Final = "custom_points"


def rules_lines(rules: Rules) -> Iterator[str]:
    """Yield the nearest preset, the options that differ from it, and the custom points."""
    nearest, differences = nearest_preset(rules, {_ROWS})
    yield f"preset {nearest}"
    for option, value in differences.items():
        yield f"option {option} {write_flag(value) if isinstance(value, bool) else value}"
    for kind, row in rules.custom_points:
        yield f"points {kind} {write_numbers(row)}"


def take_rules(head: Block) -> Rules:
    """Read the rules from a header; raises ValueError."""
    options = head.take("preset", _read_preset).model_dump(exclude={_ROWS})
    places: dict[object, int] = {}
    for line in head.take_all("option"):
        name, value = line.read(lambda text: _read_option(text, options))
        options[name] = value
        places[name] = line.number
    rows = head.take_all("points")
    options[_ROWS] = tuple(line.read(_read_row) for line in rows)
    if rows:
        places[_ROWS] = rows[-1].number
    try:
        return Rules.model_validate(options)
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        name = fault["loc"][0] if fault["loc"] else "options"
        place = places.get(name, max(places.values()))
        raise ValueError(f"line {place}: {name}: {fault['msg'].removeprefix('Value error, ')}") from None


def _read_preset(text: str) -> Rules:
    if text not in PRESETS:
        raise ValueError(f"there is no preset {clipped(text)}; there are {', '.join(PRESETS)}")
    return PRESETS[text]


def _read_option(text: str, options: Mapping[str, object]) -> tuple[str, str | int]:
    """Return the name and value of an option; the value has the type of the current one in `options`."""
    name, _, value = text.partition(" ")
    match options.get(name):
        case None:
            raise ValueError(f"there is no option {clipped(name)}")
        case bool():
            return name, read_flag(value.strip())
        case int():
            return name, read_number(value.strip())
        case _:
            return name, value.strip()


def _read_row(text: str) -> tuple[str, tuple[int, ...]]:
    kind, _, row = text.partition(" ")
    return kind, read_numbers(row)


def seed_lines(key: DealSeed) -> Iterator[str]:
    """Yield the lines of a seed, with its table and deal number."""
    yield f"table {write_text(key.table)}".rstrip()
    yield f"deal {key.deal}"
    yield f"seed {key.seed.hex()}"
    for item in key.items:
        yield f"item {write_text(item)}".rstrip()


def take_seed(head: Block) -> DealSeed:
    """Read the seed from a header; raises ValueError."""
    return DealSeed(
        seed=head.take("seed", _read_seed),
        table=head.take("table", str),
        deal=head.take("deal", read_number),
        items=tuple(line.value for line in head.take_all("item")),
    )


def _read_seed(text: str) -> bytes:
    if len(text) == _SEED_DIGITS and all(digit in "0123456789abcdef" for digit in text):
        return bytes.fromhex(text)
    raise ValueError(f"a seed has {_SEED_DIGITS} hexadecimal digits")
