"""Our own deck: every card is drawn once at its final size, on first use, and cached.

A sprite is an RGBA image with a soft shadow around the card. `on_felt` returns it in the shared palette with
the felt below it. Such sprites are pasted without a mask, so a whole hand takes about a millisecond.

A laid set is a small fan of cards whose left edges show. Several sets flow into lines.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from marriage.cards import UNKNOWN, Card, Cards
from marriage.groups import in_order, wilds_for
from marriage.maal import role
from marriage.view import SeatView
from render.drawing.faces import PLAIN, SCALE, Look, Size, bare, draw_blank, draw_face
from render.drawing.memory import MEGABYTE, once, once_deflated
from render.picture import Ended, Known
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
    """Return the sprite of a card; of its back for UNKNOWN."""
    return _with_shadow(draw_face(face, size, style, look).reduce(SCALE), size, style, lit=look.lit)


@once(12 * MEGABYTE)
def on_felt(face: Card, size: Size, style: Style, look: Look = PLAIN) -> Image.Image:
    """Return the sprite of a card lying on plain felt, in the shared palette."""
    return flatten(card(face, size, style, look), style)


@once(MEGABYTE)
def blank(size: Size, style: Style, look: Look) -> Image.Image:
    """Return the sprite of a card without print, for the space below or above another card."""
    return _with_shadow(draw_blank(size, style, look).reduce(SCALE), size, style, lit=look.lit)


def back(size: Size, style: Style, pack: int = 0) -> Image.Image:
    """Return the sprite of a card's back, in the colour of one of the three packs."""
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


Looks = tuple[Look, ...]
_ACE, _TWO, _KING = 0, 1, 12
_SHOWS: Final = 0.66
"""The visible share of a covered card's width."""
_LONGEST: Final = 4.2
"""The greatest width of a fan, in cards. In longer runs the cards lie closer together."""
_COPY_SHOWS: Final = 0.14
"""The visible share of a covered copy of the same face."""


def looks(cards: Cards, view: Known) -> Looks:
    """Return the look of each card, with its badge if the viewer knows the tiplu."""
    return tuple(look(face, view) for face in cards)


def look(face: Card, view: Known, *, lit: bool = False, mark: int = 0) -> Look:
    """Return the look of one card."""
    known = None if view.tiplu is None else role(face, view.tiplu, view.rules)
    return Look(known, lit, mark)


@once_deflated(4 * MEGABYTE)
def group(cards: Cards, marks: Looks, size: Size, style: Style) -> Image.Image:
    """Draw one group as an RGBA sprite."""
    laid = list(zip(cards, marks, _places(cards, size), strict=True))
    return _laid(laid[::-1] if _is_stack(cards) else laid, size, style)


def group_width(cards: Cards, size: Size) -> int:
    """Return the width of a group's sprite."""
    return max(_places(cards, size)) + size.width + 2 * MARGIN


def fan(cards: Cards, marks: Looks, size: Size, style: Style, step: int) -> Image.Image:
    """Draw cards of a hand as an RGBA sprite, each `step` pixels to the right of the one that it partly covers."""
    places = [number * step for number in range(len(cards))]
    return _laid(list(zip(cards, _in_fan(marks, size, step), places, strict=True)), size, style)


def strips(cards: Cards, marks: Looks, size: Size, style: Style, step: int) -> tuple[Image.Image, ...]:
    """Draw the same on felt, as strips next to each other.

    A strip ends where the next card begins. Apart from its own card it depends only on the blank paper of its
    neighbours, so most other fans contain it as well and it can be cached.
    """
    shown = _in_fan(marks, size, step)
    papers = [None, *map(bare, shown), None]
    return tuple(
        _strip(face, mark, size, style, step, papers[number], papers[number + 2])
        for number, (face, mark) in enumerate(zip(cards, shown, strict=True))
    )


