"""The hand: what a player looks at for an hour. Large cards in rows, the drawn card apart, open sets below."""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from PIL import Image, ImageDraw

from marriage.cards import Card, Cards, sort_cards, without
from marriage.view import View
from render import words
from render.alt import hand_alt
from render.groups import flow, group, look, looks, open_groups, tunnelas
from render.picture import Picture, finish
from render.sprites import BIG, MARGIN, PLAIN, SMALL, flatten, on_felt, once
from render.style import DEFAULT, Colour, Style
from render.text import draw_text, width

WIDTH: Final = 1100
COLUMNS: Final = 7
_PITCH: Final = BIG.width + 2 * MARGIN
_LINE: Final = BIG.height + 2 * MARGIN + 6
_EDGE: Final = 14
_SUIT_GAP: Final = 18
_DRAWN_GAP: Final = 34
_GROUP_GAP: Final = 16
_LABEL: Final = 32
_LABEL_HEIGHT: Final = 46


def draw_hand(view: View, style: Style = DEFAULT) -> Picture:
    """The viewer's own cards; raises ValueError for a spectator's view."""
    plan = _plan(view, style)
    canvas = Image.new("P", (WIDTH, plan.bottom + _EDGE), _felt(style))
    canvas.putpalette(style.palette.getpalette() or [])
    for sprite, at in plan.placed:
        canvas.paste(sprite, at)
    return finish(canvas, hand_alt(view))


@dataclass(slots=True)
class _Plan:
    """Where each sprite goes, and how far down the picture reaches."""

    placed: list[tuple[Image.Image, tuple[int, int]]] = field(default_factory=list)
    bottom: int = 0

    def put(self, sprite: Image.Image, x: int, y: int) -> None:
        """Place a sprite."""
        self.placed.append((sprite, (x, y)))
        self.bottom = max(self.bottom, y + sprite.height)


def _plan(view: View, style: Style) -> _Plan:
    concealed = view.own.concealed or ()
    drawn = view.drawn if view.drawn in concealed else None
    held = sort_cards(concealed) if drawn is None else without(concealed, (drawn,))
    plan = _Plan(bottom=_EDGE)
    rows = rows_of(held)
    for index, row in enumerate(rows):
        _put_row(plan, row, _EDGE + index * _LINE, view, style)
    left, top = _after_rows(rows)
    if drawn is not None:
        left, top = _put_drawn(plan, drawn, left, top, view, style)
    _put_open_sets(plan, left, top, view, style)
    return plan


def _after_rows(rows: list[Cards]) -> tuple[int, int]:
    """Where the last row goes on after a gap."""
    if not rows:
        return _EDGE, _EDGE
    return _EDGE + _offsets(rows[-1])[-1] + _PITCH + _DRAWN_GAP, _EDGE + (len(rows) - 1) * _LINE


def rows_of(cards: Cards) -> list[Cards]:
    """Sorted cards in rows; a full hand is three rows of seven."""
    return [cards[start : start + COLUMNS] for start in range(0, len(cards), COLUMNS)]


def _offsets(row: Cards) -> list[int]:
    """Where the cards of a row stand, with a small gap between suits."""
    places = [0]
    for before, after in pairwise(row):
        places.append(places[-1] + _PITCH + _SUIT_GAP * (_kind(before) != _kind(after)))
    return places


def _kind(card: Card) -> int:
    return card.suit if card.is_pack else 4


def _put_row(plan: _Plan, row: Cards, y: int, view: View, style: Style) -> None:
    places = _offsets(row)
    for card, x in zip(row, places, strict=True):
        plan.put(on_felt(card, BIG, style, look(card, view)), _EDGE + x, y)


def _put_drawn(plan: _Plan, drawn: Card, left: int, top: int, view: View, style: Style) -> tuple[int, int]:
    """The card that just came, after the last row or below it; returns where its row goes on."""
    if left + _PITCH + _EDGE > WIDTH:
        left, top = _EDGE, top + _LINE
    plan.put(on_felt(drawn, BIG, style, look(drawn, view, lit=True)), left, top)
    label = _label(words.TAKEN if view.taken == drawn else words.DRAWN, style.colours.gold, style)
    left += _PITCH + 10
    if left + label.width <= WIDTH:
        plan.put(label, left, top + (_LINE - label.height) // 2)
    return left + label.width + _DRAWN_GAP, top


def _put_open_sets(plan: _Plan, left: int, top: int, view: View, style: Style) -> None:
    """The tiplu and what lies open before the player, small: in the last row if it has room for all."""
    pieces = _pieces(view, style)
    widths = [piece.width for _, piece in pieces]
    beside = sum(widths) + _GROUP_GAP * len(widths) <= WIDTH - _EDGE - left
    x_start, y = (left, top) if beside else (_EDGE, plan.bottom + 6)
    for line in flow(widths, WIDTH - _EDGE - x_start, _GROUP_GAP):
        x = x_start
        labelled = any(pieces[index][0] for index in line)
        below = y + _LABEL_HEIGHT * labelled
        for label, piece in (pieces[index] for index in line):
            if label:
                plan.put(_label(label, style.colours.text, style), x + MARGIN, y)
            plan.put(piece, x, below)
            x += piece.width + _GROUP_GAP
        y = below + SMALL.height + 2 * MARGIN + 6


def _pieces(view: View, style: Style) -> list[tuple[str, Image.Image]]:
    """The small groups, the first of each kind with its label."""
    pieces: list[tuple[str, Image.Image]] = []
    kinds = (
        (words.TIPLU, () if view.tiplu is None else ((view.tiplu,),)),
        (words.SHOWN, open_groups(view.own)),
        (words.TUNNELA, tunnelas(view.own)),
    )
    for label, groups in kinds:
        for number, cards in enumerate(groups):
            marks = looks(cards, view) if label != words.TIPLU else (PLAIN,)
            sprite = _group_on_felt(cards, marks, style)
            pieces.append(("" if number else label, sprite))
    return pieces


@once(256)
def _group_on_felt(cards: Cards, marks: tuple, style: Style) -> Image.Image:
    return flatten(group(cards, marks, SMALL, style), style)


@once(256)
def _label(text: str, colour: Colour, style: Style) -> Image.Image:
    """A word on felt."""
    size = (round(width(text, _LABEL)) + 2, _LABEL_HEIGHT)
    image = Image.new("RGBA", size)
    draw_text(ImageDraw.Draw(image), (0, _LABEL_HEIGHT / 2), text, _LABEL, colour, anchor="lm")
    return flatten(image, style)


@once(256)
def _felt(style: Style) -> int:
    """The felt's place in the palette."""
    return flatten(Image.new("RGBA", (1, 1)), style).getpixel((0, 0))  # pyright: ignore[reportReturnType]
