"""Drawing and solving for panels, off the event loop. What fails here is said in words instead, and logged once."""

import asyncio
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import structlog

from bot.panels.hand import Hand
from bot.snapshot import Snapshot
from marriage.legal import legal_actions
from marriage.progress import cards_missing
from marriage.state import Phase
from marriage.view import View
from render.alt import hand_alt
from render.hand import draw_hand
from render.known import Ended
from render.picture import Picture
from render.sheet import draw_sheet
from render.table import draw_table

_KEPT = 64

log = structlog.get_logger(__name__)


class Pictures:
    """Makes what panels show. The same view gives the same picture, so the latest ones are kept."""

    def __init__(self) -> None:
        self._failed: set[str] = set()
        self._hand = lru_cache(_KEPT)(draw_hand)
        self._table = lru_cache(_KEPT)(draw_table)

    async def table(self, snapshot: Snapshot) -> Picture | None:
        """The table, or the score sheet between deals; None when there is none or it cannot be drawn."""
        if snapshot.public is None or snapshot.table.status == "closed":
            return None
        if snapshot.public.phase is Phase.OVER:
            draw = partial(draw_sheet, snapshot.public, snapshot.names, snapshot.totals)
            return await asyncio.to_thread(self._drawn, "sheet", draw)
        draw = partial(self._table, snapshot.public, snapshot.names)
        return await asyncio.to_thread(self._drawn, "table", draw)

    async def sheet(self, end: Ended, names: Sequence[str], totals: Sequence[int]) -> Picture | None:
        """The score sheet of a deal played elsewhere; None when it cannot be drawn."""
        return await asyncio.to_thread(self._drawn, "sheet", partial(draw_sheet, end, names, totals))

    async def hand(self, view: View) -> Hand:
        """What the panel of the view's seat is made of."""
        return await asyncio.to_thread(self._made, view)

    def _made(self, view: View) -> Hand:
        return Hand(
            view=view,
            actions=legal_actions(view),
            picture=self._drawn("hand", partial(self._hand, view)),
            words=hand_alt(view),
            distance=cards_missing(view),
        )

    def _drawn(self, kind: str, draw: Callable[[], Picture]) -> Picture | None:
        try:
            return draw()
        except Exception:
            if kind not in self._failed:
                self._failed.add(kind)
                log.exception("picture.failed", kind=kind)
            return None
