"""What an outbox row becomes: the table's message in its channel, or a seat's hand by direct message."""

from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from functools import partial

import discord
import structlog

from bot.delivery import discord_calls
from bot.delivery.discord_calls import ChannelGoneError, DirectMessagesClosedError, MessageGoneError
from bot.delivery.message_tracker import MessageTracker
from bot.delivery.table_message import TableMessage
from bot.interactions.permissions import Obstacle, obstacle_in
from bot.interactions.reply import Reply
from bot.panels.hand import hand_panel
from bot.panels.presence import standing_panel
from bot.panels.table import table_panel
from bot.pictures import Pictures
from bot.settings import Settings
from bot.table.duplicate import OPENED
from bot.table.hands import Holder, Mode
from bot.table.outbox_requests import CLOSE, MEMBER, RETIRE, STANDS
from bot.table.repository import TableRepository
from bot.table.snapshot import Snapshot
from bot.ui.notice import notice_panel
from bot.ui.panel import Panel
from bot.words.links import table_address
from bot.words.texts import speaking, texts
from data.privacy_rows import AmendmentRow
from data.store import Store
from data.values import OutboxRow, SeatRow
from marriage.cards import Cards
from marriage.state import Phase

log = structlog.get_logger(__name__)


class Publisher:
    """Draws the newest state of what a row names and brings Discord's message to it."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        tables: TableRepository,
        pictures: Pictures,
        settings: Settings,
    ) -> None:
        self._client = client
        self._store = store
        self._tables = tables
        self._pictures = pictures
        self._shown = MessageTracker(client, tables.clock, settings.answer_edits_m)
        self._post = TableMessage(client, store, tables.clock, self._shown, self.table_panel)

    def showed(self, reply: Reply, message_id: int, revision: int, holder: Holder | None = None) -> None:
        """A message was brought to this revision by the answer to an interaction; a hand as its holder likes it."""
        self._shown.note(message_id, revision, holder)
        if reply.stays:
            self._shown.answered(message_id, reply.interaction)

    def showing(self, message_id: int | None) -> AbstractAsyncContextManager[None]:
        """Hold a message while its newest state is read, drawn and sent, so that no older one overtakes it."""
        return self._shown.hold(message_id)

    async def publish(self, row: OutboxRow) -> Snapshot:
        """Publish a row; what is shown now. Raises the exceptions of `bot.delivery.discord_calls`."""
        async with self.showing(await self._message_of(row)):
            snapshot = await self._tables.snapshot(row.table_id)
            if row.kind == RETIRE:
                with speaking(snapshot.language):
                    await self._retire(*named_message(row.key), snapshot)
            elif row.kind == CLOSE:
                with speaking(snapshot.language):
                    await self._post.close(*named_message(row.key), snapshot)
            elif row.kind == MEMBER and row.seat is not None:
                await self._post.add_member(snapshot, row.seat)
            elif row.kind == "hand" and row.seat is not None:
                await self._publish_hand(row, row.seat, snapshot)
            elif row.kind == STANDS and row.seat is not None:
                await self._tell(row, row.seat, snapshot)
            else:
                if row.kind == OPENED and snapshot.table.message_id is not None:
                    self._shown.forget(snapshot.table.message_id)
                await self._post.publish(row, snapshot)
        return snapshot

    async def _message_of(self, row: OutboxRow) -> int | None:
        if row.kind in {RETIRE, CLOSE}:
            return named_message(row.key)[1]
        async with self._store.read() as db:
            if row.kind == "hand":
                seats = await db.tables.seats(row.table_id)
                return next((seat.dm_message_id for seat in seats if seat.seat == row.seat), None)
            table = await db.tables.get(row.table_id)
            return table.message_id if table else None

    async def table_panel(self, snapshot: Snapshot) -> Panel:
        """The table message of this snapshot, in the server's language."""
        with speaking(snapshot.language):
            picture = None if snapshot.is_withheld else await self._pictures.table(snapshot)
            return table_panel(snapshot, picture, texts())

    async def table_now(self, row: AmendmentRow) -> Panel:
        """What a message of a table shows by now, be it the table's own or the sign of its thread."""
        return await self.table_panel(await self._tables.snapshot(row.about))

    async def hand_panel(
        self,
        snapshot: Snapshot,
        seat: int,
        note: str | None = None,
        mode: Mode = Mode.PLAY,
        chosen: tuple[Cards, ...] = (),
    ) -> Panel:
        """The panel of a seat of this snapshot, for its holder only, in the language that is spoken just now."""
        hand = await self._pictures.hand(snapshot.private[seat], snapshot.holders[seat])
        return hand_panel(
            snapshot, replace(hand, chosen=chosen), texts(), note, mode, self._why_paused(snapshot)
        )

    def _why_paused(self, snapshot: Snapshot) -> Obstacle | None:
        """What keeps a paused table from being shown, as far as it is known here."""
        table = snapshot.table
        if not snapshot.is_paused:
            return None
        return obstacle_in(self._client.get_guild(table.guild_id), table.place_id)

    async def _tell(self, row: OutboxRow, seat_no: int, snapshot: Snapshot) -> None:
        """Tell somebody whose hand does not come by direct message that the deal stands, or goes on."""
        seat = snapshot.seats[seat_no] if seat_no < len(snapshot.seats) else None
        gets_hand = snapshot.holders[seat_no].settings.hands_by_dm if seat else True
        if seat is None or seat.person_id is None or gets_hand or seat_no in snapshot.dms_closed:
            return
        with speaking(snapshot.language_of(seat_no)):
            panel = standing_panel(snapshot, self._why_paused(snapshot), texts())
        with suppress(DirectMessagesClosedError):
            channel_id = await discord_calls.open_dm(self._client, seat.person_id)
            await discord_calls.send(self._client, channel_id, panel, row.nonce)

    async def _publish_hand(self, row: OutboxRow, seat_no: int, snapshot: Snapshot) -> None:
        seat = snapshot.seats[seat_no] if seat_no < len(snapshot.seats) else None
        if seat is None or seat.person_id is None or snapshot.public is None:
            return
        if seat_no in snapshot.dms_closed:
            return
        if not snapshot.holders[seat_no].settings.hands_by_dm:
            with speaking(snapshot.language_of(seat_no)):
                await self._withdraw_hand(snapshot, seat, seat.person_id)
            return
        over = snapshot.public.phase is Phase.OVER
        if over and seat.dm_message_id is None:
            return  # a deal that is over is not sent to anyone anew
        try:
            with speaking(snapshot.language_of(seat_no)):
                await self._send_hand(row, snapshot, seat, seat.person_id)
            if over:
                await self._let_go(snapshot, seat, seat.person_id)
        except DirectMessagesClosedError:
            log.info("dms.closed", table=snapshot.table.id, seat=seat_no)
            async with self._store.write() as db:
                await db.people.set_dms(seat.person_id, open_=False)

    async def _send_hand(self, row: OutboxRow, snapshot: Snapshot, seat: SeatRow, person_id: int) -> None:
        revision, holder = snapshot.table.revision, snapshot.holders[seat.seat]
        draw = partial(self.hand_panel, snapshot, seat.seat)
        if seat.dm_channel_id is not None and seat.dm_message_id is not None:
            try:
                await self._shown.edit(seat.dm_channel_id, seat.dm_message_id, revision, draw, holder)
            except MessageGoneError:
                log.info("dm.gone", table=snapshot.table.id, seat=seat.seat)
            except ChannelGoneError:
                log.info("dms.reopened", table=snapshot.table.id, seat=seat.seat)
            else:
                return
        channel_id = await discord_calls.open_dm(self._client, person_id)
        message_id = await self._shown.send(channel_id, row, revision, draw, holder)
        async with self._store.write() as db:
            await db.tables.set_hand_message(snapshot.table.id, person_id, channel_id, message_id)

    async def _let_go(self, snapshot: Snapshot, seat: SeatRow, person_id: int) -> None:
        """The message of this deal shows its end and stays as it is: the next deal gets one of its own."""
        if seat.dm_channel_id is not None:
            async with self._store.write() as db:
                await db.tables.set_hand_message(snapshot.table.id, person_id, seat.dm_channel_id, None)

    async def _withdraw_hand(self, snapshot: Snapshot, seat: SeatRow, person_id: int) -> None:
        """Whoever wants no hands by direct message is left with none."""
        if seat.dm_channel_id is not None and seat.dm_message_id is not None:
            await self._retire(seat.dm_channel_id, seat.dm_message_id, snapshot)
            await self._let_go(snapshot, seat, person_id)

    async def _retire(self, channel_id: int, message_id: int, snapshot: Snapshot) -> None:
        """Leave nothing in an old hand's message but the way to its table."""
        words = texts()("hand.retired", table=snapshot.table.id, link=table_address(snapshot.table))
        with suppress(MessageGoneError, ChannelGoneError, DirectMessagesClosedError):
            await discord_calls.edit(self._client, channel_id, message_id, notice_panel(words))


def named_message(key: str) -> tuple[int, int]:
    """The channel and the message that an outbox row's key names."""
    _, channel_id, message_id = key.split(":")
    return int(channel_id), int(message_id)
