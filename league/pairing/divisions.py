"""Divisions: who plays in which. The first season goes by strength, later ones by promotion and relegation."""

from collections.abc import Iterable, Mapping, Sequence

from league.results import Player
from league.standings import Standings


def sizes(players: int, size: int) -> tuple[int, ...]:
    """The sizes of the divisions, the highest first: about `size` each, and no two differ by more than one."""
    count = max(1, round(players / size))
    small, larger = divmod(players, count)
    return (small + 1,) * larger + (small,) * (count - larger)


def seeded(players: Sequence[Player], size: int) -> dict[Player, int]:
    """The divisions of a first season, from the players in order of strength; 1 is the highest."""
    return _cut(players, size)


def next_season(
    tables: Sequence[Standings],
    playing: Iterable[Player],
    size: int,
    kept: Mapping[Player, int] | None = None,
) -> dict[Player, int]:
    """The divisions of the next season.

    `tables`: the final standings of every division. `playing`: the players of the next season; newcomers start at the
    bottom, in the order given. `kept`: the divisions of players who come back from a season's rest. Vacant places are
    filled from below.
    """
    wanted: dict[Player, tuple[int, int, int]] = {
        player: (division, 2, 0) for player, division in (kept or {}).items()
    }
    for table in tables:
        for row in table.rows:
            step = {"up": -1, "down": 1}.get(row.zone or "", 0)
            # Players from another division are listed first: players who have just moved are not moved again.
            wanted[row.player] = (table.division + step, 0 if step else 1, row.rank)
    lowest = 1 + max((place[0] for place in wanted.values()), default=0)
    newcomer = (lowest, 0, 0)
    return _cut(sorted(playing, key=lambda player: wanted.get(player, newcomer)), size)


def _cut(players: Sequence[Player], size: int) -> dict[Player, int]:
    found: dict[Player, int] = {}
    for division, count in enumerate(sizes(len(players), size) if players else (), 1):
        for player in players[len(found) : len(found) + count]:
            found[player] = division
    return found
