"""The print of a card: paper, rank, suit, figure, badge and mark, or a back. It is drawn large and scaled down."""

from functools import lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from marriage.cards import MASTER, UNKNOWN, Card
from marriage.maal import Role
from render import words
from render.drawing import figures, shapes
from render.drawing.fonts import font
from render.style import Colour, Colours, Style, mix

SCALE: Final = 4
"""The scale at which a card is drawn, relative to its displayed size."""
_COURT: Final = 10
_ARROWS: Final = {
    Role.POPLU: ((50, 20), (82, 76), (18, 76)),
    Role.JHIPLU: ((50, 80), (82, 24), (18, 24)),
}
"""The arrows of the cards above and below the tiplu."""
_MAAL: Final = frozenset(set(Role) - {Role.JOKER})
_TEN: Final = 0.78
"""The width of the ten's digits relative to other ranks, so that it takes no more room than a king."""
_Q_TAIL: Final = shapes.outline("M50 62 L68 58 L104 98 L86 104 Z")
_J: Final = shapes.outline(
    "M30 0 L54 0 L54 66 C54 90 41 101.5 22 101.5 C13 101.5 5 99 0 95 L6 76 C10 79.5 14 81 19 81 C27 81 30 76 30 66 Z"
)
"""Our own outlines, because the typeface's tails of J and Q reach into the suit below them."""


class Size(NamedTuple):
    """The measures of one size of card, in pixels of the finished picture. A tuple, because it is often a cache key."""

    width: int
    height: int
    rank: int
    """The rank's font size."""
    pip: int = 0
    """The side of the big suit, which leaves room for a figure; 0 if only the corner is ever visible."""
    corner: int = 0
    """The side of the suit below the rank, used on court cards and if there is no big suit."""
    badge: int = 0
    """The badge's side; 0 for none."""

    @property
    def radius(self) -> float:
        """Return the radius of the rounded corners."""
        return self.width * 0.085


class Look(NamedTuple):
    """The state of one card in its place. A tuple, because it is often a cache key."""

    role: Role | None = None
    """The role for the badge, if the viewer knows the tiplu."""
    lit: bool = False
    """Whether the card is highlighted because it was just drawn."""
    mark: int = 0
    """The number of the set that it belongs to; 0 for none."""
    shows: float = 1
    """The visible share of its width, if another card covers its right edge. The print moves to the left."""
    pack: int = 0
    """The pack that a back belongs to."""


PLAIN: Final = Look()


def paper_of(role: Role | None, style: Style) -> Colour:
    """Return the colour of a card's paper. Maal and other jokers have their own."""
    colours = style.colours
    return colours.rich if role in _MAAL else colours.wild if role is Role.JOKER else colours.paper


def draw_face(face: Card, size: Size, style: Style, look: Look) -> Image.Image:
    """Draw the card without its shadow, `SCALE` times as large as displayed."""
    return _Face(face, size, style, look).drawn()


def bare(look: Look) -> Look:
    """Return the look of the paper alone. All maal cards have the same."""
    role = Role.TIPLU if look.role in _MAAL else look.role
    return Look(role, look.lit)


def draw_blank(size: Size, style: Style, look: Look) -> Image.Image:
    """Draw a card without print, as large as `draw_face` draws it."""
    return _Face(UNKNOWN, size, style, look).blank()


