"""Private panels about a table, such as its rules or the panel behind **More**.

The options of such a panel are valid for the lobby, or for the time between two deals, in which it was
opened. When the next deal begins, the panel says so and keeps one button that opens it again. It is edited
with the token of its last press, which Discord does not count. Shortly before that token ends, the panel goes
to sleep. The tokens are kept in memory only.

Of each person only the newest few are kept, so that nobody's panels keep those of others waiting. An older one stays as
it is. A press on it is answered with the present state, as for any old button.
"""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog

from bot.delivery.discord_calls import RetryLaterError
from bot.delivery.publisher import MessageTracker
from bot.errors import UserError
from bot.interactions.reply import Reply
from bot.lanes import Lanes, Wakeup
from bot.panels.table.more import closed_panel
from bot.table.core.repository import TableRepository
from bot.table.core.snapshot import Snapshot
from bot.ui.panel import Panel
from bot.words.texts import Texts, catalogue
from data.ids import MessageId
from data.values import TableRow, TableStatus
from league.ids import PersonId, TableId

AT_ONCE: Final = 4
"""The most panels that are closed at a time."""
MOST_OF_A_PERSON: Final = 5
"""The most panels that are kept of a person."""
RETRY_MS: Final = 2_000
"""The pause, in milliseconds, after Discord was too busy for an edit."""
LAST_EDIT_MS: Final = 30_000
"""How long before the end of its token a panel goes to sleep, in milliseconds."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class PrivatePanel:
    """A private panel that can still be edited."""

    table_id: TableId
    person_id: PersonId
    """Its reader."""
    status: TableStatus
    deal_no: int
    """Together with the status, the state for which the panel is valid."""
    language: str
    """The reader's language."""
    closes_at: int
    """When it goes to sleep, in milliseconds since 1970."""

    def is_over(self, table: TableRow) -> bool:
        """Return whether the table has moved on, so that the panel's options no longer apply."""
        return (self.status, self.deal_no) != (table.status, table.deal_no)


class PrivatePanels:
    """Closes private panels when their options no longer apply."""

    def __init__(self, tables: TableRepository, tracker: MessageTracker) -> None:
        self._tables = tables
        self._tracker = tracker
        self._clock = tables.clock
        self._panels: dict[MessageId, PrivatePanel] = {}
        """The panels, least recently pressed first."""
        self._by_table: Counter[TableId] = Counter()
        """The number of panels of each table."""
        self._by_person: dict[PersonId, list[MessageId]] = {}
        """The panels of each person, least recently pressed first."""
        self._changed: set[TableId] = set()
        """Tables that have changed since they were last looked at."""
        self._over: dict[MessageId, int] = {}
        """Panels to close, each with the time of the next attempt."""
        self._answering: Counter[MessageId] = Counter()
        """Panels with a press being handled: the answer shows the newest state."""
        self._sleeper = Wakeup(tables.clock)
        self.wake = self._sleeper.wake
        self._lanes: Lanes[MessageId] = Lanes(AT_ONCE, self.wake)

    def keep(self, reply: Reply, message_id: MessageId, snapshot: Snapshot, texts: Texts) -> None:
        """Keep this panel, the answer to a press, drawn from this snapshot in the language of `texts`."""
        self._tracker.answered(
            message_id, reply.interaction, reply.files, is_ephemeral=True, is_besides=reply.is_besides
        )
        self.forget(message_id)
        ends_at = self._tracker.token_ends_at(message_id)
        if ends_at is not None:
            table, person_id = snapshot.table, PersonId(reply.interaction.user.id)
            self._panels[message_id] = PrivatePanel(
                table.id, person_id, table.status, table.deal_no, texts.language, ends_at - LAST_EDIT_MS
            )
            self._by_table[table.id] += 1
            own = self._by_person.setdefault(person_id, [])
            own.append(message_id)
            if len(own) > MOST_OF_A_PERSON:
                self.forget(own[0])
            self.changed(table.id)  # changes made while it was drawn were not noted for it

    def forget(self, message_id: MessageId) -> None:
        """Forget a message that now shows something else."""
        self._over.pop(message_id, None)
        if (panel := self._panels.pop(message_id, None)) is not None:
            self._by_table[panel.table_id] -= 1
            self._by_table += Counter()  # removes tables without panels
            own = self._by_person[panel.person_id]
            own.remove(message_id)
            if not own:
                del self._by_person[panel.person_id]

    @contextmanager
    def answering(self, message_id: MessageId | None) -> Generator[None, None, None]:
        """Suspend edits of a panel while a press of it is handled."""
        if message_id is None or message_id not in self._panels:
            yield
            return
        self._answering[message_id] += 1
        try:
            yield
        finally:
            self._answering[message_id] -= 1
            if not self._answering[message_id]:
                del self._answering[message_id]
                self.wake()

    def changed(self, table_id: TableId) -> None:
        """Note that a change of this table was committed."""
        if table_id in self._by_table:
            self._changed.add(table_id)
            self.wake()

    async def run(self) -> None:
        """Close panels until cancelled."""
        async with self._lanes:
            while True:
                self._sleeper.look()
                self._lanes.check()
                await self._look()
                now = self._clock.now()
                for message_id in [one for one, at in self._over.items() if at <= now]:
                    if not self._answering[message_id] and self._lanes.room:
                        self._lanes.offer(message_id, message_id, partial(self._close, message_id))
                await self._sleeper.sleep(self._next_times(now))

    def _next_times(self, now: int) -> list[int]:
        oldest = next(iter(self._panels.values()), None)
        times = [at for at in self._over.values() if at > now]
        return [*times, oldest.closes_at] if oldest is not None and oldest.closes_at > now else times

    async def _look(self) -> None:
        """Find the panels to close: those of tables that have moved on, and those whose tokens end."""
        now = self._clock.now()
        while self._changed:
            table_id = self._changed.pop()
            try:
                row = (await self._tables.get(table_id)).row
            except UserError:  # the table is no longer stored
                continue
            for message_id, panel in self._panels.items():
                if panel.table_id == table_id and panel.is_over(row):
                    self._over.setdefault(message_id, now)
        for message_id, panel in self._panels.items():
            if panel.closes_at <= now:
                self._over.setdefault(message_id, now)

    async def _close(self, message_id: MessageId) -> bool:
        """Close a panel, unless it is pressed meanwhile. True: the worker looks again."""
        panel = self._panels.get(message_id)
        if panel is None or self._answering[message_id]:
            return True
        try:
            async with self._tracker.hold(message_id):
                snapshot = await self._tables.snapshot(panel.table_id)
                self._tracker.forget(message_id)
                draw = partial(_closed, snapshot, panel)
                await self._tracker.edit_by_token(message_id, snapshot.table.revision, draw)
        except RetryLaterError as busy:
            log.info("panel.later", table=panel.table_id, why=str(busy))
            self._over[message_id] = self._clock.now() + RETRY_MS
            return True
        except Exception:
            log.exception("panel.failed", table=panel.table_id)
        if self._panels.get(message_id) is panel:
            self.forget(message_id)
        return True


async def _closed(snapshot: Snapshot, panel: PrivatePanel) -> Panel:
    """Draw the closed state of a panel."""
    was = panel.status if panel.is_over(snapshot.table) else None
    return closed_panel(snapshot, was, catalogue(panel.language))
