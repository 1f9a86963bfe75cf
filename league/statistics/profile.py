"""A player's profile: everything that its words and its picture are made of."""

from dataclasses import dataclass

from league.results import Player
from league.statistics.decision_quality import DecisionQuality
from league.statistics.facts import Company
from league.statistics.puzzle_ratings import PuzzleFigures
from league.statistics.ratings import ESTABLISHED_DEALS, ESTABLISHED_OPPONENTS, Rating
from league.statistics.stats import Earned, Tally

ENOUGH = 30
"""The fewest deals with which percentages are given."""
FORM = 20
"""How many of the latest deals make up the form."""
COURSE = 120
"""The most steps of the course through all deals."""


@dataclass(frozen=True, slots=True)
class Rival:
    """An opponent whom the player has met, with figures from the player's side."""

    person: Player
    name: str
    deals: int
    ahead: int
    """Deals in which the player came before this opponent."""
    behind: int
    net: int
    """The player's points in these deals."""


@dataclass(frozen=True, slots=True)
class BestDeal:
    """One of the player's best deals."""

    table: int
    deal_no: int
    at: int
    """When it ended, in milliseconds of UTC."""
    seats: int
    net: int
    points: int
    """The player's maal in it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A rating as people read it."""

    figure: int
    band: int
    """One sigma, after the plus-minus sign."""
    provisional: bool
    deals: int
    opponents: int
    """Different opponents, counted up to as many as an established rating needs."""
    deals_asked: int = ESTABLISHED_DEALS
    opponents_asked: int = ESTABLISHED_OPPONENTS

    @classmethod
    def of(cls, rating: Rating, now: int) -> "Shown":
        """The rating at a time, in milliseconds of UTC."""
        return cls(rating.shown(), rating.band(now), rating.provisional(now), rating.deals, len(rating.met))


@dataclass(frozen=True, slots=True)
class Streaks:
    """On how many days a player has been here. A row of days counts until a whole day has passed without."""

    days: int = 0
    """Days on which they finished a deal; the same in every server."""
    running: int = 0
    """How many of them are in a row up to now."""
    longest: int = 0
    daily: int = 0
    """Days in a row with a finished deal of the day."""
    puzzle: int = 0
    """Days in a row with an answer to the puzzle of the day."""


@dataclass(frozen=True, slots=True)
class Profile:
    """One player in one server, by the deals that they played in one kind of company."""

    person: Player
    name: str
    tally: Tally
    matches: int
    others: int
    """Deals in no figures at all: those of the day, and those that people ended early."""
    since: int | None
    """When the first of the deals among people ended, in milliseconds of UTC."""
    rating: Shown | None
    form: tuple[int, ...]
    """The points of the latest deals, the oldest of them first."""
    best: tuple[BestDeal, ...]
    rivals: tuple[Rival, ...]
    """Those met most often, the most often first."""
    earned: tuple[Earned, ...]
    """The earliest first."""
    course: tuple[int, ...] = ()
    """The running total of points from 0, deal by deal, or at intervals where there were many deals."""
    puzzles: PuzzleFigures | None = None
    """The same in every server; None before the first answer."""
    decisions: DecisionQuality | None = None
    """The same in every server; None with too few analysed deals."""
    company: Company = Company.PEOPLE
    """With whom the deals were played that the figures are of."""
    streaks: Streaks = Streaks()
    richest: tuple[BestDeal, ...] = ()
    """The deals with the most maal, the most first."""
    with_viewer: Rival | None = None
    """What the viewer has made of the deals with this player; None for their own profile, or without such deals."""

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
