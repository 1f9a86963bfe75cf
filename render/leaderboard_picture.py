"""The picture of the leaderboard: a plate for each player, with their figure and its uncertainty."""

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from league.results import Player
from league.statistics.leaderboard import Board, BoardOrder, Standing
from render import words
from render.alt import sentences, short
from render.drawing import charts
from render.drawing.charts import EDGE, HEAD, WIDTH, flowed, heading, named, put_place
from render.drawing.cloth import plain, plate
from render.drawing.deck import to_palette
from render.drawing.text import draw_text, fit, width
from render.picture import Picture, finish
from render.style import DEFAULT, Colour, Style

_ROW: Final = 70
_GAP: Final = 8
_LABELS: Final = 40
"""The height of the line with the column names, and of each line of notes."""
_LABEL: Final = 30
_BREAK: Final = 34
"""The gap above the viewer's own line, which follows the page if the viewer is on another page."""
_NAME: Final = 40
_FIGURE: Final = 44
_SMALL: Final = 32
_PLACE_X: Final = EDGE + 42
_NAME_X: Final = EDGE + 84
_DEALS_X: Final = 522
_PLOT_X: Final = 548
_PLOT_END: Final = 700
_DEALS_LEAST: Final = 60
_POINTS_END: Final = 778
_FIGURE_X: Final = 838
_RIGHT: Final = WIDTH - EDGE - 22


def draw_leaderboard(
    board: Board, first: int, count: int, viewer: Player | None = None, style: Style = DEFAULT
) -> Picture:
    """Draw at most `count` lines from index `first` on.

    The viewer's own line is marked, and added below if it is elsewhere.
    """
    rows = board.rows[first : first + count]
    index = None if viewer is None else board.index_of(viewer)
    apart = () if index is None or board.rows[index] in rows else (board.rows[index],)
    shown = (*rows, *apart)
    notes = flowed(_notes(board.order, shown), _LABEL)
    body = max(1, len(shown)) * (_ROW + _GAP) + _BREAK * len(apart) + EDGE - _GAP
    height = HEAD + _LABELS * (bool(shown) + len(notes)) + body
    page = _BoardPage(plain(WIDTH, height, style), board.order, shown, viewer, style)
    heading(
        page.canvas, words.say(f"board.order_{board.title}"), words.say(f"board.span_{board.span}"), style
    )
    if shown:
        page.put_labels()
    page.put_rows(rows)
    if apart:
        page.put_break()
        page.put_rows(apart)
    for note in notes:
        page.put_note(note)
    if not shown:
        page.text(WIDTH / 2, HEAD + _ROW / 2, words.say("board.empty"), _NAME, style.colours.text, "mm")
    return finish(to_palette(page.canvas, style), _alt(board, shown, viewer))


