"""Open hands below a table: one row for each seat, each card overlapping the one before it."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from marriage.view import View
from render import words
from render.alt import open_hands_alt
from render.drawing.card_groups import look, strips
from render.drawing.cloth import Canvas, plain_indices
from render.drawing.deck import MARGIN, TINY
from render.drawing.png import png_of_lines
from render.drawing.text import drawable, fit, width
from render.picture import Picture
from render.style import DEFAULT, Style
from render.table_picture import WIDTH

_EDGE: Final = 16
_NAME: Final = 36
_NAME_HEIGHT: Final = 48
_GAP: Final = 10
_SHOWS: Final = 0.78
"""The greatest visible share of a covered card's width. It is less if all cards would not fit."""
ROW: Final = _NAME_HEIGHT + TINY.height + 2 * MARGIN + _GAP
"""The height of one seat's row."""


def draw_open_hands(view: View, names: Sequence[str], style: Style = DEFAULT) -> Picture:
    """Draw every known hand of the view, seat by seat; raises ValueError if there is none."""
    seats = known_seats(view)
    if not seats:
        raise ValueError("no hand of this view is known")
    lines = draw_hands(view, seats, names, style)
    return Picture(png_of_lines(lines, style.palette_bytes), open_hands_alt(view, names), WIDTH, lines.height)


def known_seats(view: View) -> tuple[int, ...]:
    """The seats whose cards the view knows."""
    return tuple(number for number, seat in enumerate(view.seats) if seat.concealed is not None)


def height(rows: int) -> int:
    """Return the height of this number of rows, in pixels."""
    return rows * ROW + _GAP if rows else 0


def draw_hands(view: View, seats: Sequence[int], names: Sequence[str], style: Style) -> Image.Image:
    """Draw the hands of these seats as palette indices after a column of zeros. `height` returns their height."""
    canvas = Canvas(Image.new("L", (WIDTH + 1, height(len(seats)))), style)
    colours = style.colours
    for row, seat in enumerate(seats):
        y = _GAP + row * ROW
        lit = seat == view.turn and view.sheet is None
        name = drawable(names[seat], words.say("word.seat", number=seat + 1))
        count = str(view.seats[seat].concealed_count)
        name = fit(name, WIDTH - 3 * _EDGE - width(count, _NAME), _NAME)
        middle = y + _NAME_HEIGHT / 2
        fill = colours.gold if lit else colours.text
        x = _EDGE + canvas.write((_EDGE, middle), name, _NAME, fill, colours.felt, anchor="lm")
        canvas.write((x + _EDGE, middle), count, _NAME, colours.muted, colours.felt, anchor="lm")
        _put_row(canvas, view, seat, y + _NAME_HEIGHT, style)
    return canvas.lines


def _put_row(canvas: Canvas, view: View, seat: int, top: int, style: Style) -> None:
    """Draw one hand. The drawn card is highlighted."""
    cards = view.seats[seat].concealed or ()
    came = view.drawn if seat == view.turn else None
    lit = cards.index(came) if came is not None and came in cards else None
    marks = tuple(look(card, view, lit=number == lit) for number, card in enumerate(cards))
    room = WIDTH - 2 * _EDGE - TINY.width
    step = min(round(_SHOWS * TINY.width), room // max(1, len(cards) - 1))
    x = _EDGE - MARGIN
    for sprite in strips(cards, marks, TINY, style, step):
        canvas.lay(plain_indices(sprite), x, top)
        x += sprite.width
