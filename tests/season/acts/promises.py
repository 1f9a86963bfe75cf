"""What has to be true of a season after the worker has looked at it, whatever people did before."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.league.agenda import pod_due_at
from bot.league.free_seats import still_playing
from data.transaction import ReadTransaction
from league.ids import PersonId, TableId
from league.results import Player
from league.season import Pod, Season
from league.times import HOUR, MINUTE
from tests.bot.league.house import LeagueHouse


@dataclass(frozen=True)
class Looking:
    """Who need not fear to be a no-show right before the worker looks at the season, and why."""

    season: Season
    spared: Mapping[str, Mapping[int, frozenset[Player]]]
    """The players by pod, for each reason why the worker must not book them."""

    @classmethod
    async def at(
        cls, house: LeagueHouse, season_id: int, put_in: Mapping[tuple[int, Player], int]
    ) -> "Looking":
        """Look at who is there now; `put_in` says when the staff have put a player into a pod."""
        season, lobbies, persons = await _lobbies(house, season_id)
        ready: dict[int, frozenset[Player]] = {}
        for pod_id, table_id in lobbies.items():
            pod = season.pods.get(pod_id)
            if pod is not None and pod.report is None:
                seats = (await house.tables.get(table_id)).seats
                there = {seat.person_id for seat in seats if seat.ready}
                ready[pod_id] = frozenset(player for player in pod.expected if persons.get(player) in there)
        spared = {
            "sat ready at their table": ready,
            "have a report of their match": {
                pod.id: frozenset(pod.report.result.players)
                for pod in season.pods.values()
                if pod.report is not None
            },
            "could not sit down at their table, which is closed": await _shut_out(house, season_id),
            "had no time to agree or to come": await _newcomers(house, season_id, put_in),
        }
        return cls(season, spared)

    def wronged(self, season: Season) -> list[str]:
        """Return the faults of a look after which the season is like this.

        Nobody who is spared is booked as a no-show, and a report does not disappear without a result or a ruling.
        """
        found = [
            f"pod {pod_id}: {sorted(booked)} {why}, and are booked as no-shows"
            for why, pods in self.spared.items()
            for pod_id, players in pods.items()
            if pod_id in season.pods
            and (booked := players & (season.pods[pod_id].no_shows - self.season.pods[pod_id].no_shows))
        ]
        for pod_id, before in self.season.pods.items():
            pod = season.pods.get(pod_id)
            if before.report is not None and pod is not None and not (pod.report or pod.over or pod.table):
                found.append(f"pod {pod_id}: its report has disappeared")
        return found


async def _shut_out(house: LeagueHouse, season_id: int) -> dict[int, frozenset[Player]]:
    """Return the players of matches without a deal whose tables are closed, by pod: they wait for the staff."""
    seen = await house.view(season_id)
    return {
        pod.id: frozenset(pod.players)
        for pod in seen.season.pods.values()
        if (table := seen.tables.get(pod.id)) and table.status == "closed" and not table.deal_no
    }


async def _newcomers(
    house: LeagueHouse, season_id: int, put_in: Mapping[tuple[int, Player], int]
) -> dict[int, frozenset[Player]]:
    """Return those whom the staff have just put into a pod whose deadline is still to come, unless they have agreed to its time."""
    seen, found = await house.view(season_id), dict[int, frozenset[Player]]()
    settings = seen.season.settings
    notice = settings.no_show_minutes * MINUTE if settings.is_sitting else settings.answer_hours * HOUR
    for (pod_id, player), since in put_in.items():
        pod, time = seen.season.pods.get(pod_id), seen.times.get(pod_id)
        if pod is None or time is None or pod_due_at(seen.row, seen.season, pod) <= seen.now:
            continue
        has_agreed = player in time.proposal.agreed and not settings.is_sitting
        if seen.now - since < notice and not has_agreed:
            found[pod_id] = found.get(pod_id, frozenset()) | {player}
    return found


async def unkept(house: LeagueHouse, season_id: int) -> list[str]:
    """Return what is not as it has to be after the worker has looked at a season.

    Nobody sits at the table of a match that is not theirs, the seats are reserved for those who play there, nobody
    is in a pod twice, and a season that is over has no table that waits.
    """
    season, lobbies, persons = await _lobbies(house, season_id)
    found = [
        f"pod {pod.id}: {pod.players}"
        for pod in season.pods.values()
        if len(set(pod.players)) < len(pod.players)
    ]
    for pod_id, table_id in lobbies.items():
        pod = season.pods.get(pod_id)
        if not season.open or pod is None or pod.over:
            why = "the season is closed" if not season.open else "its match is over or drawn again"
            found.append(f"pod {pod_id}: table {table_id} still waits, but {why}")
            continue
        theirs = {persons[player] for player in _players(pod, season) if player in persons}
        invited = await house.store.read(lambda db: db.guests.of_table(table_id))
        reserved = {person for person, standing in invited.items() if standing == "invited"}
        awaited = {*still_playing(pod, season)} - pod.missed
        coming = {persons[player] for player in awaited if player in persons}
        if reserved != coming:
            found.append(f"pod {pod_id}: the seats of table {table_id} are for {reserved}, not for {coming}")
        seats = (await house.tables.get(table_id)).seats
        others = {seat.person_id for seat in seats if seat.person_id is not None} - theirs
        if others:
            found.append(f"pod {pod_id}: {sorted(others)} sit at table {table_id} and do not play there")
    return found


def _players(pod: Pod, season: Season) -> list[Player]:
    """Return who plays the match of a pod. A replay waits for all who played the deals, also if one has left."""
    return [*pod.expected] if pod.again else still_playing(pod, season)


async def _lobbies(
    house: LeagueHouse, season_id: int
) -> tuple[Season, dict[int, TableId], Mapping[Player, PersonId]]:
    """Return a season, the tables of its pods that are in their lobby, and the persons of its pods who are known."""

    async def read(db: ReadTransaction):
        season = (await db.seasons.projection(season_id)).season
        tables = await db.seasons.pod_tables(season_id)
        waiting = await db.tables.in_lobby(tables.values())
        lobbies = {pod: table for pod, table in tables.items() if table in waiting}
        players = {player for pod in season.pods.values() for player in (*pod.players, *pod.expected)}
        return season, lobbies, await db.seasons.persons_of(players)

    return await house.store.read(read)