def _in_fan(marks: Looks, size: Size, step: int) -> Looks:
    """Return the looks for cards of which each but the last shows `step` pixels."""
    return (*(mark._replace(shows=step / size.width) for mark in marks[:-1]), *marks[-1:])


@once(24 * MEGABYTE)
def _strip(
    face: Card, mark: Look, size: Size, style: Style, step: int, before: Look | None, after: Look | None
) -> Image.Image:
    """Draw a card of a fan from its left edge to that of the next one, above the previous card and below the next one's shadow."""
    height = size.height + 2 * MARGIN
    right = size.width + 2 * MARGIN if after is None else step + MARGIN
    whole = Image.new("RGBA", (right, height))
    if before is not None:
        whole.alpha_composite(blank(size, style, before), (0, 0), (step, 0))
    whole.alpha_composite(card(face, size, style, mark), (0, 0), (0, 0, right, height))
    if after is not None:
        whole.alpha_composite(blank(size, style, after), (step, 0), (0, 0, MARGIN, height))
    return flatten(whole.crop((0 if before is None else MARGIN, 0, right, height)), style)


def _laid(laid: Sequence[tuple[Card, Look, int]], size: Size, style: Style) -> Image.Image:
    """Draw cards at their places, each on top of the one before."""
    right = max(x for _, _, x in laid)
    whole = Image.new("RGBA", (right + size.width + 2 * MARGIN, size.height + 2 * MARGIN))
    for face, mark, x in laid:
        whole.alpha_composite(card(face, size, style, mark), (x, 0))
    return whole


def _places(cards: Cards, size: Size) -> list[int]:
    shows = _COPY_SHOWS if _is_stack(cards) else min(_SHOWS, _LONGEST / len(cards))
    step = int(size.width * shows)
    return [number * step for number in range(len(cards))]


def _is_stack(cards: Cards) -> bool:
    """Return whether the cards are copies of one face.

    They form a stack, with the first on top and the others' edges at its right.
    """
    return len(set(cards)) == 1


def flow(widths: Sequence[int], most: int, gap: int) -> list[list[int]]:
    """Break items of these widths into lines of at most `most` pixels; returns their indices line by line."""
    lines: list[list[int]] = [[]] if widths else []
    x = 0
    for index, width in enumerate(widths):
        if lines[-1] and x + width > most:
            lines.append([])
            x = 0
        lines[-1].append(index)
        x += width + gap
    return lines


def balanced(widths: Sequence[int], most: int, gap: int) -> list[list[int]]:
    """Do the same with equally few lines, all of about the same length."""
    lines = flow(widths, most, gap)
    for narrower in range(most, 0, -10):
        tried = flow(widths, narrower, gap)
        if len(tried) > len(lines):
            break
        lines = tried
    return lines


def open_groups(seat: SeatView) -> tuple[Cards, ...]:
    """Return the laid groups of a seat without its exposed tunnelas."""
    return tuple(ace_high(laid) for laid in seat.laid if not _is_exposed(laid, seat))


def ace_high(cards: Cards) -> Cards:
    """Return the group with its ace at the end if it belongs there (Q K A), because sorted cards have it first."""
    ranks = [card.rank for card in cards if card.is_pack]
    if _ACE in ranks and _KING in ranks and _TWO not in ranks:
        return tuple(sorted(cards, key=lambda card: card.is_pack and card.rank == _ACE))
    return cards


def finish_of(end: Ended) -> tuple[Cards, ...]:
    """Return the sets of the winner in reading order."""
    wilds = wilds_for(end.tiplu, end.rules)
    return tuple(ace_high(in_order(cards, wilds)) for cards in end.finish)


def tunnelas(seat: SeatView) -> tuple[Cards, ...]:
    """Return the exposed tunnelas of a seat as groups of three."""
    return tuple((face,) * 3 for face in seat.exposed)


def _is_exposed(laid: Cards, seat: SeatView) -> bool:
    return len(laid) == 3 and laid[0] in seat.exposed and len(set(laid)) == 1
