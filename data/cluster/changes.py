"""What a transaction has changed, for those who keep some of it in memory: in this process and in others."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Changes:
    """Whose rows a transaction has changed: while it is committed, they are known only from the file."""

    people: set[int] = field(default_factory=set[int])
    guilds: set[int] = field(default_factory=set[int])
    tables: set[int] = field(default_factory=set[int])
    is_of_everything: bool = False
    """Whether other processes had better forget all that they keep in memory."""
    is_own_work: bool = False
    """Whether all that is to be done because of it is this process's affair."""


@dataclass(frozen=True, slots=True)
class News:
    """What another process has committed."""

    changes: Changes
    is_work: bool
    """Whether there may be something to do: to send, or to wait for."""
