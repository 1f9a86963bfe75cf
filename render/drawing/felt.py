"""The background of the larger pictures: felt in a wooden rail, and plates. It is composed in RGB, then quantized."""

from typing import Final

from PIL import Image, ImageChops, ImageDraw

from render.drawing.deck import nearest, once, tiles, to_palette, unchanged
from render.style import Colour, Style, mix, rgb, shades_of_felt

_SCALE: Final = 3
_RIM: Final = 6
"""How far the rim of a plate reaches beyond it."""
_RAIL: Final = 16
_INLAY: Final = 34
Box = tuple[float, float, float, float]


@once(8)
def _table(width: int, height: int, style: Style) -> tuple[Image.Image, Image.Image]:
    """The empty table in the palette, and the same in RGB to draw upon."""
    colours = style.colours
    image = Image.new("RGB", (width, height), colours.room)
    image.paste(rgb(colours.rail), (0, 0), _rounded(width, height, 0, 110))
    image.paste(rgb(colours.rail_light), (0, 0), _rounded(width, height, 4, 106))
    image.paste(rgb(colours.rail), (0, 0), _rounded(width, height, 8, 102))
    image.paste(rgb(colours.felt_dark), (0, 0), _rounded(width, height, _RAIL, 94))
    inlay = ImageChops.subtract(_rounded(width, height, _INLAY, 78), _rounded(width, height, _INLAY + 2, 76))
    image.paste(rgb(mix(colours.felt, colours.muted, 0.3)), (0, 0), inlay)
    ground = to_palette(image, style)
    cloth = _rounded(width, height, _RAIL, 94).point(255 * [0] + [255])  # its inner part
    ground.paste(
        _lit_cloth(width, height, style),
        (0, 0),
        ImageChops.subtract(cloth, inlay.point([0] + 255 * [255])),
    )
    return ground, ground.convert("RGB")


def _lit_cloth(width: int, height: int, style: Style) -> Image.Image:
    """Felt that is lightest in the middle, as indices of its shades."""
    shades = shades_of_felt(style)
    far = Image.radial_gradient("L").resize((width, height), Image.Resampling.BICUBIC)
    return far.point([shades[value * (len(shades) - 1) // 255] for value in range(256)])


def table(width: int, height: int, style: Style) -> Image.Image:
    """A fresh canvas: the felt seen from above, lit in the middle."""
    return _table(width, height, style)[1].copy()


def table_in_palette(canvas: Image.Image, style: Style) -> Image.Image:
    """A canvas from `table` with drawings on it, in the shared palette; untouched felt keeps its exact shade."""
    ground, empty = _table(canvas.width, canvas.height, style)
    done = ground.copy()
    for box in tiles(canvas.width, canvas.height):
        tile, former = canvas.crop(box), empty.crop(box)
        if tile.tobytes() != former.tobytes():  # about half of a table is bare
            drawn = nearest(tile, style)
            drawn.paste(ground.crop(box), (0, 0), unchanged(tile, former))
            done.paste(drawn, box)
    return done


def plain(width: int, height: int, style: Style) -> Image.Image:
    """A fresh canvas of flat felt."""
    return Image.new("RGB", (width, height), style.colours.felt)


def plate(
    canvas: Image.Image, box: Box, style: Style, *, rim: float | None = None, radius: float = 18
) -> None:
    """A dark rounded plate; where `rim` is given, that part of its golden rim shines (0 to 1) and the rest is dim."""
    left, top, right, bottom = (round(v) for v in box)
    colours = style.colours
    if rim is not None and rim < 1:
        size = (right - left + 2 * _RIM, bottom - top + 2 * _RIM)
        image, mask = _clock(*size, style, rim, round(radius) + _RIM)
        canvas.paste(image, (left - _RIM, top - _RIM), mask)
    elif rim is not None:
        outer = (left - _RIM, top - _RIM, right + _RIM, bottom + _RIM)
        _fill(canvas, outer, colours.gold, round(radius) + _RIM)
    _fill(canvas, (left, top, right, bottom), colours.plate, round(radius))


def _fill(canvas: Image.Image, box: tuple[int, int, int, int], colour: Colour, radius: int) -> None:
    """A rounded rectangle up to, not including, its right and bottom edge. Only its corners need a mask."""
    left, top, right, bottom = box
    canvas.paste(colour, (left + radius, top, right - radius, bottom))
    for x, corners in ((left, _corners(radius)[:2]), (right - radius, _corners(radius)[2:])):
        canvas.paste(colour, (x, top + radius, x + radius, bottom - radius))
        for y, corner in zip((top, bottom - radius), corners, strict=True):
            canvas.paste(colour, (x, y), corner)


@once(16)
def _corners(radius: int) -> tuple[Image.Image, ...]:
    """Masks of the four corners: upper left, lower left, upper right, lower right."""
    whole = _rounded(2 * radius, 2 * radius, 0, radius)
    places = ((0, 0), (0, radius), (radius, 0), (radius, radius))
    return tuple(whole.crop((x, y, x + radius, y + radius)) for x, y in places)


@once(64)
def _clock(
    width: int, height: int, style: Style, part: float, radius: int
) -> tuple[Image.Image, Image.Image]:
    """A rim of which a part shines, in RGB, and its mask: apart, for they are needed as they are."""
    colours = style.colours
    mask = _rounded(width, height, 0, radius)
    image = Image.new("RGB", mask.size, mix(colours.felt, colours.gold, 0.35))
    image.paste(colours.gold, (0, 0), _sector((width * _SCALE, height * _SCALE), part).reduce(_SCALE))
    return image, mask


def _sector(size: tuple[int, int], part: float) -> Image.Image:
    """A mask of what is left of a clock's face: from its hand, which goes round from the top, on to the top."""
    width, height = size
    reach = width
    mask = Image.new("L", size)
    box = (width / 2 - reach, height / 2 - reach, width / 2 + reach, height / 2 + reach)
    ImageDraw.Draw(mask).pieslice(box, 270 - 360 * part, 270, fill=255)
    return mask


def _rounded(width: int, height: int, inset: int, radius: int) -> Image.Image:
    mask = Image.new("L", (width * _SCALE, height * _SCALE))
    box = (inset, inset, width - 1 - inset, height - 1 - inset)
    ImageDraw.Draw(mask).rounded_rectangle([v * _SCALE for v in box], radius * _SCALE, fill=255)
    return mask.reduce(_SCALE)
