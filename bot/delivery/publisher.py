"""Draws tables and hands as messages, for the outbox and for answers to interactions, and tracks what each shows.

The tracker remembers which revision a message shows, so that no edit is wasted and no older state overtakes a newer one.
"""

import asyncio
from collections.abc import AsyncGenerator, Collection, Generator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from copy import copy
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakValueDictionary

import discord
import structlog

from bot.clock import Clock
from bot.cluster.shards import Shards
from bot.daily.days import DayEnd, day_end
from bot.delivery import discord_calls
from bot.delivery.discord_calls import (
    ChannelGoneError,
    DirectMessagesClosedError,
    Draw,
    MessageGoneError,
    MissingAccessError,
    OutcomeUnknownError,
    Posting,
    RetryLaterError,
    TokenOverError,
)
from bot.delivery.outbox import PostponedError
from bot.interactions.permissions import Obstacle, obstacle_in
from bot.interactions.reply import Reply
from bot.panels.table.hand import hand_panel, panel_instead
from bot.panels.table.table_message import table_panel
from bot.pictures import Pictures
from bot.settings import Settings
from bot.table.core.repository import TableRepository
from bot.table.core.snapshot import NOTHING_CHOSEN, Chosen, Holder, Mode, Sleep, Snapshot
from bot.ui.panel import AttachedFiles, Panel
from bot.words.texts import texts
from data.ids import ChannelId, MessageId
from data.outbox_keys import OutboxKey, TableAmendmentKey
from data.repositories.messages import AttachedFile, OutboxRow
from data.store import Store
from league.ids import PersonId, TableId
from league.times import MINUTE, SECOND
from marriage.state import Phase
from marriage.strategy.showable_sets import best_show
from render.words import speaking


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
        """Record that the answer to an interaction shows this revision; a hand in its holder's style."""
        self.tracker.note(message_id, revision, holder)
        self.tracker.answered(
            message_id,
            reply.interaction,
            reply.files,
            is_ephemeral=not reply.stays,
            is_besides=reply.is_besides,
        )

    def showed_besides(self, reply: Reply, message_id: MessageId, revision: int, holder: Holder) -> None:
        """Record that a hand of this revision was shown in addition to the answer to an interaction.

        It has the preferences of its holder.
        """
        self.tracker.note(message_id, revision, holder)
        self.tracker.answered(message_id, reply.interaction, reply.files, is_ephemeral=True, is_besides=True)

    def showing(self, message_id: MessageId | None) -> AbstractAsyncContextManager[bool]:
        """Hold a message while it is drawn and sent, so that no older state overwrites a newer one."""
        return self.tracker.hold(message_id)

    async def table_panel(self, snapshot: Snapshot) -> Panel:
        """Return the table message of this snapshot, in the server's language."""
        with speaking(snapshot.language):
            picture = None if snapshot.is_withheld else await self._pictures.table(snapshot)
            return table_panel(snapshot, picture, texts())

    async def draw(self, key: TableAmendmentKey) -> Panel:
        """Draw the current content of a table's message: its own, or the one that links to its thread."""
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

        The pile or the ledger may take its place; a note appears with the hand itself. `sleep` says whether
        the message keeps changing by itself after this.
        """
        view, holder = snapshot.private[seat], snapshot.holders[seat]
        instead = None if note else panel_instead(snapshot, view, mode, chosen.page, texts())
        if instead is not None:
            return instead
        hand = await self._pictures.hand(view, holder, snapshot.names)
        if mode is Mode.SETS:
            hand = replace(hand, best=await asyncio.to_thread(best_show, hand.view, chosen.sets))
        if mode is Mode.HINT and snapshot.has_hints and view.phase is not Phase.OVER:
            hand = replace(hand, hint=await self._pictures.hint(view))
        is_neutral = snapshot.table.options.is_compared
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
        """Return why a paused table cannot be shown, as far as this client can see.

        The client does not know the servers of other shards.
        """
        table = snapshot.table
        if not snapshot.is_paused:
            return None
        if not self._shards.owns(table.guild_id):
            return Obstacle("unknown")
        return obstacle_in(self._client.get_guild(table.guild_id), table.place_id)


REMEMBERED = 10_000
"""The most tracked messages. An edit of a message that is no longer tracked may change nothing."""
MOST_ANSWERS = 10_000
"""The most interactions kept for edits, each with the pressed message. Other edits count against the bot's limit."""
LANDED_BY_MS = 15 * SECOND
"""How long Discord may still apply an unanswered edit, over newer content."""

