"""Drawing and solving for panels, off the event loop. Failures are logged once, and panels then use words.

What takes some milliseconds is drawn in a thread, once for all who wait for it. What takes longer goes to the pool.
"""

import asyncio
import pickle
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from hashlib import blake2b
from typing import Any, Final, TypeVar, TypeVarTuple

import structlog

from bot.table.core.hands import Hand, Holder
from bot.table.core.pace import has_clock
from bot.table.core.snapshot import Snapshot
from bot.workpool.pool import SupersededError, WorkKind, WorkPool
from league.ids import PersonId
from league.results import Player
from league.shown import ShownStandings
from league.statistics.leaderboard import Board
from league.statistics.profile import Profile
from marriage.actions import Show
from marriage.legal import legal_actions
from marriage.state import Phase
from marriage.strategy.progress import cards_missing
from marriage.strategy.showable_sets import best_show
from marriage.view import View
from render.catalogue import in_language, spoken
from render.drawing.memory import MEGABYTE, ByteCache
from render.drawing.text import forget_texts
from render.hand_layout import lay_out, still_held
from render.hand_picture import draw_hand
from render.known import Ended, Example, Known
from render.leaderboard_picture import draw_leaderboard
from render.lesson_picture import draw_lesson
from render.open_hands_picture import draw_open_hands
from render.picture import Picture
from render.profile_picture import draw_profile
from render.replay_animation import Animation, Frame, replay_steps
from render.seat_picture import draw_seat
from render.sheet_picture import draw_sheet
from render.standings_picture import draw_standings
from render.style import DEFAULT, Style
from render.table_picture import draw_table

MOST_BYTES: Final = 24 * MEGABYTE
"""Of pictures that were drawn last: some 600 hands and tables."""
MOST_ANIMATED_BYTES: Final = 8 * MEGABYTE
_OBJECTS: Final = 4_000
"""About what the key of a picture takes beside it: a view."""

T = TypeVar("T")
Args = TypeVarTuple("Args")
Key = tuple[Any, ...]

log = structlog.get_logger(__name__)


