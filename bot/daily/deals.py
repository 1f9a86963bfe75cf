"""The deal of the day: everyone in a server plays the same deal once, alone against the same computers.

Each attempt is a table of its own outside any channel, so all hand tools work there. The deal is a board: its
stocks are personal, its tiplu is fixed, and the computers play the same way from the same cards. So the same
moves meet the same cards. Nothing of the deal is published before the day is over for everyone.
"""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import date

import structlog

from bot.daily.days import STREAKS_BACK, day_at
from bot.errors import StaleRevisionError, UserError
from bot.people import NamedPerson
from bot.table.core.change import TableTransaction
from bot.table.core.repository import TableRepository
from bot.table.core.table import COMPUTER, DAILY
from bot.table.flow.computers import MOUNTAINS
from bot.table.flow.sealing import sealed_board
from bot.table.lobby import COMPUTER_LEVEL
from bot.table.play import Play
from bot.words.names import person_name
from data.errors import EventsDamaged
from data.ids import NOWHERE, ChannelId, InteractionId, MessageId
from data.outbox_keys import DailyAmendmentKey, DailyPostKey
from data.preferences import TableOptions
from data.repositories.deals import DayResult
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import BoardRow, BoardSetRow, DailyTryRow, DealRow, SeatRow
from league.ids import GuildId, PersonId, TableId
from league.statistics.duplicate import Attempt, DayLine, MonthLine, day_board, month_list, streak
from marriage.duplicate_board import board_rules
from marriage.rules import PRESETS, RULES_VERSION, Rules
from marriage.shuffle import SHUFFLE_VERSION

SEATS = 4
SHOWN = 25
"""The number of lines of a board that are shown, and whose streaks are read."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class DayBoard:
    """The board of a finished day."""

    day: date
    lines: tuple[DayLine, ...]
    hidden: int
    """The number of further players who chose not to be on boards."""
    streaks: dict[int, int]
    """How many days in a row each person of the first `SHOWN` lines has finished."""
    best_table: TableId | None
    """The table of the best attempt, to replay and verify it."""


@dataclass(frozen=True, slots=True)
class MonthBoard:
    """The list of a month so far."""

    month: date
    """The month's first day."""
    lines: tuple[MonthLine, ...]


