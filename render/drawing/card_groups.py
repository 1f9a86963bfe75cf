"""Laid sets, each drawn as a small fan of cards whose left edges show. Several sets flow into lines."""

from collections.abc import Sequence
from typing import Final

from PIL import Image

from marriage.cards import Card, Cards
from marriage.groups import in_order, wilds_for
from marriage.maal import role
from marriage.view import SeatView
from render.drawing.deck import MARGIN, blank, card, flatten
from render.drawing.faces import Look, Size, bare
from render.drawing.memory import MEGABYTE, once, once_deflated
from render.known import Ended, Known
from render.style import Style

Looks = tuple[Look, ...]
_ACE, _TWO, _KING = 0, 1, 12
_SHOWS: Final = 0.66
"""The visible share of a covered card's width."""
_LONGEST: Final = 4.2
"""The greatest width of a fan, in cards. In longer runs the cards lie closer together."""
_COPY_SHOWS: Final = 0.14
"""The visible share of a covered copy of the same face."""


def looks(cards: Cards, view: Known) -> Looks:
    """Return the look of each card, with its badge if the viewer knows the tiplu."""
    return tuple(look(face, view) for face in cards)


def look(face: Card, view: Known, *, lit: bool = False, mark: int = 0) -> Look:
    """The look of one card."""
    known = None if view.tiplu is None else role(face, view.tiplu, view.rules)
    return Look(known, lit, mark)


@once_deflated(4 * MEGABYTE)
def group(cards: Cards, marks: Looks, size: Size, style: Style) -> Image.Image:
    """One group as an RGBA sprite."""
    laid = list(zip(cards, marks, _places(cards, size), strict=True))
    return _laid(laid[::-1] if _is_stack(cards) else laid, size, style)


def group_width(cards: Cards, size: Size) -> int:
    """Return the width of a group's sprite."""
    return max(_places(cards, size)) + size.width + 2 * MARGIN


def fan(cards: Cards, marks: Looks, size: Size, style: Style, step: int) -> Image.Image:
    """Draw cards of a hand as an RGBA sprite, each `step` pixels to the right of the one that it partly covers."""
    places = [number * step for number in range(len(cards))]
    return _laid(list(zip(cards, _in_fan(marks, size, step), places, strict=True)), size, style)


def strips(cards: Cards, marks: Looks, size: Size, style: Style, step: int) -> tuple[Image.Image, ...]:
    """Draw the same on felt, as strips next to each other.

    A strip ends where the next card begins. Apart from its own card it depends only on the blank paper of its
    neighbours, so most other fans contain it as well and it can be cached.
    """
    shown = _in_fan(marks, size, step)
    papers = [None, *map(bare, shown), None]
    return tuple(
        _strip(face, mark, size, style, step, papers[number], papers[number + 2])
        for number, (face, mark) in enumerate(zip(cards, shown, strict=True))
    )


def _in_fan(marks: Looks, size: Size, step: int) -> Looks:
    """Return the looks for cards of which each but the last shows `step` pixels."""
    return (*(mark._replace(shows=step / size.width) for mark in marks[:-1]), *marks[-1:])


@once(24 * MEGABYTE)
def _strip(
    face: Card, mark: Look, size: Size, style: Style, step: int, before: Look | None, after: Look | None
) -> Image.Image:
    """Draw a card of a fan from its left edge to that of the next one, above the previous card and below the next one's shadow."""
    height = size.height + 2 * MARGIN
    right = size.width + 2 * MARGIN if after is None else step + MARGIN
    whole = Image.new("RGBA", (right, height))
    if before is not None:
        whole.alpha_composite(blank(size, style, before), (0, 0), (step, 0))
    whole.alpha_composite(card(face, size, style, mark), (0, 0), (0, 0, right, height))
    if after is not None:
        whole.alpha_composite(blank(size, style, after), (step, 0), (0, 0, MARGIN, height))
    return flatten(whole.crop((0 if before is None else MARGIN, 0, right, height)), style)


def _laid(laid: Sequence[tuple[Card, Look, int]], size: Size, style: Style) -> Image.Image:
    """Draw cards at their places, each on top of the one before."""
    right = max(x for _, _, x in laid)
    whole = Image.new("RGBA", (right + size.width + 2 * MARGIN, size.height + 2 * MARGIN))
    for face, mark, x in laid:
        whole.alpha_composite(card(face, size, style, mark), (x, 0))
    return whole


def _places(cards: Cards, size: Size) -> list[int]:
    shows = _COPY_SHOWS if _is_stack(cards) else min(_SHOWS, _LONGEST / len(cards))
    step = int(size.width * shows)
    return [number * step for number in range(len(cards))]


def _is_stack(cards: Cards) -> bool:
    """Return whether the cards are copies of one face.

    They form a stack, with the first on top and the others' edges at its right.
    """
    return len(set(cards)) == 1


def flow(widths: Sequence[int], most: int, gap: int) -> list[list[int]]:
    """Break items of these widths into lines of at most `most` pixels; returns their indices line by line."""
    lines: list[list[int]] = [[]] if widths else []
    x = 0
    for index, width in enumerate(widths):
        if lines[-1] and x + width > most:
            lines.append([])
            x = 0
        lines[-1].append(index)
        x += width + gap
    return lines


def balanced(widths: Sequence[int], most: int, gap: int) -> list[list[int]]:
    """Do the same with equally few lines, all of about the same length."""
    lines = flow(widths, most, gap)
    for narrower in range(most, 0, -10):
        tried = flow(widths, narrower, gap)
        if len(tried) > len(lines):
            break
        lines = tried
    return lines


def open_groups(seat: SeatView) -> tuple[Cards, ...]:
    """The laid groups of a seat without its exposed tunnelas."""
    return tuple(ace_high(laid) for laid in seat.laid if not _is_exposed(laid, seat))


def ace_high(cards: Cards) -> Cards:
    """Return the group with its ace at the end if it belongs there (Q K A), because sorted cards have it first."""
    ranks = [card.rank for card in cards if card.is_pack]
    if _ACE in ranks and _KING in ranks and _TWO not in ranks:
        return tuple(sorted(cards, key=lambda card: card.is_pack and card.rank == _ACE))
    return cards


def finish_of(end: Ended) -> tuple[Cards, ...]:
    """Return the sets of the winner in reading order."""
    wilds = wilds_for(end.tiplu, end.rules)
    return tuple(ace_high(in_order(cards, wilds)) for cards in end.finish)


def tunnelas(seat: SeatView) -> tuple[Cards, ...]:
    """The exposed tunnelas of a seat as groups of three."""
    return tuple((face,) * 3 for face in seat.exposed)


def _is_exposed(laid: Cards, seat: SeatView) -> bool:
    return len(laid) == 3 and laid[0] in seat.exposed and len(set(laid)) == 1
