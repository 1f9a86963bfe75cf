"""The picture of the table as all players see it from above: the seats in playing order, the stock and the pile."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from marriage.cards import PACKS, Cards
from marriage.state import Phase
from marriage.view import SeatView, View
from render import words
from render.alt import table_alt
from render.drawing import felt, icons
from render.drawing.card_groups import balanced, group, look, looks, open_groups, tunnelas
from render.drawing.deck import FANNED, MARGIN, MEDIUM, TINY, back, card
from render.drawing.text import draw_text, drawable, fit, width
from render.picture import Picture, finish
from render.style import DEFAULT, Style

WIDTH: Final = 1100
HEIGHT: Final = 800
PLATE: Final = (290, 98)
"""Of a seat with a short name; a longer one makes it as wide as its spot allows."""
_PAD: Final = 16
_NAME: Final = 38
_SMALL: Final = 31
_LINE: Final = TINY.height + 2 * MARGIN
_CENTRE: Final = (WIDTH // 2, 398)
_FAN: Final = 3
_STEP: Final = 54
_PEEK: Final = 66


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a seat sits: the middle of its plate's top edge, and the room for its open sets."""

    x: int
    y: int
    room: int
    widest: int = PLATE[0]
    """How wide its plate may become."""
    sets_above: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """A seat, where it sits, and its name as it is drawn."""

    seat: int
    spot: Spot
    name: str

    @property
    def width(self) -> int:
        """Of its plate."""
        return min(max(PLATE[0], round(width(self.name, _NAME)) + 2 * _PAD), self.spot.widest)


_BOTTOM: Final = Spot(550, HEIGHT - 20 - PLATE[1], 520, widest=440, sets_above=True)
_BOTTOM_WIDE: Final = Spot(550, HEIGHT - 20 - PLATE[1], 680, widest=440, sets_above=True)
_LEFT: Final = Spot(172, 310, 300)
_RIGHT: Final = Spot(928, 310, 300)
_TOP_LEFT: Final = Spot(310, 20, 430, widest=430)
_TOP: Final = Spot(550, 20, 700, widest=600)
_TOP_RIGHT: Final = Spot(790, 20, 430, widest=430)
SPOTS: Final = {
    2: (_BOTTOM_WIDE, _TOP),
    3: (_BOTTOM_WIDE, _TOP_LEFT, _TOP_RIGHT),
    4: (_BOTTOM, _LEFT, _TOP, _RIGHT),
    5: (_BOTTOM, _LEFT, _TOP_LEFT, _TOP_RIGHT, _RIGHT),
}
"""By the number of seats, clockwise from below: the seat after the next one is the next on the circle."""


def draw_table(
    view: View, names: Sequence[str], style: Style = DEFAULT, clock: float | None = None
) -> Picture:
    """The picture of a spectator's view; `names` are by seat.

    `clock` is the part of the turn's time that is left (0 to 1), shown by the rim of the seat in turn; multiples of a
    quarter are fine enough. None without a time limit.
    """
    canvas = felt.table(WIDTH, HEIGHT, style)
    _draw_direction(canvas, view, style)
    _draw_middle(canvas, view, style)
    spots = SPOTS[len(view.seats)]
    for index, (spot, seat, name) in enumerate(zip(spots, view.seats, names, strict=True)):
        _draw_sets(canvas, spot, seat, view, style)
        called = drawable(name, words.say("word.seat", number=index + 1))
        _draw_plate(canvas, _Place(index, spot, called), view, style, clock)
    return finish(felt.table_in_palette(canvas, style), table_alt(view, names))


def _draw_plate(canvas: Image.Image, place: "_Place", view: View, style: Style, clock: float | None) -> None:
    """Name, cards held, and the marks of dealer and seen; with a rim for the seat in turn, or the winner."""
    colours = style.colours
    seat = view.seats[place.seat]
    left, top, right = place.spot.x - place.width // 2, place.spot.y, place.spot.x + place.width // 2
    lit = place.seat == _lit_seat(view)
    rim = (1 if clock is None else clock) if lit else None
    felt.plate(canvas, (left, top, right, top + PLATE[1]), style, rim=rim)
    draw = ImageDraw.Draw(canvas)
    most = place.width - 2 * _PAD
    size = _NAME if width(place.name, _NAME) <= most else _SMALL
    fill = colours.gold if lit else colours.muted if seat.out else colours.text
    draw_text(draw, (left + _PAD, top + 30), fit(place.name, most, size), size, fill, anchor="lm")
    y = top + 73
    x = left + 12 + _icon(canvas, icons.hand(style), left + 12, y) + 6
    x += draw_text(draw, (x, y), str(seat.count), _SMALL, colours.text, anchor="lm") + 12
    if seat.out:
        draw_text(draw, (x, y), words.say("word.out"), _SMALL, colours.muted, anchor="lm")
    elif seat.seen:
        x += _icon(canvas, icons.eye(style), x, y) + 7
        draw_text(draw, (x, y), words.say("word.seen"), _SMALL, colours.gold, anchor="lm")
    if view.dealer == place.seat:
        disc = icons.dealer(style)
        _icon(canvas, disc, right - 12 - disc.width, y)


