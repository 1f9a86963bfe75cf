"""Hands that lie open below a table: one row a seat, each card overlapping the one before it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final

from PIL import Image, ImageDraw

from marriage.cards import Cards
from marriage.view import View
from render import words
from render.alt import open_hands_alt
from render.drawing import deck, felt
from render.drawing.card_groups import look
from render.drawing.deck import MARGIN, SMALL
from render.drawing.text import draw_text, drawable, fit, width
from render.picture import Picture, finish
from render.style import DEFAULT, Style

WIDTH: Final = 1100
_EDGE: Final = 16
_NAME: Final = 36
_NAME_HEIGHT: Final = 48
_GAP: Final = 10
_TEN: Final = 9
_WIDER: Final = 8
_SHOWS: Final = 0.78
"""The most of a covered card that shows, of its width; less where all would not fit."""
ROW: Final = _NAME_HEIGHT + SMALL.height + 2 * MARGIN + _GAP
"""The height of one seat's row."""


def draw_open_hands(view: View, names: Sequence[str], style: Style = DEFAULT) -> Picture:
    """Every hand that the view knows, seat by seat; raises ValueError where it knows none."""
    seats = known_seats(view)
    if not seats:
        raise ValueError("no hand of this view is known")
    canvas = felt.plain(WIDTH, height(len(seats)), style)
    put_hands(canvas, view, seats, names, style)
    return finish(deck.to_palette(canvas, style), open_hands_alt(view, names))


def known_seats(view: View) -> tuple[int, ...]:
    """The seats whose cards the view knows."""
    return tuple(number for number, seat in enumerate(view.seats) if seat.concealed is not None)


def height(rows: int) -> int:
    """How high so many rows are, in pixels."""
    return rows * ROW + _GAP if rows else 0


def put_hands(
    canvas: Image.Image,
    view: View,
    seats: Sequence[int],
    names: Sequence[str],
    style: Style,
    top: int = 0,
) -> None:
    """Put the hands of these seats on an RGB canvas of this width, from `top` down: `height` says how far."""
    draw = ImageDraw.Draw(canvas)
    for row, seat in enumerate(seats):
        y = top + _GAP + row * ROW
        lit = seat == view.turn and view.sheet is None
        fill = style.colours.gold if lit else style.colours.text
        name = drawable(names[seat], words.say("word.seat", number=seat + 1))
        count = str(view.seats[seat].concealed_count)
        most = WIDTH - 3 * _EDGE - width(count, _NAME)
        x = _EDGE + draw_text(
            draw, (_EDGE, y + _NAME_HEIGHT / 2), fit(name, most, _NAME), _NAME, fill, anchor="lm"
        )
        draw_text(draw, (x + _EDGE, y + _NAME_HEIGHT / 2), count, _NAME, style.colours.muted, anchor="lm")
        _put_row(canvas, view, seat, _EDGE, y + _NAME_HEIGHT, style)


def _put_row(canvas: Image.Image, view: View, seat: int, left: int, top: int, style: Style) -> None:
    """One hand; the card that just came shines."""
    cards = view.seats[seat].concealed or ()
    came = view.drawn if seat == view.turn else None
    lit = cards.index(came) if came is not None and came in cards else None
    places = _places(cards)
    for number, (card, x) in enumerate(zip(cards, places, strict=True)):
        shown = look(card, view, lit=number == lit)
        if number + 1 < len(cards):
            shown = replace(shown, shows=(places[number + 1] - x) / SMALL.width)
        sprite = deck.card(card, SMALL, style, shown)
        canvas.paste(sprite, (left - MARGIN + x, top), sprite)


def _places(cards: Cards) -> list[int]:
    """Where each card begins. A ten, whose rank is the widest, shows a little more of itself."""
    wider = [_WIDER * (card.is_pack and card.rank == _TEN) for card in cards[:-1]]
    room = WIDTH - 2 * _EDGE - SMALL.width - sum(wider)
    step = min(round(_SHOWS * SMALL.width), room // max(1, len(wider)))
    return [0, *accumulate(step + more for more in wider)][: len(cards)]
