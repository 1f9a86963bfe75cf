"""Forgetting a person: out of every table and season first, then out of everything that is kept."""

from bot.clock import Clock
from bot.league.entries import Entries
from bot.table.leaving import Leaving
from bot.words.texts import texts
from data.store import Store


class Forgetting:
    """What limits the person stays (`data.limits`); it names nobody."""

    def __init__(self, store: Store, clock: Clock, leaving: Leaving, entries: Entries) -> None:
        self._store = store
        self._clock = clock
        self._leaving = leaving
        self._entries = entries

    async def forget(self, person_id: int) -> bool:
        """Forget a person; False for one of whom nothing is kept.

        Broken off in the middle, it has done nothing that doing it again would not do.
        """
        tables = await self._leaving.leave_all(person_id)
        seasons = await self._entries.leave_all(person_id)
        async with self._store.write() as writer:
            for season_id in seasons:
                await writer.add_limit(person_id, "season", season_id)
            called = texts().template("name.player")
            is_known = await writer.forget(person_id, self._clock.now(), called)
        await self._leaving.show_again(tables)
        return is_known
