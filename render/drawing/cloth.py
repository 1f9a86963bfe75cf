"""The table's cloth, and drawing on it in the palette: each item is computed once as a stamp and then only pasted.

Images of the cloth are palette indices in mode L, which Pillow pastes without colour conversion. Such a picture
starts with a column of zeros, as `png_of_lines` needs it. Flat felt and plates are drawn in RGB; pictures made of them are
converted to the palette at the end.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageChops, ImageDraw

from render.drawing.deck import nearest, unchanged
from render.drawing.memory import MEGABYTE, once
from render.drawing.png import paste
from render.drawing.text import forgettable, placed
from render.style import Colour, Style, mix, rgb, shades_of_felt

_SCALE: Final = 3
RIM: Final = 6
"""The width of a plate's rim outside the plate."""
Box = tuple[float, float, float, float]


def plain(width: int, height: int, style: Style) -> Image.Image:
    """Draw a fresh canvas of flat felt."""
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
    """Return masks of the four corners: upper left, lower left, upper right, lower right."""
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


_FALL: Final = 1.7
"""How slowly the light falls off around the middle of the table. With 1 there would be a bright line."""
_SHOWS: Final = 32
"""The smallest coverage of a pixel by a letter's edge, out of 255, that changes the cloth below it."""
_STEPS: Final = 4
"""The shades between a letter and its background. More take more bytes and are not visible."""


class Stamp(NamedTuple):
    """Palette indices, and a mask of the ones to paste."""

    image: Image.Image
    mask: Image.Image


class Canvas:
    """A picture in progress, in palette indices."""

    def __init__(self, ground: Image.Image, style: Style) -> None:
        """`ground` is not modified."""
        self.lines = ground.copy()
        self._style = style

    def put(self, stamp: Stamp, x: int, y: int) -> None:
        """Paste a stamp."""
        paste(self.lines, stamp.image, x + 1, y, stamp.mask)

    def lay(self, image: Image.Image, x: int, y: int) -> None:
        """Paste palette indices that cover everything below them."""
        paste(self.lines, image, x + 1, y)

    def write(
        self, at: tuple[float, float], text: str, size: int, fill: Colour, ground: Colour, *, anchor: str
    ) -> float:
        """Draw a line of text like `draw_text`, on a background of nearly uniform colour; returns its width."""
        _, corner, whole = placed(at, text, size, anchor=anchor)
        self.put(_written(text, size, fill, ground, self._style), *corner)
        return whole


@forgettable
@lru_cache(maxsize=1024)
def _written(text: str, size: int, fill: Colour, ground: Colour, style: Style) -> Stamp:
    """Return a line of text as a stamp. It is cached, because names and captions recur in every picture."""
    mask = placed((0, 0), text, size, anchor="ls")[0]
    covered = mask.tobytes()
    inked = Image.frombytes("L", mask.size, covered.translate(_inks(fill, ground, style)))
    return Stamp(inked, Image.frombytes("L", mask.size, covered.translate(_COVERED)))


_COVERED: Final = bytes(255 * (covered >= _SHOWS) for covered in range(256))


@lru_cache(maxsize=512)
def _inks(fill: Colour, ground: Colour, style: Style) -> bytes:
    """Return the palette's nearest colour for each degree, from 0 to 255, to which a letter covers a pixel."""
    start, end = rgb(ground), rgb(fill)
    parts = [round(covered * _STEPS / 255) / _STEPS for covered in range(256)]
    edge = bytes(round(a + (b - a) * part) for part in parts for a, b in zip(start, end, strict=True))
    return nearest(Image.frombytes("RGB", (256, 1), edge), style).tobytes()


@once(8 * MEGABYTE)
def empty_table(width: int, height: int, style: Style) -> Image.Image:
    """Return the bare cloth, with its column of zeros."""
    lines = Image.new("L", (width + 1, height))
    lines.paste(_cloth(height, style).resize((width, height)), (1, 0))
    return lines


@once(MEGABYTE)
def _cloth(height: int, style: Style) -> Image.Image:
    """Return one column of cloth, lightest in the middle. Each line has a single shade, so it takes few bytes."""
    shades = shades_of_felt(style)
    far = (abs(2 * (y + 0.5) / height - 1) for y in range(height))
    darker: list[int] = [round(distance**_FALL * (len(shades) - 1)) for distance in far]
    return Image.frombytes("L", (1, height), bytes([shades[step] for step in darker]))


def shade(y: float, height: int, style: Style) -> Colour:
    """Return the colour of the cloth at this line, for a table of this height."""
    index = _cloth(height, style).tobytes()[round(y)]
    return f"#{style.palette_bytes[3 * index : 3 * index + 3].hex()}"


def stamped(
    paint: Callable[[Image.Image], None], size: tuple[int, int], y: int, height: int, style: Style
) -> Stamp:
    """Return what `paint` draws in RGB on a piece of cloth that starts at line `y` of a table of this height."""
    column = _cloth(height, style).crop((0, y, 1, y + size[1]))
    return stamped_on(column.resize(size), paint, style)


def stamped_on(ground: Image.Image, paint: Callable[[Image.Image], None], style: Style) -> Stamp:
    """Return what `paint` draws in RGB on a background of palette indices."""
    coloured = ground.copy()
    coloured.putpalette(style.palette_bytes)
    before = coloured.convert("RGB")
    after = before.copy()
    paint(after)
    bare = unchanged(after, before)
    return Stamp(
        plain_indices(nearest(after, style)), ImageChops.invert(bare).convert("1", dither=Image.Dither.NONE)
    )


def in_few_colours(image: Image.Image, colours: Sequence[Colour], style: Style) -> Image.Image:
    """Convert an RGB image to palette indices, using only the palette's colours nearest to `colours`."""
    few, places = _few(tuple(colours), style)
    numbers = image.quantize(palette=few, dither=Image.Dither.NONE).tobytes()
    return Image.frombytes("L", image.size, numbers.translate(places))


@lru_cache(maxsize=256)
def _few(colours: tuple[Colour, ...], style: Style) -> tuple[Image.Image, bytes]:
    """Return a palette of these colours alone, and the nearest colour of the full palette for each of its indices."""
    flat = bytes(channel for colour in colours for channel in rgb(colour))
    few = Image.new("P", (1, 1))
    few.putpalette(flat + flat[-3:] * (256 - len(colours)))
    places = nearest(Image.frombytes("RGB", (len(colours), 1), flat), style).tobytes()
    return few, places.ljust(256, places[-1:])


def plain_indices(image: Image.Image) -> Image.Image:
    """Return an image in the palette as plain numbers."""
    return Image.frombytes("L", image.size, image.tobytes())
