"""The figures of one player: totals from the stored sums, everything else from the index of the player's deals."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from itertools import accumulate
from math import ceil
from typing import Any

from sqlalchemy import Column, ColumnElement, Select, func, select

from data.repositories.people import LISTED
from data.schema.core import person
from data.schema.stats import attendance, meeting, played, played_seat, tally
from data.session import Session
from league.ids import GuildId, PersonId
from league.results import Player
from league.statistics.periods import Span, period
from league.statistics.profile import BestDeal
from league.statistics.stats import Tally

_ALL_TIME = period(Span.ALL, 0)


@dataclass(frozen=True, slots=True)
class Figures:
    """The totals of a player's deals."""

    tally: Tally
    """The totals of the rated deals."""
    matches: int
    others: int
    """The number of deals that are not rated."""
    since: int | None


@dataclass(frozen=True, slots=True)
class Meeting:
    """The results of the rated deals with one other player."""

    person: Player
    deals: int
    ahead: int
    behind: int
    net: int


class ProfileQueries(Session):
    """Sums up one player's deals in one server, or in all of them for `guild_id` None."""

    __slots__ = ()

    async def figures(self, person_id: PersonId, guild_id: GuildId | None) -> Figures:
        """The totals of the player's deals."""
        names = [field.name for field in fields(Tally)]
        of_rated = await self._summed(
            [func.sum(tally.c[name]) for name in names],
            tally.c.person_id == person_id,
            tally.c.period == _ALL_TIME,
            *_in_guild(tally.c.guild_id, guild_id),
        )
        *counts, since = await self._summed(
            [func.sum(attendance.c.deals), func.sum(attendance.c.matches), func.min(attendance.c.since)],
            attendance.c.person_id == person_id,
            *_in_guild(attendance.c.guild_id, guild_id),
        )
        deals, matches = (count or 0 for count in counts)
        summed = Tally(*(figure or 0 for figure in of_rated))
        return Figures(summed, matches, deals - summed.deals, since)

    async def _summed(
        self, columns: Iterable[ColumnElement[int]], *conditions: ColumnElement[bool]
    ) -> tuple[int | None, ...]:
        return tuple((await self._execute(select(*columns).where(*conditions))).one())

    async def form(self, person_id: PersonId, guild_id: GuildId | None, most: int) -> tuple[int, ...]:
        """The points of the player's `most` latest rated deals, the oldest of them first."""
        latest = _rated_deals(person_id, guild_id, played_seat.c.net).order_by(played_seat.c.number.desc())
        rows = await self._execute(latest.limit(most))
        return tuple(reversed(rows.scalars().all()))

    async def course(self, person_id: PersonId, guild_id: GuildId | None, most: int) -> tuple[int, ...]:
        """The running total of points in rated deals, from 0 on, in at most `most` steps. The last is the full sum."""
        deals = await self._scalar(_rated_deals(person_id, guild_id, func.count()))
        place = func.row_number().over(order_by=played_seat.c.number)
        numbered = _rated_deals(person_id, guild_id, played_seat.c.net, place.label("place")).subquery()
        # The steps are counted back from the last deal, so it is the first that may be shorter.
        step = (deals - numbered.c.place) // (ceil(deals / most) or 1)
        rows = await self._execute(select(func.sum(numbered.c.net)).group_by(step).order_by(step.desc()))
        return tuple(accumulate(rows.scalars(), initial=0))

    async def best_deals(
        self, person_id: PersonId, guild_id: GuildId | None, most: int
    ) -> tuple[BestDeal, ...]:
        """The rated deals that brought the player the most points, the best first."""
        seat = played_seat.c
        best = (
            _rated_deals(person_id, guild_id, seat.number)
            .where(seat.net > 0)
            .order_by(seat.net.desc(), seat.number)
            .limit(most)
        )
        rows = await self._execute(
            select(
                played.c.table_id, played.c.deal_no, played.c.ended_at, played.c.seats, seat.net, seat.points
            )
            .join_from(played_seat, played, played.c.number == seat.number)
            .where(seat.number.in_(best), seat.person_id == person_id)
            .order_by(seat.net.desc(), seat.number)
        )
        return tuple(BestDeal(*row) for row in rows)

    async def meetings(self, person_id: PersonId, guild_id: GuildId | None, most: int) -> list[Meeting]:
        """The players met most often in rated deals, in that order; only players who may be shown to others."""
        of_each = (func.sum(meeting.c[name]) for name in ("deals", "ahead", "behind", "net"))
        rows = await self._execute(
            select(meeting.c.other_id, *of_each)
            .join(person, person.c.id == meeting.c.other_id)
            .where(LISTED)
            .where(meeting.c.person_id == person_id, *_in_guild(meeting.c.guild_id, guild_id))
            .group_by(meeting.c.other_id)
            .order_by(func.sum(meeting.c.deals).desc(), meeting.c.other_id)
            .limit(most)
        )
        return [Meeting(*row) for row in rows]


def _rated_deals(person_id: PersonId, guild_id: GuildId | None, *columns: ColumnElement[Any]) -> Select[Any]:
    """These columns of all rated deals of a player."""
    seat = played_seat.c
    return select(*columns).where(
        seat.person_id == person_id, *_in_guild(seat.guild_id, guild_id), seat.rated
    )


def _in_guild(column: Column[int], guild_id: GuildId | None) -> list[ColumnElement[bool]]:
    return [] if guild_id is None else [column == guild_id]
