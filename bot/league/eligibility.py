"""Who may play in a league: by the age of the account, the time in the server, and how many matches were finished."""

from dataclasses import dataclass

from bot.errors import UserError
from bot.league.season_transaction import SeasonTransaction
from bot.people import Person
from league.results import Player
from league.rulings import Candidate, refusal
from league.season import Season


@dataclass(frozen=True, slots=True)
class Entrant:
    """Somebody who wants in, and what Discord knows of him; times are seconds of UTC."""

    person: Person
    account_since: int
    member_since: int


def require_eligible(season_tx: SeasonTransaction, player: Player, entrant: Entrant) -> None:
    """Refuse somebody who may not play by the season's settings; raises UserError."""
    started, finished = played(season_tx.season, player)
    candidate = Candidate(entrant.account_since, entrant.member_since, started, finished)
    settings = season_tx.season.settings
    why = refusal(candidate, settings, season_tx.now // 1000)
    if why is not None:
        raise UserError(
            f"league.refused_{why}",
            account=settings.account_days,
            server=settings.server_days,
            reliability=settings.reliability,
        )


def played(season: Season, player: Player) -> tuple[int, int]:
    """How many matches somebody has started, and how many of them he finished himself."""
    results = [own.result for own in season.pods.values() if own.result and player in own.result.players]
    return len(results), sum(player not in own.left for own in results)
