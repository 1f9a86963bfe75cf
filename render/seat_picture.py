"""The picture of a seat: the strip of the table above the player's hand, with everything that a turn needs.

The two are deflated as two bands of one PNG. While others play, the strip changes and the hand does not, so
the band of the hand can be reused.
"""

from dataclasses import replace
from typing import Final

from marriage.state import Phase
from marriage.view import View
from render.alt import seat_alt
from render.catalogue import spoken
from render.drawing.memory import MEGABYTE, ByteCache
from render.drawing.png import Band, first_band, last_band, png_of_bands
from render.hand_layout import Order, lay_out
from render.hand_picture import plan_hand
from render.picture import Picture
from render.style import Style
from render.table_strip import ENLARGED, NORMAL, draw_strip

MOST_BYTES: Final = 45_000
"""A larger file is deflated more thoroughly."""
_BESIDE: Final = 900
"""The size of a PNG without its bands: mostly its palette."""
_A_CARD: Final = 1_100
"""The approximate size of each card of a quickly deflated hand, so that a hopeless attempt is skipped."""
_KEY: Final = 2_000
"""The approximate size of a band's key in memory."""
_hands: ByteCache[tuple[object, ...], Band] = ByteCache(8 * MEGABYTE, lambda band: len(band.deflated) + _KEY)


def draw_seat(view: View, names: tuple[str, ...], style: Style, order: Order, *, large: bool) -> Picture:
    """The table and the hand as the viewer sees them; `names` are by seat. Raises ValueError for a spectator's view."""
    measures = ENLARGED if large else NORMAL
    table = draw_strip(view, names, measures, style)
    strip = first_band(table)
    full = len(strip.deflated) + _A_CARD * len(view.hand) > MOST_BYTES
    hand = _hand_band(view, style, order, large=large, thorough=full)
    if not full and _too_large(strip, hand):
        hand = _hand_band(view, style, order, large=large, thorough=True)
    if _too_large(strip, hand):
        strip = first_band(table, thorough=True)
    file = png_of_bands(measures.width, strip, hand, style.palette_bytes)
    return Picture(file, seat_alt(view, names, order), measures.width, strip.lines + hand.lines)


def forget_hands() -> None:
    """Clear the cache of hands."""
    _hands.clear()


def _too_large(strip: Band, hand: Band) -> bool:
    return len(strip.deflated) + len(hand.deflated) + _BESIDE > MOST_BYTES


def _hand_band(view: View, style: Style, order: Order, *, large: bool, thorough: bool = False) -> Band:
    """Return the band of the hand below its table, cached while nothing in it changes."""
    key = (lay_out(view, order), _hand_facts(view), style, large, thorough, spoken())
    kept = _hands.get(key)
    if kept is None:
        lines = plan_hand(view, style, order, large=large, tiplu=False).lines()
        kept = last_band(lines, thorough=thorough)
        _hands.keep(key, kept)
    return kept


def _hand_facts(view: View) -> View:
    """Return the view reduced to what the hand shows apart from its layout, so that equal hands have equal keys."""
    return replace(
        view, dealer=0, seats=(view.own,), viewer=0, stock_count=0, pile=(), phase=Phase.DRAW, turn=0, shown_now=False,
        tiplu_cut=False, reshuffles=0, version=0, sheet=None, better=False, carry=(), board=False, throwers=(),
    )  # fmt: skip
