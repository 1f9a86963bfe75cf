"""The pictures of a seat: the table as its player sees it, and below it their hand, with everything that a turn needs.

They are two files, because while others play the table changes and the hand does not. Then only the table is drawn
and sent again.

The strip with the table is as wide as a phone. The other players come first, in turn order. Below them are the tiplu, the
stock and the last discards with the names of their throwers, and at the end the player's own plate. All sizes are chosen
for legibility at a width of 390 pixels.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

from PIL import Image

from marriage.cards import CARDS, PACKS, UNKNOWN, Card
from marriage.state import Phase
from marriage.view import View
from render import words
from render.alt import hand_alt, strip_alt
from render.drawing.cloth import RIM, Canvas, plain_indices
from render.drawing.deck import (
    ASIDE,
    BIG,
    LARGE,
    MARGIN,
    TINY,
    flatten,
    flow,
    look,
    looks,
    on_felt,
    open_groups,
    tunnelas,
)
from render.drawing.faces import PLAIN, Look, Size
from render.drawing.icons import chip, chip_height, outline, plate_on, put_icon
from render.drawing.memory import MEGABYTE, ByteCache, once
from render.drawing.png import png_of_lines
from render.drawing.text import drawable, fit, fit_words, width
from render.hand_layout import CardOrder, lay_out
from render.hand_picture import WIDTHS, draw_card_ahead, plan_hand
from render.picture import Picture, finish_sprites, lit_seat
from render.style import DEFAULT, Colour, Style, index_of
from render.words import spoken


@dataclass(frozen=True, slots=True)
class Measures:
    """The sizes of a strip, in pixels of the finished picture."""

    hand: Size
    """The size of the cards of the hand below."""
    top: Size
    """The size of the top of the pile."""
    small: Size
    """The size of all other cards."""
    name: int
    """The font size of names. Long names shrink to `least` before they are cut."""
    least: int
    """The smallest font size: 11 pixels at a width of 390."""
    line: int
    """The height of a line of text."""
    slot: int
    """The width of a discard with its name."""
    own: int
    """The width of the player's own plate."""

    @property
    def width(self) -> int:
        """The width of the picture."""
        return WIDTHS[self.hand]


NORMAL: Final = Measures(BIG, BIG, ASIDE, name=29, least=25, line=36, slot=112, own=184)
ENLARGED: Final = Measures(LARGE, BIG, TINY, name=23, least=20, line=30, slot=90, own=146)
_EDGE: Final = 12
_GAP: Final = 10
_PAD: Final = 10
_MOST_DISCARDS: Final = 4
_BESIDE: Final = 0.36
"""Where the sets of a single opponent begin, as a share of the plate.

Other opponents' sets use the whole width below the plate.
"""


