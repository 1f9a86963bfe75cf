"""What an outbox row becomes: the table's message in its channel, or a seat's hand by direct message."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from weakref import WeakValueDictionary

import discord
import structlog

from bot import discord_calls
from bot.desk import Desk
from bot.discord_calls import DmsClosed, MessageGone, PlaceGone
from bot.hands import Holder, Mode
from bot.oldhands import RETIRE, message_to_retire
from bot.panels.hand import hand_panel, table_link
from bot.panels.notice import notice_panel
from bot.panels.panel import Panel
from bot.panels.table import table_panel
from bot.pictures import Pictures
from bot.snapshot import Snapshot
from bot.texts import speaking, texts
from data.store import Store
from data.values import OutboxRow, SeatRow
from marriage.state import Phase

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
        self._shown: dict[int, tuple[int, Holder | None]] = {}
        """By message: the revision it shows already, and as whom a hand is shown, so that no edit is wasted."""

    def showed(self, message_id: int, revision: int, holder: Holder | None = None) -> None:
        """A message was brought to this revision by the answer to an interaction; a hand as its holder likes it."""
        before = self._shown.pop(message_id, None)
        newer = before is not None and before[0] > revision
        self._shown[message_id] = before if newer and before else (revision, holder)
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
            if row.kind == RETIRE:
                with speaking(snapshot.language):
                    await self._retire(*message_to_retire(row.key), snapshot)
            elif row.kind == "hand" and row.seat is not None:
                await self._publish_hand(row, row.seat, snapshot)
            else:
                await self._publish_table(row, snapshot)
        return snapshot.table.revision

    async def _message_of(self, row: OutboxRow) -> int | None:
        if row.kind == RETIRE:
            return message_to_retire(row.key)[1]
        async with self._store.read() as reader:
            if row.kind == "hand":
                seats = await reader.seats(row.table_id)
                return next((seat.dm_message_id for seat in seats if seat.seat == row.seat), None)
            table = await reader.table(row.table_id)
            return table.message_id if table else None

    async def table_panel(self, snapshot: Snapshot) -> Panel:
        """The table message of this snapshot, in the server's language."""
        with speaking(snapshot.language):
            return table_panel(snapshot, await self._pictures.table(snapshot), texts())

    async def hand_panel(
        self, snapshot: Snapshot, seat: int, note: str | None = None, mode: Mode = Mode.PLAY
    ) -> Panel:
        """The panel of a seat of this snapshot, for its holder only, in the language that is spoken just now."""
        hand = await self._pictures.hand(snapshot.private[seat], snapshot.holders[seat])
        return hand_panel(snapshot, hand, texts(), note, mode)

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
        if not person.settings.hands_by_dm:
            with speaking(snapshot.language_of(seat_no)):
                await self._withdraw_hand(snapshot, seat, person.id)
            return
        over = snapshot.public.phase is Phase.OVER
        if over and seat.dm_message_id is None:
            return  # a deal that is over is not sent to anyone anew
        try:
            with speaking(snapshot.language_of(seat_no)):
                await self._send_hand(row, snapshot, seat, person.id)
            if over:
                await self._let_go(snapshot, seat, person.id)
        except DmsClosed:
            log.info("dms.closed", table=snapshot.table.id, seat=seat_no)
            async with self._store.write() as writer:
                await writer.set_dms(person.id, open_=False)

    async def _send_hand(self, row: OutboxRow, snapshot: Snapshot, seat: SeatRow, person_id: int) -> None:
        revision, holder = snapshot.table.revision, snapshot.holders[seat.seat]
        draw = partial(self.hand_panel, snapshot, seat.seat)
        if seat.dm_channel_id is not None and seat.dm_message_id is not None:
            try:
                if await self._edited(seat.dm_channel_id, seat.dm_message_id, revision, draw, holder):
                    return
            except PlaceGone:
                log.info("dms.reopened", table=snapshot.table.id, seat=seat.seat)
        channel_id = await discord_calls.open_dm(self._client, person_id)
        message_id = await self._sent(channel_id, row.nonce, revision, draw, holder)
        async with self._store.write() as writer:
            await writer.set_hand_message(snapshot.table.id, person_id, channel_id, message_id)

    async def _let_go(self, snapshot: Snapshot, seat: SeatRow, person_id: int) -> None:
        """The message of this deal shows its end and stays as it is: the next deal gets one of its own."""
        if seat.dm_channel_id is not None:
            async with self._store.write() as writer:
                await writer.set_hand_message(snapshot.table.id, person_id, seat.dm_channel_id, None)

    async def _withdraw_hand(self, snapshot: Snapshot, seat: SeatRow, person_id: int) -> None:
        """Whoever wants no hands by direct message is left with none."""
        if seat.dm_channel_id is not None and seat.dm_message_id is not None:
            await self._retire(seat.dm_channel_id, seat.dm_message_id, snapshot)
            await self._let_go(snapshot, seat, person_id)

    async def _retire(self, channel_id: int, message_id: int, snapshot: Snapshot) -> None:
        """Leave nothing in an old hand's message but the way to its table."""
        words = texts()("hand.retired", table=snapshot.table.id, link=table_link(snapshot))
        with suppress(MessageGone, PlaceGone, DmsClosed):
            await discord_calls.edit(self._client, channel_id, message_id, notice_panel(words))

    async def _edited(
        self, channel_id: int, message_id: int, revision: int, draw: Draw, holder: Holder | None = None
    ) -> bool:
        """Bring a message to this revision, unless it shows it already; False when it is gone."""
        shown = self._shown.get(message_id)
        if shown is not None and (shown[0] > revision or shown == (revision, holder)):
            return True
        try:
            await discord_calls.edit(self._client, channel_id, message_id, await draw())
        except MessageGone:
            return False
        self.showed(message_id, revision, holder)
        return True

    async def _sent(
        self, channel_id: int, nonce: str, revision: int, draw: Draw, holder: Holder | None = None
    ) -> int:
        """Post a message that shows this revision; its id."""
        message_id = await discord_calls.send(self._client, channel_id, await draw(), nonce)
        self.showed(message_id, revision, holder)
        return message_id
