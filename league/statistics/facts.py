"""A finished deal, with everything that statistics, achievements and boards need."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from league.ids import GuildId, TableId
from league.results import DealResult, Player
from marriage.sheet import Ending, Status
from marriage.state import ShowKind


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
    """What one seat did in the deal, and how it ended."""

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
    """The time at which it ended, in milliseconds of UTC since 1970."""
    ending: Ending
    stopped: bool
    """Whether people ended it early, by a vote or by leaving, or ruled a foul in it."""
    seats: tuple[SeatFacts, ...]
    of_the_day: bool = False
    """Whether it is a player's deal of the day, which has boards of its own."""

    @property
    def rated(self) -> bool:
        """Return whether ratings and boards count it: people held all seats from the first card, and it was finished."""
        return not self.stopped and not any(is_computers(seat.person, seat.stand_in) for seat in self.seats)

    @property
    def company(self) -> Company | None:
        """Return the figures that count it; None for a deal of the day and for a deal that people ended early."""
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
            points=tuple(seat.net for seat in self.seats),
            par=par,
            left=frozenset(person for person in left if person is not None),
        )


def places(figures: Sequence[int]) -> tuple[int, ...]:
    """Return the place of each figure, 1 for the largest; equal figures share a place.

    >>> places([18, -5, 7, -5])
    (1, 3, 2, 3)
    """
    return tuple(1 + sum(other > figure for other in figures) for figure in figures)
