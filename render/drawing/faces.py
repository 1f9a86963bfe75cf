"""The print of a card: paper, rank, suit, figure, badge and mark, or a back. It is drawn large and scaled down.

The figures are made of flat colours, so that they are recognisable at the size of a fingernail. They are a king in a dhaka
topi, a queen in her shawl, a youth with a khukuri, the masked Lakhe for the man card, and the sun behind the mountains for
the master. Each has a field 100 wide and 125 high and grows out of the lower edge of its card.

The drawings are our own, as smooth outlines: they need no font and no licence. An outline is a list of points, with y
downwards. It is written as an SVG path with the absolute commands `M L C Z` only, so that any SVG reader can use the same
drawing.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin
from typing import Final, Literal, NamedTuple

from PIL import Image, ImageDraw

from marriage.cards import MASTER, UNKNOWN, Card
from marriage.maal import Role
from render import words
from render.drawing.text import font
from render.style import Colour, Colours, Style, mix

Point = tuple[float, float]
Outline = tuple[Point, ...]

_STEPS: Final = 20
"""The number of straight segments of a curve. A sprite is drawn at four times its displayed size."""
_TOKEN: Final = re.compile(r"[MLCZ]|-?\d+(?:\.\d+)?")


@lru_cache(maxsize=256)
def outline(path: str) -> Outline:
    """Return the points of a closed SVG path of absolute `M`, `L`, `C`.

    Raises ValueError for any other command.
    """
    tokens = _TOKEN.findall(path)
    if re.sub(r"[\s,]", "", path) != "".join(tokens):
        raise ValueError(f"not a path of M, L, C and Z: {path!r}")
    points: list[Point] = []
    command, numbers = "", list[float]()
    for token in tokens:
        if token.isalpha():
            command = token
            continue
        numbers.append(float(token))
        if len(numbers) == (6 if command == "C" else 2):
            points += _piece(points, numbers)
            numbers.clear()
    return tuple(points)


def _piece(points: list[Point], numbers: list[float]) -> list[Point]:
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    return pairs if len(pairs) == 1 else _bezier(points[-1], *pairs)


def _bezier(start: Point, first: Point, second: Point, end: Point) -> list[Point]:
    points: list[Point] = []
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        x, y = (a * start[i] + b * first[i] + c * second[i] + d * end[i] for i in (0, 1))
        points.append((x, y))
    return points


def mirrored(half: Outline, axis: float = 50) -> Outline:
    """Complete a symmetric figure: the points, followed by their mirror images across a vertical axis in reverse."""
    return (*half, *((2 * axis - x, y) for x, y in reversed(half)))


def across(whole: Outline, axis: float = 50) -> Outline:
    """Return the figure mirrored across a vertical axis."""
    return tuple((2 * axis - x, y) for x, y in whole)


@lru_cache(maxsize=256)
def oval(x: float, y: float, across_x: float, across_y: float | None = None) -> Outline:
    """Return an ellipse with its centre and its two radii; a circle if only one is given."""
    tall = across_x if across_y is None else across_y
    turns = (2 * pi * step / 48 for step in range(48))
    return tuple((x + across_x * cos(t), y + tall * sin(t)) for t in turns)


@lru_cache
def star(points: int, inner: float, x: float = 50, y: float = 50, radius: float = 50) -> Outline:
    """Return a star around a centre; `inner` is the radius of its inner corners as a share of the outer one."""
    turns = (pi * step / points - pi / 2 for step in range(2 * points))
    radii = (radius if step % 2 == 0 else radius * inner for step in range(2 * points))
    return tuple((x + r * cos(t), y + r * sin(t)) for t, r in zip(turns, radii, strict=True))


_HEART: Final = "M50 24.5 C53.5 13 63.5 4 75.5 4 C89.5 4 100 15 100 30 C100 53 72 70 50 98.5"
_SPADE: Final = (
    "M50 1.5 C61 21 98.5 38.5 98.5 61 C98.5 74.5 88.5 83 77 83 C67.5 83 59 78.5 54 70 C55 83 60 93 70 98.5"
)
_DIAMOND: Final = "M50 0 C59 17.5 73.5 36.5 89 50 C73.5 63.5 59 82.5 50 100"
_STEM: Final = "M50 40 C54 42 56 50 54 64 C55 80 61 93 71 98.5"
_LEAF: Final = 22.2

SUITS: Final[tuple[tuple[Outline, ...], ...]] = (
    (mirrored(outline(_SPADE)),),
    (mirrored(outline(_HEART)),),
    (mirrored(outline(_DIAMOND)),),
    (
        oval(50, 23.5, _LEAF),
        oval(23.2, 58.5, _LEAF),
        oval(76.8, 58.5, _LEAF),
        oval(50, 50, 12),
        mirrored(outline(_STEM)),
    ),
)
"""The outlines that together make up a suit, each in a square of 100: spades, hearts, diamonds, clubs."""

EYE: Final = outline("M0 50 C22 14 78 14 100 50 C78 86 22 86 0 50 Z")
"""The almond of an eye; its iris is a circle in the middle."""


def place(whole: Outline, left: float, top: float, width: float, height: float | None = None) -> list[Point]:
    """Scale an outline of a square of 100 to a rectangle of the picture, by default as high as wide."""
    tall = width if height is None else height
    return [(left + x * width / 100, top + y * tall / 100) for x, y in whole]


Tint = Literal["ink", "gold", "skin", "cheek", "dark", "paper", "red", "sky", "snow"]
"""The colour of a part: the ink of the suit, or a colour that all suits share."""
WIDTH: Final = 100
HEIGHT: Final = 125


@dataclass(frozen=True, slots=True)
class FigurePart:
    """One flat piece of a figure. Later parts cover earlier ones."""

    tint: Tint
    shape: Outline
    rim: float = 0
    """The width of the paper margin that separates it from the parts below."""


def _pair(tint: Tint, shape: Outline, rim: float = 0) -> tuple[FigurePart, FigurePart]:
    """Return a part and its mirror image on the other side of the face."""
    return FigurePart(tint, shape, rim), FigurePart(tint, across(shape), rim)


_SHOULDERS: Final = mirrored(outline("M50 90 L62 90 C82 93 99 101 101 126 L50 126"))
_NECK: Final = outline("M40 74 L60 74 L61 92 L50 101 L39 92 Z")
_EARS: Final = _pair("skin", oval(28, 58, 5, 7))
_FACE: Final = mirrored(outline("M50 28 L71 28 C73 44 74 56 71 67 C68 78 60 86 50 87"))
_SLIM_FACE: Final = mirrored(outline("M50 26 C66 26 70 40 69.5 56 C69 72 58 85 50 87"))
_NOSE: Final = outline("M50 50 C52 56 55 61 56 65 C53 68 47 68 44 65 C45 61 48 56 50 50 Z")
_EYES: Final = _pair("dark", oval(40, 53, 3.4, 4.2))
_MAN_BROWS: Final = _pair("dark", outline("M31 47 C35 41 42 41 47 44 L46.5 48 C42 46 37 46 32 49 Z"))

KING: Final = (
    FigurePart("ink", _SHOULDERS),
    FigurePart("gold", outline("M36 89 L43 89 L56 126 L43 126 Z")),
    FigurePart("skin", _NECK, 2.5),
    *_EARS,
    FigurePart("skin", _FACE, 2.5),
    FigurePart("cheek", _NOSE),
    *_EYES,
    *_MAN_BROWS,
    FigurePart(
        "dark",
        mirrored(
            outline("M50 66 C56 63 65 66 69 71 C73 75 78 72 79 67 C83 78 74 84 65 82 C58 80 54 76 50 75")
        ),
    ),
    FigurePart(
        "ink",
        outline("M25 45 C23 36 22 27 25 17 C38 8 58 9 75 21 C78 30 77 38 75 45 C60 38 40 38 25 45 Z"),
        3,
    ),
    FigurePart(
        "gold",
        outline("M29 33 L37.5 20 L46 31 L50 17.5 L54 31 L62.5 20.5 L71 34 L62.5 29 L54 37 L46 37 L37.5 29 Z"),
    ),
    FigurePart("gold", outline("M50 20 C44 14 43 6 50 -3 C57 6 56 14 50 20 Z"), 3),
    FigurePart("red", oval(50, 12, 2.8)),
)

QUEEN: Final = (
    FigurePart(
        "ink",
        mirrored(outline("M50 6 C76 6 86 26 85 52 C84.5 74 92 88 99 104 C101 112 101 118 101 126 L50 126")),
    ),
    FigurePart("gold", mirrored(outline("M50 13 C70 13 79 30 78 52 C77 74 83 92 92 108 L82 126 L50 126"))),
    FigurePart("dark", mirrored(outline("M50 18 C67 18 75 34 74 54 C73.5 70 76 80 78 90 L50 96"))),
    FigurePart("ink", mirrored(outline("M50 94 L60 90 C70 92 78 98 84 108 L76 126 L50 126"))),
    FigurePart("skin", outline("M41 74 L59 74 L61 93 L50 104 L39 93 Z")),
    FigurePart("gold", mirrored(outline("M50 101 L61 90 L67 91.5 L50 112"))),
    FigurePart("skin", mirrored(outline("M50 31 C60 34 67 44 68.5 56 C68 72 58 85 50 87"))),
    FigurePart("cheek", outline("M50 52 C52 57 54 61 55 64 C52 66.5 48 66.5 45 64 C46 61 48 57 50 52 Z")),
    *_pair("dark", outline("M33 57 C36 51 43 51 46.5 57.5 C42 60.5 36 60.5 33 57 Z")),
    *_pair("dark", outline("M32 49 C36 44.5 43 44.5 47 48 L46.5 50 C42 47.5 37 48 32.5 51 Z")),
    FigurePart("red", mirrored(outline("M50 72.5 C53 70.5 56 71.5 59 74 C56 79 53 80 50 80"))),
    FigurePart("red", oval(50, 42.5, 3.4)),
    FigurePart("gold", outline("M48 17 L52 17 L54.5 31 L50 38 L45.5 31 Z")),
    *_pair("gold", oval(29.5, 73, 4.6)),
    FigurePart("gold", oval(56.5, 64, 2)),
)

JACK: Final = (
    FigurePart("dark", outline("M81 126 L82 100 L91 100 L93 126 Z")),
    FigurePart(
        "gold",
        outline("M82 102 C84 92 82 88 79 80 C74 64 79 48 89 36 C91 52 97 66 97 78 C96 88 92 94 91 102 Z"),
    ),
    FigurePart("ink", mirrored(outline("M50 90 L62 90 C78 92 90 101 92 126 L50 126")), 3),
    FigurePart("paper", outline("M28 92 L38 90 L66 126 L50 126 Z")),
    FigurePart("gold", outline("M31 91.5 L35 90.5 L62 126 L55 126 Z")),
    FigurePart("skin", _NECK, 2.5),
    *_EARS,
    FigurePart("skin", _SLIM_FACE, 2.5),
    FigurePart("cheek", _NOSE),
    *_EYES,
    *_pair("dark", outline("M33 46 C37 42.5 43 43 46.5 45.5 L46 48 C42 46 38 46 33.5 48.5 Z")),
    FigurePart("red", outline("M41 74 C46 77 54 77 59 74 C56 81 44 81 41 74 Z")),
    FigurePart(
        "dark",
        outline(
            "M26 52 C22 38 23 24 34 18 C32 14 29 12 25 11 C33 6 43 7 48 11 C51 6 57 3 64 4 C61 7 60 9 60 12 "
            "C70 14 77 24 76 38 C76 43 75 48 74 52 C72 46 71 42 70 38 L30 38 C29 42 28 47 26 52 Z"
        ),
        2.5,
    ),
    FigurePart("ink", outline("M25 32 C40 26 60 26 75 32 L75.5 42 C60 35 40 35 25 42 Z"), 2.5),
    FigurePart("gold", mirrored(outline("M50 28.5 L56 34 L50 39.5"))),
)

COURT: Final = {10: JACK, 11: QUEEN, 12: KING}
"""The figures by rank: jack, queen, king."""

LAKHE: Final = (
    *_pair("dark", outline("M34 22 C14 18 4 34 8 50 C-2 60 0 80 6 88 C-2 98 2 112 10 120 L36 110 Z")),
    FigurePart("red", mirrored(outline("M50 26 C76 26 88 42 87 64 C86 92 72 112 50 114")), 2.5),
    *_pair("gold", outline("M22 38 C30 28 42 32 48 44 L45 50 C38 42 30 40 21 47 Z")),
    *_pair("snow", oval(34, 56, 11.5, 10.5)),
    *_pair("dark", oval(35.5, 57, 5, 6)),
    FigurePart("gold", outline("M50 52 C55 62 61 68 60 74 C56 80 44 80 40 74 C39 68 45 62 50 52 Z")),
    FigurePart("dark", mirrored(outline("M50 84 C60 82 70 80 75 76 C77 92 64 102 50 102"))),
    FigurePart("snow", mirrored(outline("M50 85 C56 84.5 60 84 64 83 L62 90 C58 91 54 91.5 50 91.5"))),
    *_pair("snow", outline("M25 78 C28 81 31 82 34 83 L29 97 Z")),
    FigurePart("gold", mirrored(outline("M50 2 L58 18 L66 6 L72 20 L82 12 L80 34 C62 26 56 26 50 26")), 2.5),
    FigurePart("red", oval(50, 19, 4)),
    *_pair("red", oval(68, 22, 3)),
)
"""The masked dancer of the Newar festivals, as wild in colour and rank as the card."""

PEAK: Final = (
    FigurePart("gold", star(16, 0.72, 50, 46, 44)),
    FigurePart("paper", oval(50, 46, 29)),
    FigurePart("gold", oval(50, 46, 26)),
    FigurePart(
        "sky",
        outline(
            "M-40 126 L-40 112 L-18 96 L-6 100 L22 74 L34 84 L56 46 L66 62 L74 54 L98 90 L112 84 L140 108 L140 126 Z"
        ),
        2.5,
    ),
    FigurePart("snow", outline("M56 46 L66 62 L74 54 L85 70 L76 68 L70 78 L62 68 L55 80 L49 68 L42 71 Z")),
    FigurePart("snow", outline("M22 74 L30 81 L26 84 L21 82 L14 86 Z")),
)
"""The sun behind the fish-tailed mountain, for the highest card."""


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
_Q_TAIL: Final = outline("M50 62 L68 58 L104 98 L86 104 Z")
_J: Final = outline(
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
        """The radius of the rounded corners."""
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
            self._figure(COURT[self.face.rank], ink)

    def _rank(self, rank: str, ink: Colour) -> float:
        """Draw the rank in the upper left corner; returns its lower edge."""
        size = self.size.rank * SCALE
        left, top = round(0.08 * self.width), round(0.062 * self.height)
        mask = rank_mask(rank, size)
        self.draw.bitmap((left, top - _over(size)), mask, fill=ink)
        self.rank_end = left + mask.width
        return top + _capital(size)

    def _suit(self, at: tuple[float, float], side: float, ink: Colour) -> None:
        for shape in SUITS[self.face.suit]:
            self.draw.polygon(place(shape, *at, side), fill=ink)

    def _figure(self, parts: tuple[FigurePart, ...], ink: Colour) -> None:
        """Draw a person who grows out of the lower right corner."""
        width = min(0.64 * self.width, 0.5 * self.height)
        height = width * HEIGHT / WIDTH
        left = 0.985 * self.width - width
        self._parts(parts, left, self.height - height, width, ink)

    def _parts(
        self, parts: tuple[FigurePart, ...], left: float, top: float, width: float, ink: Colour
    ) -> None:
        tints = {**self.colours.tints, "ink": ink, "paper": self.paper}
        for part in parts:
            points = place(part.shape, left, top, width)
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
        parts = PEAK if self.face == MASTER else LAKHE
        width = self.width if self.face == MASTER else 0.86 * self.width
        width = min(width, 0.70 * self.height / HEIGHT * WIDTH)
        top = self.height - width * HEIGHT / WIDTH
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
            self.draw.polygon(place(arrow, left, top, side), fill=ink)

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
        ImageDraw.Draw(mask).polygon(place(_J, 0, over, height), fill=255)
        return mask
    if rank == "Q":
        o = _typed("O", size)
        mask = Image.new("L", (round(1.05 * o.width), o.height))
        mask.paste(o)
        ImageDraw.Draw(mask).polygon(place(_Q_TAIL, 0, over, o.width, height), fill=255)
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
