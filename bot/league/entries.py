"""Who is in a season: signing up, confirming, checking in for a round, leaving."""

from bot.errors import Sorry
from bot.league.agenda import checks_in, draw_at, opens_at
from bot.league.eligibility import Entrant, require_eligible
from bot.league.free_seats import offer_all
from bot.league.leagues import Leagues
from bot.league.season_transaction import Chronicle
from bot.league.vacancies import vacate
from bot.people import Person
from bot.words.names import shown_name
from league.drawing import missed_before
from league.events import (
    AbsenceBooked,
    AlwaysIn,
    CheckedIn,
    Confirmed,
    Returned,
    SignedUp,
    SignupRemoved,
    Withdrawn,
)
from league.results import Player
from league.season import Member


class Entries:
    """Each method is one press; its answer is the key of what to say. Raises Sorry where it is not possible."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def join(
        self, season_id: int, entrant: Entrant, interaction_id: int, *, by_invitation: bool = False
    ) -> str:
        """Sign up, or come in late; outside of the server only who was asked to, `by_invitation`."""
        async with self._leagues.writing(season_id, interaction_id) as chronicle:
            chronicle.require_open()
            await _require_not_forgotten(chronicle, entrant.person)
            player = await _player(chronicle, entrant)
            if by_invitation and await chronicle.writer.post(season_id, f"invite:{player}") is None:
                raise Sorry("league.join_there")
            member = chronicle.season.members.get(player)
            if member is not None and member.status != "removed" and member.withdrawn is None:
                _require_more(chronicle, member)
            require_eligible(chronicle, player, entrant)
            said = await _take_in(chronicle, player, member)
            await _show_entries(chronicle)
            return said

    async def leave(self, season_id: int, person: Person, interaction_id: int) -> str:
        """Take a sign-up back, or withdraw from a season that has begun: what is left to play is played without him."""
        async with self._leagues.writing(season_id, interaction_id) as chronicle:
            chronicle.require_open()
            _, member = await _member(chronicle, person)
            return await _leave(chronicle, member)

    async def leave_all(self, person_id: int) -> list[int]:
        """Leave every season that is open; those that a person who is then forgotten cannot enter anew."""
        async with self._leagues.store.read() as reader:
            player = await reader.player_of(person_id)
            running = [] if player is None else await reader.running_seasons()
            own = [one for one in running if player in (await reader.told_season(one)).season.members]
        barred: list[int] = []
        for season_id in own:
            async with self._leagues.writing(season_id) as chronicle:
                member = chronicle.season.members[player or 0]
                if member.status != "removed" and member.withdrawn is None:
                    await _leave(chronicle, member)
                if chronicle.season.members[member.player].withdrawn is not None:
                    barred.append(season_id)
        return barred

    async def check_in(
        self, season_id: int, number: int, entrant: Entrant, interaction_id: int, *, coming: bool
    ) -> str:
        """Be there for a round, or not; for the first round this confirms the sign-up."""
        async with self._leagues.writing(season_id, interaction_id) as chronicle:
            player, member = await _member(chronicle, entrant.person)
            _require_check_in(chronicle, number)
            stands_by = member.status == "waiting" and number > 1
            if coming:
                require_eligible(chronicle, player, entrant)
                if member.status == "waiting" and not stands_by:
                    await chronicle.add(Confirmed(player), actor=player)
            elif member.always_in:
                await chronicle.add(AlwaysIn(player, on=False), actor=player)
            if ((player, number) in chronicle.season.check_ins) != coming:
                await chronicle.add(CheckedIn(player, number, coming), actor=player)
            await _show_entries(chronicle, number)
            if coming:
                return "league.stands_by" if stands_by else "league.checked_in"
            return "league.checked_out"

    async def always(self, season_id: int, person: Person, interaction_id: int) -> str:
        """Be there for every round without checking in, or no longer."""
        async with self._leagues.writing(season_id, interaction_id) as chronicle:
            chronicle.require_open()
            player, member = await _member(chronicle, person)
            if not member.plays:
                raise Sorry("league.on_waiting_list")
            await chronicle.add(AlwaysIn(player, on=not member.always_in), actor=player)
            await _show_entries(chronicle, chronicle.season.drawn + 1)
            return "league.always_off" if member.always_in else "league.always_on"


async def _leave(chronicle: Chronicle, member: Member) -> str:
    """Take a sign-up back, or withdraw once the season has begun; the key of what to say."""
    if not chronicle.season.drawn and chronicle.season.settings.format != "ladder":
        await chronicle.add(SignupRemoved(member.player), actor=member.player)
        said = "league.signup_removed"
    else:
        await withdraw(chronicle, member, actor=member.player)
        said = "league.withdrawn"
    await _show_entries(chronicle)
    return said


async def withdraw(chronicle: Chronicle, member: Member, actor: Player, reason: str = "") -> None:
    """Let a player go; at the tables that wait for him his seat is given up."""
    if member.withdrawn is not None:
        raise Sorry("league.gone_already")
    await chronicle.add(Withdrawn(member.player), actor=actor, reason=reason, staff=bool(reason))
    await vacate(chronicle, member.player)
    await offer_all(chronicle)
    await chronicle.look_again()


async def _player(chronicle: Chronicle, entrant: Entrant) -> Player:
    person = entrant.person
    await chronicle.writer.keep_person(person.id, person.name, chronicle.now)
    return await chronicle.writer.keep_player(person.id)


async def _member(chronicle: Chronicle, person: Person) -> tuple[Player, Member]:
    player = await chronicle.writer.player_of(person.id)
    member = chronicle.season.members.get(player or 0)
    if player is None or member is None or member.status == "removed" or member.withdrawn is not None:
        raise Sorry("league.not_in", league=shown_name(chronicle.row.name))
    return player, member


async def _require_not_forgotten(chronicle: Chronicle, person: Person) -> None:
    """Refuse somebody who was in this season already and was forgotten since; raises Sorry."""
    if await chronicle.writer.is_limited(person.id, "season", chronicle.row.id):
        raise Sorry("league.forgotten_out", league=shown_name(chronicle.row.name))


def _require_more(chronicle: Chronicle, member: Member) -> None:
    """Refuse one who is in already, or on a waiting list that he cannot leave by himself; raises Sorry."""
    drawn = chronicle.season.drawn
    if member.status == "confirmed" or not drawn or not _takes_late(chronicle):
        raise Sorry("league.already_in")


async def _take_in(chronicle: Chronicle, player: Player, member: Member | None) -> str:
    season = chronicle.season
    if member is not None and member.withdrawn is not None:
        if not _takes_late(chronicle):
            raise Sorry("league.too_late")
        if await _was_put_out(chronicle, player):
            raise Sorry("league.put_out", league=shown_name(chronicle.row.name))
        await chronicle.add(Returned(player), actor=player)
    elif member is None or member.status == "removed":
        await chronicle.add(SignedUp(player), actor=player)
    if season.drawn:
        return await _late(chronicle, player)
    if season.settings.format == "ladder" or not season.settings.confirm_hours:
        await chronicle.add(Confirmed(player), actor=player)
        return "league.joined"
    if chronicle.now >= opens_at(chronicle.row, season.settings, 1):
        await chronicle.add(Confirmed(player), CheckedIn(player, 1), actor=player)
        return "league.joined"
    return "league.signed_up"


async def _was_put_out(chronicle: Chronicle, player: Player) -> bool:
    """Whether those who look after the league have withdrawn somebody, and not taken that back."""
    told = await chronicle.writer.told_season(chronicle.row.id)
    acts = [own.body for own in told.acts if isinstance(own.body, Withdrawn | Returned)]
    about = [act for act in acts if act.player == player]
    return bool(about) and isinstance(about[-1], Withdrawn)


async def _late(chronicle: Chronicle, player: Player) -> str:
    """Once rounds are drawn: in for the rest, the missed rounds are absences; too late is the waiting list."""
    if not _takes_late(chronicle):
        return "league.standby"
    absences = [AbsenceBooked(player, number) for number in missed_before(chronicle.season)]
    known = chronicle.season.absences
    drawn_in = {own.round for own in chronicle.season.pods.values() if player in own.drawn}
    missed = [own for own in absences if (player, own.round) not in known and own.round not in drawn_in]
    await chronicle.add(Confirmed(player), *missed, actor=player)
    return "league.joined_late"


def _takes_late(chronicle: Chronicle) -> bool:
    season = chronicle.season
    return season.settings.format != "divisions" and season.settings.open_to_late(season.drawn)


def _require_check_in(chronicle: Chronicle, number: int) -> None:
    """Refuse outside of the time for it; raises Sorry."""
    row, settings = chronicle.row, chronicle.season.settings
    chronicle.require_open()
    if number != chronicle.season.drawn + 1 or number > settings.rounds or not checks_in(settings, number):
        raise Sorry("league.checkin_over")
    if chronicle.now < opens_at(row, settings, number):
        raise Sorry("league.checkin_not_yet", at=opens_at(row, settings, number) // 1000)
    if chronicle.now >= draw_at(row, settings, number):
        raise Sorry("league.checkin_over")


async def _show_entries(chronicle: Chronicle, number: int = 0) -> None:
    await chronicle.tell("signup")
    key = f"checkin:{number or chronicle.season.drawn + 1}"
    if await chronicle.writer.post(chronicle.row.id, key) is not None:
        await chronicle.tell(key)
