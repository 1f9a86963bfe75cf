"""From one season of a league to the next: who is asked to play again, and who then plays in which division."""

from collections.abc import Sequence

from league.pairing.divisions import next_season, seeded
from league.results import Player
from league.season import Season
from league.settings import SeasonSettings
from league.standings import Standings, standings


def invited(former: Season) -> tuple[Player, ...]:
    """Who is asked to play again: everybody who has not left, those who only stood by included."""
    members = former.members.values()
    return tuple(
        sorted(member.player for member in members if member.status != "removed" and member.withdrawn is None)
    )


def placed(
    former: Sequence[Season], playing: Sequence[Player], settings: SeasonSettings
) -> dict[Player, int]:
    """The divisions of a season that is about to be drawn.

    `former`: the seasons before it, the latest first. `playing`: who plays now, in the order of sign-up, which counts
    only for newcomers. Whoever was away for `hiatus_seasons` seasons at most keeps the division that he had earned.
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
    return [standings(season, division=division) for division in divisions]


def _earned(season: Season) -> dict[Player, int]:
    """Where everybody would have played next."""
    step = {"up": -1, "down": 1}
    return {
        row.player: table.division + step.get(row.zone or "", 0)
        for table in _tables(season)
        for row in table.rows
    }
