"""Tables with their seats, their bench, their guests, the cards that players keep together, and their deadlines."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, fields, replace
from functools import cache
from typing import Any, Literal, NamedTuple, Unpack

from sqlalchemy import (
    ColumnElement,
    CursorResult,
    Integer,
    Update,
    and_,
    bindparam,
    case,
    delete,
    exists,
    false,
    func,
    insert,
    or_,
    select,
    union_all,
    update,
)

from data.dialect import greater, json_field, lesser, upsert, upsert_many
from data.errors import RevisionConflictError
from data.ids import ChannelId, MessageId
from data.preferences import TableOptions
from data.privacy.limits import LimitQueries, LimitRepository
from data.schema.core import bench, deadline, deal, game_match, game_table, guest, pinned
from data.schema.core import seat as seat_rows
from data.session import Expected, Session, Values
from data.shards import EVERYTHING, OWNED_DEADLINE, Share, asked, owned
from data.values import BenchRow, DeadlineRow, OwnArrangement, SeatRow, TableChanges, TableRow
from league.ids import GuildId, PersonId, TableId
from marriage.rules import RULES_VERSION, Rules

Standing = Literal["invited", "blocked"]

_GUESTS_OF_TABLE = select(guest.c.person_id, guest.c.standing).where(guest.c.table_id == bindparam("of"))


class TableVersions(Session):
    """The base of repositories that change parts of a table apart from its row in `game_table`."""

    async def _touch_tables(self, *which: ColumnElement[bool], given: Values = None) -> None:
        """Increase the versions of changed tables and drop them from the cache.

        The conditions may have parameters.
        """
        grown = update(game_table).where(*which).values(version=game_table.c.version + 1)
        rows = await self._execute(grown.returning(game_table.c.id), given)
        self._changes.tables.update(rows.scalars())


class GuestQueries(LimitQueries):
    """Looks up a table's guests. A block is stored as a limit, so forgetting the person does not lift it."""

    async def standing(self, table_id: TableId, person_id: PersonId) -> Standing | None:
        """Return whether this person was invited or blocked; None for anyone else."""
        if await self.is_limited(person_id, "block", table_id):
            return "blocked"
        return await self._scalar(
            select(guest.c.standing).where(guest.c.table_id == table_id, guest.c.person_id == person_id)
        )

    async def of_table(self, table_id: TableId) -> dict[int, Standing]:
        """Return everyone who was invited or blocked, by person id."""
        rows = await self._execute(_GUESTS_OF_TABLE, {"of": table_id})
        return {row.person_id: row.standing for row in rows}


class GuestRepository(TableVersions, LimitRepository, GuestQueries):
    """Stores invitations and blocks."""

    async def set_standing(self, table_id: TableId, person_id: PersonId, standing: Standing | None) -> None:
        """Invite or block a person, who must already be stored, or, with None, clear both."""
        await self._touch_tables(game_table.c.id == table_id)
        await self.lift_limit(person_id, "block", table_id)
        if standing == "blocked":
            await self.add_limit(person_id, "block", table_id)
        if standing is None:
            await self._execute(
                delete(guest).where(guest.c.table_id == table_id, guest.c.person_id == person_id)
            )
            return
        key = {"table_id": table_id, "person_id": person_id}
        await self._execute(upsert(guest, key, {"standing": standing}))


_PINS_OF_TABLE = select(pinned.c.person_id, pinned.c.groups, pinned.c.own_order).where(
    pinned.c.table_id == bindparam("of"), pinned.c.deal_no == bindparam("deal")
)


class PinQueries(Session):
    """Looks up how people have arranged their hands."""

    async def of_table(self, table_id: TableId, deal_no: int) -> dict[PersonId, OwnArrangement]:
        """Return how all people at a table have arranged their hands in this deal, by person id."""
        rows = await self._execute(_PINS_OF_TABLE, {"of": table_id, "deal": deal_no})
        return {row.person_id: OwnArrangement(row.groups, row.own_order) for row in rows}


