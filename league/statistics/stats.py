"""Finished deals, and the running statistics of all of them: ratings, tallies for the boards, achievements, and careers; and the periods of boards.

The bot enters each deal as it ends and stores what has changed. Entering all deals again, in their order,
gives exactly the same result, because both use `Stats.enter`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from enum import StrEnum
from math import sqrt
from typing import Final

from league.ids import GuildId, TableId
from league.points import nearest
from league.results import DealResult, Player
from league.statistics.ratings import Rating, rate
from league.times import milliseconds, utc
from marriage.sheet import Ending, Status
from marriage.state import ShowKind


class Span(StrEnum):
    """How far back a board reaches. Each member's text is also its key in the message catalogues."""

    WEEK = "week"
    """Since Monday."""
    MONTH = "month"
    ALL = "all"

    def starts(self, at: int) -> int:
        """Return the start of the period that contains a moment; both in milliseconds since 1970.

        >>> Span.WEEK.starts(1_767_225_600_000), Span.ALL.starts(1_767_225_600_000)
        (1766966400000, 0)
        """
        day = utc(at).replace(hour=0, minute=0, second=0, microsecond=0)
        match self:
            case Span.WEEK:
                first = day - timedelta(days=day.weekday())
            case Span.MONTH:
                first = day.replace(day=1)
            case Span.ALL:
                return 0
        return milliseconds(first)


def period(span: Span, at: int) -> str:
    """Return the name of the period that contains a moment, given in milliseconds since 1970.

    >>> [period(span, 1_767_225_600_000) for span in Span]
    ['2026-W01', '2026-01', 'all']
    """
    when = utc(at)
    match span:
        case Span.WEEK:
            return f"{when:%G-W%V}"
        case Span.MONTH:
            return f"{when:%Y-%m}"
        case Span.ALL:
            return "all"


def periods(at: int) -> tuple[str, ...]:
    """Return the names of all periods that contain a moment."""
    return tuple(period(span, at) for span in Span)


class StandIn(StrEnum):
    """When a computer played in place of a person."""

    WHOLE = "whole"
    """For the whole deal. It does not count as this person's deal."""
    PART = "part"
    """From some move to the end."""
    BACK = "back"
    """For a part of the deal; the person came back and finished it."""


class Company(StrEnum):
    """The kind of company in which a deal was played.

    Its figures are kept separately. Each member's text is also its key in the message catalogues.
    """

    PEOPLE = "people"
    """Only people: ratings and boards count the deal."""
    COMPUTERS = "computers"
    """At least one computer."""


def is_computers(person: Player | None, stand_in: StandIn | str | None) -> bool:
    """Whether a computer plays this seat from the first card. Ratings and boards count a deal only without such seats."""
    return person is None or stand_in == StandIn.WHOLE


@dataclass(frozen=True, slots=True)
class SeatFacts:
    """What one seat did in the deal, and its result."""

    person: Player | None
    """The player; None for a computer player."""
    name: str
    net: int
    """The points that the seat won or paid."""
    points: int
    """The seat's maal."""
    place: int
    """The place by `net`, 1 for the best; equal seats share a place."""
    standing: int
    """The seat's place in the match after this deal."""
    winner: bool
    status: Status
    shown: ShowKind | None = None
    shown_turn: int | None = None
    """The turn in which the seat showed, counting its own turns from 1."""
    one_turn: bool = False
    """Whether it showed and finished in one turn."""
    tunnelas: int = 0
    """The number of tunnelas exposed."""
    marriages: int = 0
    """The number of marriages held at the end, if the seat had seen."""
    tiplus: int = 0
    """The number of copies of the tiplu held at the end, if the seat had seen."""
    stand_in: StandIn | None = None
    ruled: int = 0
    """The part of `net` that ruled fouls gave, or cost if it is negative."""

    @property
    def counted(self) -> int:
        """The points that leaderboards and ratings count: without the penalties of ruled fouls."""
        return self.net - self.ruled

    @property
    def own(self) -> bool:
        """Whether a person finished the deal at this seat."""
        return self.person is not None and self.stand_in in {None, StandIn.BACK}

    @property
    def seen(self) -> bool:
        """Whether the seat has seen the tiplu."""
        return self.shown is not None and self.status is Status.SEEN


@dataclass(frozen=True, slots=True)
class DealFacts:
    """One finished deal of 2 to 5 seats."""

    number: int
    """The number of the deal. Finished deals are numbered in the order in which they ended, over all tables."""
    guild: GuildId
    table: TableId
    deal_no: int
    match_no: int | None
    match_deal: int | None
    """The number of the deal in its match: 1, 2, 3 ..."""
    at: int
    """The time at which it ended, in UTC milliseconds since 1970."""
    ending: Ending
    stopped: bool
    """Whether people ended it early, by a vote or by leaving, or ruled a foul in it."""
    seats: tuple[SeatFacts, ...]
    of_the_day: bool = False
    """Whether it is a player's deal of the day, which has boards of its own."""

    @property
    def rated(self) -> bool:
        """Whether ratings and boards count it: it was finished, with people on all seats from the first card."""
        return not self.stopped and not any(is_computers(seat.person, seat.stand_in) for seat in self.seats)

    @property
    def company(self) -> Company | None:
        """The figures that count it; None for a deal of the day and for a deal that people ended early."""
        if self.rated:
            return Company.PEOPLE
        return None if self.stopped or self.of_the_day else Company.COMPUTERS

    def result(self, par: float = 1.0) -> DealResult:
        """Return the deal in the form that ratings need; `par` is the usual spread of its points."""
        left = {seat.person for seat in self.seats if seat.stand_in is StandIn.PART}
        return DealResult(
            id=(self.table, self.deal_no),
            at=self.at,
            players=tuple(seat.person for seat in self.seats),
            points=tuple(seat.counted for seat in self.seats),
            par=par,
            left=frozenset(person for person in left if person is not None),
        )


