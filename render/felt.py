"""The ground of the larger pictures: a felt in a wooden rail, and plates on it. Composed in RGB, then put in palette."""

from typing import Final

from PIL import Image, ImageDraw

from render.sprites import once, to_palette
from render.style import Style, mix, rgb

_SCALE: Final = 3
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
    return image


def table(width: int, height: int, style: Style) -> Image.Image:
    """A fresh canvas: the felt seen from above, lit in the middle."""
    return _table(width, height, style).copy()


def plain(width: int, height: int, style: Style) -> Image.Image:
    """A fresh canvas of flat felt."""
    return Image.new("RGB", (width, height), style.colours.felt)


def plate(canvas: Image.Image, box: Box, style: Style, *, lit: bool = False, radius: float = 18) -> None:
    """A dark rounded plate; with a golden rim where `lit`."""
    left, top, right, bottom = (round(v) for v in box)
    image = _plate(right - left, bottom - top, style, lit, radius)
    canvas.paste(image, (left - 6, top - 6), image)


@once(64)
def _plate(width: int, height: int, style: Style, lit: bool, radius: float) -> Image.Image:  # noqa: FBT001
    colours = style.colours
    whole = (width + 12, height + 12)
    image = Image.new("RGBA", (whole[0] * _SCALE, whole[1] * _SCALE), (*rgb(colours.plate), 0))
    draw = ImageDraw.Draw(image)

    def ring(grow: float, fill: str, alpha: int) -> None:
        box = tuple(v * _SCALE for v in (6 - grow, 6 - grow, width + 5 + grow, height + 5 + grow))
        draw.rounded_rectangle(box, (radius + grow) * _SCALE, fill=(*rgb(fill), alpha))

    if lit:
        ring(5, mix(colours.felt, colours.gold, 0.45), 255)
        ring(3, colours.gold, 255)
    ring(0, colours.plate, 255)
    return image.reduce(_SCALE)


def _rounded(width: int, height: int, inset: int, radius: int) -> Image.Image:
    mask = Image.new("L", (width * _SCALE, height * _SCALE))
    box = (inset, inset, width - 1 - inset, height - 1 - inset)
    ImageDraw.Draw(mask).rounded_rectangle([v * _SCALE for v in box], radius * _SCALE, fill=255)
    return mask.reduce(_SCALE)


def in_palette(canvas: Image.Image, style: Style) -> Image.Image:
    """The finished canvas in the shared palette."""
    return to_palette(canvas, style)
