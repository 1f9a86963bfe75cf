"""Members entering and leaving a season: sign-up, confirmation, check-in for a round, and withdrawal."""

from collections.abc import AsyncIterator, Collection, Iterable

import structlog

from bot.errors import UserError
from bot.league.agenda import draw_at, opens_at
from bot.league.eligibility import Applicant, require_eligible
from bot.league.free_seats import give_seats_back, offer_all, vacate
from bot.league.leagues import Leagues
from bot.league.reports import await_no_longer
from bot.league.season import SeasonTransaction, count_change
from bot.people import NamedPerson
from bot.words.names import shown_name
from data.errors import EventsDamaged
from data.ids import InteractionId, SeasonId
from data.preferences import Pace
from data.season_posts import AdmissionNotice, CheckInPost, InvitationNotice, SignupPost
from data.transaction import ReadTransaction
from league.events import (
    AbsenceBooked,
    AlwaysIn,
    CheckedIn,
    Confirmed,
    NumbersChanged,
    Returned,
    SignedUp,
    SignupRemoved,
    Verdict,
    Withdrawn,
)
from league.ids import PersonId, TableId
from league.matches.times import BLOCKS, Hours
from league.members import MemberSet, TeamLeft, team_of
from league.pairing.drawing import gone_away, has_place, missed_before, moving_up, places_left
from league.results import Player
from league.season import Member, Pod, Season
from league.times import DAY, HOUR

log = structlog.get_logger(__name__)
_PRESENT: tuple[Verdict, ...] = ("average", "average_plus", "no_show", "absence")
"""The verdicts on an unfinished match for players who had not left."""


class Entries:
    """Each method handles one press and returns the message key of the answer.

    All raise UserError to refuse.
    """

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def join(
        self,
        season_id: SeasonId,
        entrant: Applicant,
        interaction_id: InteractionId,
        *,
        by_invitation: bool = False,
    ) -> str:
        """Sign up, or join late.

        For a person outside the server, `by_invitation` says that they were invited.
        """

        async def change(season_tx: SeasonTransaction) -> str:
            season_tx.require_open()
            await _require_not_forgotten(season_tx, entrant.person)
            player = await _player(season_tx, entrant)
            await count_change(season_tx, entrant.person.id)
            if by_invitation and await season_tx.db.seasons.post(season_id, InvitationNotice(player)) is None:
                raise UserError("league.join_there")
            member = season_tx.season.members.get(player)
            if player in season_tx.season.banned:
                raise UserError("league.refused_banned")
            if player in gone_away(season_tx.season):
                await season_tx.add(CheckedIn(player, season_tx.season.drawn + 1), actor=player)
                await season_tx.look_again()  # the next round may only have waited for players
                return "league.back_again"
            if member is not None and _is_in(member):
                _require_more(season_tx, member)
            await require_eligible(season_tx, player, entrant)
            said = await _take_in(season_tx, player, member)
            await _show_entries(season_tx)
            if season_tx.season.settings.is_sitting:
                await season_tx.look_again()
            return said

        return await self._leagues.write(season_id, change, interaction_id)

    async def leave(self, season_id: SeasonId, person: NamedPerson, interaction_id: InteractionId) -> str:
        """Cancel a sign-up, or withdraw from a season that has begun.

        The season's remaining matches are played without the person.
        """

        async def change(season_tx: SeasonTransaction) -> str:
            season_tx.require_open()
            _, member = await _member(season_tx, person)
            await count_change(season_tx, person.id)
            return await _leave(season_tx, member)

        return await self._leagues.write(season_id, change, interaction_id)

    async def leave_all(self, person_id: PersonId) -> list[SeasonId]:
        """Leave every open season. Returns the seasons that a forgotten person cannot enter again."""

        async def find_seasons(db: ReadTransaction):
            player = await db.seasons.player_of(person_id)
            running = [] if player is None else await db.seasons.running()
            mine = [
                season_id
                async for season_id, season in _sound(db, running)
                if player in season.members or player in season.banned
            ]
            return player, mine

        player, mine = await self._leagues.store.read(find_seasons)

        async def leave(season_tx: SeasonTransaction) -> bool:
            member = season_tx.season.members.get(player or 0)
            if member is not None and _is_in(member):
                await _leave(season_tx, member)
            return player in season_tx.season.banned or season_tx.season.has_withdrawn(player or 0)

        return [season_id for season_id in mine if await self._leagues.write(season_id, leave)]

    async def is_in_any(
        self, db: ReadTransaction, person_id: PersonId, seasons: Collection[SeasonId]
    ) -> bool:
        """Return whether a person is in an open season now; `seasons` are those that know them."""
        player = await db.seasons.player_of(person_id)
        running = [] if player is None else await db.seasons.running()
        async for _, season in _sound(db, [season_id for season_id in running if season_id in seasons]):
            member = season.members.get(player or 0)
            if member is not None and _is_in(member):
                return True
        return False

    async def bans_of(
        self, db: ReadTransaction, person_id: PersonId, seasons: Collection[SeasonId]
    ) -> list[SeasonId]:
        """Return the latest seasons of leagues from which a person is banned; `seasons` are those that know them."""
        player = await db.seasons.player_of(person_id)
        found = [] if player is None else await db.seasons.with_bans(player, seasons)
        return [season_id async for season_id, season in _sound(db, found) if player in season.banned]

    async def check_in(
        self, season_id: SeasonId, number: int, entrant: Applicant, interaction_id: InteractionId
    ) -> str:
        """Check in for a round; for the first round this confirms the sign-up."""

        async def change(season_tx: SeasonTransaction) -> str:
            player, member = await _checking_in(season_tx, number, entrant.person)
            stands_by = member.status == "waiting" and (number > 1 or not has_place(season_tx.season, player))
            await require_eligible(season_tx, player, entrant)
            if member.status == "waiting" and not stands_by:
                await season_tx.add(Confirmed(player), actor=player)
            if (player, number) not in season_tx.season.check_ins:
                await season_tx.add(CheckedIn(player, number), actor=player)
            await _show_entries(season_tx, number)
            return "league.stands_by" if stands_by else "league.checked_in"

        return await self._leagues.write(season_id, change, interaction_id)

    async def check_out(
        self, season_id: SeasonId, number: int, person: NamedPerson, interaction_id: InteractionId
    ) -> str:
        """Cancel a check-in."""

        async def change(season_tx: SeasonTransaction) -> str:
            player, member = await _checking_in(season_tx, number, person)
            if member.always_in:
                await season_tx.add(AlwaysIn(player, on=False), actor=player)
            if (player, number) in season_tx.season.check_ins:
                await season_tx.add(CheckedIn(player, number, coming=False), actor=player)
            await _show_entries(season_tx, number)
            return "league.checked_out"

        return await self._leagues.write(season_id, change, interaction_id)

    async def always(self, season_id: SeasonId, person: NamedPerson, interaction_id: InteractionId) -> str:
        """Turn checking in for every round automatically on or off."""

        async def change(season_tx: SeasonTransaction) -> str:
            season_tx.require_open()
            player, member = await _member(season_tx, person)
            if not member.plays:
                raise UserError("league.on_waiting_list")
            await count_change(season_tx, person.id)
            await season_tx.add(AlwaysIn(player, on=not member.always_in), actor=player)
            await _show_entries(season_tx, season_tx.season.drawn + 1)
            return "league.always_off" if member.always_in else "league.always_on"

        return await self._leagues.write(season_id, change, interaction_id)


