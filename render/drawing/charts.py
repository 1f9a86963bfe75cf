"""Shared parts of the pictures of records: the heading, the places, the names, and small plots.

Plots are columns above and below zero, a line through a career, and a figure with its uncertainty. All are drawn at three
times their displayed size, with one mask for each colour, and pasted on an RGB canvas.
"""

from collections.abc import Callable, Sequence
from typing import Final

from PIL import Image, ImageDraw

from league.results import Player
from render import words
from render.drawing.cloth import Box
from render.drawing.memory import MEGABYTE, once
from render.drawing.text import draw_text, drawable, fit, width
from render.style import Colour, Style, mix

WIDTH: Final = 1000
"""The width. It is displayed at 400 pixels on a phone, where 30 pixels of type are the smallest legible size."""
EDGE: Final = 20
HEAD: Final = 88
_TITLE: Final = 50
_ASIDE: Final = 34
_PLACE: Final = 34
_DISC: Final = 50
_SCALE: Final = 4


def heading(canvas: Image.Image, title: str, aside: str, style: Style) -> None:
    """Draw the title at the left in gold, and its subject at the right."""
    draw = ImageDraw.Draw(canvas)
    right = WIDTH - EDGE - 12
    aside = fit(aside, (WIDTH - 2 * EDGE) // 2, _ASIDE, "SemiBold")
    draw_text(draw, (right, HEAD / 2), aside, _ASIDE, style.colours.muted, weight="SemiBold", anchor="rm")
    room = right - 2 * EDGE - round(width(aside, _ASIDE, "SemiBold")) - 24
    draw_text(
        draw,
        (EDGE + 12, HEAD / 2),
        fit(drawable(title, "·"), room, _TITLE),
        _TITLE,
        style.colours.gold,
        anchor="lm",
    )


def flowed(notes: Sequence[str], size: int) -> list[str]:
    """Arrange notes in as few lines of this picture as possible."""
    lines: list[str] = []
    most = WIDTH - 2 * EDGE - 24
    for note in notes:
        longer = f"{lines[-1]} · {note}" if lines else note
        if lines and width(longer, size) <= most:
            lines[-1] = longer
        else:
            lines.append(fit(note, most, size))
    return lines


def named(player: Player, name: str) -> str:
    """Return a drawable name. If nothing of it can be drawn, return another label for the player."""
    return drawable(name, words.say("rank.player", number=player % 1000))


def put_place(canvas: Image.Image, middle: tuple[int, int], place: int | None, style: Style) -> None:
    """Draw a place: the first three on a disc of gold, silver and bronze, and a question mark for none."""
    x, y = middle
    if place in {1, 2, 3}:
        disc = _disc(place, style)
        canvas.paste(disc, (x - disc.width // 2, y - disc.height // 2), disc)
    text, fill = ("?", style.colours.muted) if place is None else (str(place), _on_place(place, style))
    size = _PLACE if len(text) < 4 else _PLACE - 5
    draw_text(ImageDraw.Draw(canvas), (x, y), text, size, fill, anchor="mm")


def _on_place(place: int, style: Style) -> str:
    colours = style.colours
    return {1: colours.gold_dark, 2: colours.plate}.get(place, colours.text)


@once(MEGABYTE)
def _disc(place: int, style: Style) -> Image.Image:
    colours = style.colours
    fill = {1: colours.gold, 2: colours.muted, 3: colours.rail_light}[place]
    side = _DISC * _SCALE
    image = Image.new("RGBA", (side, side))
    ImageDraw.Draw(image).ellipse((0, 0, side - 1, side - 1), fill=fill)
    return image.reduce(_SCALE)


_OVERSAMPLING: Final = 3
_WIDEST: Final = 44
"""The greatest width of a column, in pixels."""
Point = tuple[float, float]


def ink(canvas: Image.Image, box: Box, colour: Colour, paint: Callable[["Pen"], None]) -> None:
    """Paste in one colour what `paint` draws in the box, with smooth edges. Points are in canvas coordinates."""
    pen = Pen(box)
    paint(pen)
    canvas.paste(colour, (pen.left, pen.top), pen.mask.reduce(_OVERSAMPLING))


class Pen:
    """A pen for a mask of a part of a canvas, in canvas coordinates."""

    def __init__(self, box: Box) -> None:
        left, top, right, bottom = (round(side) for side in box)
        self.left, self.top = left, top
        self.mask = Image.new("L", ((right - left) * _OVERSAMPLING, (bottom - top) * _OVERSAMPLING))
        self._draw = ImageDraw.Draw(self.mask)

    def bar(self, box: Box, radius: float = 0) -> None:
        """Draw a filled rectangle."""
        left, top, right, bottom = box
        (x0, y0), (x1, y1) = self._points(((left, top), (right, bottom)))
        if x1 - x0 >= 1 and y1 - y0 >= 1:
            round_by = min(radius * _OVERSAMPLING, (x1 - x0) / 2, (y1 - y0) / 2)
            self._draw.rounded_rectangle((x0, y0, x1 - 1, y1 - 1), round_by, fill=255)

    def line(self, points: Sequence[Point], width: float) -> None:
        """Draw a line through these points, round at its corners."""
        self._draw.line(self._points(points), fill=255, width=round(width * _OVERSAMPLING), joint="curve")

    def dot(self, at: Point, radius: float) -> None:
        """Draw a disc."""
        ((x, y),) = self._points((at,))
        reach = radius * _OVERSAMPLING
        self._draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=255)

    def shape(self, points: Sequence[Point]) -> None:
        """Draw a filled polygon."""
        self._draw.polygon(self._points(points), fill=255)

    def _points(self, points: Sequence[Point]) -> list[Point]:
        return [((x - self.left) * _OVERSAMPLING, (y - self.top) * _OVERSAMPLING) for x, y in points]


def dim(style: Style) -> Colour:
    """Return the colour of axes and tracks on a plate."""
    return mix(style.colours.plate, style.colours.muted, 0.25)


def columns(canvas: Image.Image, box: Box, figures: Sequence[int], style: Style) -> None:
    """Draw a column for each figure, up or down from zero, the latest at the right. Few columns stand further apart."""
    left, top, right, bottom = box
    high, low = max(0, *figures), min(0, *figures)
    tall = (bottom - top) / (high - low or 1)
    nought = top + high * tall
    pitch = (right - left) / max(1, len(figures))
    half = min(0.34 * pitch, _WIDEST / 2)

    def some(wanted: Callable[[int], bool]) -> Callable[[Pen], None]:
        def paint(pen: Pen) -> None:
            for index, figure in enumerate(figures):
                if wanted(figure):
                    x = left + (index + 0.5) * pitch
                    end = nought - figure * tall
                    upper, lower = min(nought, end), max(nought, end)
                    least = max(0.0, 3 - (lower - upper)) / 2  # a deal with 0 points needs a column too
                    pen.bar((x - half, upper - least, x + half, lower + least), 3)

        return paint

    room = (left, top - 2, right, bottom + 2)
    ink(canvas, room, dim(style), lambda pen: pen.bar((left, nought - 1, right, nought + 1)))
    ink(canvas, room, style.colours.gain, some(lambda figure: figure > 0))
    ink(canvas, room, style.colours.loss, some(lambda figure: figure < 0))
    ink(canvas, room, style.colours.muted, some(lambda figure: figure == 0))


def course(canvas: Image.Image, box: Box, totals: Sequence[int], style: Style) -> Point:
    """Draw a line through running totals, the first at the left edge; return its end."""
    left, top, right, bottom = box
    high, low = max(0, *totals), min(0, *totals)
    tall = (bottom - top) / (high - low or 1)
    nought = top + high * tall
    step = (right - left) / max(1, len(totals) - 1)
    points = [(left + index * step, nought - total * tall) for index, total in enumerate(totals)]
    room = (left - 8, top - 10, right + 10, bottom + 10)
    ink(canvas, room, dim(style), lambda pen: pen.bar((left, nought - 1, right, nought + 1)))
    ink(canvas, room, style.colours.gold, lambda pen: pen.line(points, 4))
    ink(canvas, room, style.colours.gold, lambda pen: pen.dot(points[-1], 7))
    return points[-1]


def beam(
    canvas: Image.Image, box: Box, scale: tuple[float, float], value: float, colour: Colour, style: Style
) -> None:
    """Draw a horizontal bar from zero to the value, on a scale across the box that includes zero."""
    _, top, _, bottom = box
    middle = (top + bottom) / 2
    nought, end = _across(box, scale, 0), _across(box, scale, value)
    low, high = min(nought, end), max(nought, end)
    ink(canvas, box, dim(style), lambda pen: pen.bar((nought - 1, top, nought + 1, bottom)))
    ink(canvas, box, colour, lambda pen: pen.bar((low, middle - 9, high, middle + 9), 4))


def span(
    canvas: Image.Image,
    box: Box,
    scale: tuple[float, float],
    ends: tuple[float, float, float],
    colour: Colour,
    style: Style,
) -> None:
    """Draw a line from the first of `ends` to the last with a dot at the middle one, on a scale across the box."""
    left, top, right, bottom = box
    middle = (top + bottom) / 2
    low, at, high = (_across(box, scale, end) for end in ends)
    room = (left - 10, top, right + 10, bottom)
    ink(canvas, room, dim(style), lambda pen: pen.bar((left, middle - 1, right, middle + 1)))
    ink(
        canvas, room, style.colours.muted, lambda pen: pen.bar((low - 3, middle - 3, high + 3, middle + 3), 3)
    )
    ink(canvas, room, colour, lambda pen: pen.dot((at, middle), 8))


def _across(box: Box, scale: tuple[float, float], value: float) -> float:
    """Return the position of a value between the left and the right of a box; the middle if the scale is a point."""
    low, high = scale
    part = (value - low) / (high - low) if high > low else 0.5
    return box[0] + part * (box[2] - box[0])
