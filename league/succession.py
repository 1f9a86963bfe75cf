"""From one season of a league to the next: who is invited again, and in which division they play."""

from collections.abc import Sequence

from league.book import book
from league.pairing.drawing import next_season, seeded
from league.results import Player
from league.season import Season
from league.settings import SeasonSettings
from league.standings import Standings, standings


def invited(former: Season) -> tuple[Player, ...]:
    """Return the players to invite again: everyone who has not left, including those who only stood by."""
    members = former.members.values()
    return tuple(
        sorted(member.player for member in members if member.status != "removed" and member.withdrawn is None)
    )


def placed(
    former: Sequence[Season], playing: Sequence[Player], settings: SeasonSettings
) -> dict[Player, int]:
    """Return the divisions of a season that is about to be drawn.

    `former`: the previous seasons, latest first. `playing`: the players, strongest first, which counts only
    for newcomers. A player who was away for at most `hiatus_seasons` seasons keeps the division that they had
    earned.
    """
    drawn = [season for season in former if any(member.division for member in season.members.values())]
    if not drawn:
        return seeded(playing, settings.division_size)
    latest, *resting = drawn[: 1 + settings.hiatus_seasons]
    kept: dict[Player, int] = {}
    for season in reversed(resting):
        kept |= _earned(season)
    return next_season(_tables(latest), playing, settings.division_size, kept)


def _tables(season: Season) -> list[Standings]:
    divisions = sorted({member.division for member in season.members.values() if member.division})
    written = book(season)
    return [standings(season, division=division, written=written) for division in divisions]


def _earned(season: Season) -> dict[Player, int]:
    """Return the division in which each player would have played next."""
    step = {"up": -1, "down": 1}
    return {
        row.player: table.division + step.get(row.zone or "", 0)
        for table in _tables(season)
        for row in table.rows
    }
