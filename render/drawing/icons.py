"""Icons: the eye of a player who has seen, the dealer's disc, the backs of cards in hand, and the direction arrows."""

from typing import Final, Literal

from PIL import Image, ImageDraw

from render import words
from render.drawing import felt, shapes
from render.drawing.cloth import Canvas, Stamp, plain_indices, stamped_on
from render.drawing.deck import to_palette
from render.drawing.faces import Size
from render.drawing.fonts import font
from render.drawing.memory import MEGABYTE, once
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
    """An open eye."""
    colours = style.colours
    side = _EYE * _SCALE
    image = Image.new("RGBA", (side, side))
    draw = ImageDraw.Draw(image)
    draw.polygon(shapes.place(shapes.EYE, 0, 0, side - 1), fill=colours.gold)
    for radius, fill in ((0.19, colours.plate), (0.07, colours.gold)):
        low, high = (0.5 - radius) * side, (0.5 + radius) * side
        draw.ellipse((low, low, high, high), fill=fill)
    return image.reduce(_SCALE)


@once(MEGABYTE)
def dealer(style: Style) -> Image.Image:
    """The dealer's disc."""
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
