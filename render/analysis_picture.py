"""The picture of an analysis: the accuracy, the mistakes, and the hand's worth over the deal."""

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from marriage.analysis.deal_analysis import Analysis
from marriage.analysis.verdicts import Verdict
from render import words
from render.alt import sentences
from render.drawing import charts
from render.drawing.charts import EDGE, WIDTH
from render.drawing.cloth import plain, plate
from render.drawing.deck import to_palette
from render.drawing.text import draw_text, fit, width
from render.picture import Picture, finish
from render.style import DEFAULT, Colour, Style

_TILE: Final = 138
_GAP: Final = 12
_WIDE: Final = 300
_PLOT: Final = 330
_PAD: Final = 22
_FIGURE: Final = 62
_LABEL: Final = 31
_MARK: Final = 34
_AXIS: Final = 124
_WRONG: Final = (Verdict.INACCURACY, Verdict.MISTAKE, Verdict.BLUNDER)
MARKS: Final = {Verdict.INACCURACY: "?!", Verdict.MISTAKE: "?", Verdict.BLUNDER: "??"}
"""The usual annotation symbols of game commentators. They say the same as the colours."""
_REACH: Final = {Verdict.INACCURACY: 8, Verdict.MISTAKE: 11, Verdict.BLUNDER: 14}


def draw_analysis(analysis: Analysis, style: Style = DEFAULT) -> Picture:
    """Draw the figures and the course of a deal; raises ValueError if it had nothing to decide."""
    if analysis.accuracy is None:
        raise ValueError("nothing was decided")
    height = EDGE + _TILE + _GAP + _PLOT + EDGE
    canvas = plain(WIDTH, height, style)
    _tiles(canvas, analysis, analysis.accuracy, style)
    _course(canvas, analysis, style)
    return finish(to_palette(canvas, style), analysis_alt(analysis))


def course_of(analysis: Analysis) -> list[float]:
    """Return the expected points of the seat at each decision, and its result."""
    return [*(decision.best.points for decision in analysis.decisions), float(analysis.net)]


def _tiles(canvas: Image.Image, analysis: Analysis, accuracy: float, style: Style) -> None:
    """Draw the accuracy on a wider tile, and the number of wrong decisions of each class."""
    colours = style.colours
    counts = [(words.say(f"analysis.{each}"), MARKS[each], analysis.count(each), each) for each in _WRONG]
    narrow = (WIDTH - 2 * EDGE - _WIDE - len(counts) * _GAP) // len(counts)
    _tile(
        canvas, (EDGE, EDGE + _WIDE), words.say("analysis.accuracy"), f"{accuracy:.0f} %", colours.gold, style
    )
    left = EDGE + _WIDE + _GAP
    for name, mark, count, verdict in counts:
        ink = _ink(verdict, style) if count else colours.muted
        _tile(canvas, (left, left + narrow), name, f"{count} {mark}", ink, style)
        left += narrow + _GAP


def _tile(
    canvas: Image.Image, sides: tuple[int, int], name: str, figure: str, fill: Colour, style: Style
) -> None:
    left, right = sides
    plate(canvas, (left, EDGE, right, EDGE + _TILE), style)
    draw, middle = ImageDraw.Draw(canvas), (left + right) / 2
    draw_text(draw, (middle, EDGE + 52), figure, _FIGURE, fill, anchor="mm")
    label = fit(name, right - left - 12, _LABEL)
    draw_text(draw, (middle, EDGE + 110), label, _LABEL, style.colours.muted, anchor="mm")


def _course(canvas: Image.Image, analysis: Analysis, style: Style) -> None:
    """Draw a line through the expected points, with a marked dot at every wrong decision."""
    colours, points = style.colours, course_of(analysis)
    top = EDGE + _TILE + _GAP
    plate(canvas, (EDGE, top, WIDTH - EDGE, top + _PLOT), style)
    draw = ImageDraw.Draw(canvas)
    title = fit(words.say("analysis.course"), WIDTH - 2 * (EDGE + _PAD), _LABEL)
    draw_text(draw, (EDGE + _PAD, top + 34), title, _LABEL, colours.muted, anchor="lm")
    box = (EDGE + _PAD + 24, top + 104, WIDTH - EDGE - _AXIS, top + _PLOT - 34)
    charts.course(canvas, box, [round(10 * point) for point in points], style)
    high, low = max(0.0, *points), min(0.0, *points)
    tall = (box[3] - box[1]) / (high - low or 1)
    step = (box[2] - box[0]) / max(1, len(points) - 1)
    for place, decision in enumerate(analysis.decisions):
        if decision.verdict is not Verdict.GOOD:
            at = (box[0] + place * step, box[1] + (high - points[place]) * tall)
            _mark(canvas, at, decision.verdict, style)
    right = WIDTH - EDGE - _PAD
    net = words.signed(analysis.net)
    y = min(max(box[1] + (high - analysis.net) * tall, box[1]), box[3])
    draw_text(draw, (right, y), net, _MARK, colours.text, anchor="rm")
    nought = box[1] + high * tall
    if abs(nought - y) > _MARK:
        draw_text(draw, (right, nought), "0", _LABEL, colours.muted, anchor="rm")


def _mark(canvas: Image.Image, at: tuple[float, float], verdict: Verdict, style: Style) -> None:
    x, y = at
    reach, colour = _REACH[verdict], _ink(verdict, style)
    room = (x - 20, y - 20, x + 20, y + 20)
    charts.ink(canvas, room, colour, lambda pen: pen.dot(at, reach))
    mark = MARKS[verdict]
    left = max(x, EDGE + 4 + width(mark, _MARK) / 2)
    draw_text(ImageDraw.Draw(canvas), (left, y - reach - 20), mark, _MARK, colour, anchor="mm")


def _ink(verdict: Verdict, style: Style) -> Colour:
    return style.colours.gold if verdict is Verdict.INACCURACY else style.colours.loss


def analysis_alt(analysis: Analysis) -> str:
    """Describe the analysis in words."""
    points = course_of(analysis)
    parts = [
        words.say("analysis.alt_accuracy", accuracy=f"{analysis.accuracy or 0:.0f}"),
        ", ".join(f"{words.say(f'analysis.{each}')}: {analysis.count(each)}" for each in _WRONG),
        f"{words.say('analysis.course')}: {_shown(points)}",
    ]
    return sentences(parts)


def _shown(points: Sequence[float]) -> str:
    """Describe the first point, the extremes and the last."""
    first, last = words.decimal(points[0], sign=True), words.decimal(points[-1], 0, sign=True)
    high, low = words.decimal(max(points), sign=True), words.decimal(min(points), sign=True)
    return words.say("analysis.alt_course", first=first, high=high, low=low, last=last)
