"""One handler for each class of keys in the outbox: it publishes what the key asks for."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bot.lanes import LONGEST_WAIT_MS
from data.outbox_keys import OutboxKey
from data.rows.outbox import Key, OutboxRow

Publish = Callable[[OutboxRow[Key]], Awaitable[int]]
"""Brings a message up to date and returns the revision that it shows.

Raises the errors of `bot.delivery.discord_calls`, and PostponedError.
"""


class PostponedError(Exception):
    """What was requested need not be published before `until`, in milliseconds since 1970."""

    def __init__(self, until: int) -> None:
        super().__init__("postponed")
        self.until = until


@dataclass(frozen=True, slots=True)
class Patience:
    """Which errors are retried although a retry helps only after people have done something."""

    errors: tuple[type[Exception], ...] = ()
    """Such as a missing permission. RetryLaterError and unforeseen errors are always retried."""
    longest_wait_ms: int = LONGEST_WAIT_MS
    """The longest wait between two attempts after such an error."""


@dataclass(frozen=True, slots=True)
class Handler:
    """How the keys of one class are published, and which of their errors are retried."""

    publish: Publish[Any]
    patience: Patience


class Handlers:
    """The handlers of an outbox, by the class of the key."""

    def __init__(self) -> None:
        self._handlers: dict[type[OutboxKey], Handler] = {}

    def on(self, kind: type[Key], publish: Publish[Key], patience: Patience = Patience()) -> "Handlers":
        """Publish keys of this class with `publish`; returns the same object."""
        self._handlers[kind] = Handler(publish, patience)
        return self

    def __getitem__(self, key: OutboxKey) -> Handler:
        return self._handlers[type(key)]

    def __iter__(self) -> Iterator[type[OutboxKey]]:
        return iter(self._handlers)
