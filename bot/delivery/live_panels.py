"""Hands that stay up to date after a press: each person's newest panel of a table is edited on every change.

Discord allows edits of the answer to a press for a quarter of an hour and does not count them. So each new
turn is shown in the panel, both in the channel and by direct message. Players who have to move see changes at
once. Those who only watch may wait a few seconds, so that several moves cost one edit, and get few of the
concurrent edits. A panel that has not been pressed for a while rests: it says so, and shows others' moves
only when it is pressed or its player has to move.

The tokens are kept in memory only, because they are secrets. After a restart the next press reactivates a
panel. So before the bot closes, it adds a button for that to every panel that only a press can reactivate.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from heapq import heappop, heappush
from typing import Final, Generic, TypeVar

import structlog

from bot.delivery.discord_calls import OLD_MS, RetryLaterError, made_at
from bot.delivery.publisher import Publisher
from bot.errors import UserError
from bot.lanes import Lanes, Wakeup
from bot.table.core.repository import TableRepository
from bot.table.core.snapshot import NOTHING_CHOSEN, Chosen, Mode, Sleep, Snapshot
from bot.table.core.table import asked_seats
from bot.ui.panel import Panel, notice_panel
from bot.words.names import table_address
from bot.words.texts import texts
from data.ids import MessageId
from league.ids import PersonId, TableId
from league.times import MINUTE
from marriage.state import Phase, State
from render.words import speaking

ASKED_AT_ONCE: Final = 28
"""The most concurrent edits of panels whose players have to move."""
WATCHING_AT_ONCE: Final = 4
"""The most concurrent edits of panels whose players only watch."""
RETRY_MS: Final = 2_000
"""The pause, in milliseconds, after Discord was too busy for an edit."""
ASKED_ELSEWHERE: Final = 2
"""How often a direct message is requested in place of a failing panel."""
LAST_EDIT_MS: Final = 30_000
"""How long before the end of its token a panel is edited for the last time, in milliseconds."""
RESTS_AFTER_MS: Final = 3 * MINUTE
"""How long after its last press a panel rests, in milliseconds."""
REOPENING_S: Final = 3.0
"""The time limit for the last edits before the bot closes, in seconds."""

PanelKey = tuple[TableId, PersonId]
"""A table and a person."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class LivePanel:
    """A person's newest panel of a table."""

    message_id: MessageId
    deal_no: int
    """The deal that was in play when it was pressed."""
    is_ephemeral: bool
    """Whether only its token can edit it.

    Such a panel needs a button to reactivate it; a direct message can always be edited.
    """
    ends_at: int
    """When its token is no longer used, in milliseconds since 1970."""
    pressed_at: int
    """When it was pressed, or opened, in milliseconds since 1970."""
    mode: Mode = Mode.PLAY
    chosen: Chosen = NOTHING_CHOSEN
    is_offered: bool = False
    """Whether it came unrequested and was never pressed: the person may be playing in direct messages."""
    is_last: bool = False
    """Whether the next edit is the last one."""
    is_left: bool = False
    """Whether the person has their hand in another message, so that the last edit only says so."""
    rests: bool = False
    """Whether others' moves no longer change it until it is pressed or its player has to move."""


