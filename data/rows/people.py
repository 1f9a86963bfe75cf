"""Rows of people and servers: settings, practice deals, and what a server's staff did. Ids of Discord are integers, times are UTC milliseconds."""

from dataclasses import dataclass, field

from data.preferences import GuildSettings, PersonSettings
from league.ids import GuildId, PersonId, TableId
from marriage.events import Event


@dataclass(frozen=True, slots=True)
class PersonRow:
    """A person. The name is the last one that Discord told."""

    id: PersonId
    name: str
    dms_open: bool
    """False once Discord refused a direct message to this person."""
    updated_at: int
    """When Discord told this name first."""
    settings: PersonSettings = field(default_factory=PersonSettings)
    revision: int = 0
    """Grows with every change. It begins at the current time in milliseconds, so that it never repeats after a person was
    forgotten."""


@dataclass(frozen=True, slots=True)
class GuildRow:
    """A server that the bot has met."""

    id: GuildId
    settings: GuildSettings
    revision: int
    """Grows with every change."""


@dataclass(frozen=True, slots=True)
class StaffActRow:
    """What a member of a server's staff did, and why."""

    id: int
    guild_id: GuildId
    table_id: TableId | None
    person_id: PersonId
    act: str
    reason: str
    at: int


@dataclass(frozen=True, slots=True)
class PracticeRow:
    """A practice deal, which belongs to no table and is never counted."""

    person_id: PersonId
    revision: int
    """Counts the changes, and goes on counting in a new deal."""
    events: tuple[Event, ...] = field(repr=False)
    at: int
