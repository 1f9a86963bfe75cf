"""One player's figures, from his finished deals."""

from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, distinct, func, select

from data.schema.stats import played, played_seat
from data.session import Session
from league.results import Player
from league.statistics.facts import StandIn
from league.statistics.profile import BestDeal
from league.statistics.stats import Tally
from marriage.sheet import Ending, Status

_SEEN = and_(played_seat.c.shown.is_not(None), played_seat.c.status == Status.SEEN)
_OWN = played_seat.c.stand_in.is_distinct_from(StandIn.WHOLE)


@dataclass(frozen=True, slots=True)
class Figures:
    """A player's deals summed up."""

    tally: Tally
    """Of the deals that are rated."""
    matches: int
    others: int
    """Deals beside these."""
    since: int | None


@dataclass(frozen=True, slots=True)
class Meeting:
    """What came of the deals with one other player."""

    person: Player
    deals: int
    ahead: int
    behind: int
    net: int


class ProfileQueries(Session):
    """Sums up one player's deals in one server, or in all of them for `guild_id` None."""

    __slots__ = ()

    async def figures(self, person_id: int, guild_id: int | None) -> Figures:
        """The totals."""
        net, points = played_seat.c.net, played_seat.c.points
        rated = played.c.rated
        match = played.c.table_id * 1_000_000 + played.c.match_no
        rows = await self._execute(
            _deals_of(
                person_id,
                guild_id,
                _total(rated),
                _total(and_(rated, played_seat.c.winner)),
                _total(and_(rated, _SEEN)),
                _total(and_(rated, played_seat.c.winner, played.c.ending == Ending.DUBLEES)),
                _total(rated, net),
                _total(rated, net * net),
                _total(and_(rated, _SEEN), points),
                func.count(distinct(case((rated, match)))),
                func.count(),
                func.min(case((rated, played.c.ended_at))),
            )
        )
        *sums, matches, deals, since = tuple(rows.one())
        tally = Tally(*(one or 0 for one in sums))
        return Figures(tally, matches, deals - tally.deals, since)

    async def form(self, person_id: int, guild_id: int | None, most: int) -> tuple[int, ...]:
        """The points of his latest rated deals, the oldest of them first."""
        rows = await self._execute(
            _deals_of(person_id, guild_id, played_seat.c.net)
            .where(played.c.rated)
            .order_by(played_seat.c.number.desc())
            .limit(most)
        )
        return tuple(reversed(rows.scalars().all()))

    async def course(self, person_id: int, guild_id: int | None, most: int) -> tuple[int, ...]:
        """The sum of his points in rated deals, from nought on, in so many steps at most; the last is the whole sum."""
        rows = await self._execute(
            _deals_of(person_id, guild_id, played_seat.c.net)
            .where(played.c.rated)
            .order_by(played_seat.c.number)
        )
        sums = list(accumulate(rows.scalars(), initial=0))
        every = ceil((len(sums) - 1) / most) or 1
        shown = range(len(sums) - 1, 0, -every)
        return (0, *(sums[number] for number in reversed(shown)))

    async def best_deals(self, person_id: int, guild_id: int | None, most: int) -> tuple[BestDeal, ...]:
        """The rated deals that brought him most, the best first."""
        rows = await self._execute(
            _deals_of(
                person_id,
                guild_id,
                played.c.table_id,
                played.c.deal_no,
                played.c.ended_at,
                played.c.seats,
                played_seat.c.net,
                played_seat.c.points,
            )
            .where(played.c.rated, played_seat.c.net > 0)
            .order_by(played_seat.c.net.desc(), played_seat.c.number)
            .limit(most)
        )
        return tuple(BestDeal(*row) for row in rows)

    async def meetings(self, person_id: int, guild_id: int | None) -> list[Meeting]:
        """Everybody he has met in rated deals, the most often first."""
        other = played_seat.alias()
        mine, his = played_seat.c.place, other.c.place
        rows = await self._execute(
            _deals_of(
                person_id,
                guild_id,
                other.c.person_id,
                func.count().label("deals"),
                _total(mine < his),
                _total(mine > his),
                func.sum(played_seat.c.net),
            )
            .join(other, and_(other.c.number == played_seat.c.number, other.c.seat != played_seat.c.seat))
            .where(played.c.rated, other.c.person_id.is_not(None))
            .group_by(other.c.person_id)
            .order_by(func.count().desc(), other.c.person_id)
        )
        return [Meeting(*row) for row in rows]


def _deals_of(person_id: int, guild_id: int | None, *columns: ColumnElement[Any]) -> Select[Any]:
    """Something of each deal that he played himself."""
    chosen = select(*columns).join_from(played_seat, played, played.c.number == played_seat.c.number)
    chosen = chosen.where(played_seat.c.person_id == person_id, _OWN)
    return chosen if guild_id is None else chosen.where(played.c.guild_id == guild_id)


def _total(condition: ColumnElement[bool], what: ColumnElement[int] | int = 1) -> ColumnElement[int]:
    """The sum of something over the deals of which the condition holds."""
    return func.sum(case((condition, what), else_=0))
