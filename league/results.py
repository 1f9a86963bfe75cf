"""The input of ratings and boards: one recorded deal, and who played it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from league.ids import TableId

Player = int
"""A person's number, the same everywhere."""
DealId = tuple[TableId, int]
"""A deal: its table's number and its number at the table. Used only to order deals that ended at the same time."""


def player_name(player: Player, names: Mapping[Player, str]) -> str:
    """Return the displayed name of a player: their name, or else their number."""
    return names.get(player, f"Player {player}")


@dataclass(frozen=True, slots=True)
class DealResult:
    """One finished deal of 2 to 5 seats."""

    id: DealId
    at: int
    """When it finished, in UTC milliseconds since 1970."""
    players: tuple[Player | None, ...]
    """By seat; None for a computer player."""
    points: tuple[int, ...]
    """The points won or paid by each seat; they add up to 0."""
    par: float
    """The usual spread of a seat's points under these rules at so many seats (`league.statistics.par`)."""
    left: frozenset[Player] = frozenset()
    """The players who left during this deal; a computer finished it for them."""

    def __post_init__(self) -> None:
        people = [player for player in self.players if player is not None]
        if len(self.players) < 2 or len(self.players) != len(self.points):
            raise ValueError("a deal has two seats or more, and points for each")
        if len(set(people)) < len(people):
            raise ValueError("a player sits at two seats of one deal")
        if self.par <= 0:
            raise ValueError("par is above zero")

    @property
    def rated(self) -> bool:
        """Whether the deal counts for ratings: it began with people on all seats."""
        return None not in self.players

    def people(self) -> tuple[Player, ...]:
        """Return the people at the table, by seat."""
        return tuple(player for player in self.players if player is not None)


def in_order(deals: Iterable[DealResult]) -> list[DealResult]:
    """Return the deals in the order that every projection uses: by the time they finished, then by id."""
    return sorted(deals, key=lambda deal: (deal.at, deal.id))