class PinRepository(PinQueries):
    """Stores how people have arranged their hands."""

    async def set(
        self, table_id: TableId, deal_no: int, person_id: PersonId, arrangement: OwnArrangement
    ) -> None:
        """Replace the arrangement at this table of a person, who must already be stored."""
        if not (arrangement.groups or arrangement.order):
            self._later(delete(pinned).where(pinned.c.table_id == table_id, pinned.c.person_id == person_id))
            return
        key = {"table_id": table_id, "person_id": person_id}
        values = {"deal_no": deal_no, "groups": arrangement.groups, "own_order": arrangement.order}
        self._later(upsert(pinned, key, values))


_ADD_TO_BENCH = insert(bench)
_BENCH_OF_TABLE = select(bench).where(bench.c.table_id == bindparam("of")).order_by(bench.c.number)


class BenchQueries(Session):
    """Looks up a table's bench."""

    async def get(self, table_id: TableId) -> tuple[BenchRow, ...]:
        """Return the people on the bench of a table, in the order in which they sit around it."""
        return tuple(await self._all(BenchRow, _BENCH_OF_TABLE, {"of": table_id}))


class BenchRepository(BenchQueries):
    """Changes benches."""

    async def set(self, table_id: TableId, rows: Sequence[BenchRow]) -> None:
        """Replace the bench with these people, who must already be stored."""
        if any((row.table_id, row.number) != (table_id, place) for place, row in enumerate(rows)):
            raise ValueError(f"the bench of table {table_id} is not numbered 0, 1, 2 ...")
        self._later(delete(bench).where(bench.c.table_id == table_id))
        if rows:
            self._later(_ADD_TO_BENCH, [asdict(row) for row in rows])


_OPEN = and_(
    game_table.c.closed_at.is_(None),
    json_field(game_table.c.options, "daily").is_(None),
)
"""Open tables except those where someone plays a deal of the day alone: no one else ever sees these."""


class MatchPlace(NamedTuple):
    """Where a match is played."""

    table_id: TableId
    guild_id: GuildId
    place_id: ChannelId
    """The channel or thread."""
    is_between: bool
    """Whether it waits for its next deal."""


_PLACE = func.coalesce(game_table.c.thread_id, game_table.c.channel_id).label("place")
_PLAYS = exists().where(game_match.c.table_id == game_table.c.id, game_match.c.ended.is_(None))
_WAITS = exists().where(deadline.c.table_id == game_table.c.id, deadline.c.kind == bindparam("kind"))
_IN_PLAY = (
    select(game_table.c.id, game_table.c.guild_id, _PLACE, game_table.c.status == "between")
    .where(_OPEN, _PLAYS, ~_WAITS, owned(game_table.c.guild_id))
    .order_by(game_table.c.id)
)


_CHANGE_SEAT = (
    update(seat_rows)
    .where(seat_rows.c.table_id == bindparam("of"), seat_rows.c.seat == bindparam("at"))
    .values({column.name: bindparam(column.name) for column in seat_rows.columns if not column.primary_key})
)


_ADD_SEATS = insert(seat_rows)
_TABLE = select(game_table).where(game_table.c.id == bindparam("of"))
_SEATS = select(seat_rows).where(seat_rows.c.table_id == bindparam("of")).order_by(seat_rows.c.seat)


@cache
def _change_of(*columns: str) -> Update:
    """Return the update of these columns of the table `of`, if it is still at the version `at`."""
    same = game_table.c.id == bindparam("of"), game_table.c.version == bindparam("at")
    return update(game_table).where(*same).values({name: bindparam(name) for name in columns})


