"""Hands by direct message: one message for each deal, which is kept up to date and ends with the result.

A new message notifies its player that a deal has begun. A player who has just pressed in the last message
needs no notice: the next deal reuses it, unless it is too old to be edited freely. Otherwise the old message
loses its buttons.
"""

from contextlib import suppress
from dataclasses import replace
from functools import partial

import discord
import structlog

from bot.delivery import discord_calls
from bot.delivery.discord_calls import (
    ChannelGoneError,
    DirectMessages,
    DirectMessagesClosedError,
    MessageGoneError,
    UneditableMessageError,
)
from bot.delivery.live_panels import LivePanels
from bot.delivery.outbox import Handlers, PostponedError
from bot.delivery.publisher import Publisher
from bot.panels.table.presence import standing_panel
from bot.table.core.change import TableTransaction
from bot.table.core.repository import TableRepository
from bot.table.core.snapshot import Snapshot
from bot.ui.panel import Panel, notice_panel
from bot.words.names import table_address
from bot.words.texts import texts
from data.ids import ChannelId, MessageId
from data.outbox_keys import HandAmendmentKey, HandKey, RetiredHandKey, StandingKey
from data.repositories.messages import OutboxRow
from data.store import Store
from data.values import SeatRow
from league.ids import PersonId, TableId
from marriage.state import Phase
from render.words import speaking

ANSWERED_MS = 1_000
"""How long the edit of a hand waits for the answer to a press in the same message, in milliseconds."""

log = structlog.get_logger(__name__)


