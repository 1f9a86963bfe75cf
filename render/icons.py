"""Small signs: the eye of who has seen, the dealer's disc, the back that stands for cards in hand."""

from typing import Final

from PIL import Image, ImageDraw

from marriage.cards import UNKNOWN
from render import shapes, words
from render.fonts import font
from render.sprites import Size, card, once
from render.style import Style

_SCALE: Final = 4
_BACK: Final = Size(28, 38, rank=0, pip=0)
_EYE: Final = 40
_DISC: Final = 40


@once
def back(style: Style) -> Image.Image:
    """A tiny card back."""
    return card(UNKNOWN, _BACK, style)


@once
def eye(style: Style) -> Image.Image:
    """An open eye."""
    colours = style.colours
    side = _EYE * _SCALE
    image = Image.new("RGBA", (side, side))
    draw = ImageDraw.Draw(image)
    draw.polygon(shapes.place(shapes.eye(), 0, 0, side - 1), fill=colours.gold)
    for radius, fill in ((0.19, colours.plate), (0.07, colours.gold)):
        low, high = (0.5 - radius) * side, (0.5 + radius) * side
        draw.ellipse((low, low, high, high), fill=fill)
    return image.reduce(_SCALE)


@once
def dealer(style: Style) -> Image.Image:
    """The dealer's disc."""
    colours = style.colours
    side = _DISC * _SCALE
    image = Image.new("RGBA", (side, side))
    draw = ImageDraw.Draw(image)
    draw.ellipse((0, 0, side - 1, side - 1), fill=colours.text, outline=colours.gold, width=3 * _SCALE)
    letter = font(28 * _SCALE)
    cap = letter.getbbox("H", anchor="ls")
    draw.text(
        (side / 2, side / 2 - (cap[1] + cap[3]) / 2),
        words.DEALER_MARK,
        fill=colours.plate,
        font=letter,
        anchor="ms",
    )
    return image.reduce(_SCALE)
