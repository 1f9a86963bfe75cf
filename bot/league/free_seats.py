"""Free seats: those who stand by are asked, in the channel and by direct message, and the first yes takes one."""

from bot.errors import Sorry
from bot.league.eligibility import Entrant, require_eligible
from bot.league.leagues import Leagues
from bot.league.season_transaction import Chronicle
from bot.league.vacancies import seat_substitute
from league.events import PodId, SubstituteSet
from league.results import Player
from league.season import Pod
from league.standins import stand_bys, vacancies


async def offer(chronicle: Chronicle, pod: Pod) -> None:
    """Ask those who stand by for every free seat of a pod; where nobody does, nothing is said."""
    asked = stand_bys(chronicle.season, pod.round)
    for seat in vacancies(chronicle.season, pod) if asked else ():
        key = f"seat:{pod.id}:{seat.player}"
        await chronicle.tell(key)
        for own in asked:
            await chronicle.tell(f"{key}:{own.player}", own.player)


async def offer_all(chronicle: Chronicle) -> None:
    """Ask for the free seats of all pods whose tables are open."""
    tables = await chronicle.writer.pod_tables(chronicle.row.id)
    for pod in chronicle.season.pods.values():
        if pod.id in tables:
            await offer(chronicle, pod)


async def show_offers(chronicle: Chronicle, pod_id: PodId) -> None:
    """Bring the messages up to date in which seats of this pod were offered."""
    for key, post in (await chronicle.writer.posts(chronicle.row.id)).items():
        if key.startswith(f"seat:{pod_id}:") and post.player is None:
            await chronicle.tell(key)


class Offers:
    """Seats are taken here."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def take(
        self, season_id: int, pod_id: PodId, player: Player, entrant: Entrant, interaction_id: int
    ) -> None:
        """Take the free seat of a player for this match; raises Sorry where it is not free, or not for this person."""
        async with self._leagues.writing(season_id, interaction_id) as chronicle:
            chronicle.require_open()
            season, pod = chronicle.season, chronicle.season.pods.get(pod_id)
            number = await chronicle.writer.player_of(entrant.person.id)
            if pod is None or player not in {own.player for own in vacancies(season, pod)}:
                raise Sorry("league.seat_taken")
            if number is None or number not in {own.player for own in stand_bys(season, pod.round)}:
                raise Sorry("league.not_standing_by")
            require_eligible(chronicle, number, entrant)
            taken = SubstituteSet(pod_id, player, number)
            await chronicle.add(taken, actor=number)
            await seat_substitute(chronicle, taken)
            await show_offers(chronicle, pod_id)
            await chronicle.tell(f"round:{pod.round}")
            await chronicle.look_again()
