"""The figures of players: totals from the stored sums, everything else from the index of a player's deals; and estimates of strength."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import accumulate, chain
from math import ceil
from typing import Any, Literal

import numpy as np
from sqlalchemy import Column, ColumnElement, Row, Select, and_, case, delete, exists, func, insert, select

from data.dialect import total, upsert
from data.ids import NOWHERE
from data.repositories.deals import sealed_deals
from data.repositories.people import LISTED
from data.repositories.stats import TALLIES
from data.schema.core import guild, person
from data.schema.stats import attendance, estimate, estimated, meeting, played, played_seat
from data.session import Session
from league.ids import GuildId, PersonId
from league.results import Player
from league.statistics.estimates import Basis, Estimate, Estimates, RatedDeals, Summed
from league.statistics.profile import BestDeal
from league.statistics.stats import Company, Span, StandIn, Tally, period
from marriage.sheet import Ending, Status

_ALL_TIME = period(Span.ALL, 0)
_SAW = and_(played_seat.c.shown.is_not(None), played_seat.c.status == Status.SEEN)
_BY_DUBLEES = (
    exists()
    .where(played.c.number == played_seat.c.number, played.c.ending == Ending.DUBLEES)
    .correlate(played_seat)
)
_COUNTED = played_seat.c.net - played_seat.c.ruled
"""The points that leaderboards and ratings count, as in `league.statistics.stats.SeatFacts`."""
_OF_CARDS = (
    total(case((_SAW, 1), else_=0)).label("seen"),
    total(case((and_(played_seat.c.winner, _BY_DUBLEES), 1), else_=0)).label("dublees"),
    total(case((_SAW, played_seat.c.points), else_=0)).label("maal"),
)
"""The sums over seats that tell of their cards, as in `league.statistics.stats.Tally`."""


@dataclass(frozen=True, slots=True)
class ProfileFigures:
    """The totals of a player's deals."""

    tally: Tally
    """The totals of the rated deals."""
    with_computers: Tally
    matches: int
    others: int
    """The number of deals that neither counts."""
    since: int | None

    def of(self, company: Company) -> Tally:
        """Return the totals of the deals in this company."""
        return self.tally if company is Company.PEOPLE else self.with_computers

    @property
    def deals(self) -> int:
        """The number of all deals."""
        return self.tally.deals + self.with_computers.deals + self.others

    @property
    def usual_company(self) -> Company:
        """The company whose figures are shown first: computers only if there is no other."""
        only_computers = self.with_computers.deals and not self.tally.deals
        return Company.COMPUTERS if only_computers else Company.PEOPLE


@dataclass(frozen=True, slots=True)
class OpponentFigures:
    """The results of the rated deals with one other player."""

    person: Player
    deals: int
    ahead: int
    behind: int
    net: int


