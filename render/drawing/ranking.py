"""Shared parts of the leaderboard, the standings and the profile: the heading, the places and the names."""

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from league.results import Player
from render import words
from render.drawing.memory import MEGABYTE, once
from render.drawing.text import draw_text, drawable, fit, width
from render.style import Style

WIDTH: Final = 1000
"""The width. It is displayed at 400 pixels on a phone, where 30 pixels of type are the smallest legible size."""
EDGE: Final = 20
HEAD: Final = 88
_TITLE: Final = 50
_ASIDE: Final = 34
_PLACE: Final = 34
_DISC: Final = 50
_SCALE: Final = 4


def heading(canvas: Image.Image, title: str, aside: str, style: Style) -> None:
    """Draw the title at the left in gold, and its subject at the right."""
    draw = ImageDraw.Draw(canvas)
    right = WIDTH - EDGE - 12
    aside = fit(aside, (WIDTH - 2 * EDGE) // 2, _ASIDE, "SemiBold")
    draw_text(draw, (right, HEAD / 2), aside, _ASIDE, style.colours.muted, weight="SemiBold", anchor="rm")
    room = right - 2 * EDGE - round(width(aside, _ASIDE, "SemiBold")) - 24
    draw_text(
        draw,
        (EDGE + 12, HEAD / 2),
        fit(drawable(title, "·"), room, _TITLE),
        _TITLE,
        style.colours.gold,
        anchor="lm",
    )


def flowed(notes: Sequence[str], size: int) -> list[str]:
    """Arrange notes in as few lines of this picture as possible."""
    lines: list[str] = []
    most = WIDTH - 2 * EDGE - 24
    for note in notes:
        longer = f"{lines[-1]} · {note}" if lines else note
        if lines and width(longer, size) <= most:
            lines[-1] = longer
        else:
            lines.append(fit(note, most, size))
    return lines


def named(player: Player, name: str) -> str:
    """Return a drawable name. If nothing of it can be drawn, return another label for the player."""
    return drawable(name, words.say("rank.player", number=player % 1000))


def put_place(canvas: Image.Image, middle: tuple[int, int], place: int | None, style: Style) -> None:
    """Draw a place: the first three on a disc of gold, silver and bronze, and a question mark for none."""
    x, y = middle
    if place in {1, 2, 3}:
        disc = _disc(place, style)
        canvas.paste(disc, (x - disc.width // 2, y - disc.height // 2), disc)
    text, fill = ("?", style.colours.muted) if place is None else (str(place), _on_place(place, style))
    size = _PLACE if len(text) < 4 else _PLACE - 5
    draw_text(ImageDraw.Draw(canvas), (x, y), text, size, fill, anchor="mm")


def _on_place(place: int, style: Style) -> str:
    colours = style.colours
    return {1: colours.gold_dark, 2: colours.plate}.get(place, colours.text)


@once(MEGABYTE)
def _disc(place: int, style: Style) -> Image.Image:
    colours = style.colours
    fill = {1: colours.gold, 2: colours.muted, 3: colours.rail_light}[place]
    side = _DISC * _SCALE
    image = Image.new("RGBA", (side, side))
    ImageDraw.Draw(image).ellipse((0, 0, side - 1, side - 1), fill=fill)
    return image.reduce(_SCALE)
