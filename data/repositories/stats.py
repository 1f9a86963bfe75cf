"""What is stored of all finished deals: their list, ratings, tallies, careers, and sums for the channels of each server and for each person.

Each sum is one query about deals, so that readers need no deals. Run for the deal that has just ended, it gives what that deal adds;
run for all deals, it gives the total. So the sums that grow deal by deal cannot differ from sums computed anew.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Executable,
    Row,
    Select,
    Table,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
)

from data.dialect import add_up, listed, total, upsert_many
from data.ids import SeasonId
from data.repositories.deals import sealed_deals
from data.repositories.people import LISTED, name_in_server
from data.schema.core import person
from data.schema.leagues import pod_table
from data.schema.stats import (
    BLOCK,
    achieved,
    attendance,
    career,
    computer_tally,
    meeting,
    played,
    played_block,
    played_seat,
    rating,
    rating_met,
    tally,
)
from data.session import Session
from data.values import PlayedRow
from league.ids import GuildId, PersonId, TableId
from league.statistics.ratings import Rating
from league.statistics.stats import (
    BEGINNER,
    Achievement,
    Career,
    Company,
    DealFacts,
    Earned,
    SeatFacts,
    Seen,
    StandIn,
    Stats,
    Tally,
    TallyKey,
    periods,
)
from marriage.sheet import Ending, Status
from marriage.state import ShowKind

Query = Select[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class Sum:
    """One table of sums."""

    table: Table
    question: Query
    """The query that computes its rows from all finished deals, grouped by key, with the columns in order."""
    of_deal: Column[int]
    """The column of the query with the number of a deal."""
    least: frozenset[str] = frozenset()
    """The columns that keep the least value; those in `most` keep the greatest. All others are summed."""
    most: frozenset[str] = frozenset()


def _blocks() -> Query:
    """Select the number of deals at public tables of each channel, by preset and by block of numbers."""
    block = played.c.number // BLOCK
    key = (played.c.guild_id, block, played.c.channel_id, played.c.preset)
    ended = played.c.ended_at
    return (
        select(*key, func.count(), func.min(ended), func.max(ended)).where(~played.c.private).group_by(*key)
    )


def _meetings() -> Query:
    """Select the results of each person's rated deals against each other player."""
    other = played_seat.alias()
    ours, theirs = played_seat.c.place, other.c.place
    key = (played_seat.c.person_id, played_seat.c.guild_id, other.c.person_id)
    return (
        select(
            *key,
            func.count(),
            total(case((ours < theirs, 1), else_=0)),
            total(case((ours > theirs, 1), else_=0)),
            total(played_seat.c.net),
        )
        .join_from(
            played_seat,
            other,
            and_(other.c.number == played_seat.c.number, other.c.seat != played_seat.c.seat),
        )
        .where(played_seat.c.rated, played_seat.c.person_id.is_not(None), other.c.person_id.is_not(None))
        .group_by(*key)
    )


def _attendances() -> Query:
    """Select how many deals and rated matches each person has played, and when their first rated deal ended.

    A match counts with the person's first rated deal in it.
    """
    key = (played_seat.c.person_id, played_seat.c.guild_id)
    opens = and_(played_seat.c.rated, played.c.match_no.is_not(None), ~_earlier_in_match())
    return (
        select(
            *key,
            func.count(),
            total(case((opens, 1), else_=0)),
            func.min(case((played_seat.c.rated, played.c.ended_at))),
        )
        .join_from(played_seat, played, played.c.number == played_seat.c.number)
        .where(played_seat.c.person_id.is_not(None))
        .where(played_seat.c.stand_in.is_distinct_from(StandIn.WHOLE))
        .group_by(*key)
    )


def _earlier_in_match() -> ColumnElement[bool]:
    """Return the condition that the person has played a rated deal of the same match before."""
    deal, seat = played.alias(), played_seat.alias()
    return exists(
        select(deal.c.number)
        .join(seat, seat.c.number == deal.c.number)
        .where(deal.c.table_id == played.c.table_id, deal.c.match_no == played.c.match_no)
        .where(deal.c.number < played.c.number, seat.c.rated)
        .where(seat.c.person_id == played_seat.c.person_id, seat.c.guild_id == played_seat.c.guild_id)
        .correlate(played, played_seat)
    )


