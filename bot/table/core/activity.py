"""When people last pressed or typed something at their tables. Only in memory: after a restart nobody has been active."""

from typing import Final

from bot.clock import Clock
from league.ids import PersonId, TableId

REMEMBERED: Final = 20_000
"""How many people are remembered, each at a table; those who were active longest ago are forgotten first."""


class Activity:
    """Who has looked at their table lately. A person who has need not be told that it is their turn."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: dict[tuple[int, int], int] = {}
        """By table and person: the time of their latest press or command; the oldest first."""

    def note(self, table_id: TableId, person_id: PersonId) -> None:
        """This person has pressed or typed something at this table just now."""
        self._seen.pop((table_id, person_id), None)
        self._seen[table_id, person_id] = self._clock.now()
        if len(self._seen) > REMEMBERED:
            del self._seen[next(iter(self._seen))]

    def silent_ms(self, table_id: TableId, person_id: PersonId) -> int | None:
        """How long ago that was, in milliseconds; None if nothing is known of this person."""
        seen = self._seen.get((table_id, person_id))
        return None if seen is None else max(0, self._clock.now() - seen)