def places(figures: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each figure, 1 for the largest; equal figures share a place.

    >>> places([18, -5, 7, -5])
    (1, 3, 2, 3)
    """
    return tuple(1 + sum(other > figure for other in figures) for figure in figures)


ENOUGH: Final = 30
"""The fewest deals for which the share is shown."""


@dataclass(frozen=True, slots=True)
class Seen:
    """How many finished deals a player has had, and in how many of them they have shown."""

    deals: int
    seen: int

    @property
    def percent(self) -> int | None:
        """The share in whole percent; None for fewer deals than `ENOUGH`."""
        return nearest(100 * self.seen, self.deals) if self.deals >= ENOUGH else None


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
"""The number of wins that make a run, and the number of deals after which the last player is behind."""


@dataclass(frozen=True, slots=True)
class Career:
    """The facts about a player's earlier deals that must be remembered."""

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


Guild = int
TallyKey = tuple[Guild, str, Player]
"""A server, a period's name and a person."""
MODEL_VERSION: Final = "2"
"""Change this when the same deals give other figures, so that the bot recomputes them at its next start."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The sums over a player's deals in one server, one period and one kind of company."""

    deals: int = 0
    wins: int = 0
    seen: int = 0
    dublees: int = 0
    """The number of deals won with eight dublees."""
    net: int = 0
    squares: int = 0
    """The sum of the squares of the points, for the error."""
    maal: int = 0
    """The maal, summed over the deals in which the player had seen."""

    def with_deal(self, deal: DealFacts, seat: SeatFacts) -> "Tally":
        """Return the tally with one more deal."""
        return Tally(
            deals=self.deals + 1,
            wins=self.wins + seat.winner,
            seen=self.seen + seat.seen,
            dublees=self.dublees + (seat.winner and deal.ending is Ending.DUBLEES),
            net=self.net + seat.counted,
            squares=self.squares + seat.counted**2,
            maal=self.maal + (seat.points if seat.seen else 0),
        )

    @property
    def mean(self) -> float:
        """The points per deal; 0 without deals."""
        return self.net / self.deals if self.deals else 0.0

    @property
    def error(self) -> float | None:
        """The standard error of `mean`; None for fewer than two deals.

        >>> Tally(deals=2, net=0, squares=200).error
        10.0
        """
        if self.deals < 2:
            return None
        spread = (self.squares - self.net**2 / self.deals) / (self.deals - 1)
        return sqrt(max(spread, 0.0) / self.deals)


@dataclass(frozen=True, slots=True)
class Earned:
    """An achievement that a player has earned for the first time."""

    person: Player
    achievement: Achievement
    table: int
    deal_no: int
    at: int


@dataclass(slots=True)
class Stats:
    """All statistics, or the part that the next deal needs."""

    ratings: dict[Guild, dict[Player, Rating]] = field(default_factory=dict[Guild, dict[Player, Rating]])
    tallies: dict[TallyKey, Tally] = field(default_factory=dict[TallyKey, Tally])
    with_computers: dict[TallyKey, Tally] = field(default_factory=dict[TallyKey, Tally])
    """The tallies of deals with computers. Those of people alone are in `tallies`; no deal is in both."""
    careers: dict[Player, Career] = field(default_factory=dict[Player, Career])
    earned: list[Earned] = field(default_factory=list[Earned])
    """The achievements, in the order in which they were earned."""

    def enter(self, deal: DealFacts) -> None:
        """Enter one more deal; deals have to come in the order of their numbers."""
        for seat in deal.seats:
            if seat.person is not None:
                self._further(seat.person, deal, seat)
        if deal.rated:
            pool = self.ratings.setdefault(deal.guild, {})
            pool |= rate(pool, deal.result())
        if deal.company is not None:
            _tally(self.tallies_of(deal.company), deal)

    def tallies_of(self, company: Company) -> dict[TallyKey, Tally]:
        """Return the tallies of the deals in this company, to be read and changed."""
        return self.tallies if company is Company.PEOPLE else self.with_computers

    def _further(self, person: Player, deal: DealFacts, seat: SeatFacts) -> None:
        career, new = step(self.careers.get(person, BEGINNER), deal, seat)
        if career != BEGINNER:
            self.careers[person] = career
        self.earned += [Earned(person, achievement, deal.table, deal.deal_no, deal.at) for achievement in new]


def _tally(tallies: dict[TallyKey, Tally], deal: DealFacts) -> None:
    """Add a deal to the tallies of all its players. A deal that a computer played as a whole is not the person's."""
    for seat in deal.seats:
        if seat.person is not None and seat.stand_in is not StandIn.WHOLE:
            for name in periods(deal.at):
                key = (deal.guild, name, seat.person)
                tallies[key] = tallies.get(key, Tally()).with_deal(deal, seat)