class _Face:
    """A card in progress. All measures are in pixels of the large image."""

    def __init__(self, face: Card, size: Size, style: Style, look: Look) -> None:
        self.face, self.size, self.look = face, size, look
        self.colours: Colours = style.colours
        self.width, self.height = size.width * SCALE, size.height * SCALE
        self.seen = self.width * look.shows
        self.rank_end = 0.0
        self.rich = look.role in _MAAL
        self.paper: Colour = paper_of(look.role, style)
        self.image = Image.new("RGBA", (self.width, self.height))
        self.draw = ImageDraw.Draw(self.image)

    def drawn(self) -> Image.Image:
        self._rounded(0, self.paper, self.size.radius * SCALE)
        if self.face == UNKNOWN:
            self._back()
        elif self.face.is_pack:
            self._pack_face()
        else:
            self._special_face()
        role = self.look.role
        if self.size.badge and role is not None and (role in words.BADGES or role in _ARROWS):
            self._badge(role)
        if self.size.badge and self.look.mark:
            self._mark(str(self.look.mark))
        return self._trimmed()

    def blank(self) -> Image.Image:
        self._rounded(0, self.paper, self.size.radius * SCALE)
        return self._trimmed()

    def _rounded(
        self, inset: float, fill: Colour | None, radius: float, line: Colour | None = None, width: float = 0
    ) -> None:
        box = (inset, inset, self.width - 1 - inset, self.height - 1 - inset)
        self.draw.rounded_rectangle(box, radius, fill=fill, outline=line, width=round(width))

    def _trimmed(self) -> Image.Image:
        """Cut round corners out of everything drawn, and draw the edge of the paper on top."""
        mask = Image.new("L", self.image.size)
        box = (0, 0, self.width - 1, self.height - 1)
        ImageDraw.Draw(mask).rounded_rectangle(box, self.size.radius * SCALE, fill=255)
        self.image.putalpha(mask)
        golden = self.rich or self.look.lit
        edge = (
            self.colours.gold
            if self.look.lit
            else self.colours.gold_line
            if self.rich
            else self.colours.paper_edge
        )
        width = (1.0 + 0.018 * self.size.width * golden) * SCALE
        self._rounded(0, None, self.size.radius * SCALE, edge, width)
        return self.image

    def _pack_face(self) -> None:
        ink = self.colours.inks[self.face.suit]
        bottom = self._rank(words.RANKS[self.face.rank], ink)
        court = self.face.rank >= _COURT
        if self.size.pip and not court:
            side = self.size.pip * SCALE
            left = min(0.93 * self.width, self.seen - 0.02 * self.width) - side
            self._suit((left, 0.945 * self.height - side), side, ink)
            return
        side = self.size.corner * SCALE
        self._suit((0.085 * self.width, bottom + 0.085 * self.height), side, ink)
        if self.size.pip:
            self._figure(figures.COURT[self.face.rank], ink)

    def _rank(self, rank: str, ink: Colour) -> float:
        """Draw the rank in the upper left corner; returns its lower edge."""
        size = self.size.rank * SCALE
        left, top = round(0.08 * self.width), round(0.062 * self.height)
        mask = rank_mask(rank, size)
        self.draw.bitmap((left, top - _over(size)), mask, fill=ink)
        self.rank_end = left + mask.width
        return top + _capital(size)

    def _suit(self, at: tuple[float, float], side: float, ink: Colour) -> None:
        for shape in shapes.SUITS[self.face.suit]:
            self.draw.polygon(shapes.place(shape, *at, side), fill=ink)

    def _figure(self, parts: tuple[figures.Part, ...], ink: Colour) -> None:
        """Draw a person who grows out of the lower right corner."""
        width = min(0.64 * self.width, 0.5 * self.height)
        height = width * figures.HEIGHT / figures.WIDTH
        left = 0.985 * self.width - width
        self._parts(parts, left, self.height - height, width, ink)

    def _parts(
        self, parts: tuple[figures.Part, ...], left: float, top: float, width: float, ink: Colour
    ) -> None:
        tints = {**self.colours.tints, "ink": ink, "paper": self.paper}
        for part in parts:
            points = shapes.place(part.shape, left, top, width)
            if part.rim:
                line = [*points, points[0], points[1]]
                self.draw.line(line, fill=self.paper, width=round(part.rim * width / 50), joint="curve")
            self.draw.polygon(points, fill=tints[part.tint])

    def _special_face(self) -> None:
        """Draw the man or the master card: a word, and below it a picture as wide as the card."""
        word = str(self.face)
        fitted = min(
            self.size.rank,
            round(self.size.rank * 0.84 * self.size.width / font(self.size.rank).getlength(word)),
        )
        at = (self.width / 2, 0.09 * self.height)
        self.draw.text(at, word, fill=self.colours.inks[1], font=font(fitted * SCALE), anchor="mt")
        parts = figures.PEAK if self.face == MASTER else figures.LAKHE
        width = self.width if self.face == MASTER else 0.86 * self.width
        width = min(width, 0.70 * self.height / figures.HEIGHT * figures.WIDTH)
        top = self.height - width * figures.HEIGHT / figures.WIDTH
        self._parts(parts, (self.width - width) / 2, top, width, self.colours.inks[1])

    def _back(self) -> None:
        """Draw woven diamonds like those of a dhaka cloth, in a frame."""
        colours, radius = self.colours, self.size.radius * SCALE
        ground = colours.backs[self.look.pack]
        thread = mix(ground, colours.back_line, 0.6)
        self._rounded(0.055 * self.width, ground, radius * 0.7)
        columns, rows = 4, 6
        inset = 0.13 * self.width
        across, down = (self.width - 2 * inset) / columns, (self.height - 2 * inset) / rows
        for row in range(rows):
            for column in range(columns):
                x, y = inset + (column + 0.5) * across, inset + (row + 0.5) * down
                self._lozenge(x, y, 0.46 * across, 0.46 * down, thread)
                self._lozenge(x, y, 0.25 * across, 0.25 * down, ground)
                self._lozenge(x, y, 0.10 * across, 0.10 * down, colours.back_line)
        self._rounded(0.095 * self.width, None, radius * 0.5, colours.back_line, max(SCALE, self.width / 70))

    def _lozenge(self, x: float, y: float, half: float, tall: float, fill: Colour) -> None:
        self.draw.polygon(((x, y - tall), (x + half, y), (x, y + tall), (x - half, y)), fill=fill)

    def _badge(self, role: Role) -> None:
        """Draw the role that the known tiplu gives the card: at the upper right, or below if there is no room."""
        colours, side = self.colours, self.size.badge * SCALE
        edge = 0.06 if self.look.shows == 1 else 0.03
        left, top = self.seen - edge * self.width - side, 0.055 * self.width
        if left < self.rank_end:
            left = 0.06 * self.width
            top = self.height - left - side - (0.92 * side if self.look.mark else 0)
        fill, ink = (colours.gold, colours.gold_dark) if self.rich else (colours.paper, colours.quiet)
        if role is Role.TIPLU:
            fill, ink = colours.gold_dark, colours.on_tiplu
        self.draw.rounded_rectangle(
            (left, top, left + side, top + side), side * 0.3, fill=fill, outline=ink, width=2 * SCALE
        )
        if (arrow := _ARROWS.get(role)) is None:
            self._letter(words.BADGES[role], left + side / 2, top + side / 2, 0.82, ink)
        else:
            self.draw.polygon(shapes.place(arrow, left, top, side), fill=ink)

    def _mark(self, number: str) -> None:
        """Draw a small disc with the number of a set, in the corner that a fan leaves free."""
        side = 0.86 * self.size.badge * SCALE
        left, bottom = 0.045 * self.width, self.height - 0.045 * self.width
        box = (left, bottom - side, left + side, bottom)
        self.draw.ellipse(box, fill=self.colours.plate, outline=self.paper, width=2 * SCALE)
        self._letter(number, left + side / 2, bottom - side / 2, 0.82, self.colours.text)

    def _letter(self, letter: str, x: float, y: float, part: float, ink: Colour) -> None:
        """Draw a vertically centred letter, `part` of the badge's side high."""
        face = font(round(self.size.badge * part) * SCALE)
        _, top, _, bottom = face.getbbox("H", anchor="ls")
        self.draw.text((x, y - (top + bottom) / 2), letter, fill=ink, font=face, anchor="ms")


