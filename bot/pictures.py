"""Drawing and solving for panels, off the event loop. Failures are logged once; panels then use words.

Work that takes some milliseconds is done once for everyone who waits for it. Longer work runs in the pool.
"""

import asyncio
import pickle
from collections.abc import Awaitable, Callable, Sequence
from hashlib import blake2b
from typing import Any, Final, TypeVar, TypeVarTuple, cast

import structlog

from bot.metrics import PICTURES
from bot.table.core.snapshot import Holder, ShownHand, Snapshot
from bot.table.core.table import has_clock
from bot.workpool.hand_facts import HandFacts, HandLook, hand_facts
from bot.workpool.pool import SupersededError, WorkKind, WorkPool
from league.ids import PersonId
from league.results import Player
from league.standings import ShownStandings
from league.statistics.leaderboard import Board
from league.statistics.profile import Profile
from marriage.analysis.deal_analysis import Analysis
from marriage.analysis.hint import Hint, hint_of
from marriage.state import Phase
from marriage.view import View
from render.analysis_picture import draw_analysis
from render.drawing.memory import MEGABYTE, ByteCache
from render.drawing.text import forget_texts
from render.hand_layout import still_held
from render.leaderboard_picture import draw_leaderboard
from render.lesson_picture import draw_lesson
from render.picture import Ended, Example, Known, Picture
from render.profile_picture import draw_profile
from render.replay_animation import Animation, Frame, replay_steps
from render.seat_picture import draw_ahead
from render.sheet_picture import draw_result, draw_sheet
from render.standings_picture import draw_standings
from render.style import DEFAULT, Style
from render.table_picture import draw_open_hands, draw_table
from render.words import in_language, spoken

MOST_BYTES: Final = 24 * MEGABYTE
"""The size of the picture cache: about 600 hands and tables."""
MOST_ANIMATED_BYTES: Final = 8 * MEGABYTE
AHEAD_REST_S: Final = 0.1
"""The pause, in seconds, between two steps of drawing ahead.

Each step takes some milliseconds of the one core that all threads share.
"""
_OBJECTS: Final = 4_000
"""The approximate size of a picture's key, a view, in addition to the picture."""

