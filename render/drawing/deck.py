"""Our own deck: every card is drawn once at its final size, on first use, and cached.

A sprite is an RGBA image with a soft shadow around the card. `on_felt` returns it in the shared palette with
the felt below it. Such sprites are pasted without a mask, so a whole hand takes about a millisecond.
"""

from collections.abc import Iterator
from itertools import product
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from marriage.cards import UNKNOWN, Card
from render.drawing.faces import PLAIN, SCALE, Look, Size, draw_blank, draw_face
from render.drawing.memory import MEGABYTE, once, once_deflated
from render.style import FELT, Style, indices, rgb

MARGIN: Final = 4
"""The room for the shadow on every side of a sprite."""

_TILE: Final = (256, 64)

BIG: Final = Size(95, 129, rank=65, pip=60, corner=31, badge=30)
LARGE: Final = Size(120, 139, rank=80, pip=68, corner=37, badge=40)
"""Lower than real cards, so that five rows still fit on a screen."""
MEDIUM: Final = Size(108, 146, rank=72, pip=66, corner=36, badge=34)
CENTRAL: Final = Size(130, 176, rank=88, pip=82, corner=43, badge=42)
PEEKING: Final = Size(130, 176, rank=72, corner=50)
"""The same scale, for a card that another one covers for the most part."""
SMALL: Final = Size(78, 104, rank=52, corner=38)
ASIDE: Final = Size(67, 90, rank=45, corner=33)
"""Small cards next to those of a hand."""
TINY: Final = Size(58, 78, rank=40, corner=29)


@once_deflated(8 * MEGABYTE)
def card(face: Card, size: Size, style: Style, look: Look = PLAIN) -> Image.Image:
    """The sprite of a card; of its back for UNKNOWN."""
    return _with_shadow(draw_face(face, size, style, look).reduce(SCALE), size, style, lit=look.lit)


@once(12 * MEGABYTE)
def on_felt(face: Card, size: Size, style: Style, look: Look = PLAIN) -> Image.Image:
    """The sprite of a card lying on plain felt, in the shared palette."""
    return flatten(card(face, size, style, look), style)


@once(MEGABYTE)
def blank(size: Size, style: Style, look: Look) -> Image.Image:
    """Return the sprite of a card without print, for the space below or above another card."""
    return _with_shadow(draw_blank(size, style, look).reduce(SCALE), size, style, lit=look.lit)


def back(size: Size, style: Style, pack: int = 0) -> Image.Image:
    """The sprite of a card's back, in the colour of one of the three packs."""
    return card(UNKNOWN, size, style, Look(pack=pack))


def flatten(sprite: Image.Image, style: Style) -> Image.Image:
    """Lay any RGBA image on plain felt, in the shared palette."""
    felt = Image.new("RGBA", sprite.size, style.colours.felt)
    return to_palette(Image.alpha_composite(felt, sprite), style)


def to_palette(image: Image.Image, style: Style) -> Image.Image:
    """Convert the image to the shared palette.

    Plain felt stays plain, and areas of one colour are converted at once.
    """
    image = image if image.mode == "RGB" else image.convert("RGB")
    done = Image.new("P", image.size, FELT)
    done.putpalette(style.palette_bytes)
    small = image.width <= _TILE[0]
    # Pillow has a fixed cost for every piece, which is as high as the cost of a small piece itself.
    for box in ((0, 0, *image.size),) if small else tiles(*image.size):
        tile = image.crop(box)
        flat = tile.getcolors(1)
        index = None if flat is None else indices(style).get(flat[0][1])
        if index is None:
            drawn = nearest(tile, style)
            drawn.paste(FELT, (0, 0), unchanged(tile, Image.new("RGB", tile.size, style.colours.felt)))
            done.paste(drawn, box)
        elif index != FELT:
            done.paste(index, box)
    return done


def tiles(width: int, height: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the boxes of a picture's tiles, of a cache-friendly size. Many turn out to be bare."""
    for top, left in product(range(0, height, _TILE[1]), range(0, width, _TILE[0])):
        yield left, top, min(width, left + _TILE[0]), min(height, top + _TILE[1])


def nearest(image: Image.Image, style: Style) -> Image.Image:
    """Convert an RGB image to the shared palette without dithering, so that flat areas stay flat.

    Pillow looks for the nearest colour on a coarse grid, so a colour of the palette itself may become its
    neighbour.
    """
    return image.quantize(palette=style.palette, dither=Image.Dither.NONE)


def unchanged(image: Image.Image, former: Image.Image) -> Image.Image:
    """Return a mask of the pixels that look the same in both RGB images."""
    return ImageChops.difference(image, former).convert("L").point([255] + 255 * [0])


def _with_shadow(face: Image.Image, size: Size, style: Style, *, lit: bool) -> Image.Image:
    """Return the card with a soft shadow below it, or with a golden glow around it."""
    sprite = _shadow(size, style, lit).copy()
    sprite.alpha_composite(face, (MARGIN, MARGIN))
    return sprite


@once(MEGABYTE)
def _shadow(size: Size, style: Style, lit: bool) -> Image.Image:  # noqa: FBT001 (a key of the cache)
    """Return the shadow or the glow without its card."""
    whole = (size.width + 2 * MARGIN, size.height + 2 * MARGIN)
    grow, drop, strength = (2, 0, 255) if lit else (0, 2, 230)
    box = (
        MARGIN - grow,
        MARGIN - grow + drop,
        whole[0] - MARGIN - 1 + grow,
        whole[1] - MARGIN - 1 + grow + drop,
    )
    glow = Image.new("L", whole)
    ImageDraw.Draw(glow).rounded_rectangle(box, size.radius + grow, fill=strength)
    sprite = Image.new("RGBA", whole, (*rgb(style.colours.gold if lit else style.colours.shadow), 0))
    sprite.putalpha(glow.filter(ImageFilter.GaussianBlur(0.8 if lit else 1.8)))
    return sprite
