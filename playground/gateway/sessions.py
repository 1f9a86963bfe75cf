"""Sessions, which outlive their sockets, and the limit on starting them."""

from __future__ import annotations

import secrets
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from playground.gateway.dispatches import Dispatch
from playground.model import Guild
from playground.payloads import Json

DISPATCH = 0
MAX_BUFFERED = 2000
"""The number of events kept for a session. A bot that missed more cannot resume."""
SESSION_LIFE = 300.0
"""Seconds for which a session without a connection can be resumed."""


@dataclass(frozen=True)
class Shard:
    """One of `count` shards. `Shard(0, 1)` receives everything."""

    number: int = 0
    count: int = 1

    def hears_of(self, guild: Guild | None) -> bool:
        """Return whether the events of a guild belong to this shard, or those that concern no guild."""
        return self.number == ((guild.id >> 22) % self.count if guild is not None else 0)


class Link(Protocol):
    """The part of a connection that a session needs."""

    def send(self, frame: Json) -> None:
        """Queue a frame."""
        ...

    def cut(self) -> None:
        """Drop the connection without a close frame."""
        ...


class ResumableSession:
    """The numbered events of one shard, kept so that the bot can resume."""

    def __init__(self, intents: int, shard: Shard) -> None:
        self.id = secrets.token_hex(16)
        self.intents = intents
        self.shard = shard
        self.seq = 0
        self.sent: deque[Json] = deque(maxlen=MAX_BUFFERED)
        self.connection: Link | None = None
        self.left_at = 0.0

    def tell(self, name: str, data: object) -> None:
        """Number an event, keep it, and send it if a connection is open."""
        self.seq += 1
        frame = {"op": DISPATCH, "t": name, "s": self.seq, "d": data}
        self.sent.append(frame)
        if self.connection is not None:
            self.connection.send(frame)

    def hears(self, dispatch: Dispatch) -> bool:
        """Return whether the event belongs to this shard."""
        return self.shard.hears_of(dispatch.guild)

    def missed(self, seq: int) -> list[Json] | None:
        """Return the events after a sequence number; None if some of them are no longer kept."""
        found = [frame for frame in self.sent if frame["s"] > seq]
        return found if len(found) == self.seq - seq else None


class IdentifyLimit:
    """The limit on IDENTIFY: one per interval in each bucket of shards.

    The shards of a bucket have the same remainder by `max_concurrency`.
    """

    def __init__(self, max_concurrency: int, interval: float, now: Callable[[], float]) -> None:
        self.max_concurrency = max_concurrency
        self.interval = interval
        self._now = now
        self._last: dict[int, float] = {}

    def take(self, shard: Shard) -> bool:
        """Take the turn of a shard's bucket; returns whether it was free."""
        bucket, now = shard.number % self.max_concurrency, self._now()
        if bucket in self._last and now - self._last[bucket] < self.interval:
            return False
        self._last[bucket] = now
        return True
