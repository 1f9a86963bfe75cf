"""Draws tables and hands as messages, for the outbox and for answers to interactions."""

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import replace

import discord

from bot.cluster.shards import Shards
from bot.daily.ending import DayEnd, day_end
from bot.delivery.message_tracker import MessageTracker
from bot.interactions.permissions import Obstacle, obstacle_in
from bot.interactions.reply import Reply
from bot.panels.table.hand import hand_panel, panel_beside
from bot.panels.table.table_message import table_panel
from bot.pictures import Pictures
from bot.settings import Settings
from bot.table.core.repository import TableRepository
from bot.table.core.snapshot import NOTHING_CHOSEN, Chosen, Holder, Mode, Sleep, Snapshot
from bot.ui.attachments import AttachedFiles
from bot.ui.panel import Panel
from bot.words.texts import texts
from data.ids import MessageId
from data.outbox_keys import TableAmendmentKey
from data.store import Store
from league.ids import TableId
from marriage.state import Phase
from marriage.strategy.showable_sets import best_show
from render.catalogue import speaking


class Publisher:
    """Draws the messages of tables and hands; its tracker remembers what each shows."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        tables: TableRepository,
        pictures: Pictures,
        attached: AttachedFiles,
        settings: Settings,
        shards: Shards | None = None,
    ) -> None:
        self._shards = shards or Shards()
        self._client = client
        self._store = store
        self._tables = tables
        self._pictures = pictures
        self.tracker = MessageTracker(client, tables.clock, attached, settings.answer_edits_m)

    def showed(
        self, reply: Reply, message_id: MessageId, revision: int, holder: Holder | None = None
    ) -> None:
        """The answer to an interaction has brought a message to this revision; a hand with the preferences of its holder."""
        self.tracker.note(message_id, revision, holder)
        self.tracker.answered(
            message_id,
            reply.interaction,
            reply.files,
            is_ephemeral=not reply.stays,
            is_besides=reply.is_besides,
        )

    def showed_besides(self, reply: Reply, message_id: MessageId, revision: int, holder: Holder) -> None:
        """A hand of this revision, with the preferences of its holder, was shown besides the answer to an interaction."""
        self.tracker.note(message_id, revision, holder)
        self.tracker.answered(message_id, reply.interaction, reply.files, is_ephemeral=True, is_besides=True)

    def showing(self, message_id: MessageId | None) -> AbstractAsyncContextManager[bool]:
        """Hold a message while it is drawn and sent, so that no older state of it overtakes a newer one."""
        return self.tracker.hold(message_id)

    async def table_panel(self, snapshot: Snapshot) -> Panel:
        """The table message of this snapshot, in the server's language."""
        with speaking(snapshot.language):
            picture = None if snapshot.is_withheld else await self._pictures.table(snapshot)
            return table_panel(snapshot, picture, texts())

    async def draw(self, key: TableAmendmentKey) -> Panel:
        """Draw the present content of a message of a table: the table's own, or the one that links to its thread."""
        return await self.table_panel(await self._tables.snapshot(TableId(key.about)))

    async def hand_panel(
        self,
        snapshot: Snapshot,
        seat: int,
        note: str | None = None,
        mode: Mode = Mode.PLAY,
        chosen: Chosen = NOTHING_CHOSEN,
        *,
        sleep: Sleep = Sleep.AWAKE,
    ) -> Panel:
        """Draw the hand of a seat of this snapshot, for its holder only, in the language set by `speaking`.

        The pile or the ledger may take its place; a note is shown with the hand itself. `sleep` says
        whether its message changes by itself after this.
        """
        view, holder = snapshot.private[seat], snapshot.holders[seat]
        beside = None if note else panel_beside(snapshot, view, mode, chosen.page, texts())
        if beside is not None:
            return beside
        hand = await self._pictures.hand(view, holder, snapshot.names)
        if mode is Mode.SETS:
            hand = replace(hand, best=await asyncio.to_thread(best_show, hand.view, chosen.sets))
        if mode is Mode.HINT and snapshot.has_hints and view.phase is not Phase.OVER:
            hand = replace(hand, hint=await self._pictures.hint(view))
        is_neutral = snapshot.table.options.is_rated
        hand = replace(hand, chosen=chosen, sleep=sleep, is_neutral=is_neutral)
        return hand_panel(
            snapshot,
            hand,
            texts(),
            note,
            mode,
            self.why_paused(snapshot),
            await self._day_end(snapshot, seat),
        )

    async def _day_end(self, snapshot: Snapshot, seat: int) -> DayEnd | None:
        """Return the board of the day for a player who has finished its deal."""
        person_id, public = snapshot.seats[seat].person_id, snapshot.public
        if snapshot.table.kind.is_counted or person_id is None or public is None:
            return None
        return await day_end(self._store, snapshot.table, person_id) if public.phase is Phase.OVER else None

    def why_paused(self, snapshot: Snapshot) -> Obstacle | None:
        """Why a paused table cannot be shown, as far as the client knows, which has not heard of the servers of other shards."""
        table = snapshot.table
        if not snapshot.is_paused:
            return None
        if not self._shards.owns(table.guild_id):
            return Obstacle("unknown")
        return obstacle_in(self._client.get_guild(table.guild_id), table.place_id)