_WORKED_OUT = ("_cs_response", "_cs_followup", "_cs_namespace", "_cs_command")

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Answer:
    """An interaction that a message answers, or that changed it."""

    interaction: discord.Interaction[Any]
    at: int
    """When it was answered, in milliseconds since 1970."""
    files: tuple[AttachedFile, ...] | None = None
    """The attachments of an ephemeral message, which other processes need not know; None for all others."""
    is_besides: bool = False
    """Whether the message came in addition to the answer itself, so that an edit has to name it."""


class MessageTracker:
    """Edits and sends messages, at most once for each revision.

    The answer to an interaction can be edited for a quarter of an hour with the token of that interaction.
    Discord does not count such edits against the bot, so the token is used while it is valid. A token that
    fails is forgotten.
    """

    def __init__(
        self, client: discord.Client, clock: Clock, attached: AttachedFiles, answer_edits_m: int
    ) -> None:
        self._client = client
        self._attached = attached
        self._clock = clock
        self._token_life_ms = answer_edits_m * MINUTE
        self.posting = Posting(client, clock)
        self._answers: dict[MessageId, _Answer] = {}
        """By message, the interaction that it answers; the oldest first."""
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._shown: dict[int, tuple[int, Holder | None]] = {}
        """By message, the revision that it shows, and for a hand the preferences used to show it."""

        self._unsure: dict[MessageId, int] = {}
        """By message, when an unanswered edit can no longer arrive after newer ones, in ms since 1970."""

    def note(self, message_id: MessageId, revision: int, holder: Holder | None = None) -> None:
        """Record that a message shows this revision; a hand is shown with the preferences of its holder."""
        before = self._shown.pop(message_id, None)
        newer = before is not None and before[0] > revision
        self._shown[message_id] = before if newer and before else (revision, holder)
        while len(self._shown) > REMEMBERED:
            del self._shown[next(iter(self._shown))]

    def forget(self, message_id: MessageId) -> None:
        """Force the next edit of the message even at the same revision, after a change outside the game."""
        self._shown.pop(message_id, None)

    def forget_all(self) -> None:
        """Forget all revisions, because other processes may have sent or edited any message.

        Tokens stay valid.
        """
        self._shown.clear()
        self.posting.take_over()

    def answered(
        self,
        message_id: MessageId,
        interaction: discord.Interaction[Any],
        files: Sequence[AttachedFile],
        *,
        is_ephemeral: bool = False,
        is_besides: bool = False,
    ) -> None:
        """Record that a message answers this interaction, came in addition to it, or was changed by it.

        The message has these files.
        """
        if not is_ephemeral:
            self._attached.note(message_id, files)
        self._answers.pop(message_id, None)
        own_files = tuple(files) if is_ephemeral else None
        self._answers[message_id] = _Answer(_bare(interaction), self._clock.now(), own_files, is_besides)
        while self._answers and (
            len(self._answers) > MOST_ANSWERS or not self._is_good(next(iter(self._answers)))
        ):
            del self._answers[next(iter(self._answers))]

    def _is_good(self, message_id: MessageId) -> bool:
        # Both times are by this machine's clock, which may differ from Discord's.
        return self._clock.now() - self._answers[message_id].at < self._token_life_ms

    def token_ends_at(self, message_id: MessageId) -> int | None:
        """Return when the token of this message ends, in milliseconds since 1970; None without one."""
        if message_id not in self._answers or not self._is_good(message_id):
            return None
        return self._answers[message_id].at + self._token_life_ms

    def knows(self, message_id: MessageId, revision: int, holder: Holder | None = None) -> bool:
        """Return whether the message is known to show this revision or a newer one.

        After an edit whose outcome is unknown, that is not known before the message is edited again.
        """
        shown = self._shown.get(message_id)
        if self._unsure.get(message_id, self._clock.now() + 1) <= self._clock.now():
            return False
        return shown is not None and (shown[0] > revision or shown == (revision, holder))

    @asynccontextmanager
    async def hold(self, message_id: MessageId | None) -> AsyncGenerator[bool, None]:
        """Lock a message while it is drawn and sent, so that an older state never overwrites a newer one.

        Yields True if another task held the lock until now: earlier reads may be outdated.
        """
        if message_id is None:
            yield False
            return
        lock = self._locks.setdefault(message_id, asyncio.Lock())
        waits = lock.locked()
        async with lock:
            yield waits

    def unsure_until(self, message_id: MessageId) -> int | None:
        """Return when to repeat an edit that got no answer; None if nothing can overwrite newer edits."""
        return self._unsure.get(message_id)

    def require_sure(self, message_id: MessageId) -> None:
        """Raise PostponedError if the message has to be edited again."""
        if (until := self.unsure_until(message_id)) is not None:
            raise PostponedError(until)

    @contextmanager
    def _noting_unsure(self, message_id: MessageId) -> Generator[None, None, None]:
        """Record around an edit when to repeat it if no answer comes, and that a late repetition settles it."""
        is_late = self._unsure.get(message_id, self._clock.now() + 1) <= self._clock.now()
        try:
            yield
        except OutcomeUnknownError:
            self._unsure.pop(message_id, None)
            self._unsure[message_id] = self._clock.now() + LANDED_BY_MS
            while len(self._unsure) > REMEMBERED:
                del self._unsure[next(iter(self._unsure))]
            raise
        if is_late:
            self._unsure.pop(message_id, None)

    async def edit(
        self,
        channel_id: ChannelId,
        message_id: MessageId,
        revision: int,
        draw: Draw,
        holder: Holder | None = None,
    ) -> None:
        """Bring a message to this revision, unless it shows it already. Raises the errors of `bot.delivery.discord_calls`."""
        if self.knows(message_id, revision, holder):
            return
        there = await self._attached.of_message(message_id)
        files = await self._edited_as_answer(message_id, draw, there)
        if files is None:
            panel = await draw()
            with self._noting_unsure(message_id):
                files = await discord_calls.edit(self._client, channel_id, message_id, panel, there)
        self._attached.note(message_id, files)
        self.note(message_id, revision, holder)

    async def edit_by_token(
        self, message_id: MessageId, revision: int, draw: Draw, holder: Holder | None = None
    ) -> bool:
        """Bring a message to this revision without a counted call; returns False if that is not possible.

        Raises RetryLaterError while Discord is busy: the token is then still valid.
        """
        if self.knows(message_id, revision, holder):
            return True
        answer = self._answers.get(message_id)
        if answer is None:
            return False
        there = answer.files
        if there is None:
            there = await self._attached.of_message(message_id)
        files = await self._edited_as_answer(message_id, draw, there, is_patient=True)
        if files is None:
            return False
        if answer.files is None:
            self._attached.note(message_id, files)
        elif self._answers.get(message_id) is answer:
            self._answers[message_id] = replace(answer, files=files)
        self.note(message_id, revision, holder)
        return True

    async def _edited_as_answer(
        self, message_id: MessageId, draw: Draw, there: Sequence[AttachedFile], *, is_patient: bool = False
    ) -> tuple[AttachedFile, ...] | None:
        """Edit with the token of an interaction; returns the files attached then, None if no token works.

        Raises RetryLaterError if `is_patient`; otherwise an ordinary edit is quicker.
        """
        if message_id not in self._answers or not self._is_good(message_id):
            return None
        answer = self._answers[message_id]
        try:
            follow_up = message_id if answer.is_besides else None
            panel = await draw()
            with self._noting_unsure(message_id):
                return await discord_calls.edit_answer(answer.interaction, panel, there, follow_up)
        except (
            MessageGoneError,
            ChannelGoneError,
            MissingAccessError,
            DirectMessagesClosedError,
            RetryLaterError,
            TokenOverError,
            discord.HTTPException,
        ) as error:
            if is_patient and isinstance(error, RetryLaterError):
                raise
            log.info("token.useless", message_id=message_id, why=type(error).__name__)
            if self._answers.get(message_id) is answer:
                del self._answers[message_id]
            return None

    async def find_answer(
        self, token: str, channel_id: ChannelId, revision: int, draw: Draw
    ) -> MessageId | None:
        """Bring the public answer to the interaction with this token to this revision.

        Returns None if none has arrived in this channel. Raises RetryLaterError while Discord is busy.
        """
        try:
            answer = await discord_calls.find_answer(self._client, token)
            if answer is None or answer.channel.id != channel_id:
                return None
            files = await discord_calls.edit_found(answer, await draw())
        except (MessageGoneError, TokenOverError):
            return None
        message_id = MessageId(answer.id)
        self._attached.note(message_id, files)
        self.note(message_id, revision)
        return message_id

    async def send(
        self,
        channel_id: ChannelId,
        row: OutboxRow[OutboxKey],
        revision: int,
        draw: Draw,
        holder: Holder | None = None,
        pinged: Collection[PersonId] = (),
    ) -> MessageId:
        """Post a message that shows this revision and notifies the people `pinged`; returns its id.

        Raises the errors of `bot.delivery.discord_calls`.
        """
        posted = await self.posting.post(channel_id, row, draw, pinged)
        self._attached.note(MessageId(posted.id), posted.files)
        self.note(MessageId(posted.id), revision, holder)
        return MessageId(posted.id)


def _bare(interaction: discord.Interaction[Any]) -> discord.Interaction[Any]:
    """Return the part of an interaction that an edit by its token needs, without the large pressed message.

    The library's objects of the interaction refer back to it, and so to that message.
    """
    bare = copy(interaction)
    bare.message = None
    bare.data = None
    for name in _WORKED_OUT:
        if hasattr(bare, name):
            delattr(bare, name)
    bare._original_response = None  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    return bare
