"""When the match of a pod is played: times proposed to it, when one holds, and times that suit all.

A time holds once everybody agrees. It also holds for a pod of which a majority agrees, or of which no one proposes
another time for some hours, if the others had these hours to see it: a player who never answers stops no match, and
no one is a no-show at a time that they could not know of. In one sitting, everyone is there when a match is drawn: its
time holds at once, and for those who take a seat later.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from league.results import Player
from league.times import HOUR, at_hour, local


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed time, when it was proposed, in UTC milliseconds, and who agreed, including the proposer."""

    at: int
    since: int
    """The same as `at` if no one proposed it: in one sitting, matches begin when they are drawn."""
    agreed: tuple[Player, ...]

    def agreed_by(self, player: Player) -> "Proposal":
        """Return the proposal after this player has agreed."""
        agreed = self.agreed if player in self.agreed else (*self.agreed, player)
        return Proposal(self.at, self.since, agreed)

    def holds_from(self, players: Sequence[Player], answer: int) -> int | None:
        """Return from when the time holds if no one proposes another; None if more must agree first.

        `answer` is how long the players have to answer, in milliseconds.
        """
        if self.at == self.since or self._suits_all(players):
            return self.since
        if self.at - self.since < answer:
            return None
        return self.since if self.yes(players) * 2 > len(players) else self.since + answer

    def replaces(self, held: "Proposal", players: Sequence[Player], answer: int) -> bool:
        """Return whether this proposal replaces a time that holds: silence is not consent to a change.

        It takes everyone, or a majority as large as the one for the time that holds, with the same hours to
        see it.
        """
        if self._suits_all(players):
            return True
        yes = self.yes(players)
        return self.at - self.since >= answer and yes * 2 > len(players) and yes >= held.yes(players)

    def _suits_all(self, players: Sequence[Player]) -> bool:
        return self.yes(players) == len(players)

    def yes(self, players: Sequence[Player]) -> int:
        """Return how many of these players have agreed."""
        return len({*players} & {*self.agreed})


BLOCKS: Final[Mapping[str, tuple[int, int]]] = {
    "any": (0, 24),
    "mornings": (6, 6),
    "days": (9, 9),
    "afternoons": (12, 6),
    "evenings": (17, 6),
    "nights": (20, 7),
}
"""When people play: the first hour of the day, and the number of hours."""
_MATCH: Final = 2
"""The hours that a match may take: it begins early enough to end within the block."""
_DAY: Final = 24


@dataclass(frozen=True, slots=True)
class Hours:
    """When a player plays, in a time zone."""

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
    """Return moments before `due` that suit all players: soonest first, at most one a day.

    Of each day it is the one nearest to `hour`. They are full hours in `timezone`; moments are in UTC
    milliseconds.
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
