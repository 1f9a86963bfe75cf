"""Card sprites: each face drawn once at its final size, four times supersampled, and kept.

A sprite is an RGBA image with its soft shadow around the card. `on_felt` is the same in the shared palette with
the felt below it: such sprites are pasted without a mask, which makes a whole hand a matter of a millisecond.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, wraps
from threading import RLock
from typing import Final, ParamSpec, TypeVar

from PIL import Image, ImageDraw, ImageFilter

from marriage.cards import MASTER, UNKNOWN, Card
from marriage.maal import Role
from render import shapes, words
from render.fonts import font
from render.style import Style, mix, rgb

P = ParamSpec("P")
R = TypeVar("R")

_SCALE: Final = 4
MARGIN: Final = 4
"""Room for the shadow on every side of a sprite."""
_COURT: Final = 10
_MAAL: Final = frozenset(set(Role) - {Role.JOKER})


@dataclass(frozen=True, slots=True)
class Size:
    """The measures of one size of card, in pixels of the finished picture."""

    width: int
    height: int
    rank: int
    """The rank's font size."""
    pip: int
    """The side of the big suit."""
    small_pip: int = 0
    """The side of the suit below the rank, for cards of which only the left edge may show; 0 for none."""
    badge: int = 0
    """The badge's side; 0 for none."""

    @property
    def radius(self) -> float:
        """Of the rounded corners."""
        return self.width * 0.085


BIG: Final = Size(124, 166, rank=80, pip=74, badge=42)
LARGE: Final = Size(170, 192, rank=116, pip=88, badge=56)
"""Lower than cards are, so that four rows still fit on a screen."""
MEDIUM: Final = Size(108, 146, rank=68, pip=64, badge=34)
FANNED: Final = Size(108, 146, rank=58, pip=0, small_pip=44)
"""As large as MEDIUM, for cards of which another covers most."""
SMALL: Final = Size(78, 104, rank=50, pip=0, small_pip=36)
TINY: Final = Size(58, 78, rank=38, pip=0, small_pip=28)


@dataclass(frozen=True, slots=True)
class Look:
    """What is special about one card in its place."""

    role: Role | None = None
    """Badge, where the viewer knows the tiplu."""
    lit: bool = False
    """Shines: the card that just came."""
    mark: int = 0
    """The number of the set that it belongs to; 0 for none."""
    covered: bool = False
    """Another card lies on its right edge: the badge stands at the left."""


PLAIN: Final = Look()


