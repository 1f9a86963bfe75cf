"""The table as everybody at it sees it: a felt from above, the seats round it in play order, stock and pile."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final

from PIL import Image, ImageDraw

from marriage.cards import UNKNOWN, Cards
from marriage.state import Phase
from marriage.view import SeatView, View
from render import felt, icons, words
from render.alt import table_alt
from render.groups import flow, group, looks, open_groups, tunnelas
from render.picture import Picture, finish
from render.sprites import MARGIN, MEDIUM, PLAIN, TINY, Look, card
from render.style import DEFAULT, Style
from render.text import draw_text, drawable, fit

WIDTH: Final = 1100
HEIGHT: Final = 760
PLATE: Final = (310, 92)
_NAME: Final = 36
_SMALL: Final = 30
_LINE: Final = TINY.height + 2 * MARGIN
_CENTRE: Final = (WIDTH / 2, 384)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a seat sits: the middle of its plate's top edge, and the room for its open sets."""

    x: int
    y: int
    room: int
    sets_above: bool = False


_BOTTOM: Final = Spot(550, HEIGHT - 16 - PLATE[1], 440, sets_above=True)
_LEFT: Final = Spot(180, 290, 320)
_RIGHT: Final = Spot(920, 290, 320)
_TOP_LEFT: Final = Spot(310, 20, 420)
_TOP: Final = Spot(550, 20, 700)
_TOP_RIGHT: Final = Spot(790, 20, 420)
SPOTS: Final = {
    2: (_BOTTOM, _TOP),
    3: (_BOTTOM, _TOP_LEFT, _TOP_RIGHT),
    4: (_BOTTOM, _LEFT, _TOP, _RIGHT),
    5: (_BOTTOM, _LEFT, _TOP_LEFT, _TOP_RIGHT, _RIGHT),
}
"""By the number of seats, clockwise from below: the seat after the next one is the next on the circle."""


def draw_table(view: View, names: Sequence[str], style: Style = DEFAULT) -> Picture:
    """The table of a spectator's view; `names` by seat."""
    canvas = felt.table(WIDTH, HEIGHT, style)
    _draw_direction(canvas, view, style)
    _draw_middle(canvas, view, style)
    spots = SPOTS[len(view.seats)]
    for index, (spot, seat, name) in enumerate(zip(spots, view.seats, names, strict=True)):
        _draw_sets(canvas, spot, seat, view, style)
        _draw_plate(canvas, spot, index, drawable(name, words.SEAT.format(number=index + 1)), view, style)
    return finish(felt.in_palette(canvas, style), table_alt(view, names))


def _draw_plate(canvas: Image.Image, spot: Spot, index: int, name: str, view: View, style: Style) -> None:
    """Name, cards held, and the marks of dealer and seen; lit for the seat in turn."""
    colours = style.colours
    seat = view.seats[index]
    left, top = spot.x - PLATE[0] / 2, spot.y
    turn = view.turn == index and view.phase not in (Phase.OVER, Phase.WINDOW)
    felt.plate(canvas, (left, top, left + PLATE[0], top + PLATE[1]), style, lit=turn)
    draw = ImageDraw.Draw(canvas)
    most = PLATE[0] - 32
    fill = colours.gold if turn else colours.text
    draw_text(draw, (left + 16, top + 28), fit(name, most, _NAME), _NAME, fill, anchor="lm")
    y = top + 69
    back = icons.back(style)
    canvas.paste(back, (round(left + 14), round(y - back.height / 2)), back)
    x = left + 22 + back.width
    x += draw_text(draw, (x, y), str(seat.count), _SMALL, colours.text, anchor="lm") + 20
    if seat.shown:
        eye = icons.eye(style)
        canvas.paste(eye, (round(x), round(y - eye.height / 2)), eye)
        x += eye.width + 8
        draw_text(draw, (x, y), words.SEEN, _SMALL, colours.gold, anchor="lm")
    if view.dealer == index:
        disc = icons.dealer(style)
        canvas.paste(disc, (round(left + PLATE[0] - 14 - disc.width), round(y - disc.height / 2)), disc)


