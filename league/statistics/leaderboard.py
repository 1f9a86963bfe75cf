"""A leaderboard, with everything that its text and its picture show."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from league.results import Player
from league.statistics.estimates import Estimates
from league.statistics.profile import ENOUGH
from league.statistics.ratings import Rating
from league.statistics.stats import Company, Span, Tally


class BoardOrder(StrEnum):
    """The order of a board. Each member's text is also its key in the message catalogues."""

    ADJUSTED = "adjusted"
    """By points per deal, adjusted for the strength of the opponents."""
    RATING = "rating"
    POINTS = "points"
    """By all points of the period."""


USUAL = BoardOrder.ADJUSTED
"""The default order of a board: it needs the fewest deals to identify strong players."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One player on a board."""

    person: Player
    name: str
    place: int | None
    """The place, shared by equal players; None for players with too few deals."""
    value: float
    """The displayed value that the board is ordered by: a rating, or points."""
    error: float | None
    """The error, shown after the plus-minus sign."""
    deals: int
    mean: float
    """The points per deal in the period."""
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class Board:
    """All players of a board, in order: those with a place, then those without."""

    order: BoardOrder
    span: Span
    rows: tuple[Standing, ...]
    at: int
    """The time of the figures, in UTC milliseconds."""
    company: Company = Company.PEOPLE
    """The company in which the deals were played. Boards of deals with computers are ordered by points only."""

    def index_of(self, person: Player) -> int | None:
        """Return the position of a person in `rows`; None if they are not there."""
        return next((index for index, row in enumerate(self.rows) if row.person == person), None)

    @property
    def title(self) -> str:
        """The title of the board, as the end of a key in the message catalogues."""
        return self.order if self.company is Company.PEOPLE else self.company

    @property
    def placed(self) -> int:
        """How many players have a place."""
        return sum(row.place is not None for row in self.rows)


Names = Mapping[Player, str]
"""The names of all people who may be shown. Others are left out."""


def rating_board(
    ratings: Mapping[Player, Rating], tallies: Mapping[Player, Tally], names: Names, span: Span, now: int
) -> Board:
    """Return the board by rating of those who played in the period.

    Provisional and inactive ratings have no place. `now` is in UTC milliseconds. The order is by one sigma
    below mu, a cautious estimate.
    """
    known = {person: rating for person, rating in ratings.items() if person in tallies and person in names}
    active = {person: rating for person, rating in known.items() if rating.active(now)}
    keys = {person: rating.order(now) for person, rating in active.items()}

    def row(person: Player, place: int | None) -> Standing:
        rating, tally = active[person], tallies[person]
        return Standing(
            person,
            names[person],
            place,
            rating.shown(),
            rating.band(now),
            tally.deals,
            tally.mean,
            provisional=place is None,
        )

    sure = {person for person, rating in active.items() if not rating.provisional(now)}
    return Board(BoardOrder.RATING, span, _ranked(keys, sure, row), now)


def points_board(
    tallies: Mapping[Player, Tally], names: Names, span: Span, now: int, company: Company = Company.PEOPLE
) -> Board:
    """Return the board by all points of the period."""
    keys = {person: float(tally.net) for person, tally in tallies.items() if person in names}

    def row(person: Player, place: int | None) -> Standing:
        tally = tallies[person]
        return Standing(person, names[person], place, tally.net, None, tally.deals, tally.mean)

    return Board(BoardOrder.POINTS, span, _ranked(keys, set(keys), row), now, company)


def adjusted_board(estimates: Estimates, tallies: Mapping[Player, Tally], names: Names, span: Span) -> Board:
    """Return the board by points per deal against average opponents at four seats.

    Players with too few deals have no place.
    """
    known = {
        person: estimate.points(estimates.par) for person, estimate in estimates.of.items() if person in names
    }
    keys = {person: estimate.value for person, estimate in known.items()}

    def row(person: Player, place: int | None) -> Standing:
        estimate, tally = known[person], tallies.get(person, Tally())
        return Standing(
            person,
            names[person],
            place,
            estimate.value,
            estimate.error,
            estimate.deals,
            tally.mean,
            provisional=place is None,
        )

    sure = {person for person, estimate in known.items() if estimate.deals >= ENOUGH}
    return Board(BoardOrder.ADJUSTED, span, _ranked(keys, sure, row), estimates.at)


def _ranked(
    keys: Mapping[Player, float], sure: set[Player], row: Callable[[Player, int | None], Standing]
) -> tuple[Standing, ...]:
    """Return a row for each player, the largest key first. Players who are not `sure` come last and have no place."""
    ordered = sorted(keys, key=lambda person: (person not in sure, -keys[person], person))
    rows: list[Standing] = []
    place, before = 0, None
    for index, person in enumerate(ordered, 1):
        if person not in sure:
            rows.append(row(person, None))
            continue
        if keys[person] != before:
            place, before = index, keys[person]
        rows.append(row(person, place))
    return tuple(rows)
