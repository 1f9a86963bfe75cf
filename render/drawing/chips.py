"""Chips: a laid set in so little room that the sets of four players fit above a hand, as ranks and suits alone."""

from itertools import accumulate
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from marriage.cards import Card, Cards
from render import words
from render.drawing import shapes
from render.drawing.cloth import in_few_colours
from render.drawing.fonts import font
from render.drawing.memory import MEGABYTE, once
from render.style import Colour, Style, mix

_SCALE: Final = 4
_EDGES: Final = (1 / 3, 2 / 3)
"""Shades between paper and ink."""
_RED: Final = 1
"""The suit in whose colour a special card's word is printed."""
# Measures as parts of the font's size.
_PAD: Final = 0.2
_GAP: Final = 0.1
_SUIT: Final = 0.62
_HEIGHT: Final = 1.24
_EDGE: Final = 0.17
"""How much of each copy shows below the one above it."""


class _Sign(NamedTuple):
    """A rank or a word in the colour of a suit; the suit itself where there is no text."""

    text: str
    suit: int

    def width(self, size: int) -> float:
        """How wide it is at this font size."""
        return font(size).getlength(self.text) if self.text else _SUIT * size


@once(2 * MEGABYTE)
def chip(cards: Cards, size: int, style: Style) -> Image.Image:
    """A laid set on a plate as palette indices, its text `size` pixels high. Copies of one face lie in a stack."""
    copies = len(cards) - 1 if len(set(cards)) == 1 else 0
    signs = _signs(cards[:1] if copies else cards)
    big = size * _SCALE
    steps = [sign.width(big) + _GAP * big for sign in signs]
    wide = sum(steps) + (2 * _PAD - _GAP) * big
    sprite = _paper(wide, copies, size, style)
    draw = ImageDraw.Draw(sprite)
    for sign, x in zip(signs, accumulate(steps[:-1], initial=_PAD * big), strict=True):
        _draw_sign(draw, sign, (x, sprite.height / 2), big, style)
    small = sprite.reduce(_SCALE)
    ground = Image.new("RGB", small.size, style.colours.plate)
    ground.paste(small, (0, 0), small)
    return in_few_colours(ground, _colours(signs, style), style)


def _colours(signs: tuple[_Sign, ...], style: Style) -> tuple[Colour, ...]:
    """All colours of a chip: few, since every shade more takes bytes."""
    colours = style.colours
    inks = dict.fromkeys(colours.inks[sign.suit] for sign in signs)
    edges = (mix(colours.paper, ink, part) for ink in inks for part in _EDGES)
    return (
        colours.plate,
        colours.paper,
        colours.paper_edge,
        mix(colours.plate, colours.paper, 0.5),
        *inks,
        *edges,
    )


def chip_height(size: int) -> int:
    """How high a chip is."""
    return round(_HEIGHT * size)


def _paper(wide: float, copies: int, size: int, style: Style) -> Image.Image:
    """An empty chip, with the right edges of its copies below it."""
    big = size * _SCALE
    image = Image.new("RGBA", (round(wide + copies * _EDGE * big), chip_height(size) * _SCALE))
    draw = ImageDraw.Draw(image)
    for copy in reversed(range(copies + 1)):
        left = copy * _EDGE * big
        box = (left, 0, left + wide - 1, image.height - 1)
        colours = style.colours
        edge = _SCALE * bool(copies)
        draw.rounded_rectangle(box, 0.2 * big, colours.paper, colours.paper_edge, edge)
    return image


def _draw_sign(
    draw: ImageDraw.ImageDraw, sign: _Sign, at: tuple[float, float], big: int, style: Style
) -> None:
    """Draw a sign from `x` on, round the line `y`."""
    x, y = at
    ink = style.colours.inks[sign.suit]
    if sign.text:
        top = font(big).getbbox("H", anchor="ls")[1]
        draw.text((x, y - top / 2), sign.text, fill=ink, font=font(big), anchor="ls")
        return
    side = _SUIT * big
    for shape in shapes.SUITS[sign.suit]:
        draw.polygon(shapes.place(shape, x, y - side / 2, side), fill=ink)


def _signs(cards: Cards) -> tuple[_Sign, ...]:
    """The ranks of one suit and then the suit, or one rank and then its suits, or card by card."""
    pack = all(card.is_pack for card in cards)
    if pack and len({card.suit for card in cards}) == 1:
        return (*map(_rank, cards), _Sign("", cards[0].suit))
    if pack and len({card.rank for card in cards}) == 1:
        return (_rank(cards[0]), *(_Sign("", card.suit) for card in cards))
    return tuple(sign for card in cards for sign in _card(card))


def _card(card: Card) -> tuple[_Sign, ...]:
    return (_rank(card), _Sign("", card.suit)) if card.is_pack else (_Sign(str(card), _RED),)


def _rank(card: Card) -> _Sign:
    return _Sign(words.RANKS[card.rank], card.suit)
