"""Paging through the public deals of a server, however many there are: blocks of numbers are counted, not deals.

`played_block` stores how many public deals each channel has in each block of numbers. So the number of pages is a sum
over some hundred rows, and a page is searched only in the blocks that contain it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, and_, exists, func, or_, select, union_all

from data.dialect import total, unindexed
from data.repositories.duplicate_boards import sealed_deals
from data.schema.stats import BLOCK, played, played_block, played_seat
from league.ids import GuildId, PersonId


@dataclass(frozen=True, slots=True)
class Filters:
    """Chooses deals of a server: those in channels that a person sees, and the person's own."""

    guild_id: GuildId
    person_id: PersonId
    channels: Sequence[int]
    preset: str | None
    since: int | None
    """The earliest end of a deal, in milliseconds since 1970."""

    @property
    def wanted(self) -> ColumnElement[bool]:
        """Whether a deal is of the server, and has the preset and time asked for."""
        return and_(played.c.guild_id == self.guild_id, *asked_of(self.preset, self.since))

    @property
    def watched(self) -> ColumnElement[bool]:
        """Whether a deal was played where the person could have watched."""
        return and_(~played.c.private, played.c.channel_id.in_(self.channels))


def counted(filters: Filters) -> Select[Any, int]:
    """The blocks that contain such deals, the latest first, each with the number of these deals."""
    counts = union_all(_whole(filters), _partly(filters), _own(filters), _sealed(filters)).subquery()
    block, deals = counts.c
    found = total(deals)
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
    """Public deals of the blocks that lie wholly in the time asked for."""
    rows = played_block.c
    chosen = select(rows.block, rows.deals).where(_of(filters))
    return chosen if filters.since is None else chosen.where(rows.first_at >= filters.since)


def _partly(filters: Filters) -> Select[Any, int]:
    """Public deals of the blocks during which the time asked for begins: hardly ever more than one block."""
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
    """The sealed boards among these deals, as negative counts: the other counts include them, but they stay hidden."""
    block = played.c.number // BLOCK
    seen = or_(filters.watched, has_played(filters.person_id))
    return (
        select(block, -func.count())
        .where(played.c.number.in_(sealed_deals()), unindexed(played.c.guild_id) == filters.guild_id)
        .where(seen, *asked_of(filters.preset, filters.since))
        .group_by(block)
    )


def asked_of(preset: str | None, since: int | None) -> list[ColumnElement[bool]]:
    """The conditions for deals of this preset that ended at `since` or later; None means no condition."""
    conditions: list[ColumnElement[bool]] = []
    if preset is not None:
        conditions.append(played.c.preset == preset)
    if since is not None:
        conditions.append(played.c.ended_at >= since)
    return conditions


def has_played(person_id: PersonId, deals: Table = played) -> ColumnElement[bool]:
    """Whether a person has a seat in a deal, which is a row of `played` or of `played_seat`.

    The condition on the deal's server makes this one step in the index of the person's deals.
    """
    seat = played_seat.alias()
    same = and_(seat.c.guild_id == deals.c.guild_id, seat.c.number == deals.c.number)
    return exists(select(seat.c.number).where(seat.c.person_id == person_id, same).correlate(deals))
