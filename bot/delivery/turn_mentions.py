"""One short message to a person who does not look at their turn, because edits send no notification.

It is deleted when the turn is over, by a request in the transaction of the move (`withdraw_mention`).
"""

from contextlib import suppress

import discord

from bot.delivery import discord_calls
from bot.delivery.discord_calls import ChannelGoneError, DirectMessages, MessageGoneError, Posting
from bot.delivery.outbox import Handlers
from bot.table.core.change import TableChange, TableTransaction
from bot.table.core.repository import TableRepository
from bot.table.core.snapshot import Snapshot
from bot.table.core.table import TURN, Table, has_clock
from bot.ui.items import GREEN, Button, table_press
from bot.ui.items import row as row_of
from bot.ui.panel import Panel, notice_panel, panel, text
from bot.words.names import table_address
from bot.words.texts import Texts, catalogue
from data.ids import ChannelId, MessageId
from data.outbox_keys import EndedMentionKey, TurnMentionByDmKey, TurnMentionKey
from data.repositories.messages import OutboxRow
from league.ids import PersonId


class TurnMentions:
    """Posts and deletes mentions. A mention can notify only the person whose turn it is."""

    def __init__(
        self, client: discord.Client, tables: TableRepository, posting: Posting, direct: DirectMessages
    ) -> None:
        self._client = client
        self._direct = direct
        self._tables = tables
        self._posting = posting

    def register(self, handlers: Handlers) -> None:
        """Register the handlers of its keys."""
        handlers.on(TurnMentionKey, self.publish).on(TurnMentionByDmKey, self.publish_by_dm)
        handlers.on(EndedMentionKey, self.delete)

    async def publish(self, row: OutboxRow[TurnMentionKey]) -> int:
        """Mention the person at the table's place. Raises the errors of `bot.delivery.discord_calls`."""
        snapshot = await self._tables.snapshot(row.key.table_id, row.revision)
        person_id = _person(snapshot, row.key)
        await self._post(
            row, snapshot.table.place_id, mention_panel(snapshot, person_id or PersonId(0)), person_id
        )
        return row.revision

    async def publish_by_dm(self, row: OutboxRow[TurnMentionByDmKey]) -> int:
        """Notify the person by direct message, or at the table's place if they accept none."""
        key, snapshot = row.key, await self._tables.snapshot(row.key.table_id, row.revision)
        person_id = _person(snapshot, key)
        if person_id is None:
            return row.revision
        async with self._direct.noting_closed(person_id):
            if await self._is_wanted(row):
                shown = direct_panel(snapshot, snapshot.language_of(key.number))
                await self._direct.send(person_id, lambda place: self._post(row, place, shown))
            return row.revision

        async def amend(tx: TableTransaction) -> None:
            if _is_on(tx, key):
                tx.request(TurnMentionKey(key.table_id, key.number, key.since))

        await self._tables.amend(key.table_id, amend)
        return row.revision

    async def delete(self, row: OutboxRow[EndedMentionKey]) -> int:
        """Delete the mention of a turn that is over."""
        with suppress(MessageGoneError, ChannelGoneError):
            await discord_calls.delete(self._client, row.key.channel_id, row.key.message_id)
        return row.revision

    async def _is_wanted(self, row: OutboxRow[TurnMentionKey]) -> bool:
        """Return whether the turn still lasts and has no mention, or an earlier attempt may have left one."""
        table = await self._tables.get(row.key.table_id)
        if _is_on(table, row.key):
            return table.row.mention_id is None
        return self._posting.may_have_sent(row)

    async def _post(
        self, row: OutboxRow[TurnMentionKey], channel_id: ChannelId, shown: Panel, pinged: int | None = None
    ) -> None:
        """Post the mention, unless it would come too late.

        If an earlier attempt may have posted it, and the turn is over by now, the same nonce identifies that
        message. If there is none, the message posted now sends no notification and is deleted as well.
        """
        if not await self._is_wanted(row):
            return
        key = row.key
        on = _is_on(await self._tables.get(key.table_id), key)
        posted = await discord_calls.send(
            self._client,
            channel_id,
            shown,
            row.nonce,
            pinged=[pinged] if on and pinged else (),
            silent=not on,
        )

        async def amend(tx: TableTransaction) -> None:
            if _is_on(tx, key):
                tx.update(mention_id=MessageId(posted.id), mention_channel_id=channel_id)
            else:
                tx.request(EndedMentionKey(key.table_id, channel_id, MessageId(posted.id)))

        await self._tables.amend(key.table_id, amend)


def mention_panel(snapshot: Snapshot, person_id: PersonId) -> Panel:
    """Return the mention at the table's place, in the server's language, with a button for the hand."""
    say = catalogue(snapshot.language)
    hand = Button(table_press(snapshot, "hand"), say("button.hand"), style=GREEN)
    return panel(text(f"<@{person_id}> {_words(snapshot, say)}"), row_of(hand))


def direct_panel(snapshot: Snapshot, language: str) -> Panel:
    """Return the mention by direct message, where the hand has a message of its own."""
    return notice_panel(_words(snapshot, catalogue(language)))


def _words(snapshot: Snapshot, say: Texts) -> str:
    """Return a sentence that says whose table waits, with a link to it."""
    key = "presence.mention" if has_clock(snapshot.pace) else "presence.mention_unhurried"
    until = snapshot.moves_until or 0
    return say(key, table=snapshot.table.id, link=table_address(snapshot.table), until=until)


def _person(snapshot: Snapshot, key: TurnMentionKey) -> PersonId | None:
    return snapshot.seats[key.number].person_id if key.number < len(snapshot.seats) else None


def _is_on(table: Table | TableChange, key: TurnMentionKey) -> bool:
    """Return whether the turn is still on: a person's turn has a deadline, and each move sets a new one."""
    due = table.deadlines.get(TURN)
    return (
        due is not None
        and due.revision == key.since
        and table.state is not None
        and table.state.turn == key.number
    )