class ProfileQueries(Session):
    """Sums up one player's deals in one server, or in all of them for `guild_id` None."""

    async def figures(self, person_id: PersonId, guild_id: GuildId | None) -> ProfileFigures:
        """Return the totals of the player's deals."""
        rated, with_computers = [await self._tally(company, person_id, guild_id) for company in Company]
        *counts, since = await self._summed(
            [total(attendance.c.deals), total(attendance.c.matches), func.min(attendance.c.since)],
            attendance.c.person_id == person_id,
            *_in_guild(attendance.c.guild_id, guild_id),
        )
        deals, matches = (count or 0 for count in counts)
        others = deals - rated.deals - with_computers.deals
        return ProfileFigures(rated, with_computers, matches, others, since)

    async def _tally(self, company: Company, person_id: PersonId, guild_id: GuildId | None) -> Tally:
        """Return the sums of the deals in this company.

        Of boards that other tables still play, only the results are included: the rest tells of their cards.
        """
        table = TALLIES[company]
        figures = await self._summed(
            [total(table.c[field.name]) for field in fields(Tally)],
            table.c.person_id == person_id,
            table.c.period == _ALL_TIME,
            *_in_guild(table.c.guild_id, guild_id),
        )
        whole = Tally(*(figure or 0 for figure in figures))
        sealed = _deals(person_id, guild_id, company, *_OF_CARDS).where(
            played_seat.c.number.in_(sealed_deals())
        )
        secret = (await self._execute(sealed)).one()
        return replace(
            whole,
            seen=whole.seen - (secret.seen or 0),
            dublees=whole.dublees - (secret.dublees or 0),
            maal=whole.maal - (secret.maal or 0),
        )

    async def _summed(
        self, columns: Iterable[ColumnElement[int]], *conditions: ColumnElement[bool]
    ) -> tuple[int | None, ...]:
        return tuple((await self._execute(select(*columns).where(*conditions))).one())

    async def form(
        self, person_id: PersonId, guild_id: GuildId | None, company: Company, most: int
    ) -> tuple[int, ...]:
        """Return the points of the player's `most` latest deals in this company, oldest first."""
        deals = _deals(person_id, guild_id, company, played_seat.c.net)
        latest = deals.order_by(played_seat.c.number.desc())
        rows = await self._execute(latest.limit(most))
        return tuple(reversed(rows.scalars().all()))

    async def course(
        self, person_id: PersonId, guild_id: GuildId | None, company: Company, most: int
    ) -> tuple[int, ...]:
        """Return the running total of counted points in these deals, starting at 0, in at most `most` steps.

        The last step is the full sum, that of the tally.
        """
        deals = await self._scalar(_deals(person_id, guild_id, company, func.count()))
        place = func.row_number().over(order_by=played_seat.c.number)
        counted = _COUNTED.label("counted")
        numbered = _deals(person_id, guild_id, company, counted, place.label("place")).subquery()
        # The steps are counted back from the last deal, so only the first one may be shorter.
        step = (deals - numbered.c.place) // (ceil(deals / most) or 1)
        rows = await self._execute(select(total(numbered.c.counted)).group_by(step).order_by(step.desc()))
        return tuple(accumulate(rows.scalars(), initial=0))

    async def best_deals(
        self,
        person_id: PersonId,
        guild_id: GuildId | None,
        company: Company,
        most: int,
        by: Literal["net", "points"] = "net",
    ) -> tuple[BestDeal, ...]:
        """Return the player's best deals in this company, best first, by points won or by the hand's maal.

        Boards that other tables still play are left out: a hand's maal tells of its cards.
        """
        seat = played_seat.c
        worth = seat[by]
        best = (
            _deals(person_id, guild_id, company, seat.number)
            .where(worth > 0, seat.number.not_in(sealed_deals()))
            .order_by(worth.desc(), seat.number)
            .limit(most)
        )
        rows = await self._execute(
            select(
                played.c.table_id, played.c.deal_no, played.c.ended_at, played.c.seats, seat.net, seat.points
            )
            .join_from(played_seat, played, played.c.number == seat.number)
            .where(seat.number.in_(best), seat.person_id == person_id)
            .order_by(worth.desc(), seat.number)
        )
        return tuple(BestDeal(*row) for row in rows)

    async def meetings(
        self, person_id: PersonId, guild_id: GuildId | None, most: int
    ) -> list[OpponentFigures]:
        """Return the players met most often in rated deals, in that order, if they may be shown to others."""
        rows = await self._execute(
            _meetings(person_id, guild_id)
            .join(person, person.c.id == meeting.c.other_id)
            .where(LISTED)
            .order_by(total(meeting.c.deals).desc(), meeting.c.other_id)
            .limit(most)
        )
        return [OpponentFigures(*row) for row in rows]

    async def meeting(
        self, person_id: PersonId, guild_id: GuildId | None, other_id: PersonId
    ) -> OpponentFigures | None:
        """Return the rated deals with one other player; None if there are none."""
        rows = await self._execute(_meetings(person_id, guild_id).where(meeting.c.other_id == other_id))
        found = rows.one_or_none()
        return None if found is None else OpponentFigures(*found)


def _meetings(person_id: PersonId, guild_id: GuildId | None) -> Select[Any]:
    """Select a row of `Meeting` for everyone whom a player has met."""
    of_each = (total(meeting.c[name]) for name in ("deals", "ahead", "behind", "net"))
    met = select(meeting.c.other_id, *of_each).where(meeting.c.person_id == person_id)
    return met.where(*_in_guild(meeting.c.guild_id, guild_id)).group_by(meeting.c.other_id)


def _deals(
    person_id: PersonId, guild_id: GuildId | None, company: Company, *columns: ColumnElement[Any]
) -> Select[Any]:
    """These columns of all deals of a player in this company (see `league.statistics.stats.DealFacts.company`)."""
    seat = played_seat.c
    theirs = select(*columns).where(seat.person_id == person_id, *_in_guild(seat.guild_id, guild_id))
    if company is Company.PEOPLE:
        return theirs.where(seat.rated)
    deal = played.alias()
    counted = (
        exists()
        .where(deal.c.number == seat.number, ~deal.c.stopped, deal.c.channel_id != NOWHERE)
        .correlate(played_seat)
    )
    return theirs.where(~seat.rated, seat.stand_in.is_distinct_from(StandIn.WHOLE), counted)


def _in_guild(column: Column[int], guild_id: GuildId | None) -> list[ColumnElement[bool]]:
    return [] if guild_id is None else [column == guild_id]


_BATCH = 500
"""The number of deals read at once. Other work gets its turn between two batches."""