SUMS: Final = (
    Sum(played_block, _blocks(), played.c.number, frozenset({"first_at"}), frozenset({"last_at"})),
    Sum(meeting, _meetings(), played_seat.c.number),
    Sum(attendance, _attendances(), played_seat.c.number, frozenset({"since"})),
)


ADDITIONS: Final = tuple(
    add_up(
        kept.table,
        kept.question.where(kept.of_deal == bindparam("of_deal")),
        least=kept.least,
        most=kept.most,
    )
    for kept in SUMS
)
"""The statements that add a deal, already stored with its seats, to each sum."""


class SumRepository(Session):
    """Maintains the sums."""

    async def add_sums_anew(self) -> int:
        """Recompute all sums from all deals. Return how many rows differed from the stored sums."""
        return sum([await self._anew(kept) for kept in SUMS])

    async def _anew(self, kept: Sum) -> int:
        stored, fresh = select(kept.table), kept.question
        differing = await self._count(stored.except_(fresh)) + await self._count(fresh.except_(stored))
        if differing:
            await self._execute(delete(kept.table))
            await self._execute(insert(kept.table).from_select(kept.table.columns.keys(), fresh))
        return differing

    async def _count(self, rows: Any) -> int:
        return await self._scalar(select(func.count()).select_from(rows.subquery()))


_BATCH = 1_000
"""The number of deals read at once when everything is recomputed."""
_TALLIED = tuple(column.name for column in fields(Tally))
_DAYS: Final = ("days", "last_day", "days_running", "most_running")
TALLIES: Final = {Company.PEOPLE: tally, Company.COMPUTERS: computer_tally}
"""The tables with the sums of deals in each kind of company."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The data of a leaderboard, for one server and period."""

    tallies: Mapping[int, Tally]
    names: Mapping[int, str]
    """The names in the server of people who may be shown to others, as last read from Discord."""


