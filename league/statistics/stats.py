"""Running statistics of all recorded deals: ratings, tallies for the boards, and careers.

The bot enters each deal as it ends and stores what has changed. Entering all deals again, in their order,
gives exactly the same result, because both use `Stats.enter`.
"""

from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from league.results import Player
from league.statistics.achievements import BEGINNER, Achievement, Career, step
from league.statistics.facts import Company, DealFacts, SeatFacts, StandIn
from league.statistics.periods import periods
from league.statistics.ratings import Rating, rate
from marriage.sheet import Ending

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
    """The sum of the squares of `net`, for the error."""
    maal: int = 0
    """The maal, summed over the deals in which the player had seen."""

    def with_deal(self, deal: DealFacts, seat: SeatFacts) -> "Tally":
        """Return the tally with one more deal."""
        return Tally(
            deals=self.deals + 1,
            wins=self.wins + seat.winner,
            seen=self.seen + seat.seen,
            dublees=self.dublees + (seat.winner and deal.ending is Ending.DUBLEES),
            net=self.net + seat.net,
            squares=self.squares + seat.net**2,
            maal=self.maal + (seat.points if seat.seen else 0),
        )

    @property
    def mean(self) -> float:
        """Return the points per deal; 0 without deals."""
        return self.net / self.deals if self.deals else 0.0

    @property
    def error(self) -> float | None:
        """Return the standard error of `mean`; None for fewer than two deals.

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
