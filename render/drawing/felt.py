"""Flat felt and plates, drawn in RGB. Pictures made of them are converted to the palette at the end."""

from typing import Final

from PIL import Image, ImageDraw

from render.drawing.memory import MEGABYTE, once
from render.style import Colour, Style, mix

_SCALE: Final = 3
RIM: Final = 6
"""The width of a plate's rim outside the plate."""
Box = tuple[float, float, float, float]


def plain(width: int, height: int, style: Style) -> Image.Image:
    """A fresh canvas of flat felt."""
    return Image.new("RGB", (width, height), style.colours.felt)


def plate(
    canvas: Image.Image, box: Box, style: Style, *, rim: float | None = None, radius: float = 18
) -> None:
    """Draw a dark rounded plate. If `rim` is given, that share of its golden rim (0 to 1) is bright and the rest is dim."""
    left, top, right, bottom = (round(v) for v in box)
    colours = style.colours
    if rim is not None and rim < 1:
        size = (right - left + 2 * RIM, bottom - top + 2 * RIM)
        image, mask = _clock(*size, style, rim, round(radius) + RIM)
        canvas.paste(image, (left - RIM, top - RIM), mask)
    elif rim is not None:
        outer = (left - RIM, top - RIM, right + RIM, bottom + RIM)
        _fill(canvas, outer, colours.gold, round(radius) + RIM)
    _fill(canvas, (left, top, right, bottom), colours.plate, round(radius))


def _fill(canvas: Image.Image, box: tuple[int, int, int, int], colour: Colour, radius: int) -> None:
    """Fill a rounded rectangle, excluding its right and bottom edge. Only its corners need a mask."""
    left, top, right, bottom = box
    canvas.paste(colour, (left + radius, top, right - radius, bottom))
    for x, corners in ((left, _corners(radius)[:2]), (right - radius, _corners(radius)[2:])):
        canvas.paste(colour, (x, top + radius, x + radius, bottom - radius))
        for y, corner in zip((top, bottom - radius), corners, strict=True):
            canvas.paste(colour, (x, y), corner)


@once(MEGABYTE)
def _corners(radius: int) -> tuple[Image.Image, ...]:
    """Masks of the four corners: upper left, lower left, upper right, lower right."""
    whole = rounded(2 * radius, 2 * radius, 0, radius)
    places = ((0, 0), (0, radius), (radius, 0), (radius, radius))
    return tuple(whole.crop((x, y, x + radius, y + radius)) for x, y in places)


@once(4 * MEGABYTE)
def _clock(
    width: int, height: int, style: Style, part: float, radius: int
) -> tuple[Image.Image, Image.Image]:
    """Return a rim with a bright part in RGB, and its mask. They are separate because callers need both."""
    colours = style.colours
    mask = rounded(width, height, 0, radius)
    image = Image.new("RGB", mask.size, mix(colours.felt, colours.gold, 0.35))
    image.paste(colours.gold, (0, 0), _sector((width * _SCALE, height * _SCALE), part).reduce(_SCALE))
    return image, mask


def _sector(size: tuple[int, int], part: float) -> Image.Image:
    """Return a mask of the remaining part of a clock's face: from its hand, which starts at the top, clockwise to the top."""
    width, height = size
    reach = width
    mask = Image.new("L", size)
    box = (width / 2 - reach, height / 2 - reach, width / 2 + reach, height / 2 + reach)
    ImageDraw.Draw(mask).pieslice(box, 270 - 360 * part, 270, fill=255)
    return mask


def rounded(width: int, height: int, inset: int, radius: int) -> Image.Image:
    """Return a mask of a rectangle with round corners, inset by `inset` in a picture of this size."""
    mask = Image.new("L", (width * _SCALE, height * _SCALE))
    box = (inset, inset, width - 1 - inset, height - 1 - inset)
    ImageDraw.Draw(mask).rounded_rectangle([v * _SCALE for v in box], radius * _SCALE, fill=255)
    return mask.reduce(_SCALE)