class EstimateQueries(Session):
    """Reads estimates and the deals behind them."""

    async def listed(self, guild_id: GuildId, span: Span) -> Estimates | None:
        """Return the latest stored estimates of a server over a span; None if there are none."""
        return await self._built(
            _kept,
            select(estimated).where(estimated.c.guild_id == guild_id, estimated.c.span == span),
            select(estimate).where(estimate.c.guild_id == guild_id, estimate.c.span == span),
        )

    async def last_deals(self) -> dict[GuildId, int]:
        """Return the number of the last finished deal of each server that has one."""
        last = select(played.c.number).where(played.c.guild_id == guild.c.id)
        latest = last.order_by(played.c.number.desc()).limit(1).scalar_subquery()
        rows = await self._execute(select(guild.c.id, latest.label("number")))
        return {row.id: row.number for row in rows if row.number is not None}

    async def kept(self) -> dict[tuple[GuildId, Span], tuple[Basis, int, int]]:
        """Return all stored estimates by server and span: basis, number of deals, and time of computation."""
        rows = await self._execute(select(estimated))
        return {
            (row.guild_id, Span(row.span)): (Basis(row.since, row.number), row.deals, row.at) for row in rows
        }

    async def add_deals(self, guild_id: GuildId, summed: Summed, until: int) -> None:
        """Add a server's rated deals after those in `summed`, up to number `until`, in order of their ends.

        They are read and added in batches, in the thread of the connection.
        """
        after = max(summed.basis.number, await self._before(guild_id, summed.basis.since))
        while after < until:
            deals = (
                select(played.c.number, played.c.preset, played.c.seats)
                .where(played.c.guild_id == guild_id, played.c.rated)
                .where(played.c.ended_at >= summed.basis.since)
                .where(played.c.number > after, played.c.number <= until)
                .order_by(played.c.number)
                .limit(_BATCH)
            )
            number = deals.subquery().c.number
            seats = (
                select(played_seat.c.person_id, _COUNTED)
                .where(played_seat.c.number.in_(select(number)))
                .order_by(played_seat.c.number, played_seat.c.seat)
            )
            after = await self._built(partial(_add, summed, until), deals, seats)

    async def _before(self, guild_id: GuildId, since: int) -> int:
        """Return the highest number before all deals of a server that ended at `since` or later."""
        if not since:
            return 0
        first = await self._scalar(
            select(func.min(played.c.number)).where(played.c.guild_id == guild_id, played.c.ended_at >= since)
        )
        return (first or 1) - 1

    async def are_known(self, people: AbstractSet[int]) -> bool:
        """Return whether all of these people are stored, that is, none of them was forgotten."""
        return people <= await self._built(_ids, select(person.c.id))


class EstimateRepository(EstimateQueries):
    """Stores estimates."""

    async def save(self, guild_id: GuildId, span: Span, fresh: Estimates) -> None:
        """Replace the estimates of this server and span. People who were forgotten meanwhile are left out."""
        await self._execute(delete(estimate).where(estimate.c.guild_id == guild_id, estimate.c.span == span))
        head = {
            "since": fresh.basis.since,
            "number": fresh.basis.number,
            "at": fresh.at,
            "deals": fresh.deals,
            "par": fresh.par,
        }
        await self._execute(upsert(estimated, {"guild_id": guild_id, "span": span}, head))
        rows = await self._built(partial(_rows, guild_id, span, fresh), select(person.c.id))
        if rows:
            await self._execute(insert(estimate), rows)


def _kept(heads: Sequence[Row[Any]], rows: Sequence[Row[Any]]) -> Estimates | None:
    if not heads:
        return None
    [head] = heads
    of = {row.person_id: Estimate(row.value, row.error, row.deals) for row in rows}
    return Estimates(Basis(head.since, head.number), head.at, head.deals, head.par, of)


def _add(summed: Summed, until: int, deals: Sequence[Row[Any]], seats: Sequence[Row[Any]]) -> int:
    """Add these deals. Return the number up to which deals have been read."""
    last = deals[-1].number if len(deals) == _BATCH else until
    table = np.fromiter(chain.from_iterable(seats), np.int64).reshape(-1, 2)
    summed.add(RatedDeals([(row.preset, row.seats) for row in deals], table), last)
    return last


def _ids(rows: Sequence[Row[Any]]) -> set[int]:
    return {row.id for row in rows}


def _rows(
    guild_id: GuildId, span: Span, fresh: Estimates, people: Sequence[Row[Any]]
) -> list[dict[str, Any]]:
    """Return the rows of the estimates, without people who were forgotten meanwhile."""
    known = _ids(people)
    return [
        {
            "guild_id": guild_id,
            "span": span,
            "person_id": person_id,
            "value": found.value,
            "error": found.error,
            "deals": found.deals,
        }
        for person_id, found in fresh.of.items()
        if person_id in known
    ]
