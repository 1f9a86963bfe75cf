"""Optional reminders of the deal of the day: one day after a person played, at the same time of day.

A reminder is an outbox row from the start, so it survives restarts. It refers to the table of the attempt and
names no one, so nothing of it remains once its person is forgotten.
"""

from dataclasses import dataclass
from datetime import date

from bot.daily.days import STREAKS_BACK, day_at
from bot.errors import UserError
from bot.people import NamedPerson
from bot.table.core.change import TableTransaction
from bot.table.core.repository import TableRepository
from bot.table.personal_settings import PersonalSettings
from data.outbox_keys import DailyReminderKey
from data.preferences import GuildSettings, PersonSettings
from data.repositories.people import PersonRow
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import TableRow
from league.ids import GuildId, TableId
from league.statistics.duplicate import current_streak
from league.times import DAY, days_later
from marriage.state import Phase


@dataclass(frozen=True, slots=True)
class Reminder:
    """A reminder that is due."""

    guild_id: GuildId
    person: PersonRow
    language: str
    """The server's language, for people who have chosen none."""
    days: int
    """The number of days in a row that the person has finished, up to yesterday."""


class Reminders:
    """Turn reminders on and off, and find who is to be reminded."""

    def __init__(self, store: Store, tables: TableRepository, personal: PersonalSettings) -> None:
        self._store = store
        self._tables = tables
        self._personal = personal
        tables.hooks.attempt_ended.append(_remind_who_wants)

    async def turn_on(self, person: NamedPerson, table_id: TableId) -> None:
        """Remind this person tomorrow, and a day after each deal of the day that they play from now on.

        Raises UserError unless they have played a deal of the day at this table.
        """
        table = await self._tables.get(table_id)
        over = table.state is not None and table.state.phase is Phase.OVER
        is_own = any(seat.person_id == person.id for seat in table.seats)
        if table.row.kind.is_counted or not over or not is_own:
            raise UserError("daily.nothing_to_remind")
        settings = await self._personal.change(person, daily_reminders=True)
        now = self._tables.clock.now()

        async def write(db: WriteTransaction) -> None:
            await db.people.set_dms(person.id, open_=True)  # try again
            await _ask(db, table_id, settings, await db.guilds.settings(table.row.guild_id), now)

        await self._store.write(write)
        self._tables.committed()

    async def turn_off(self, person: NamedPerson) -> None:
        """Turn reminders off. A pending one is skipped when it is due."""
        await self._personal.change(person, daily_reminders=False)

    async def due(self, table_id: TableId, asked_at: int) -> Reminder | None:
        """Return the due reminder that was requested at this time.

        Return None if the person wants no more reminders, was forgotten, or has begun today's deal, or if the
        reminder is a day late.
        """
        now = self._tables.clock.now()
        if now > asked_at + 2 * DAY:
            return None

        async def read(db: ReadTransaction) -> Reminder | None:
            table = await db.tables.get(table_id)
            person = await db.people.get(table.host_id) if table else None
            if table is None or person is None or not person.settings.daily_reminders:
                return None
            guild = await db.guilds.settings(table.guild_id)
            today = day_at(now, guild.timezone).date
            if await _has_begun(db, table, person, today, now):
                return None
            since = (today - STREAKS_BACK).isoformat()
            done = await db.boards.days_finished(person.id, table.guild_id, since)
            days = current_streak({date.fromisoformat(day) for day in done}, today)
            return Reminder(table.guild_id, person, guild.language, days)

        return await self._store.read(read)


async def _has_begun(db: ReadTransaction, table: TableRow, person: PersonRow, today: date, now: int) -> bool:
    """Return whether the person has begun today's deal, or the day that they played is still today."""
    played = table.options.daily
    if played == today.isoformat():
        return True
    present = await db.boards.daily_set(table.guild_id, now)
    tries = await db.boards.daily_attempts(present.id) if present else []
    return any(attempt.person_id == person.id for attempt in tries)


async def _remind_who_wants(tx: TableTransaction) -> None:
    """Request tomorrow's reminder after a deal of the day ends, if its player wants reminders."""
    db = await tx.database()
    person = await db.people.get(tx.table.host_id)
    if person is not None and person.settings.daily_reminders and tx.seats[0].present:
        guild = await db.guilds.settings(tx.table.guild_id)
        await _ask(db, tx.table.id, person.settings, guild, tx.now)


async def _ask(
    db: WriteTransaction, table_id: TableId, settings: PersonSettings, guild: GuildSettings, now: int
) -> None:
    at = days_later(now, settings.timezone or guild.timezone, 1)
    await db.outbox.put(DailyReminderKey(table_id), 1, now, wait_ms=at - now)