T = TypeVar("T")
Drawn = TypeVar("Drawn", Picture, HandFacts, Hint)
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
        self._kept: ByteCache[Key, Picture | HandFacts | Hint] = ByteCache(MOST_BYTES, _size_of)
        self._animations: ByteCache[bytes, Animation] = ByteCache(
            MOST_ANIMATED_BYTES, lambda one: len(one.gif)
        )
        self._drawing: dict[Key, asyncio.Task[Any]] = {}

    def forget(self) -> None:
        """Drop all cached pictures and texts: they may hold a name to forget."""
        self._kept.clear()
        self._animations.clear()
        forget_texts()

    async def draw_ahead(self) -> None:
        """Draw the sprites of the first hands, a few milliseconds at a time, while no picture is awaited."""
        steps = draw_ahead()
        while await self._guarded("sprites", asyncio.to_thread(next, steps, None)):
            await asyncio.sleep(AHEAD_REST_S)
            while self._drawing:
                await asyncio.wait([*self._drawing.values()])
        await asyncio.Event().wait()  # a worker never ends

    async def table(self, snapshot: Snapshot) -> Picture | None:
        """Draw the table, or the result between deals; None if there is none or it cannot be drawn."""
        if snapshot.public is None or snapshot.table.status == "closed":
            return None
        if snapshot.public.phase is Phase.OVER:
            result = (snapshot.public, snapshot.counted_names, snapshot.counted_totals)
            return await self._drawn_once("result", draw_result, *result)
        clock = _time_left(snapshot)
        return await self._drawn_once("table", draw_table, snapshot.public, snapshot.names, DEFAULT, clock)

    async def lesson(self, examples: tuple[Example, ...], known: Known) -> Picture | None:
        """Draw the example cards of a page of the rules; None if they cannot be drawn."""
        return await self._drawn_once("lesson", draw_lesson, examples, known)

    async def sheet(
        self, end: Ended, names: Sequence[str], totals: Sequence[int] | None, style: Style = DEFAULT
    ) -> Picture | None:
        """Draw the score sheet of a finished deal; None if it cannot be drawn."""
        shown = None if totals is None else tuple(totals)
        return await self._drawn_once("sheet", draw_sheet, end, tuple(names), shown, style)

    async def hand(self, view: View, holder: Holder, names: tuple[str, ...] = ()) -> ShownHand:
        """Return the contents of the panel for the view's seat, in its holder's style.

        With the `names` of all seats, a picture of the table appears above the cards.
        """
        settings = holder.settings
        look = HandLook(holder.style, holder.order(view), settings.large, settings.words)
        facts = await self._drawn_once("seat" if names else "hand", hand_facts, view, names, look)
        if facts is None:
            facts = await self._workpool.draw(hand_facts, view, names, look._replace(words=True))
        pinned = still_held(holder.arrangement.groups, view.own.concealed or ())
        return ShownHand(view=view, pinned=pinned, **facts._asdict())

    async def hint(self, view: View) -> Hint:
        """Return the hint for the view's seat; raises ValueError for a spectator or a finished deal."""
        hint = await self._drawn_once("hint", hint_of, view)
        return await self._workpool.draw(hint_of, view) if hint is None else hint

    async def board(self, view: View, names: tuple[str, ...], style: Style) -> Picture | None:
        """Draw the table of a replayed deal, as this view knows it; None if it cannot be drawn."""
        return await self._drawn_once("table", draw_table, view, names, style, None)

    async def open_hands(self, view: View, names: tuple[str, ...], style: Style) -> Picture | None:
        """Draw every hand that the view knows; None if they cannot be drawn."""
        return await self._drawn_once("open hands", draw_open_hands, view, names, style)

    async def leaderboard(
        self, asked_by: PersonId, board: Board, first: int, count: int, viewer: Player | None, style: Style
    ) -> Picture | None:
        """Draw the lines of a leaderboard from `first` on; None if it is empty or cannot be drawn."""
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
        """Draw a page of a league's standings; None if they are empty or cannot be drawn."""
        if not shown.rows:
            return None
        args = (shown.table, shown.names, shown.title, page, viewer, style, count)
        return await self._in_pool("standings", asked_by, draw_standings, *args)

    async def profile(self, asked_by: PersonId, profile: Profile, style: Style) -> Picture | None:
        """Draw a player's figures; None if there are none or they cannot be drawn."""
        if not profile.tally.deals:
            return None
        return await self._in_pool("profile", asked_by, draw_profile, profile, style)

    async def analysis(self, analysis: Analysis, style: Style) -> Picture | None:
        """Draw an analysis; None if there was nothing to decide or it cannot be drawn."""
        if analysis.accuracy is None:
            return None
        return await self._drawn_once("analysis", draw_analysis, analysis, style)

    async def animation(
        self,
        asked_by: PersonId,
        frames: tuple[Frame, ...],
        hands: tuple[int, ...],
        names: tuple[str, ...],
        title: str,
        style: Style,
    ) -> Animation | None:
        """Return a whole deal as an animation; None if it cannot be drawn. It takes a second or two."""
        args = (spoken(), frames, hands, names, title, style)
        key = blake2b(
            pickle.dumps(args)
        ).digest()  # the frames themselves would take more room than the animation
        if (found := self._animations.get(key)) is not None:
            return found
        work = self._workpool.run(WorkKind.ANIMATION, asked_by, replay_steps, *args)
        animation = await self._guarded("animation", work)
        if animation is not None:
            PICTURES.labels("animation").inc()
            self._animations.keep(key, animation)
        return animation

    async def _in_pool(
        self, kind: str, asked_by: PersonId, draw: Callable[[*Args], Picture], *args: *Args
    ) -> Picture | None:
        work = self._workpool.run(WorkKind.BOARD, asked_by, in_language, spoken(), draw, *args)
        picture = await self._guarded(kind, work)
        if picture is not None:
            PICTURES.labels(kind).inc()
        return picture

    async def _guarded(self, kind: str, work: Awaitable[T]) -> T | None:
        try:
            return await work
        except SupersededError:
            raise
        except Exception:
            if self._fails_first(kind):
                log.exception("picture.failed", kind=kind)
            return None

    async def _drawn_once(self, kind: str, draw: Callable[[*Args], Drawn], *args: *Args) -> Drawn | None:
        """Return the drawing for these arguments: from the cache, from a drawing under way, or drawn now."""
        key = (kind, spoken(), *args)
        if (found := self._kept.get(key)) is not None:
            return cast("Drawn", found)
        drawing = self._drawing.get(key)
        if drawing is None:
            drawing = self._drawing[key] = asyncio.create_task(self._draw(key, draw, *args), name="draw")
            drawing.add_done_callback(lambda _: self._drawing.pop(key, None))
        return await asyncio.shield(drawing)

    async def _draw(self, key: Key, draw: Callable[[*Args], Drawn], *args: *Args) -> Drawn | None:
        """Draw a picture and cache it. The key begins with the kind of picture."""
        drawn = await self._guarded(key[0], self._workpool.draw(draw, *args))
        if drawn is not None:
            if _pictures_of(drawn):
                PICTURES.labels(key[0]).inc()
            self._kept.keep(key, drawn)
        return drawn

    def _fails_first(self, kind: str) -> bool:
        """Return whether no picture of this kind has failed before, and record that one has now."""
        is_first = kind not in self._failed
        self._failed.add(kind)
        return is_first


def _pictures_of(drawn: Picture | HandFacts | Hint) -> tuple[Picture, ...]:
    match drawn:
        case Hint():
            return ()
        case HandFacts():
            return drawn.pictures
        case _:
            return (drawn,)


def _size_of(drawn: Picture | HandFacts | Hint) -> int:
    return _OBJECTS + sum(len(picture.png) + len(picture.alt) for picture in _pictures_of(drawn))


def _time_left(snapshot: Snapshot) -> float | None:
    """Return the share of the turn's time that is left, at the picture's precision; None without a clock."""
    if snapshot.moves_until is None or not has_clock(snapshot.pace):
        return None
    return 1 if snapshot.table.mention_id is None else 0.5
