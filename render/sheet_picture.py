"""Pictures of the end of a deal: the public result, and the score sheet with all cards and items.

Both are narrow enough for a message on a phone, where they are displayed some 300 pixels wide.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from PIL import Image

from marriage.cards import Cards
from marriage.sheet import Ending, Sheet, SheetLine, What
from marriage.view import SeatView
from render import words
from render.alt import sheet_alt
from render.drawing.cloth import RIM, Canvas, plain_indices
from render.drawing.deck import (
    ASIDE,
    MARGIN,
    TINY,
    Looks,
    finish_of,
    flow,
    group,
    looks,
    on_felt,
    open_groups,
    to_palette,
    tunnelas,
)
from render.drawing.faces import Size
from render.drawing.icons import chip, plate_on
from render.drawing.memory import MEGABYTE, once
from render.drawing.png import png_of_lines
from render.drawing.text import drawable, fit, width
from render.hand_layout import suits_of
from render.picture import Ended, Picture
from render.style import DEFAULT, Colour, Style

WIDTH: Final = 560
MOST_BYTES: Final = 45_000
_EDGE: Final = 12
_PAD: Final = 16
_INNER: Final = WIDTH - 2 * (_EDGE + _PAD)
_GAP: Final = 10
"""The gap within a piece."""
_BELOW: Final = 8
"""The gap below a line, and at the end of a plate."""
_APART: Final = 14
"""The gap between two pieces."""
_LEAST_HEAD: Final = 100
_HEAD_TOP: Final = 54
"""The top of the lines below the title."""
_HEAD_LINE: Final = 32
_TITLE: Final = 34
_NAME: Final = 31
_NET: Final = 46
_TEXT: Final = 24
_LINE: Final = 33
"""The height of a line of text."""
_TOP: Final = 46
"""The height of the line with name and net."""
_NAMELESS: Final = frozenset((What.MAN, What.MASTER))
"""Items whose cards need no name."""


@dataclass(frozen=True, slots=True)
class _Word:
    """A piece of text."""

    text: str
    fill: Colour

    @property
    def width(self) -> int:
        """The width in pixels."""
        return ceil(width(self.text, _TEXT))


_Part = _Word | Image.Image
"""A part of a line: text, or cards as palette indices."""
_Piece = Sequence[_Part]
"""Parts that stay together in one line."""


@dataclass(frozen=True, slots=True)
class _Row:
    """One seat's plate, measured before it is drawn."""

    name: str
    line: SheetLine
    winner: bool
    lines: tuple[tuple[_Piece, ...], ...]
    """The lines below the name."""

    @property
    def height(self) -> int:
        """The height of the plate."""
        return _TOP + sum(map(_height, self.lines)) + _BELOW


def draw_sheet(
    view: Ended,
    names: Sequence[str],
    totals: Sequence[int] | None = None,
    style: Style = DEFAULT,
) -> Picture:
    """Draw the score sheet of a finished deal: every card, item and payment.

    Raises ValueError before the end.

    It shows the cards of each seat as far as they are known, and the running totals by seat if they are
    given.
    """
    return _drawn(view, names, totals, style, _full)


def draw_result(
    view: Ended,
    names: Sequence[str],
    totals: Sequence[int] | None = None,
    style: Style = DEFAULT,
) -> Picture:
    """Draw the short score sheet: the winner's sets, and for each seat its gain, its maal and its running total.

    Its alt text is that of the whole sheet. Raises ValueError before the end.
    """
    return _drawn(view, names, totals, style, _short)


_Lines = Iterator[Sequence[_Piece]]
_LinesOf = Callable[[Ended, Sequence[str], int, int | None, Style], _Lines]
"""Returns a seat's plate, paragraph by paragraph, from the sheet, the names, the seat and its total."""


def _drawn(
    view: Ended, names: Sequence[str], totals: Sequence[int] | None, style: Style, lines_of: _LinesOf
) -> Picture:
    alt = sheet_alt(view, names, totals)
    rows = _rows(view, names, totals, style, lines_of)
    head = _head(view, [row.name for row in rows])
    height = head.height + sum(row.height + _GAP for row in rows) + _EDGE - _GAP
    canvas = Canvas(Image.new("L", (WIDTH + 1, height)), style)
    _put_head(canvas, head, view, style)
    y = head.height
    for row in rows:
        _put_row(canvas, row, y, style)
        y += row.height + _GAP
    return Picture(png_of_lines(canvas.lines, style.palette_bytes, MOST_BYTES), alt, WIDTH, height)


