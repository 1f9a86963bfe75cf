"""The picture of a league's standings: places and their changes, points, tie-breaks, and the band of luck."""

from collections.abc import Mapping, Sequence
from typing import Final

from PIL import ImageDraw

from league.results import Player
from league.standings import Criterion, Standings, StandingsRow
from render import words
from render.alt import sentences, short
from render.drawing import charts
from render.drawing.charts import EDGE, HEAD, WIDTH, flowed, heading, named, put_place
from render.drawing.cloth import plain, plate
from render.drawing.deck import to_palette
from render.drawing.text import clean, draw_text, fit, width
from render.picture import Picture, finish
from render.style import DEFAULT, Colour, Style

ROWS: Final = 16
"""The number of rows in one picture; longer standings have several."""
_ROW: Final = 58
_LABELS: Final = 40
_CUT: Final = 42
"""The height of the line between two zones."""
_NOTE: Final = 40
_PAD: Final = 10
_NAME: Final = 37
_POINTS: Final = 40
_SMALL: Final = 32
_LABEL: Final = 30
_MARK: Final = 29
_ZONE: Final = 7
_PLACE_X: Final = EDGE + 48
_MOVED_X: Final = EDGE + 90
_NAME_X: Final = EDGE + 158
_BAND: Final = (556, 706)
_PLAYED_X: Final = 762
_POINTS_X: Final = 930
_LONGEST_NAME: Final = 20
_LONGEST_TITLE: Final = 60


