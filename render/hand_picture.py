"""The picture of a player's hand: cards in rows, arranged as the player chose, the drawn card apart, open sets below.

A row holds as many pieces as fit, spread over the available room up to a maximum.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice, pairwise
from math import ceil
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from marriage.cards import Card, Cards
from marriage.view import View
from render import words
from render.alt import hand_alt
from render.drawing.deck import (
    ASIDE,
    BIG,
    LARGE,
    MARGIN,
    TINY,
    Looks,
    flatten,
    flow,
    group,
    look,
    looks,
    on_felt,
    open_groups,
    strips,
    tunnelas,
)
from render.drawing.faces import PLAIN, Size
from render.drawing.memory import MEGABYTE, once
from render.drawing.text import draw_text, fit, width
from render.hand_layout import BY_SUIT, COMPLETE, CardOrder, Heap, HeapKind, Layout, lay_out
from render.picture import Picture, SpriteBoard, finish_sprites
from render.style import DEFAULT, Colour, Style

_LEAST: Final = 6
_MOST: Final = 20


@dataclass(frozen=True, slots=True)
class Piece:
    """Sprites next to each other in one place, and the caption below them."""

    sprites: tuple[Image.Image, ...]
    caption: Image.Image | None = None
    joined: bool = False
    """Whether it is close to the piece before it."""

    @property
    def width(self) -> int:
        """The width of all its sprites."""
        return sum(sprite.width for sprite in self.sprites)


@dataclass(frozen=True, slots=True)
class CardRow:
    """Pieces next to each other."""

    pieces: tuple[Piece, ...]
    places: tuple[int, ...]
    """The left edge of each piece."""

    @property
    def right(self) -> int:
        """The right edge of the last piece."""
        return self.places[-1] + self.pieces[-1].width


def rows_of(pieces: Sequence[Piece], room: int, spare: int) -> list[CardRow]:
    """Break the pieces into rows of at most that width. If possible, a row keeps `spare` pixels free."""
    lines: list[list[Piece]] = []
    for piece in pieces:
        if lines and _width([*lines[-1], piece], _LEAST) <= room:
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [row_of(line, room, spare) for line in lines]


def row_of(line: Sequence[Piece], room: int, spare: int) -> CardRow:
    """Put these pieces in one row."""
    least = _width(line, _LEAST)
    free = room - least - (spare if least + spare <= room else 0)
    breaks = _breaks(line)
    gap = min(_MOST, _LEAST + free // breaks) if breaks else 0
    places: list[int] = []
    x = 0
    for index, piece in enumerate(line):
        x += gap if index and not piece.joined else 0
        places.append(x)
        x += piece.width
    return CardRow(tuple(line), tuple(places))


def _width(line: Sequence[Piece], gap: int) -> int:
    return sum(piece.width for piece in line) + gap * _breaks(line)


def _breaks(line: Sequence[Piece]) -> int:
    return sum(not piece.joined for piece in line[1:])


class RowItem(NamedTuple):
    """An unbreakable part of a row: a suit whose cards may move closer together, or something of a fixed width."""

    cards: int = 0
    fixed: int = 0

    def width(self, step: int, pitch: int) -> int:
        """Return its width if the cards are `step` apart and the last one is `pitch` wide."""
        return self.fixed or (self.cards - 1) * step + pitch


class RowLine(NamedTuple):
    """A planned row: the number of items, and the distance between cards."""

    items: int
    step: int


@lru_cache(maxsize=4096)
def lines_of(
    items: tuple[RowItem, ...], steps: tuple[int, ...], room: int, spare: int
) -> tuple[RowLine, ...]:
    """Plan rows that end between items. Each item fits in a row at the last of the steps.

    `steps` are the available distances; at the first one no card covers another. The priorities are: no more
    rows than uncovered cards would need, or than there are items; then the greatest distance in the closest
    row; then the greatest sum of all distances. `spare` is the room for one more card in the last row.
    """
    pitch = steps[0]
    uncovered = sum(item.width(pitch, pitch) for item in items) + spare
    usual = min(len(items), ceil(uncovered / (room // pitch * pitch)))
    plans = _plans(items, steps, room, spare)
    rows = min(plans, key=lambda rows: (max(rows, usual), plans[rows].cost))
    return plans[rows].lines


class _RowPlan(NamedTuple):
    """A plan of some rows for the first items."""

    cost: tuple[int, int]
    """The closest step of a row and the sum of all steps, by their indices."""
    lines: tuple[RowLine, ...]


def _plans(items: Sequence[RowItem], steps: Sequence[int], room: int, spare: int) -> dict[int, _RowPlan]:
    """Return the best plan for each number of rows, by dynamic programming over the first one, two, three... items."""
    best: list[dict[int, _RowPlan]] = [{0: _RowPlan((0, 0), ())}]
    for end in range(1, len(items) + 1):
        here: dict[int, _RowPlan] = {}
        # The spare card either follows the last item or takes a row of its own.
        ends = ((room - spare, 1), (room, 2)) if end == len(items) else ((room, 1),)
        for start in reversed(range(end)):
            for limit, rows in ends:
                _extend(here, best[start], rows, _closest(items[start:end], steps, limit), end - start, steps)
        best.append(here)
    return best[-1]


def _extend(
    here: dict[int, _RowPlan],
    before: dict[int, _RowPlan],
    rows: int,
    step: int | None,
    items: int,
    steps: Sequence[int],
) -> None:
    """Add a row to the plans before it if that improves on the known ones."""
    if step is None:
        return
    for count, (cost, lines) in before.items():
        plan = _RowPlan((max(cost[0], step), cost[1] + step), (*lines, RowLine(items, steps[step])))
        here[count + rows] = min(here.get(count + rows, plan), plan)


def _closest(items: Sequence[RowItem], steps: Sequence[int], room: int) -> int | None:
    """Return the index of the widest step at which these items fit in one row; None if they do not fit."""
    free = room - _LEAST * (len(items) - 1)
    fitting = (
        number
        for number, step in enumerate(steps)
        if sum(item.width(step, steps[0]) for item in items) <= free
    )
    return next(fitting, None)


def even_parts(count: int, most: int) -> tuple[slice, ...]:
    """Divide `count` cards into as few parts of at most `most` as possible, about equally long."""
    parts = ceil(count / most) or 1
    ends = [count * number // parts for number in range(parts + 1)]
    return tuple(slice(start, end) for start, end in pairwise(ends))


WIDTHS: Final = {BIG: 860, LARGE: 680}
"""The picture's width by the size of its cards, for eight or five next to each other.