class StatsQueries(Session):
    """Reads the statistics."""

    async def for_deal(self, deal: DealFacts) -> Stats:
        """Return the part of the stats that is needed to enter this deal, read in one trip to the store."""
        people = [seat.person for seat in deal.seats if seat.person is not None]
        company = deal.company or Company.PEOPLE
        kept = TALLIES[company]
        here = (kept.c.guild_id == deal.guild, kept.c.period.in_(periods(deal.at)))
        return await self._built(
            partial(_for_deal, deal.guild, company),
            *_of_ratings(deal.guild, people),
            select(kept).where(*here, kept.c.person_id.in_(people)),
            *_of_careers(people),
        )

    async def everything(self) -> Stats:
        """Return all stored stats."""
        guilds = (await self._execute(select(rating.c.guild_id).distinct())).scalars()
        return Stats(
            ratings={guild: await self.ratings(guild) for guild in guilds},
            tallies=await self._built(_tallies, select(tally)),
            with_computers=await self._built(_tallies, select(computer_tally)),
            careers=await self._built(_careers, *_of_careers()),
            earned=await self._earned(),
        )

    async def ratings(self, guild_id: GuildId, people: Sequence[int] | None = None) -> dict[int, Rating]:
        """Return the ratings in a server, of all people who have one or only of these."""
        return await self._built(_ratings, *_of_ratings(guild_id, people))

    async def listed(self, guild_id: GuildId, period: str, company: Company = Company.PEOPLE) -> Listed:
        """Return the tallies of a server in one period, and the names of those who may be shown to others."""
        table = TALLIES[company]
        return await self._built(
            _listed,
            select(table, name_in_server(guild_id).label("name"), LISTED.label("listed"))
            .join(person, person.c.id == table.c.person_id)
            .where(table.c.guild_id == guild_id, table.c.period == period),
        )

    async def career(self, person_id: PersonId) -> Career:
        """Return the statistics of all deals of a person."""
        return (await self._built(_careers, *_of_careers([person_id]))).get(person_id, BEGINNER)

    async def achievements(self, person_id: PersonId) -> list[Earned]:
        """Return a person's achievements, earliest first, without those that tell of a board that others still play."""
        secret = exists().where(
            played.c.table_id == achieved.c.table_id,
            played.c.deal_no == achieved.c.deal_no,
            played.c.number.in_(sealed_deals()),
        )
        return await self._earned(achieved.c.person_id == person_id, ~secret)

    async def earned_in(self, table_id: TableId, deal_no: int) -> list[Earned]:
        """Return the achievements earned in one deal."""
        return await self._earned(achieved.c.table_id == table_id, achieved.c.deal_no == deal_no)

    async def _earned(self, *chosen: ColumnElement[bool]) -> list[Earned]:
        rows = await self._execute(select(achieved).where(*chosen).order_by(achieved.c.at))
        return [
            Earned(row.person_id, Achievement(row.achievement), row.table_id, row.deal_no, row.at)
            for row in rows
        ]

    async def seen_in(self, season_id: SeasonId, tables: Collection[TableId] = ()) -> dict[PersonId, Seen]:
        """Return how often each person saw the tiplu, in a season's pods and at these other tables.

        Only finished deals count. Deals that a computer played for someone from the beginning are left out,
        as are deals of sealed boards.
        """
        of_pods = select(pod_table.c.table_id).where(pod_table.c.season == season_id)
        saw = case((and_(played_seat.c.shown.is_not(None), played_seat.c.status == Status.SEEN), 1), else_=0)
        rows = await self._execute(
            select(played_seat.c.person_id, func.count().label("deals"), total(saw).label("seen"))
            .join(played, played.c.number == played_seat.c.number)
            .where(or_(played.c.table_id.in_(of_pods), played.c.table_id.in_(tables)))
            .where(played_seat.c.person_id.is_not(None), played.c.number.not_in(sealed_deals()))
            .where(func.coalesce(played_seat.c.stand_in, "") != StandIn.WHOLE)
            .group_by(played_seat.c.person_id)
        )
        return {row.person_id: Seen(row.deals, row.seen) for row in rows}

    async def absent_from(self, table_id: TableId, deal_numbers: Sequence[int]) -> set[PersonId]:
        """Return the people for whom a computer played all of these deals of a table from the beginning."""
        rows = await self._execute(
            select(played_seat.c.person_id)
            .join(played, played.c.number == played_seat.c.number)
            .where(played.c.table_id == table_id, played.c.deal_no.in_(deal_numbers))
            .where(played_seat.c.stand_in == StandIn.WHOLE)
            .group_by(played_seat.c.person_id)
            .having(func.count() == len(deal_numbers))
        )
        return set(rows.scalars())

    async def finished_deals(self) -> AsyncIterator[DealFacts]:
        """Return all finished deals, in the order in which they ended."""
        async for deal in self._deals():
            yield deal

    async def rated_deals(self, guild_id: GuildId, since: int) -> AsyncIterator[DealFacts]:
        """Yield the rated deals of a server that ended at `since` or later, in order of their ends."""
        here = (played.c.guild_id == guild_id, played.c.rated, played.c.ended_at >= since)
        async for deal in self._deals(*here):
            yield deal

    async def deals_of_guild(self, guild_id: GuildId, since: int, most: int) -> AsyncIterator[DealFacts]:
        """Return the `most` latest deals of a server's public tables that ended since `since`, in order."""
        here = (played.c.guild_id == guild_id, ~played.c.private, played.c.ended_at >= since)
        told = played.c.number.not_in(sealed_deals())
        latest = select(played.c.number).where(*here, told).order_by(played.c.number.desc()).limit(most)
        async for deal in self._deals(played.c.number.in_(latest)):
            yield deal

    async def _deals(self, *chosen: ColumnElement[bool]) -> AsyncIterator[DealFacts]:
        last = 0
        while deals := await self._some_deals(played.c.number > last, *chosen):
            for deal in deals:
                yield deal
            last = deals[-1].number

    async def _some_deals(self, *chosen: ColumnElement[bool]) -> list[DealFacts]:
        """Return the first `_BATCH` of these deals."""
        first = select(played).where(*chosen).order_by(played.c.number).limit(_BATCH).subquery()
        rows = await self._execute(
            select(played_seat)
            .where(played_seat.c.number.in_(select(first.c.number)))
            .order_by(played_seat.c.number, played_seat.c.seat)
        )
        seats: dict[int, list[SeatFacts]] = {}
        for row in rows:
            seats.setdefault(row.number, []).append(seat_facts(row))
        found = [played_row(row) for row in await self._execute(select(first).order_by(first.c.number))]
        return [row.facts(seats[row.number]) for row in found]


