"""What can go wrong with the store. No message holds a seed, a card or an event."""

# ruff: noqa: N818 -- each name is a sentence: the store is locked, the revision is stale


class StoreError(Exception):
    """Any refusal of the store."""


class StoreLocked(StoreError):
    """Another process has this database open."""


class StoreTooNew(StoreError):
    """A newer program has changed the database's schema; nothing was touched."""


class StoreDamaged(StoreError):
    """The file is no database, not ours, or corrupt; it is never repaired on its own."""


class StoreUnavailable(StoreError):
    """The disk is full, read-only or locked: nothing was changed, and a later try may succeed."""


class StaleRevision(StoreError):
    """The table has moved on since it was read; nothing was changed."""


class SequenceGap(StoreError):
    """An event or a deal does not follow on the last one stored; nothing was changed."""


class Unreadable(StoreError):
    """A stored value is not what this program writes."""
