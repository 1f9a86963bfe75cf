"""Estimates of each player's strength, as leaderboards read them, and the deals from which they are computed."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from sqlalchemy import Row, delete, func, insert, select

from data.dialect import upsert
from data.schema.core import guild, person
from data.schema.stats import estimate, estimated, played, played_seat
from data.session import Session
from league.ids import GuildId
from league.statistics.adjusted import Estimate
from league.statistics.estimates import Basis, Estimates, RatedDeals, Summed
from league.statistics.periods import Span

_BATCH = 500
"""How many deals are read at once. Other work gets its turn between two batches."""


class EstimateQueries(Session):
    """Reads estimates and the deals behind them."""

    __slots__ = ()

    async def listed(self, guild_id: GuildId, span: Span) -> Estimates | None:
        """The latest stored estimates of a server over a span; None if there are none."""
        return await self._built(
            _kept,
            select(estimated).where(estimated.c.guild_id == guild_id, estimated.c.span == span),
            select(estimate).where(estimate.c.guild_id == guild_id, estimate.c.span == span),
        )

    async def last_deals(self) -> dict[GuildId, int]:
        """The number of the last finished deal of each server that has one."""
        last = select(played.c.number).where(played.c.guild_id == guild.c.id)
        latest = last.order_by(played.c.number.desc()).limit(1).scalar_subquery()
        rows = await self._execute(select(guild.c.id, latest.label("number")))
        return {row.id: row.number for row in rows if row.number is not None}

    async def kept(self) -> dict[tuple[GuildId, Span], tuple[Basis, int, int]]:
        """All stored estimates by server and span: their basis, their number of deals, and when they were computed."""
        rows = await self._execute(select(estimated))
        return {
            (row.guild_id, Span(row.span)): (Basis(row.since, row.number), row.deals, row.at) for row in rows
        }

    async def add_deals(self, guild_id: GuildId, summed: Summed, until: int) -> None:
        """Add a server's rated deals after those in `summed`, up to number `until`, in the order in which they ended.

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
                select(played_seat.c.person_id, played_seat.c.net)
                .where(played_seat.c.number.in_(select(number)))
                .order_by(played_seat.c.number, played_seat.c.seat)
            )
            after = await self._built(partial(_add, summed, until), deals, seats)

    async def _before(self, guild_id: GuildId, since: int) -> int:
        """The highest number before all deals of a server that ended at `since` or later."""
        if not since:
            return 0
        first = await self._scalar(
            select(func.min(played.c.number)).where(played.c.guild_id == guild_id, played.c.ended_at >= since)
        )
        return (first or 1) - 1

    async def are_known(self, people: AbstractSet[int]) -> bool:
        """Whether all of these people are stored, so that none of them was forgotten."""
        return people <= await self._built(_ids, select(person.c.id))


class EstimateRepository(EstimateQueries):
    """Stores estimates."""

    __slots__ = ()

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
    """Add these deals. Returns the number up to which deals have been read."""
    last = deals[-1].number if len(deals) == _BATCH else until
    table = np.fromiter(chain.from_iterable(seats), np.int64).reshape(-1, 2)
    summed.add(RatedDeals([(row.preset, row.seats) for row in deals], table), last)
    return last


def _ids(rows: Sequence[Row[Any]]) -> set[int]:
    return {row.id for row in rows}


def _rows(
    guild_id: GuildId, span: Span, fresh: Estimates, people: Sequence[Row[Any]]
) -> list[dict[str, Any]]:
    """The rows of the estimates, without people who were forgotten meanwhile."""
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
