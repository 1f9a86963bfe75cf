"""Pods at their deadlines: no-shows, and rulings on matches that were not played."""

from dataclasses import replace
from functools import partial

from bot.league.agenda import Step
from bot.league.free_seats import offer
from bot.league.leagues import Leagues
from bot.league.season_transaction import SeasonTransaction, read_season
from bot.league.vacancies import end_always_in, free_seat, nobody_to_play, still_playing
from bot.table.core.change import TableTransaction
from bot.table.core.table import READY
from bot.table.endings import Endings
from bot.table.lobby import Lobby, all_ready, close
from data.ids import SeasonId
from data.season_posts import RoundPost
from data.transaction import ReadTransaction
from league.events import DealsReplayed, NoShowBooked, PodId
from league.ids import TableId
from league.results import Player
from league.rulings import fallen_apart
from league.season import Pod, Season
from league.standins import may_fill
from marriage.rules import SEATS_MIN


class Pods:
    """Each pod is handled separately, under the lock of its table."""

    def __init__(self, leagues: Leagues, lobby: Lobby, endings: Endings) -> None:
        self._leagues = leagues
        self._lobby = lobby
        self._endings = endings

    async def end_round(self, season_id: SeasonId, step: Step, *, running_too: bool) -> None:
        """Rule on the matches of a round that have not begun; with `running_too`, also on those not finished."""
        for pod, table_id in await self._open_pods(season_id):
            if step.concerns(pod):
                await self._settle(season_id, pod.id, table_id, running_too=running_too)

    async def book_missing(
        self, season_id: SeasonId, pod_id: PodId, *, substitutes_had_time: bool = False
    ) -> None:
        """Book the players who are not at their table at the agreed time as no-shows; the others play without them.

        Those who are seated start, ready or not: at once, or where substitutes can come, after time for that.
        """
        table_id = {pod.id: table for pod, table in await self._open_pods(season_id)}.get(pod_id)
        if table_id is None:
            return

        async def command(tx: TableTransaction) -> None:
            season_tx = await SeasonTransaction.of(await tx.database(), season_id, tx.now)
            pod = season_tx.season.pods[pod_id]
            if pod.over or pod.again or tx.table.status != "lobby":
                return
            there = await _seated(tx, pod)
            await self._book_absent(season_tx, pod, table_id, there)
            await self._go_on_without(tx, season_tx, pod_id, there, wait=not substitutes_had_time)

        await self._leagues.tables.change(table_id, command)

    async def _book_absent(
        self, season_tx: SeasonTransaction, pod: Pod, table_id: TableId, there: set[Player]
    ) -> None:
        for player in still_playing(pod, season_tx.season):
            if player not in there and player not in pod.missed:
                await season_tx.add(NoShowBooked(pod.id, player))
                await end_always_in(season_tx, [player])
                await free_seat(season_tx, pod, player, table_id)

    async def review(self, season_id: SeasonId) -> None:
        """Let tables that have not begun play without players who have withdrawn, or rule on their matches."""
        for pod_id, table_id in await self._held_up_pods(season_id):
            await self._leagues.tables.change(table_id, partial(self._review, season_id, pod_id))

    async def _review(self, season_id: SeasonId, pod_id: PodId, tx: TableTransaction) -> None:
        season_tx = await SeasonTransaction.of(await tx.database(), season_id, tx.now)
        pod = season_tx.season.pods.get(pod_id)
        if tx.table.status != "lobby":
            return
        if pod is None or pod.over:  # drawn again, or ruled on meanwhile
            await close(tx)
            return
        if pod.again:
            return  # all of those who played the deals, or no one
        await self._unseat_strangers(tx, pod)
        playing = still_playing(pod, season_tx.season)
        if len(playing) == len(pod.players):
            return
        if len(playing) < SEATS_MIN:
            if may_fill(season_tx.season, pod):
                return  # until the deadline, stand-ins may take the seats
            await season_tx.add(nobody_to_play(pod, playing))
            await season_tx.request_post(RoundPost(pod.round))
            await close(tx)
        elif tx.deadline(READY) is None:
            await self._lobby.changed(tx)

    async def _unseat_strangers(self, tx: TableTransaction, pod: Pod) -> None:
        """Let players leave the table who play elsewhere by now; the others may be complete without them."""
        persons = set((await (await tx.database()).seasons.persons_of(pod.players)).values())
        there = [seat.person_id for seat in tx.seats if seat.person_id is not None]
        for person_id in there:
            if person_id not in persons:
                await self._lobby.clear_seat(tx, tx.seat_of(person_id))
        if len(tx.seats) == len(there) and tx.deadline(READY) is None and all_ready(tx.seats):
            await self._lobby.changed(tx)

    async def _go_on_without(
        self,
        tx: TableTransaction,
        season_tx: SeasonTransaction,
        pod_id: PodId,
        there: set[Player],
        *,
        wait: bool,
    ) -> None:
        pod = season_tx.season.pods[pod_id]
        await season_tx.look_again()
        if len(there) >= SEATS_MIN:
            if wait and may_fill(season_tx.season, pod):
                await offer(season_tx, pod)
            else:
                tx.set_seats([replace(seat, ready=True) for seat in tx.seats])
            await self._lobby.changed(tx)
            return
        await season_tx.add(fallen_apart(pod, there))
        await close(tx)

    async def _settle(
        self, season_id: SeasonId, pod_id: PodId, table_id: TableId, *, running_too: bool
    ) -> None:
        async def command(tx: TableTransaction) -> None:
            season_tx = await SeasonTransaction.of(await tx.database(), season_id, tx.now)
            pod = season_tx.season.pods[pod_id]
            if (
                pod.over or pod.report is not None
            ):  # a report counts at a time of its own, or is for the staff
                return
            if tx.table.deal_no and tx.table.status != "closed":
                if running_too:
                    await self._endings.shut(tx, "abandoned")  # the end of its match enters what was played
                return
            if not running_too and await self._begin_late(tx, season_tx, pod):
                return
            if pod.again:
                await season_tx.add(DealsReplayed(pod_id, {}))
            else:
                await self._rule(tx, season_tx, pod)
            await season_tx.request_post(RoundPost(pod.round))
            if tx.table.status != "closed":
                await close(tx)

        await self._leagues.tables.change(table_id, command)

    async def _begin_late(self, tx: TableTransaction, season_tx: SeasonTransaction, pod: Pod) -> bool:
        """At the deadline those who are seated begin, if a match in progress may go on; the others are no-shows.

        So no one gains by sitting down and not playing.
        """
        there = await _seated(tx, pod)
        may_begin = tx.table.status == "lobby" and not pod.again and len(there) >= SEATS_MIN
        if not may_begin or not season_tx.season.settings.extra_hours:
            return False
        await self._book_absent(season_tx, pod, tx.table.id, there)
        await self._go_on_without(tx, season_tx, pod.id, there, wait=False)
        await season_tx.request_post(RoundPost(pod.round))
        return True

    async def _rule(self, tx: TableTransaction, season_tx: SeasonTransaction, pod: Pod) -> None:
        """Rule on a match that has not begun at its deadline."""
        playing = still_playing(pod, season_tx.season)
        gone = set(pod.players) - set(playing)
        if len(playing) < SEATS_MIN:
            await season_tx.add(nobody_to_play(pod, playing))
        else:
            there = await _seated(tx, pod)
            await season_tx.add(fallen_apart(pod, there - gone, gone))
            await end_always_in(season_tx, set(playing) - there)

    async def _open_pods(self, season_id: SeasonId) -> list[tuple[Pod, TableId]]:
        """The pods with a match to play, and their tables."""

        async def read(db: ReadTransaction):
            _, season, _ = await read_season(db, season_id)
            tables = await db.seasons.pod_tables(season_id)
            return season, tables

        season, tables = await self._leagues.store.read(read)
        pods = sorted(season.pods.values(), key=lambda pod: pod.id)
        return [(pod, tables[pod.id]) for pod in pods if not pod.over and pod.id in tables]

    async def _held_up_pods(self, season_id: SeasonId) -> list[tuple[PodId, TableId]]:
        """The pods whose tables wait for a match that was ruled on or drawn anew, or for players who play elsewhere or left."""

        async def read(db: ReadTransaction):
            _, season, _ = await read_season(db, season_id)
            tables = await db.seasons.pod_tables(season_id)
            waiting = await db.tables.in_lobby(tables.values())
            return season, tables, waiting

        season, tables, waiting = await self._leagues.store.read(read)
        return sorted(
            (pod_id, table_id)
            for pod_id, table_id in tables.items()
            if table_id in waiting and _is_held_up(season, season.pods.get(pod_id))
        )


def _is_held_up(season: Season, pod: Pod | None) -> bool:
    if pod is None or pod.over or any(map(season.has_left, pod.players)):
        return True
    drawn = season.rounds[pod.round].pods if pod.round in season.rounds else ()
    return any(one.id == pod.id and set(one.players) != set(pod.players) for one in drawn)


async def _seated(tx: TableTransaction, pod: Pod) -> set[Player]:
    """The players of the pod who sit at the table."""
    seated = {seat.person_id for seat in tx.seats}
    persons = await (await tx.database()).seasons.persons_of(pod.players)
    return {player for player, person in persons.items() if person in seated}
