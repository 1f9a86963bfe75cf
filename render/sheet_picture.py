"""The picture of the score sheet: a plate for each seat with its items, its points and what it gains or pays."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from marriage.cards import Cards
from marriage.sheet import Ending, Item, Line, Sheet
from render import words
from render.alt import sheet_alt
from render.drawing import felt
from render.drawing.card_groups import finish_of, flow, group, looks
from render.drawing.deck import MARGIN, SMALL, TINY, card, to_palette
from render.drawing.faces import PLAIN
from render.drawing.text import draw_text, drawable, fit, width
from render.known import Ended
from render.picture import Picture, finish
from render.style import DEFAULT, Style

WIDTH: Final = 1100
_EDGE: Final = 20
_PAD: Final = 22
_HEAD: Final = 132
_TITLE: Final = 44
_NAME: Final = 44
_NET: Final = 64
_TEXT: Final = 32
_CHIP: Final = TINY.height + 2 * MARGIN
_CHIP_GAP: Final = 30
_FINISH: Final = _CHIP + 14


@dataclass(frozen=True, slots=True)
class _Row:
    """One seat's plate, measured before it is drawn."""

    name: str
    line: Line
    total: int | None
    winner: bool
    chips: tuple[tuple[Item, ...], ...]
    finish: tuple[Cards, ...]
    """The sets with which it finished; empty for all others."""

    @property
    def height(self) -> int:
        return 84 + _FINISH * bool(self.finish) + sum(map(_chip_height, self.chips)) + 54


def draw_sheet(
    view: Ended,
    names: Sequence[str],
    totals: Sequence[int] | None = None,
    style: Style = DEFAULT,
) -> Picture:
    """The score sheet of a finished deal; raises ValueError before the end.

    It shows the winner's sets if they are known, and the running totals by seat if they are given.
    """
    alt = sheet_alt(view, names)
    rows = _rows(view, names, totals)
    height = _HEAD + sum(row.height + 14 for row in rows) + _EDGE - 14
    canvas = felt.plain(WIDTH, height, style)
    _draw_head(canvas, view, [row.name for row in rows], style)
    y = _HEAD
    for row in rows:
        _draw_row(canvas, row, y, view, style)
        y += row.height + 14
    return finish(to_palette(canvas, style), alt)


def _rows(view: Ended, names: Sequence[str], totals: Sequence[int] | None) -> list[_Row]:
    sheet = view.sheet
    if sheet is None:
        raise ValueError("the deal is not over: there is no sheet")
    rows: list[_Row] = []
    for seat, (name, line) in enumerate(zip(names, sheet.lines, strict=True)):
        called = drawable(name, words.say("word.seat", number=seat + 1))
        total = None if totals is None else totals[seat]
        winner = seat == sheet.winner
        rows.append(_Row(called, line, total, winner, _chip_lines(line), finish_of(view) if winner else ()))
    return rows


def _chip_lines(line: Line) -> tuple[tuple[Item, ...], ...]:
    widths = [_chip_width(item) for item in line.items]
    if not widths:
        return ()
    lines = flow(widths, WIDTH - 2 * (_EDGE + _PAD), _CHIP_GAP)
    return tuple(tuple(line.items[index] for index in indices) for indices in lines)


def _chip_height(chips: tuple[Item, ...]) -> int:
    return _CHIP + 8 if any(item.cards for item in chips) else _TEXT + 14


def _chip_width(item: Item) -> int:
    cards = group(item.cards, (PLAIN,) * len(item.cards), TINY, DEFAULT).width if item.cards else 0
    words_width = width(words.say(f"item.{item.what}"), _TEXT, "SemiBold") + width(_points(item), _TEXT)
    return round(words_width) + cards + 24


def _points(item: Item) -> str:
    return words.decimal(item.points, 0)


def _draw_head(canvas: Image.Image, view: Ended, names: Sequence[str], style: Style) -> None:
    draw = ImageDraw.Draw(canvas)
    colours = style.colours
    right = WIDTH - _EDGE
    if view.tiplu is not None:
        sprite = card(view.tiplu, SMALL, style)
        canvas.paste(sprite, (right - sprite.width, 12), sprite)
        right -= sprite.width + 14
        right -= (
            draw_text(draw, (right, _HEAD / 2), words.say("word.tiplu"), _TEXT, colours.muted, anchor="rm")
            + 20
        )
    first, second = _title(view.sheet, names)
    if view.dublee_game:
        second = f"{second} · {words.say('word.dublee_game')}"
    most = right - _EDGE - _PAD
    draw_text(draw, (_EDGE + _PAD, 46), fit(first, round(most), _TITLE), _TITLE, colours.gold, anchor="lm")
    second = fit(second, round(most), _TEXT, "SemiBold")
    draw_text(draw, (_EDGE + _PAD, 96), second, _TEXT, colours.text, weight="SemiBold", anchor="lm")


