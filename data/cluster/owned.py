"""Conditions for the rows that are the affair of some shards: those of their servers.

A statement is put together once, for all shares; `asked` says which share it is asked about. A process that has everything
asks without them.
"""

from typing import Any, Final

from sqlalchemy import ColumnElement, bindparam, case, exists, func, literal_column, select

from data.dialect import Big
from data.outbox_keys import Subject
from data.schema.boards import board_set
from data.schema.core import deadline, game_table, outbox, score_session
from data.schema.leagues import season
from data.shards import SHIFT, Share

_COUNT: Final = bindparam("shard_count", type_=Big)
_HELD: Final = bindparam("shards_held", type_=Big, expanding=True)


def owned(guild_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Whether the server of a row belongs to the shards that are asked about."""
    return (guild_id.bitwise_rshift(literal_column(str(SHIFT))) % _COUNT).in_(_HELD)


def asked(share: Share) -> dict[str, Any]:
    """The values of the parameters of `owned`."""
    return {"shard_count": share.count, "shards_held": sorted(share.held)}


_SUBJECTS: Final = {
    Subject.TABLE: game_table,
    Subject.SEASON: season,
    Subject.BOARD_SET: board_set,
    Subject.SCORE_SESSION: score_session,
}

OWNED_DEADLINE: Final = exists().where(game_table.c.id == deadline.c.table_id, owned(game_table.c.guild_id))
OWNED_SEASON: Final = owned(season.c.guild_id)
OWNED_MESSAGE: Final = owned(
    func.coalesce(
        case(
            (outbox.c.subject == Subject.GUILD, outbox.c.about),
            *(
                (
                    outbox.c.subject == subject,
                    select(rows.c.guild_id).where(rows.c.id == outbox.c.about).scalar_subquery(),
                )
                for subject, rows in _SUBJECTS.items()
            ),
        ),
        0,
    )
)
"""A message about something that is no longer kept belongs to no server, and so to shard 0."""