class Pictures:
    """Draws what panels show, in the current language.

    The same view gives the same picture, so the latest pictures are cached.
    """

    def __init__(self, workpool: WorkPool) -> None:
        self._workpool = workpool
        self._failed: set[str] = set()
        self._kept: ByteCache[Key, Picture] = ByteCache(MOST_BYTES, _size_of)
        self._animations: ByteCache[bytes, Animation] = ByteCache(
            MOST_ANIMATED_BYTES, lambda one: len(one.gif)
        )
        self._drawing: dict[Key, asyncio.Task[Picture | None]] = {}

    def forget(self) -> None:
        """Drop all cached pictures and texts: they may hold a name to forget."""
        self._kept.clear()
        self._animations.clear()
        forget_texts()

    async def table(self, snapshot: Snapshot) -> Picture | None:
        """The table, or the score sheet between deals; None if there is none or it cannot be drawn."""
        if snapshot.public is None or snapshot.table.status == "closed":
            return None
        if snapshot.public.phase is Phase.OVER:
            return await self.sheet(snapshot.public, snapshot.counted_names, snapshot.counted_totals)
        clock = _time_left(snapshot)
        return await self._drawn_once("table", draw_table, snapshot.public, snapshot.names, DEFAULT, clock)

    async def lesson(self, examples: tuple[Example, ...], known: Known) -> Picture | None:
        """Example cards of a page of the rules; None when they cannot be drawn."""
        return await self._drawn_once("lesson", draw_lesson, examples, known)

    async def sheet(self, end: Ended, names: Sequence[str], totals: Sequence[int]) -> Picture | None:
        """The score sheet of a finished deal; None when it cannot be drawn."""
        return await self._drawn_once("sheet", draw_sheet, end, tuple(names), tuple(totals))

    async def hand(self, view: View, holder: Holder, names: tuple[str, ...] = ()) -> Hand:
        """What the panel of the view's seat is made of, as its holder likes it.

        With the `names` of all seats its picture shows the table above the cards.
        """
        return await asyncio.to_thread(self._made, view, holder, names)

    def _made(self, view: View, holder: Holder, names: tuple[str, ...]) -> Hand:
        actions = legal_actions(view)
        return Hand(
            view=view,
            actions=actions,
            best=best_show(view) if any(isinstance(action, Show) for action in actions) else None,
            layout=lay_out(view, holder.order),
            pinned=still_held(holder.pinned, view.own.concealed or ()),
            picture=None if holder.settings.words else self._hand_picture(view, holder, names),
            distance=cards_missing(view),
        )

    def _hand_picture(self, view: View, holder: Holder, names: tuple[str, ...]) -> Picture | None:
        large = holder.settings.large
        if names:
            draw_table_too = partial(draw_seat, view, names, holder.style, holder.order, large=large)
            key = ("seat", spoken(), view, names, holder.style, holder.order, large)
            return self._drawn(key, draw_table_too)
        draw = partial(draw_hand, view, holder.style, holder.order, large=large)
        return self._drawn(("hand", spoken(), view, holder.style, holder.order, large), draw)

    async def board(self, view: View, names: tuple[str, ...], style: Style) -> Picture | None:
        """The table of a replayed deal, as this view knows it; None if it cannot be drawn."""
        return await self._drawn_once("table", draw_table, view, names, style, None)

    async def open_hands(self, view: View, names: tuple[str, ...], style: Style) -> Picture | None:
        """Every hand that the view knows; None if they cannot be drawn."""
        return await self._drawn_once("open hands", draw_open_hands, view, names, style)

    async def leaderboard(
        self, asked_by: PersonId, board: Board, first: int, count: int, viewer: Player | None, style: Style
    ) -> Picture | None:
        """The lines of a leaderboard from `first` on; None if it is empty or cannot be drawn."""
        if not board.rows:
            return None
        return await self._in_pool(
            "leaderboard", asked_by, draw_leaderboard, board, first, count, viewer, style
        )

    async def standings(
        self,
        asked_by: PersonId,
        shown: ShownStandings,
        page: int,
        count: int,
        viewer: Player | None,
        style: Style,
    ) -> Picture | None:
        """A page of a league's standings; None if they are empty or cannot be drawn."""
        if not shown.rows:
            return None
        args = (shown.table, shown.names, shown.title, page, viewer, style, count)
        return await self._in_pool("standings", asked_by, draw_standings, *args)

    async def profile(self, asked_by: PersonId, profile: Profile, style: Style) -> Picture | None:
        """A player's figures; None if there are none or they cannot be drawn."""
        if not profile.tally.deals:
            return None
        return await self._in_pool("profile", asked_by, draw_profile, profile, style)

    async def animation(
        self,
        asked_by: PersonId,
        frames: tuple[Frame, ...],
        hands: tuple[int, ...],
        names: tuple[str, ...],
        title: str,
        style: Style,
    ) -> Animation | None:
        """A whole deal as an animation; None if it cannot be drawn. It takes a second or two."""
        args = (spoken(), frames, hands, names, title, style)
        key = blake2b(
            pickle.dumps(args)
        ).digest()  # the frames themselves would take more room than the animation
        if (found := self._animations.get(key)) is not None:
            return found
        work = self._workpool.run(WorkKind.ANIMATION, asked_by, replay_steps, *args)
        animation = await self._guarded("animation", work)
        if animation is not None:
            self._animations.keep(key, animation)
        return animation

    async def _in_pool(
        self, kind: str, asked_by: PersonId, draw: Callable[[*Args], Picture], *args: *Args
    ) -> Picture | None:
        work = self._workpool.run(WorkKind.BOARD, asked_by, in_language, spoken(), draw, *args)
        return await self._guarded(kind, work)

    async def _guarded(self, kind: str, work: Awaitable[T]) -> T | None:
        try:
            return await work
        except SupersededError:
            raise
        except Exception:
            if self._fails_first(kind):
                log.exception("picture.failed", kind=kind)
            return None

    async def _drawn_once(self, kind: str, draw: Callable[[*Args], Picture], *args: *Args) -> Picture | None:
        """The picture of these arguments: from the cache, from a drawing that is under way, or drawn in a thread."""
        key = (kind, spoken(), *args)
        if (found := self._kept.get(key)) is not None:
            return found
        drawing = self._drawing.get(key)
        if drawing is None:
            work = asyncio.to_thread(self._drawn, key, partial(draw, *args))
            drawing = self._drawing[key] = asyncio.create_task(work, name="draw")
            drawing.add_done_callback(lambda _: self._drawing.pop(key, None))
        return await asyncio.shield(drawing)

    def _drawn(self, key: Key, draw: Callable[[], Picture]) -> Picture | None:
        """The picture of this key, which begins with what it is a picture of. This runs in a thread."""
        if (found := self._kept.get(key)) is not None:
            return found
        try:
            picture = draw()
        except Exception:
            if self._fails_first(kind := key[0]):
                log.exception("picture.failed", kind=kind)
            return None
        self._kept.keep(key, picture)
        return picture

    def _fails_first(self, kind: str) -> bool:
        """Whether no picture of this kind has failed before."""
        is_first = kind not in self._failed
        self._failed.add(kind)
        return is_first


def _size_of(picture: Picture) -> int:
    return len(picture.png) + len(picture.alt) + _OBJECTS


def _time_left(snapshot: Snapshot) -> float | None:
    """The share of the turn's time that is left, as precisely as the picture shows it; None without a clock."""
    if snapshot.moves_until is None or not has_clock(snapshot.pace):
        return None
    return 1 if snapshot.table.mention_id is None else 0.5
