"""Who waits for the staff's approval, and the approval itself. Adding, seeding and banning are rulings."""

from collections.abc import Collection
from dataclasses import dataclass

from bot.errors import UserError
from bot.league.eligibility import record
from bot.league.entries import admit
from bot.league.leagues import Leagues
from bot.league.season_transaction import read_season
from bot.people import Person
from data.ids import InteractionId, SeasonId
from data.season_posts import AdmissionNotice, CheckInPost, SignupPost
from league.members.decisions import MemberSet
from league.results import Player
from league.rulings import reliability


@dataclass(frozen=True, slots=True)
class Reliability:
    """What the staff should know of somebody's earlier matches in the league."""

    started: int
    finished: int

    @property
    def percent(self) -> int:
        """The share that they finish; everybody starts as if they had finished four of five."""
        return round(100 * reliability(self.started, self.finished))


class Members:
    """The caller checks that the person is staff."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def reliabilities(self, season_id: SeasonId) -> dict[Player, Reliability]:
        """How reliable everybody is who is in the season or asks for it, over all seasons of the league."""
        async with self._leagues.store.reading() as db:
            row, season, _ = await read_season(db, season_id)
            return {
                player: Reliability(*await record(db, row, season, player))
                for player in season.members
                if not season.has_left(player)
            }

    async def approve(
        self,
        season_id: SeasonId,
        staff: Person,
        players: Collection[Player] | None,
        interaction_id: InteractionId,
    ) -> int:
        """Approve these sign-ups, or all that wait; returns how many. Raises UserError if none of them waits any more."""
        async with self._leagues.writing(season_id, interaction_id) as season_tx:
            season_tx.require_open()
            await season_tx.db.people.keep(staff.id, staff.name, season_tx.now)
            actor = await season_tx.db.seasons.keep_player(staff.id)
            waiting = [
                member.player for member in season_tx.season.members.values() if member.status == "asking"
            ]
            approved = [player for player in waiting if players is None or player in players]
            if not approved:
                raise UserError("league.none_asks")
            for player in approved:
                await season_tx.add(MemberSet(player, "waiting", "asking"), actor=actor, staff=True)
                await admit(season_tx, player)
                await season_tx.request_post(AdmissionNotice(player))
            for post in await season_tx.db.seasons.posts(season_id):
                if isinstance(post, SignupPost | CheckInPost):
                    await season_tx.request_post(post)
            return len(approved)
