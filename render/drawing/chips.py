"""Chips: laid sets drawn as ranks and suits only, so small that the sets of four players fit above a hand."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from marriage.cards import Cards
from render import words
from render.drawing import shapes
from render.drawing.card_groups import Looks
from render.drawing.cloth import in_few_colours
from render.drawing.faces import paper_of
from render.drawing.fonts import font
from render.drawing.memory import MEGABYTE, once
from render.style import Colour, Style, mix

_SCALE: Final = 4
_EDGES: Final = (1 / 3, 2 / 3)
"""The shades between paper and ink."""
_RED: Final = 1
"""The suit whose colour is used for a special card's word."""
# The measures below are fractions of the font size.
_PAD: Final = 0.2
_GAP: Final = 0.18
_SUIT: Final = 0.62
_HEIGHT: Final = 1.24
_EDGE: Final = 0.17
"""The visible part of each copy below the one above it."""


class _Sign(NamedTuple):
    """A rank or a word in the colour of a suit; the suit itself if there is no text."""

    text: str
    suit: int
    paper: Colour

    def width(self, size: int) -> float:
        """Return its width at this font size."""
        return _length(self.text, size) if self.text else _SUIT * size


@once(2 * MEGABYTE)
def chip(cards: Cards, marks: Looks, size: int, style: Style) -> Image.Image:
    """Draw a set or a suit on a plate as palette indices, with text `size` pixels high and the ranks of wild cards tinted.

    Copies of one face form a stack.
    """
    copies = len(cards) - 1 if len(set(cards)) == 1 else 0
    papers = [paper_of(mark.role, style) for mark in marks]
    signs = _signs(cards[:1] if copies else cards, papers, style)
    big = size * _SCALE
    steps = [sign.width(big) + _GAP * big for sign in signs]
    wide = sum(steps) + (2 * _PAD - _GAP) * big
    sprite = _paper(wide, copies, size, style)
    draw = ImageDraw.Draw(sprite)
    for sign, step, x in zip(signs, steps, accumulate(steps[:-1], initial=_PAD * big), strict=True):
        if sign.paper != style.colours.paper:
            inset = 0 if copies else _SCALE
            box = (x - _GAP * big / 2, inset, x - _GAP * big / 2 + step, sprite.height - 1 - inset)
            draw.rectangle(box, sign.paper)
        _draw_sign(draw, sign, (x, sprite.height / 2), big, style)
    return in_few_colours(sprite.reduce(_SCALE), _colours(signs, style), style)


def _colours(signs: tuple[_Sign, ...], style: Style) -> tuple[Colour, ...]:
    """Return all colours of a chip. There are few, because every shade more takes bytes."""
    colours = style.colours
    inks = dict.fromkeys(colours.inks[sign.suit] for sign in signs)
    papers = dict.fromkeys((colours.paper, *(sign.paper for sign in signs)))
    edges = (mix(paper, ink, part) for paper in papers for ink in inks for part in _EDGES)
    return (colours.plate, *papers, colours.paper_edge, mix(colours.plate, colours.paper, 0.5), *inks, *edges)


def chip_height(size: int) -> int:
    """Return the height of a chip."""
    return round(_HEIGHT * size)


def _paper(wide: float, copies: int, size: int, style: Style) -> Image.Image:
    """An empty chip on its plate, with the right edges of its copies below it."""
    big = size * _SCALE
    whole = (round(wide + copies * _EDGE * big), chip_height(size) * _SCALE)
    image = Image.new("RGB", whole, style.colours.plate)
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
    """Draw a sign to the right of `x`, centred on the line `y`."""
    x, y = at
    ink = style.colours.inks[sign.suit]
    if sign.text:
        mask, left, top = _letters(sign.text, big)
        draw.bitmap((round(x) + left, round(y - _capital(big) / 2) + top), mask, fill=ink)
        return
    side = _SUIT * big
    for shape in shapes.SUITS[sign.suit]:
        draw.polygon(shapes.place(shape, x, y - side / 2, side), fill=ink)


@lru_cache(maxsize=256)
def _length(text: str, size: int) -> float:
    return font(size).getlength(text)


@lru_cache(maxsize=16)
def _capital(size: int) -> float:
    """Return the top of a capital relative to the baseline: a negative number."""
    return font(size).getbbox("H", anchor="ls")[1]


@lru_cache(maxsize=128)
def _letters(text: str, size: int) -> tuple[Image.Image, int, int]:
    """Return a rank or a word as a mask, and the offset of its corner from the start of the baseline."""
    left, top, right, bottom = (round(edge) for edge in font(size).getbbox(text, anchor="ls"))
    mask = Image.new("L", (right - left, bottom - top))
    ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=font(size), anchor="ls")
    return mask, left, top


def _signs(cards: Cards, papers: Sequence[Colour], style: Style) -> tuple[_Sign, ...]:
    """Return the ranks of one suit and then the suit, or one rank and then its suits, or card by card."""
    ranks = [
        _Sign(words.RANKS[card.rank], card.suit, paper) if card.is_pack else _Sign(str(card), _RED, paper)
        for card, paper in zip(cards, papers, strict=False)
    ]
    plain = style.colours.paper
    suits = [_Sign("", card.suit, plain) for card in cards if card.is_pack]
    if len(suits) == len(cards) and len({card.suit for card in cards}) == 1:
        return (*ranks, suits[0])
    if len(suits) == len(cards) and len({card.rank for card in cards}) == 1:
        return (ranks[0], *suits)
    left = iter(suits)
    return tuple(
        sign
        for card, rank in zip(cards, ranks, strict=True)
        for sign in ((rank, next(left)) if card.is_pack else (rank,))
    )
