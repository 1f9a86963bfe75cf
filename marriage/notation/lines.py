"""Texts of several lines: a title, then a name and a value on each line. Errors name the faulty line."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from marriage.notation.values import clipped

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
    """The lines after the title, without empty lines and comments (#); raises ValueError for another title."""
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
