"""The picture of a player's hand: cards in rows, arranged as the player chose, the drawn card apart, open sets below."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from PIL import Image, ImageDraw

from marriage.cards import Card, Cards
from marriage.view import View
from render import words
from render.alt import hand_alt
from render.drawing.card_groups import Looks, flow, group, look, looks, open_groups, strips, tunnelas
from render.drawing.deck import ASIDE, BIG, LARGE, MARGIN, TINY, flatten, on_felt
from render.drawing.faces import PLAIN, Size
from render.drawing.memory import MEGABYTE, once
from render.drawing.rows import Item, Piece, Row, even_parts, lines_of, row_of, rows_of
from render.drawing.text import draw_text, fit, width
from render.hand_layout import BY_SUIT, COMPLETE, Heap, HeapKind, Layout, Order, lay_out
from render.picture import Picture, SpriteBoard, finish_sprites
from render.style import DEFAULT, Colour, Style

WIDTHS: Final = {BIG: 860, LARGE: 680}
"""The picture's width by the size of its cards, for eight or five next to each other.

Both are displayed equally wide, and large cards are sharp with fewer pixels.
"""
_BESIDE: Final = {BIG: ASIDE, LARGE: TINY}
"""The size of the open cards."""
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


def draw_hand(view: View, style: Style = DEFAULT, order: Order = BY_SUIT, *, large: bool = False) -> Picture:
    """The viewer's own cards; raises ValueError for a spectator's view."""
    return finish_sprites(plan_hand(view, style, order, large=large), hand_alt(view, order), style)


def plan_hand(
    view: View, style: Style = DEFAULT, order: Order = BY_SUIT, *, large: bool = False, tiplu: bool = True
) -> SpriteBoard:
    """Plan the picture before it is drawn: the place of each sprite.

    `tiplu` is whether to show it with the open sets.
    """
    plan = _Plan(view, lay_out(view, order), LARGE if large else BIG, style)
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
class _Plan:
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
        """Return the width of the whole picture."""
        return WIDTHS[self.size]

    @property
    def room(self) -> int:
        """Return the available width of a row."""
        return self.width - 2 * _EDGE

    @property
    def pitch(self) -> int:
        """Return the width of a single card, including its shadow."""
        return self.size.width + 2 * MARGIN

    def put_rows(self) -> None:
        """Place the heaps, with room for the drawn card in the last row if possible."""
        for row in self._rows():
            self._new_row()
            self._put_row(row)
            self.left = _EDGE + row.right + _DRAWN_GAP

    def _rows(self) -> Iterable[Row]:
        """Return the heaps in rows. Rows of suits, or in the player's own order, end between heaps, and their cards lie closer together if necessary."""
        heaps, spare = [*self._heaps()], self.pitch + _DRAWN_GAP
        if not any(heap.kind in _CLOSE for heap, _ in heaps):
            pieces = [piece for heap, shown in heaps for piece in self._pieces(heap, shown)]
            return rows_of(pieces, self.room, spare)
        items = tuple(
            Item(cards=len(heap.cards))
            if heap.kind in _CLOSE
            else Item(fixed=sum(piece.width for piece in self._pieces(heap, shown)))
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

    def _put_row(self, row: Row) -> None:
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
        """Return the possible distances of a suit's overlapping cards, the greatest first."""
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
    """Return the number of each card's set, by heap and then for the drawn card; 0 if a caption names the set or there is none."""
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
    """A bracket under a fan."""
    image = Image.new("RGBA", (wide, 2 * _TICK))
    left, right, top, bottom = MARGIN + 4, wide - MARGIN - 5, 1, _TICK + 2
    ImageDraw.Draw(image).line(
        ((left, top), (left, bottom), (right, bottom), (right, top)), fill=colour, width=5
    )
    return flatten(image, style)


@once(2 * MEGABYTE)
def _caption(word: str, colour: Colour, wide: int, style: Style) -> Image.Image:
    """A bracket under a fan, with a word in its middle if there is one."""
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
    """A word on felt."""
    size = (round(width(text, _LABEL)) + 2, _LABEL_HEIGHT)
    image = Image.new("RGBA", size)
    draw_text(ImageDraw.Draw(image), (0, _LABEL_HEIGHT / 2), text, _LABEL, colour, anchor="lm")
    return flatten(image, style)