class LivePanels:
    """Edits the hands that can be edited by the token of their holder's last press."""

    def __init__(
        self, tables: TableRepository, publisher: Publisher, watching_ms: int, mid_turn_ms: int = 0
    ) -> None:
        self._tables = tables
        self._publisher = publisher
        self._tracker = publisher.tracker
        self._clock = tables.clock
        self._watching_ms = watching_ms
        """How long people who do not have to move may wait to see changes, in milliseconds."""
        self._mid_turn_ms = max(watching_ms, mid_turn_ms)
        """The same after a drawn card, which means nothing to the others before the discard."""
        self._panels: dict[PanelKey, LivePanel] = {}
        """The panels, least recently pressed first."""
        self._by_table: dict[int, set[PanelKey]] = {}
        self._changed: set[TableId] = set()
        """Tables that have changed since they were last looked at."""
        self._asked: Timetable[PanelKey] = Timetable()
        self._watching: Timetable[PanelKey] = Timetable()
        self._answering: Counter[PanelKey] = Counter()
        self._pressed: dict[PanelKey, MessageId] = {}
        """The direct message that the answer to a running press uses."""
        self._left_alone: set[PanelKey] = set()
        """Panels that became due during an edit or while a press on them was handled."""
        self._left_behind: dict[PanelKey, LivePanel] = {}
        """Offered hands whose people then played in another message. One last edit of each says so."""
        self._failing: dict[PanelKey, int] = {}
        """Panels that could not be edited, each with the number of consecutive failures.

        Their people do not see their hand there.
        """
        self._ask_elsewhere: Callable[[TableId, PersonId], Awaitable[None]] | None = None
        self._sleeper = Wakeup(tables.clock)
        self.wake = self._sleeper.wake
        self._asked_lanes: Lanes[PanelKey] = Lanes(ASKED_AT_ONCE, self.wake)
        self._watching_lanes: Lanes[PanelKey] = Lanes(WATCHING_AT_ONCE, self.wake)

    # Called by other modules

    def on_failure(self, ask: Callable[[TableId, PersonId], Awaitable[None]]) -> None:
        """Call `ask` when a panel could not be edited, so that a direct message shows its content."""
        self._ask_elsewhere = ask

    def keep(
        self,
        key: PanelKey,
        message_id: MessageId,
        deal_no: int,
        mode: Mode,
        chosen: Chosen = NOTHING_CHOSEN,
        *,
        is_ephemeral: bool,
        is_offered: bool = False,
    ) -> None:
        """Make this panel, the answer to a press, the person's newest panel of this table.

        `is_offered` means that it came in addition to the answer, without a request.
        """
        before = self._panels.get(key)
        is_new = before is None
        if before is not None and before.is_offered and before.message_id != message_id:
            self._left_behind[key] = replace(before, is_last=True, is_left=True)
            self._asked.note(key, self._clock.now())
            self.wake()
        self._drop(key)
        ends_at = self._tracker.token_ends_at(message_id)
        if ends_at is not None:
            pressed_at = self._clock.now()
            self._add(
                key,
                LivePanel(message_id, deal_no, is_ephemeral, ends_at, pressed_at, mode, chosen, is_offered),
            )
            if is_new:  # changes made while it was first shown were not noted for it
                self._asked.note(key, self._clock.now())
                self.wake()

    def leave(self, table_id: TableId, message_id: MessageId) -> None:
        """Let go of this message: another process answers a press on it and keeps it up to date."""
        for key in [*self._by_table.get(table_id, ())]:
            if self._panels[key].message_id == message_id:
                self._drop(key)

    @contextmanager
    def answering(self, key: PanelKey, pressed: MessageId | None = None) -> Generator[None, None, None]:
        """Suspend edits of the person's panel while their press is handled: the answer shows the newest state.

        `pressed` is the direct message that the answer uses.
        """
        self._answering[key] += 1
        if pressed is not None:
            self._pressed[key] = pressed
        try:
            yield
        finally:
            self._answering[key] -= 1
            if not self._answering[key]:
                del self._answering[key]
                self._pressed.pop(key, None)
                if key in self._left_alone:
                    self.wake()

    def changed(self, table_id: TableId) -> None:
        """Note that a change of this table was committed."""
        if table_id in self._by_table:
            self._changed.add(table_id)
            self.wake()

    def shown_elsewhere_until(self, key: PanelKey, message_id: MessageId | None) -> int | None:
        """Return until when the person plays in a message other than this one; None if they do not."""
        panel = self._panels.get(key)
        if panel is None or panel.is_offered or panel.message_id == message_id or key in self._failing:
            return None
        return panel.ends_at

    def follows(self, table_id: TableId, person_id: PersonId) -> bool:
        """Return whether the person sees the deal in a panel that is kept up to date."""
        key = (table_id, person_id)
        panel = self._panels.get(key)
        return panel is not None and not panel.rests and not panel.is_last and key not in self._failing

    def is_answering_in(self, key: PanelKey, message_id: MessageId | None) -> bool:
        """Return whether the answer to a press of this person will update this direct message."""
        return message_id is not None and self._pressed.get(key) == message_id

    def open_in(self, message_id: MessageId, snapshot: Snapshot, seat: int) -> tuple[Mode, Chosen]:
        """Return the mode in which a direct message shows this seat's hand. Edits from elsewhere preserve it."""
        person_id = snapshot.seats[seat].person_id
        panel = None if person_id is None else self._panels.get((snapshot.table.id, person_id))
        if panel is None or panel.message_id != message_id:
            return Mode.PLAY, NOTHING_CHOSEN
        return _mode_now(panel, snapshot, seat), panel.chosen

    def played_in(self, table_id: TableId, person_id: PersonId) -> MessageId | None:
        """Return the direct message to reuse for the person's next deal; None if the deal gets a new one.

        Discord limits edits of messages older than an hour, so only a recent one is reused, unless it has
        just been pressed: the answer shows the deal in it anyway.
        """
        key = (table_id, person_id)
        if (pressed := self._pressed.get(key)) is not None:
            return pressed
        panel = self._panels.get(key)
        if panel is None or panel.is_ephemeral:
            return None
        return panel.message_id if self._clock.now() - made_at(panel.message_id) < OLD_MS else None

    async def add_reopen_buttons(self) -> None:
        """Add a button that reactivates it to every panel that only a press can edit.

        The latest panels come first, and the time is limited. Call this when `run` has ended and no press is
        handled any more. Failures are ignored.
        """
        places = asyncio.Semaphore(ASKED_AT_ONCE)
        keys = [key for key, panel in reversed(self._panels.items()) if panel.is_ephemeral]
        try:
            async with asyncio.timeout(REOPENING_S):
                await asyncio.gather(*(self._add_reopen_button(key, places) for key in keys))
        except TimeoutError:
            left = [panel for panel in self._panels.values() if panel.is_ephemeral]
            log.warning("panels.without_reopen_button", count=len(left))

    async def _add_reopen_button(self, key: PanelKey, places: asyncio.Semaphore) -> None:
        async with places:
            panel = self._panels[key] = replace(self._panels[key], is_last=True)
            try:
                self._tracker.forget(panel.message_id)
                await self._show(key, panel)
            except Exception as error:  # noqa: BLE001 - nothing may keep the bot from closing
                log.info("panel.without_reopen_button", table=key[0], why=type(error).__name__)

    # Worker

    async def run(self) -> None:
        """Keep panels up to date until cancelled."""
        async with self._asked_lanes, self._watching_lanes:
            while True:
                self._sleeper.look()
                self._asked_lanes.check()
                self._watching_lanes.check()
                await self._look()
                self._start()
                await self._sleeper.sleep(self._next_times())

    def _next_times(self) -> list[int]:
        """Return when there is more to do within the free capacity.

        Lanes wake the worker when capacity is free again.
        """
        times = (
            self._next_end,
            self._asked.next_at if self._asked_lanes.room else None,
            self._watching.next_at if self._watching_lanes.room else None,
        )
        return [at for at in times if at is not None]

    async def _look(self) -> None:
        """Find the panels that are due: those of changed tables, and those whose tokens end."""
        now = self._clock.now()
        while self._changed:
            await self._look_at(self._changed.pop(), now)
        while (end := self._next_end) is not None and end <= now:
            key = next(iter(self._panels))
            panel = self._panels[key]
            self._drop(key)
            if panel.is_ephemeral:
                self._tracker.forget(panel.message_id)
                self._add(key, replace(panel, is_last=True, ends_at=panel.ends_at + LAST_EDIT_MS))
                self._asked.note(key, now)

    async def _look_at(self, table_id: TableId, now: int) -> None:
        try:
            table = await self._tables.get(table_id)
        except UserError:  # the table is no longer stored
            for key in [*self._by_table.get(table_id, ())]:
                self._drop(key)
            return
        asked = {table.seats[seat].person_id for seat in asked_seats(table.row, table.state)}
        wait_ms = self._mid_turn_ms if _is_mid_turn(table.state) else self._watching_ms
        for key in self._by_table.get(table_id, ()):
            panel = self._panels[key]
            if key[1] in asked or table.row.status != "playing":
                if panel.rests:
                    self._panels[key] = replace(panel, rests=False)
                self._asked.note(key, now)
            elif not panel.rests:
                if now - panel.pressed_at >= RESTS_AFTER_MS:
                    self._panels[key] = replace(panel, rests=True)
                self._watching.note(key, now + wait_ms)

    def _start(self) -> None:
        now = self._clock.now()
        for key in [key for key in self._left_alone if not self._is_busy(key)]:
            self._left_alone.discard(key)
            self._asked.note(key, now)
        while self._asked_lanes.room and (key := self._asked.take(now)) is not None:
            self._watching.drop(key)
            self._offer(key, self._asked_lanes)
        while self._watching_lanes.room and (key := self._watching.take(now)) is not None:
            self._offer(key, self._watching_lanes)

    def _offer(self, key: PanelKey, lanes: Lanes[PanelKey]) -> None:
        if self._is_busy(key):
            self._left_alone.add(key)
        else:
            lanes.offer(key, key, partial(self._edit, key))

    def _is_busy(self, key: PanelKey) -> bool:
        """Return whether the panel is being edited, or a press on it is handled."""
        return key in self._answering or self._asked_lanes.is_busy(key) or self._watching_lanes.is_busy(key)

    @property
    def _next_end(self) -> int | None:
        oldest = next(iter(self._panels.values()), None)
        return None if oldest is None else oldest.ends_at - LAST_EDIT_MS

    async def _edit(self, key: PanelKey) -> bool:
        """Update a panel.

        Return True: the worker checks again, because the panel may have been left alone meanwhile.
        """
        try:
            if key in self._answering:
                self._left_alone.add(key)
                return True
            if (left := self._left_behind.pop(key, None)) is not None:
                self._tracker.forget(left.message_id)
                await self._show(key, left)
            if (panel := self._panels.get(key)) is not None:
                async with self._tracker.hold(panel.message_id):
                    if self._panels.get(key) is panel:
                        await self._show(key, panel)
            elif key in self._failing:
                await self._fails(key)
        except RetryLaterError as busy:
            log.info("panel.later", table=key[0], why=str(busy))
            await self._fails(key)
        except Exception:
            log.exception("panel.failed", table=key[0])
            self._drop(key)
            await self._fails(key)
        return True

    async def _fails(self, key: PanelKey) -> None:
        """Handle a failed edit: try again if the panel still exists, and request the direct message meanwhile.

        It is requested twice, because the first request may find the direct message just postponed.
        """
        count = self._failing[key] = self._failing.get(key, 0) + 1
        if key in self._panels or count < ASKED_ELSEWHERE:
            self._asked.note(key, self._clock.now() + RETRY_MS)
        else:
            del self._failing[key]
        if count <= ASKED_ELSEWHERE and self._ask_elsewhere is not None:
            try:
                await self._ask_elsewhere(*key)
            except Exception:
                log.exception("panel.not_asked_elsewhere", table=key[0])

    async def _show(self, key: PanelKey, panel: LivePanel) -> None:
        snapshot = await self._tables.snapshot(key[0])
        seat = snapshot.seat_of(key[1])
        if seat is not None and _is_retired(panel, snapshot, seat):
            self._drop(key)
            return
        if (mode := _mode_now(panel, snapshot, seat)) is not panel.mode:
            panel = self._panels[key] = replace(panel, mode=mode)
        holder = None if seat is None else snapshot.holders[seat]
        with speaking(snapshot.language if seat is None else snapshot.language_of(seat)):
            draw = partial(self._draw, snapshot, seat, panel)
            revision = snapshot.table.revision
            shown = await self._tracker.edit_by_token(panel.message_id, revision, draw, holder)
        is_done = panel.is_last or seat is None or snapshot.table.status == "closed"
        if shown and (until := self._tracker.unsure_until(panel.message_id)) is not None:
            self._asked.note(key, until)
            is_done = False
        if shown:
            self._failing.pop(key, None)
        if (is_done or not shown) and self._panels.get(key) is panel:
            self._drop(key)
            if not shown:
                await self._fails(key)

    async def _draw(self, snapshot: Snapshot, seat: int | None, panel: LivePanel) -> Panel:
        if seat is None or not snapshot.private or panel.is_left:
            address = table_address(snapshot.table)
            return notice_panel(texts()("hand.retired", table=snapshot.table.id, link=address))
        return await self._publisher.hand_panel(
            snapshot, seat, mode=panel.mode, chosen=panel.chosen, sleep=_sleep(panel)
        )

    def _add(self, key: PanelKey, panel: LivePanel) -> None:
        self._panels[key] = panel
        self._by_table.setdefault(key[0], set()).add(key)

    def _drop(self, key: PanelKey) -> None:
        if self._panels.pop(key, None) is None:
            return
        self._failing.pop(key, None)
        keys = self._by_table[key[0]]
        keys.discard(key)
        if not keys:
            del self._by_table[key[0]]