class StatsRepository(StatsQueries, SumRepository):
    """Stores the statistics."""

    async def enter(self, row: PlayedRow, seats: Sequence[SeatFacts]) -> None:
        """Store a finished deal, and update everything that depends on it."""
        facts = await self.add_deal(row, seats)
        stats = await self.for_deal(facts)
        stats.enter(facts)
        await self.save(stats)

    async def add_deal(self, row: PlayedRow, seats: Sequence[SeatFacts]) -> DealFacts:
        """Store a finished deal under the next number, and add it to the sums."""
        values = {name: value for name, value in asdict(row).items() if name != "number"}
        rated = row.facts(seats).rated
        number = await self._scalar(
            insert(played).values(values | {"rated": rated}).returning(played.c.number)
        )
        seat_rows = [
            {"number": number, "seat": place, "guild_id": row.guild_id, "rated": rated}
            | {"person_id" if name == "person" else name: value for name, value in asdict(seat).items()}
            for place, seat in enumerate(seats)
        ]
        await self._execute(insert(played_seat), seat_rows)
        for addition in ADDITIONS:
            await self._execute(addition, {"of_deal": number})
        return replace(row, number=number).facts(seats)

    async def save(self, stats: Stats) -> None:
        """Store these ratings, tallies and careers, replacing earlier ones of the same people."""
        for table, rows in _rows(stats).items():
            if rows:
                await self._execute(upsert_many(table), rows)

    async def replace(self, stats: Stats) -> None:
        """Replace all stored stats by these."""
        for table in (rating_met, rating, *TALLIES.values(), achieved, career):
            await self._execute(delete(table))
        await self.save(stats)


Rows = Sequence[Row[Any]]


def _of_ratings(guild_id: GuildId, people: Sequence[int] | None = None) -> tuple[Executable, Executable]:
    """Return the queries whose rows `_ratings` takes: for all people of a server, or only for these."""
    chosen: list[ColumnElement[bool]] = [rating.c.guild_id == guild_id]
    met: list[ColumnElement[bool]] = [rating_met.c.guild_id == guild_id]
    if people is not None:
        chosen.append(rating.c.person_id.in_(people))
        met.append(rating_met.c.person_id.in_(people))
    # One row per person with some eight opponents, because every row takes time.
    others = listed(rating_met.c.other_id).label("others")
    return (
        select(rating).where(*chosen).order_by(rating.c.person_id),
        select(rating_met.c.person_id, others).where(*met).group_by(rating_met.c.person_id),
    )


def _of_careers(people: Sequence[int] | None = None) -> tuple[Executable, Executable]:
    """Return the queries whose rows `_careers` takes: for all people, or only for these."""
    if people is None:
        return select(career), select(achieved)
    return (
        select(career).where(career.c.person_id.in_(people)),
        select(achieved).where(achieved.c.person_id.in_(people)),
    )


def _for_deal(
    guild_id: GuildId,
    company: Company,
    ratings: Rows,
    opponents: Rows,
    tallies: Rows,
    careers: Rows,
    earned: Rows,
) -> Stats:
    stats = Stats({guild_id: _ratings(ratings, opponents)}, careers=_careers(careers, earned))
    stats.tallies_of(company).update(_tallies(tallies))
    return stats


