"""What has to be true of a season after the worker has looked at it, whatever people did before."""

from collections.abc import Mapping
from dataclasses import dataclass

from bot.league.free_seats import still_playing
from data.transaction import ReadTransaction
from league.ids import PersonId, TableId
from league.results import Player
from league.season import Pod, Season
from tests.bot.league.house import LeagueHouse


@dataclass(frozen=True)
class Looking:
    """Who sits at which table right before the worker looks at the season."""

    season: Season
    ready: Mapping[int, frozenset[Player]]
    """Who sits ready at the table of a match that has not begun, by pod. A match with a report is left out."""

    @classmethod
    async def at(cls, house: LeagueHouse, season_id: int) -> "Looking":
        """Look at who is there now."""
        season, lobbies, persons = await _lobbies(house, season_id)
        ready: dict[int, frozenset[Player]] = {}
        for pod_id, table_id in lobbies.items():
            pod = season.pods.get(pod_id)
            if pod is not None and pod.report is None:
                seats = (await house.tables.get(table_id)).seats
                there = {seat.person_id for seat in seats if seat.ready}
                ready[pod_id] = frozenset(player for player in pod.expected if persons.get(player) in there)
        return cls(season, ready)

    def wronged(self, season: Season) -> list[str]:
        """Return the faults of a look after which the season is like this: who was ready did not miss the match."""
        return [
            f"pod {pod_id}: {sorted(booked)} sat ready at their table, and are booked as no-shows"
            for pod_id, there in self.ready.items()
            if pod_id in season.pods
            and (booked := there & (season.pods[pod_id].no_shows - self.season.pods[pod_id].no_shows))
        ]


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
        missed = {persons[player] for player in pod.missed if player in persons}
        if reserved != theirs - missed:
            found.append(
                f"pod {pod_id}: the seats of table {table_id} are for {reserved}, not for {theirs - missed}"
            )
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