class HandMessages:
    """Publishes the direct messages to the players of a table."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        tables: TableRepository,
        publisher: Publisher,
        live: LivePanels,
        direct: DirectMessages,
    ) -> None:
        self._client = client
        self._store = store
        self._tables = tables
        self._publisher = publisher
        self._tracker = publisher.tracker
        self._live = live
        self._direct = direct

    def register(self, handlers: Handlers) -> None:
        """Register the handlers of its keys, and the fallback for panels that fail."""
        self._live.on_failure(self.send_now)
        handlers.on(HandKey, self.publish).on(RetiredHandKey, self.retire).on(StandingKey, self.tell)

    async def send_now(self, table_id: TableId, person_id: PersonId) -> None:
        """Send a person's postponed hand now, because they do not see it elsewhere."""
        seat = (await self._tables.snapshot(table_id)).seat_of(person_id)
        if seat is None:
            return
        key, now = HandKey(table_id, seat), self._tables.clock.now()
        await self._store.write(lambda db: db.outbox.send_now(key, now))
        self._tables.committed(move=True)

    async def publish(self, row: OutboxRow[HandKey]) -> int:
        """Bring a hand up to date; returns the revision that it shows."""
        snapshot = await self._tables.snapshot(row.key.table_id, row.revision)
        message_id = next(
            (seat.dm_message_id for seat in snapshot.seats if seat.seat == row.key.number), None
        )
        async with self._tracker.hold(message_id) as is_old:
            if is_old:
                snapshot = await self._tables.snapshot(row.key.table_id, row.revision)
            if row.attempts > 0 and message_id is not None:
                # An earlier attempt may have arrived after what was shown since.
                self._tracker.forget(message_id)
            await self._publish(row, snapshot)
        return snapshot.table.revision

    async def retire(self, row: OutboxRow[RetiredHandKey]) -> int:
        """Reduce the message of an old hand to a link to its table."""
        key = row.key
        async with self._tracker.hold(key.message_id):
            snapshot = await self._tables.snapshot(key.table_id, row.revision)
            if any(seat.dm_message_id == key.message_id for seat in snapshot.seats):
                return snapshot.table.revision  # it already shows the next deal
            with speaking(snapshot.language):
                await self._retire(key.channel_id, key.message_id, snapshot)
        return snapshot.table.revision

    async def draw(self, key: HandAmendmentKey) -> Panel | None:
        """Draw the last hand of a table again; None if the message does not show it any more."""
        snapshot = await self._tables.snapshot(TableId(key.about))
        seat = next((row.seat for row in snapshot.seats if row.dm_message_id == key.message_id), None)
        if seat is None or snapshot.public is None:
            return None
        with speaking(snapshot.language_of(seat)):
            return await self._publisher.hand_panel(snapshot, seat)

    async def tell(self, row: OutboxRow[StandingKey]) -> int:
        """Notify a player who gets no hand by direct message that the deal is paused or continues."""
        snapshot = await self._tables.snapshot(row.key.table_id, row.revision)
        await self._tell(row, row.key.number, snapshot)
        return snapshot.table.revision

    async def _tell(self, row: OutboxRow[StandingKey], seat_no: int, snapshot: Snapshot) -> None:
        seat = snapshot.seats[seat_no] if seat_no < len(snapshot.seats) else None
        gets_hand = snapshot.holders[seat_no].settings.hands_by_dm if seat else True
        if seat is None or seat.person_id is None or gets_hand or seat_no in snapshot.dms_closed:
            return
        with speaking(snapshot.language_of(seat_no)):
            panel = standing_panel(snapshot, self._publisher.why_paused(snapshot), texts())
        async with self._direct.noting_closed(seat.person_id):
            await self._direct.send(
                seat.person_id, lambda place: discord_calls.send(self._client, place, panel, row.nonce)
            )

    async def _publish(self, row: OutboxRow[HandKey], snapshot: Snapshot) -> None:
        seat_no = row.key.number
        seat = snapshot.seats[seat_no] if seat_no < len(snapshot.seats) else None
        if seat is None or seat.person_id is None or snapshot.public is None:
            return
        if seat_no in snapshot.dms_closed:
            return
        if not snapshot.holders[seat_no].settings.hands_by_dm:
            with speaking(snapshot.language_of(seat_no)):
                await self._withdraw_hand(snapshot, seat, seat.person_id)
            return
        self._require_wanted(snapshot, seat, seat.person_id)
        over = snapshot.public.phase is Phase.OVER
        if over and seat.dm_message_id is None:
            return  # the hand of a finished deal is not sent
        async with self._direct.noting_closed(seat.person_id):
            with speaking(snapshot.language_of(seat_no)):
                await self._send_hand(row, snapshot, seat, seat.person_id)

    def _require_wanted(self, snapshot: Snapshot, seat: SeatRow, person_id: PersonId) -> None:
        """Postpone the message while the person plays in another one and has not pressed here lately.

        A press being answered here shows what this edit would. A hand without a message is sent at once.
        """
        if seat.dm_message_id is None:
            return
        key = (snapshot.table.id, person_id)
        if self._live.is_answering_in(key, seat.dm_message_id):
            raise PostponedError(self._tables.clock.now() + ANSWERED_MS)
        until = self._live.shown_elsewhere_until(key, seat.dm_message_id)
        if until is None or self._tracker.token_ends_at(seat.dm_message_id) is not None:
            return
        raise PostponedError(until)

    async def _send_hand(
        self, row: OutboxRow[HandKey], snapshot: Snapshot, seat: SeatRow, person_id: PersonId
    ) -> None:
        revision, holder = snapshot.table.revision, snapshot.holders[seat.seat]
        draw = partial(self._publisher.hand_panel, snapshot, seat.seat)
        message_id = seat.dm_message_id or self._live.played_in(snapshot.table.id, person_id)
        if message_id is not None:
            channel_id = seat.dm_channel_id or await self._direct.channel_of(person_id)
            mode, chosen = self._live.open_in(message_id, snapshot, seat.seat)
            draw_again = partial(draw, mode=mode, chosen=chosen)
            try:
                await self._tracker.edit(channel_id, message_id, revision, draw_again, holder)
            except UneditableMessageError:  # old and edited often; its buttons must not stay
                await discord_calls.delete(self._client, channel_id, message_id)
            except MessageGoneError:
                log.info("dm.gone", table=snapshot.table.id, seat=seat.seat)
            except ChannelGoneError:
                log.info("dms.reopened", table=snapshot.table.id, seat=seat.seat)
            else:
                if (seat.dm_channel_id, seat.dm_message_id) != (channel_id, message_id):
                    await self._remember(snapshot, person_id, channel_id, message_id)
                self._tracker.require_sure(message_id)
                return
        channel_id, message_id = await self._direct.send(
            person_id, lambda place: self._tracker.send(place, row, revision, draw, holder)
        )
        await self._remember(snapshot, person_id, channel_id, message_id)

    async def _remember(
        self, snapshot: Snapshot, person_id: PersonId, channel_id: ChannelId, message_id: MessageId | None
    ) -> None:
        """Store where a person's hand is shown, by person because their seat number may change."""

        async def amend(tx: TableTransaction) -> None:
            for seat in tx.seats:
                if seat.person_id == person_id:
                    tx.set_seat(replace(seat, dm_channel_id=channel_id, dm_message_id=message_id))

        await self._tables.amend(snapshot.table.id, amend)

    async def _withdraw_hand(self, snapshot: Snapshot, seat: SeatRow, person_id: PersonId) -> None:
        """Remove the hand from the message of a player who no longer wants hands by direct message."""
        if seat.dm_channel_id is not None and seat.dm_message_id is not None:
            await self._retire(seat.dm_channel_id, seat.dm_message_id, snapshot)
            await self._remember(snapshot, person_id, seat.dm_channel_id, None)

    async def _retire(self, channel_id: ChannelId, message_id: MessageId, snapshot: Snapshot) -> None:
        words = texts()("hand.retired", table=snapshot.table.id, link=table_address(snapshot.table))
        with suppress(MessageGoneError, ChannelGoneError, DirectMessagesClosedError):
            await discord_calls.edit(self._client, channel_id, message_id, notice_panel(words))
