"""The reminder to a slow player: a separate message, because edits notify nobody. It is deleted after the move."""

from contextlib import suppress

import discord

from bot.delivery import discord_calls
from bot.delivery.discord_calls import MessageGoneError
from bot.table.core.pace import has_clock
from bot.table.core.repository import TableRepository
from bot.table.core.snapshot import Snapshot
from bot.ui.notice import notice_panel
from bot.ui.panel import Panel
from bot.words.links import table_address
from bot.words.texts import catalogue
from data.ids import MessageId
from data.outbox_keys import TurnReminderKey
from data.rows.outbox import OutboxRow
from data.values import TableRow


class TurnReminders:
    """Posts and deletes reminders. Only the player whose turn it is can be notified by one."""

    def __init__(self, client: discord.Client, tables: TableRepository) -> None:
        self._client = client
        self._tables = tables

    async def publish(self, row: OutboxRow[TurnReminderKey]) -> int:
        """Post or delete a table's reminder; returns the revision shown. Raises the errors of `bot.delivery.discord_calls`."""
        snapshot = await self._tables.snapshot(row.key.table_id)
        table = snapshot.table
        if table.notice_id is not None:
            await self._take_away(table, table.notice_id)
        seat = _slow_seat(snapshot)
        if seat is not None and row.key.slow_seat == seat:
            await self._post(row, snapshot, seat)
        return table.revision

    async def _take_away(self, table: TableRow, message_id: int) -> None:
        with suppress(MessageGoneError):  # somebody may have deleted it
            await discord_calls.delete(self._client, table.place_id, message_id)
        await self._remember(table, None)

    async def _remember(self, table: TableRow, message_id: MessageId | None) -> None:
        """Note which message reminds the player whose turn it is."""
        async with self._tables.amend(table.id) as tx:
            tx.update(notice_id=message_id)

    async def _post(self, row: OutboxRow[TurnReminderKey], snapshot: Snapshot, seat: int) -> None:
        table, person_id = snapshot.table, snapshot.seats[seat].person_id
        if person_id is None:
            return
        posted = await discord_calls.send(
            self._client, table.place_id, notice(snapshot, person_id), row.nonce, pinged=person_id
        )
        await self._remember(table, MessageId(posted.id))
        after = await self._tables.snapshot(table.id)
        if _slow_seat(after) != seat:  # the player has moved meanwhile
            await self._take_away(after.table, posted.id)


def notice(snapshot: Snapshot, person_id: int) -> Panel:
    """The reminder with a link to the table, in the server's language because everybody can read it."""
    table = snapshot.table
    key = "presence.notice" if has_clock(table.options.pace) else "presence.notice_unhurried"
    until = snapshot.moves_until or 0
    link = table_address(snapshot.table)
    say = catalogue(snapshot.language)
    return notice_panel(say(key, mention=f"<@{person_id}>", table=table.id, link=link, until=until))


def _slow_seat(snapshot: Snapshot) -> int | None:
    """The seat whose turn it is, if half of its time is over."""
    return snapshot.public.turn if snapshot.is_slow and snapshot.public is not None else None