class GameTableQueries(Session):
    """Finds tables."""

    async def get(self, table_id: TableId) -> TableRow | None:
        """Return the table of this id, open or closed."""
        return await self._one(TableRow, _TABLE, {"of": table_id})

    async def guilds_of(self, table_ids: Collection[TableId]) -> dict[TableId, GuildId]:
        """Return the servers of those of these tables that exist."""
        found = select(game_table.c.id, game_table.c.guild_id).where(game_table.c.id.in_(table_ids))
        return {row.id: row.guild_id for row in await self._execute(found)}

    async def all_open(self) -> list[TableRow]:
        """Return all tables that are not closed, oldest first."""
        return await self._tables(_OPEN)

    async def in_channel(self, channel_id: ChannelId) -> list[TableRow]:
        """Return the open tables of a channel or of a thread, oldest first."""
        here = or_(game_table.c.channel_id == channel_id, game_table.c.thread_id == channel_id)
        return await self._tables(_OPEN, here)

    async def latest_played(self, channel_id: ChannelId) -> TableId | None:
        """Return the id of the newest table of a channel or thread, open or closed, with a finished deal."""
        over = exists().where(deal.c.table_id == game_table.c.id, deal.c.ended_at.is_not(None))
        newest = [
            select(game_table.c.id)
            .where(place == channel_id, over)
            .order_by(game_table.c.id.desc())
            .limit(1)
            .subquery()
            for place in (game_table.c.channel_id, game_table.c.thread_id)
        ]
        found = union_all(*(select(table.c.id) for table in newest)).subquery()
        return await self._scalar(select(func.max(found.c.id)))

    async def count_open(self) -> int:
        """Return the number of tables that are not closed."""
        return await self._scalar(select(func.count()).select_from(game_table).where(_OPEN))

    async def places_in_guild(self, guild_id: GuildId) -> list[tuple[TableId, ChannelId]]:
        """Return the ids of a server's open tables, oldest first, each with the channel or thread it is in."""
        tables = select(game_table.c.id, _PLACE).where(_OPEN, game_table.c.guild_id == guild_id)
        rows = await self._execute(tables.order_by(game_table.c.id))
        return [(row.id, row.place) for row in rows]

    async def in_play(self, without: str, share: Share = EVERYTHING) -> list[MatchPlace]:
        """Return where the running matches of a share are played, oldest table first.

        Those whose table has a deadline of the kind `without` are left out.
        """
        rows = await self._execute(_IN_PLAY, asked(share) | {"kind": without})
        return [MatchPlace(*row) for row in rows]

    async def in_guild(self, guild_id: GuildId) -> list[TableRow]:
        """Return the open tables of a server, oldest first."""
        return await self._tables(_OPEN, game_table.c.guild_id == guild_id)

    async def open_of_person(self, person_id: PersonId) -> list[TableRow]:
        """Return the open tables where this person has a place, in the deal or on the bench, and has not left.

        The latest comes first.
        """
        sits = union_all(
            select(seat_rows.c.table_id).where(
                seat_rows.c.person_id == person_id, seat_rows.c.left.is_(false())
            ),
            select(bench.c.table_id).where(bench.c.person_id == person_id),
        )
        return (await self._tables(_OPEN, game_table.c.id.in_(sits)))[::-1]

    async def seats(self, table_id: TableId) -> tuple[SeatRow, ...]:
        """Return the seats of a table in order."""
        return tuple(await self._all(SeatRow, _SEATS, {"of": table_id}))

    async def get_many(self, ids: Iterable[TableId]) -> dict[TableId, TableRow]:
        """Return the existing tables among these ids, by id."""
        return {table.id: table for table in await self._tables(game_table.c.id.in_(list(ids)))}

    async def in_lobby(self, ids: Iterable[TableId]) -> dict[TableId, set[PersonId]]:
        """Return the tables among these ids that are in their lobby (open, and not begun), with the people at them."""
        own = game_table.c.id.in_(list(ids)), game_table.c.status == "lobby"
        seated = game_table.outerjoin(seat_rows, seat_rows.c.table_id == game_table.c.id)
        rows = await self._execute(
            select(game_table.c.id, seat_rows.c.person_id).select_from(seated).where(*own)
        )
        found: dict[TableId, set[PersonId]] = {}
        for row in rows:
            found.setdefault(row.id, set()).update([] if row.person_id is None else [row.person_id])
        return found

    async def _tables(self, *conditions: ColumnElement[bool]) -> list[TableRow]:
        return await self._all(TableRow, select(game_table).where(*conditions).order_by(game_table.c.id))


