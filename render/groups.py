"""Laid sets: each a small fan of cards whose left edges show; several of them flow into lines."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PIL import Image

from marriage.cards import Card, Cards
from marriage.maal import role
from marriage.view import SeatView, View
from render.sprites import MARGIN, Look, Size, card, once
from render.style import Style

Looks = tuple[Look, ...]
_SHOWS: Final = 0.70
"""How much of a covered card shows, of its width."""
_COPY_SHOWS: Final = 0.22
"""The same where the card above it is another copy of the same face."""


def looks(cards: Cards, view: View) -> Looks:
    """The look of each card, with its badge where the viewer knows the tiplu."""
    return tuple(look(face, view) for face in cards)


def look(face: Card, view: View, *, lit: bool = False) -> Look:
    """The look of one card."""
    known = None if view.tiplu is None else role(face, view.tiplu, view.rules)
    return Look(known, lit)


@once
def group(cards: Cards, marks: Looks, size: Size, style: Style) -> Image.Image:
    """One group as an RGBA sprite."""
    places = _places(cards, size)
    whole = Image.new("RGBA", (places[-1] + size.width + 2 * MARGIN, size.height + 2 * MARGIN))
    for face, mark, x in zip(cards, marks, places, strict=True):
        whole.alpha_composite(card(face, size, style, mark), (x, 0))
    return whole


def _places(cards: Cards, size: Size) -> list[int]:
    places = [0]
    for before, after in pairwise(cards):
        places.append(places[-1] + round(size.width * (_COPY_SHOWS if before == after else _SHOWS)))
    return places


def flow(widths: Sequence[int], most: int, gap: int) -> list[list[int]]:
    """The indices of things of these widths, line by line, where a line is at most so wide."""
    lines: list[list[int]] = [[]]
    x = 0
    for index, width in enumerate(widths):
        if lines[-1] and x + width > most:
            lines.append([])
            x = 0
        lines[-1].append(index)
        x += width + gap
    return lines


def open_groups(seat: SeatView) -> tuple[Cards, ...]:
    """The laid groups of a seat without its exposed tunnelas."""
    return tuple(laid for laid in seat.laid if not _is_exposed(laid, seat))


def tunnelas(seat: SeatView) -> tuple[Cards, ...]:
    """The exposed tunnelas of a seat as groups of three."""
    return tuple((face,) * 3 for face in seat.exposed)


def _is_exposed(laid: Cards, seat: SeatView) -> bool:
    return len(laid) == 3 and laid[0] in seat.exposed and len(set(laid)) == 1
