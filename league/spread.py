"""The spread of points, from the deals themselves: what one deal's points are measured by before deals are compared."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt

from league.results import DealResult

ENOUGH = 30
"""Deals of one kind from which their own spread is taken; fewer share that of all deals of as many seats."""
_FOUR = 4

Kind = str
"""Deals of one kind have the same rules: a preset's name."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Deals with the par that they have among each other."""

    deals: tuple[DealResult, ...]
    par: float
    """Of four seats: in these points estimates are shown."""


def measured(deals: Sequence[tuple[Kind, DealResult]]) -> Measured:
    """Every deal with the spread of a seat's points under its rules at so many seats as its par."""
    by_kind: defaultdict[tuple[Kind, int], list[DealResult]] = defaultdict(list)
    by_seats: defaultdict[int, list[DealResult]] = defaultdict(list)
    for kind, deal in deals:
        by_kind[kind, len(deal.players)].append(deal)
        by_seats[len(deal.players)].append(deal)
    pooled = {seats: _spread(own) for seats, own in by_seats.items()}
    pars: Mapping[tuple[Kind, int], float] = {
        (kind, seats): _spread(own) if len(own) >= ENOUGH else pooled[seats]
        for (kind, seats), own in by_kind.items()
    }
    return Measured(
        tuple(replace(deal, par=pars[kind, len(deal.players)]) for kind, deal in deals),
        pooled.get(_FOUR) or _spread(deal for _, deal in deals),
    )


def _spread(deals: Iterable[DealResult]) -> float:
    """The root of the mean square of all seats' points, about nought, for they add up to that; 1 where there are none."""
    squares = [net**2 for deal in deals for net in deal.points]
    return sqrt(sum(squares) / len(squares)) if any(squares) else 1.0
