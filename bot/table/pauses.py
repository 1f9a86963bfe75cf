"""Matches whose tables cannot be shown: their clocks stop until they can be shown, or until they move elsewhere.

All players are notified of the pause and of its end.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager

import structlog

from bot.errors import UserError
from bot.settings import Settings
from bot.table.core.change import DELETED, TableTransaction, leave_message, leave_thread, tell_all
from bot.table.core.repository import TableRepository
from bot.table.core.table import PAUSED, PAUSED_MS
from bot.table.endings import Endings
from bot.table.flow.clocks import Clocks
from bot.table.flow.matches import clear_votes, running_match
from bot.table.flow.seating import require_seat
from bot.table.lobby import require_place
from bot.table.play import Play
from data.errors import EventsDamaged
from data.ids import ChannelId, InteractionId
from data.outbox_keys import TableMessageKey
from data.repositories.messages import OutboxRequest
from data.shards import Share
from data.store import Store
from data.transaction import ReadTransaction
from data.values import TableRow
from league.ids import GuildId, PersonId, TableId

log = structlog.get_logger(__name__)


@contextmanager
def _damaged_left_out(table_id: TableId) -> Generator[None, None, None]:
    """Pass over a damaged table, which stands still anyway: the others go on."""
    try:
        yield
    except EventsDamaged:
        log.exception("pauses.left_out", table=table_id)


class Pauses:
    """Stops and resumes the clocks of a match, during its deals and between them.

    A table is paused as long as it has a deadline of kind `PAUSED`.
    """

    def __init__(
        self,
        store: Store,
        tables: TableRepository,
        clocks: Clocks,
        play: Play,
        endings: Endings,
        settings: Settings,
    ) -> None:
        self._store = store
        self._tables = tables
        self._clocks = clocks
        self._play = play
        self._endings = endings
        self._settings = settings

    async def lost(self, table_id: TableId) -> None:
        """Pause a table that Discord no longer lets the bot show, so that no one loses a turn, or the match.

        Of the tables whose match has not begun, those are marked at which players have to come in time.
        """

        async def command(tx: TableTransaction) -> None:
            between = tx.table.status == "between" and running_match(tx) is not None
            if tx.deadline(PAUSED) is not None:
                return
            if tx.table.status == "lobby" and not tx.table.kind.closes_when_idle:
                tx.remind(PAUSED, PAUSED_MS)
            elif between or tx.table.status == "playing":
                since = tx.asked_since()
                clear_votes(tx)
                tx.deadlines.clear()
                if between:
                    tx.remind(PAUSED, PAUSED_MS, since)
                else:
                    self._clocks.pause(tx, since)
                tell_all(tx)

        await self._tables.change(table_id, command)

    async def shown(self, table_id: TableId) -> None:
        """Resume a paused table that could be shown."""

        async def command(tx: TableTransaction) -> None:
            if tx.deadline(PAUSED) is not None:
                self._go_on(tx)
                tx.publish()

        await self._tables.change(table_id, command)

    def _go_on(self, tx: TableTransaction) -> None:
        """Resume the paused table with the question that it asked."""
        if tx.table.status == "lobby":
            tx.stop(PAUSED)
            return
        if tx.table.status == "between":
            self._play.resume_waiting(tx)
        else:
            self._clocks.wind_same(tx)
        self._clocks.watch(tx)
        tell_all(tx)

    async def place_gone(self, channel_id: ChannelId) -> None:
        """Handle a deleted channel or thread, whose tables cannot be shown any more.

        If only a table's thread is deleted, the table moves to the channel, and its clocks keep running. If
        the channel is deleted as well, posting there fails.
        """
        tables = await self._store.read(lambda db: db.tables.in_channel(channel_id))
        for table in tables:
            with _damaged_left_out(table.id):
                if table.thread_id == channel_id:
                    await self._out_of_thread(table.id, channel_id)
                else:
                    await self.lost(table.id)

    async def _out_of_thread(self, table_id: TableId, thread_id: ChannelId) -> None:
        async def command(tx: TableTransaction) -> None:
            if tx.table.thread_id != thread_id:
                return  # a failed message to the thread has led here before
            leave_thread(tx, DELETED)
            tx.update(message_id=None)
            tx.publish(tx.asked())

        await self._tables.change(table_id, command)

    async def server_gone(self, guild_id: GuildId) -> None:
        """Pause the tables of a lost server, for as long as any other: the bot may be back in a minute."""
        tables = await self._store.read(lambda db: db.tables.places_in_guild(guild_id))
        for table_id, _ in tables:
            with _damaged_left_out(table_id):
                await self.lost(table_id)

    async def compare(
        self,
        listed: Callable[[], Share],
        has_bot: Callable[[GuildId], bool],
        sees: Callable[[GuildId, ChannelId], bool],
    ) -> None:
        """Notice what was lost while the bot was not connected, or the store refused to note it.

        The matches of a server that has removed the bot pause. Between two deals nothing is posted that could fail, so a table in
        a place that the bot does not see is shown again, as far as that is possible: else it pauses, too. As Discord has listed
        the servers of the `listed` shards to this process, which may lose a shard at any time, all three are asked anew.
        """
        share = listed()
        matches = await self._store.read(lambda db: db.tables.in_play(PAUSED, share))
        unseen: list[TableId] = []
        for match in matches:
            if not listed().owns(match.guild_id):
                continue
            if not has_bot(match.guild_id):
                with _damaged_left_out(match.table_id):
                    await self.lost(match.table_id)
            elif match.is_between and not sees(match.guild_id, match.place_id):
                unseen.append(match.table_id)
        await self._tables.show_anew(unseen)

    async def try_again(self, guild_id: GuildId) -> None:
        """Try to show the paused tables of a server after its permissions have changed."""

        async def read(db: ReadTransaction) -> list[TableRow | None]:
            return [await db.tables.get(table_id) for table_id in await db.deadlines.tables_waiting(PAUSED)]

        paused = await self._store.read(read)
        wanted = [
            OutboxRequest(TableMessageKey(table.id), table.revision)
            for table in paused
            if table is not None and table.guild_id == guild_id
        ]
        if not wanted:
            return
        now = self._tables.clock.now()
        await self._store.write(lambda db: db.outbox.put_all(wanted, now))
        self._tables.committed()

    async def move(
        self,
        table_id: TableId,
        guild_id: GuildId,
        channel_id: ChannelId,
        person_id: PersonId,
        interaction_id: InteractionId,
        parent_id: ChannelId | None = None,
        sees: Callable[[ChannelId], bool] = lambda _: True,
    ) -> None:
        """Continue a paused table in this channel, or thread of `parent_id`, with a new table message.

        `sees` says whether the bot sees a channel. Raises UserError for people not at the table, for a table that is not
        paused, and for a place where it could not be opened. A table that has lost the server's only channel for tables may
        move to any other.
        """

        async def command(tx: TableTransaction) -> None:
            require_seat(tx, person_id)
            if tx.table.status == "closed":
                raise UserError("sorry.table_closed")
            if tx.table.guild_id != guild_id:
                raise UserError("sorry.other_server", table=table_id)
            if tx.deadline(PAUSED) is None:
                raise UserError("sorry.not_paused", table=table_id)
            if channel_id not in {tx.table.channel_id, tx.table.thread_id}:
                db = await tx.database()
                server = await db.guilds.settings(guild_id)
                if server.channel_id == tx.table.channel_id:  # where the table cannot be shown
                    server = server.model_copy(update={"channel_id": None})
                await require_place(db, self._settings, server, channel_id, parent_id, sees)
            leave_message(tx)
            leave_thread(tx)
            options = tx.table.options.model_copy(update={"thread": False})
            tx.update(channel_id=channel_id, options=options)
            self._go_on(tx)
            tx.publish(tx.asked())

        await self._tables.change(table_id, command, interaction_id)

    async def expire(self, table_id: TableId, revision: int) -> None:
        """Close a table that has been paused for a week. Raises StaleRevisionError if it has resumed.

        A lobby waits for the deadline of its round instead.
        """

        async def command(tx: TableTransaction) -> None:
            tx.require_due(PAUSED, revision)
            if tx.table.status == "lobby":
                tx.remind(PAUSED, PAUSED_MS)
                return
            await self._endings.shut(tx, "abandoned")

        await self._tables.change(table_id, command)