async def _sound(db: ReadTransaction, seasons: Iterable[SeasonId]) -> AsyncIterator[tuple[SeasonId, Season]]:
    """Yield these seasons without damaged ones, which stand still and of which no one can say who is in them."""
    for season_id in seasons:
        try:
            season = (await db.seasons.projection(season_id)).season
        except EventsDamaged as error:
            log.warning("season.left_out", season=season_id, why=str(error))
        else:
            yield season_id, season


def _is_in(member: Member) -> bool:
    return member.status != "removed" and member.withdrawn is None


async def _leave(season_tx: SeasonTransaction, member: Member) -> str:
    """Cancel a sign-up, or withdraw once the season has begun; returns the message key of the answer."""
    if not season_tx.season.drawn and season_tx.season.settings.format.has_draw:
        await season_tx.add(SignupRemoved(member.player), actor=member.player)
        await leave_team(season_tx, member.player)
        said = "league.signup_removed"
    else:
        await withdraw(season_tx, member, actor=member.player)
        said = "league.withdrawn"
    await move_up(season_tx)
    await _show_entries(season_tx)
    return said


async def leave_team(season_tx: SeasonTransaction, player: Player) -> None:
    """Take a player out of their team before the first draw.

    Later, leaving players leave their points to it.
    """
    team = team_of(season_tx.season.teams, player)
    if team is not None and not season_tx.season.drawn:
        await season_tx.add(TeamLeft(team.id, player), actor=player)


async def withdraw(season_tx: SeasonTransaction, member: Member, actor: Player, reason: str = "") -> None:
    """Withdraw a player, and give up their seats at tables that wait for them."""
    if member.withdrawn is not None:
        raise UserError("league.gone_already")
    await season_tx.add(Withdrawn(member.player), actor=actor, reason=reason, staff=bool(reason))
    await vacate(season_tx, member.player)
    await offer_all(season_tx)
    await await_no_longer(season_tx, member.player)
    await season_tx.look_again()


