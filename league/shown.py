"""Standings with names: everything that their picture and their words need."""

from dataclasses import dataclass

from league.results import Player
from league.standings import Standings, StandingsRow


@dataclass(frozen=True, slots=True)
class ShownRow:
    """One line: a player's name and row of the standings."""

    name: str
    row: StandingsRow
    missing: bool = False
    """Whether the player has left the season."""


@dataclass(frozen=True, slots=True)
class ShownStandings:
    """The table of a season, or of one of its divisions, as it is shown."""

    title: str
    through: int
    """After which round."""
    rounds: int
    """How many rounds the season has."""
    division: int
    """0 where there are no divisions."""
    rows: tuple[ShownRow, ...]
    final: bool
    """Whether the season is closed."""
    at: int
    """When it was worked out, in milliseconds of UTC."""
    match_spread: int = 0
    """As in `Standings`."""
    decided: bool = False
    """As in `Standings`."""

    @property
    def table(self) -> Standings:
        """The table without names."""
        return Standings(
            self.through,
            self.division,
            tuple(line.row for line in self.rows),
            self.match_spread,
            self.decided,
        )

    @property
    def names(self) -> dict[Player, str]:
        """Everybody's name."""
        return {line.row.player: line.name for line in self.rows}

    def index_of(self, player: Player) -> int | None:
        """The place of a player's line in the list, from 0."""
        return next((place for place, line in enumerate(self.rows) if line.row.player == player), None)


def shown(
    table: Standings,
    names: dict[Player, str],
    title: str,
    *,
    rounds: int,
    final: bool,
    at: int,
    left: frozenset[Player],
) -> ShownStandings:
    """The table with these names; `left` are the players who have left the season."""
    rows = tuple(ShownRow(names[row.player], row, row.player in left) for row in table.rows)
    return ShownStandings(
        title, table.through, rounds, table.division, rows, final, at, table.match_spread, table.decided
    )
