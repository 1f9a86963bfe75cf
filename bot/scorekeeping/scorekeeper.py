"""Keeping the score of home games: an evening in a channel, deal by deal. Every change is one transaction."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.clock import Clock
from bot.errors import StaleRevisionError, UserError
from bot.people import NamedPerson
from bot.scorekeeping.drafts import kept_in, kept_renamed, kept_with, kept_without
from bot.scorekeeping.score_text import Typed, read_deal, typed_of
from bot.words.names import shown_name
from data.ids import ChannelId, MessageId, ScoreSessionId
from data.outbox_keys import OldScoresKey, ScoreAmendmentKey
from data.repositories.score_sessions import ScoreEntryRow, ScoreSessionChanges, ScoreSessionRow
from data.store import Store, aside
from data.transaction import ReadTransaction, WriteTransaction
from league.ids import GuildId
from league.times import DAY, HOUR
from marriage.rules import PRESETS, Rules
from marriage.scoring.home_game import HomeDeal, HomeSeat, InvalidDealError, evening
from marriage.scoring.settle_up import Payment, settle_up
from marriage.sheet import Sheet, Status

MOST_DEALS = 100
MOST_OPENED = 10
"""The most home games that one person opens in a day."""
FORGOTTEN_MS = 12 * HOUR
"""The time without an entry after which a new evening may replace an old one."""


@dataclass(frozen=True, slots=True)
class Keeper:
    """A person who wants to write; `staff` of the server always may."""

    person: NamedPerson
    staff: bool


@dataclass(frozen=True)
class KeptEvening:
    """A home game without its deals, which take a while to read: enough to tell who may write in it."""

    session: ScoreSessionRow
    keepers: frozenset[int]

    def kept_by(self, keeper: Keeper) -> bool:
        """Return whether this person keeps the score."""
        return keeper.staff or keeper.person.id in self.keepers

    def open_to(self, keeper: Keeper) -> bool:
        """Return whether this person may write in it now."""
        return self.session.closed_at is None and self.kept_by(keeper)


@dataclass(frozen=True)
class ScoreSession(KeptEvening):
    """The state of a home game, with everything that is shown about it."""

    entries: tuple[ScoreEntryRow, ...]
    """The deals that count, in order."""
    undone: int
    """The number of deals taken back."""
    forgotten: int
    """The number of people who were forgotten until now, wherever they played."""

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        """The score sheet of each deal that counts."""
        return tuple(evening(self.deals, self.session.rules))

    @property
    def deals(self) -> list[HomeDeal]:
        """The deals that count, each with a seat for everyone."""
        return [self.seated(entry) for entry in self.entries]

    def seated(self, entry: ScoreEntryRow) -> HomeDeal:
        """Return a deal with a seat for everyone; players who came later sat out."""
        missing = len(self.session.names) - len(entry.deal.seats)
        seats = (*entry.deal.seats, *[HomeSeat(status=Status.PAUSE)] * missing)
        return entry.deal.model_copy(update={"seats": seats})

    @property
    def totals(self) -> tuple[int, ...]:
        """Everyone's total so far."""
        return self.totals_after(len(self.sheets))

    def totals_after(self, deals: int) -> tuple[int, ...]:
        """Return the totals after this number of deals."""
        seats = range(len(self.session.names))
        return tuple(sum(sheet.lines[seat].net for sheet in self.sheets[:deals]) for seat in seats)

    @property
    def payments(self) -> tuple[Payment, ...]:
        """The payments that would settle up now."""
        return settle_up(self.totals)

    @property
    def owing(self) -> tuple[int, ...]:
        """The seats that owe a foul to the winner of the next deal."""
        return self.sheets[-1].owing if self.sheets else ()

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The names as message text."""
        return tuple(map(shown_name, self.session.names))

    def draft(self, corrects: int | None = None) -> Typed:
        """Return the initial text of the form for the next deal, or for a deal to correct.

        This is a refused earlier entry, or the recorded deal, or nothing. Raises UnreadableValueError.
        """
        kept = kept_in(self.session.draft, corrects)
        if kept is not None:
            return kept
        if corrects is None:
            return Typed()
        return typed_of(self.seated(self.entry(corrects)), self.session.names)

    def has_kept(self, typed: Typed) -> bool:
        """Return whether the next form for this deal is filled in with what was typed; raises UnreadableValueError."""
        return kept_in(self.session.draft, typed.corrects) == typed

    def has_written(self, typed: Typed) -> bool:
        """Return whether what was typed is the last deal, or the corrected one, as it is written down."""
        number = len(self.entries) if typed.corrects is None else typed.corrects
        try:
            deal = read_deal(typed, self.session.names)
            return self.seated(self.entry(number)) == deal
        except UserError:
            return False

    def entry(self, number: int) -> ScoreEntryRow:
        """Return a deal that counts, by its number from 1; raises UserError if there is none."""
        if not 1 <= number <= len(self.entries):
            raise UserError("sorry.score_no_such_deal", deals=len(self.entries))
        return self.entries[number - 1]


class Scorekeeper:
    """Opens evenings, writes deals down, takes them back, settles up."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def usual_rules(self, guild_id: GuildId) -> Rules:
        """Return the rules that a server has chosen for its tables."""
        return (await self._store.directory.guild_settings(guild_id)).rules or PRESETS["pagat"]

    async def open(
        self,
        guild_id: GuildId,
        channel_id: ChannelId,
        keepers: Sequence[NamedPerson],
        names: tuple[str, ...],
        rules: Rules,
    ) -> ScoreSessionId:
        """Open an evening in this channel and return its id; the first keeper is the person who opens it.

        Raises UserError while another is kept there, and if they have opened too many today.
        """
        now, opener = self._clock.now(), keepers[0]

        async def open_session(db: WriteTransaction) -> ScoreSessionId:
            before = await db.score_sessions.open_in_channel(channel_id)
            if before is not None:
                if now - before.changed_at < FORGOTTEN_MS:
                    raise UserError("sorry.score_is_open")
                await db.score_sessions.update(before, now, closed_at=now)
            opened = await db.limits.limits(opener.id, "home_game", now)
            if len(opened) >= MOST_OPENED:
                raise UserError("sorry.score_opened_often", most=MOST_OPENED, again=opened[0].until)
            await db.guilds.keep(guild_id)
            for keeper in keepers:
                await keeper.keep(db, now)
            ids = [keeper.id for keeper in keepers]
            session = await db.score_sessions.open(guild_id, channel_id, names, rules, ids, now)
            await db.limits.add_limit(opener.id, "home_game", session.id, now + DAY)
            return session.id

        return await self._store.write(open_session)

    async def evening(self, session_id: int, guild_id: GuildId | None) -> ScoreSession:
        """Return the evening's current state; raises UserError if this server has no such evening."""
        current = await self._store.read(_evening, session_id, guild_id)
        await asyncio.to_thread(lambda: current.sheets)  # many cards take a while to count
        return current

    async def posted(self, shown: ScoreSession, channel_id: ChannelId, message_id: MessageId) -> None:
        """Record the public message of this evening, and edit out a person forgotten in the meantime.

        Only its newest messages are kept up to date. Older ones get a link to the newest.
        """
        session_id, now = shown.session.id, self._clock.now()

        async def note_message(db: WriteTransaction) -> None:
            await db.public_messages.note("score", session_id, channel_id, message_id)
            kept, keepers = (
                await db.score_sessions.get(session_id),
                await db.score_sessions.keepers(session_id),
            )
            if kept is not None and (kept.names, keepers) != (shown.session.names, shown.keepers):
                await db.outbox.ask(ScoreAmendmentKey(session_id, channel_id, message_id), now)
            await _close_old(db, session_id, now)

        await self._store.write(note_message)

    async def find(self, channel_id: ChannelId | None) -> ScoreSessionId:
        """Return the evening that is kept in this channel; raises UserError if there is none."""

        async def find_session(db: ReadTransaction):
            return None if channel_id is None else await db.score_sessions.open_in_channel(channel_id)

        session = await self._store.read(find_session)
        if session is None:
            raise UserError("sorry.no_score")
        return session.id

    async def enter(
        self,
        session_id: int,
        guild_id: GuildId | None,
        keeper: Keeper,
        revision: int,
        typed: Typed,
        forgotten: int | None = None,
    ) -> None:
        """Write a deal down, or correct one in its place; the deals after a corrected one are counted again.

        Raises UserError or InvalidDealError for a deal that is not possible, and StaleRevisionError if something else
        was written meanwhile. What was typed is then kept for the next form, unless the form was delivered twice, or may
        have the name of somebody who was forgotten meanwhile. `forgotten` is their number when the form was opened, if known.
        """
        try:
            current = await self._before(session_id, guild_id, keeper, revision)
            await self._write_down(current, keeper, typed)
        except (UserError, InvalidDealError, StaleRevisionError):
            await self._keep_draft(session_id, guild_id, keeper, revision, typed, forgotten)
            raise

    async def _write_down(self, current: ScoreSession, keeper: Keeper, typed: Typed) -> None:
        """Read and count the deal before the transaction, for which all others wait."""
        session, now, deals = current.session, self._clock.now(), current.deals
        corrected = None if typed.corrects is None else current.entry(typed.corrects)
        if corrected is None and len(deals) + current.undone >= MOST_DEALS:
            raise UserError("sorry.score_full", most=MOST_DEALS)
        deal = read_deal(typed, session.names)
        if typed.corrects is None:
            deals.append(deal)
        else:
            deals[typed.corrects - 1] = deal
        await asyncio.to_thread(evening, deals, session.rules)

        async def write_down(db: WriteTransaction) -> None:
            kept = await self._writing(db, session.id, session.guild_id, keeper, session.revision)
            if corrected is None:
                await db.score_sessions.add_entry(session.id, deal, now)
            else:
                await db.score_sessions.correct_entry(session.id, corrected.number, deal)
                for latest in (await db.public_messages.scores(session.id))[-1:]:
                    await db.outbox.ask(latest, now)
            await db.score_sessions.update(
                session, now, draft=kept_without(kept.session.draft, typed.corrects)
            )

        await self._store.write(write_down)

    async def _keep_draft(
        self,
        session_id: int,
        guild_id: GuildId | None,
        keeper: Keeper,
        revision: int,
        typed: Typed,
        forgotten: int | None,
    ) -> None:
        current = await self._store.read(_evening, session_id, guild_id)
        if current.has_written(typed):
            return

        async def keep_draft(db: WriteTransaction) -> None:
            kept = await _kept(db, session_id, guild_id)
            # A form of before may name a person who was forgotten since.
            is_clean = (
                kept.session.revision == revision
                or forgotten == await db.people.count_forgotten()
                or _is_readable(typed, kept.session.names)
            )
            if is_clean and kept.open_to(keeper):
                await db.score_sessions.set_draft(session_id, kept_with(kept.session.draft, typed))

        with aside():
            await self._store.write(keep_draft)

    async def undo(
        self, session_id: int, guild_id: GuildId | None, keeper: Keeper, revision: int | None = None
    ) -> int:
        """Take the last deal back and return its number. It stays in the store, and fills in the next form."""
        current = await self._before(session_id, guild_id, keeper, revision)
        session = current.session
        if not current.entries:
            raise UserError("sorry.score_nothing_to_undo")
        last = current.entries[-1]
        typed = typed_of(current.seated(last), session.names)

        async def undo_last(db: WriteTransaction) -> None:
            kept = await self._writing(db, session_id, guild_id, keeper, session.revision)
            others = kept_without(kept.session.draft, len(current.entries))
            await db.score_sessions.undo_entry(session_id, last.number)
            await db.score_sessions.update(session, self._clock.now(), draft=kept_with(others, typed))

        await self._store.write(undo_last)
        return len(current.entries)

    async def change(
        self,
        session_id: int,
        guild_id: GuildId | None,
        keeper: Keeper,
        revision: int | None,
        changes: ScoreSessionChanges,
    ) -> None:
        """Change names or rules. Rules are fixed by the first deal.

        A name that is gone disappears from earlier messages, too: nobody could find it there later.
        """
        now = self._clock.now()
        current = await self._before(session_id, guild_id, keeper, revision)
        if "rules" in changes:
            self.require_no_deals(current)

        async def change_session(db: WriteTransaction) -> None:
            kept = await self._writing(db, session_id, guild_id, keeper, current.session.revision)
            before, names = current.session.names, changes.get("names", current.session.names)
            draft = kept_renamed(kept.session.draft, before, names)
            await db.score_sessions.update(current.session, now, **{**changes, "draft": draft})
            if not set(before) <= set(names):
                await db.outbox.ask_all(await db.public_messages.scores(session_id), now)
                await _close_old(db, session_id, now)

        await self._store.write(change_session)

    async def close(
        self, session_id: int, guild_id: GuildId | None, keeper: Keeper, revision: int | None = None
    ) -> None:
        """End the evening. What was typed is kept in case it is opened again."""
        now = self._clock.now()

        async def close_session(db: WriteTransaction) -> None:
            current = await self._writing(db, session_id, guild_id, keeper, revision)
            await db.score_sessions.update(current.session, now, closed_at=now)

        await self._store.write(close_session)

    async def reopen(self, session_id: int, guild_id: GuildId | None, keeper: Keeper) -> None:
        """Reopen a closed evening; raises UserError if another has begun in its channel."""

        async def reopen_session(db: WriteTransaction) -> None:
            current = await _kept(db, session_id, guild_id)
            if not current.kept_by(keeper):
                raise UserError("sorry.score_not_keeper")
            if await db.score_sessions.open_in_channel(current.session.channel_id) is not None:
                raise UserError("sorry.score_is_open")
            await db.score_sessions.update(current.session, self._clock.now(), closed_at=None)

        await self._store.write(reopen_session)

    def require_may_write(self, current: KeptEvening, keeper: Keeper) -> None:
        """Raise UserError for people who do not keep this score, and for everybody once it is closed."""
        if not current.kept_by(keeper):
            raise UserError("sorry.score_not_keeper")
        if current.session.closed_at is not None:
            raise UserError("sorry.score_closed")

    def require_no_deals(self, current: ScoreSession) -> None:
        """Raise UserError once a deal is written down: its rules can no longer change."""
        if current.entries:
            raise UserError("sorry.score_rules_fixed")

    async def _before(
        self, session_id: int, guild_id: GuildId | None, keeper: Keeper, revision: int | None
    ) -> ScoreSession:
        """Return the evening with its deals if the keeper may write in it now.

        What is worked out from it may be written only if `_writing` finds the same revision.
        """
        current = await self._store.read(_evening, session_id, guild_id)
        self._require_current(current, keeper, revision)
        return current

    async def _writing(
        self,
        db: WriteTransaction,
        session_id: int,
        guild_id: GuildId | None,
        keeper: Keeper,
        revision: int | None,
    ) -> KeptEvening:
        """Return the home game if the keeper may write in it now; `revision` is that of the button or form."""
        current = await _kept(db, session_id, guild_id)
        self._require_current(current, keeper, revision)
        return current

    def _require_current(self, current: KeptEvening, keeper: Keeper, revision: int | None) -> None:
        self.require_may_write(current, keeper)
        if revision is not None and revision != current.session.revision:
            raise StaleRevisionError


