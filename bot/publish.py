"""What an outbox row becomes: the table's message in its channel, or a seat's hand by direct message."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from weakref import WeakValueDictionary

import discord
import structlog

from bot import discord_calls
from bot.desk import Desk
from bot.discord_calls import DmsClosed, MessageGone, PlaceGone
from bot.panels.hand import hand_panel
from bot.panels.panel import Panel
from bot.panels.table import table_panel
from bot.pictures import Pictures
from bot.snapshot import Snapshot
from bot.texts import texts
from data.store import Store
from data.values import OutboxRow, SeatRow

REMEMBERED = 10_000
"""Messages whose shown revision is kept; a forgotten one costs an edit that changes nothing."""

Draw = Callable[[], Awaitable[Panel]]

log = structlog.get_logger(__name__)


class Publisher:
    """Draws the newest state of what a row names and brings Discord's message to it."""

    def __init__(self, client: discord.Client, store: Store, desk: Desk, pictures: Pictures) -> None:
        self._client = client
        self._store = store
        self._desk = desk
        self._pictures = pictures
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._shown: dict[int, int] = {}
        """By message: the revision it shows already, so that no edit is wasted."""

    def showed(self, message_id: int, revision: int) -> None:
        """A message was brought to this revision by the answer to an interaction."""
        self._shown[message_id] = max(revision, self._shown.pop(message_id, 0))
        while len(self._shown) > REMEMBERED:
            del self._shown[next(iter(self._shown))]

    @asynccontextmanager
    async def showing(self, message_id: int | None) -> AsyncIterator[None]:
        """Hold a message while its newest state is read, drawn and sent, so that no older one overtakes it."""
        if message_id is None:
            yield
            return
        lock = self._locks.setdefault(message_id, asyncio.Lock())
        async with lock:
            yield

    async def publish(self, row: OutboxRow) -> int:
        """Publish a row; the revision that is shown now. Raises the exceptions of `bot.discord_calls`."""
        async with self.showing(await self._message_of(row)):
            snapshot = await self._desk.snapshot(row.table_id)
            if row.kind == "hand" and row.seat is not None:
                await self._publish_hand(row, row.seat, snapshot)
            else:
                await self._publish_table(row, snapshot)
        return snapshot.table.revision

    async def _message_of(self, row: OutboxRow) -> int | None:
        async with self._store.read() as reader:
            if row.kind == "hand":
                seats = await reader.seats(row.table_id)
                return next((seat.dm_message_id for seat in seats if seat.seat == row.seat), None)
            table = await reader.table(row.table_id)
            return table.message_id if table else None

    async def table_panel(self, snapshot: Snapshot) -> Panel:
        """The table message of this snapshot."""
        return table_panel(snapshot, await self._pictures.table(snapshot), texts())

    async def hand_panel(self, snapshot: Snapshot, seat: int, note: str | None = None) -> Panel:
        """The panel of a seat of this snapshot, for its holder only."""
        hand = await self._pictures.hand(snapshot.private[seat])
        return hand_panel(snapshot, hand, texts(), note)

    async def _publish_table(self, row: OutboxRow, snapshot: Snapshot) -> None:
        table = snapshot.table
        draw = partial(self.table_panel, snapshot)
        if table.message_id is not None and await self._edited(
            table.channel_id, table.message_id, table.revision, draw
        ):
            return
        message_id = await self._sent(table.channel_id, row.nonce, table.revision, draw)
        async with self._store.write() as writer:
            await writer.set_message(table.id, table.channel_id, message_id)

    async def _publish_hand(self, row: OutboxRow, seat_no: int, snapshot: Snapshot) -> None:
        seat = snapshot.seats[seat_no] if seat_no < len(snapshot.seats) else None
        if seat is None or seat.person_id is None or snapshot.public is None:
            return
        async with self._store.read() as reader:
            person = await reader.person(seat.person_id)
        if person is None or not person.dms_open:
            return
        try:
            await self._send_hand(row, snapshot, seat, person.id)
        except DmsClosed:
            log.info("dms.closed", table=snapshot.table.id, seat=seat_no)
            async with self._store.write() as writer:
                await writer.set_dms(person.id, open_=False)

    async def _send_hand(self, row: OutboxRow, snapshot: Snapshot, seat: SeatRow, person_id: int) -> None:
        revision = snapshot.table.revision
        draw = partial(self.hand_panel, snapshot, seat.seat)
        if seat.dm_channel_id is not None and seat.dm_message_id is not None:
            try:
                if await self._edited(seat.dm_channel_id, seat.dm_message_id, revision, draw):
                    return
            except PlaceGone:
                log.info("dms.reopened", table=snapshot.table.id, seat=seat.seat)
        channel_id = await discord_calls.open_dm(self._client, person_id)
        message_id = await self._sent(channel_id, row.nonce, revision, draw)
        async with self._store.write() as writer:
            await writer.set_hand_message(snapshot.table.id, person_id, channel_id, message_id)

    async def _edited(self, channel_id: int, message_id: int, revision: int, draw: Draw) -> bool:
        """Bring a message to this revision, unless it shows it already; False when it is gone."""
        if self._shown.get(message_id, -1) >= revision:
            return True
        try:
            await discord_calls.edit(self._client, channel_id, message_id, await draw())
        except MessageGone:
            return False
        self.showed(message_id, revision)
        return True

    async def _sent(self, channel_id: int, nonce: str, revision: int, draw: Draw) -> int:
        """Post a message that shows this revision; its id."""
        message_id = await discord_calls.send(self._client, channel_id, await draw(), nonce)
        self.showed(message_id, revision)
        return message_id
