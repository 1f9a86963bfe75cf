"""The one message of each table: posted, edited, and posted again when it is out of sight."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import discord
import structlog

from bot.delivery import discord_calls
from bot.delivery.discord_calls import (
    ChannelGoneError,
    MessageGoneError,
    MessageVisibility,
    MissingAccessError,
    RetryLaterError,
    UneditableMessageError,
)
from bot.delivery.outbox import Handlers
from bot.delivery.publisher import Publisher
from bot.delivery.threads import ThreadRefusedError, Threads, people_of
from bot.panels.table.table_message import old_panel
from bot.rest import Urgency, urgency
from bot.table.core.change import (
    DELETED,
    LOCKED,
    PUBLIC,
    TableTransaction,
    close_sign,
    leave_message,
    leave_thread,
)
from bot.table.core.repository import TableRepository
from bot.table.core.snapshot import Snapshot
from bot.table.lobby import ANSWERED_BY_MS
from bot.table.pauses import Pauses
from bot.words.texts import catalogue, texts
from data.ids import ChannelId, MessageId
from data.outbox_keys import (
    ClosedMessageKey,
    OutboxKey,
    ShowAnewKey,
    TableKey,
    TableMessageKey,
    ThreadAccessKey,
)
from data.repositories.messages import OutboxRow
from data.values import TableRow
from league.ids import PersonId
from league.times import SECOND
from render.words import speaking

_LEAGUE_NAME = 70
"""The most letters of a league's name in the name of a thread, which may have 100."""
ADDING_S = 5.0
"""How long, in seconds, a table waits until its people are added to its new thread."""

log = structlog.get_logger(__name__)


