"""Our own drawings as smooth outlines: the four suits, the emblems of the court, the eye, a star. No font, no licence.

An outline is a list of points in the unit square, y downwards; `place` scales it to where it is drawn.
"""

from functools import lru_cache
from math import cos, pi, sin
from typing import Final

Point = tuple[float, float]
Outline = tuple[Point, ...]
Curve = tuple[Point, Point, Point]
"""Two control points and the end of a cubic Bézier; a straight line repeats its end."""

_STEPS: Final = 20

_HEART: Final[tuple[Curve, ...]] = (
    ((0.535, 0.130), (0.635, 0.040), (0.755, 0.040)),
    ((0.895, 0.040), (1.000, 0.150), (1.000, 0.300)),
    ((1.000, 0.530), (0.720, 0.700), (0.500, 0.985)),
)
_SPADE: Final[tuple[Curve, ...]] = (
    ((0.610, 0.210), (0.985, 0.385), (0.985, 0.610)),
    ((0.985, 0.745), (0.885, 0.830), (0.770, 0.830)),
    ((0.675, 0.830), (0.590, 0.785), (0.540, 0.700)),
    ((0.550, 0.830), (0.600, 0.930), (0.700, 0.985)),
    ((0.640, 0.985), (0.560, 0.985), (0.500, 0.985)),
)
_DIAMOND: Final[tuple[Curve, ...]] = (
    ((0.590, 0.175), (0.735, 0.365), (0.890, 0.500)),
    ((0.735, 0.635), (0.590, 0.825), (0.500, 1.000)),
)
_STEM: Final[tuple[Curve, ...]] = (
    ((0.540, 0.420), (0.560, 0.500), (0.540, 0.640)),
    ((0.550, 0.800), (0.610, 0.930), (0.710, 0.985)),
    ((0.640, 0.985), (0.560, 0.985), (0.500, 0.985)),
)
_CLUB_LEAVES: Final = ((0.5, 0.235), (0.232, 0.585), (0.768, 0.585))
_LEAF: Final = 0.222


@lru_cache
def suit(index: int) -> tuple[Outline, ...]:
    """The outlines that together make up a suit: 0 to 3 in the order spades, hearts, diamonds, clubs."""
    if index == 0:
        return (_mirrored((0.5, 0.015), _SPADE),)
    if index == 1:
        return (_mirrored((0.5, 0.245), _HEART),)
    if index == 2:
        return (_mirrored((0.5, 0.0), _DIAMOND),)
    leaves = tuple(_circle(centre, _LEAF) for centre in _CLUB_LEAVES)
    return (*leaves, _mirrored((0.5, 0.4), _STEM), _circle((0.5, 0.5), 0.12))


@lru_cache
def emblem(rank: int) -> tuple[Outline, ...]:
    """What the court carries: a khukuri (jack), a tiara (queen), a crown (king)."""
    if rank == 10:
        handle = ((0.00, 0.90), (0.09, 1.02), (0.39, 0.73), (0.29, 0.60))
        curves = (((0.46, 0.42), (0.50, 0.14), (0.98, -0.02)), ((1.08, 0.44), (0.82, 0.80), (0.44, 0.74)))
        return handle, _path((0.27, 0.54), curves)
    if rank == 11:
        arch = _path(
            (0.0, 0.30),
            (
                ((0.10, 0.62), (0.20, 0.66), (0.27, 0.60)),
                ((0.36, 0.52), (0.44, 0.36), (0.50, 0.14)),
                ((0.56, 0.36), (0.64, 0.52), (0.73, 0.60)),
                ((0.80, 0.66), (0.90, 0.62), (1.00, 0.30)),
                ((0.98, 0.60), (0.94, 0.80), (0.90, 1.00)),
                ((0.70, 0.92), (0.30, 0.92), (0.10, 1.00)),
                ((0.06, 0.80), (0.02, 0.60), (0.00, 0.30)),
            ),
        )
        return arch, _circle((0.5, 0.10), 0.085), _circle((0.02, 0.26), 0.07), _circle((0.98, 0.26), 0.07)
    points = ((0.08, 1.0), (0.0, 0.26), (0.27, 0.60), (0.5, 0.10), (0.73, 0.60), (1.0, 0.26), (0.92, 1.0))
    return points, *(_circle(tip, 0.075) for tip in ((0.02, 0.22), (0.5, 0.08), (0.98, 0.22)))


@lru_cache
def star(points: int = 5, inner: float = 0.42) -> Outline:
    """A star that stands on two feet."""
    turns = (pi * step / points - pi / 2 for step in range(2 * points))
    radii = (0.5 if step % 2 == 0 else 0.5 * inner for step in range(2 * points))
    return tuple((0.5 + r * cos(t), 0.5 + r * sin(t)) for t, r in zip(turns, radii, strict=True))


@lru_cache
def eye() -> Outline:
    """The almond of an eye; its iris is a circle in the middle."""
    return _path(
        (0.0, 0.5), (((0.22, 0.14), (0.78, 0.14), (1.0, 0.5)), ((0.78, 0.86), (0.22, 0.86), (0.0, 0.5)))
    )


@lru_cache
def jester() -> tuple[Outline, ...]:
    """The three-horned cap of the man card."""
    cap = _path(
        (0.22, 0.80),
        (
            ((0.24, 0.50), (0.16, 0.34), (0.02, 0.42)),
            ((0.10, 0.16), (0.34, 0.18), (0.40, 0.42)),
            ((0.42, 0.28), (0.42, 0.16), (0.50, 0.05)),
            ((0.58, 0.16), (0.58, 0.28), (0.60, 0.42)),
            ((0.66, 0.18), (0.90, 0.16), (0.98, 0.42)),
            ((0.84, 0.34), (0.76, 0.50), (0.78, 0.80)),
            ((0.60, 0.74), (0.40, 0.74), (0.22, 0.80)),
        ),
    )
    return cap, _circle((0.03, 0.47), 0.075), _circle((0.5, 0.05), 0.075), _circle((0.97, 0.47), 0.075)


def place(
    outline: Outline, left: float, top: float, width: float, height: float | None = None
) -> list[Point]:
    """The outline in a rectangle of the picture; as high as wide unless `height` says otherwise."""
    tall = width if height is None else height
    return [(left + x * width, top + y * tall) for x, y in outline]


def _path(start: Point, curves: tuple[Curve, ...]) -> Outline:
    points = [start]
    for first, second, end in curves:
        points += _bezier(points[-1], first, second, end)
    return tuple(points)


def _mirrored(top: Point, right_half: tuple[Curve, ...]) -> Outline:
    right = _path(top, right_half)
    return (*right, *((1 - x, y) for x, y in reversed(right)))


def _bezier(start: Point, first: Point, second: Point, end: Point) -> list[Point]:
    points: list[Point] = []
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        x, y = (a * start[i] + b * first[i] + c * second[i] + d * end[i] for i in (0, 1))
        points.append((x, y))
    return points


def _circle(centre: Point, radius: float) -> Outline:
    turns = (2 * pi * step / 40 for step in range(40))
    return tuple((centre[0] + radius * cos(t), centre[1] + radius * sin(t)) for t in turns)