Both are displayed equally wide, and large cards are sharp with fewer pixels.
"""
_BESIDE: Final = {BIG: ASIDE, LARGE: TINY}
"""The size of the player's open cards."""
_EDGE: Final = 12
_DRAWN_GAP: Final = 14
_LEADING: Final = 4
_SHOWS: Final = 0.8
"""The visible share of a covered card of a fan: its rank and most of its suit."""
_SUIT_SHOWS: Final = (0.9, 0.8, 0.73, 0.66)
"""The visible shares for the cards of a suit, which lie closer together if the suit would otherwise be broken."""
_GROUP_GAP: Final = 16
_LABEL: Final = 27
_LABEL_HEIGHT: Final = 40
_CAPTION: Final = 25
_CAPTION_HEIGHT: Final = 40
_TICK: Final = 8
_CLOSE: Final = frozenset((HeapKind.SUIT, HeapKind.ORDERED))
"""Heaps without a caption, whose cards lie closer together if a row is full."""


def draw_hand(
    view: View, style: Style = DEFAULT, order: CardOrder = BY_SUIT, *, large: bool = False
) -> Picture:
    """Draw the viewer's own cards; raises ValueError for a spectator's view."""
    return finish_sprites(plan_hand(view, style, order, large=large), hand_alt(view, order), style)


