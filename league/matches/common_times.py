"""Times at which all players of a pod usually play, from the hours that each has named and the clocks where each is."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from league.times import HOUR
from league.wall_clock import at_hour, local

BLOCKS: Final[Mapping[str, tuple[int, int]]] = {
    "any": (0, 24),
    "mornings": (6, 6),
    "days": (9, 9),
    "afternoons": (12, 6),
    "evenings": (17, 6),
    "nights": (20, 7),
}
"""When people play: the first hour of the day, and how many from there on."""
_MATCH: Final = 2
"""Hours that a match may take: it begins early enough to end within the block."""
_DAY: Final = 24


@dataclass(frozen=True, slots=True)
class Hours:
    """When a player plays, by the clocks of a time zone."""

    timezone: str
    first: int
    count: int
    """24 for any hour."""

    def suit(self, moment: int) -> bool:
        """Return whether a match that begins at this moment, in milliseconds of UTC, fits.

        >>> Hours("Asia/Kathmandu", 17, 6).suit(12 * HOUR)  # half past five there: they stood at UTC+5:30 in 1970
        True
        >>> Hours("UTC", 20, 7).suit(1 * HOUR), Hours("UTC", 20, 7).suit(2 * HOUR)
        (True, False)
        """
        since = (local(moment, self.timezone).hour - self.first) % _DAY
        return self.count == _DAY or since <= self.count - _MATCH


def common_times(
    players: Sequence[Hours], now: int, due: int, timezone: str, hour: int, most: int
) -> list[int]:
    """Moments before `due` that suit all, one a day at most and the soonest first; of a day that nearest to `hour`.

    They are full hours by the clocks of `timezone`; moments are in milliseconds of UTC.
    """
    found: list[int] = []
    day = 0
    while len(found) < most and at_hour(now, timezone, 0, day) < due:
        hours = (
            at_hour(now, timezone, begin, day) for begin in sorted(range(_DAY), key=lambda at: abs(at - hour))
        )
        suiting = (
            at for at in hours if now + HOUR <= at <= due - HOUR and all(own.suit(at) for own in players)
        )
        found += [at for at in (next(suiting, None),) if at is not None]
        day += 1
    return found