def once(most: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Keep the last `most` results of a pure function, so that threads that ask at once make a sprite once."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        lock = RLock()
        cached = lru_cache(maxsize=most)(function)

        @wraps(function)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
            with lock:
                return cached(*args, **kwargs)

        return guarded

    return decorate


@once(1024)
def card(face: Card, size: Size, style: Style, look: Look = PLAIN) -> Image.Image:
    """The sprite of a card; of its back for UNKNOWN."""
    return _draw_card(face, size, style, look)


@once(1024)
def on_felt(face: Card, size: Size, style: Style, look: Look = PLAIN) -> Image.Image:
    """The sprite of a card lying on plain felt, in the shared palette."""
    return flatten(_draw_card(face, size, style, look), style)


def _draw_card(face: Card, size: Size, style: Style, look: Look) -> Image.Image:
    image = Image.new("RGBA", (size.width * _SCALE, size.height * _SCALE))
    draw = ImageDraw.Draw(image)
    if face == UNKNOWN:
        _draw_back(draw, size, style)
    else:
        _draw_paper(draw, size, style, look)
        _draw_face(draw, face, size, style)
        if size.badge and look.role is not None and look.role in words.BADGES:
            _draw_badge(draw, look, size, style)
        if size.badge and look.mark:
            _draw_mark(draw, look.mark, size, style)
    return _with_shadow(image.reduce(_SCALE), size, style, lit=look.lit)


def flatten(sprite: Image.Image, style: Style) -> Image.Image:
    """Any RGBA image laid on plain felt, in the shared palette."""
    felt = Image.new("RGBA", sprite.size, style.colours.felt)
    return to_palette(Image.alpha_composite(felt, sprite), style)


def to_palette(image: Image.Image, style: Style) -> Image.Image:
    """The image in the shared palette, without dithering: flat stays flat."""
    return image.convert("RGB").quantize(palette=style.palette, dither=Image.Dither.NONE)


def _draw_paper(draw: ImageDraw.ImageDraw, size: Size, style: Style, look: Look) -> None:
    colours = style.colours
    box = (0, 0, size.width * _SCALE - 1, size.height * _SCALE - 1)
    rich = look.role in _MAAL
    paper = colours.rich if rich else colours.paper
    edge = colours.gold if look.lit else colours.gold_line if rich else colours.paper_edge
    width = (1.0 + 0.018 * size.width * (rich or look.lit)) * _SCALE
    draw.rounded_rectangle(box, size.radius * _SCALE, fill=paper, outline=edge, width=round(width))


def _draw_face(draw: ImageDraw.ImageDraw, face: Card, size: Size, style: Style) -> None:
    if not face.is_pack:
        _draw_joker(draw, face, size, style)
        return
    ink = style.colours.inks[face.suit]
    left = 0.08 * size.width
    bottom = _draw_rank(draw, words.RANKS[face.rank], left, size, ink)
    if size.small_pip:
        _draw_suit(draw, face.suit, (left, bottom + 0.24 * size.rank), size.small_pip, ink)
        return
    at = (0.93 * size.width - size.pip, 0.945 * size.height - size.pip)
    _draw_suit(draw, face.suit, at, size.pip, ink)
    if face.rank >= _COURT:
        _draw_emblem(draw, face.rank, at, size, style)


def _draw_rank(draw: ImageDraw.ImageDraw, rank: str, left: float, size: Size, ink: str) -> float:
    """Draw the rank with its visible left and top edge in place; return the baseline."""
    face = font(size.rank * _SCALE)
    box = face.getbbox(rank, anchor="ls")
    cap = face.getbbox("H", anchor="ls")
    baseline = 0.062 * size.height * _SCALE - cap[1]
    draw.text((left * _SCALE - box[0], baseline), rank, fill=ink, font=face, anchor="ls")
    return baseline / _SCALE


def _draw_suit(draw: ImageDraw.ImageDraw, suit: int, at: tuple[float, float], side: float, ink: str) -> None:
    for outline in shapes.suit(suit):
        draw.polygon(shapes.place(outline, at[0] * _SCALE, at[1] * _SCALE, side * _SCALE), fill=ink)


def _draw_emblem(
    draw: ImageDraw.ImageDraw, rank: int, at: tuple[float, float], size: Size, style: Style
) -> None:
    """What marks the court: its emblem in gold, set in the heart of the suit."""
    width, height = 0.44 * size.pip, 0.34 * size.pip
    left, top = at[0] + (size.pip - width) / 2, at[1] + 0.30 * size.pip
    places = [
        shapes.place(outline, left * _SCALE, top * _SCALE, width * _SCALE, height * _SCALE)
        for outline in shapes.emblem(rank)
    ]
    for points in places:
        draw.line([*points, points[0]], fill=style.colours.paper, width=round(3.2 * _SCALE), joint="curve")
    for points in places:
        draw.polygon(points, fill=style.colours.gold)


def _draw_joker(draw: ImageDraw.ImageDraw, face: Card, size: Size, style: Style) -> None:
    colours = style.colours
    word = str(face)
    most = 0.84 * size.width
    fitted = min(size.rank, round(size.rank * most / (font(size.rank).getlength(word))))
    text = font(fitted * _SCALE)
    draw.text(
        (size.width / 2 * _SCALE, 0.09 * size.height * _SCALE),
        word,
        fill=colours.inks[1],
        font=text,
        anchor="mt",
    )
    side = 0.66 * size.width
    left, top = (size.width - side) / 2 * _SCALE, (0.93 * size.height - side) * _SCALE
    outlines = (shapes.star(),) if face == MASTER else shapes.jester()
    for outline in outlines:
        points = shapes.place(outline, left, top, side * _SCALE)
        draw.polygon(points, fill=colours.gold, outline=colours.gold_dark, width=2 * _SCALE)


def _draw_back(draw: ImageDraw.ImageDraw, size: Size, style: Style) -> None:
    """A woven lattice in a thin frame."""
    colours = style.colours
    width, height = size.width * _SCALE, size.height * _SCALE
    radius = size.radius * _SCALE
    draw.rounded_rectangle(
        (0, 0, width - 1, height - 1), radius, fill=colours.paper, outline=colours.paper_edge, width=_SCALE
    )
    inset = 0.06 * width
    box = (inset, inset, width - 1 - inset, height - 1 - inset)
    draw.rounded_rectangle(box, radius * 0.7, fill=colours.back)
    lattice = Image.new("L", (width, height))
    lines = ImageDraw.Draw(lattice)
    step = width / 6
    for index in range(-12, 24):
        x = index * step
        lines.line((x, 0, x + height, height), fill=255, width=max(_SCALE, width // 60))
        lines.line((x, 0, x - height, height), fill=255, width=max(_SCALE, width // 60))
    mask = Image.new("L", (width, height))
    inner = tuple(v + s * 0.05 * width for v, s in zip(box, (1, 1, -1, -1), strict=True))
    ImageDraw.Draw(mask).rounded_rectangle(inner, radius * 0.5, fill=255)
    lattice.paste(0, (0, 0), Image.eval(mask, lambda value: 255 - value))
    draw.bitmap((0, 0), lattice, fill=mix(colours.back, colours.back_line, 0.55))
    draw.rounded_rectangle(inner, radius * 0.5, outline=colours.back_line, width=max(_SCALE, width // 70))


def _draw_badge(draw: ImageDraw.ImageDraw, look: Look, size: Size, style: Style) -> None:
    colours = style.colours
    role = look.role
    side = size.badge * _SCALE
    box = _badge_box(look, size)
    rich = role in _MAAL
    fill = colours.gold if rich else colours.paper
    ink = colours.gold_dark if rich else colours.quiet
    if role is Role.TIPLU:
        fill, ink = colours.gold_dark, colours.paper if style.theme == "light" else colours.text
    draw.rounded_rectangle(box, side * 0.3, fill=fill, outline=ink, width=2 * _SCALE)
    letter = font(round(size.badge * 0.82) * _SCALE)
    cap = letter.getbbox("H", anchor="ls")
    baseline = (box[1] + box[3]) / 2 - (cap[1] + cap[3]) / 2
    middle = (box[0] + box[2]) / 2
    draw.text(
        (middle, baseline), "" if role is None else words.BADGES[role], fill=ink, font=letter, anchor="ms"
    )


def _badge_box(look: Look, size: Size) -> tuple[float, float, float, float]:
    """Where the badge stands: at the upper right, or at the left where that is covered, above a mark."""
    side, inset = size.badge * _SCALE, 0.06 * size.width * _SCALE
    if look.covered:
        bottom = size.height * _SCALE - inset - (0.92 * side if look.mark else 0)
        return inset, bottom - side, inset + side, bottom
    right, top = size.width * _SCALE - inset, 0.055 * size.width * _SCALE
    return right - side, top, right, top + side


def _draw_mark(draw: ImageDraw.ImageDraw, number: int, size: Size, style: Style) -> None:
    """A small disc with the number of a set, in the corner that a fan leaves free."""
    side = 0.86 * size.badge * _SCALE
    left, bottom = 0.07 * size.width * _SCALE, (size.height - 0.07 * size.width) * _SCALE
    box = (left, bottom - side, left + side, bottom)
    draw.ellipse(box, fill=style.colours.plate)
    letter = font(round(size.badge * 0.68) * _SCALE)
    cap = letter.getbbox("H", anchor="ls")
    baseline = bottom - side / 2 - (cap[1] + cap[3]) / 2
    draw.text((left + side / 2, baseline), str(number), fill=style.colours.text, font=letter, anchor="ms")


def _with_shadow(face: Image.Image, size: Size, style: Style, *, lit: bool) -> Image.Image:
    """The card with a soft shadow below it, or with a golden shine all round."""
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
    sprite.alpha_composite(face, (MARGIN, MARGIN))
    return sprite