def _rows(
    view: Ended, names: Sequence[str], totals: Sequence[int] | None, style: Style, lines_of: _LinesOf
) -> list[_Row]:
    sheet = _sheet(view)
    called = [
        drawable(name, words.say("word.seat", number=seat + 1))
        for seat, (name, _) in enumerate(zip(names, sheet.lines, strict=True))
    ]
    rows: list[_Row] = []
    for seat, (name, line) in enumerate(zip(called, sheet.lines, strict=True)):
        total = None if totals is None else totals[seat]
        paragraphs = lines_of(view, called, seat, total, style)
        lines = tuple(line for paragraph in paragraphs for line in _flowing(paragraph))
        rows.append(_Row(name, line, seat == sheet.winner, lines))
    return rows


def _full(view: Ended, called: Sequence[str], seat: int, total: int | None, style: Style) -> _Lines:
    """Return the cards, the items, and how the gain is computed."""
    sheet = _sheet(view)
    line = sheet.lines[seat]
    from_whom = [name for name, other in zip(called, sheet.lines, strict=True) if _is_kidnapped(other)]
    yield _finish(view, style) if seat == sheet.winner else _hand(view, seat, style)
    yield [*_items(line, from_whom, view, style)]
    yield _sums(line, total, style)


def _short(view: Ended, _: Sequence[str], seat: int, total: int | None, style: Style) -> _Lines:
    """Return the winner's sets, and the most important figures."""
    sheet = _sheet(view)
    line = sheet.lines[seat]
    sets = _finish(view, style) if seat == sheet.winner else []
    yield [*sets, *_maal(line, style), *_foul(line, style), *_total(total, style)]


def _sheet(view: Ended) -> Sheet:
    if view.sheet is None:
        raise ValueError("the deal is not over: there is no sheet")
    return view.sheet


def _flowing(pieces: Sequence[_Piece]) -> Iterator[tuple[_Piece, ...]]:
    """Yield pieces in lines as wide as a plate."""
    for line in flow([*map(_width, pieces)], _INNER, _APART):
        yield tuple(pieces[index] for index in line)


def _width(piece: _Piece) -> int:
    return sum(part.width for part in piece) + _GAP * (len(piece) - 1)


def _height(line: Sequence[_Piece]) -> int:
    """Return the height of a line, including the space below it."""
    highest = max(
        (part.height for piece in line for part in piece if isinstance(part, Image.Image)), default=0
    )
    return max(_LINE, highest + _BELOW)


def _finish(view: Ended, style: Style) -> list[_Piece]:
    """Return the sets of the winner."""
    return [[_cards(cards, looks(cards, view), TINY, style)] for cards in finish_of(view)]


def _hand(view: Ended, seat: int, style: Style) -> list[_Piece]:
    """Return the cards of a seat that did not win: its sets on the table, then its hand by suit."""
    if seat >= len(view.seats):
        return []
    held = view.seats[seat]
    return [
        [chip(cards, looks(cards, view), _TEXT, style)]
        for cards in (*_laid(held), *suits_of(held.concealed or ()))
    ]


def _laid(held: SeatView) -> tuple[Cards, ...]:
    return (*tunnelas(held), *open_groups(held))


