"""Drawing and solving for panels, off the event loop. Failures are logged once, and panels then use words."""

import asyncio
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Concatenate, ParamSpec, TypeVar

import structlog

from bot.table.hands import Hand, Holder
from bot.table.pace import has_clock
from bot.table.snapshot import Snapshot
from league.results import Player
from league.shown import ShownStandings
from league.statistics.leaderboard import Board
from league.statistics.profile import Profile
from marriage.legal import legal_actions
from marriage.state import Phase
from marriage.strategy.progress import cards_missing
from marriage.view import View
from render.catalogue import speaking, spoken
from render.drawing.text import forget_texts
from render.hand_layout import lay_out, still_held
from render.hand_picture import draw_hand
from render.known import Ended, Example, Known
from render.leaderboard_picture import draw_leaderboard
from render.lesson_picture import draw_lesson
from render.open_hands_picture import draw_open_hands
from render.picture import Picture
from render.profile_picture import draw_profile
from render.replay_animation import Animation, Frame, draw_replay
from render.sheet_picture import draw_sheet
from render.standings_picture import draw_standings
from render.style import Style
from render.table_picture import draw_table

_KEPT = 64
_KEPT_ANIMATIONS = 8

P = ParamSpec("P")
Drawn = TypeVar("Drawn")

log = structlog.get_logger(__name__)


class Pictures:
    """Draws what panels show, in the current language.

    The same view gives the same picture, so the latest pictures are cached.
    """

    def __init__(self) -> None:
        self._failed: set[str] = set()
        self._hand = lru_cache(_KEPT)(_in_language(draw_hand))
        self._table = lru_cache(_KEPT)(_in_language(draw_table))
        self._lesson = lru_cache(_KEPT)(_in_language(draw_lesson))
        self._open_hands = lru_cache(_KEPT)(_in_language(draw_open_hands))
        self._animation = lru_cache(_KEPT_ANIMATIONS)(_in_language(draw_replay))
        self._animating = asyncio.Lock()

    def forget(self) -> None:
        """Drop all cached pictures and texts: they may hold a name to forget."""
        for kept in (self._hand, self._table, self._lesson, self._open_hands, self._animation):
            kept.cache_clear()
        forget_texts()

    async def table(self, snapshot: Snapshot) -> Picture | None:
        """The table, or the score sheet between deals; None if there is none or it cannot be drawn."""
        if snapshot.public is None or snapshot.table.status == "closed":
            return None
        if snapshot.public.phase is Phase.OVER:
            draw = partial(draw_sheet, snapshot.public, snapshot.counted_names, snapshot.counted_totals)
            return await self._in_thread("sheet", draw)
        clock = _time_left(snapshot)
        draw = partial(self._table, spoken(), snapshot.public, snapshot.names, clock=clock)
        return await self._in_thread("table", draw)

    async def lesson(self, examples: tuple[Example, ...], known: Known) -> Picture | None:
        """Example cards for a page of the rules; None if they cannot be drawn."""
        return await self._in_thread("lesson", partial(self._lesson, spoken(), examples, known))

    async def sheet(self, end: Ended, names: Sequence[str], totals: Sequence[int]) -> Picture | None:
        """The score sheet of a home deal; None if it cannot be drawn."""
        return await self._in_thread("sheet", partial(draw_sheet, end, names, totals))

    async def hand(self, view: View, holder: Holder) -> Hand:
        """What the hand panel of the viewer is made of, by their preferences."""
        return await asyncio.to_thread(self._made, view, holder)

    def _made(self, view: View, holder: Holder) -> Hand:
        large = holder.settings.large
        draw = partial(self._hand, spoken(), view, holder.style, holder.order, large=large)
        return Hand(
            view=view,
            actions=legal_actions(view),
            layout=lay_out(view, holder.order),
            pinned=still_held(holder.pinned, view.own.concealed or ()),
            picture=None if holder.settings.words else self._drawn("hand", draw),
            distance=cards_missing(view),
        )

    async def board(self, view: View, names: tuple[str, ...], style: Style) -> Picture | None:
        """The table of a replayed deal, as this view knows it; None if it cannot be drawn."""
        return await self._in_thread("table", partial(self._table, spoken(), view, names, style))

    async def open_hands(self, view: View, names: tuple[str, ...], style: Style) -> Picture | None:
        """Every hand that the view knows; None if they cannot be drawn."""
        draw = partial(self._open_hands, spoken(), view, names, style)
        return await self._in_thread("open hands", draw)

    async def leaderboard(
        self, board: Board, first: int, count: int, viewer: Player | None, style: Style
    ) -> Picture | None:
        """The lines of a leaderboard from `first` on; None if it is empty or cannot be drawn."""
        if not board.rows:
            return None
        return await self._in_thread(
            "leaderboard", partial(draw_leaderboard, board, first, count, viewer, style)
        )

    async def standings(
        self, shown: ShownStandings, page: int, count: int, viewer: Player | None, style: Style
    ) -> Picture | None:
        """A page of a league's standings; None if they are empty or cannot be drawn."""
        if not shown.rows:
            return None
        draw = partial(draw_standings, shown.table, shown.names, shown.title, page, viewer, style, count)
        return await self._in_thread("standings", draw)

    async def profile(self, profile: Profile, style: Style) -> Picture | None:
        """A player's figures; None if there are none or they cannot be drawn."""
        if not profile.tally.deals:
            return None
        return await self._in_thread("profile", partial(draw_profile, profile, style))

    async def animation(
        self,
        frames: tuple[Frame, ...],
        hands: tuple[int, ...],
        names: tuple[str, ...],
        title: str,
        style: Style,
    ) -> Animation | None:
        """A whole deal as an animation; None if it cannot be drawn. One at a time, because it takes a second or two."""
        draw = partial(self._animation, spoken(), frames, hands, names, title, style)
        async with self._animating:
            return await self._in_thread("animation", draw)

    async def _in_thread(self, kind: str, draw: Callable[[], Drawn]) -> Drawn | None:
        return await asyncio.to_thread(self._drawn, kind, draw)

    def _drawn(self, kind: str, draw: Callable[[], Drawn]) -> Drawn | None:
        try:
            return draw()
        except Exception:
            if kind not in self._failed:
                self._failed.add(kind)
                log.exception("picture.failed", kind=kind)
            return None


def _in_language(draw: Callable[P, Drawn]) -> Callable[Concatenate[str, P], Drawn]:
    """The function with the language as its first argument, so that results can be cached by language."""

    def drawn(language: str, *args: P.args, **kwargs: P.kwargs) -> Drawn:
        with speaking(language):
            return draw(*args, **kwargs)

    return drawn


def _time_left(snapshot: Snapshot) -> float | None:
    """The share of the turn's time that is left, as precisely as the picture shows it; None without a clock."""
    if snapshot.moves_until is None or not has_clock(snapshot.table.options.pace):
        return None
    return 0.5 if snapshot.is_slow else 1
