"""Duplicate boards and who plays them: sealed sets, the deal of the day, and each person's one attempt at it."""

from collections.abc import Sequence
from dataclasses import asdict, fields

from sqlalchemy import Select, and_, insert, select, update

from data.repositories.tables import TableVersions
from data.schema.boards import board, board_set, board_table, daily_try
from data.schema.core import deal as deals
from data.schema.core import game_table
from data.schema.stats import played
from data.session import Session
from data.values import BoardRow, BoardSetRow, DailyTryRow, DealRow
from league.ids import GuildId, PersonId, TableId
from marriage.rules import Rules


def sealed_deals() -> Select[tuple[int]]:
    """The numbers of finished deals whose boards other tables still play, so that nothing may be told about them."""
    waiting = select(board_set.c.id).where(board_set.c.released_at.is_(None))
    return (
        select(played.c.number)
        .join_from(
            deals,
            played,
            and_(played.c.table_id == deals.c.table_id, played.c.deal_no == deals.c.deal_no),
        )
        .where(deals.c.board_set.in_(waiting))
    )


class DuplicateBoardQueries(Session):
    """Finds sets of boards, boards and attempts."""

    __slots__ = ()

    async def get_set(self, set_id: int) -> BoardSetRow | None:
        """The set of this id."""
        return await self._one(BoardSetRow, select(board_set).where(board_set.c.id == set_id))

    async def daily_set(self, guild_id: GuildId, now: int) -> BoardSetRow | None:
        """The present deal of the day of a server; None until somebody asks for it."""
        return await self._one(
            BoardSetRow,
            select(board_set)
            .where(board_set.c.guild_id == guild_id, board_set.c.closes_at > now)
            .order_by(board_set.c.id.desc())
            .limit(1),
        )

    async def last_daily_set(self, guild_id: GuildId) -> BoardSetRow | None:
        """The latest deal of the day about which everything may be told."""
        return await self._one(
            BoardSetRow,
            select(board_set)
            .where(
                board_set.c.guild_id == guild_id,
                board_set.c.day.is_not(None),
                board_set.c.released_at.is_not(None),
            )
            .order_by(board_set.c.id.desc())
            .limit(1),
        )

    async def get(self, set_id: int, number: int) -> BoardRow | None:
        """One board of a set, including its secret seed."""
        return await self._one(
            BoardRow, select(board).where(board.c.set_id == set_id, board.c.number == number)
        )

    async def in_set(self, set_id: int) -> list[BoardRow]:
        """All boards of a set in order, including their secret seeds."""
        return await self._all(
            BoardRow, select(board).where(board.c.set_id == set_id).order_by(board.c.number)
        )

    async def tables(self, set_id: int) -> list[TableId]:
        """The tables that play a set, in the order in which they were added."""
        rows = await self._execute(
            select(board_table.c.table_id).where(board_table.c.set_id == set_id).order_by(board_table.c.place)
        )
        return list(rows.scalars())

    async def tables_playing(self, set_id: int) -> list[TableId]:
        """The tables that play a set and are not done yet."""
        rows = await self._execute(
            select(board_table.c.table_id).where(board_table.c.set_id == set_id, ~board_table.c.done)
        )
        return list(rows.scalars())

    async def begun(self, set_id: int) -> bool:
        """Whether a board of the set has been dealt at any table."""
        rows = await self._execute(
            select(deals.c.deal_no).where(deals.c.board_set == set_id, deals.c.match_no.is_not(None)).limit(1)
        )
        return rows.first() is not None

    async def daily_attempts(self, set_id: int) -> list[DailyTryRow]:
        """All attempts at a deal of the day, in the order in which they began."""
        return await self._all(
            DailyTryRow, select(daily_try).where(daily_try.c.set_id == set_id).order_by(daily_try.c.table_id)
        )

    async def released_attempts(self, guild_id: GuildId, since: str) -> list[tuple[str, DailyTryRow]]:
        """The attempts at past deals of the day in a server, from the day `since` on, each with its day."""
        rows = await self._execute(
            select(board_set.c.day, daily_try)
            .join(board_set, board_set.c.id == daily_try.c.set_id)
            .where(
                board_set.c.guild_id == guild_id,
                board_set.c.day >= since,
                board_set.c.released_at.is_not(None),
            )
            .order_by(board_set.c.id, daily_try.c.table_id)
        )
        found: list[tuple[str, DailyTryRow]] = []
        for row in rows.mappings():
            values = dict(row)
            day = values.pop("day")
            found.append((day, DailyTryRow(**values)))
        return found

    async def days_finished(self, person_id: PersonId, guild_id: GuildId | None, since: str) -> set[str]:
        """The days from `since` on whose deal the person finished, in one server or, for None, in any."""
        here = [] if guild_id is None else [board_set.c.guild_id == guild_id]
        rows = await self._execute(
            select(board_set.c.day)
            .join(daily_try, daily_try.c.set_id == board_set.c.id)
            .where(daily_try.c.person_id == person_id, daily_try.c.finished, board_set.c.day >= since, *here)
        )
        return set(rows.scalars())

    async def is_sealed(self, deal: DealRow) -> bool:
        """Whether a deal is a board that other tables still play, so that nothing may be told about it."""
        if deal.board_set is None:
            return False
        found = await self.get_set(deal.board_set)
        return found is None or found.released_at is None

    async def is_revealed(self, deal: DealRow) -> bool:
        """Whether a deal is over and its seed is no longer secret."""
        return deal.ended_at is not None and not await self.is_sealed(deal)


