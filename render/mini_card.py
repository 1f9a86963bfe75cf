"""A card as a small square picture, for the emojis that name cards in chat, with the largest possible rank and suit.

Discord shows an emoji 20 to 22 pixels high in text and on buttons, and 44 in a message of emojis alone. So it
has only the rank, the suit and the paper, on a card that is as wide as high.
"""

from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from marriage.cards import MASTER, UNKNOWN, Card
from render import words
from render.drawing.faces import HEIGHT, LAKHE, PEAK, SUITS, WIDTH, place, rank_mask
from render.style import DEFAULT, Colour, mix

DRAWING: Final = 1
"""The version of this drawing. Increase it whenever the pictures change, so that emojis of lower versions are replaced."""
SIDE: Final = 128
_SCALE: Final = 4
_LARGE: Final = SIDE * _SCALE
_RADIUS: Final = 0.14
_RANK: Final = 0.55
_WIDEST: Final = 0.47
_TEN_WIDEST: Final = 0.56
_SUIT: Final = 0.47
_RIM: Final = 0.075
"""The margin of paper around the suit, which separates it from a wide rank at 20 pixels."""
_EDGE: Final = 0.05


def mini_card(face: Card) -> bytes:
    """Draw the card as a square PNG file with round, transparent corners; its back for UNKNOWN."""
    image = Image.new("RGBA", (_LARGE, _LARGE), DEFAULT.colours.paper)
    draw = ImageDraw.Draw(image)
    if face == UNKNOWN:
        _back(draw)
    elif face.is_pack:
        _rank_and_suit(draw, face)
    else:
        _figure(draw, face)
    _cut_out(image)
    stream = BytesIO()
    image.reduce(_SCALE).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _rank_and_suit(draw: ImageDraw.ImageDraw, face: Card) -> None:
    """Draw the rank at the upper left, and the suit at the lower right with a margin around it."""
    ink, rank = DEFAULT.colours.inks[face.suit], words.RANKS[face.rank]
    mask = rank_mask(rank, _LARGE)
    mask = mask.crop(mask.getbbox())
    height = round(_RANK * _LARGE)
    widest = (_TEN_WIDEST if len(rank) > 1 else _WIDEST) * _LARGE
    mask = mask.resize((round(min(widest, mask.width * height / mask.height)), height))
    draw.bitmap((round(1.6 * _EDGE * _LARGE), round(1.4 * _EDGE * _LARGE)), mask, fill=ink)
    side = _SUIT * _LARGE
    corner = _LARGE * (1 - _EDGE) - side
    outlines = [place(shape, corner, corner, side) for shape in SUITS[face.suit]]
    for points in outlines:
        rim = [*points, *points[:2]]
        draw.line(rim, fill=DEFAULT.colours.paper, width=round(_RIM * _LARGE), joint="curve")
    for points in outlines:
        draw.polygon(points, fill=ink)


def _figure(draw: ImageDraw.ImageDraw, face: Card) -> None:
    """Draw the Lakhe of the man card, or the mountain of the master, over the whole card."""
    parts = PEAK if face == MASTER else LAKHE
    colours = DEFAULT.colours
    tints = {**colours.tints, "ink": colours.inks[1], "paper": colours.paper}
    width = 0.8 * _LARGE
    left, top = (_LARGE - width) / 2, _LARGE - width * HEIGHT / WIDTH
    for part in parts:
        points = place(part.shape, left, top, width)
        if part.rim:
            line = [*points, points[0], points[1]]
            draw.line(line, fill=colours.paper, width=round(part.rim * width / 50), joint="curve")
        draw.polygon(points, fill=tints[part.tint])


def _back(draw: ImageDraw.ImageDraw) -> None:
    """Draw four diamonds of the pattern on the back of the cards, in a frame."""
    colours = DEFAULT.colours
    ground, thread = colours.backs[0], mix(colours.backs[0], colours.back_line, 0.6)
    inset = 0.08 * _LARGE
    draw.rounded_rectangle((inset, inset, _LARGE - inset, _LARGE - inset), 0.09 * _LARGE, fill=ground)
    for x in (0.31, 0.69):
        for y in (0.31, 0.69):
            for half, fill in ((0.17, thread), (0.09, ground), (0.04, colours.back_line)):
                _lozenge(draw, x * _LARGE, y * _LARGE, half * _LARGE, fill)


def _lozenge(draw: ImageDraw.ImageDraw, x: float, y: float, half: float, fill: Colour) -> None:
    draw.polygon(((x, y - half), (x + half, y), (x, y + half), (x - half, y)), fill=fill)


def _cut_out(image: Image.Image) -> None:
    """Cut round corners, and draw the edge of the paper."""
    box, radius = (0, 0, _LARGE - 1, _LARGE - 1), _RADIUS * _LARGE
    mask = Image.new("L", image.size)
    ImageDraw.Draw(mask).rounded_rectangle(box, radius, fill=255)
    image.putalpha(mask)
    edge = DEFAULT.colours.paper_edge
    ImageDraw.Draw(image).rounded_rectangle(box, radius, outline=edge, width=3 * _SCALE)
