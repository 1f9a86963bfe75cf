"""Pieces of a hand in rows: as many as fit, with as much room between them as is left, up to a measure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

_LEAST: Final = 6
_MOST: Final = 20


@dataclass(frozen=True, slots=True)
class Piece:
    """What lies in one place, side by side, and the caption below it."""

    sprites: tuple[Image.Image, ...]
    caption: Image.Image | None = None
    joined: bool = False
    """Whether it stands close to the piece before it."""

    @property
    def width(self) -> int:
        """Of all its sprites."""
        return sum(sprite.width for sprite in self.sprites)


@dataclass(frozen=True, slots=True)
class Row:
    """Pieces beside each other."""

    pieces: tuple[Piece, ...]
    places: tuple[int, ...]
    """Where each begins."""

    @property
    def right(self) -> int:
        """Where the last one ends."""
        return self.places[-1] + self.pieces[-1].width


def rows_of(pieces: Sequence[Piece], room: int, spare: int) -> list[Row]:
    """The pieces in order, in rows of at most that width; where it is possible a row keeps `spare` pixels free."""
    lines: list[list[Piece]] = []
    for piece in pieces:
        if lines and _width([*lines[-1], piece], _LEAST) <= room:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [_row(line, room, spare) for line in lines]


def _row(line: Sequence[Piece], room: int, spare: int) -> Row:
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
