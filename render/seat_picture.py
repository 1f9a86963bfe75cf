"""The pictures of a seat: the table as its player sees it, and below it their hand, with everything that a turn needs.

They are two files, because while others play the table changes and the hand does not. Then only the table is drawn
and sent again.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from marriage.cards import CARDS
from marriage.state import Phase
from marriage.view import View
from render.alt import hand_alt, strip_alt
from render.catalogue import spoken
from render.drawing.memory import MEGABYTE, ByteCache
from render.drawing.png import png_of_lines
from render.hand_layout import Order, lay_out
from render.hand_picture import draw_card_ahead, plan_hand
from render.picture import Picture, finish_sprites
from render.style import DEFAULT, Style
from render.table_strip import ENLARGED, NORMAL, draw_discard_ahead, draw_stock_ahead, draw_strip

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
    """The table as the viewer sees it; `names` are by seat. Raises ValueError for a spectator's view.

    A card that the viewer has drawn from the stock shows in their hand alone, so that drawing does not change the table, unless
    few cards are left.
    """
    view = _as_before_drawing(view)
    measures = ENLARGED if large else NORMAL
    lines = draw_strip(view, names, measures, style)
    file = png_of_lines(lines, style.palette_bytes, MOST_TABLE_BYTES)
    return Picture(file, strip_alt(view, names), measures.width, lines.height)


def draw_hand_below(view: View, style: Style, order: Order, *, large: bool) -> Picture:
    """The hand below its table, cached while nothing in it changes. Raises ValueError for a spectator's view."""
    key = (lay_out(view, order), _hand_facts(view), style, large, spoken())
    kept = _hands.get(key)
    if kept is None:
        board = plan_hand(view, style, order, large=large, tiplu=False)
        kept = finish_sprites(board, hand_alt(view, order), style, MOST_HAND_BYTES)
        _hands.keep(key, kept)
    return kept


def draw_ahead(style: Style = DEFAULT) -> Iterator[bool]:
    """Draw the sprites of which the first hands of most deals consist; yields True after every few milliseconds."""
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
