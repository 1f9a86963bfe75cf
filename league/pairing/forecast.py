"""What a season will be like with so many players, before anything is drawn."""

from dataclasses import dataclass

from league.pairing.divisions import sizes
from league.pairing.pods import table_sizes
from league.settings import SeasonSettings


@dataclass(frozen=True, slots=True)
class Forecast:
    """The size of a season in which everybody plays every round."""

    players: int
    divisions: int
    """0 where there are none."""
    tables: int
    """In each round."""
    rounds: int
    finalists: int
    """How many play the finals; 0 for none."""


def forecast(settings: SeasonSettings, players: int) -> Forecast | None:
    """The season with so many players; None if they are too few, or if nothing is drawn.

    >>> from league.settings import default_settings
    >>> found = forecast(default_settings("pods"), 34)
    >>> (found.tables, found.rounds) if found else None
    (9, 7)
    """
    if not settings.format.has_draw or players < settings.format.least_to_start(settings):
        return None
    divided = settings.format.has_divisions
    groups = sizes(players, settings.division_size) if divided else (players,)
    return Forecast(
        players,
        len(groups) if divided else 0,
        sum(len(table_sizes(group, no_fives=settings.no_fives, usual=settings.pod_size)) for group in groups),
        settings.rounds,
        settings.finalists(players),
    )
