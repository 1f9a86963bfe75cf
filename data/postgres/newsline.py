"""How processes tell each other what they have committed: LISTEN and NOTIFY, within the transactions.

What a process keeps in memory is true as long as it listens. While it cannot, it keeps nothing.
"""

import json
import secrets
from collections.abc import Callable
from typing import Any, Final

from data.cluster.changes import Changes, News
from data.postgres.commits import CHANNEL
from data.session import Lease

_LONGEST: Final = 7_900
"""The server takes messages of 8,000 bytes at most."""
_WORK: Final = frozenset({"outbox", "deadline", "season"})
"""The tables whose rows are work that waits for a process."""


class Newsline:
    """What this process says to the others, and hears from them."""

    def __init__(self) -> None:
        self._name = secrets.token_hex(8)
        self._hear: Callable[[News], None] = _ignore
        self._listen: Callable[[], None] = _ignore
        self._is_heard = False

    @property
    def is_heard(self) -> bool:
        """Whether this process hears the others now."""
        return self._is_heard

    def follow(self, hear: Callable[[News], None], listen: Callable[[], None]) -> None:
        """Call `hear` with the news of other processes, and `listen` whenever this one begins or ceases to hear them."""
        self._hear, self._listen = hear, listen

    def tell(self, lease: Lease, changes: Changes) -> None:
        """Let a transaction tell the others what it has changed, if that is anything to them."""
        is_work = not changes.is_own_work and not _WORK.isdisjoint(lease.touched)
        ids = [sorted(ids) for ids in (changes.people, changes.guilds, changes.tables)]
        if not (any(ids) or is_work or changes.is_of_everything):
            return
        said = json.dumps([self._name, is_work, None if changes.is_of_everything else ids])
        if len(said) > _LONGEST:
            said = json.dumps([self._name, is_work, None])
        lease.news = said

    async def connect(self, driver: Any) -> None:
        """Listen on this connection of asyncpg's from now on."""
        await driver.add_listener(CHANNEL, self._heard)
        self._become(is_heard=True)

    def lose(self) -> None:
        """The connection is gone."""
        self._become(is_heard=False)

    def _become(self, *, is_heard: bool) -> None:
        if is_heard != self._is_heard:
            self._is_heard = is_heard
            self._listen()

    def _heard(self, _connection: object, _process: int, _channel: str, said: object) -> None:
        name, is_work, ids = json.loads(str(said))
        if name == self._name:
            return
        if ids is None:
            changes = Changes(is_of_everything=True)
        else:
            people, guilds, tables = map(set[int], ids)
            changes = Changes(people, guilds, tables)
        self._hear(News(changes, is_work))


def _ignore(*_: object) -> None:
    """Nobody follows yet."""