def _icon(canvas: Image.Image, icon: Image.Image, x: float, middle: float) -> int:
    """Paste an icon whose left edge is at `x`; its width."""
    canvas.paste(icon, (round(x), round(middle - icon.height / 2)), icon)
    return icon.width


def _lit_seat(view: View) -> int | None:
    """The highlighted seat: the seat in turn, or the winner at the end; None in the tunnela window."""
    if view.phase is Phase.OVER:
        return None if view.sheet is None else view.sheet.winner
    return None if view.phase is Phase.WINDOW else view.turn


def _draw_sets(canvas: Image.Image, spot: Spot, seat: SeatView, view: View, style: Style) -> None:
    """What lies open before a seat: its tunnelas, then the sets shown."""
    sets = (*tunnelas(seat), *open_groups(seat))
    sprites = [group(cards, looks(cards, view), TINY, style) for cards in sets]
    lines = balanced([sprite.width for sprite in sprites], spot.room, 0)
    start = spot.y - 8 - _LINE * len(lines) if spot.sets_above else spot.y + PLATE[1] + 8
    for number, line in enumerate(lines):
        whole = sum(sprites[index].width for index in line)
        x = spot.x - whole // 2
        for index in line:
            canvas.paste(sprites[index], (x, start + number * _LINE), sprites[index])
            x += sprites[index].width


def _draw_middle(canvas: Image.Image, view: View, style: Style) -> None:
    """Stock with the tiplu under it, pile with its last cards, and what the deal waits for."""
    fan = view.pile[-_FAN:]
    peek = _PEEK if view.tiplu_cut else 0
    fan_width = MEDIUM.width + (_FAN - 1) * _STEP
    x = round(_CENTRE[0] - (peek + MEDIUM.width + 26 + fan_width) / 2)
    y = _CENTRE[1] - MEDIUM.height // 2 - 18
    if view.tiplu_cut:
        sprite = _tiplu(view, style)
        _paste(canvas, sprite, x, y + (MEDIUM.height + 2 * MARGIN - sprite.height) // 2)
    _draw_stock(canvas, view, x + peek, y, style)
    _draw_pile(canvas, fan, x + peek + MEDIUM.width + 26, y, view, style)
    draw = ImageDraw.Draw(canvas)
    below = y + MEDIUM.height + 30
    covered = max(0, len(fan) - 1)
    captions = (
        ("word.stock", view.stock_count, x + peek + MEDIUM.width / 2),
        ("word.pile", len(view.pile), x + peek + 26 + fan_width + MEDIUM.width / 2 - covered * _STEP / 2),
    )
    caption = {Phase.WINDOW: "word.window", Phase.OVER: "word.over"}.get(view.phase)
    if caption:
        draw_text(draw, (_CENTRE[0], below), words.say(caption), _NAME, style.colours.gold, anchor="mm")
        return
    for key, count, middle in captions:
        draw_text(draw, (middle, below), words.say(key, count=count), _SMALL, style.colours.text, anchor="mm")


def _tiplu(view: View, style: Style) -> Image.Image:
    """The tiplu as it peeps out under the stock: its back, or its face for those who know it."""
    if view.tiplu is None:
        return back(MEDIUM, style).transpose(Image.Transpose.ROTATE_90)  # it lies crosswise
    return card(view.tiplu, FANNED, style, look(view.tiplu, view))


def _draw_stock(canvas: Image.Image, view: View, x: int, y: int, style: Style) -> None:
    layers = min(3, view.stock_count)
    for depth in range(layers - 1, -1, -1):
        pack = (view.stock_count - depth) % PACKS  # the colour of the uppermost changes with every draw
        _paste(canvas, back(MEDIUM, style, pack), x - 3 * depth, y - 3 * depth)
    if not layers:
        icons.outline(canvas, x, y, MEDIUM, style)


def _draw_pile(canvas: Image.Image, fan: Cards, x: int, y: int, view: View, style: Style) -> None:
    """The last discards, the top one whole and always in the same place."""
    top = x + (_FAN - 1) * _STEP
    if not fan:
        icons.outline(canvas, top, y, MEDIUM, style)
    for number, face in enumerate(fan):
        below = len(fan) - 1 - number
        _paste(
            canvas, card(face, FANNED if below else MEDIUM, style, look(face, view)), top - below * _STEP, y
        )


def _draw_direction(canvas: Image.Image, view: View, style: Style) -> None:
    """Two arrows in the lower corners, the way play goes round."""
    clockwise = view.rules.direction == "clockwise"
    for mirrored, x in ((False, 100), (True, WIDTH - 100)):
        sprite = icons.arrow(style, clockwise == mirrored, mirrored)
        canvas.paste(sprite, (x - sprite.width * mirrored, HEIGHT - 40 - sprite.height), sprite)


def _paste(canvas: Image.Image, sprite: Image.Image, x: int, y: int) -> None:
    canvas.paste(sprite, (x - MARGIN, y - MARGIN), sprite)