class DuplicateBoardRepository(TableVersions, DuplicateBoardQueries):
    """Stores sealed boards and attempts, and releases sets."""

    __slots__ = ()

    async def open_set(
        self,
        guild_id: GuildId,
        rules: Rules,
        seats: int,
        now: int,
        *,
        day: str | None = None,
        closes_at: int | None = None,
    ) -> BoardSetRow:
        """Store a new set without boards; its server must already be stored."""
        values = {
            "guild_id": guild_id,
            "day": day,
            "rules": rules,
            "seats": seats,
            "opened_at": now,
            "closes_at": closes_at,
            "released_at": None,
        }
        set_id = await self._scalar(insert(board_set).values(values).returning(board_set.c.id))
        return BoardSetRow(
            id=set_id,
            guild_id=GuildId(guild_id),
            day=day,
            rules=rules,
            seats=seats,
            opened_at=now,
            closes_at=closes_at,
            released_at=None,
        )

    async def add(self, rows: Sequence[BoardRow]) -> None:
        """Store the boards of a set."""
        await self._execute(insert(board), [asdict(row) for row in rows])

    async def add_tables(self, set_id: int, tables: Sequence[TableId]) -> None:
        """Let these tables play a set, in this order."""
        rows = [
            {"table_id": table_id, "set_id": set_id, "place": place, "done": False}
            for place, table_id in enumerate(tables, 1)
        ]
        await self._execute(insert(board_table), rows)

    async def end_table(self, table_id: TableId) -> None:
        """Note that a table is done with its set."""
        await self._execute(update(board_table).where(board_table.c.table_id == table_id).values(done=True))

    async def close(self, set_id: int, entropy: Sequence[str]) -> None:
        """Store what all tables have contributed to the boards of a set."""
        await self._execute(update(board).where(board.c.set_id == set_id).values(entropy=list(entropy)))

    async def add_attempt(self, row: DailyTryRow) -> None:
        """Note that somebody begins a deal of the day; raises IntegrityError for their second attempt."""
        await self._execute(
            insert(daily_try).values({field.name: getattr(row, field.name) for field in fields(row)})
        )

    async def end_attempt(self, table_id: TableId, net: int, *, finished: bool) -> None:
        """Note the result of the attempt at this table, in points, and whether the person finished it."""
        await self._execute(
            update(daily_try).where(daily_try.c.table_id == table_id).values(net=net, finished=finished)
        )

    async def release_set(self, set_id: int, now: int) -> None:
        """Release a set: from now on everything about it may be told."""
        await self._execute(update(board_set).where(board_set.c.id == set_id).values(released_at=now))
        playing = select(deals.c.table_id).where(deals.c.board_set == set_id)
        await self._touch_tables(game_table.c.id.in_(playing))