def pages(table: Standings) -> int:
    """Return the number of pictures for the table, at least one."""
    return max(1, -(-len(table.rows) // ROWS))


def draw_standings(
    table: Standings,
    names: Mapping[Player, str],
    title: str,
    page: int = 0,
    viewer: Player | None = None,
    style: Style = DEFAULT,
    count: int = ROWS,
) -> Picture:
    """Draw one page of the table, counted from 0, with `count` rows; the viewer's own line is marked.

    `title` names the season or the division.
    """
    rows = table.rows[page * count : (page + 1) * count]
    return _StandingsTable(table, rows, names, viewer, style).drawn(title)


class _StandingsTable:
    """A page in progress."""

    def __init__(
        self,
        table: Standings,
        rows: Sequence[StandingsRow],
        names: Mapping[Player, str],
        viewer: Player | None,
        style: Style,
    ) -> None:
        self.table, self.rows, self.viewer, self.style = table, rows, viewer, style
        self.names = {row.player: named(row.player, names.get(row.player, "")) for row in rows}
        self.marks: dict[Criterion, int] = {}
        for row in rows:
            if row.by != "points":
                self.marks.setdefault(row.by, len(self.marks) + 1)
        after = [*table.rows[1:], None] if table.rows else []
        following = dict(zip((row.player for row in table.rows), after, strict=True))
        self.cuts = {row.player: _cut(row, following[row.player]) for row in rows}
        """The text on the zone line below each row; None without a line."""

    def drawn(self, title: str) -> Picture:
        lines = flowed(
            [words.say("standings.luck_note")] if self.table.match_spread and self.rows else [], _LABEL
        )
        ties = [
            words.say("standings.tie", mark=mark, by=words.say(f"standings.by_{by}"))
            for by, mark in self.marks.items()
        ]
        if ties:
            lines += flowed([f"{words.say('standings.ties')} {ties[0]}", *ties[1:]], _LABEL)
        body = max(1, len(self.rows)) * _ROW + _CUT * sum(cut is not None for cut in self.cuts.values())
        bottom = HEAD + _LABELS + body + 2 * _PAD
        height = bottom + len(lines) * _NOTE + EDGE
        self.canvas = plain(WIDTH, height, self.style)
        self.ink = ImageDraw.Draw(self.canvas)
        after = _after(self.table)
        heading(self.canvas, title, after, self.style)
        self._labels()
        plate(self.canvas, (EDGE, HEAD + _LABELS, WIDTH - EDGE, bottom), self.style)
        y = HEAD + _LABELS + _PAD
        for row in self.rows:
            self._row(row, y, last=row is self.rows[-1])
            y += _ROW
            cut = self.cuts[row.player]
            if cut is not None:
                self._line(cut, y)
                y += _CUT
        if not self.rows:
            self._text(
                WIDTH / 2, y + _ROW / 2, words.say("standings.empty"), _NAME, self.style.colours.text, "mm"
            )
        for number, note in enumerate(lines):
            self._text(
                EDGE + 12, bottom + (number + 0.6) * _NOTE, note, _LABEL, self.style.colours.muted, "lm"
            )
        return finish(to_palette(self.canvas, self.style), self._alt(title, after))

    def _text(self, x: float, y: float, text: str, size: int, fill: Colour, anchor: str) -> float:
        return draw_text(self.ink, (x, y), text, size, fill, anchor=anchor)

    def _labels(self) -> None:
        muted, y = self.style.colours.muted, HEAD + _LABELS / 2 - 4
        if self.table.match_spread:
            self._text(sum(_BAND) / 2, y, words.say("standings.luck"), _LABEL, muted, "mm")
        self._text(_PLAYED_X, y, words.say("standings.played"), _LABEL, muted, "mm")
        self._text(_POINTS_X, y, words.say("standings.points"), _LABEL, muted, "rm")

    def _row(self, row: StandingsRow, y: int, *, last: bool) -> None:
        colours = self.style.colours
        own = row.player == self.viewer
        fill = colours.gold if own else colours.text
        middle = y + _ROW // 2
        if own:
            plate(
                self.canvas, (EDGE + 20, y + 3, WIDTH - EDGE - 12, y + _ROW - 3), self.style, rim=1, radius=12
            )
        elif not last and self.cuts[row.player] is None:
            box = (EDGE + 24, y + _ROW - 1, WIDTH - EDGE - 24, y + _ROW)
            self.ink.rectangle((*box[:2], box[2], box[3] - 1), fill=charts.dim(self.style))
        if row.zone is not None:
            box = (EDGE + 4, y + 6, EDGE + 4 + _ZONE, y + _ROW - 6)
            charts.ink(self.canvas, box, _zone_colour(row, self.style), lambda pen: pen.bar(box, 3))
        put_place(self.canvas, (_PLACE_X, middle), row.rank, self.style)
        self._moved(row.moved, middle)
        name = fit(self.names[row.player], _BAND[0] - 20 - _NAME_X, _NAME)
        self._text(_NAME_X, middle, name, _NAME, fill, "lm")
        if self.table.match_spread:
            self._band(row, middle, fill)
        self._text(_PLAYED_X, middle, str(row.matches), _SMALL, colours.muted, "mm")
        self._text(_POINTS_X, middle, _points(row), _POINTS, fill, "rm")
        if row.by != "points":
            self._text(_POINTS_X + 6, middle - 10, str(self.marks[row.by]), _MARK, colours.muted, "lm")

    def _moved(self, places: int, middle: int) -> None:
        """Draw an arrow and the number of places moved; nothing for an unchanged place."""
        if not places:
            return
        colours = self.style.colours
        colour = colours.gain if places > 0 else colours.loss
        x, up = _MOVED_X, 1 if places > 0 else -1
        tip, foot = middle - 9 * up, middle + 8 * up
        box = (x, middle - 10, x + 22, middle + 10)
        charts.ink(
            self.canvas, box, colour, lambda pen: pen.shape(((x, foot), (x + 22, foot), (x + 11, tip)))
        )
        self._text(x + 27, middle, str(abs(places)), _LABEL, colour, "lm")

    def _band(self, row: StandingsRow, middle: int, colour: Colour) -> None:
        """Draw the band of places within luck, on a scale from first to last place, with a dot at the player's place."""
        scale, box = (1, max(2, len(self.table.rows))), (_BAND[0], middle - 12, _BAND[1], middle + 12)
        charts.span(self.canvas, box, scale, (row.band.best, row.rank, row.band.worst), colour, self.style)

    def _line(self, word: str, y: int) -> None:
        """Draw a broken line with a word in it."""
        gold, middle = self.style.colours.gold, y + _CUT // 2
        half = width(word, _LABEL) / 2 + 16
        spans = ((EDGE + 24, WIDTH / 2 - half), (WIDTH / 2 + half, WIDTH - EDGE - 24))
        for left, right in spans:
            self.ink.rectangle((round(left), middle - 1, round(right), middle), fill=gold)
        self._text(WIDTH / 2, middle, word, _LABEL, gold, "mm")

    def _alt(self, title: str, after: str) -> str:
        lines: list[str] = []
        for row in self.rows:
            name = short(self.names[row.player], _LONGEST_NAME)
            line = words.say(
                "standings.line", place=row.rank, name=name, points=_points(row), played=row.matches
            )
            lines.append(words.say("rank.you", line=line) if row.player == self.viewer else line)
            cut = self.cuts[row.player]
            if cut is not None:
                lines.append(cut)
        head = words.say("standings.alt", title=short(clean(title), _LONGEST_TITLE), after=after)
        return sentences([head, *(lines or [words.say("standings.empty")])])


def _cut(row: StandingsRow, below: StandingsRow | None) -> str | None:
    """Return the text on the line between two rows; None without a line."""
    if below is None or row.zone == below.zone:
        return None
    zone = below.zone if below.zone == "down" else row.zone
    return None if zone is None else words.say(f"standings.{zone}")


def _zone_colour(row: StandingsRow, style: Style) -> Colour:
    colours = style.colours
    return {"final": colours.gold, "up": colours.gain, "down": colours.loss}[row.zone or "final"]


def _after(table: Standings) -> str:
    if table.decided:
        return words.say("standings.decided")
    return (
        words.say("standings.after", round=table.through) if table.through else words.say("standings.before")
    )


def _points(row: StandingsRow) -> str:
    return words.decimal(row.points / 100, 2)
