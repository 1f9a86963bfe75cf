"""The tables of the database, by subject."""

from data.schema import leagues, stats

(TABLES,) = {leagues.league_player.metadata, stats.played_seat.metadata}
"""All tables: the modules of all subjects add theirs to the same metadata."""
