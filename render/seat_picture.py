"""The picture of a seat: the strip of the table above the player's hand, all that the player needs for a turn.

The two are deflated as two bands of one PNG. While others play, the strip changes and the hand does not: then the band of the
hand is the one that was made before.
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
"""What a PNG takes beside its bands: mostly its palette."""
_A_CARD: Final = 1_100
"""About what each card of a hand takes where it is deflated quickly: it need not be tried where there is no room for it."""
_KEY: Final = 2_000
"""About what the key of a band takes in memory."""
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
    """Keep no band of a hand."""
    _hands.clear()


def _too_large(strip: Band, hand: Band) -> bool:
    return len(strip.deflated) + len(hand.deflated) + _BESIDE > MOST_BYTES


def _hand_band(view: View, style: Style, order: Order, *, large: bool, thorough: bool = False) -> Band:
    """The hand below its table, kept from the last time if nothing in it has changed."""
    key = (lay_out(view, order), _hand_facts(view), style, large, thorough, spoken())
    kept = _hands.get(key)
    if kept is None:
        lines = plan_hand(view, style, order, large=large, tiplu=False).lines()
        kept = last_band(lines, thorough=thorough)
        _hands.keep(key, kept)
    return kept


def _hand_facts(view: View) -> View:
    """What of the view shows in the hand besides its layout; the rest is as if nothing had happened yet."""
    return replace(
        view, dealer=0, seats=(view.own,), viewer=0, stock_count=0, pile=(), phase=Phase.DRAW, turn=0, shown_now=False,
        tiplu_cut=False, reshuffles=0, version=0, sheet=None, better=False, carry=(), board=False, throwers=(),
    )  # fmt: skip
