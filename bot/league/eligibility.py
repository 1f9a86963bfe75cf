"""Conditions for playing in a league: the age of the account, the time in the server, the share of finished matches."""

from dataclasses import dataclass
from typing import Final

from bot.errors import UserError
from bot.league.season import SeasonTransaction, read_former
from bot.people import NamedPerson
from data.season_rows import SeasonRow
from data.transaction import ReadTransaction
from league.results import Player
from league.rulings import Candidate, refusal
from league.season import Season

_SEASONS: Final = 12
"""How many earlier seasons count for a player's reliability."""


@dataclass(frozen=True, slots=True)
class Applicant:
    """A person who wants to join, with Discord's data about them; times are in seconds of UTC."""

    person: NamedPerson
    account_since: int
    member_since: int
    roles: frozenset[int] = frozenset()
    """Their roles in the server."""


async def require_eligible(season_tx: SeasonTransaction, player: Player, entrant: Applicant) -> None:
    """Raise UserError if the season's settings or a ban exclude this person."""
    started, finished = await record(season_tx.db, season_tx.row, season_tx.season, player)
    banned = player in season_tx.season.banned
    candidate = Candidate(
        entrant.account_since, entrant.member_since, started, finished, banned=banned, roles=entrant.roles
    )
    settings = season_tx.season.settings
    why = refusal(candidate, settings, season_tx.now)
    if why is not None:
        raise UserError(
            f"league.refused_{why}",
            account=settings.account_days,
            server=settings.server_days,
            reliability=settings.reliability,
            role=settings.role,
        )


async def record(db: ReadTransaction, row: SeasonRow, season: Season, player: Player) -> tuple[int, int]:
    """Return how many matches a player has started and finished in the league.

    Only this season and some earlier ones count.
    """
    counts = [played(known, player) for known in (season, *await read_former(db, row, _SEASONS))]
    return sum(started for started, _ in counts), sum(finished for _, finished in counts)


def played(season: Season, player: Player) -> tuple[int, int]:
    """Return how many matches a player has started, and how many of these they finished."""
    results = [pod.result for pod in season.pods.values() if pod.result and player in pod.result.players]
    return len(results), sum(player not in result.left for result in results)