def plan_hand(
    view: View, style: Style = DEFAULT, order: CardOrder = BY_SUIT, *, large: bool = False, tiplu: bool = True
) -> SpriteBoard:
    """Plan the picture before it is drawn: the place of each sprite.

    `tiplu` is whether to show it with the open sets.
    """
    plan = _HandPlan(view, lay_out(view, order), LARGE if large else BIG, style)
    plan.put_rows()
    plan.put_drawn()
    plan.put_open_sets(tiplu=tiplu)
    return SpriteBoard(plan.width, plan.bottom + _EDGE, tuple(plan.placed))


def draw_card_ahead(face: Card, style: Style) -> Iterator[bool]:
    """Draw the sprites that a card without a badge or mark usually has in a hand; yields True after each."""
    on_felt(face, BIG, style)
    yield True
    for part in _SUIT_SHOWS[:2]:
        strips((face,) * 3, (PLAIN,) * 3, BIG, style, round(part * BIG.width))
        yield True


@dataclass(slots=True)
class _HandPlan:
    """The places of the sprites, and the height of the picture."""

    view: View
    layout: Layout
    size: Size
    style: Style
    placed: list[tuple[Image.Image, tuple[int, int]]] = field(
        default_factory=list[tuple[Image.Image, tuple[int, int]]]
    )
    left: int = _EDGE
    """The position at which the last row continues."""
    top: int = _EDGE
    """The top of the last row."""
    bottom: int = _EDGE

    def put(self, sprite: Image.Image, x: int, y: int) -> None:
        """Place a sprite."""
        self.placed.append((sprite, (x, y)))
        self.bottom = max(self.bottom, y + sprite.height)

    @property
    def width(self) -> int:
        """The width of the whole picture."""
        return WIDTHS[self.size]

    @property
    def room(self) -> int:
        """The available width of a row."""
        return self.width - 2 * _EDGE

    @property
    def pitch(self) -> int:
        """The width of a single card, including its shadow."""
        return self.size.width + 2 * MARGIN

    def put_rows(self) -> None:
        """Place the heaps, with room for the drawn card in the last row if possible."""
        for row in self._rows():
            self._new_row()
            self._put_row(row)
            self.left = _EDGE + row.right + _DRAWN_GAP

    def _rows(self) -> Iterable[CardRow]:
        """Return the heaps in rows.

        Rows of suits, or in the player's own order, end between heaps, and their cards lie closer together if
        necessary.
        """
        heaps, spare = [*self._heaps()], self.pitch + _DRAWN_GAP
        if not any(heap.kind in _CLOSE for heap, _ in heaps):
            pieces = [piece for heap, shown in heaps for piece in self._pieces(heap, shown)]
            return rows_of(pieces, self.room, spare)
        items = tuple(
            RowItem(cards=len(heap.cards))
            if heap.kind in _CLOSE
            else RowItem(fixed=sum(piece.width for piece in self._pieces(heap, shown)))
            for heap, shown in heaps
        )
        left = iter(heaps)
        return [
            row_of(
                [piece for heap, shown in islice(left, count) for piece in self._pieces(heap, shown, step)],
                self.room,
                spare,
            )
            for count, step in lines_of(items, (self.pitch, *self._steps), self.room, spare)
        ]

    def _new_row(self) -> None:
        self.left, self.top = _EDGE, self.bottom + (_LEADING if self.placed else 0)

    def _put_row(self, row: CardRow) -> None:
        for piece, x in zip(row.pieces, row.places, strict=True):
            left = _EDGE + x
            for sprite in piece.sprites:
                self.put(sprite, left, self.top)
                left += sprite.width
            if piece.caption is not None:
                self.put(piece.caption, _EDGE + x, self.top + piece.sprites[0].height)

    def _heaps(self) -> Iterator[tuple[Heap, Looks]]:
        """Yield each heap with the looks of its cards. A heap that is too long for one row is divided."""
        fresh = self.view.drawn if self.layout.drawn is None else None
        for heap, numbers in zip(self.layout.heaps, marks_of(self.layout), strict=False):
            lit = heap.cards.index(fresh) if fresh in heap.cards and fresh is not None else None
            fresh = None if lit is not None else fresh
            shown = tuple(
                look(card, self.view, lit=index == lit, mark=number)
                for index, (card, number) in enumerate(zip(heap.cards, numbers, strict=True))
            )
            step = self._steps[-1] if heap.kind in _CLOSE else self._fan_step
            most = len(heap.cards) if heap.kind is HeapKind.REST else (self.room - self.pitch) // step + 1
            parts = even_parts(len(heap.cards), most)
            for part in parts:
                yield (replace(heap, cards=heap.cards[part]) if len(parts) > 1 else heap), shown[part]

    @property
    def _fan_step(self) -> int:
        return round(_SHOWS * self.size.width)

    @property
    def _steps(self) -> tuple[int, ...]:
        """The possible distances of a suit's overlapping cards, the greatest first."""
        return tuple(round(part * self.size.width) for part in _SUIT_SHOWS)

    def _pieces(self, heap: Heap, shown: Looks, step: int = 0) -> Iterator[Piece]:
        """Yield single cards, the first slightly apart, or all in one piece, `step` pixels apart."""
        singles = (
            on_felt(card, self.size, self.style, mark) for card, mark in zip(heap.cards, shown, strict=True)
        )
        if heap.kind is HeapKind.REST:
            yield from (Piece((sprite,), joined=index > 0) for index, sprite in enumerate(singles))
        elif heap.kind not in _CLOSE:
            sprites = strips(heap.cards, shown, self.size, self.style, self._fan_step)
            yield Piece(sprites, self._caption(heap, sum(sprite.width for sprite in sprites)))
        elif step == self.pitch:
            yield Piece(tuple(singles))
        else:
            yield Piece(strips(heap.cards, shown, self.size, self.style, step))

    def _caption(self, heap: Heap, wide: int) -> Image.Image | None:
        """Return the caption below a fan, in gold if the set is complete. Large cards have no room for the word.

        Of several incomplete heaps, only the first has a caption.
        """
        if heap.kind is HeapKind.RANK:
            return None
        colours = self.style.colours
        colour = colours.muted
        if heap.kind in COMPLETE:
            colour = colours.gold if self.layout.number_of(heap) else colours.text
        if self.size is LARGE:
            return _bracket(colour, wide, self.style)
        begun = next((other for other in self.layout.heaps if other.kind is HeapKind.PARTIAL), heap)
        again = heap.kind is HeapKind.PARTIAL and heap is not begun
        return _caption("" if again else words.say(f"heap.{heap.kind}"), colour, wide, self.style)

    def put_drawn(self) -> None:
        """Place the drawn card after the last row or below it."""
        drawn = self.layout.drawn
        if drawn is None:
            return
        if self.left + self.pitch > self.width - _EDGE:
            self._new_row()
        mark = marks_of(self.layout)[-1][0]
        shown = look(drawn, self.view, lit=True, mark=mark)
        self.put(on_felt(drawn, self.size, self.style, shown), self.left, self.top)
        word = words.say("word.taken" if self.view.taken == drawn else "word.drawn")
        label = _label(word, self.style.colours.gold, self.style)
        self.left += self.pitch + _DRAWN_GAP // 2
        if self.left + label.width <= self.width:
            self.put(label, self.left, self.top + (self.size.height - label.height) // 2)
        self.left += label.width + _DRAWN_GAP

    def put_open_sets(self, *, tiplu: bool) -> None:
        """Place the tiplu and the player's open cards, small, in the last row if there is room for all."""
        pieces = _small_pieces(self.view, _BESIDE[self.size], self.style, tiplu=tiplu)
        widths = [piece.width for _, piece in pieces]
        x_start, y = self.left + _GROUP_GAP, self.top
        if sum(widths) + _GROUP_GAP * len(widths) > self.width - _EDGE - x_start:
            x_start, y = _EDGE, self.bottom + 6
        for line in flow(widths, self.width - _EDGE - x_start, _GROUP_GAP):
            x = x_start
            below = y + _LABEL_HEIGHT * any(pieces[index][0] for index in line)
            for label, piece in (pieces[index] for index in line):
                if label:
                    self.put(_label(label, self.style.colours.text, self.style), x + MARGIN, y)
                self.put(piece, x, below)
                x += piece.width + _GROUP_GAP
            y = below + _BESIDE[self.size].height + 2 * MARGIN + 6


def marks_of(layout: Layout) -> list[list[int]]:
    """Return the number of each card's set, by heap and then for the drawn card.

    It is 0 if a caption names the set or there is none.
    """
    captioned = [layout.number_of(heap) if heap.kind in COMPLETE else 0 for heap in layout.heaps]
    wanted = {
        number: Counter(cards) for number, cards in enumerate(layout.sets, 1) if number not in captioned
    }

    def take(card: Card) -> int:
        for number, cards in wanted.items():
            if cards[card]:
                cards[card] -= 1
                return number
        return 0

    marks = [
        [0] * len(heap.cards) if number else [take(card) for card in heap.cards]
        for heap, number in zip(layout.heaps, captioned, strict=True)
    ]
    return marks if layout.drawn is None else [*marks, [take(layout.drawn)]]


def _small_pieces(view: View, size: Size, style: Style, *, tiplu: bool) -> list[tuple[str, Image.Image]]:
    """Return the small groups. The first of each kind has a label."""
    pieces: list[tuple[str, Image.Image]] = []
    kinds = (
        ("word.tiplu", ((view.tiplu,),) if tiplu and view.tiplu is not None else ()),
        ("word.shown", open_groups(view.own)),
        ("word.tunnela", tunnelas(view.own)),
    )
    for key, groups in kinds:
        for number, cards in enumerate(groups):
            marks = looks(cards, view) if key != "word.tiplu" else (PLAIN,)
            sprite = _group_on_felt(cards, marks, size, style)
            pieces.append(("" if number else words.say(key), sprite))
    return pieces


@once(MEGABYTE)
def _bracket(colour: Colour, wide: int, style: Style) -> Image.Image:
    """Draw a bracket under a fan."""
    image = Image.new("RGBA", (wide, 2 * _TICK))
    left, right, top, bottom = MARGIN + 4, wide - MARGIN - 5, 1, _TICK + 2
    ImageDraw.Draw(image).line(
        ((left, top), (left, bottom), (right, bottom), (right, top)), fill=colour, width=5
    )
    return flatten(image, style)


@once(2 * MEGABYTE)
def _caption(word: str, colour: Colour, wide: int, style: Style) -> Image.Image:
    """Draw a bracket under a fan, with a word in its middle if there is one."""
    image = Image.new("RGBA", (wide, _CAPTION_HEIGHT))
    draw = ImageDraw.Draw(image)
    left, right, y = MARGIN + 4, wide - MARGIN - 5, _CAPTION_HEIGHT / 2
    text = fit(word, right - left - 2 * _TICK, _CAPTION)
    middle, half = wide / 2, (width(text, _CAPTION) / 2 + _TICK) * bool(text)
    for outer, inner in ((left, middle - half), (right, middle + half)):
        draw.line(((outer, y - _TICK), (outer, y), (inner, y)), fill=colour, width=3)
    draw_text(draw, (middle, y), text, _CAPTION, colour, anchor="mm")
    return flatten(image, style)


@once(4 * MEGABYTE)
def _group_on_felt(cards: Cards, marks: Looks, size: Size, style: Style) -> Image.Image:
    return flatten(group(cards, marks, size, style), style)


@once(MEGABYTE)
def _label(text: str, colour: Colour, style: Style) -> Image.Image:
    """Draw a word on felt."""
    size = (round(width(text, _LABEL)) + 2, _LABEL_HEIGHT)
    image = Image.new("RGBA", size)
    draw_text(ImageDraw.Draw(image), (0, _LABEL_HEIGHT / 2), text, _LABEL, colour, anchor="lm")
    return flatten(image, style)
