"""Who may play in a league: by the age of the account, the time in the server, and the share of finished matches."""

from dataclasses import dataclass

from bot.errors import UserError
from bot.league.season_transaction import SeasonTransaction
from bot.people import Person
from league.results import Player
from league.rulings import Candidate, refusal
from league.season import Season


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person who wants to join, with what Discord knows about them; times are in seconds of UTC."""

    person: Person
    account_since: int
    member_since: int


def require_eligible(season_tx: SeasonTransaction, player: Player, entrant: Entrant) -> None:
    """Raise UserError if the season's settings do not let this person play."""
    started, finished = played(season_tx.season, player)
    candidate = Candidate(entrant.account_since, entrant.member_since, started, finished)
    settings = season_tx.season.settings
    why = refusal(candidate, settings, season_tx.now)
    if why is not None:
        raise UserError(
            f"league.refused_{why}",
            account=settings.account_days,
            server=settings.server_days,
            reliability=settings.reliability,
        )


def played(season: Season, player: Player) -> tuple[int, int]:
    """How many matches a player has started, and how many of these they finished."""
    results = [pod.result for pod in season.pods.values() if pod.result and player in pod.result.players]
    return len(results), sum(player not in result.left for result in results)