@lru_cache(maxsize=128)
def rank_mask(rank: str, size: int) -> Image.Image:
    """Return a rank trimmed to its ink at both sides. Above and below its capitals, room for round letters remains."""
    height = _capital(size)
    over = _over(size)
    if rank == "J":
        mask = Image.new("L", (round(0.54 * height) + 1, height + 2 * over))
        ImageDraw.Draw(mask).polygon(shapes.place(_J, 0, over, height), fill=255)
        return mask
    if rank == "Q":
        o = _typed("O", size)
        mask = Image.new("L", (round(1.05 * o.width), o.height))
        mask.paste(o)
        ImageDraw.Draw(mask).polygon(shapes.place(_Q_TAIL, 0, over, o.width, height), fill=255)
        return mask
    mask = _typed(rank, size)
    return mask.resize((round(_TEN * mask.width), mask.height)) if rank == "10" else mask


def _typed(text: str, size: int) -> Image.Image:
    """Draw letters of the typeface without the space at their sides."""
    face = font(size)
    left, _, right, _ = face.getbbox(text, anchor="ls")
    mask = Image.new("L", (round(right - left), _capital(size) + 2 * _over(size)))
    ImageDraw.Draw(mask).text((-left, mask.height - _over(size)), text, fill=255, font=face, anchor="ls")
    return mask


def _capital(size: int) -> int:
    """Return the height of a capital."""
    return -round(font(size).getbbox("H", anchor="ls")[1])


def _over(size: int) -> int:
    """Return the overshoot of round letters beyond flat ones, with a margin."""
    return round(0.04 * size)