def _careers(careers: Rows, earned: Rows) -> dict[int, Career]:
    has: dict[int, set[Achievement]] = {}
    for row in earned:
        has.setdefault(row.person_id, set()).add(Achievement(row.achievement))
    return {
        row.person_id: Career(
            row.deals,
            row.wins_running,
            None if row.behind_table is None else (row.behind_table, row.behind_match),
            frozenset(has.get(row.person_id, ())),
            row.days,
            row.last_day,
            row.days_running,
            row.most_running,
        )
        for row in careers
    }


def _ratings(ratings: Rows, opponents: Rows) -> dict[int, Rating]:
    met = {row.person_id: frozenset(map(int, row.others.split(","))) for row in opponents}
    return {
        row.person_id: Rating(row.mu, row.sigma, row.deals, met.get(row.person_id, frozenset()), row.last)
        for row in ratings
    }


def _tallies(rows: Rows) -> dict[TallyKey, Tally]:
    return {(row.guild_id, row.period, row.person_id): _tally(row) for row in rows}


def _listed(rows: Rows) -> Listed:
    tallies = {row.person_id: _tally(row) for row in rows}
    return Listed(tallies, {row.person_id: row.name for row in rows if row.listed})


def _tally(row: Row[Any]) -> Tally:
    return Tally(row.deals, row.wins, row.seen, row.dublees, row.net, row.squares, row.maal)


def played_row(row: Row[Any]) -> PlayedRow:
    """Return a row of `played`."""
    values: dict[str, Any] = {field.name: getattr(row, field.name) for field in fields(PlayedRow)}
    values["ending"] = Ending(row.ending)
    return PlayedRow(**values)


def seat_facts(row: Row[Any]) -> SeatFacts:
    """Return a row of `played_seat`."""
    return SeatFacts(
        person=row.person_id,
        name=row.name,
        net=row.net,
        points=row.points,
        place=row.place,
        standing=row.standing,
        winner=row.winner,
        status=Status(row.status),
        shown=row.shown and ShowKind(row.shown),
        shown_turn=row.shown_turn,
        one_turn=row.one_turn,
        tunnelas=row.tunnelas,
        marriages=row.marriages,
        tiplus=row.tiplus,
        stand_in=row.stand_in and StandIn(row.stand_in),
        ruled=row.ruled,
    )


def _rows(stats: Stats) -> dict[Table, Sequence[dict[str, Any]]]:
    """Return the stats as rows, by database table."""
    ratings = [
        (guild, person, kept) for guild, pool in stats.ratings.items() for person, kept in pool.items()
    ]
    return {
        rating: [
            {
                "guild_id": guild,
                "person_id": person,
                "mu": kept.mu,
                "sigma": kept.sigma,
                "deals": kept.deals,
                "last": kept.last,
            }
            for guild, person, kept in ratings
        ],
        rating_met: [
            {"guild_id": guild, "person_id": person, "other_id": other}
            for guild, person, kept in ratings
            for other in kept.met
        ],
        tally: _tally_rows(stats.tallies),
        computer_tally: _tally_rows(stats.with_computers),
        career: [
            {
                "person_id": person,
                "deals": kept.deals,
                "wins_running": kept.wins_running,
                "behind_table": kept.behind_at and kept.behind_at[0],
                "behind_match": kept.behind_at and kept.behind_at[1],
                **{name: getattr(kept, name) for name in _DAYS},
            }
            for person, kept in stats.careers.items()
        ],
        achieved: [
            {
                "person_id": earned.person,
                "achievement": earned.achievement,
                "table_id": earned.table,
                "deal_no": earned.deal_no,
                "at": earned.at,
            }
            for earned in stats.earned
        ],
    }


def _tally_rows(tallies: Mapping[TallyKey, Tally]) -> list[dict[str, Any]]:
    return [
        {"guild_id": guild, "period": period, "person_id": person}
        | {name: getattr(kept, name) for name in _TALLIED}
        for (guild, period, person), kept in tallies.items()
    ]
