"""Ratings: the strength of players, derived from the order of finish in every deal.

The model is openskill's Bradley-Terry with partial pairing (Weng and Lin, "A Bayesian Approximation Method
for Online Ranking", 2011). A deal moves a rating by much less than by default, because most of a deal is
luck: beta is four times as large. Ties are frequent, and this model treats all who share a place alike.
Ratings are a projection of the recorded deals: the same deals in the same order give the same floats, whether
they are entered one by one or all at once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from openskill.models import BradleyTerryPart

from league.results import DealResult, Player, in_order
from league.times import WEEK

MODEL_VERSION: Final = "btp-b4-t0-v1"
"""The version stored with every rating. A change means that all ratings have to be recomputed."""
MU: Final = 25.0
SIGMA: Final = 25 / 3
_DOUBT: Final = 4 * 25 / 6
_GROWTH: Final = 0.36
"""How much a week without a rated deal adds to sigma squared."""

ESTABLISHED_DEALS: Final = 30
ESTABLISHED_OPPONENTS: Final = 8
ESTABLISHED_SIGMA: Final = 0.90 * SIGMA
_ACTIVE: Final = 2 * WEEK
_SETTLED: Final = 0.515
_EARLY: Final = 0.52
"""The ratio of one standard error to sigma after many deals, and how much larger it is for a newcomer."""
_CENTRE: Final = 1500
_STEP: Final = 40

_MODEL: Final = BradleyTerryPart(beta=_DOUBT, tau=0.0)
"""All settings are made here, because `rate` ignores a `tau` of 0 and would keep a `limit_sigma` for later calls."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The estimated strength of one player."""

    mu: float = MU
    sigma: float = SIGMA
    deals: int = 0
    """The number of rated deals."""
    met: frozenset[Player] = frozenset()
    """The first opponents, up to `ESTABLISHED_OPPONENTS`."""
    last: int | None = None
    """The time at which the last rated deal finished, in UTC milliseconds."""

    def sigma_at(self, now: int) -> float:
        """Return sigma at a later time. It grows with every whole week without a deal, up to that of a newcomer."""
        if self.last is None:
            return self.sigma
        weeks = max(0, now - self.last) // WEEK
        return min(SIGMA, sqrt(self.sigma**2 + _GROWTH * weeks)) if weeks else self.sigma

    def provisional(self, now: int) -> bool:
        """Return whether too little is known for a place on the board.

        The rating is then shown with a question mark.
        """
        return (
            self.deals < ESTABLISHED_DEALS
            or len(self.met) < ESTABLISHED_OPPONENTS
            or self.sigma_at(now) > ESTABLISHED_SIGMA
        )

    def active(self, now: int) -> bool:
        """Return whether a rated deal finished within the last 14 days."""
        return self.last is not None and now - self.last <= _ACTIVE

    def order(self, now: int) -> float:
        """Return the sort key of the board, the largest first: one sigma below mu."""
        return self.mu - self.sigma_at(now)

    def shown(self) -> int:
        """Return the displayed rating. A newcomer has 1500."""
        return shown(self.mu)

    def error(self, now: int) -> float:
        """Return one standard error of mu. It is less than sigma, which the model overstates by design.

        At drawn tables, 68 of 100 simulated players are within it of the value at which their rating would
        settle. The share of sigma that this requires was fitted with `benchmarks/calibration.py`.
        """
        sigma = self.sigma_at(now)
        return sigma * (_SETTLED + _EARLY * max(0.0, 2 * sigma / SIGMA - 1) ** 5)

    def band(self, now: int) -> int:
        """Return one standard error, shown after the plus-minus sign."""
        return round(_STEP * self.error(now))


NEWCOMER: Final = Rating()


def shown(mu: float) -> int:
    """Return the displayed rating for a mu."""
    return round(_CENTRE + _STEP * (mu - MU))


def ranks(deal: DealResult) -> list[float]:
    """Return the place of every seat, 1 for the best. Equal points share a place, and players who left come last."""
    keys = [(player in deal.left, -points) for player, points in zip(deal.players, deal.points, strict=True)]
    return [1.0 + sum(other < key for other in keys) for key in keys]


def rate(ratings: Mapping[Player, Rating], deal: DealResult) -> dict[Player, Rating]:
    """Return the new ratings of the players of one deal; empty if the deal is not rated.

    `ratings` are those before the deal; newcomers may be missing. Deals have to come in the order of
    `league.results.in_order`.
    """
    if not deal.rated:
        return {}
    people = deal.people()
    before = [ratings.get(player, NEWCOMER) for player in people]
    teams = [[_MODEL.create_rating([rating.mu, rating.sigma_at(deal.at)])] for rating in before]
    after = _MODEL.rate(teams, ranks=ranks(deal))
    return {
        player: Rating(
            mu=found.mu,
            sigma=found.sigma,
            deals=rating.deals + 1,
            met=_met(rating.met, player, people),
            last=deal.at,
        )
        for player, rating, [found] in zip(people, before, after, strict=True)
    }


def _met(met: frozenset[Player], player: Player, people: Sequence[Player]) -> frozenset[Player]:
    """Return the opponents met so far, up to `ESTABLISHED_OPPONENTS`."""
    if len(met) >= ESTABLISHED_OPPONENTS:
        return met
    new = [other for other in people if other != player and other not in met]
    return met.union(new[: ESTABLISHED_OPPONENTS - len(met)])


def recompute(deals: Iterable[DealResult]) -> dict[Player, Rating]:
    """Compute all ratings from the recorded deals, which may be given in any order."""
    ratings: dict[Player, Rating] = {}
    for deal in in_order(deals):
        ratings |= rate(ratings, deal)
    return ratings


def chances(ratings: Sequence[Rating]) -> list[float]:
    """Return each player's probability of coming first in their next deal. The probabilities sum to 1."""
    return _MODEL.predict_win([[_MODEL.create_rating([rating.mu, rating.sigma])] for rating in ratings])
