"""Seasons as they were last told: so that a look at a long season costs no more than one at a short one."""

from collections import OrderedDict
from typing import Final

from data.season_rows import SeasonProjection

MOST_MEMBERS: Final = 5_000
"""Of all seasons that are kept together; the one that was asked for longest ago goes first. Each takes some 8 KB, with all tables."""
UNTOLD: Final = SeasonProjection()


class SeasonCache:
    """What committed events have come to, by season. Events are never changed, so nothing of it grows wrong."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, SeasonProjection] = OrderedDict()

    def of(self, season_id: int) -> SeasonProjection:
        """The season as far as it is known; `UNTOLD` where nothing of it is."""
        told = self._kept.get(season_id, UNTOLD)
        if told is not UNTOLD:
            self._kept.move_to_end(season_id)
        return told

    def keep(self, season_id: int, told: SeasonProjection) -> None:
        """Keep what is known of a season, unless more of it is known already."""
        if told.last > self.of(season_id).last:
            self._kept[season_id] = told
        while len(self._kept) > 1 and self._members() > MOST_MEMBERS:
            self._kept.popitem(last=False)

    def _members(self) -> int:
        return sum(len(told.season.members) for told in self._kept.values())