async def _player(season_tx: SeasonTransaction, entrant: Applicant) -> Player:
    person = entrant.person
    await person.keep(season_tx.db, season_tx.now)
    return await season_tx.db.seasons.keep_player(person.id)


async def _member(season_tx: SeasonTransaction, person: NamedPerson) -> tuple[Player, Member]:
    player = await season_tx.db.seasons.player_of(person.id)
    member = season_tx.season.members.get(player or 0)
    if player is None or member is None or member.status == "removed" or member.withdrawn is not None:
        raise UserError("league.not_in", league=shown_name(season_tx.row.name))
    return player, member


async def _checking_in(
    season_tx: SeasonTransaction, number: int, person: NamedPerson
) -> tuple[Player, Member]:
    """Return the player who checks in for a round or cancels that; raises UserError if they cannot."""
    player, member = await _member(season_tx, person)
    if member.status == "asking":
        raise UserError("league.asks_already")
    _require_check_in(season_tx, number)
    await count_change(season_tx, person.id)
    return player, member


async def _require_not_forgotten(season_tx: SeasonTransaction, person: NamedPerson) -> None:
    """Raise UserError for a person who was in this season, or banned, and has been forgotten."""
    if await season_tx.db.limits.is_limited(person.id, "ban", season_tx.row.id):
        raise UserError("league.refused_banned")
    if await season_tx.db.limits.is_limited(person.id, "season", season_tx.row.id):
        raise UserError("league.forgotten_out", league=shown_name(season_tx.row.name))


def _require_more(season_tx: SeasonTransaction, member: Member) -> None:
    """Raise UserError for a member who is confirmed already, or who can only wait."""
    drawn = season_tx.season.drawn
    if member.status == "asking":
        raise UserError("league.asks_already")
    if member.status == "confirmed" or not drawn or not _takes_late(season_tx):
        raise UserError("league.already_in")


async def _take_in(season_tx: SeasonTransaction, player: Player, member: Member | None) -> str:
    season = season_tx.season
    if member is not None and member.withdrawn is not None:
        if not _takes_late(season_tx):
            raise UserError("league.too_late")
        if await _was_put_out(season_tx, player):
            raise UserError("league.put_out", league=shown_name(season_tx.row.name))
        await season_tx.add(Returned(player), actor=player)
        await give_seats_back(season_tx, player)
        if season_tx.season.members[player].plays:  # they have their place again, perhaps the last one
            await season_tx.add(*await _missed_rounds(season_tx, player), actor=player)
            return "league.joined_late" if season.drawn else "league.joined"
    elif member is None or member.status == "removed":
        asks = season.settings.approval
        hours = await _hours(season_tx, player)
        await season_tx.add(SignedUp(player, hours, asks), actor=player)
        if asks:
            return "league.asks"
    return await admit(season_tx, player)


async def _hours(season_tx: SeasonTransaction, player: Player) -> tuple[int, ...]:
    """Return the hours of UTC in which a player can play, for the draw; none if they never chose any."""
    persons = await season_tx.db.seasons.persons_of([player])
    person = await season_tx.db.people.get(persons[player])
    chosen = person.settings.play_hours if person else None
    if person is None or chosen is None:
        return ()
    hours = Hours(person.settings.timezone or season_tx.season.settings.timezone, *BLOCKS[chosen])
    today = season_tx.now // DAY * DAY
    return tuple(hour for hour in range(24) if hours.suit(today + hour * HOUR))


async def admit(season_tx: SeasonTransaction, player: Player) -> str:
    """Give a player on the waiting list what they can get now; returns the message key of the answer."""
    season = season_tx.season
    if season.drawn:
        return await _late(season_tx, player)
    if not has_place(season, player):
        return "league.full"
    if not season.settings.checks_in(1):
        await season_tx.add(Confirmed(player), actor=player)
        return "league.joined"
    if season_tx.now >= opens_at(season_tx.row, season, 1):
        await season_tx.add(Confirmed(player), CheckedIn(player, 1), actor=player)
        return "league.joined"
    return "league.signed_up"


async def move_up(season_tx: SeasonTransaction) -> None:
    """Give the places that have come free before the first draw to those who wait longest."""
    for player in moving_up(season_tx.season):
        await season_tx.add(Confirmed(player))
        await season_tx.request_post(AdmissionNotice(player))


