"""Icons and chips: the small signs of a table.

Icons are the eye of a player who has seen, the dealer's disc, the backs of cards in hand, and the direction arrows. Chips
are laid sets drawn as ranks and suits only, so small that the sets of four players fit above a hand.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final, Literal, NamedTuple

from PIL import Image, ImageDraw

from marriage.cards import Cards
from render import words
from render.drawing.cloth import RIM, Canvas, Stamp, in_few_colours, plain_indices, plate, stamped_on
from render.drawing.deck import Looks, to_palette
from render.drawing.faces import EYE, SUITS, Size, paper_of, place
from render.drawing.memory import MEGABYTE, once
from render.drawing.text import font
from render.style import Colour, Style, index_of, mix

_SCALE: Final = 4
_BACK: Final = (24, 34)
_BACK_STEP: Final = 10
_EYE: Final = 40
_DISC: Final = 40
_ARROW: Final = (130, 100)


@once(MEGABYTE)
def hand(style: Style) -> Image.Image:
    """Draw two small backs next to each other: cards held in hand."""
    width, height, step = (side * _SCALE for side in (*_BACK, _BACK_STEP))
    image = Image.new("RGBA", (width + step, height))
    draw = ImageDraw.Draw(image)
    colours = style.colours
    for left, pack in ((step, 1), (0, 0)):
        box = (left, 0, left + width - 1, height - 1)
        draw.rounded_rectangle(
            box, 4 * _SCALE, fill=colours.backs[pack], outline=colours.text, width=2 * _SCALE
        )
    return image.reduce(_SCALE)


@once(MEGABYTE)
def eye(style: Style) -> Image.Image:
    """Draw an open eye."""
    colours = style.colours
    side = _EYE * _SCALE
    image = Image.new("RGBA", (side, side))
    draw = ImageDraw.Draw(image)
    draw.polygon(place(EYE, 0, 0, side - 1), fill=colours.gold)
    for radius, fill in ((0.19, colours.plate), (0.07, colours.gold)):
        low, high = (0.5 - radius) * side, (0.5 + radius) * side
        draw.ellipse((low, low, high, high), fill=fill)
    return image.reduce(_SCALE)


@once(MEGABYTE)
def dealer(style: Style) -> Image.Image:
    """Draw the dealer's disc."""
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


@once(MEGABYTE)
def arrow(style: Style, *, reverse: bool) -> Image.Image:
    """Draw a quarter of a circle in the lower left corner, with its head at the upper end, or at the lower one if reversed."""
    width, height = _ARROW[0] * _SCALE, _ARROW[1] * _SCALE
    colour = mix(style.colours.felt, style.colours.muted, 0.6)
    image = Image.new("RGBA", (width, height))
    draw = ImageDraw.Draw(image)
    head = 15 * _SCALE
    thick = 5 * _SCALE
    left, bottom = head, height - head
    box = (left, 2 * head - bottom, 2 * (width - head) - left, bottom)
    draw.arc(box, 90, 180, fill=colour, width=thick)
    if reverse:
        tip, y = width, bottom - thick / 2
        draw.polygon(((tip, y), (tip - 1.7 * head, y - head), (tip - 1.7 * head, y + head)), fill=colour)
    else:
        tip, x = 0, left + thick / 2
        draw.polygon(((x, tip), (x - head, tip + 1.7 * head), (x + head, tip + 1.7 * head)), fill=colour)
    return image.reduce(_SCALE)


def outline(canvas: Image.Image, x: int, y: int, size: Size, style: Style) -> None:
    """Draw an empty place for cards."""
    colour = mix(style.colours.felt, style.colours.muted, 0.35)
    box = (x, y, x + size.width - 1, y + size.height - 1)
    ImageDraw.Draw(canvas).rounded_rectangle(box, size.radius, outline=colour, width=3)


IconName = Literal["hand", "eye", "dealer"]
_ICONS: Final = {"hand": hand, "eye": eye, "dealer": dealer}


def put_icon(canvas: Canvas, name: IconName, x: float, middle: float, style: Style) -> int:
    """Draw an icon with its left edge at `x` on a plate; returns its width."""
    stamp = icon(name, style)
    canvas.put(stamp, round(x), round(middle - stamp.image.height / 2))
    return stamp.image.width


@once(MEGABYTE)
def icon(name: IconName, style: Style) -> Stamp:
    """Draw an icon on a plate."""
    sprite = _ICONS[name](style)
    ground = Image.new("L", sprite.size, index_of(style.colours.plate, style))
    return stamped_on(ground, lambda canvas: canvas.paste(sprite, (0, 0), sprite), style)


@once(4 * MEGABYTE)
def plate_on(ground: Colour, width: int, height: int, style: Style, *, lit: bool) -> Image.Image:
    """Draw an empty plate with room for its rim on every side, as palette indices."""
    canvas = Image.new("RGB", (width + 2 * RIM, height + 2 * RIM), ground)
    box = (RIM, RIM, RIM + width, RIM + height)
    plate(canvas, box, style, rim=1 if lit else None)
    return plain_indices(to_palette(canvas, style))


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
    """Draw an empty chip on its plate, with the right edges of its copies below it."""
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
    for shape in SUITS[sign.suit]:
        draw.polygon(place(shape, x, y - side / 2, side), fill=ink)


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
