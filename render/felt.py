"""The ground of the larger pictures: a felt in a wooden rail, and plates on it. Composed in RGB, then put in palette."""

from collections.abc import Iterator
from itertools import product
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from render.deck import nearest, once, to_palette, unchanged
from render.style import Style, mix, rgb, shades_of_felt

_SCALE: Final = 3
_RIM: Final = 7
"""How far the rim of a plate reaches beyond it."""
_RAIL: Final = 16
_INLAY: Final = 34
_TILE: Final = 160
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
    """Such a canvas, drawn upon, in the shared palette; what nothing was drawn upon keeps its very shade."""
    ground, empty = _table(canvas.width, canvas.height, style)
    done = ground.copy()
    for box in _tiles(canvas.width, canvas.height):
        tile, former = canvas.crop(box), empty.crop(box)
        if tile.tobytes() != former.tobytes():  # about half of a table is bare
            drawn = nearest(tile, style)
            drawn.paste(ground.crop(box), (0, 0), unchanged(tile, former))
            done.paste(drawn, box)
    return done


def _tiles(width: int, height: int) -> Iterator[tuple[int, int, int, int]]:
    for top, left in product(range(0, height, _TILE), range(0, width, _TILE)):
        yield left, top, min(width, left + _TILE), min(height, top + _TILE)


def plain(width: int, height: int, style: Style) -> Image.Image:
    """A fresh canvas of flat felt."""
    return Image.new("RGB", (width, height), style.colours.felt)


def plate(
    canvas: Image.Image, box: Box, style: Style, *, rim: float | None = None, radius: float = 18
) -> None:
    """A dark rounded plate; where `rim` is given, that part of its golden rim shines (0 to 1) and the rest is dim."""
    left, top, right, bottom = (round(v) for v in box)
    image, mask = _plate(right - left, bottom - top, style, rim, radius)
    canvas.paste(image, (left - _RIM, top - _RIM), mask)


@once(64)
def _plate(
    width: int, height: int, style: Style, rim: float | None, radius: float
) -> tuple[Image.Image, Image.Image]:
    """A plate in RGB, and its mask: apart, for they are large and needed as they are."""
    colours = style.colours
    whole = ((width + 2 * _RIM) * _SCALE, (height + 2 * _RIM) * _SCALE)
    image = Image.new("RGBA", whole, (*rgb(colours.plate), 0))

    def ring(grow: float, fill: str, upon: Image.Image) -> Image.Image:
        low, wide, tall = _RIM - grow, width + _RIM - 1 + grow, height + _RIM - 1 + grow
        box = tuple(v * _SCALE for v in (low, low, wide, tall))
        ImageDraw.Draw(upon).rounded_rectangle(box, (radius + grow) * _SCALE, fill=(*rgb(fill), 255))
        return upon

    if rim is not None:
        ring(_RIM - 1, mix(colours.felt, colours.gold, 0.35), image)
        bright = ring(_RIM - 1, colours.gold, image.copy())
        image.paste(bright, (0, 0), _sector(whole, rim))
    done = ring(0, colours.plate, image).reduce(_SCALE)
    return done.convert("RGB"), done.getchannel("A")


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