class TableMessage:
    """Brings messages of tables up to date."""

    def __init__(
        self,
        client: discord.Client,
        tables: TableRepository,
        publisher: Publisher,
        pauses: Pauses,
    ) -> None:
        self._client = client
        self._tables = tables
        self._clock = tables.clock
        self._shown = publisher.tracker
        self._draw = publisher.table_panel
        self._pauses = pauses
        self._visibility = MessageVisibility(client, tables.clock)
        self._threads = Threads(client)

    def register(self, handlers: Handlers) -> None:
        """Register the handlers of its keys."""
        handlers.on(TableMessageKey, self.publish).on(ShowAnewKey, self.publish_opened)
        handlers.on(ThreadAccessKey, self.let_in_or_out).on(ClosedMessageKey, self.close)

    async def publish(self, row: OutboxRow[TableMessageKey]) -> int:
        """Show the table at its place; returns the revision shown. Raises the errors of `bot.delivery.discord_calls`.

        A table that cannot be shown is paused until it can.
        """
        return (await self._publish_or_pause(row)).table.revision

    async def publish_opened(self, row: OutboxRow[ShowAnewKey]) -> int:
        """Show an unchanged table again, because sealed information may now be shown or a clock was set.

        The hands of those who have to act are updated too, because their messages also show the time.
        """
        snapshot = await self._publish_or_pause(row, again=True)

        async def amend(tx: TableTransaction) -> None:
            tx.publish_hands(tx.asked())

        await self._tables.amend(row.key.table_id, amend)
        return snapshot.table.revision

    async def _publish_or_pause(self, row: OutboxRow[TableKey], *, again: bool = False) -> Snapshot:
        try:
            snapshot = await self._publish(row, again=again)
        except (MissingAccessError, ChannelGoneError):
            await self._pauses.lost(row.key.table_id)
            raise
        if snapshot.is_paused:
            await self._pauses.shown(row.key.table_id)
        return snapshot

    async def _publish(self, row: OutboxRow[TableKey], *, again: bool = False) -> Snapshot:
        snapshot = await self._tables.snapshot(row.key.table_id, row.revision)
        if snapshot.public is not None:
            urgency.set(Urgency.TURN)  # its players wait for it
        async with self._shown.hold(snapshot.table.message_id) as is_old:
            if is_old:
                snapshot = await self._tables.snapshot(row.key.table_id, row.revision)
            # An earlier attempt may have arrived after what was shown since.
            if (again or row.attempts > 0) and snapshot.table.message_id is not None:
                self._shown.forget(snapshot.table.message_id)
            await self._bring_up_to_date(row, snapshot)
        return snapshot

    async def _bring_up_to_date(self, row: OutboxRow[OutboxKey], snapshot: Snapshot) -> None:
        """Show the current state of the table.

        From its first deal, or from the beginning, it may be in a thread, which is archived when the table
        closes. If the thread is deleted, the table continues in its channel.
        """
        # A table that has its message is edited at once, even while Discord has not named the server yet.
        in_forum = snapshot.table.message_id is None and self._threads.in_forum(snapshot.table)
        if in_forum and snapshot.table.status == "closed" and snapshot.table.thread_id is None:
            return  # it was never shown
        if _wants_thread(snapshot.table, in_forum=in_forum):
            row, snapshot = await self._move_in(row, snapshot)
        try:
            await self._show(row, snapshot)
        except ChannelGoneError:
            if snapshot.table.thread_id is None:
                raise
            row, snapshot = await self._move_back(row, snapshot)
            if self._threads.in_forum(snapshot.table):
                row, snapshot = await self._move_in(row, snapshot)
            await self._post(row, snapshot)
        if snapshot.table.status == "closed" and snapshot.table.thread_id is not None:
            await self._move_out(snapshot.table, snapshot.table.thread_id)

    async def _show(self, row: OutboxRow[OutboxKey], snapshot: Snapshot) -> None:
        table = snapshot.table
        if table.message_id is None:
            self._require_unanswered(table)
            if not await self._find_answer(snapshot):
                await self._post(row, snapshot, _called(snapshot))
        elif not self._shown.knows(table.message_id, table.revision):
            await self._renew(row, snapshot, table.message_id)

    async def _renew(self, row: OutboxRow[OutboxKey], snapshot: Snapshot, message_id: MessageId) -> None:
        table = snapshot.table
        if not await self._visibility.is_lost(table):
            try:
                await self._shown.edit(
                    table.place_id, message_id, table.revision, partial(self._draw, snapshot)
                )
            except MessageGoneError:
                pass
            else:
                self._shown.require_sure(message_id)
                return
        await self._post(await self._leave(row, table), snapshot)

    def _require_unanswered(self, table: TableRow) -> None:
        """Wait for the answer to the command that opens a table, because that becomes the table's message.

        A league's table is not opened by a command. If a sign links to the table's thread, the sign was that
        answer.
        """
        left = table.created_at + ANSWERED_BY_MS - self._clock.now()
        if left > 0 and table.kind.opened_by_command and table.sign_id is None:
            raise RetryLaterError("the opening is being answered", left / SECOND)

    async def _find_answer(self, snapshot: Snapshot) -> bool:
        """Return whether the answer to the command that opened a table has arrived unrecorded; it is then the table's message.

        Discord accepts no first answer after three seconds, so if there is none by now, none will come.
        """
        table = snapshot.table
        token = await self._tables.answer_token(table.id) if table.kind.opened_by_command else None
        if token is None:
            return False
        draw = partial(self._draw, snapshot)
        message_id = await self._shown.find_answer(token, table.place_id, table.revision, draw)
        if message_id is None:
            return False
        await self._note_message(table, message_id)
        return True

    async def _leave(self, row: OutboxRow[OutboxKey], table: TableRow) -> OutboxRow[OutboxKey]:
        """Replace the row by one with a new nonce before a table is posted again."""

        async def amend(tx: TableTransaction) -> OutboxRow[OutboxKey]:
            _require_unmoved(tx.table, table)
            leave_message(tx)
            return await _renewed(tx, row)

        return await self._tables.amend(table.id, amend)

    async def _post(
        self, row: OutboxRow[OutboxKey], snapshot: Snapshot, called: Sequence[PersonId] = ()
    ) -> None:
        """Post a table at its place; only the people `called` are notified by a mention in it."""
        table = snapshot.table
        draw = partial(self._draw, snapshot)
        try:
            message_id = await self._shown.send(table.place_id, row, table.revision, draw, pinged=called)
        except UneditableMessageError:
            if table.thread_id is None:
                raise
            snapshot = await self._without_thread(snapshot, LOCKED)
            if self._threads.in_forum(table):
                row, snapshot = await self._move_in(row, snapshot)
            await self._post(row, snapshot)
            return
        self._visibility.posted(message_id, table.deal_no)
        await self._note_message(table, message_id)

    async def _note_message(self, table: TableRow, message_id: MessageId) -> None:
        async def amend(tx: TableTransaction) -> None:
            if (tx.table.place_id, tx.table.message_id) == (table.place_id, None):
                tx.update(message_id=message_id)
                if table.kind.opened_by_command:
                    await (await tx.database()).key_values.answered(table.id)
            elif tx.table.message_id != message_id:
                # The table was moved meanwhile, or its answer has come after all.
                tx.request(ClosedMessageKey(table.id, table.place_id, message_id))

        await self._tables.amend(table.id, amend)

    async def _move_in(
        self, row: OutboxRow[OutboxKey], snapshot: Snapshot
    ) -> tuple[OutboxRow[OutboxKey], Snapshot]:
        """Open the thread of a table; its message in the channel becomes the sign that links to it."""
        table, name, lack = snapshot.table, await self._thread_name(snapshot), None
        try:
            if self._threads.in_forum(table):
                thread_id, lack = await self._threads.make_post(snapshot, name), PUBLIC
            else:
                thread_id = await self._threads.make(snapshot, name)
        except ThreadRefusedError as refused:
            return row, await self._without_thread(snapshot, refused.why)
        left_out = await self._add_players(thread_id, snapshot)

        async def amend(tx: TableTransaction) -> OutboxRow[OutboxKey]:
            _require_unmoved(tx.table, table)
            leave_message(tx)
            tx.update(thread_id=ChannelId(thread_id), sign_id=table.message_id, thread_lack=lack)
            for person_id in left_out:
                tx.request(ThreadAccessKey(table.id, person_id))
            return await _renewed(tx, row)

        renewed = await self._tables.amend(table.id, amend)
        housed = replace(
            table, thread_id=thread_id, sign_id=table.message_id, thread_lack=lack, message_id=None
        )
        return renewed, replace(snapshot, table=housed)

    async def _add_players(self, thread_id: ChannelId, snapshot: Snapshot) -> set[PersonId]:
        """Add the people at the table to its new thread; returns those who could not be added in a few seconds.

        The others wait for the table, and a thread that is not noted would be opened again.
        """
        people = people_of(snapshot)
        are_in = await asyncio.gather(*(self._has_added(thread_id, person_id) for person_id in people))
        return {person_id for person_id, is_in in zip(people, are_in, strict=True) if not is_in}

    async def _has_added(self, thread_id: ChannelId, person_id: PersonId) -> bool:
        try:
            async with asyncio.timeout(ADDING_S):
                await self._threads.add(thread_id, person_id)
        except (RetryLaterError, TimeoutError) as error:
            log.info("threads.not_added_yet", thread_id=thread_id, why=repr(error))
            return False
        return True

    async def _move_back(
        self, row: OutboxRow[OutboxKey], snapshot: Snapshot
    ) -> tuple[OutboxRow[OutboxKey], Snapshot]:
        """Post the table in its channel again after its thread was deleted together with its message."""
        table = snapshot.table

        async def amend(tx: TableTransaction) -> OutboxRow[OutboxKey]:
            _require_unmoved(tx.table, table)
            leave_thread(tx, DELETED)
            tx.update(message_id=None)
            return await _renewed(tx, row)

        renewed = await self._tables.amend(table.id, amend)
        if table.message_id is not None:
            self._shown.forget(table.message_id)
        moved = replace(table, thread_id=None, sign_id=None, thread_lack=DELETED, message_id=None)
        return renewed, replace(snapshot, table=moved)

    async def _without_thread(self, snapshot: Snapshot, why: str) -> Snapshot:
        """Keep the table in its channel, with the reason in its message."""
        table = snapshot.table

        async def amend(tx: TableTransaction) -> None:
            leave_thread(tx, why)

        await self._tables.amend(table.id, amend)
        if table.message_id is not None:
            self._shown.forget(table.message_id)
        return replace(snapshot, table=replace(table, thread_id=None, sign_id=None, thread_lack=why))

    async def _thread_name(self, snapshot: Snapshot) -> str:
        """Return the name of a table's thread: its number, or the league and the pod that plays there."""
        say = catalogue(snapshot.language)
        if not snapshot.table.kind.is_of_season:
            return say("thread.name", table=snapshot.table.id)

        async def amend(tx: TableTransaction):
            db = await tx.database()
            pod = await db.seasons.pod_at(snapshot.table.id)
            season = await db.seasons.get(pod.season) if pod else None
            return pod, season

        pod, season = await self._tables.amend(snapshot.table.id, amend)
        if pod is None or season is None:
            return say("thread.name", table=snapshot.table.id)
        return say("thread.name_pod", league=season.name[:_LEAGUE_NAME], pod=pod.pod)

    async def _move_out(self, table: TableRow, thread_id: ChannelId) -> None:
        """When a table closes, update the sign in the channel and archive the thread."""
        if (sign_id := table.sign_id) is not None:

            async def amend(tx: TableTransaction) -> None:
                close_sign(tx, sign_id)

            await self._tables.amend(table.id, amend)
        await self._threads.archive(thread_id)

    async def let_in_or_out(self, row: OutboxRow[ThreadAccessKey]) -> int:
        """Add a person to the table's thread if they belong to the table, or else remove them from a private one.

        The archived thread of a closed table shows nothing new.
        """
        snapshot = await self._tables.snapshot(row.key.table_id, row.revision)
        table, person_id = snapshot.table, row.key.person_id
        if table.thread_id is None or table.status == "closed":
            return row.revision
        if snapshot.belongs(person_id):
            await self._threads.add(table.thread_id, person_id)
        elif table.kind.by_invitation and table.thread_lack is None:
            await self._threads.remove(table.thread_id, person_id)
        return row.revision

    async def close(self, row: OutboxRow[ClosedMessageKey]) -> int:
        """Reduce an old message to a link to the new one; raises RetryLaterError while there is no new one.

        A message that is too old to be edited is deleted.
        """
        async with self._shown.hold(row.key.message_id):
            snapshot = await self._tables.snapshot(row.key.table_id, row.revision)
            with speaking(snapshot.language):
                await self._close(row.key.channel_id, row.key.message_id, snapshot)
        return snapshot.table.revision

    async def _close(self, channel_id: ChannelId, message_id: MessageId, snapshot: Snapshot) -> None:
        table = snapshot.table
        if table.message_id is None and table.status != "closed":
            raise RetryLaterError("the table is not posted again yet")
        if message_id == table.sign_id and table.status == "closed":
            panel = await self._draw(snapshot)
        else:
            panel = old_panel(table, message_id, texts())
        with suppress(MessageGoneError, ChannelGoneError, MissingAccessError):
            try:
                await discord_calls.edit(self._client, channel_id, message_id, panel)
            except UneditableMessageError:
                await discord_calls.delete(self._client, channel_id, message_id)


