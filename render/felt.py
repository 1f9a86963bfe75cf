"""The ground of the larger pictures: a felt in a wooden rail, and plates on it. Composed in RGB, then put in palette."""

from typing import Final

from PIL import Image, ImageChops, ImageDraw

from render.deck import once, to_palette
from render.style import Style, mix, rgb

_SCALE: Final = 3
_RIM: Final = 7
"""How far the rim of a plate reaches beyond it."""
_INLAY: Final = 34
Box = tuple[float, float, float, float]


@once(8)
def _table(width: int, height: int, style: Style) -> Image.Image:
    colours = style.colours
    image = Image.new("RGB", (width, height), colours.room)
    rail = 16
    image.paste(rgb(colours.rail), (0, 0), _rounded(width, height, 0, 110))
    image.paste(rgb(colours.rail_light), (0, 0), _rounded(width, height, 4, 106))
    image.paste(rgb(colours.rail), (0, 0), _rounded(width, height, 8, 102))
    image.paste(rgb(colours.felt_dark), (0, 0), _rounded(width, height, rail - 2, 96))
    light = Image.radial_gradient("L").resize((width, height), Image.Resampling.BICUBIC)
    felt = Image.composite(
        Image.new("RGB", image.size, colours.felt_dark),
        Image.new("RGB", image.size, colours.felt_light),
        light,
    )
    image.paste(felt, (0, 0), _rounded(width, height, rail, 94))
    inlay = ImageChops.subtract(_rounded(width, height, _INLAY, 78), _rounded(width, height, _INLAY + 2, 76))
    image.paste(rgb(mix(colours.felt, colours.muted, 0.3)), (0, 0), inlay)
    return image


def table(width: int, height: int, style: Style) -> Image.Image:
    """A fresh canvas: the felt seen from above, lit in the middle."""
    return _table(width, height, style).copy()


def plain(width: int, height: int, style: Style) -> Image.Image:
    """A fresh canvas of flat felt."""
    return Image.new("RGB", (width, height), style.colours.felt)


def plate(
    canvas: Image.Image, box: Box, style: Style, *, rim: float | None = None, radius: float = 18
) -> None:
    """A dark rounded plate; where `rim` is given, that part of its golden rim shines (0 to 1) and the rest is dim."""
    left, top, right, bottom = (round(v) for v in box)
    image = _plate(right - left, bottom - top, style, rim, radius)
    canvas.paste(image, (left - _RIM, top - _RIM), image)


@once(64)
def _plate(width: int, height: int, style: Style, rim: float | None, radius: float) -> Image.Image:
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
    return ring(0, colours.plate, image).reduce(_SCALE)


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


def in_palette(canvas: Image.Image, style: Style) -> Image.Image:
    """The finished canvas in the shared palette."""
    return to_palette(canvas, style)
