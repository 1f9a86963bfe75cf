"""The style of pictures: the viewer's choices, the resulting colours, and the palette that all pictures share."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import dist
from types import MappingProxyType
from typing import Final, Literal, NamedTuple

from PIL import Image, ImageColor

Colour = str
"""Hex notation, such as "#0b8374"."""
RGB = tuple[int, int, int]
Inks = tuple[Colour, Colour, Colour, Colour]
"""The inks of spades, hearts, diamonds, clubs."""


class Style(NamedTuple):
    """A viewer's choices. A tuple, because every cache of sprites has it in its key."""

    suits: Literal["four", "two"] = "four"
    """Four colours that colour-blind players can tell apart, or the classic red and black."""
    theme: Literal["light", "dark"] = "light"
    """Ivory cards on green felt, or dark cards on a dark one."""

    @property
    def colours(self) -> "Colours":
        """The colours of this style."""
        return _COLOURS[self]

    @property
    def palette(self) -> Image.Image:
        """An image that carries the style's palette of at most 256 colours, for `Image.quantize`."""
        return _palette(self)

    @property
    def palette_bytes(self) -> bytes:
        """The same palette as bytes, three a colour."""
        return _palette_bytes(self)


DEFAULT: Final = Style()
STYLES: Final = tuple(Style(suits, theme) for theme in ("light", "dark") for suits in ("four", "two"))
"""All styles."""
_MOST_COLOURS: Final = 256
_SHADES: Final = 30
"""The number of shades of felt, which is lit in the middle. With fewer, rings are visible."""
_NO_DIFFERENCE: Final = 20
"""The distance in RGB below which colours of smooth edges are merged: fewer colours make smaller pictures."""
FELT: Final = 0
"""The index of plain felt in every palette. It is 0, so that a new canvas is felt without filling it."""


@dataclass(frozen=True, slots=True)
class Colours:
    """All colours of the pictures by purpose."""

    felt: Colour
    felt_light: Colour
    felt_dark: Colour
    rail: Colour
    rail_light: Colour
    room: Colour
    """The colour around the table."""
    paper: Colour
    paper_edge: Colour
    rich: Colour
    """The paper of maal cards."""
    wild: Colour
    """The paper of jokers without points."""
    inks: Inks
    tints: Mapping[str, Colour]
    """The colours of figures that do not depend on the suit: `figures.Tint` without `ink` and `paper`."""
    backs: tuple[Colour, Colour, Colour]
    """The backs of the three packs."""
    back_line: Colour
    gold: Colour
    gold_line: Colour
    gold_dark: Colour
    on_tiplu: Colour
    """The letter on the tiplu's own badge."""
    quiet: Colour
    """Badges of wild cards without points."""
    text: Colour
    """Text on felt and plates."""
    muted: Colour
    plate: Colour
    gain: Colour
    loss: Colour
    shadow: Colour


_INKS: Final[dict[Style, Inks]] = {
    Style("four", "light"): ("#111114", "#ac1e0d", "#1400c8", "#077a6c"),
    Style("two", "light"): ("#141418", "#c01f1f", "#c01f1f", "#141418"),
    Style("four", "dark"): ("#f4f0e6", "#fe7a50", "#a28dff", "#4faca4"),
    Style("two", "dark"): ("#f4f0e6", "#ff7068", "#ff7068", "#f4f0e6"),
}
"""The four colours were optimised under simulated colour blindness. The tests compute their distances again."""


def _light(inks: Inks) -> Colours:
    tints = {
        "gold": "#f2b632", "skin": "#e0a070", "cheek": "#c27f50", "dark": "#2a1712", "red": "#d3202a", "sky": "#3b5c96",
        "snow": "#ffffff",
    }  # fmt: skip
    return Colours(
        felt="#1f5f47", felt_light="#2a7557", felt_dark="#154534", rail="#4a2c1a", rail_light="#8a5a36",
        room="#1b1512", paper="#fffaf0", paper_edge="#cfc3ab", rich="#fdf0cb", wild="#e4f0fb", inks=inks, tints=MappingProxyType(tints),
        backs=("#8c1f2f", "#1e3f7a", "#0e5f5a"), back_line="#f0c987", gold="#f4c654", gold_line="#d19a22",
        gold_dark="#6f4808", on_tiplu="#fffaf0", quiet="#756e60", text="#fdf6e6", muted="#b9d3c3", plate="#0f3325",
        gain="#9be8ae", loss="#ffb09c", shadow="#0b2a1e",
    )  # fmt: skip


def _dark(inks: Inks) -> Colours:
    tints = {
        "gold": "#e9b949", "skin": "#d39a6c", "cheek": "#b0774a", "dark": "#1b1210", "red": "#e0414a", "sky": "#6d8fc9",
        "snow": "#ffffff",
    }  # fmt: skip
    return Colours(
        felt="#11251e", felt_light="#193328", felt_dark="#0c1b15", rail="#3a2a20", rail_light="#6b4d38",
        room="#0b0908", paper="#2d353f", paper_edge="#687583", rich="#3a3427", wild="#1d3347", inks=inks, tints=MappingProxyType(tints),
        backs=("#6e2433", "#27457c", "#1b5d57"), back_line="#d8a35c", gold="#e9b949", gold_line="#c8962e",
        gold_dark="#5e3f06", on_tiplu="#f4efe4", quiet="#a3adb8", text="#f4efe4", muted="#a9b3ba", plate="#08120e",
        gain="#7fdc9b", loss="#ff9c86", shadow="#030806",
    )  # fmt: skip