def _called(snapshot: Snapshot) -> list[PersonId]:
    """Return the people to notify when a table is first posted: for a league's table, its pod."""
    table = snapshot.table
    return people_of(snapshot) if table.kind.calls_players and table.status == "lobby" else []


async def _renewed(tx: TableTransaction, row: OutboxRow[OutboxKey]) -> OutboxRow[OutboxKey]:
    """Return a replacement for this row with a nonce that no message has used yet."""
    return await (await tx.database()).outbox.renew(row, tx.now)


def _require_unmoved(now: TableRow, table: TableRow) -> None:
    """Raise RetryLaterError if the table was moved meanwhile: it is shown at its new place."""
    if now.place_id != table.place_id:
        raise RetryLaterError("the table was moved meanwhile")


def _wants_thread(table: TableRow, *, in_forum: bool) -> bool:
    """Return whether to open a thread now, if none was tried yet.

    That is with the first deal, or earlier if people meet there. A table in a forum needs a thread, so it
    gets a new one if its thread was deleted.
    """
    if in_forum:
        return table.thread_id is None and table.status != "closed"
    if not table.options.thread or table.thread_id is not None or table.thread_lack is not None:
        return False
    if table.status == "lobby":
        return table.kind.calls_players and table.message_id is None
    return table.status == "playing" and table.message_id is not None