class _BoardPage:
    """The lines being drawn, from the top down; the plots of all of them have the same scale."""

    def __init__(
        self,
        canvas: Image.Image,
        order: BoardOrder,
        shown: Sequence[Standing],
        viewer: Player | None,
        style: Style,
    ) -> None:
        self.canvas, self.order, self.viewer, self.style = canvas, order, viewer, style
        self.draw = ImageDraw.Draw(canvas)
        self.scale = _scale(order, shown)
        self.top = HEAD

    def put_labels(self) -> None:
        """Draw the column names."""
        muted, y = self.style.colours.muted, self.top + _LABELS / 2 - 4
        self.text(_DEALS_X, y, words.say("board.deals"), _LABEL, muted, "rm")
        if self.order is not BoardOrder.POINTS:
            self.text((_PLOT_X + _PLOT_END) / 2, y, words.say("board.range"), _LABEL, muted, "mm")
        self.text(_RIGHT, y, words.say(f"board.column_{self.order}"), _LABEL, muted, "rm")
        self.top += _LABELS

    def put_note(self, note: str) -> None:
        """Draw a line below the plates."""
        self.text(EDGE + 12, self.top + _LABELS / 2, note, _LABEL, self.style.colours.muted, "lm")
        self.top += _LABELS

    def put_rows(self, rows: Sequence[Standing]) -> None:
        """Draw a plate for each row."""
        for row in rows:
            self._row(row, own=row.person == self.viewer)
            self.top += _ROW + _GAP

    def put_break(self) -> None:
        """Draw three dots, where other rows are left out."""
        middle = self.top + (_BREAK - _GAP) // 2
        dots = [(WIDTH / 2 + 26 * index, middle) for index in (-1, 0, 1)]
        box = (WIDTH / 2 - 50, middle - 8, WIDTH / 2 + 50, middle + 8)
        for dot in dots:
            charts.ink(self.canvas, box, self.style.colours.muted, lambda pen, dot=dot: pen.dot(dot, 5))
        self.top += _BREAK

    def text(self, x: float, y: float, text: str, size: int, fill: Colour, anchor: str) -> None:
        """Draw one line of text."""
        draw_text(self.draw, (x, y), text, size, fill, anchor=anchor)

    def _row(self, row: Standing, *, own: bool) -> None:
        colours = self.style.colours
        plate(
            self.canvas, (EDGE, self.top, WIDTH - EDGE, self.top + _ROW), self.style, rim=1 if own else None
        )
        middle = self.top + _ROW // 2
        fill = colours.gold if own else colours.text
        put_place(self.canvas, (_PLACE_X, middle), row.place, self.style)
        deals = str(row.deals)
        room = _DEALS_X - 22 - _NAME_X - max(width(deals, _SMALL), _DEALS_LEAST)
        name = fit(named(row.person, row.name), round(room), _NAME)
        self.text(_NAME_X, middle, name, _NAME, fill, "lm")
        self.text(_DEALS_X, middle, deals, _SMALL, colours.muted, "rm")
        if self.order is BoardOrder.POINTS:
            self._points(row, middle)
        else:
            self._estimate(row, middle, colours.muted if row.place is None else fill)

    def _points(self, row: Standing, middle: int) -> None:
        """Draw a column from zero, and the points."""
        colours = self.style.colours
        fill = colours.gain if row.value > 0 else colours.loss if row.value < 0 else colours.text
        box = (_PLOT_X, middle - 26, _POINTS_END, middle + 26)
        charts.beam(self.canvas, box, self.scale, row.value, fill, self.style)
        self.text(_RIGHT, middle, _figure(self.order, row), _FIGURE, fill, "rm")

    def _estimate(self, row: Standing, middle: int, fill: Colour) -> None:
        """Draw a figure, its uncertainty, and both as a plot."""
        muted = self.style.colours.muted
        box = (_PLOT_X, middle - 12, _PLOT_END, middle + 12)
        error = row.error or 0
        ends = (row.value - error, row.value, row.value + error)
        charts.span(self.canvas, box, self.scale, ends, fill, self.style)
        self.text(_FIGURE_X, middle, _figure(self.order, row), _FIGURE, fill, "rm")
        if row.provisional:
            self.text(_FIGURE_X + 2, middle, "?", _FIGURE, muted, "lm")
        self.text(_RIGHT, middle, f"± {_error(self.order, row)}", _SMALL, muted, "rm")


def _notes(order: BoardOrder, shown: Sequence[Standing]) -> list[str]:
    """Explain the columns. One standard error is a range that contains the true figure two times in three."""
    notes = [words.say("board.range_note")] if shown and order is not BoardOrder.POINTS else []
    return [*notes, *([words.say("board.few_note")] if any(row.provisional for row in shown) else [])]


def _scale(order: BoardOrder, rows: Sequence[Standing]) -> tuple[float, float]:
    """Return the range of the plots. Points start at zero; the others include everybody's uncertainty."""
    nought = [0.0] if order is BoardOrder.POINTS else []
    low = min([*nought, *(row.value - (row.error or 0) for row in rows)], default=0)
    high = max([*nought, *(row.value + (row.error or 0) for row in rows)], default=0)
    return low, high


def _figure(order: BoardOrder, row: Standing) -> str:
    match order:
        case BoardOrder.RATING:
            return f"{row.value:.0f}"
        case BoardOrder.ADJUSTED:
            return words.decimal(row.value, sign=True)
        case BoardOrder.POINTS:
            return words.signed(round(row.value))


def _error(order: BoardOrder, row: Standing) -> str:
    return f"{row.error or 0:.0f}" if order is BoardOrder.RATING else words.decimal(row.error or 0)


def _alt(board: Board, rows: Sequence[Standing], viewer: Player | None) -> str:
    head = words.say(
        "board.alt", order=words.say(f"board.order_{board.title}"), span=words.say(f"board.span_{board.span}")
    )
    return sentences(
        [head, *(_alt_line(board.order, row, viewer) for row in rows)]
        if rows
        else [head, words.say("board.empty")]
    )


def _alt_line(order: BoardOrder, row: Standing, viewer: Player | None) -> str:
    line = words.say(
        "board.line_points" if order is BoardOrder.POINTS else "board.line",
        place="?" if row.place is None else row.place,
        name=short(named(row.person, row.name)),
        value=_figure(order, row) + "?" * row.provisional,
        error=_error(order, row),
        deals=row.deals,
    )
    return words.say("rank.you", line=line) if row.person == viewer else line
