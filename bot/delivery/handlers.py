"""Who publishes what: one handler for each kind of key in the outbox."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bot.lanes import LONGEST_WAIT_MS
from data.outbox_keys import OutboxKey
from data.rows.outbox import Key, OutboxRow

Publish = Callable[[OutboxRow[Key]], Awaitable[int]]
"""Brings a message to its newest state and returns the revision that it shows. Raises `bot.delivery.discord_calls` errors."""


@dataclass(frozen=True, slots=True)
class Patience:
    """What is tried again beside what Discord itself wants to be tried again."""

    errors: tuple[type[Exception], ...] = ()
    """People must do something first, such as give a permission."""
    longest_wait_ms: int = LONGEST_WAIT_MS
    """How rare the attempts after such an error become."""


@dataclass(frozen=True, slots=True)
class Handler:
    """How the keys of one kind are published, and which of their failures are waited out."""

    publish: Publish[Any]
    patience: Patience


class Handlers:
    """The handlers of an outbox, by the class of the key."""

    def __init__(self) -> None:
        self._handlers: dict[type[OutboxKey], Handler] = {}

    def on(self, kind: type[Key], publish: Publish[Key], patience: Patience = Patience()) -> "Handlers":
        """Publish keys of this class so."""
        self._handlers[kind] = Handler(publish, patience)
        return self

    def __getitem__(self, key: OutboxKey) -> Handler:
        return self._handlers[type(key)]

    def __iter__(self) -> Iterator[type[OutboxKey]]:
        return iter(self._handlers)
