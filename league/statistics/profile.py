"""A player's profile, with everything that its text and its picture show, and how well the player decides."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Final

from league.results import Player
from league.statistics.puzzle_ratings import PuzzleFigures
from league.statistics.ratings import ESTABLISHED_DEALS, ESTABLISHED_OPPONENTS, Rating
from league.statistics.stats import Company, Earned, Tally

FEWEST_DEALS: Final = 3
"""The fewest analysed deals for which the mean and its error are meaningful."""
LATEST_DEALS: Final = 50
"""The number of latest deals to include, so that the figure describes how the person plays now."""


@dataclass(frozen=True, slots=True)
class DecisionQuality:
    """The mean over analysed deals, each figure with its standard error."""

    deals: int
    accuracy: float
    """The accuracy in percent."""
    accuracy_error: float
    lost: float
    """The points that decisions lost in a deal, converted to a table of four."""
    lost_error: float


def decision_quality(deals: Sequence[tuple[float, float]]) -> DecisionQuality | None:
    """Return the quality from each deal's accuracy and lost points; None for too few deals."""
    if len(deals) < FEWEST_DEALS:
        return None
    accuracies, losses = ([deal[place] for deal in deals] for place in (0, 1))
    return DecisionQuality(len(deals), fmean(accuracies), _error(accuracies), fmean(losses), _error(losses))


def _error(figures: Sequence[float]) -> float:
    return stdev(figures) / sqrt(len(figures))


ENOUGH = 30
"""The fewest deals for which percentages are given."""
FORM = 20
"""The number of latest deals that make up the form."""
COURSE = 120
"""The most steps of the course through all deals."""


@dataclass(frozen=True, slots=True)
class Rival:
    """An opponent whom the player has met, with figures from the player's side."""

    person: Player
    name: str
    deals: int
    ahead: int
    """The number of deals in which the player came before this opponent."""
    behind: int
    net: int
    """The player's points in these deals."""


@dataclass(frozen=True, slots=True)
class BestDeal:
    """One of the player's best deals."""

    table: int
    deal_no: int
    at: int
    """The time at which it ended, in UTC milliseconds."""
    seats: int
    net: int
    points: int
    """The player's maal in the deal."""


@dataclass(frozen=True, slots=True)
class ShownRating:
    """A rating as displayed."""

    figure: int
    band: int
    """One sigma, shown after the plus-minus sign."""
    provisional: bool
    deals: int
    opponents: int
    """The number of different opponents, up to the number that an established rating needs."""
    deals_asked: int = ESTABLISHED_DEALS
    opponents_asked: int = ESTABLISHED_OPPONENTS

    @classmethod
    def of(cls, rating: Rating, now: int) -> "ShownRating":
        """Return the rating at a time, in UTC milliseconds."""
        return cls(rating.shown(), rating.band(now), rating.provisional(now), rating.deals, len(rating.met))


@dataclass(frozen=True, slots=True)
class Streaks:
    """The player's days of activity. A streak ends when a whole day has passed without activity."""

    days: int = 0
    """The number of days on which they finished a deal, the same in every server."""
    running: int = 0
    """The number of these days in a row up to now."""
    longest: int = 0
    daily: int = 0
    """The number of consecutive days with a finished deal of the day."""
    puzzle: int = 0
    """The number of consecutive days with an answer to the puzzle of the day."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One player in one server, from the deals that they played in one kind of company."""

    person: Player
    name: str
    tally: Tally
    matches: int
    others: int
    """The number of deals that no figures count: those of the day, and those that people ended early."""
    since: int | None
    """The time at which the first deal among people ended, in UTC milliseconds."""
    rating: ShownRating | None
    form: tuple[int, ...]
    """The points of the latest deals, the oldest first."""
    best: tuple[BestDeal, ...]
    rivals: tuple[Rival, ...]
    """The opponents met most often, the most frequent first."""
    earned: tuple[Earned, ...]
    """The achievements, the earliest first."""
    course: tuple[int, ...] = ()
    """The running total of points from 0, deal by deal, or at intervals if there are many deals."""
    puzzles: PuzzleFigures | None = None
    """The puzzle figures, the same in every server; None before the first answer."""
    decisions: DecisionQuality | None = None
    """The decision quality, the same in every server; None with too few analysed deals."""
    company: Company = Company.PEOPLE
    """The company in which the counted deals were played."""
    streaks: Streaks = Streaks()
    richest: tuple[BestDeal, ...] = ()
    """The deals with the most maal, the best first."""
    with_viewer: Rival | None = None
    """The viewer's record in deals with this player; None for their own profile, or without such deals."""

    @property
    def win_rate(self) -> float | None:
        """The share of deals won; None with too few deals."""
        return self._rate(self.tally.wins)

    @property
    def see_rate(self) -> float | None:
        """The share of deals in which the player has seen; None with too few deals."""
        return self._rate(self.tally.seen)

    @property
    def dublee_rate(self) -> float | None:
        """The share of deals won with eight dublees; None with too few deals."""
        return self._rate(self.tally.dublees)

    @property
    def mean_maal(self) -> float | None:
        """The mean maal in the deals in which the player has seen; None if there are none."""
        return self.tally.maal / self.tally.seen if self.tally.seen else None

    def _rate(self, count: int) -> float | None:
        return count / self.tally.deals if self.tally.deals >= ENOUGH else None