def _draw_sets(canvas: Image.Image, spot: Spot, seat: SeatView, view: View, style: Style) -> None:
    """What lies open before a seat: its tunnelas, then the sets shown."""
    sets = (*tunnelas(seat), *open_groups(seat))
    sprites = [group(cards, looks(cards, view), TINY, style) for cards in sets]
    lines = flow([sprite.width for sprite in sprites], spot.room, 6)
    start = spot.y - 8 - _LINE * len(lines) if spot.sets_above else spot.y + PLATE[1] + 8
    for number, line in enumerate(lines if sprites else ()):
        whole = sum(sprites[index].width + 6 for index in line) - 6
        x = spot.x - whole // 2
        for index in line:
            canvas.paste(sprites[index], (x, start + number * _LINE), sprites[index])
            x += sprites[index].width + 6


def _draw_middle(canvas: Image.Image, view: View, style: Style) -> None:
    """Stock with the tiplu under it, pile with its last cards, and what the deal waits for."""
    fan = view.pile[-4:]
    step = 42
    peek = 72 if view.tiplu_cut else 0
    whole = peek + MEDIUM.width + 30 + MEDIUM.width + 3 * step
    x, y = round(_CENTRE[0] - whole / 2), round(_CENTRE[1] - MEDIUM.height / 2 - 16)
    if view.tiplu_cut:
        marks = looks((view.tiplu,), view)[0] if view.tiplu is not None else PLAIN
        _paste(
            canvas, card(UNKNOWN if view.tiplu is None else view.tiplu, MEDIUM, style, Look(marks.role)), x, y
        )
        x += peek
    if view.stock_count:
        for depth in range(min(3, view.stock_count) - 1, -1, -1):
            _paste(canvas, card(UNKNOWN, MEDIUM, style), x - 2 * depth, y - 2 * depth)
    draw = ImageDraw.Draw(canvas)
    below = y + MEDIUM.height + 28
    draw_text(
        draw, (x + MEDIUM.width / 2, below), str(view.stock_count), _SMALL, style.colours.text, anchor="mm"
    )
    x += MEDIUM.width + 30
    _draw_pile(canvas, fan, x, y, step, view, style)
    over = {Phase.WINDOW: words.WINDOW, Phase.OVER: words.OVER}.get(view.phase)
    caption = over or str(len(view.pile))
    middle = x + (MEDIUM.width + max(0, len(fan) - 1) * step) / 2
    draw_text(
        draw,
        (middle, below),
        caption,
        _SMALL,
        style.colours.gold if over else style.colours.text,
        anchor="mm",
    )


def _draw_pile(canvas: Image.Image, fan: Cards, x: int, y: int, step: int, view: View, style: Style) -> None:
    for number, face in enumerate(fan):
        last = number == len(fan) - 1
        _paste(
            canvas,
            card(face, MEDIUM, style, looks((face,), view)[0] if last else PLAIN),
            x + number * step,
            y,
        )


def _draw_direction(canvas: Image.Image, view: View, style: Style) -> None:
    """Two arrows on the felt, the way play goes round."""
    draw = ImageDraw.Draw(canvas)
    sign = 1 if view.rules.direction == "clockwise" else -1
    colour = style.colours.muted
    for middle in (0.0, pi):
        turns = [middle + sign * (step / 20 - 0.5) * 0.9 for step in range(21)]
        points = [(_CENTRE[0] + 250 * cos(t), _CENTRE[1] + 150 * sin(t)) for t in turns]
        draw.line(points, fill=colour, width=5, joint="curve")
        (x, y), (px, py) = points[-1], points[-3]
        dx, dy = x - px, y - py
        length = (dx * dx + dy * dy) ** 0.5
        ux, uy = dx / length, dy / length
        draw.polygon(
            [(x + 16 * ux, y + 16 * uy), (x - 12 * uy, y + 12 * ux), (x + 12 * uy, y - 12 * ux)], fill=colour
        )


def _paste(canvas: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    canvas.paste(sprite, (x - MARGIN, y - MARGIN), sprite)