_COLOURS: Final = {
    style: (_light if style.theme == "light" else _dark)(inks) for style, inks in _INKS.items()
}


@lru_cache
def _palette(style: Style) -> Image.Image:
    """Return all colours, and ramps between those that meet at an edge, so that smooth edges stay smooth."""
    edges = [*_edges(style.colours)]
    colours: dict[RGB, None] = {rgb(end): None for start, end, _ in edges for end in (start, end)}
    colours |= _ramp(style.colours.felt_light, style.colours.felt_dark, _SHADES)
    for start, end, steps in edges:
        between = [colour for colour in _ramp(start, end, steps) if _is_new(colour, colours)]
        colours |= dict.fromkeys(between)
    if len(colours) > _MOST_COLOURS:
        raise ValueError(f"{len(colours)} colours do not fit in a palette")
    flat = [channel for colour in colours for channel in colour]
    image = Image.new("P", (1, 1))
    image.putpalette(flat + flat[-3:] * (_MOST_COLOURS - len(colours)))
    return image


def _is_new(colour: RGB, colours: Iterable[RGB]) -> bool:
    """Return whether the colour differs visibly from all others.

    On an edge one pixel wide, small differences are invisible.
    """
    return all(dist(colour, other) >= _NO_DIFFERENCE for other in colours)


@lru_cache
def shades_of_felt(style: Style) -> tuple[int, ...]:
    """Return the indices of the felt's shades in the palette, from the lightest to the darkest."""
    shades = _ramp(style.colours.felt_light, style.colours.felt_dark, _SHADES)
    return tuple(indices(style)[shade] for shade in shades)


@lru_cache
def indices(style: Style) -> dict[tuple[int, ...] | float, int]:
    """Return the palette index of each colour, in the form in which Pillow counts colours."""
    flat = style.palette_bytes
    return {(flat[3 * at], flat[3 * at + 1], flat[3 * at + 2]): at for at in reversed(range(_MOST_COLOURS))}


def index_of(colour: Colour, style: Style) -> int:
    """Return the palette index of this colour; raises KeyError if the palette does not have it."""
    return indices(style)[rgb(colour)]


@lru_cache
def _palette_bytes(style: Style) -> bytes:
    return bytes(style.palette.getpalette() or ())


def _edges(c: Colours) -> Iterator[tuple[Colour, Colour, int]]:
    """Yield the colours that meet at edges, with the number of steps between them. Plain felt comes first."""
    yield from ((c.felt, c.felt, 2), (c.felt_light, c.felt_dark, _SHADES), (c.felt, c.shadow, 4))
    t = c.tints
    for ink in dict.fromkeys(c.inks):
        yield from ((c.paper, ink, 5), (c.rich, ink, 5), (c.wild, ink, 4), (ink, t["gold"], 4))
    yield from (
        (c.paper, t["skin"], 4), (t["skin"], t["dark"], 4), (t["skin"], t["cheek"], 3), (t["skin"], t["red"], 3),
        (c.paper, t["dark"], 4), (c.paper, t["red"], 4), (c.paper, t["gold"], 4), (t["gold"], t["red"], 3),
        (t["gold"], t["dark"], 3), (t["red"], t["dark"], 3), (c.paper, t["sky"], 4), (t["snow"], t["sky"], 4),
        (t["red"], t["snow"], 3), (c.felt, c.paper, 5), (c.paper, c.paper_edge, 3), (c.paper_edge, c.felt, 4),
        (c.paper_edge, c.shadow, 4), (c.felt, c.gold, 6), (c.rich, c.gold_line, 3), (c.gold, c.gold_dark, 5),
        (c.gold_line, c.felt, 4), (c.paper, c.quiet, 4), (c.rail, c.rail_light, 4), (c.rail, c.room, 4),
        (c.rail, c.felt_dark, 3), (c.plate, c.text, 7), (c.plate, c.felt, 4), (c.plate, c.muted, 5),
        (c.plate, c.gold, 6), (c.plate, c.gain, 5), (c.plate, c.loss, 5), (c.felt, c.text, 6), (c.felt, c.muted, 5),
        (c.gold_dark, c.on_tiplu, 4), (c.plate, c.rail_light, 4), (c.rail_light, c.text, 4),
    )  # fmt: skip
    for back in c.backs:
        yield from ((back, mix(back, c.back_line, 0.6), 3), (back, c.back_line, 4), (back, c.paper, 4))


def _ramp(start: Colour, end: Colour, steps: int) -> dict[RGB, None]:
    """Return the colours from `start` to `end`, both included, as dictionary keys: ordered, no repeats."""
    a, b = rgb(start), rgb(end)
    mixes = ([a[i] + (b[i] - a[i]) * step / (steps - 1) for i in range(3)] for step in range(steps))
    return {(round(r), round(g), round(bl)): None for r, g, bl in mixes}


def rgb(colour: Colour) -> RGB:
    """Return the three channels of a colour."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return red, green, blue


def mix(start: Colour, end: Colour, part: float) -> Colour:
    """Return the colour that is `part` (0 to 1) of the way from `start` to `end`."""
    channels = (round(a + (b - a) * part) for a, b in zip(rgb(start), rgb(end), strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in channels)
