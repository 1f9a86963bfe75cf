"""Achievements: memorable moments of a player, computed as a pure function of the recorded deals in their order."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from league.statistics.facts import DealFacts, SeatFacts
from league.times import utc
from marriage.sheet import Ending
from marriage.state import ShowKind


class Achievement(StrEnum):
    """Each member's text is also its key in the message catalogues."""

    WIN = "win"
    """Won a deal."""
    MARRIAGE = "marriage"
    """Had seen and held a marriage at the end of a deal."""
    DOUBLE_MARRIAGE = "double_marriage"
    """Had seen and held two marriages at the end of a deal."""
    THREE_TIPLUS = "three_tiplus"
    """Held all three copies of the tiplu."""
    DUBLEES = "dublees"
    """Finished with eight dublees."""
    ONE_TURN = "one_turn"
    """Showed and finished in one turn."""
    FIRST_TURN = "first_turn"
    """Showed in the very first turn."""
    THREE_TUNNELAS = "three_tunnelas"
    """Exposed three tunnelas in one deal."""
    ALONE = "alone"
    """Won against two or more players, none of whom had seen."""
    THREE_WINS = "three_wins"
    """Won three deals running."""
    COMEBACK = "comeback"
    """Led a match alone, having been last in it after three deals or more."""
    HUNDRED = "hundred"
    """Played a hundred deals."""
    THOUSAND = "thousand"
    """Played a thousand deals."""


_ROW: Final = 3
"""How many wins make a run, and after how many deals the last player counts as behind."""


@dataclass(frozen=True, slots=True)
class Career:
    """What must be remembered of a player's earlier deals."""

    deals: int = 0
    wins_running: int = 0
    behind_at: tuple[int, int] | None = None
    """The latest match, as table and number, in which the player was last after three or more deals."""
    earned: frozenset[Achievement] = frozenset()
    days: int = 0
    """The number of different days on which the player finished a deal. Days are in UTC, like the periods of boards."""
    last_day: int | None = None
    """The latest of these days, as the ordinal of a date."""
    days_running: int = 0
    """How many consecutive days end with the last one."""
    most_running: int = 0

    def with_day(self, day: int) -> "Career":
        """Return the career after a deal on this day.

        A day that was already counted, or lies before the last, changes nothing.
        """
        if self.last_day is not None and day <= self.last_day:
            return self
        running = self.days_running + 1 if self.last_day == day - 1 else 1
        return replace(
            self,
            days=self.days + 1,
            last_day=day,
            days_running=running,
            most_running=max(self.most_running, running),
        )


BEGINNER: Final = Career()


def step(career: Career, deal: DealFacts, seat: SeatFacts) -> tuple[Career, tuple[Achievement, ...]]:
    """Return the career after one more deal at this seat, and the achievements that it earned for the first time.

    A deal that a computer finished for the person, or that people ended early, changes nothing.
    """
    if not seat.own or deal.stopped:
        return career, ()
    after = replace(
        career.with_day(utc(deal.at).toordinal()),
        deals=career.deals + 1,
        wins_running=career.wins_running + 1 if seat.winner else 0,
        behind_at=_match(deal) if _is_behind(deal, seat) else career.behind_at,
    )
    new = tuple(
        achievement
        for achievement, is_met in _TESTS.items()
        if achievement not in career.earned and is_met(after, deal, seat)
    )
    return replace(after, earned=after.earned.union(new)), new


def _is_behind(deal: DealFacts, seat: SeatFacts) -> bool:
    """Return whether the seat is last, among three or more seats, after enough deals."""
    last = max(other.standing for other in deal.seats)
    return (deal.match_deal or 0) >= _ROW <= len(deal.seats) and seat.standing == last > 1


def _match(deal: DealFacts) -> tuple[int, int] | None:
    return None if deal.match_no is None else (deal.table, deal.match_no)


def _has_come_back(career: Career, deal: DealFacts, seat: SeatFacts) -> bool:
    leaders = [other for other in deal.seats if other.standing == 1]
    return career.behind_at is not None and career.behind_at == _match(deal) and leaders == [seat]


def _is_alone(_career: Career, deal: DealFacts, seat: SeatFacts) -> bool:
    others = [other for other in deal.seats if other is not seat]
    return seat.winner and len(others) > 1 and not any(other.seen for other in others)


_Test = Callable[[Career, DealFacts, SeatFacts], bool]
_TESTS: Final[Mapping[Achievement, _Test]] = {
    Achievement.WIN: lambda _career, _deal, seat: seat.winner,
    Achievement.MARRIAGE: lambda _career, _deal, seat: seat.marriages > 0,
    Achievement.DOUBLE_MARRIAGE: lambda _career, _deal, seat: seat.marriages > 1,
    Achievement.THREE_TIPLUS: lambda _career, _deal, seat: seat.tiplus > 2,
    Achievement.DUBLEES: lambda _career, deal, seat: seat.winner and deal.ending is Ending.DUBLEES,
    Achievement.ONE_TURN: lambda _career, _deal, seat: seat.winner and seat.one_turn,
    Achievement.FIRST_TURN: lambda _career, _deal, seat: (
        seat.shown is ShowKind.GROUPS and seat.shown_turn == 1
    ),
    Achievement.THREE_TUNNELAS: lambda _career, _deal, seat: seat.tunnelas > 2,
    Achievement.ALONE: _is_alone,
    Achievement.THREE_WINS: lambda career, _deal, _seat: career.wins_running >= _ROW,
    Achievement.COMEBACK: _has_come_back,
    Achievement.HUNDRED: lambda career, _deal, _seat: career.deals >= 100,
    Achievement.THOUSAND: lambda career, _deal, _seat: career.deals >= 1000,
}