def _is_mid_turn(state: State | None) -> bool:
    """Return whether the last action was to draw, or to take a discard."""
    return state is not None and state.phase is Phase.PLAY and not state.shown_now


def _sleep(panel: LivePanel) -> Sleep:
    if panel.is_last:
        return Sleep.ASLEEP
    return Sleep.RESTS if panel.rests else Sleep.AWAKE


def _mode_now(panel: LivePanel, snapshot: Snapshot, seat: int | None) -> Mode:
    """Return the mode of a panel after its table changed.

    The hand returns with its holder's turn and with a new deal. A hint is valid for one state only.
    """
    if seat is None or not snapshot.private or panel.is_last or panel.mode is Mode.PLAY:
        return Mode.PLAY
    if panel.deal_no != snapshot.table.deal_no:
        return Mode.PLAY
    view = snapshot.private[seat]
    waits = view.own.answered if view.phase is Phase.WINDOW else view.turn != seat
    match panel.mode:
        case Mode.GROUP | Mode.PILE if waits and view.phase is not Phase.OVER:
            return panel.mode
        case Mode.SETS if not waits and view.phase is Phase.PLAY:
            return panel.mode
        case Mode.LEDGER if snapshot.table.status == "between":
            return panel.mode
        case _:
            return Mode.PLAY


