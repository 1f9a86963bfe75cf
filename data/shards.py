"""Shards: Discord divides the servers of a large bot among connections, which the processes distribute.

The shard of a server owns everything of that server. Direct messages arrive on shard 0, so it also owns
whatever belongs to no server.
"""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, bindparam, case, exists, func, literal_column, select

from data.dialect import Big
from data.outbox_keys import Subject
from data.schema.core import board_set, deadline, game_table, outbox, score_session
from data.schema.leagues import season

SHIFT: Final = 22
"""Discord's ids have a timestamp above these bits, which determines the shard of a server."""


def shard_of(guild_id: int | None, count: int) -> int:
    """Return the shard of a server, or of what belongs to no server."""
    return 0 if guild_id is None else (guild_id >> SHIFT) % count


@dataclass(frozen=True, slots=True)
class Share:
    """Some of the bot's shards, out of the total."""

    count: int = 1
    held: frozenset[int] = frozenset({0})

    def __post_init__(self) -> None:
        if self.count < 1 or not all(0 <= shard < self.count for shard in self.held):
            raise ValueError(f"there are no shards {sorted(self.held)} of {self.count}")

    @property
    def is_all(self) -> bool:
        """Whether no other process holds any."""
        return len(self.held) == self.count

    def owns(self, guild_id: int | None) -> bool:
        """Return whether it includes the shard of this server, or shard 0 for what belongs to no server."""
        return shard_of(guild_id, self.count) in self.held


@dataclass(frozen=True, slots=True)
class GatewaySession:
    """The data another process needs to resume a shard's Discord session after the event of this number."""

    shard: int
    count: int
    session_id: str
    sequence: int
    resume_url: str


@dataclass(frozen=True, slots=True, order=True)
class PassedPress:
    """A press that the process with shard 0 has passed on to the one with the shard of a table."""

    id: int
    """The interaction's id. Ids increase in the order in which presses were made."""
    shard: int
    content: str
    """The data received from Discord, as JSON."""
    age_ms: int = 0
    """How long it waited to be taken."""


@dataclass(frozen=True, slots=True)
class Division:
    """The distribution of the shards: the number of processes, the taken shards, and the fewest held by any."""

    processes: int
    taken: frozenset[int]
    fewest: int

    def missing(self, share: Share) -> list[int]:
        """Return the free shards that a process with this share should take to have its part.

        The remainder of the division is taken once no process has less than its full part.
        """
        least, rest = divmod(share.count, self.processes)
        part = least if self.fewest < least else least + bool(rest)
        free = sorted(frozenset(range(share.count)) - self.taken)
        return free[: max(0, part - len(share.held))]

    def surplus(self, share: Share) -> int:
        """Return how many shards a process with this share should release.

        Afterwards each process has its part or one more.
        """
        least, rest = divmod(share.count, self.processes)
        more = len(share.held) - least - bool(rest)
        others_lack = self.fewest < least < len(share.held) and len(self.taken) == share.count
        return max(more, int(others_lack))


EVERYTHING: Final = Share()
"""All shards: the share of a process that serves alone."""


_COUNT: Final = bindparam("shard_count", type_=Big)
_HELD: Final = bindparam("shards_held", type_=Big, expanding=True)


def owned(guild_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that the server of a row belongs to the given shards."""
    return (guild_id.bitwise_rshift(literal_column(str(SHIFT))) % _COUNT).in_(_HELD)


def asked(share: Share) -> dict[str, Any]:
    """Return the values of the parameters of `owned`."""
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
"""A message about something that is no longer kept belongs to no server, so shard 0 owns it."""
