"""A cache of seasons, so that reading a long season costs no more than reading a short one."""

from collections import OrderedDict
from threading import RLock
from typing import Final

from data.ids import SeasonId
from data.season_rows import SeasonProjection

MOST_MEMBERS: Final = 5_000
"""The members of all cached seasons together; the least recently used season goes first. A member takes some 8 KB."""
UNTOLD: Final = SeasonProjection()


class SeasonCache:
    """The projection of the committed events of each season. Events never change, so no entry becomes wrong.

    Functions of transactions use it in their threads.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._kept: OrderedDict[int, SeasonProjection] = OrderedDict()

    def of(self, season_id: SeasonId) -> SeasonProjection:
        """The projection of a season as far as it is known; `UNTOLD` if nothing is known."""
        with self._lock:
            told = self._kept.get(season_id, UNTOLD)
            if told is not UNTOLD:
                self._kept.move_to_end(season_id)
            return told

    def keep(self, season_id: SeasonId, told: SeasonProjection) -> None:
        """Cache a projection, unless one with more events is cached already."""
        with self._lock:
            if told.last > self.of(season_id).last:
                self._kept[season_id] = told
            while len(self._kept) > 1 and self._members() > MOST_MEMBERS:
                self._kept.popitem(last=False)

    def _members(self) -> int:
        return sum(len(told.season.members) for told in self._kept.values())
