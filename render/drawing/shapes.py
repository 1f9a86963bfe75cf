"""Our own drawings as smooth outlines: the four suits, an eye, a khukuri. They need no font and no licence.

An outline is a list of points, with y downwards. It is written as an SVG path with the absolute commands `M L
C Z` only, so that any SVG reader can use the same drawing.
"""

import re
from functools import lru_cache
from math import cos, pi, sin
from typing import Final

Point = tuple[float, float]
Outline = tuple[Point, ...]

_STEPS: Final = 20
"""The number of straight segments of a curve. A sprite is drawn at four times its displayed size."""
_TOKEN: Final = re.compile(r"[MLCZ]|-?\d+(?:\.\d+)?")


@lru_cache(maxsize=256)
def outline(path: str) -> Outline:
    """The points of a closed SVG path of absolute `M`, `L`, `C`; raises ValueError for any other command."""
    tokens = _TOKEN.findall(path)
    if re.sub(r"[\s,]", "", path) != "".join(tokens):
        raise ValueError(f"not a path of M, L, C and Z: {path!r}")
    points: list[Point] = []
    command, numbers = "", list[float]()
    for token in tokens:
        if token.isalpha():
            command = token
            continue
        numbers.append(float(token))
        if len(numbers) == (6 if command == "C" else 2):
            points += _piece(points, numbers)
            numbers.clear()
    return tuple(points)


def _piece(points: list[Point], numbers: list[float]) -> list[Point]:
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    return pairs if len(pairs) == 1 else _bezier(points[-1], *pairs)


def _bezier(start: Point, first: Point, second: Point, end: Point) -> list[Point]:
    points: list[Point] = []
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        x, y = (a * start[i] + b * first[i] + c * second[i] + d * end[i] for i in (0, 1))
        points.append((x, y))
    return points


def mirrored(half: Outline, axis: float = 50) -> Outline:
    """Complete a symmetric figure: the points, followed by their mirror images across a vertical axis in reverse."""
    return (*half, *((2 * axis - x, y) for x, y in reversed(half)))


def across(whole: Outline, axis: float = 50) -> Outline:
    """Return the figure mirrored across a vertical axis."""
    return tuple((2 * axis - x, y) for x, y in whole)


@lru_cache(maxsize=256)
def oval(x: float, y: float, across_x: float, across_y: float | None = None) -> Outline:
    """Return an ellipse with its centre and its two radii; a circle if only one is given."""
    tall = across_x if across_y is None else across_y
    turns = (2 * pi * step / 48 for step in range(48))
    return tuple((x + across_x * cos(t), y + tall * sin(t)) for t in turns)


@lru_cache
def star(points: int, inner: float, x: float = 50, y: float = 50, radius: float = 50) -> Outline:
    """Return a star around a centre; `inner` is the radius of its inner corners as a share of the outer one."""
    turns = (pi * step / points - pi / 2 for step in range(2 * points))
    radii = (radius if step % 2 == 0 else radius * inner for step in range(2 * points))
    return tuple((x + r * cos(t), y + r * sin(t)) for t, r in zip(turns, radii, strict=True))


_HEART: Final = "M50 24.5 C53.5 13 63.5 4 75.5 4 C89.5 4 100 15 100 30 C100 53 72 70 50 98.5"
_SPADE: Final = (
    "M50 1.5 C61 21 98.5 38.5 98.5 61 C98.5 74.5 88.5 83 77 83 C67.5 83 59 78.5 54 70 C55 83 60 93 70 98.5"
)
_DIAMOND: Final = "M50 0 C59 17.5 73.5 36.5 89 50 C73.5 63.5 59 82.5 50 100"
_STEM: Final = "M50 40 C54 42 56 50 54 64 C55 80 61 93 71 98.5"
_LEAF: Final = 22.2

SUITS: Final[tuple[tuple[Outline, ...], ...]] = (
    (mirrored(outline(_SPADE)),),
    (mirrored(outline(_HEART)),),
    (mirrored(outline(_DIAMOND)),),
    (
        oval(50, 23.5, _LEAF),
        oval(23.2, 58.5, _LEAF),
        oval(76.8, 58.5, _LEAF),
        oval(50, 50, 12),
        mirrored(outline(_STEM)),
    ),
)
"""The outlines that together make up a suit, each in a square of 100: spades, hearts, diamonds, clubs."""

EYE: Final = outline("M0 50 C22 14 78 14 100 50 C78 86 22 86 0 50 Z")
"""The almond of an eye; its iris is a circle in the middle."""


def place(whole: Outline, left: float, top: float, width: float, height: float | None = None) -> list[Point]:
    """Scale an outline of a square of 100 to a rectangle of the picture, by default as high as wide."""
    tall = width if height is None else height
    return [(left + x * width / 100, top + y * tall / 100) for x, y in whole]