async def admit_by_settings(season_tx: SeasonTransaction) -> None:
    """After a change of settings, admit those who no longer need an approval or a confirmation."""
    season = season_tx.season
    settings = season.settings
    for member in season.members.values():
        if member.status == "asking" and not settings.approval:
            await season_tx.add(MemberSet(member.player, "waiting", "asking"))
            await admit(season_tx, member.player)
            await season_tx.request_post(AdmissionNotice(member.player))
    for waiting in season_tx.season.waiting():
        if not settings.checks_in(1) and not season.drawn:
            await admit(season_tx, waiting.player)
    await move_up(season_tx)


async def follow_numbers(season_tx: SeasonTransaction, event: NumbersChanged) -> None:
    """Apply changed numbers of a season that has begun: its clock, who gets in, an open check-in."""
    if event.pace:
        await season_tx.change(pace=Pace(event.pace))
    await admit_by_settings(season_tx)
    season, number = season_tx.season, season_tx.season.drawn + 1
    asks = number <= season.settings.rounds and season.settings.checks_in(number)
    if asks and season_tx.now >= opens_at(season_tx.row, season, number):
        await season_tx.request_post(CheckInPost(number))


async def take_in_by_staff(season_tx: SeasonTransaction, player: Player) -> None:
    """Put a player added by the staff into the next draw.

    Earlier rounds are absences, as for everyone who is late.
    """
    season = season_tx.season
    await season_tx.add(*await _missed_rounds(season_tx, player), CheckedIn(player, season.drawn + 1))
    await season_tx.request_post(AdmissionNotice(player))


async def _was_put_out(season_tx: SeasonTransaction, player: Player) -> bool:
    """Return whether the staff have withdrawn the player and not reversed that."""
    told = await season_tx.db.seasons.projection(season_tx.row.id)
    acts = [act.body for act in told.acts if isinstance(act.body, Withdrawn | Returned)]
    about = [act for act in acts if act.player == player]
    return bool(about) and isinstance(about[-1], Withdrawn)


async def _late(season_tx: SeasonTransaction, player: Player) -> str:
    """Join after rounds were drawn: missed rounds are absences.

    Players who are too late join the waiting list.
    """
    if places_left(season_tx.season) == 0:
        return "league.full"
    if not _takes_late(season_tx):
        return "league.standby"
    await season_tx.add(Confirmed(player), *await _missed_rounds(season_tx, player), actor=player)
    return "league.joined_late"


async def _missed_rounds(season_tx: SeasonTransaction, player: Player) -> list[AbsenceBooked]:
    """Return the absences of a late or returning player: every round so far that they were not drawn in.

    A round whose match was played without them, because they had left, counts like one they were not drawn
    in. So no one avoids an absence by leaving for a while.
    """
    season = season_tx.season
    drawn = [pod for pod in season.pods.values() if player in pod.drawn]
    there = {pod.round for pod in drawn if not await _went_without(season_tx, pod, player)}
    return [
        AbsenceBooked(player, number)
        for number in missed_before(season)
        if (player, number) not in season.absences and number not in there
    ]


async def _went_without(season_tx: SeasonTransaction, pod: Pod, player: Player) -> bool:
    """Return whether a pod's match was played, reported or ruled on without a player who had left.

    A match still being played counts too.
    """
    if player in pod.missed:
        return False  # they are in the results as a no-show
    if player not in pod.players:
        return True
    if pod.result is not None:
        return player not in pod.result.players
    if pod.over:
        return pod.verdicts.get(player) not in _PRESENT and len({*pod.verdicts.values()}) > 1
    if pod.report is not None:
        return player not in pod.report.result.players
    if pod.table is None:
        return False
    db = season_tx.db
    person = (await db.seasons.persons_of([player])).get(player)
    return all(seat.person_id != person for seat in await db.tables.seats(TableId(pod.table)))


def _takes_late(season_tx: SeasonTransaction) -> bool:
    season = season_tx.season
    return season.settings.open_to_late(season.drawn) and places_left(season) != 0


def _require_check_in(season_tx: SeasonTransaction, number: int) -> None:
    """Raise UserError outside the check-in period."""
    row, season, settings = season_tx.row, season_tx.season, season_tx.season.settings
    season_tx.require_open()
    if number != season.drawn + 1 or number > settings.rounds or not settings.checks_in(number):
        raise UserError("league.checkin_over")
    if season_tx.now < opens_at(row, season, number):
        raise UserError("league.checkin_not_yet", at=opens_at(row, season, number))
    if season_tx.now >= draw_at(row, season, number):
        raise UserError("league.checkin_over")


async def _show_entries(season_tx: SeasonTransaction, number: int = 0) -> None:
    await season_tx.request_post(SignupPost())
    check_in = CheckInPost(number or season_tx.season.drawn + 1)
    if await season_tx.db.seasons.post(season_tx.row.id, check_in) is not None:
        await season_tx.request_post(check_in)
