"""Texts of several lines: a title, then a name and a value on each line; every fault names its line."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from marriage.notation.values import clipped

T = TypeVar("T")

REPEATED: Final = ("option", "points", "item")
"""The names that may stand on several lines."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a text."""

    number: int
    name: str
    value: str

    def read(self, reader: Callable[[str], T]) -> T:
        """The value as this reader understands it; its ValueError gets the number of the line."""
        try:
            return reader(self.value)
        except ValueError as error:
            raise self.wrong(str(error)) from None

    def wrong(self, what: str) -> ValueError:
        """What is wrong with this line."""
        return ValueError(f"line {self.number}: {what}")


def lines_of(text: str, title: str) -> Iterator[Line]:
    """The lines under a title; empty ones and those that begin with # are passed over."""
    numbered = ((number, line.strip()) for number, line in enumerate(text.split("\n"), 1))
    spoken = ((number, line) for number, line in numbered if line and not line.startswith("#"))
    number, first = next(spoken, (1, ""))
    if first != title:
        raise ValueError(f"line {number}: the text begins with the line {title!r}")
    for number, line in spoken:
        name, _, value = line.partition(" ")
        yield Line(number, name, value.strip())


class Block:
    """The lines that belong together, by their names."""

    def __init__(self, number: int = 1) -> None:
        self.last = number
        self.once: dict[str, Line] = {}
        self.repeated: dict[str, list[Line]] = {name: [] for name in REPEATED}

    def add(self, line: Line) -> None:
        """Add a line; raises ValueError for a name that stands there already."""
        self.last = line.number
        if line.name in REPEATED:
            self.repeated[line.name].append(line)
        elif line.name in self.once:
            raise line.wrong(f"{clipped(line.name)} stands here twice")
        else:
            self.once[line.name] = line

    def take(self, name: str, reader: Callable[[str], T]) -> T:
        """The value of a name; raises ValueError when it is missing."""
        if name not in self.once:
            raise ValueError(f"line {self.last}: above here the line {name!r} is missing")
        return self.once.pop(name).read(reader)

    def take_all(self, name: str) -> list[Line]:
        """The lines of a name that may be repeated."""
        return self.repeated.pop(name)

    def done(self) -> None:
        """Raise ValueError when there is a line that nobody took."""
        left = [*self.once.values(), *(line for lines in self.repeated.values() for line in lines)]
        for line in left:
            raise line.wrong(f"there is no {clipped(line.name)} here")
