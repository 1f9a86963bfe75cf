"""Seats that come free before a match, because players leave or are substituted.

They are offered to stand-ins in the channel and by direct message; the first to accept takes the seat.
"""

from collections.abc import Iterable
from typing import Literal

from bot.errors import UserError
from bot.league.agenda import begun_at, pod_due_at, seen_until
from bot.league.eligibility import Applicant, require_eligible
from bot.league.leagues import Leagues
from bot.league.meetings import agree_to_seat, ask_newcomers, lose_time, wait_no_longer
from bot.league.ruling_events import require_other_boards
from bot.league.season import SeasonTransaction, read_season
from bot.table.core.change import TableTransaction
from data.ids import InteractionId, SeasonId
from data.outbox_keys import ThreadAccessKey
from data.season_posts import FreeSeatNotice, FreeSeatPost, RoundPost, TableNotice
from league.events import Adjudicated, AlwaysIn, NoShowBooked, PodId, SubstituteSet, Verdict
from league.ids import PersonId, TableId
from league.pairing.drawing import back_in, left_out
from league.results import Player
from league.season import Pod, Season
from league.standins import may_fill, stand_bys, vacancies


async def vacate(season_tx: SeasonTransaction, player: Player) -> None:
    """Free a leaving player's seats at all tables whose matches have not begun; the rounds without them may be absences."""
    await season_tx.add(*left_out(season_tx.season, player))
    tables = await season_tx.db.seasons.pod_tables(season_tx.row.id)
    for pod in season_tx.season.pods.values():
        if not pod.over and player in pod.players and pod.id in tables:
            await free_seat(season_tx, pod, player, tables[pod.id])
            await wait_no_longer(season_tx, pod, player)


async def seat_substitute(season_tx: SeasonTransaction, event: SubstituteSet) -> None:
    """Reserve the seat at the pod's table for the substitute, and notify them where they play.

    A substitution that is taken back can bring back a player who has left: their seat stays free.
    """
    tables = await season_tx.db.seasons.pod_tables(season_tx.row.id)
    persons = await season_tx.db.seasons.persons_of([event.player, event.substitute])
    if event.pod in tables:
        await _set_standing(season_tx, tables[event.pod], persons[event.player], None)
        if season_tx.season.has_left(event.substitute):
            return
        await _set_standing(season_tx, tables[event.pod], persons[event.substitute], "invited")
        number = season_tx.season.pods[event.pod].round
        await season_tx.request_post(TableNotice(number, event.substitute))


async def change_seats(season_tx: SeasonTransaction, before: Season) -> None:
    """Reserve the tables' seats for the current players who have not left, and notify those who now play elsewhere."""
    tables = await season_tx.db.seasons.pod_tables(season_tx.row.id)
    for pod in season_tx.season.pods.values():
        was = before.pods.get(pod.id, pod)
        if pod.players == was.players or pod.id not in tables:
            continue
        persons = await season_tx.db.seasons.persons_of({*pod.players, *was.players})
        for player in set(was.players) - set(pod.players):
            await _set_standing(season_tx, tables[pod.id], persons[player], None)
        came = sorted(set(still_playing(pod, season_tx.season)) - set(was.players))
        for player in came:
            await _set_standing(season_tx, tables[pod.id], persons[player], "invited")
            await season_tx.request_post(TableNotice(pod.round, player, tables[pod.id]))
        await ask_newcomers(season_tx, pod, came)
        await season_tx.request_post(RoundPost(pod.round))


async def free_seat(season_tx: SeasonTransaction, pod: Pod, player: Player, table_id: TableId) -> None:
    """Free this player's seat at the table of the pod."""
    person = (await season_tx.db.seasons.persons_of([player]))[player]
    await _set_standing(season_tx, table_id, person, None)
    await season_tx.request_post(RoundPost(pod.round))


async def _set_standing(
    season_tx: SeasonTransaction, table_id: TableId, person: PersonId, standing: Literal["invited"] | None
) -> None:
    """Reserve a seat for this person, or no longer, and let them into the table's thread or out of it."""
    await season_tx.db.guests.set_standing(table_id, person, standing)
    await season_tx.db.outbox.ask(ThreadAccessKey(table_id, person), season_tx.now)


def still_playing(pod: Pod, season: Season) -> list[Player]:
    """Return the players of a pod who have not left the season, by seat.

    If deals are played again, only those who played them are included.
    """
    return [player for player in pod.expected if not season.has_left(player)]


def nobody_to_play(pod: Pod, playing: list[Player]) -> Adjudicated:
    """Return the ruling on a pod with too few players left. It is not their fault, so they get Average+."""
    verdicts: dict[Player, Verdict] = {
        player: "average_plus" if player in playing else "nothing" for player in pod.players
    }
    return Adjudicated(pod.id, verdicts, dict(pod.verdicts) or None)


async def end_always_in(season_tx: SeasonTransaction, players: Iterable[Player]) -> None:
    """End automatic check-in for players who did not come to a match."""
    for player in players:
        member = season_tx.season.members.get(player)
        if member is not None and member.always_in:
            await season_tx.add(AlwaysIn(player, on=False))


