"""The contents of a seat's plate: icons as stamps, for the table's picture and the strip above a hand."""

from typing import Final, Literal

from PIL import Image

from render.drawing import felt, icons
from render.drawing.cloth import Canvas, Stamp, plain_indices, stamped_on
from render.drawing.deck import to_palette
from render.drawing.memory import MEGABYTE, once
from render.style import Colour, Style, index_of

IconName = Literal["hand", "eye", "dealer"]
_ICONS: Final = {"hand": icons.hand, "eye": icons.eye, "dealer": icons.dealer}


def put_icon(canvas: Canvas, name: IconName, x: float, middle: float, style: Style) -> int:
    """Draw an icon with its left edge at `x` on a plate; returns its width."""
    stamp = icon(name, style)
    canvas.put(stamp, round(x), round(middle - stamp.image.height / 2))
    return stamp.image.width


@once(MEGABYTE)
def icon(name: IconName, style: Style) -> Stamp:
    """An icon on a plate."""
    sprite = _ICONS[name](style)
    ground = Image.new("L", sprite.size, index_of(style.colours.plate, style))
    return stamped_on(ground, lambda canvas: canvas.paste(sprite, (0, 0), sprite), style)


@once(4 * MEGABYTE)
def plate_on(ground: Colour, width: int, height: int, style: Style, *, lit: bool) -> Image.Image:
    """An empty plate with room for its rim on every side, as palette indices."""
    canvas = Image.new("RGB", (width + 2 * felt.RIM, height + 2 * felt.RIM), ground)
    box = (felt.RIM, felt.RIM, felt.RIM + width, felt.RIM + height)
    felt.plate(canvas, box, style, rim=1 if lit else None)
    return plain_indices(to_palette(canvas, style))
