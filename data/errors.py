"""What can go wrong with the store. No message holds a seed, a card or an event."""

# ruff: noqa: N818 -- each name is a sentence: the store is locked, the revision is stale

from dataclasses import astuple, dataclass


class StoreError(Exception):
    """Any refusal of the store."""


class StoreLockedError(StoreError):
    """Another process has this database open."""


class StoreTooNewError(StoreError):
    """A newer program has changed the database's schema; nothing was touched."""


class StoreTooOldError(StoreError):
    """The database is of a schema from which no migration leads on; nothing was touched."""


class StoreDamagedError(StoreError):
    """The file is corrupt; it is never repaired on its own."""


class StoreForeign(StoreDamagedError):
    """The file is no database, or that of another program; nothing was touched."""


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a database holds."""

    tables: int = 0
    deals: int = 0
    events: int = 0
    """Of deals."""
    seasons: int = 0
    season_events: int = 0

    def has(self, other: "Holdings") -> bool:
        """Whether there is at least as much of everything."""
        return all(mine >= theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True))


class StoreLost(StoreError):
    """The file does not hold any more what it is known to have held; nothing was touched."""

    def __init__(
        self, why: str, before: Holdings | None, now: Holdings | None, known_at: float | None
    ) -> None:
        super().__init__(why)
        self.before = before
        """What it held at least; None if that is not known."""
        self.now = now
        """What it holds; None if it was not looked at."""
        self.known_at = known_at
        """When `before` was written down, in seconds since 1970."""


class StoreUnavailableError(StoreError):
    """The disk is full, read-only or locked: nothing was changed, and a later try may succeed."""


class StoreBusyError(StoreUnavailableError):
    """Too many wait for the database: nothing was changed, because this did not have its turn."""


class StoreFull(StoreUnavailableError):
    """There is no room left on the disk."""


class StoreForbidden(StoreUnavailableError):
    """The place of the file can't be read or written."""


class StoreUnreachable(StoreUnavailableError):
    """No server answers at the database's address, or it has ended the connection."""


class StoreOutcomeUnknown(StoreUnreachable):
    """The connection was lost in the commit, and the server could not be asked whether it was done."""


class StoreUnsuitable(StoreError):
    """The server of the database can't be used as it is set up; the text says what to do. Nothing was changed."""


class RevisionConflictError(StoreError):
    """The table has moved on since it was read; nothing was changed."""


class InteractionSeenError(StoreError):
    """The interaction was handled before; nothing was changed."""


class SequenceGapError(StoreError):
    """An event or a deal does not follow on the last one stored; nothing was changed."""


class UnreadableValueError(StoreError):
    """A stored value is not what this program writes."""


class EventsDamaged(UnreadableValueError):
    """An event of a deal or a season is not what was written down: the disk has changed it, or lost one before it."""

    def __init__(self, subject: str, number: int) -> None:
        super().__init__(f"event {number} of {subject} is not what was written down")
        self.subject = subject
        """The deal or the season, by its number."""
