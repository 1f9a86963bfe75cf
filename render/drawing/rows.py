"""Lay out the pieces of a hand in rows: as many as fit, spread over the available room up to a maximum."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil
from typing import Final, NamedTuple

from PIL import Image

_LEAST: Final = 6
_MOST: Final = 20


@dataclass(frozen=True, slots=True)
class Piece:
    """Sprites next to each other in one place, and the caption below them."""

    sprites: tuple[Image.Image, ...]
    caption: Image.Image | None = None
    joined: bool = False
    """Whether it is close to the piece before it."""

    @property
    def width(self) -> int:
        """Return the width of all its sprites."""
        return sum(sprite.width for sprite in self.sprites)


@dataclass(frozen=True, slots=True)
class Row:
    """Pieces next to each other."""

    pieces: tuple[Piece, ...]
    places: tuple[int, ...]
    """The left edge of each piece."""

    @property
    def right(self) -> int:
        """Return the right edge of the last piece."""
        return self.places[-1] + self.pieces[-1].width


def rows_of(pieces: Sequence[Piece], room: int, spare: int) -> list[Row]:
    """Break the pieces into rows of at most that width. If possible, a row keeps `spare` pixels free."""
    lines: list[list[Piece]] = []
    for piece in pieces:
        if lines and _width([*lines[-1], piece], _LEAST) <= room:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [row_of(line, room, spare) for line in lines]


def row_of(line: Sequence[Piece], room: int, spare: int) -> Row:
    """Put these pieces in one row."""
    least = _width(line, _LEAST)
    free = room - least - (spare if least + spare <= room else 0)
    breaks = _breaks(line)
    gap = min(_MOST, _LEAST + free // breaks) if breaks else 0
    places: list[int] = []
    x = 0
    for index, piece in enumerate(line):
        x += gap if index and not piece.joined else 0
        places.append(x)
        x += piece.width
    return Row(tuple(line), tuple(places))


def _width(line: Sequence[Piece], gap: int) -> int:
    return sum(piece.width for piece in line) + gap * _breaks(line)


def _breaks(line: Sequence[Piece]) -> int:
    return sum(not piece.joined for piece in line[1:])


class Item(NamedTuple):
    """An unbreakable part of a row: a suit whose cards may move closer together, or something of a fixed width."""

    cards: int = 0
    fixed: int = 0

    def width(self, step: int, pitch: int) -> int:
        """Return its width if the cards are `step` apart and the last one is `pitch` wide."""
        return self.fixed or (self.cards - 1) * step + pitch


class Line(NamedTuple):
    """A planned row: the number of items, and the distance between cards."""

    items: int
    step: int


@lru_cache(maxsize=4096)
def lines_of(items: tuple[Item, ...], steps: tuple[int, ...], room: int, spare: int) -> tuple[Line, ...]:
    """Plan rows that end between items. Each item fits in a row at the last of the steps.

    `steps` are the available distances; at the first one no card covers another. The priorities are: no more
    rows than uncovered cards would need, or than there are items; then the greatest distance in the closest
    row; then the greatest sum of all distances. `spare` is the room for one more card in the last row.
    """
    pitch = steps[0]
    uncovered = sum(item.width(pitch, pitch) for item in items) + spare
    usual = min(len(items), ceil(uncovered / (room // pitch * pitch)))
    plans = _plans(items, steps, room, spare)
    rows = min(plans, key=lambda rows: (max(rows, usual), plans[rows].cost))
    return plans[rows].lines


class _Plan(NamedTuple):
    """A plan of some rows for the first items."""

    cost: tuple[int, int]
    """The closest step of a row and the sum of all steps, by their indices."""
    lines: tuple[Line, ...]


def _plans(items: Sequence[Item], steps: Sequence[int], room: int, spare: int) -> dict[int, _Plan]:
    """Return the best plan for each number of rows, by dynamic programming over the first one, two, three... items."""
    best: list[dict[int, _Plan]] = [{0: _Plan((0, 0), ())}]
    for end in range(1, len(items) + 1):
        here: dict[int, _Plan] = {}
        # The spare card either follows the last item or takes a row of its own.
        ends = ((room - spare, 1), (room, 2)) if end == len(items) else ((room, 1),)
        for start in reversed(range(end)):
            for width, rows in ends:
                _extend(here, best[start], rows, _closest(items[start:end], steps, width), end - start, steps)
        best.append(here)
    return best[-1]


def _extend(
    here: dict[int, _Plan],
    before: dict[int, _Plan],
    rows: int,
    step: int | None,
    items: int,
    steps: Sequence[int],
) -> None:
    """Add a row to the plans before it if that improves on the known ones."""
    if step is None:
        return
    for count, (cost, lines) in before.items():
        plan = _Plan((max(cost[0], step), cost[1] + step), (*lines, Line(items, steps[step])))
        here[count + rows] = min(here.get(count + rows, plan), plan)


def _closest(items: Sequence[Item], steps: Sequence[int], room: int) -> int | None:
    """Return the index of the widest step at which these items fit in one row; None if they do not fit."""
    free = room - _LEAST * (len(items) - 1)
    fitting = (
        number
        for number, step in enumerate(steps)
        if sum(item.width(step, steps[0]) for item in items) <= free
    )
    return next(fitting, None)


def even_parts(count: int, most: int) -> tuple[slice, ...]:
    """Divide `count` cards into as few parts of at most `most` as possible, about equally long."""
    parts = ceil(count / most) or 1
    ends = [count * number // parts for number in range(parts + 1)]
    return tuple(slice(start, end) for start, end in pairwise(ends))
