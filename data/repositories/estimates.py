"""Estimates of everybody's strength, as the boards read them, and the deals from which they are worked out."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from sqlalchemy import Row, delete, insert, select

from data.dialect import upsert
from data.schema.core import guild, person
from data.schema.stats import estimate, estimated, played, played_seat
from data.session import Session
from league.statistics.adjusted import Estimate
from league.statistics.estimates import Basis, Estimates, RatedDeals
from league.statistics.periods import Span

_BATCH = 2_000
"""Deals that are read at once: the event loop is free between two batches."""


class EstimateQueries(Session):
    """Reads estimates and what they are made of."""

    __slots__ = ()

    async def listed(self, guild_id: int, span: Span) -> Estimates | None:
        """Those of a server over a span, as they were last kept."""
        return await self._built(
            _kept,
            select(estimated).where(estimated.c.guild_id == guild_id, estimated.c.span == span),
            select(estimate).where(estimate.c.guild_id == guild_id, estimate.c.span == span),
        )

    async def last_deals(self) -> dict[int, int]:
        """The number of the last finished deal of every server that has one."""
        last = select(played.c.number).where(played.c.guild_id == guild.c.id)
        latest = last.order_by(played.c.number.desc()).limit(1).scalar_subquery()
        rows = await self._execute(select(guild.c.id, latest.label("number")))
        return {row.id: row.number for row in rows if row.number is not None}

    async def kept(self) -> dict[tuple[int, Span], tuple[Basis, int, int]]:
        """Of what is kept by server and span: from which deals, from how many, and when."""
        rows = await self._execute(select(estimated))
        return {
            (row.guild_id, Span(row.span)): (Basis(row.since, row.number), row.deals, row.at) for row in rows
        }

    async def deals(self, guild_id: int, basis: Basis) -> RatedDeals:
        """The rated deals of a server on this basis, in the order in which they ended."""
        rules: list[tuple[str, int]] = []
        seats: list[np.ndarray[tuple[int, int], np.dtype[np.int64]]] = []
        last = 0
        while True:
            deals = (
                select(played.c.number, played.c.preset, played.c.seats)
                .where(played.c.guild_id == guild_id, played.c.rated, played.c.ended_at >= basis.since)
                .where(played.c.number > last, played.c.number <= basis.number)
                .order_by(played.c.number)
                .limit(_BATCH)
            )
            found = (await self._execute(deals)).all()
            if not found:
                return RatedDeals(rules, np.concatenate([np.empty((0, 2), dtype=np.int64), *seats]))
            rules += [(row.preset, row.seats) for row in found]
            batch = deals.subquery()
            rows = await self._execute(
                select(played_seat.c.person_id, played_seat.c.net)
                .where(played_seat.c.number.in_(select(batch.c.number)))
                .order_by(played_seat.c.number, played_seat.c.seat)
            )
            seats.append(np.fromiter(chain.from_iterable(rows), np.int64).reshape(-1, 2))
            last = found[-1].number


class EstimateRepository(EstimateQueries):
    """Keeps estimates."""

    __slots__ = ()

    async def save(self, guild_id: int, span: Span, fresh: Estimates) -> None:
        """These in the place of what was kept of this server and span, but for people who were forgotten meanwhile."""
        await self._execute(delete(estimate).where(estimate.c.guild_id == guild_id, estimate.c.span == span))
        head = {
            "since": fresh.basis.since,
            "number": fresh.basis.number,
            "at": fresh.at,
            "deals": fresh.deals,
            "par": fresh.par,
        }
        await self._execute(upsert(estimated, {"guild_id": guild_id, "span": span}, head))
        known = set((await self._execute(select(person.c.id))).scalars())
        if not known.isdisjoint(fresh.of):
            await self._execute(
                insert(estimate),
                [
                    {
                        "guild_id": guild_id,
                        "span": span,
                        "person_id": person_id,
                        "value": one.value,
                        "error": one.error,
                        "deals": one.deals,
                    }
                    for person_id, one in fresh.of.items()
                    if person_id in known
                ],
            )


def _kept(heads: Sequence[Row[Any]], rows: Sequence[Row[Any]]) -> Estimates | None:
    if not heads:
        return None
    [head] = heads
    of = {row.person_id: Estimate(row.value, row.error, row.deals) for row in rows}
    return Estimates(Basis(head.since, head.number), head.at, head.deals, head.par, of)
