"""The picture of the table as all players see it from above: the seats in playing order, the stock and the pile.

Nothing moves freely, so everything is a stamp that is computed once for its place: cards, plates and letters
are pasted as palette indices. That takes a tenth of the time of drawing in RGB. Once hands are open, they are below the
table: one row for each seat, each card overlapping the one before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PIL import Image

from marriage.cards import PACKS, Card, Cards
from marriage.state import Phase
from marriage.view import SeatView, View
from render import words
from render.alt import open_hands_alt, table_alt
from render.drawing import icons
from render.drawing.cloth import RIM, Canvas, Stamp, empty_table, plain_indices, plate, shade, stamped
from render.drawing.deck import (
    CENTRAL,
    MARGIN,
    PEEKING,
    TINY,
    Looks,
    back,
    balanced,
    card,
    group,
    group_width,
    look,
    looks,
    open_groups,
    strips,
    tunnelas,
)
from render.drawing.faces import PLAIN, Look
from render.drawing.icons import chip, put_icon
from render.drawing.memory import MEGABYTE, once
from render.drawing.png import png_of_lines
from render.drawing.text import drawable, fit, width
from render.picture import Picture, lit_seat
from render.style import DEFAULT, Colour, Style

WIDTH: Final = 990
HEIGHT: Final = 792
MOST_BYTES: Final = 45_000
"""A larger file is deflated more thoroughly."""
PLATE: Final = (300, 98)
"""The size of the plate of a seat with a short name. A longer name widens it as far as its spot allows."""
_PAD: Final = 16
_NAME: Final = 38
_SMALL: Final = 31
_LINE: Final = TINY.height + 2 * MARGIN
_CENTRE: Final = (WIDTH // 2, 402)
_PEEK: Final = 66
_LAYERS: Final = 3
_APART: Final = 24
"""The gap between stock and pile."""
_AROUND: Final = MARGIN + 6
"""The room around the stock and the pile for shadows, and for the cards below the uppermost one."""


@dataclass(frozen=True, slots=True)
class Spot:
    """The spot of a seat: the middle of its plate's top edge, and the room for its open sets."""

    x: int
    y: int
    room: int
    widest: int = PLATE[0]
    """The greatest width of its plate."""
    sets_above: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """A seat, its spot, and its name as drawn."""

    seat: int
    spot: Spot
    name: str

    @property
    def wide(self) -> int:
        """The width of its plate."""
        return min(max(PLATE[0], round(width(self.name, _NAME)) + 2 * _PAD), self.spot.widest)


@dataclass(frozen=True, slots=True)
class _Tiplu:
    """The tiplu as everybody sees it, with its face only if all players know it."""

    face: Card | None
    look: Look