def draw_strip(view: View, names: Sequence[str], measures: Measures, style: Style) -> Image.Image:
    """Draw the strip as palette indices after a column of zeros; raises ValueError for a spectator's view."""
    own, *others = turn_order(view)
    alone = len(others) == 1
    wide = (measures.width - 2 * _EDGE - _GAP * (len(others) - 1)) // len(others)
    inner = round(wide * (1 - _BESIDE * alone)) - 2 * _PAD
    sets = [_sets_in_lines(view, seat, inner, measures, style) for seat in others]
    below = max(map(len, sets)) * (_chip_line(measures) if not alone else 0)
    height = _plate_height(measures) + below
    top = _EDGE + height + _EDGE
    ground = Image.new("L", (measures.width + 1, top + _GAP // 2 + _middle_height(measures)))
    ground.paste(index_of(style.colours.plate, style), (1, 0, measures.width + 1, top))
    called = [drawable(name, words.say("word.seat", number=seat + 1)) for seat, name in enumerate(names)]
    strip = _Strip(Canvas(ground, style), view, called, measures, style)
    for number, (seat, lines) in enumerate(zip(others, sets, strict=True)):
        x = _EDGE + number * (wide + _GAP)
        strip.put_plate(seat, (x, _EDGE), (wide, height))
        at = (x + wide - inner - _PAD, _EDGE + _PAD) if alone else (x + _PAD, _EDGE + _plate_height(measures))
        strip.put_sets(lines, at)
    top += _GAP // 2
    left = strip.put_draws(top)
    right = measures.width - _EDGE - measures.own
    strip.put_pile(left, right - _GAP, top)
    strip.put_plate(
        own,
        (right, top + (_middle_height(measures) - _plate_height(measures)) // 2),
        (measures.own, _plate_height(measures)),
    )
    return strip.canvas.lines


def draw_discard_ahead(face: Card, style: Style) -> None:
    """Draw the sprites that a card without a badge has in the pile."""
    _card(face, NORMAL.top, style, PLAIN)
    _card(face, NORMAL.small, style, PLAIN)


def draw_stock_ahead(style: Style) -> None:
    """Draw the backs of the stock."""
    for pack in range(PACKS):
        _card(UNKNOWN, NORMAL.small, style, Look(pack=pack))


def turn_order(view: View) -> tuple[int, ...]:
    """Return the seats in the order of play, the viewer's first; raises ValueError for a spectator's view."""
    if view.viewer is None:
        raise ValueError("a spectator has no seat")
    seats = [view.viewer]
    while len(seats) < len(view.seats):
        seats.append(view.next_seat(seats[-1]))
    return tuple(seats)


def _plate_height(measures: Measures) -> int:
    """Return the height of a plate without sets."""
    return 2 * measures.line + _PAD


def _middle_height(measures: Measures) -> int:
    """Return the height of the part below the plates: the top of the pile and a name."""
    return measures.top.height + 2 * MARGIN + measures.line


def _chip_line(measures: Measures) -> int:
    return chip_height(measures.least) + _GAP


def _sets_in_lines(
    view: View, seat: int, inner: int, measures: Measures, style: Style
) -> list[list[Image.Image]]:
    """Return the sets that a seat has on the table, as chips in lines of at most that width."""
    held = view.seats[seat]
    sets = (*tunnelas(held), *open_groups(held))
    chips = [chip(cards, looks(cards, view), measures.least, style) for cards in sets]
    lines = flow([laid.width for laid in chips], inner, _GAP)
    return [[chips[index] for index in line] for line in lines]


@dataclass(slots=True)
class _Strip:
    """A strip in progress."""

    canvas: Canvas
    view: View
    called: Sequence[str]
    """The drawable names by seat."""
    measures: Measures
    style: Style

    def put_plate(self, seat: int, at: tuple[int, int], size: tuple[int, int]) -> None:
        """Draw name, cards held and marks of a seat, with a rim for the seat in turn or the winner."""
        (left, top), (wide, _) = at, size
        lit = lit_seat(self.view) == seat
        colours = self.style.colours
        if lit or seat == self.view.viewer:
            ground = colours.felt if seat == self.view.viewer else colours.plate
            self.canvas.lay(plate_on(ground, *size, self.style, lit=lit), left - RIM, top - RIM)
        name = self.called[seat]
        if seat == self.view.viewer:
            turn = lit and self.view.phase is not Phase.OVER
            name = words.say("word.your_turn" if turn else "word.you")
        fill = colours.gold if lit else colours.muted if self.view.seats[seat].out else colours.text
        line = self.measures.line
        self._write((left + _PAD, top + _PAD / 2 + line / 2), name, wide - 2 * _PAD, fill)
        self._put_state(seat, left + _PAD, left + wide - _PAD, top + _PAD / 2 + 1.5 * line)

    def _write(self, at: tuple[float, float], text: str, room: float, fill: Colour) -> float:
        """Draw a line on a plate, shrunk and then cut if it is too long; returns its width."""
        size = self.measures.name
        if width(text, size) > room:
            size = self.measures.least
            text = fit(text, round(room), size)
        return self.canvas.write(at, text, size, fill, self.style.colours.plate, anchor="lm")

    def _put_state(self, seat: int, left: float, right: float, y: float) -> None:
        """Draw how many cards a seat holds and whether it has shown; at the end, what it won or lost."""
        held, colours, style = self.view.seats[seat], self.style.colours, self.style
        if self.view.dealer == seat:
            left += put_icon(self.canvas, "dealer", left, y, style) + _PAD / 2
        sheet = self.view.sheet
        if sheet is not None:
            net = sheet.lines[seat].net
            fill = colours.gain if net > 0 else colours.loss if net < 0 else colours.text
            self._write((left, y), words.signed(net), right - left, fill)
            return
        x = left + put_icon(self.canvas, "hand", left, y, style) + 8
        x += self._write((x, y), str(held.concealed_count), right - x, colours.text) + _PAD
        if held.out:
            self._write((x, y), words.say("word.out"), right - x, colours.muted)
        elif held.seen:
            x += put_icon(self.canvas, "eye", x, y, style) + _PAD / 2
            if width(seen := words.say("word.seen"), self.measures.least) <= right - x:
                self._write((x, y), seen, right - x, colours.gold)

    def put_sets(self, lines: Sequence[Sequence[Image.Image]], at: tuple[int, int]) -> None:
        """Draw sets as chips, line by line."""
        left, y = at
        for line in lines:
            x = left
            for laid in line:
                self.canvas.lay(laid, x, y)
                x += laid.width + _GAP
            y += _chip_line(self.measures)

    def put_draws(self, top: int) -> int:
        """Draw the tiplu, with its face only if the viewer knows it, and the stock; returns their right edge."""
        x = _EDGE
        if self.view.tiplu_cut:
            face = UNKNOWN if self.view.tiplu is None else self.view.tiplu
            x = self._put_small(face, PLAIN, words.say("word.tiplu"), x, top)
        pack = self.view.stock_count % PACKS
        stock = words.say("word.stock", count=self.view.stock_count)
        return self._put_small(UNKNOWN if self.view.stock_count else None, Look(pack=pack), stock, x, top)

    def _put_small(self, face: Card | None, mark: Look, caption: str, x: int, top: int) -> int:
        """Draw a small card above its caption, None for an empty place; returns where the next one may begin."""
        small, card = self.measures.small, self.measures.top
        wide = max(small.width + 2 * MARGIN, ceil(width(caption, self.measures.least)))
        y = top + card.height - small.height
        self.canvas.lay(_card(face, small, self.style, mark), x + (wide - small.width) // 2 - MARGIN, y)
        self._caption(caption, x + wide / 2, wide, top)
        return x + wide + _GAP

    def _caption(self, text: str, middle: float, room: float, top: int, fill: Colour | None = None) -> None:
        """Draw a line of the smallest text below the cards."""
        y = top + self.measures.top.height + 2 * MARGIN + self.measures.line / 2 - 2
        text = fit_words(text, ceil(room), self.measures.least)
        colours = self.style.colours
        ink = colours.text if fill is None else fill
        self.canvas.write((middle, y), text, self.measures.least, ink, colours.felt, anchor="mm")

    def put_pile(self, left: int, right: int, top: int) -> None:
        """Draw the last discards, the top one first and as large as in the hand, each above its thrower's name."""
        measures, view = self.measures, self.view
        slot = max(measures.slot, measures.top.width + 2 * MARGIN)
        shown = view.discards[::-1][: min(_MOST_DISCARDS, (right - left) // slot)]
        x = left
        for number, (face, thrower) in enumerate(shown or ((None, None),)):
            size = measures.small if number else measures.top
            mark = PLAIN if face is None else look(face, view)
            at = (x + (slot - size.width) // 2 - MARGIN, top + measures.top.height - size.height)
            self.canvas.lay(_card(face, size, self.style, mark), *at)
            if thrower is not None:
                name = words.say("word.you") if thrower == view.viewer else self.called[thrower]
                lit = self.style.colours.gold if thrower == view.viewer else None
                self._caption(name, x + slot / 2, slot - 6, top, lit)
            x += slot
        self._put_title(left + slot + MARGIN, right, top)

    def _put_title(self, left: int, right: int, top: int) -> None:
        """Draw the title above the smaller cards: what the deal waits for, or the number of cards in the pile."""
        colours, least = self.style.colours, self.measures.least
        key = {Phase.WINDOW: "word.window", Phase.OVER: "word.over"}.get(self.view.phase)
        text = words.say(key) if key else words.say("word.pile", count=len(self.view.pile))
        fill = colours.gold if key else colours.muted
        y = top + (self.measures.top.height - self.measures.small.height) / 2
        self.canvas.write((left, y), fit(text, right - left, least), least, fill, colours.felt, anchor="lm")


@once(6 * MEGABYTE)
def _card(face: Card | None, size: Size, style: Style, mark: Look) -> Image.Image:
    """Draw a card on plain felt as palette indices; an outline for None."""
    if face is not None:
        return plain_indices(on_felt(face, size, style, mark))
    image = Image.new("RGBA", (size.width + 2 * MARGIN, size.height + 2 * MARGIN), style.colours.felt)
    outline(image, MARGIN, MARGIN, size, style)
    return plain_indices(flatten(image, style))


MOST_TABLE_BYTES: Final = 20_000
MOST_HAND_BYTES: Final = 27_000
"""A larger file is deflated more thoroughly."""
_KEY: Final = 2_000
"""The approximate size of a hand's key in memory."""
_FEW: Final = 10
"""With fewer cards in the stock, players count them."""
_hands: ByteCache[tuple[object, ...], Picture] = ByteCache(
    8 * MEGABYTE, lambda hand: len(hand.png) + len(hand.alt) + _KEY
)


def draw_seat(view: View, names: tuple[str, ...], style: Style, *, large: bool) -> Picture:
    """Draw the table as the viewer sees it; `names` are by seat. Raises ValueError for a spectator's view.

    A card that the viewer has drawn from the stock shows only in their hand, so that drawing does not change
    the table, unless few cards are left.
    """
    view = _as_before_drawing(view)
    measures = ENLARGED if large else NORMAL
    lines = draw_strip(view, names, measures, style)
    file = png_of_lines(lines, style.palette_bytes, MOST_TABLE_BYTES)
    return Picture(file, strip_alt(view, names), measures.width, lines.height)


def draw_hand_below(view: View, style: Style, order: CardOrder, *, large: bool) -> Picture:
    """Draw the hand below its table, cached while nothing in it changes.

    Raises ValueError for a spectator's view.
    """
    key = (lay_out(view, order), _hand_facts(view), style, large, spoken())
    kept = _hands.get(key)
    if kept is None:
        board = plan_hand(view, style, order, large=large, tiplu=False)
        kept = finish_sprites(board, hand_alt(view, order), style, MOST_HAND_BYTES)
        _hands.keep(key, kept)
    return kept


def draw_ahead(style: Style = DEFAULT) -> Iterator[bool]:
    """Draw the sprites in the first hands of most deals; yields True after every few milliseconds."""
    draw_stock_ahead(style)
    yield True
    for face in CARDS[:52]:
        yield from draw_card_ahead(face, style)
        draw_discard_ahead(face, style)
        yield True


def forget_hands() -> None:
    """Clear the cache of hands."""
    _hands.clear()


def _as_before_drawing(view: View) -> View:
    """Return the view as it was before the viewer drew a card from the stock in this turn."""
    is_drawn = view.drawn is not None and view.taken is None and view.phase is Phase.PLAY
    if not is_drawn or view.turn != view.viewer or view.shown_now or view.stock_count < _FEW:
        return view
    own = replace(view.own, count=view.own.count - 1, concealed_count=view.own.concealed_count - 1)
    seats = tuple(own if seat is view.own else seat for seat in view.seats)
    return replace(view, seats=seats, phase=Phase.DRAW, stock_count=view.stock_count + 1)


def _hand_facts(view: View) -> View:
    """Return the view reduced to what the hand shows apart from its layout, so that equal hands have equal keys."""
    return replace(
        view, dealer=0, seats=(view.own,), viewer=0, stock_count=0, pile=(), phase=Phase.DRAW, turn=0, shown_now=False,
        tiplu_cut=False, reshuffles=0, version=0, sheet=None, better=False, carry=(), board=False, throwers=(),
    )  # fmt: skip