class Daily:
    """Opens deals of the day, closes them at midnight, and reads their results."""

    def __init__(self, store: Store, tables: TableRepository, play: Play) -> None:
        self._store = store
        self._tables = tables
        self._play = play

    async def open(
        self, guild_id: GuildId, person: NamedPerson, interaction_id: InteractionId
    ) -> tuple[TableId, bool]:
        """Return the table of a person's attempt at today's deal, and whether it was opened just now."""
        now = self._tables.clock.now()

        async def write(db: WriteTransaction):
            await db.guilds.keep(guild_id)
            await person.keep(db, now)
            today = await db.boards.daily_set(guild_id, now) or await _seal(db, guild_id, now)
            attempts = [
                attempt
                for attempt in await db.boards.daily_attempts(today.id)
                if attempt.person_id == person.id
            ]
            if not attempts and await db.limits.is_limited(person.id, "daily", today.id):
                raise UserError("daily.forgotten", at=today.closes_at or now)
            table_id = attempts[0].table_id if attempts else await self._begin(db, today, person, now)
            await db.interactions.keep(interaction_id, table_id, 0, "", now)
            return attempts, table_id

        attempts, table_id = await self._store.write(write)
        self._tables.committed()
        await self.answer(table_id)
        return table_id, not attempts

    async def _begin(
        self, db: WriteTransaction, today: BoardSetRow, person: NamedPerson, now: int
    ) -> TableId:
        options = TableOptions(deals=1, board_set=today.id, daily=today.day)
        table = await db.tables.create(today.guild_id, NOWHERE, person.id, today.rules, now, options)
        seats = _seats(table.id, person_name(person.id, person.name), person.id)
        board = await db.boards.get(today.id, 1)
        if board is None:
            raise ValueError(f"set {today.id} has no board")
        await db.boards.add_attempt(DailyTryRow(today.id, person.id, table.id, seats[0].name))
        await db.limits.add_limit(person.id, "daily", today.id, today.closes_at)
        tx = TableTransaction.of_new(db, now, table, self._tables.hooks)
        tx.set_seats(seats)
        tx.prepare(_deal(table.id, today, board, now))
        await self._play.begin(tx)
        tx.remind(DAILY, (today.closes_at or now) - now, since=table.revision)
        await tx.finish()
        return table.id

    async def answer(self, table_id: TableId) -> None:
        """At a table with one person, let the computers play without pauses until the person has to move."""
        while (revision := await self._computers_asked(table_id)) is not None:
            try:
                await self._play.computer_turn(table_id, revision)
            except StaleRevisionError:
                continue  # their pause has just ended, so they have played already

    async def _computers_asked(self, table_id: TableId) -> int | None:
        table = await self._tables.get(table_id)
        deadline = None if table.row.kind.computers_pause else table.deadlines.get(COMPUTER)
        return None if deadline is None else deadline.revision

    async def close(self, table_id: TableId, revision: int) -> None:
        """End a day: computers finish the open tables. After the last one the board is published.

        A damaged table stays as it is, and the board does not wait for it. Raises StaleRevisionError for an
        obsolete deadline.
        """
        try:
            await self._close(table_id, revision)
        except EventsDamaged:
            log.exception("day_board.attempt_left_out", table=table_id)
            await self._store.write(lambda db: _release(db, table_id, self._tables.clock.now()))
            self._tables.committed()

    async def _close(self, table_id: TableId, revision: int) -> None:
        table = await self._tables.get(table_id)
        deadline = table.deadlines.get(DAILY)
        if deadline is None or deadline.revision != revision:
            raise StaleRevisionError
        if table.row.status == "playing":
            with suppress(StaleRevisionError):  # its last move was just being stored
                await self._play.play_out(table_id)

        async def amend(tx: TableTransaction) -> None:
            tx.stop(DAILY)
            await _release(await tx.database(), table_id, tx.now)

        await self._tables.amend(table_id, amend)

    async def last_board(self, guild_id: GuildId) -> DayBoard:
        """Return the board of the latest finished day; raises UserError if there is none."""

        async def read(db: ReadTransaction) -> DayBoard:
            last = await db.boards.last_daily_set(guild_id)
            if last is None:
                raise UserError("daily.no_board")
            return await _day_board(db, last)

        return await self._store.read(read)

    async def board_of(self, set_id: int) -> DayBoard | None:
        """Return the board of the day with this deal; None before it is published."""

        async def read(db: ReadTransaction) -> DayBoard | None:
            found = await db.boards.get_set(set_id)
            return None if found is None or found.released_at is None else await _day_board(db, found)

        return await self._store.read(read)

    async def posted(
        self, set_id: int, shown: DayBoard, channel_id: ChannelId, message_id: MessageId
    ) -> None:
        """Record where this board was posted.

        If someone was forgotten meanwhile, they are edited out of the post.
        """

        async def write(db: WriteTransaction) -> None:
            await db.public_messages.note("day", set_id, channel_id, message_id)
            found = await db.boards.get_set(set_id)
            if found is not None and await _day_board(db, found) != shown:
                now = self._tables.clock.now()
                await db.outbox.ask(DailyAmendmentKey(set_id, channel_id, message_id), now)

        await self._store.write(write)

    async def month(self, guild_id: GuildId) -> MonthBoard:
        """Return this month's list, from its finished days."""
        settings = await self._store.directory.guild_settings(guild_id)

        first = day_at(self._tables.clock.now(), settings.timezone).date.replace(day=1)
        results = await self._store.read(lambda db: db.boards.listed_results(guild_id, first.isoformat()))
        return await asyncio.to_thread(_month_board, first, results)


