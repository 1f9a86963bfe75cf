"""Example cards for the pages of the rules: a few groups, each with a caption."""

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from render.alt import lesson_alt
from render.drawing.cloth import plain
from render.drawing.deck import MARGIN, MEDIUM, fan, flow, looks, to_palette
from render.drawing.text import draw_text, drawable, fit, width
from render.picture import Example, Known, Picture, finish
from render.style import DEFAULT, Style

WIDTH: Final = 900
"""The greatest width. It is no wider than its content, because a wider picture is shown smaller on a phone."""
_NARROWEST: Final = 520
_EDGE: Final = 22
_CAPTION: Final = 36
_CAPTION_HEIGHT: Final = 52
_LINE: Final = MEDIUM.height + 2 * MARGIN
_STEP: Final = 88
_GAP: Final = 24
"""The gap between two groups, and between an example and the next one."""


def draw_lesson(examples: Sequence[Example], known: Known, style: Style = DEFAULT) -> Picture:
    """Draw the examples below each other. Cards have badges if `known` has a tiplu."""
    laid = [_laid(example, known, style) for example in examples]
    height = 2 * _EDGE - _GAP + sum(_CAPTION_HEIGHT + len(lines) * _LINE + _GAP for lines in laid)
    canvas = plain(_width(examples, laid), height, style)
    y = _EDGE
    for example, lines in zip(examples, laid, strict=True):
        at = (_EDGE, y + _CAPTION_HEIGHT / 2 - 4)
        draw_text(ImageDraw.Draw(canvas), at, _caption(example), _CAPTION, style.colours.text, anchor="lm")
        y += _CAPTION_HEIGHT
        for line in lines:
            x = _EDGE - MARGIN
            for sprite in line:
                canvas.paste(sprite, (x, y), sprite)
                x += sprite.width + _GAP
            y += _LINE
        y += _GAP
    return finish(to_palette(canvas, style), lesson_alt(examples, known))


def _width(examples: Sequence[Example], laid: Sequence[list[list[Image.Image]]]) -> int:
    captions = [width(_caption(example), _CAPTION) for example in examples]
    lines = [sum(sprite.width + _GAP for sprite in line) - _GAP for lines in laid for line in lines]
    return min(WIDTH, max(_NARROWEST, 2 * _EDGE + round(max([*captions, *lines], default=0))))


def _caption(example: Example) -> str:
    return fit(drawable(example.caption, "·"), WIDTH - 2 * _EDGE, _CAPTION)


def _laid(example: Example, known: Known, style: Style) -> list[list[Image.Image]]:
    sprites = [fan(cards, looks(cards, known), MEDIUM, style, _STEP) for cards in example.groups]
    lines = flow([sprite.width for sprite in sprites], WIDTH - 2 * _EDGE, _GAP)
    return [[sprites[index] for index in line] for line in lines]