class GameTableRepository(TableVersions, GameTableQueries):
    """Opens and changes tables."""

    async def create(
        self,
        guild_id: GuildId,
        channel_id: ChannelId,
        host_id: PersonId,
        rules: Rules,
        now: int,
        options: TableOptions | None = None,
        *,
        challenge: bool = False,
    ) -> TableRow:
        """Store a new table in its lobby, with revision 0; its server and host must already be stored."""
        row = TableRow(
            id=TableId(0),
            guild_id=guild_id,
            channel_id=channel_id,
            message_id=None,
            host_id=host_id,
            status="lobby",
            revision=0,
            rules=rules,
            rules_version=RULES_VERSION,
            deal_no=0,
            dealer=0,
            created_at=now,
            closed_at=None,
            options=options or TableOptions(),
            opened_by=host_id,
            challenge=challenge,
        )
        values = {field.name: getattr(row, field.name) for field in fields(row) if field.name != "id"}
        table_id = await self._scalar(insert(game_table).values(values).returning(game_table.c.id))
        return replace(row, id=table_id)

    async def update(
        self, table: TableRow, *, is_move: bool = True, **changes: Unpack[TableChanges]
    ) -> TableRow:
        """Change a table and raise its version and, for a move, its revision.

        Return the changed row. Raises RevisionConflictError if the stored table has changed since it was
        read.
        """
        values: dict[str, Any] = {**changes, "version": table.version + 1}
        if is_move:
            values["revision"] = table.revision + 1
        if "rules" in changes:
            values["rules_version"] = RULES_VERSION
        error = RevisionConflictError(f"table {table.id} is no longer at version {table.version}")
        rows = {**values, "of": table.id, "at": table.version}
        self._later(_change_of(*sorted(values)), rows, expected=Expected(1, error))
        self._changes.tables.add(table.id)
        return replace(table, **values)

    async def set_message(
        self, table_id: TableId, channel_id: ChannelId, message_id: MessageId | None
    ) -> None:
        """Store where the table is shown. This is not a move, so the revision stays."""
        self._later(
            update(game_table)
            .where(game_table.c.id == table_id)
            .values(channel_id=channel_id, message_id=message_id)
        )
        await self._touch_tables(game_table.c.id == table_id)

    async def set_seats(self, table_id: TableId, seats: Sequence[SeatRow]) -> None:
        """Replace all seats of a table."""
        if any(row.table_id != table_id or row.seat != place for place, row in enumerate(seats)):
            raise ValueError(f"the seats of table {table_id} are not numbered 0, 1, 2 ...")
        self._later(delete(seat_rows).where(seat_rows.c.table_id == table_id))
        if seats:
            self._later(_ADD_SEATS, [asdict(row) for row in seats])

    async def change_seats(self, table_id: TableId, rows: Sequence[SeatRow]) -> None:
        """Change these seats of a table in one statement."""
        if rows:
            self._later(_CHANGE_SEAT, [asdict(row) | {"of": table_id, "at": row.seat} for row in rows])


_SOONEST_FIRST = select(deadline).order_by(deadline.c.due_at, deadline.c.table_id, deadline.c.kind)
_SOONEST = _SOONEST_FIRST.where(deadline.c.table_id.not_in(bindparam("beside", expanding=True))).limit(
    bindparam("limit", type_=Integer())
)
"""Built once, because it runs after every move."""
_SOONEST_OWNED = _SOONEST.where(OWNED_DEADLINE)
_DEADLINES_OF_TABLE = _SOONEST_FIRST.where(deadline.c.table_id == bindparam("of"))
_CLEAR = delete(deadline).where(
    deadline.c.table_id == bindparam("of"), deadline.c.kind.in_(bindparam("kinds", expanding=True))
)
_SET = upsert_many(deadline)