_BOTTOM: Final = Spot(WIDTH // 2, HEIGHT - 16 - PLATE[1], 900, widest=540, sets_above=True)
_LEFT: Final = Spot(12 + PLATE[0] // 2, 300, PLATE[0])
_RIGHT: Final = Spot(WIDTH - 12 - PLATE[0] // 2, 300, PLATE[0])
_TOP_LEFT: Final = Spot(262, 16, 420, widest=440)
_TOP: Final = Spot(WIDTH // 2, 16, 700, widest=540)
_TOP_RIGHT: Final = Spot(WIDTH - 262, 16, 420, widest=440)
SPOTS: Final = {
    2: (_BOTTOM, _TOP),
    3: (_BOTTOM, _TOP_LEFT, _TOP_RIGHT),
    4: (_BOTTOM, _LEFT, _TOP, _RIGHT),
    5: (_BOTTOM, _LEFT, _TOP_LEFT, _TOP_RIGHT, _RIGHT),
}
"""The spots by the number of seats, clockwise from below, so that consecutive seats are neighbours on the circle."""


def draw_table(
    view: View, names: Sequence[str], style: Style = DEFAULT, clock: float | None = None
) -> Picture:
    """Draw the picture of a spectator's view; `names` are by seat.

    `clock` is the remaining share of the turn's time (0 to 1), shown by the rim of the seat in turn;
    multiples of a quarter are fine enough. None means no time limit.
    """
    lines = _laid(view, names, style, clock).lines
    return Picture(
        png_of_lines(lines, style.palette_bytes, MOST_BYTES), table_alt(view, names), WIDTH, HEIGHT
    )


def table_lines(view: View, names: Sequence[str], style: Style = DEFAULT) -> Image.Image:
    """Return the picture as palette indices after a column of zeros, without a time limit."""
    return _laid(view, names, style, None).lines


def _laid(view: View, names: Sequence[str], style: Style, clock: float | None) -> Canvas:
    canvas = Canvas(_ground(style, clockwise=view.rules.direction == "clockwise"), style)
    _lay_middle(canvas, view, style)
    spots = SPOTS[len(view.seats)]
    for index, (spot, seat, name) in enumerate(zip(spots, view.seats, names, strict=True)):
        _lay_sets(canvas, spot, seat, view, style)
        called = drawable(name, words.say("word.seat", number=index + 1))
        _lay_plate(canvas, _Place(index, spot, called), view, style, clock)
    return canvas


@once(8 * MEGABYTE)
def _ground(style: Style, *, clockwise: bool) -> Image.Image:
    """Return the empty table with an arrow for the direction of play in its lower left corner."""
    canvas = Canvas(empty_table(WIDTH, HEIGHT, style), style)
    sprite = icons.arrow(style, reverse=not clockwise)
    y = HEIGHT - 24 - sprite.height
    canvas.put(_on_cloth([(sprite, (0, 0))], sprite.size, y, style), 24, y)
    return canvas.lines


def _on_cloth(
    sprites: Sequence[tuple[Image.Image, tuple[int, int]]], size: tuple[int, int], y: int, style: Style
) -> Stamp:
    """Return RGBA sprites, each on top of the previous ones, in a box on the cloth from line `y` on."""

    def paint(canvas: Image.Image) -> None:
        for sprite, at in sprites:
            canvas.paste(sprite, at, sprite)

    return stamped(paint, size, y, HEIGHT, style)


def _lay_plate(canvas: Canvas, place: _Place, view: View, style: Style, clock: float | None) -> None:
    """Draw name, cards held, and the marks of dealer and seen, with a rim for the seat in turn or the winner."""
    colours = style.colours
    seat = view.seats[place.seat]
    left, top = place.spot.x - place.wide // 2, place.spot.y
    right = left + place.wide
    lit = place.seat == lit_seat(view)
    rim = (1 if clock is None else clock) if lit else None
    canvas.put(_plate(place.wide, top, rim, style), left - RIM, top - RIM)

    def write(at: tuple[float, float], text: str, size: int, fill: Colour) -> float:
        return canvas.write(at, text, size, fill, colours.plate, anchor="lm")

    most = place.wide - 2 * _PAD
    size = _NAME if width(place.name, _NAME) <= most else _SMALL
    fill = colours.gold if lit else colours.muted if seat.out else colours.text
    write((left + _PAD, top + 30), fit(place.name, most, size), size, fill)
    y, end = top + 73, right - 12
    last = next((card for card, thrower in reversed(view.discards) if thrower == place.seat), None)
    if last is not None and not seat.out:
        laid = chip((last,), looks((last,), view), _SMALL, style)
        end -= laid.width
        canvas.lay(laid, end, y - laid.height // 2)
    x = left + 12.0
    if view.dealer == place.seat:
        x += put_icon(canvas, "dealer", x, y, style) + 6
    x += put_icon(canvas, "hand", x, y, style) + 8
    x += write((x, y), str(seat.count), _SMALL, colours.text) + 12
    word = words.say("word.out" if seat.out else "word.seen")
    if seat.seen and not seat.out:
        x += put_icon(canvas, "eye", x, y, style) + 7
    if (seat.out or seat.seen) and x + width(word, _SMALL) < end:
        write((x, y), word, _SMALL, colours.muted if seat.out else colours.gold)


@once(4 * MEGABYTE)
def _plate(wide: int, top: int, rim: float | None, style: Style) -> Stamp:
    """Draw an empty plate with room for its rim on every side."""
    size = (wide + 2 * RIM, PLATE[1] + 2 * RIM)
    box = (RIM, RIM, RIM + wide, RIM + PLATE[1])
    return stamped(lambda canvas: plate(canvas, box, style, rim=rim), size, top - RIM, HEIGHT, style)


def _lay_sets(canvas: Canvas, spot: Spot, seat: SeatView, view: View, style: Style) -> None:
    """Draw the open cards of a seat: its tunnelas, then the sets shown."""
    sets = (*tunnelas(seat), *open_groups(seat))
    widths = [group_width(cards, TINY) for cards in sets]
    rows = balanced(widths, spot.room, 0)
    start = spot.y - 8 - _LINE * len(rows) if spot.sets_above else spot.y + PLATE[1] + 8
    for number, row in enumerate(rows):
        x = spot.x - sum(widths[index] for index in row) // 2
        y = start + number * _LINE
        for index in row:
            canvas.put(_set(sets[index], looks(sets[index], view), y, style), x, y)
            x += widths[index]


@once(8 * MEGABYTE)
def _set(cards: Cards, marks: Looks, y: int, style: Style) -> Stamp:
    sprite = group(cards, marks, TINY, style)
    return _on_cloth([(sprite, (0, 0))], sprite.size, y, style)


def _lay_middle(canvas: Canvas, view: View, style: Style) -> None:
    """Draw the stock with the tiplu under it, the top of the pile, and what the deal waits for."""
    peek = _PEEK if view.tiplu_cut else 0
    x = _CENTRE[0] - (peek + 2 * CENTRAL.width + _APART) // 2
    y = _CENTRE[1] - CENTRAL.height // 2
    layers, pack = min(_LAYERS, view.stock_count), view.stock_count % PACKS
    tiplu = _Tiplu(view.tiplu, PLAIN if view.tiplu is None else look(view.tiplu, view)) if peek else None
    canvas.put(_stock(tiplu, layers, pack, y, style), x - _AROUND, y - _AROUND)
    pile = x + peek + CENTRAL.width + _APART
    top = view.pile[-1] if view.pile else None
    canvas.put(_top(top, PLAIN if top is None else look(top, view), y, style), pile - _AROUND, y - _AROUND)
    below = y + CENTRAL.height + 26
    ground = shade(below, HEIGHT, style)
    caption = {Phase.WINDOW: "word.window", Phase.OVER: "word.over"}.get(view.phase)
    if caption:
        at = (_CENTRE[0], below)
        canvas.write(at, words.say(caption), _NAME, style.colours.gold, ground, anchor="mm")
        return
    captions = (("word.stock", view.stock_count, x + peek), ("word.pile", len(view.pile), pile))
    for key, count, left in captions:
        said = words.say(key, count=count)
        middle = left + CENTRAL.width / 2
        canvas.write((middle, below), said, _SMALL, style.colours.text, ground, anchor="mm")


@once(4 * MEGABYTE)
def _stock(tiplu: _Tiplu | None, layers: int, pack: int, y: int, style: Style) -> Stamp:
    """Return the stock with the tiplu under it, in a box that begins `_AROUND` pixels before the card at `y`.

    `pack` is the colour of the uppermost card, which changes with every draw.
    """
    peek = _PEEK if tiplu else 0
    size = (peek + CENTRAL.width + 2 * _AROUND, CENTRAL.height + 2 * _AROUND)
    sprites: list[tuple[Image.Image, tuple[int, int]]] = []
    if tiplu is not None:
        sprite = _tiplu(tiplu, style)
        sprites.append((sprite, _corner(0, (CENTRAL.height + 2 * MARGIN - sprite.height) // 2)))
    sprites += (
        (back(CENTRAL, style, (pack - depth) % PACKS), _corner(peek - 3 * depth, -3 * depth))
        for depth in reversed(range(layers))
    )

    def paint(canvas: Image.Image) -> None:
        for sprite, at in sprites:
            canvas.paste(sprite, at, sprite)
        if not layers:
            icons.outline(canvas, _AROUND + peek, _AROUND, CENTRAL, style)

    return stamped(paint, size, y - _AROUND, HEIGHT, style)


def _tiplu(tiplu: _Tiplu, style: Style) -> Image.Image:
    """Return the tiplu's back, or its face if everybody knows it."""
    if tiplu.face is None:
        return back(CENTRAL, style).transpose(Image.Transpose.ROTATE_90)  # it lies crosswise
    return card(tiplu.face, PEEKING, style, tiplu.look)


@once(4 * MEGABYTE)
def _top(face: Card | None, mark: Look, y: int, style: Style) -> Stamp:
    """Return the top of the pile, or an empty place, in a box like that of `_stock`."""
    size = (CENTRAL.width + 2 * _AROUND, CENTRAL.height + 2 * _AROUND)

    def paint(canvas: Image.Image) -> None:
        if face is None:
            icons.outline(canvas, _AROUND, _AROUND, CENTRAL, style)
            return
        sprite = card(face, CENTRAL, style, mark)
        canvas.paste(sprite, _corner(0, 0), sprite)

    return stamped(paint, size, y - _AROUND, HEIGHT, style)


def _corner(x: int, y: int) -> tuple[int, int]:
    """Return the position of a card's sprite in such a box."""
    return _AROUND + x - MARGIN, _AROUND + y - MARGIN


_EDGE: Final = 16
_ROW_NAME: Final = 36
_NAME_HEIGHT: Final = 48
_GAP: Final = 10
_SHOWS: Final = 0.78
"""The greatest visible share of a covered card's width. It is less if all cards would not fit."""
ROW: Final = _NAME_HEIGHT + TINY.height + 2 * MARGIN + _GAP
"""The height of one seat's row."""


def draw_open_hands(view: View, names: Sequence[str], style: Style = DEFAULT) -> Picture:
    """Draw every known hand of the view, seat by seat; raises ValueError if there is none."""
    seats = known_seats(view)
    if not seats:
        raise ValueError("no hand of this view is known")
    lines = draw_hands(view, seats, names, style)
    return Picture(png_of_lines(lines, style.palette_bytes), open_hands_alt(view, names), WIDTH, lines.height)


def known_seats(view: View) -> tuple[int, ...]:
    """Return the seats whose cards the view knows."""
    return tuple(number for number, seat in enumerate(view.seats) if seat.concealed is not None)


def height(rows: int) -> int:
    """Return the height of this number of rows, in pixels."""
    return rows * ROW + _GAP if rows else 0


def draw_hands(view: View, seats: Sequence[int], names: Sequence[str], style: Style) -> Image.Image:
    """Draw the hands of these seats as palette indices after a column of zeros. `height` returns their height."""
    canvas = Canvas(Image.new("L", (WIDTH + 1, height(len(seats)))), style)
    colours = style.colours
    for row, seat in enumerate(seats):
        y = _GAP + row * ROW
        lit = seat == view.turn and view.sheet is None
        name = drawable(names[seat], words.say("word.seat", number=seat + 1))
        count = str(view.seats[seat].concealed_count)
        name = fit(name, WIDTH - 3 * _EDGE - width(count, _ROW_NAME), _ROW_NAME)
        middle = y + _NAME_HEIGHT / 2
        fill = colours.gold if lit else colours.text
        x = _EDGE + canvas.write((_EDGE, middle), name, _ROW_NAME, fill, colours.felt, anchor="lm")
        canvas.write((x + _EDGE, middle), count, _ROW_NAME, colours.muted, colours.felt, anchor="lm")
        _put_row(canvas, view, seat, y + _NAME_HEIGHT, style)
    return canvas.lines


def _put_row(canvas: Canvas, view: View, seat: int, top: int, style: Style) -> None:
    """Draw one hand. The drawn card is highlighted."""
    cards = view.seats[seat].concealed or ()
    came = view.drawn if seat == view.turn else None
    lit = cards.index(came) if came is not None and came in cards else None
    marks = tuple(look(card, view, lit=number == lit) for number, card in enumerate(cards))
    room = WIDTH - 2 * _EDGE - TINY.width
    step = min(round(_SHOWS * TINY.width), room // max(1, len(cards) - 1))
    x = _EDGE - MARGIN
    for sprite in strips(cards, marks, TINY, style, step):
        canvas.lay(plain_indices(sprite), x, top)
        x += sprite.width
