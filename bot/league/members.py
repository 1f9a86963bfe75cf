"""The members of a season: who waits for the staff's approval, and who plays in which team.

Adding, seeding and banning are rulings.
"""

from collections.abc import Collection
from dataclasses import dataclass

from bot.errors import UserError
from bot.league.eligibility import record
from bot.league.entries import admit
from bot.league.leagues import Leagues
from bot.league.season import SeasonTransaction, count_change, read_season
from bot.people import NamedPerson
from bot.words.names import shown_name
from data.ids import InteractionId, SeasonId
from data.names import clean_name
from data.season_posts import AdmissionNotice, CheckInPost, SignupPost, TeamNotice
from data.transaction import ReadTransaction
from league.members import MemberSet, Team, TeamFormed, TeamInvited, TeamJoined, TeamLeft, team_of
from league.results import Player
from league.rulings import reliability


@dataclass(frozen=True, slots=True)
class Reliability:
    """A summary for the staff of a player's earlier matches in the league."""

    started: int
    finished: int

    @property
    def percent(self) -> int:
        """The share of matches that they finish. Everyone starts as if they had finished four of five."""
        return round(100 * reliability(self.started, self.finished))


class Members:
    """The members of seasons. The caller checks that the person is staff."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def reliabilities(self, season_id: SeasonId) -> dict[Player, Reliability]:
        """Return the reliability of all who are in the season or ask to be, over all the league's seasons."""

        async def find_reliability(db: ReadTransaction) -> dict[Player, Reliability]:
            row, season, _ = await read_season(db, season_id)
            return {
                player: Reliability(*await record(db, row, season, player))
                for player in season.members
                if not season.has_left(player)
            }

        return await self._leagues.store.read(find_reliability)

    async def approve(
        self,
        season_id: SeasonId,
        staff: NamedPerson,
        players: Collection[Player] | None,
        interaction_id: InteractionId,
    ) -> int:
        """Approve these sign-ups, or all that wait; returns how many.

        Raises UserError if none of them still waits.
        """

        async def change(season_tx: SeasonTransaction) -> int:
            season_tx.require_open()
            await staff.keep(season_tx.db, season_tx.now)
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

        return await self._leagues.write(season_id, change, interaction_id)


MOST_INVITED = 10
"""The most open invitations that a team can have."""


class Teams:
    """Teams before the first draw. Every method raises UserError to refuse."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def found(
        self, season_id: SeasonId, person: NamedPerson, name: str, interaction_id: InteractionId
    ) -> None:
        """Found a team of that name and become its captain."""

        async def change(season_tx: SeasonTransaction) -> None:
            player, team = await _member(season_tx, person)
            if team is not None:
                raise UserError("team.in_one", team=shown_name(team.name))
            cleaned = clean_name(name, "")
            taken = {other.name.casefold() for other in season_tx.season.teams.values()}
            if not cleaned or cleaned.casefold() in taken:
                raise UserError("team.bad_name")
            await season_tx.add(
                TeamFormed(season_tx.season.last_team + 1, cleaned, player), *_declined(season_tx, player)
            )
            await season_tx.request_post(SignupPost())

        await self._leagues.write(season_id, change, interaction_id)

    async def invite(
        self,
        season_id: SeasonId,
        person: NamedPerson,
        guests: Collection[NamedPerson],
        interaction_id: InteractionId,
    ) -> None:
        """Invite members of the season to the captain's team.

        A captain's invitation notifies each member once, however often the captain leaves a team and founds another.
        """

        async def change(season_tx: SeasonTransaction) -> None:
            player, team = await _member(season_tx, person)
            if team is None or team.captain != player:
                raise UserError("team.captain_only")
            notified = await _invited_by(season_tx, player)
            for guest in guests:
                other = await season_tx.db.seasons.player_of(guest.id)
                if other is None or not _may_join(season_tx, other):
                    raise UserError("team.not_free", name=shown_name(clean_name(guest.name, "?")))
                if other not in team.invited:
                    await season_tx.add(TeamInvited(team.id, other), actor=player)
                    if other not in notified:
                        await season_tx.request_post(TeamNotice(team.id, other))
            if len(season_tx.season.teams[team.id].invited) > MOST_INVITED:
                raise UserError("team.too_many", most=MOST_INVITED)

        await self._leagues.write(season_id, change, interaction_id)

    async def accept(
        self, season_id: SeasonId, person: NamedPerson, number: int, interaction_id: InteractionId
    ) -> None:
        """Join the team of that number, which has invited this person."""

        async def change(season_tx: SeasonTransaction) -> None:
            player, own = await _member(season_tx, person)
            team = season_tx.season.teams.get(number)
            if own is not None:
                raise UserError("team.in_one", team=shown_name(own.name))
            if team is None or player not in team.invited:
                raise UserError("team.not_asked")
            if len(team.members) >= season_tx.season.settings.team_size:
                raise UserError("team.full", team=shown_name(team.name))
            await season_tx.add(TeamJoined(team.id, player), actor=player)
            await season_tx.add(*_declined(season_tx, player))
            await season_tx.request_post(SignupPost())

        await self._leagues.write(season_id, change, interaction_id)

    async def leave(self, season_id: SeasonId, person: NamedPerson, interaction_id: InteractionId) -> None:
        """Leave the team. A team without members is removed."""

        async def change(season_tx: SeasonTransaction) -> None:
            player, team = await _member(season_tx, person)
            if team is None:
                raise UserError("team.in_none")
            await season_tx.add(TeamLeft(team.id, player), actor=player)
            await season_tx.request_post(SignupPost())

        await self._leagues.write(season_id, change, interaction_id)


async def _member(season_tx: SeasonTransaction, person: NamedPerson) -> tuple[Player, Team | None]:
    """Return the player and their team; raises UserError unless teams can still change and they may change more."""
    season_tx.require_open()
    season = season_tx.season
    if not season.settings.team_size:
        raise UserError("team.no_teams")
    if season.drawn:
        raise UserError("team.fixed")
    player = await season_tx.db.seasons.player_of(person.id)
    if player is None or player not in season.members or season.has_left(player):
        raise UserError("league.not_in", league=shown_name(season_tx.row.name))
    await count_change(season_tx, person.id)
    return player, team_of(season.teams, player)


async def _invited_by(season_tx: SeasonTransaction, captain: Player) -> set[Player]:
    """Return the players whom this one has ever invited to a team."""
    events = await season_tx.db.seasons.events(season_tx.row.id)
    return {
        event.body.player
        for event in events
        if isinstance(event.body, TeamInvited) and event.body.on and event.actor == captain
    }


def _may_join(season_tx: SeasonTransaction, player: Player) -> bool:
    """Return whether the player is in the season and in no team."""
    season = season_tx.season
    is_in = player in season.members and not season.has_left(player)
    return is_in and team_of(season.teams, player) is None


def _declined(season_tx: SeasonTransaction, player: Player) -> list[TeamInvited]:
    """Return the events that withdraw the other invitations of a player who now has a team."""
    return [
        TeamInvited(team.id, player, on=False)
        for team in season_tx.season.teams.values()
        if player in team.invited
    ]
