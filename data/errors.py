"""The errors of the store. No message contains a seed, a card or an event."""

# ruff: noqa: N818 -- each name is a sentence: the store is locked, the revision is stale

from dataclasses import astuple, dataclass


class StoreError(Exception):
    """The base class of the store's errors."""


class StoreLockedError(StoreError):
    """Another process has this database open."""


class StoreTooNewError(StoreError):
    """A newer program has changed the database's schema; nothing was changed."""


class StoreTooOldError(StoreError):
    """No migration leads on from the database's schema; nothing was changed."""


class StoreDamagedError(StoreError):
    """The file is corrupt; it is never repaired automatically."""


class StoreForeign(StoreDamagedError):
    """The file is not a database, or belongs to another program; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Holdings:
    """What a database holds."""

    tables: int = 0
    deals: int = 0
    events: int = 0
    """The number of events of deals."""
    seasons: int = 0
    season_events: int = 0

    def has(self, other: "Holdings") -> bool:
        """Return whether there is at least as much of everything."""
        return all(mine >= theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True))


class StoreLost(StoreError):
    """The file no longer holds what it is known to have held; nothing was changed."""

    def __init__(
        self, why: str, before: Holdings | None, now: Holdings | None, known_at: float | None
    ) -> None:
        super().__init__(why)
        self.before = before
        """The minimum that it held; None if unknown."""
        self.now = now
        """What it holds now; None if that was not checked."""
        self.known_at = known_at
        """When `before` was recorded, in seconds since 1970."""


class RestoreInterrupted(StoreLost):
    """Putting a copy in the place of the file was interrupted; it has to be done again."""


class StoreUnavailableError(StoreError):
    """The disk is full, read-only or locked, or there is no server, and a retry may succeed.

    Nothing was changed, unless the error is StoreOutcomeUnknown.
    """


class StoreBusyError(StoreUnavailableError):
    """Too many callers wait for the database: this one did not get its turn, and nothing was changed."""


class StoreFull(StoreUnavailableError):
    """There is no room left on the disk."""


class StoreForbidden(StoreUnavailableError):
    """The file's location can't be read or written."""


class StoreUnreachable(StoreUnavailableError):
    """No server answers at the database's address, or it has ended the connection."""


class StoreOutcomeUnknown(StoreUnreachable):
    """The connection was lost during the commit, and the server could not be asked whether it succeeded."""


class StoreUnsuitable(StoreError):
    """The database server is set up in an unusable way; the text says what to do. Nothing was changed."""


class RevisionConflictError(StoreError):
    """The table has changed since it was read; nothing was changed."""


class InteractionSeenError(StoreError):
    """The interaction was handled before; nothing was changed."""


class SequenceGapError(StoreError):
    """An event or a deal does not follow the last one stored; nothing was changed."""


class UnreadableValueError(StoreError):
    """A stored value is not one that this program writes."""


class EventsDamaged(UnreadableValueError):
    """A stored event of a deal or season is not as written: the disk altered it, or lost one before it."""

    def __init__(self, subject: str, number: int) -> None:
        super().__init__(subject, number)  # as they are, because the processes of the work pool pickle errors
        self.subject = subject
        """The number of the deal or season."""
        self.number = number

    def __str__(self) -> str:
        """Return which event is damaged."""
        return f"event {self.number} of {self.subject} is not what was written down"