def _is_retired(panel: LivePanel, snapshot: Snapshot, seat: int) -> bool:
    """Return whether this is the direct message of a past deal and the seat's hand is in another one."""
    if panel.is_ephemeral or panel.deal_no == snapshot.table.deal_no:
        return False
    return snapshot.seats[seat].dm_message_id != panel.message_id


Key = TypeVar("Key", bound=tuple[int, ...])


class Timetable(Generic[Key]):
    """Holds each key at most once, with the earliest time that was noted for it."""

    def __init__(self) -> None:
        self._due: dict[Key, int] = {}
        self._heap: list[tuple[int, Key]] = []
        """A heap. Entries that `_due` does not confirm are outdated and are skipped."""

    def note(self, key: Key, at: int) -> None:
        """Make the key due at this time, in milliseconds since 1970, unless it is due earlier already."""
        if at < self._due.get(key, at + 1):
            self._due[key] = at
            heappush(self._heap, (at, key))

    def drop(self, key: Key) -> None:
        """Remove the key."""
        self._due.pop(key, None)

    @property
    def next_at(self) -> int | None:
        """When the next key is due; None if the queue is empty."""
        while self._heap and self._due.get(self._heap[0][1]) != self._heap[0][0]:
            heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def take(self, now: int) -> Key | None:
        """Remove and return the key that has been due the longest; None if none is due yet."""
        at = self.next_at
        if at is None or at > now:
            return None
        _, key = heappop(self._heap)
        del self._due[key]
        return key