class DeadlineQueries(Session):
    """Looks up deadlines."""

    async def soonest(
        self, limit: int, beside: Collection[int] = (), share: Share = EVERYTHING
    ) -> list[DeadlineRow]:
        """Return the first `limit` deadlines of a share, soonest first, without those of tables in `beside`."""
        given = {"beside": list(beside), "limit": limit}
        if share.is_all:
            return await self._all(DeadlineRow, _SOONEST, given)
        return await self._all(DeadlineRow, _SOONEST_OWNED, given | asked(share))

    async def tables_waiting(self, kind: str, share: Share = EVERYTHING) -> list[TableId]:
        """Return the tables of a share with a deadline of this kind."""
        waiting = select(deadline.c.table_id).where(deadline.c.kind == kind, OWNED_DEADLINE)
        return list((await self._execute(waiting, asked(share))).scalars())

    async def tables_telling_time(self, kinds: Collection[str], share: Share = EVERYTHING) -> list[TableId]:
        """Return the tables of a share with a deadline of one of these kinds, soonest first."""
        soonest = func.min(deadline.c.due_at)
        told = select(deadline.c.table_id).where(deadline.c.kind.in_(kinds), OWNED_DEADLINE)
        ordered = told.group_by(deadline.c.table_id).order_by(soonest)
        return list((await self._execute(ordered, asked(share))).scalars())

    async def of_table(self, table_id: TableId) -> list[DeadlineRow]:
        """Return the deadlines of one table, soonest first."""
        return await self._all(DeadlineRow, _DEADLINES_OF_TABLE, {"of": table_id})


class DeadlineRepository(TableVersions, DeadlineQueries):
    """Sets and clears deadlines."""

    async def set(self, *rows: DeadlineRow) -> None:
        """Set these deadlines in one statement. Each replaces the one of the same table and kind."""
        if rows:
            self._later(_SET, [asdict(row) for row in rows])

    async def clear(self, table_id: TableId, *kinds: str) -> None:
        """Clear the table's deadlines of these kinds."""
        self._later(_CLEAR, {"of": table_id, "kinds": list(kinds)})

    async def end(self, row: DeadlineRow) -> None:
        """Clear this deadline, unless it was set again meanwhile."""
        await self._touch_if(await self._execute(delete(deadline).where(*_exactly(row))), row)

    async def put_off(self, row: DeadlineRow, due_at: int) -> None:
        """Postpone this deadline, unless it was set again meanwhile."""
        later = update(deadline).where(*_exactly(row)).values(due_at=due_at)
        await self._touch_if(await self._execute(later), row)

    async def _touch_if(self, done: CursorResult[Any], row: DeadlineRow) -> None:
        if done.rowcount:
            await self._touch_tables(game_table.c.id == row.table_id)

    async def credit(
        self, since: int, now: int, at_least: int, share: Share = EVERYTHING, *, undelayed: str | None = None
    ) -> None:
        """Compensate for an outage: delay each deadline of a share by what it lost of it, and at least to `at_least`.

        A deadline that was set meanwhile has lost only the time from then on. Deadlines of the kind `undelayed` are not
        delayed. If `now` is before `since`, the clock was set back, and all deadlines move with it.
        """
        # One that was set after `now`, while this transaction had to wait, has lost nothing.
        lost_from = lesser(greater(deadline.c.set_at, since), max(since, now))
        later = deadline.c.due_at + now - lost_from
        put_off = update(deadline).values(
            due_at=case(
                (deadline.c.kind == undelayed, lesser(deadline.c.due_at, later)),
                (later < at_least, at_least),
                else_=later,
            ),
            set_at=now,
        )
        self._later(put_off.where(OWNED_DEADLINE), asked(share))
        own = owned(game_table.c.guild_id), game_table.c.id.in_(select(deadline.c.table_id))
        await self._touch_tables(*own, given=asked(share))


def _exactly(row: DeadlineRow) -> list[ColumnElement[bool]]:
    return [deadline.c[name] == value for name, value in asdict(row).items()]