async def offer(season_tx: SeasonTransaction, pod: Pod) -> None:
    """Offer every free seat of a pod to the stand-ins; without stand-ins nothing is posted."""
    asked = stand_bys(season_tx.season, pod)
    for seat in vacancies(season_tx.season, pod) if asked else ():
        await season_tx.request_post(FreeSeatPost(pod.id, seat.player))
        for member in asked:
            await season_tx.request_post(FreeSeatNotice(pod.id, seat.player, member.player))


async def waits_for_substitute(tx: TableTransaction) -> bool:
    """Return whether a table waits for a substitute in place of a no-show: as long as its players had to come."""
    db = await tx.database()
    pod_table = await db.seasons.pod_at(tx.table.id)
    time = None if pod_table is None else await db.seasons.pod_time(pod_table.season, pod_table.pod)
    if time is None:
        return False
    row, season, _ = await read_season(db, time.season)
    pod = season.pods.get(time.pod)
    if pod is None or not pod.missed or not may_fill(season, pod):
        return False
    return seen_until(season, time) <= tx.now < min(begun_at(season, time), pod_due_at(row, season, pod))


async def offer_all(season_tx: SeasonTransaction) -> None:
    """Offer the free seats of all pods whose tables are open."""
    tables = await season_tx.db.seasons.pod_tables(season_tx.row.id)
    for pod in season_tx.season.pods.values():
        if pod.id in tables:
            await offer(season_tx, pod)


async def show_offers(season_tx: SeasonTransaction, pod_id: PodId) -> None:
    """Update the messages that offer seats of this pod."""
    for post in await season_tx.db.seasons.posts(season_tx.row.id):
        if isinstance(post, FreeSeatPost) and post.pod == pod_id:
            await season_tx.request_post(post)


async def give_seats_back(season_tx: SeasonTransaction, player: Player) -> None:
    """Reserve a player's seats again at the tables of their matches that have not begun: they are not absent from these."""
    await season_tx.add(*back_in(season_tx.season, player))
    await _give_back(season_tx, player, season_tx.season.pods.values())


async def follow_no_show(season_tx: SeasonTransaction, event: NoShowBooked) -> None:
    """Free the seat of a no-show; if they are none any more, reserve it again, and let the missed time count no longer.

    The seat of a player who has left since stays free, and the match goes on without them.
    """
    pod = season_tx.season.pods[event.pod]
    tables = await season_tx.db.seasons.pod_tables(season_tx.row.id)
    if event.player not in pod.expected or pod.id not in tables:
        return
    if event.missed:
        await free_seat(season_tx, pod, event.player, tables[pod.id])
    else:
        if season_tx.season.has_left(event.player):
            await season_tx.add(*left_out(season_tx.season, event.player))
        else:
            await _give_back(season_tx, event.player, [pod])
        await lose_time(season_tx, pod.id)


async def _give_back(season_tx: SeasonTransaction, player: Player, pods: Iterable[Pod]) -> None:
    db, tables = season_tx.db, await season_tx.db.seasons.pod_tables(season_tx.row.id)
    person = (await db.seasons.persons_of([player]))[player]
    waiting = [pod for pod in pods if not pod.over and player in pod.expected]
    in_lobby = await db.tables.in_lobby(tables[pod.id] for pod in waiting if pod.id in tables)
    for pod in waiting:
        if tables.get(pod.id) in in_lobby and player not in pod.missed:
            await _set_standing(season_tx, tables[pod.id], person, "invited")
            await show_offers(season_tx, pod.id)
            await season_tx.request_post(RoundPost(pod.round))
            await season_tx.request_post(TableNotice(pod.round, player, tables[pod.id]))
    await season_tx.look_again()


class Offers:
    """Handles answers to offered seats."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def take(
        self,
        season_id: SeasonId,
        pod_id: PodId,
        player: Player,
        entrant: Applicant,
        interaction_id: InteractionId,
    ) -> None:
        """Take a player's free seat for this match; raises UserError if it is not free, or not open to this person."""

        async def change(season_tx: SeasonTransaction) -> None:
            season_tx.require_open()
            season, pod = season_tx.season, season_tx.season.pods.get(pod_id)
            number = await season_tx.db.seasons.player_of(entrant.person.id)
            if pod is None or player not in {vacancy.player for vacancy in vacancies(season, pod)}:
                raise UserError("league.seat_taken")
            if number is not None:
                require_other_boards(season, number, pod)
            if number is None or number not in {member.player for member in stand_bys(season, pod)}:
                raise UserError("league.not_standing_by")
            await require_eligible(season_tx, number, entrant)
            await agree_to_seat(season_tx, pod, number)
            taken = SubstituteSet(pod_id, player, number)
            await season_tx.add(taken, actor=number)
            await seat_substitute(season_tx, taken)
            await show_offers(season_tx, pod_id)
            await season_tx.request_post(RoundPost(pod.round))
            await season_tx.look_again()

        await self._leagues.write(season_id, change, interaction_id)
