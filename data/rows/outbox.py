"""Rows of the outbox. Ids of Discord are integers, times are UTC milliseconds."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from data.outbox_keys import OutboxKey

Key = TypeVar("Key", bound=OutboxKey, covariant=True)  # noqa: PLC0105 - read as a word


@dataclass(frozen=True, slots=True)
class OutboxRow(Generic[Key]):
    """Something to publish: about what, and up to which revision. It never holds a card."""

    id: int
    key: Key
    revision: int
    attempts: int
    queued_at: int
    not_before: int

    @property
    def nonce(self) -> str:
        """At most 25 characters, the same for every attempt, and different in a database made anew."""
        return f"{self.queued_at:x}-{self.id:x}"

    def may_have_arrived(self, since: int) -> bool:
        """Whether an earlier attempt may have sent it: one of those who send since then, or of somebody before them."""
        return self.attempts > 0 or self.queued_at < since


@dataclass(frozen=True, slots=True)
class OutboxRequest:
    """Something that is to be brought to a revision, in `wait_ms` at the latest."""

    key: OutboxKey
    revision: int
    wait_ms: int = 0

    def merged(self, later: "OutboxRequest") -> "OutboxRequest":
        """This request and a later one of the same key as one."""
        revision, wait_ms = max(self.revision, later.revision), min(self.wait_ms, later.wait_ms)
        return OutboxRequest(later.key, revision, wait_ms)
