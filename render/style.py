"""How pictures look: the choices a viewer has, the colours they mean, and the one palette all pictures share."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from PIL import Image, ImageColor

Colour = str
"""Hex notation, such as "#0b8374"."""


@dataclass(frozen=True, slots=True)
class Style:
    """A viewer's choices. Hashable: every cache of sprites has it in its key."""

    suits: Literal["four", "two"] = "four"
    """Four colours that colour-blind players can tell apart, or the classic red and black."""
    theme: Literal["light", "dark"] = "light"
    """Ivory cards on green felt, or dark cards on a dark one."""

    @property
    def colours(self) -> "Colours":
        """The colours of this style."""
        return _colours(self)

    @property
    def palette(self) -> Image.Image:
        """An image that carries the style's palette of at most 256 colours, for `Image.quantize`."""
        return _palette(self)


DEFAULT: Final = Style()
_MOST_COLOURS: Final = 256


@dataclass(frozen=True, slots=True)
class Colours:
    """Every colour of the pictures by what it is for."""

    felt: Colour
    felt_light: Colour
    felt_dark: Colour
    rail: Colour
    rail_light: Colour
    room: Colour
    paper: Colour
    paper_edge: Colour
    inks: tuple[Colour, Colour, Colour, Colour]
    """Of spades, hearts, diamonds, clubs."""
    back: Colour
    back_line: Colour
    rich: Colour
    """The paper of maal cards."""
    gold: Colour
    gold_line: Colour
    gold_dark: Colour
    quiet: Colour
    """Badges of cards that are wild but worth nothing."""
    text: Colour
    """On felt and plates."""
    muted: Colour
    plate: Colour
    gain: Colour
    loss: Colour
    shadow: Colour


_FOUR: Final = ("#111114", "#ac240d", "#0e00c8", "#0b8374")
_TWO: Final = ("#141418", "#c01f1f", "#c01f1f", "#141418")
_FOUR_ON_DARK: Final = ("#f1ede2", "#ff7d5e", "#8fa2ff", "#3fcdb6")
_TWO_ON_DARK: Final = ("#f1ede2", "#ff7068", "#ff7068", "#f1ede2")


@lru_cache
def _colours(style: Style) -> Colours:
    if style.theme == "dark":
        return Colours(
            felt="#20262b", felt_light="#2a3238", felt_dark="#171c20", rail="#3a2a20", rail_light="#6b4d38",
            room="#101315", paper="#343b45", paper_edge="#596372", rich="#463f33",
            inks=_FOUR_ON_DARK if style.suits == "four" else _TWO_ON_DARK,
            back="#6e2433", back_line="#d8a35c", gold="#e9b949", gold_line="#c8962e", gold_dark="#6d4a0a", quiet="#8d97a3",
            text="#f4efe4", muted="#a9b3ba", plate="#0f1417", gain="#7fdc9b", loss="#ff9c86",
            shadow="#0a0d0f",
        )  # fmt: skip
    return Colours(
        felt="#1f5f47", felt_light="#2a7557", felt_dark="#154534", rail="#4a2c1a", rail_light="#8a5a36",
        room="#1b1512", paper="#fffaf0", paper_edge="#cfc3ab", rich="#fdeec4",
        inks=_FOUR if style.suits == "four" else _TWO,
        back="#8c1f2f", back_line="#f0c987", gold="#f2c14e", gold_line="#d19a22", gold_dark="#7d520a", quiet="#7b7466",
        text="#fdf6e6", muted="#b9d3c3", plate="#0f3325", gain="#9be8ae", loss="#ffb09c",
        shadow="#0b2a1e",
    )  # fmt: skip


@lru_cache
def _palette(style: Style) -> Image.Image:
    """Ramps between the colours that meet at an edge, so that smooth edges stay smooth."""
    c = style.colours
    colours: dict[tuple[int, int, int], None] = {}
    for ink in dict.fromkeys(c.inks):
        colours |= _ramp(c.paper, ink, 10) | _ramp(c.rich, ink, 7) | _ramp(c.gold, ink, 4)
    for start, end, steps in (
        (c.felt_light, c.felt_dark, 22), (c.felt, c.paper, 6), (c.felt, c.shadow, 10), (c.paper, c.paper_edge, 4),
        (c.paper_edge, c.felt, 5), (c.paper_edge, c.shadow, 5), (c.felt, c.gold, 8), (c.rich, c.gold_line, 4),
        (c.gold, c.gold_dark, 6), (c.gold_line, c.felt, 5), (c.paper, c.gold_dark, 5), (c.paper, c.quiet, 4),
        (c.back, c.back_line, 5), (c.back, c.paper, 5), (c.rail, c.rail_light, 6), (c.rail, c.room, 5),
        (c.rail, c.felt_dark, 4), (c.plate, c.text, 8), (c.plate, c.felt, 6), (c.plate, c.muted, 7),
        (c.plate, c.gold, 7), (c.plate, c.gain, 7), (c.plate, c.loss, 7), (c.felt, c.text, 7),
        (c.felt, c.muted, 6), (c.gold, c.paper, 5),
    ):  # fmt: skip
        colours |= _ramp(start, end, steps)
    if len(colours) > _MOST_COLOURS:
        raise ValueError(f"{len(colours)} colours do not fit in a palette")
    flat = [channel for colour in colours for channel in colour]
    image = Image.new("P", (1, 1))
    image.putpalette(flat + flat[-3:] * (_MOST_COLOURS - len(colours)))
    return image


def _ramp(start: Colour, end: Colour, steps: int) -> dict[tuple[int, int, int], None]:
    """Colours from `start` to `end`, both included, as a dictionary's keys: ordered and without repeats."""
    a, b = rgb(start), rgb(end)
    mixes = ([a[i] + (b[i] - a[i]) * step / (steps - 1) for i in range(3)] for step in range(steps))
    return {(round(r), round(g), round(bl)): None for r, g, bl in mixes}


def rgb(colour: Colour) -> tuple[int, int, int]:
    """The three channels of a colour."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return red, green, blue


def mix(start: Colour, end: Colour, part: float) -> Colour:
    """The colour that lies `part` (0 to 1) of the way from one to the other."""
    channels = (round(a + (b - a) * part) for a, b in zip(rgb(start), rgb(end), strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in channels)