def _items(line: SheetLine, from_whom: Sequence[str], view: Ended, style: Style) -> Iterator[_Piece]:
    """Yield the counted items: the word, the cards, the points."""
    victims = iter(from_whom)
    if [item.what for item in line.items] == [What.COUNTED]:
        return  # a typed number: the line of figures contains it
    for item in line.items:
        word = words.say(f"item.{item.what}")
        if item.what is What.KIDNAPPED:
            word = words.say("word.kidnapped_from", name=fit(next(victims, "?"), _INNER // 2, _TEXT))
        parts: list[_Part] = (
            [] if item.what in _NAMELESS and item.cards else [_Word(word, style.colours.text)]
        )
        if item.cards:
            parts.append(chip(item.cards, looks(item.cards, view), _TEXT, style))
        yield [*parts, _Word(words.decimal(item.points, 0), style.colours.gold)]


def _is_kidnapped(line: SheetLine) -> bool:
    """Return whether the seat lost points to `unseen_maal`.

    The winner has an item for each such seat, in their order.
    """
    return any(item.what is What.UNSEEN for item in line.items)


def _sums(line: SheetLine, total: int | None, style: Style) -> list[_Piece]:
    """Return how the net is computed, and the running total."""
    parts = [
        words.say("word.difference", points=words.signed(line.maal)),
        words.say("word.finish", points=words.signed(line.payment)),
    ]
    pieces: list[_Piece] = [[_Word(part, style.colours.muted)] for part in parts]
    return [*_maal(line, style), *pieces, *_foul(line, style), *_total(total, style)]


def _maal(line: SheetLine, style: Style) -> Iterator[_Piece]:
    yield [_Word(words.say("word.hand_points", points=line.points), style.colours.muted)]


def _foul(line: SheetLine, style: Style) -> Iterator[_Piece]:
    if line.foul:
        yield [_Word(words.say("word.foul", points=words.signed(line.foul)), style.colours.muted)]


def _total(total: int | None, style: Style) -> Iterator[_Piece]:
    if total is not None:
        yield [_Word(words.say("word.total", points=words.signed(total)), style.colours.text)]


@once(8 * MEGABYTE)
def _cards(cards: Cards, marks: Looks, size: Size, style: Style) -> Image.Image:
    """Draw a set on a plate as palette indices."""
    sprite = group(cards, marks, size, style)
    ground = Image.new("RGB", sprite.size, style.colours.plate)
    ground.paste(sprite, (0, 0), sprite)
    return plain_indices(to_palette(ground, style))


@dataclass(frozen=True, slots=True)
class _Head:
    """The part above the plates, measured before it is drawn."""

    title: str
    lines: tuple[str, ...]

    @property
    def height(self) -> int:
        """The height in pixels."""
        return max(_LEAST_HEAD, _HEAD_TOP + len(self.lines) * _HEAD_LINE + _GAP)


def _tiplu_room() -> int:
    """Return the width of the tiplu and its word, including the space before them."""
    return ASIDE.width + 2 * MARGIN + ceil(width(words.say("word.tiplu"), _TEXT)) + 3 * _GAP


def _head(view: Ended, names: Sequence[str]) -> _Head:
    title, said = _title(view.sheet, names)
    if view.dublee_game:
        said = f"{said} · {words.say('word.dublee_game')}"
    most = WIDTH - 2 * _EDGE - _PAD - (0 if view.tiplu is None else _tiplu_room())
    parts = said.split(" ")
    lines = flow([ceil(width(part, _TEXT)) for part in parts], most, ceil(width(" ", _TEXT)))
    return _Head(fit(title, most, _TITLE), tuple(" ".join(parts[index] for index in line) for line in lines))


def _title(sheet: Sheet | None, names: Sequence[str]) -> tuple[str, str]:
    if sheet is None or sheet.winner is None:
        return words.say("word.dismissed"), words.say("word.nobody")
    how = "dublees" if sheet.ending is Ending.DUBLEES else "groups"
    key = f"word.finish_{how}_times" if sheet.factor > 1 else f"word.finish_{how}"
    return names[sheet.winner], words.say(key, factor=sheet.factor)


def _put_head(canvas: Canvas, head: _Head, view: Ended, style: Style) -> None:
    colours = style.colours
    left, right = _EDGE + _PAD, WIDTH - _EDGE
    if view.tiplu is not None:
        sprite = on_felt(view.tiplu, ASIDE, style)
        right -= sprite.width
        canvas.lay(plain_indices(sprite), right, (head.height - sprite.height) // 2)
        at = (right - _GAP, head.height / 2)
        canvas.write(at, words.say("word.tiplu"), _TEXT, colours.muted, colours.felt, anchor="rm")
    canvas.write((left, 34), head.title, _TITLE, colours.gold, colours.felt, anchor="lm")
    for number, line in enumerate(head.lines):
        at = (left, _HEAD_TOP + (number + 0.5) * _HEAD_LINE)
        canvas.write(at, line, _TEXT, colours.text, colours.felt, anchor="lm")


def _put_row(canvas: Canvas, row: _Row, y: int, style: Style) -> None:
    colours, line = style.colours, row.line
    plate = plate_on(colours.felt, WIDTH - 2 * _EDGE, row.height, style, lit=row.winner)
    canvas.lay(plate, _EDGE - RIM, y - RIM)
    left, right = _EDGE + _PAD, WIDTH - _EDGE - _PAD
    net = words.signed(line.net)
    fill = colours.gain if line.net > 0 else colours.loss if line.net < 0 else colours.text
    canvas.write((right, y + _TOP / 2), net, _NET, fill, colours.plate, anchor="rm")
    standing = words.say("word.winner" if row.winner else f"status.{line.status}")
    room = right - left - width(net, _NET) - width(standing, _TEXT) - 3 * _GAP
    name = fit(row.name, round(room), _NAME)
    x = (
        left
        + canvas.write((left, y + _TOP / 2), name, _NAME, colours.text, colours.plate, anchor="lm")
        + _GAP
    )
    fill = colours.gold if row.winner else colours.muted
    canvas.write((x, y + _TOP / 2), standing, _TEXT, fill, colours.plate, anchor="lm")
    top = y + _TOP
    for row_line in row.lines:
        _put_line(canvas, row_line, top, style)
        top += _height(row_line)


def _put_line(canvas: Canvas, line: Sequence[_Piece], top: int, style: Style) -> None:
    x, middle = _EDGE + _PAD, top + (_height(line) - _BELOW) / 2
    for piece in line:
        for part in piece:
            if isinstance(part, Image.Image):
                canvas.lay(part, x, round(middle - part.height / 2))
            else:
                canvas.write((x, middle), part.text, _TEXT, part.fill, style.colours.plate, anchor="lm")
            x += part.width + _GAP
        x += _APART - _GAP
