"""The public deals of a server page by page, however many there are: blocks of numbers are counted, not deals.

`played_block` keeps how many public deals of every block of numbers a channel has. So the number of all pages is a sum of
some hundred rows, and a page is looked for only in the blocks in which it lies.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, exists, func, or_, select, union_all

from data.dialect import unindexed
from data.repositories.duplicate_boards import sealed_deals
from data.schema.stats import BLOCK, played, played_block, played_seat


@dataclass(frozen=True, slots=True)
class Filters:
    """Which deals of a server: those in channels that somebody sees, and the person's own."""

    guild_id: int
    person_id: int
    channels: Sequence[int]
    preset: str | None
    since: int | None
    """In milliseconds since 1970."""

    @property
    def wanted(self) -> ColumnElement[bool]:
        """Whether a deal of the server is of the preset and the time that are asked for."""
        return and_(played.c.guild_id == self.guild_id, *asked_of(self.preset, self.since))

    @property
    def watched(self) -> ColumnElement[bool]:
        """Whether a deal was played where the person could have watched."""
        return and_(~played.c.private, played.c.channel_id.in_(self.channels))


def counted(filters: Filters) -> Select[Any, int]:
    """The blocks in which there are such deals, the latest first, and how many there are in each."""
    counts = union_all(_whole(filters), _partly(filters), _own(filters), _sealed(filters)).subquery()
    block, deals = counts.c
    found = func.sum(deals)
    return select(block, found.label("deals")).group_by(block).having(found > 0).order_by(block.desc())


def in_block(filters: Filters, block: int) -> Select[Any]:
    """The numbers of such deals in a block, the latest first."""
    number = played.c.number
    return (
        select(number)
        .where(filters.wanted, number >= block * BLOCK, number < (block + 1) * BLOCK)
        .where(or_(filters.watched, has_played(filters.person_id)), number.not_in(sealed_deals()))
        .order_by(number.desc())
    )


def _whole(filters: Filters) -> Select[Any, int]:
    """Public deals of blocks that lie in the time that is asked for."""
    rows = played_block.c
    chosen = select(rows.block, rows.deals).where(_of(filters))
    return chosen if filters.since is None else chosen.where(rows.first_at >= filters.since)


def _partly(filters: Filters) -> Select[Any, int]:
    """Public deals of the blocks during which that time begins: there is hardly more than one."""
    rows, since = played_block.c, 0 if filters.since is None else filters.since
    deals = (
        select(func.count())
        .where(filters.wanted, ~played.c.private)
        .where(played.c.channel_id == rows.channel_id, played.c.preset == rows.preset)
        .where(played.c.number >= rows.block * BLOCK, played.c.number < (rows.block + 1) * BLOCK)
        .correlate(played_block)
        .scalar_subquery()
    )
    return select(rows.block, deals).where(_of(filters), rows.first_at < since, rows.last_at >= since)


def _of(filters: Filters) -> ColumnElement[bool]:
    rows = played_block.c
    here = and_(rows.guild_id == filters.guild_id, rows.channel_id.in_(filters.channels))
    return here if filters.preset is None else and_(here, rows.preset == filters.preset)


def _own(filters: Filters) -> Select[Any, int]:
    """The person's deals that are not counted as public ones."""
    block = played_seat.c.number // BLOCK
    return (
        select(block, func.count())
        .join_from(played_seat, played, played.c.number == played_seat.c.number)
        .where(played_seat.c.person_id == filters.person_id, played_seat.c.guild_id == filters.guild_id)
        .where(~filters.watched, *asked_of(filters.preset, filters.since))
        .group_by(block)
    )


def _sealed(filters: Filters) -> Select[Any, int]:
    """The boards among these deals that other tables still play, with a minus: they were counted and are not shown."""
    block = played.c.number // BLOCK
    seen = or_(filters.watched, has_played(filters.person_id))
    return (
        select(block, -func.count())
        .where(played.c.number.in_(sealed_deals()), unindexed(played.c.guild_id) == filters.guild_id)
        .where(seen, *asked_of(filters.preset, filters.since))
        .group_by(block)
    )


def asked_of(preset: str | None, since: int | None) -> list[ColumnElement[bool]]:
    """The conditions for deals of a preset that ended at a time or later; none for None."""
    conditions: list[ColumnElement[bool]] = []
    if preset is not None:
        conditions.append(played.c.preset == preset)
    if since is not None:
        conditions.append(played.c.ended_at >= since)
    return conditions


def has_played(person_id: int, deals: Table = played) -> ColumnElement[bool]:
    """Whether a person has a seat in a deal, a row of `played` or of `played_seat`.

    Asked with the deal's server too, it is one step in the index of the person's deals.
    """
    seat = played_seat.alias()
    same = and_(seat.c.guild_id == deals.c.guild_id, seat.c.number == deals.c.number)
    return exists(select(seat.c.number).where(seat.c.person_id == person_id, same).correlate(deals))