def _title(sheet: Sheet | None, names: Sequence[str]) -> tuple[str, str]:
    if sheet is None or sheet.winner is None:
        return words.say("word.dismissed"), words.say("word.nobody")
    how = "dublees" if sheet.ending is Ending.DUBLEES else "groups"
    key = f"word.finish_{how}_times" if sheet.factor > 1 else f"word.finish_{how}"
    return names[sheet.winner], words.say(key, factor=sheet.factor)


def _draw_row(canvas: Image.Image, row: _Row, y: int, view: Ended, style: Style) -> None:
    colours = style.colours
    line = row.line
    felt.plate(canvas, (_EDGE, y, WIDTH - _EDGE, y + row.height), style, rim=1 if row.winner else None)
    draw = ImageDraw.Draw(canvas)
    left, right = _EDGE + _PAD, WIDTH - _EDGE - _PAD
    net = words.signed(line.net)
    fill = colours.gain if line.net > 0 else colours.loss if line.net < 0 else colours.text
    draw_text(draw, (right, y + 46), net, _NET, fill, anchor="rm")
    standing = words.say("word.winner" if row.winner else f"status.{line.status}")
    room = right - left - width(net, _NET) - width(standing, _TEXT) - 60
    name = fit(row.name, round(room), _NAME)
    x = left + draw_text(draw, (left, y + 44), name, _NAME, colours.text, anchor="lm") + 22
    draw_text(draw, (x, y + 46), standing, _TEXT, colours.gold if row.winner else colours.muted, anchor="lm")
    top = y + 84
    if row.finish:
        _draw_finish(canvas, row.finish, left, top, view, style)
        top += _FINISH
    for chips in row.chips:
        _draw_chips(canvas, chips, left, top, view, style)
        top += _chip_height(chips)
    draw_text(draw, (left, top + 20), _sums(line), _TEXT, colours.muted, weight="SemiBold", anchor="lm")
    if row.total is not None:
        text = words.say("word.total", points=words.signed(row.total))
        draw_text(draw, (right, top + 20), text, _TEXT, colours.text, anchor="rm")


def _draw_finish(
    canvas: Image.Image, finish: tuple[Cards, ...], left: int, top: int, view: Ended, style: Style
) -> None:
    """The seven groups or eight dublees of the winner in one line."""
    sprites = [group(cards, looks(cards, view), TINY, style) for cards in finish]
    room = WIDTH - _EDGE - _PAD - left - sum(sprite.width for sprite in sprites)
    gap = min(_CHIP_GAP, room // max(1, len(sprites) - 1))
    x = left - MARGIN
    for sprite in sprites:
        canvas.paste(sprite, (x, top), sprite)
        x += sprite.width + gap


def _draw_chips(
    canvas: Image.Image, chips: tuple[Item, ...], left: int, top: int, view: Ended, style: Style
) -> None:
    """What was counted: the word, the cards, the points."""
    draw = ImageDraw.Draw(canvas)
    x: float = left
    middle = top + (_chip_height(chips) - 8) / 2
    for item in chips:
        word = words.say(f"item.{item.what}")
        x += (
            draw_text(draw, (x, middle), word, _TEXT, style.colours.text, weight="SemiBold", anchor="lm") + 10
        )
        if item.cards:
            sprite = group(item.cards, looks(item.cards, view), TINY, style)
            canvas.paste(sprite, (round(x), top), sprite)
            x += sprite.width + 8
        x += draw_text(draw, (x, middle), _points(item), _TEXT, style.colours.gold, anchor="lm") + _CHIP_GAP


def _sums(line: Line) -> str:
    parts = [
        words.say("word.points", points=line.points),
        words.say("word.maal", points=words.signed(line.maal)),
    ]
    parts.append(words.say("word.payment", points=words.signed(line.payment)))
    if line.foul:
        parts.append(words.say("word.foul", points=words.signed(line.foul)))
    return "  ·  ".join(parts)