async def _seal(db: WriteTransaction, guild_id: GuildId, now: int) -> BoardSetRow:
    """Draw the deal of the day for a server."""
    settings = await db.guilds.settings(guild_id)
    rules, day = board_rules(settings.rules or PRESETS["pagat"]), day_at(now, settings.timezone)
    today = await db.boards.open_set(
        guild_id, rules, SEATS, now, day=day.date.isoformat(), closes_at=day.ends_at
    )
    await db.boards.add([sealed_board(today, 1)])
    return today


def _seats(table_id: TableId, name: str, person_id: PersonId) -> tuple[SeatRow, ...]:
    computers = [
        SeatRow(table_id, place, None, MOUNTAINS[place - 1], COMPUTER_LEVEL) for place in range(1, SEATS)
    ]
    return (SeatRow(table_id, 0, person_id, name), *computers)


def _deal(table_id: TableId, today: BoardSetRow, board: BoardRow, now: int) -> DealRow:
    return DealRow(
        table_id=table_id,
        deal_no=1,
        seed=board.seed,
        commitment=board.commitment,
        entropy=board.entropy,
        shuffle_version=SHUFFLE_VERSION,
        rules_version=RULES_VERSION,
        rules=today.rules,
        dealer=_dealer(today.rules),
        started_at=now,
        board_set=today.id,
        board_no=board.number,
    )


def _dealer(rules: Rules) -> int:
    """Return the dealer's seat for which the person acts first."""
    return next(dealer for dealer in range(SEATS) if rules.playing_order(SEATS, dealer)[0] == 0)


async def _set_of(db: ReadTransaction, table_id: TableId) -> BoardSetRow | None:
    table = await db.tables.get(table_id)
    set_id = table.options.board_set if table else None
    return None if set_id is None else await db.boards.get_set(set_id)


async def _release(db: WriteTransaction, table_id: TableId, now: int) -> None:
    """If no table of the day but this one is open, publish its board, and post it if the server wants that."""
    today = await _set_of(db, table_id)
    if today is None or today.released_at is not None:
        return
    waiting = set(await db.deadlines.tables_waiting(DAILY)) - {table_id}
    if any(attempt.table_id in waiting for attempt in await db.boards.daily_attempts(today.id)):
        return
    await db.boards.release_set(today.id, now)
    await db.outbox.put(DailyPostKey(today.id), 1, now)


async def _day_board(db: ReadTransaction, found: BoardSetRow) -> DayBoard:
    day = date.fromisoformat(found.day or "")
    tries = await db.boards.daily_attempts(found.id)
    lines = day_board(await _listed(db, day, tries))
    shown = [line.attempt for line in lines[:SHOWN]]
    since = (day - STREAKS_BACK).isoformat()
    finishers = [attempt.player for attempt in shown if attempt.finished]
    done = await db.boards.days_finished_by(finishers, found.guild_id, since)
    tables: dict[int, TableId] = {attempt.person_id: attempt.table_id for attempt in tries}
    return DayBoard(
        day=day,
        lines=lines,
        hidden=len(tries) - len(lines),
        streaks={
            attempt.player: streak(set(map(date.fromisoformat, done.get(attempt.player, ()))), day)
            for attempt in shown
        },
        best_table=tables[lines[0].attempt.player] if lines else None,
    )


def _month_board(first: date, results: Iterable[DayResult]) -> MonthBoard:
    """Rank the results of a month; there may be many thousands."""
    attempts = (
        Attempt(date.fromisoformat(day), person_id, name, net, finished=True, deal=set_id)
        for set_id, day, person_id, name, net in results
    )
    return MonthBoard(first, month_list(attempts))


async def _listed(db: ReadTransaction, day: date, tries: list[DailyTryRow]) -> list[Attempt]:
    """Return the finished attempts of people who may be shown to others."""
    people = await db.people.get_many({attempt.person_id for attempt in tries})
    return [
        Attempt(day, attempt.person_id, attempt.name, attempt.net, bool(attempt.finished), attempt.set_id)
        for attempt in tries
        if attempt.net is not None and people[attempt.person_id].settings.listed
    ]
