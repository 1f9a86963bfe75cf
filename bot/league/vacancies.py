"""Seats that come free before a match, because players leave or are substituted."""

from collections.abc import Iterable

from bot.league.season_transaction import SeasonTransaction
from data.season_posts import RoundPost, TableNotice
from league.events import Adjudicated, AlwaysIn, SubstituteSet, Verdict
from league.ids import TableId
from league.results import Player
from league.season import Pod, Season


async def vacate(season_tx: SeasonTransaction, player: Player) -> None:
    """Free this player's seats at all tables whose matches have not begun."""
    tables = await season_tx.db.seasons.pod_tables(season_tx.row.id)
    for pod in season_tx.season.pods.values():
        if not pod.over and player in pod.players and pod.id in tables:
            await free_seat(season_tx, pod, player, tables[pod.id])


async def seat_substitute(season_tx: SeasonTransaction, event: SubstituteSet) -> None:
    """Keep the seat at the pod's table for the substitute, and tell them where they play."""
    tables = await season_tx.db.seasons.pod_tables(season_tx.row.id)
    persons = await season_tx.db.seasons.persons_of([event.player, event.substitute])
    if event.pod in tables:
        await season_tx.db.guests.set_standing(tables[event.pod], persons[event.player], None)
        await season_tx.db.guests.set_standing(tables[event.pod], persons[event.substitute], "invited")
        number = season_tx.season.pods[event.pod].round
        await season_tx.request_post(TableNotice(number, event.substitute))


async def change_seats(season_tx: SeasonTransaction, before: Season) -> None:
    """Keep the seats at the tables for the players as they are now, and tell those who play elsewhere than before."""
    tables = await season_tx.db.seasons.pod_tables(season_tx.row.id)
    for pod in season_tx.season.pods.values():
        was = before.pods.get(pod.id, pod)
        if pod.players == was.players or pod.id not in tables:
            continue
        persons = await season_tx.db.seasons.persons_of({*pod.players, *was.players})
        for player in set(was.players) - set(pod.players):
            await season_tx.db.guests.set_standing(tables[pod.id], persons[player], None)
        for player in sorted(set(pod.players) - set(was.players)):
            await season_tx.db.guests.set_standing(tables[pod.id], persons[player], "invited")
            await season_tx.request_post(TableNotice(pod.round, player, tables[pod.id]))
        await season_tx.request_post(RoundPost(pod.round))


async def free_seat(season_tx: SeasonTransaction, pod: Pod, player: Player, table_id: TableId) -> None:
    """Free this player's seat at the table of the pod."""
    person = (await season_tx.db.seasons.persons_of([player]))[player]
    await season_tx.db.guests.set_standing(table_id, person, None)
    await season_tx.request_post(RoundPost(pod.round))


def still_playing(pod: Pod, season: Season) -> list[Player]:
    """The players of a pod who have not left the season, by seat; if deals are played again, of those who played them."""
    return [player for player in pod.expected if not season.has_left(player)]


def nobody_to_play(pod: Pod, playing: list[Player]) -> Adjudicated:
    """The ruling on a pod with too few players left: it is not their fault, so they get Average+."""
    verdicts: dict[Player, Verdict] = {
        player: "average_plus" if player in playing else "nothing" for player in pod.players
    }
    return Adjudicated(pod.id, verdicts, dict(pod.verdicts) or None)


async def end_always_in(season_tx: SeasonTransaction, players: Iterable[Player]) -> None:
    """Players who did not come to a match check in for each round themselves from now on."""
    for player in players:
        member = season_tx.season.members.get(player)
        if member is not None and member.always_in:
            await season_tx.add(AlwaysIn(player, on=False))