def _is_readable(typed: Typed, names: Sequence[str]) -> bool:
    """Return whether what was typed is a deal of these players, and so has no other names."""
    try:
        read_deal(typed, names)
    except UserError:
        return False
    return True


async def _close_old(db: WriteTransaction, session_id: int, now: int) -> None:
    """Request that the messages older than the newest few be reduced to a link to the newest, if there are any."""
    old = await db.public_messages.old_score(session_id)
    if old is not None:
        await db.outbox.ask(OldScoresKey(session_id, old.channel_id), now)


async def _kept(db: ReadTransaction, session_id: int, guild_id: GuildId | None) -> KeptEvening:
    session = await db.score_sessions.get(session_id)
    if session is None or session.guild_id != guild_id:
        raise UserError("sorry.no_score")
    return KeptEvening(session, await db.score_sessions.keepers(session_id))


async def _evening(db: ReadTransaction, session_id: int, guild_id: GuildId | None) -> ScoreSession:
    kept = await _kept(db, session_id, guild_id)
    entries = await db.score_sessions.entries(session_id)
    counting = tuple(entry for entry in entries if not entry.undone)
    return ScoreSession(
        kept.session,
        kept.keepers,
        counting,
        undone=len(entries) - len(counting),
        forgotten=await db.people.count_forgotten(),
    )
