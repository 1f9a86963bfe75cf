"""The course of a season: acts on the steps of its calendar, on results that have come in, and on pods at their deadlines."""

from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import structlog

from bot.league.agenda import LATE_MS, SeasonStep, What, after_rounds, last_reminder, soonest
from bot.league.calendar_acts import stands_still
from bot.league.free_seats import end_always_in, free_seat, nobody_to_play, offer, still_playing
from bot.league.leagues import Leagues
from bot.league.meetings import is_agreed, lose_time, tell_agreed
from bot.league.pod_tables import Draws, compare_boards, draw_finals, match_ended, show_late_results
from bot.league.reports import Reports
from bot.league.season import SeasonTransaction, read_season
from bot.table.core.change import TableTransaction
from bot.table.core.table import PAUSED, READY
from bot.table.core.thread_members import review_members
from bot.table.endings import Endings
from bot.table.lobby import Lobby, all_ready, close
from data.errors import EventsDamaged
from data.ids import SeasonId
from data.season_posts import (
    NOW,
    CalendarPost,
    CheckInPost,
    CheckInReminder,
    EndNotice,
    EndPost,
    FreeSeatPost,
    PlayReminder,
    PublicPost,
    RoundPost,
    SignupPost,
    StandingsPost,
    TimeReminder,
)
from data.season_rows import PostRow, SeasonEventRow
from data.transaction import ReadTransaction
from league.events import DeadlineMoved, DealsReplayed, NoShowBooked, PodId, SeasonClosed
from league.ids import PersonId, TableId
from league.pairing.drawing import checked_in, gone_away, moving_up
from league.results import Player
from league.rulings import closed, fallen_apart
from league.season import Pod, Season
from league.standins import may_fill
from league.times import MINUTE
from marriage.rules import SEATS_MIN

log = structlog.get_logger(__name__)


class PodDeadlines:
    """Handles each pod separately, under the lock of its table. A damaged table stops its own match alone."""

    def __init__(self, leagues: Leagues, lobby: Lobby, endings: Endings) -> None:
        self._leagues = leagues
        self._lobby = lobby
        self._endings = endings

    async def end_round(self, season_id: SeasonId, step: SeasonStep, *, running_too: bool) -> None:
        """Rule on the matches of a round that have not begun; with `running_too`, also on those not finished."""
        for pod, table_id in await self._open_pods(season_id):
            if step.concerns(pod):
                await self._settle(season_id, pod.id, table_id, running_too=running_too)

    async def book_missing(
        self, season_id: SeasonId, pod_id: PodId, *, substitutes_had_time: bool = False
    ) -> None:
        """Book players missing from their table at the agreed time as no-shows; the others play without them.

        The seated players start whether ready or not: at once, or after a wait if substitutes can come. Nobody can come
        to a table that cannot be shown, so its time counts no longer. A match that was reported has been played.
        """
        table_id = {pod.id: table for pod, table in await self._open_pods(season_id)}.get(pod_id)
        if table_id is None:
            return

        async def command(tx: TableTransaction) -> None:
            season_tx = await SeasonTransaction.of(await tx.database(), season_id, tx.now)
            pod = season_tx.season.pods[pod_id]
            if pod.over or pod.report is not None or pod.again or tx.table.status != "lobby":
                return
            if _is_out_of_sight(tx):
                await lose_time(season_tx, pod_id)
                return
            there = await _seated(tx, season_tx, pod)
            await self._book_absent(season_tx, pod, table_id, there)
            await self._go_on_without(tx, season_tx, pod_id, there, wait=not substitutes_had_time)

        await self._act_at(table_id, command)

    async def _book_absent(
        self, season_tx: SeasonTransaction, pod: Pod, table_id: TableId, there: set[Player]
    ) -> None:
        for player in still_playing(pod, season_tx.season):
            if player not in there and player not in pod.missed:
                await season_tx.add(NoShowBooked(pod.id, player))
                await end_always_in(season_tx, [player])
                await free_seat(season_tx, pod, player, table_id)

    async def review(self, season_id: SeasonId) -> None:
        """Let tables that have not begun play without withdrawn players, or rule on their matches.

        Those of a closed season are closed, which releases the boards that they would have played.
        """
        for pod_id, table_id in await self._held_up_pods(season_id):
            await self._act_at(table_id, partial(self._review, season_id, pod_id))

    async def _act_at(
        self, table_id: TableId, command: Callable[[TableTransaction], Coroutine[Any, Any, None]]
    ) -> None:
        try:
            await self._leagues.tables.change(table_id, command)
        except EventsDamaged:
            log.exception("leagues.match_stopped", table=table_id)

    async def _review(self, season_id: SeasonId, pod_id: PodId, tx: TableTransaction) -> None:
        season_tx = await SeasonTransaction.of(await tx.database(), season_id, tx.now)
        pod = season_tx.season.pods.get(pod_id)
        if tx.table.status != "lobby":
            return
        if pod is None or pod.over or not season_tx.season.open:  # drawn again, ruled on, or ended
            await close(tx)
            return
        if pod.again:
            return  # either all who played the deals play, or no one
        playing = still_playing(pod, season_tx.season)
        await self._unseat_others(tx, playing)
        if len(playing) == len(pod.players):
            return
        if len(playing) < SEATS_MIN:
            if pod.report is not None or may_fill(season_tx.season, pod):
                return  # it was played elsewhere, or stand-ins may take the seats until the deadline
            await season_tx.add(nobody_to_play(pod, playing))
            await season_tx.request_post(RoundPost(pod.round))
            await close(tx)
        elif tx.deadline(READY) is None:
            await self._lobby.changed(tx)

    async def _unseat_others(self, tx: TableTransaction, playing: Sequence[Player]) -> None:
        """Remove everyone else from the table: they play elsewhere, or have left. Without them it may be complete."""
        persons = set((await (await tx.database()).seasons.persons_of(playing)).values())
        there = [seat.person_id for seat in tx.seats if seat.person_id is not None]
        for person_id in there:
            if person_id not in persons:
                await self._lobby.clear_seat(tx, tx.seat_of(person_id))
                review_members(tx, [person_id])
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
            if pod.over or pod.report is not None:  # a report counts at its own time, or the staff decide
                return
            if tx.match is not None and tx.match.ended is not None:  # what became of it was taken back
                await match_ended(tx, tx.match, tx.match.ended)
                if tx.table.status != "closed":
                    await close(tx)
                return
            if tx.table.deal_no and tx.table.status != "closed":
                if running_too:
                    await self._endings.shut(tx, "abandoned")  # the end of its match enters what was played
                return
            if running_too or not await self._begin_late(tx, season_tx, pod):
                await self._end_unplayed(tx, season_tx, pod)

        await self._act_at(table_id, command)

    async def _end_unplayed(self, tx: TableTransaction, season_tx: SeasonTransaction, pod: Pod) -> None:
        """End a match that has not begun. Nobody could sit down at a closed table: then the staff decide."""
        if pod.again:
            await season_tx.add(DealsReplayed(pod.id, {}))
        elif tx.table.status != "closed":
            await self._rule(tx, season_tx, pod)
        await season_tx.request_post(RoundPost(pod.round))
        if tx.table.status != "closed":
            await close(tx)

    async def _begin_late(self, tx: TableTransaction, season_tx: SeasonTransaction, pod: Pod) -> bool:
        """At the deadline, begin with the seated players; the others are no-shows.

        This requires that running matches may continue. So no one gains by sitting down and not playing.
        """
        there = await _seated(tx, season_tx, pod)
        waits = tx.table.status == "lobby" and not (pod.again or _is_out_of_sight(tx))
        if not waits or len(there) < SEATS_MIN or not season_tx.season.settings.extra_hours:
            return False
        await self._book_absent(season_tx, pod, tx.table.id, there)
        await self._go_on_without(tx, season_tx, pod.id, there, wait=False)
        await season_tx.request_post(RoundPost(pod.round))
        return True

    async def _rule(self, tx: TableTransaction, season_tx: SeasonTransaction, pod: Pod) -> None:
        """Rule on a match that has not begun at its deadline. It is no one's fault if its table could not be shown."""
        playing = still_playing(pod, season_tx.season)
        gone = set(pod.players) - set(playing)
        if len(playing) < SEATS_MIN:
            await season_tx.add(nobody_to_play(pod, playing))
        elif _is_out_of_sight(tx):
            blameless = [player for player in playing if player not in pod.missed]
            await season_tx.add(closed(pod, None, blameless, gone))
        else:
            there = await _seated(tx, season_tx, pod)
            await season_tx.add(fallen_apart(pod, there, gone))
            await end_always_in(season_tx, set(playing) - there)

    async def _open_pods(self, season_id: SeasonId) -> list[tuple[Pod, TableId]]:
        """Return the pods with a match to play, and their tables."""

        async def find_pods(db: ReadTransaction):
            _, season, _ = await read_season(db, season_id)
            tables = await db.seasons.pod_tables(season_id)
            return season, tables

        season, tables = await self._leagues.store.read(find_pods)
        pods = sorted(season.pods.values(), key=lambda pod: pod.id)
        return [(pod, tables[pod.id]) for pod in pods if not pod.over and pod.id in tables]

    async def _held_up_pods(self, season_id: SeasonId) -> list[tuple[PodId, TableId]]:
        """Return the pods whose tables wait in vain.

        The season is closed, the match was ruled on or drawn again, players have left, somebody sits there who does
        not play the match, or all who may still come sit there.
        """

        async def find_waiting(db: ReadTransaction):
            _, season, _ = await read_season(db, season_id)
            tables = await db.seasons.pod_tables(season_id)
            waiting = await db.tables.in_lobby(tables.values())
            pods = [pod for pod in season.pods.values() if tables.get(pod.id) in waiting]
            persons = await db.seasons.persons_of({player for pod in pods for player in pod.players})
            return season, tables, waiting, persons

        season, tables, waiting, persons = await self._leagues.store.read(find_waiting)
        return sorted(
            (pod_id, table_id)
            for pod_id, table_id in tables.items()
            if table_id in waiting
            and _is_held_up(season, season.pods.get(pod_id), persons, waiting[table_id])
        )


def _is_held_up(
    season: Season, pod: Pod | None, persons: Mapping[Player, PersonId], there: Collection[PersonId]
) -> bool:
    if pod is None or pod.over or not season.open or any(map(season.has_left, pod.players)):
        return True
    return not {*there} < {persons[player] for player in pod.players if player not in pod.missed}


def _is_out_of_sight(tx: TableTransaction) -> bool:
    """Return whether a table cannot be shown, so that no one can sit down there."""
    return tx.deadline(PAUSED) is not None


async def _seated(tx: TableTransaction, season_tx: SeasonTransaction, pod: Pod) -> set[Player]:
    """Return the players of the pod who sit at the table and have not left the season."""
    seated = {seat.person_id for seat in tx.seats}
    persons = await season_tx.db.seasons.persons_of(still_playing(pod, season_tx.season))
    return {player for player, person in persons.items() if person in seated}


BREAK_MS = MINUTE
"""The break, in milliseconds, between two rounds of one sitting if everyone has played before time is up."""


class Rounds:
    """Acts at least once on every step that is due, in order. Acting on a step again changes nothing."""

    def __init__(self, leagues: Leagues, lobby: Lobby, endings: Endings) -> None:
        self._leagues = leagues
        self._draws = Draws(leagues)
        self._reports = Reports(leagues)
        self.pods = PodDeadlines(leagues, lobby, endings)
        self._acts: dict[What, Callable[[SeasonId, SeasonStep], Awaitable[None]]] = {
            "check_in": self._open_check_in,
            "remind_in": self._remind_to_check_in,
            "draw": self._draw,
            "remind_play": self._remind_to_play,
            "due": self._due,
            "stop": self._stop,
            "settled": self._settled,
            "time": self._remind_of_time,
            "missing": self._missing,
            "start": self._start_anyhow,
            "report": self._count_report,
            "dispute": self._call_staff,
            "end": self._end,
        }

    async def catch_up(self, season_id: SeasonId) -> None:
        """Act on everything that is due and on its consequences, and store when to look again.

        A season whose server has removed the bot stands still.
        """
        if await self._leagues.store.read(stands_still, season_id):
            await self._leagues.write(season_id, _stop_looking)
            return
        while True:
            came, is_open = await self._next(season_id)
            if not came or came[0].at > self._leagues.now():
                break
            for step in came:
                await self._acts[step.what](season_id, step)
            if is_open:  # in a closed season all but reports is still to be done, if it is opened again
                await self._leagues.write(season_id, partial(_acted, came[0].at))
        await self.pods.review(season_id)

        async def change(season_tx: SeasonTransaction) -> None:
            await self._advance(season_tx)
            await season_tx.change(due_at=await _following(season_tx))

        await self._leagues.write(season_id, change)

    async def _next(self, season_id: SeasonId) -> tuple[list[SeasonStep], bool]:
        """Return the steps of the next due moment, and whether the season is open."""

        async def find_steps(db: ReadTransaction):
            row, season, _ = await read_season(db, season_id)
            times = await db.seasons.pod_times(season_id)
            return row, season, times

        row, season, times = await self._leagues.store.read(find_steps)
        return soonest(row, season, times), season.open

    async def _open_check_in(self, season_id: SeasonId, step: SeasonStep) -> None:
        async def change(season_tx: SeasonTransaction) -> None:
            if season_tx.season.drawn < step.round:
                await season_tx.request_post(CheckInPost(step.round))
                await season_tx.request_post(SignupPost())

        await self._leagues.write(season_id, change)
        await self._remind_to_check_in(season_id, step)

    async def _remind_to_check_in(self, season_id: SeasonId, step: SeasonStep) -> None:
        async def change(season_tx: SeasonTransaction) -> None:
            season = season_tx.season
            if season.drawn >= step.round:
                return
            coming = {member.player for member in checked_in(season, step.round)}
            missing = any(member.plays and member.player not in coming for member in season.members.values())
            is_last = step.hours == last_reminder(season.settings, step.round)
            asking = step.round == 1 or (missing and is_last)
            for member in season.members.values():
                asked = member.plays or (asking and member.status == "waiting" and member.withdrawn is None)
                if asked and member.player not in coming:
                    await season_tx.request_post(CheckInReminder(step.round, step.hours, member.player))

        await self._leagues.write(season_id, change)

    async def _draw(self, season_id: SeasonId, step: SeasonStep) -> None:
        async def change(season_tx: SeasonTransaction) -> None:
            if season_tx.season.drawn < step.round and _is_deserted(season_tx.season):
                await close_season(season_tx)
                for member in season_tx.season.members.values():
                    if not member.is_gone:
                        await season_tx.request_post(EndNotice(member.player))

        await self._leagues.write(season_id, change)
        await self._draws.draw(season_id, step.round)

    async def _remind_to_play(self, season_id: SeasonId, step: SeasonStep) -> None:
        async def change(season_tx: SeasonTransaction) -> None:
            if season_tx.season.settings.format.plays_to_the_end:
                return  # everyone is present and knows where to play
            for pod in season_tx.season.pods.values():
                if step.concerns(pod) and not pod.over and pod.table is None:
                    for player in pod.expected:
                        await season_tx.request_post(PlayReminder(step.round, step.hours, player, pod.due))

        await self._leagues.write(season_id, change)

    async def _due(self, season_id: SeasonId, step: SeasonStep) -> None:
        await self.pods.end_round(season_id, step, running_too=False)

    async def _stop(self, season_id: SeasonId, step: SeasonStep) -> None:
        await self.pods.end_round(season_id, step, running_too=True)

    async def _remind_of_time(self, season_id: SeasonId, step: SeasonStep) -> None:
        async def change(season_tx: SeasonTransaction) -> None:
            for player in season_tx.season.pods[step.pod].players:
                await season_tx.request_post(TimeReminder(step.pod, step.at, player))

        await self._leagues.write(season_id, change)

    async def _settled(self, season_id: SeasonId, step: SeasonStep) -> None:
        async def change(season_tx: SeasonTransaction) -> None:
            pod, time = (
                season_tx.season.pods[step.pod],
                await season_tx.db.seasons.pod_time(season_id, step.pod),
            )
            if (
                time is not None
                and is_agreed(season_tx.season, pod, time, season_tx.now)
                and pod.table is None
            ):
                await tell_agreed(season_tx, pod, time.proposal.at)

        await self._leagues.write(season_id, change)

    async def _missing(self, season_id: SeasonId, step: SeasonStep) -> None:
        if self._leagues.now() - step.at < LATE_MS:
            await self.pods.book_missing(season_id, step.pod)
        else:
            await self._leagues.write(season_id, lambda season_tx: lose_time(season_tx, step.pod))

    async def _start_anyhow(self, season_id: SeasonId, step: SeasonStep) -> None:
        if self._leagues.now() - step.at < LATE_MS:
            await self.pods.book_missing(season_id, step.pod, substitutes_had_time=True)
        else:
            await self._leagues.write(season_id, lambda season_tx: lose_time(season_tx, step.pod))

    async def _count_report(self, season_id: SeasonId, step: SeasonStep) -> None:
        await self._reports.settle(season_id, step.pod)

    async def _call_staff(self, season_id: SeasonId, step: SeasonStep) -> None:
        await self._reports.alert(season_id, step.pod)

    async def _end(self, season_id: SeasonId, step: SeasonStep) -> None:  # noqa: ARG002 - all acts are called alike

        async def change(season_tx: SeasonTransaction) -> None:
            await close_season(season_tx)

        await self._leagues.write(season_id, change)

    async def _advance(self, season_tx: SeasonTransaction) -> None:
        """Publish the standings of finished rounds.

        After the last round, draw the finals, then close the season.
        """
        season = season_tx.season
        posts = await season_tx.db.seasons.posts(season_tx.row.id)
        if season_tx.row.closed_at is not None:
            await _clear_calendar(season_tx, posts)
            await show_late_results(season_tx)
            return
        if season.paused_at is not None or not season.settings.format.has_draw:
            return
        await _clear_calendar(season_tx, posts)
        live = season.settings.format.plays_to_the_end
        if live and season.drawn:
            await season_tx.request_post(StandingsPost(NOW))
        for number in season.rounds:
            over = _is_over(season, number)
            if over:
                await compare_boards(season_tx, number)
            if over and not live and StandingsPost(number) not in posts:
                await season_tx.request_post(StandingsPost(number))
        is_over = season.drawn >= season.settings.rounds and all(pod.over for pod in season.pods.values())
        if is_over and not season.reopened:
            await self._finals(season_tx)
        elif season.settings.is_sitting and not live:
            await _send_now(season_tx)

    async def _finals(self, season_tx: SeasonTransaction) -> None:
        """Draw the next stage of the finals.

        Ties are decided by lot, which everyone can verify once the seed is revealed.
        """
        if not await draw_finals(season_tx, after_rounds(season_tx.now, season_tx.season.settings, 1)):
            await close_season(season_tx)


async def _stop_looking(season_tx: SeasonTransaction) -> None:
    """Let a season that stands still be looked at no more, until its server has the bot back."""
    if await stands_still(season_tx.db, season_tx.row.id):
        await season_tx.change(due_at=None)


async def _acted(until: int, season_tx: SeasonTransaction) -> None:
    """Record that everything up to this time was acted on. A round is drawn again after its time."""
    await season_tx.change(acted_until=max(season_tx.row.acted_until, until))


def _is_deserted(season: Season) -> bool:
    """Return whether too few players are left for any match, and none is still being played."""
    playing = sum(member.plays for member in season.members.values())
    coming = playing + len(moving_up(season, at_the_draw=True))
    return coming < SEATS_MIN and all(pod.over for pod in season.pods.values())


async def close_season(
    season_tx: SeasonTransaction, actor: Player | None = None, reason: str = ""
) -> SeasonEventRow | None:
    """Close a season: reveal its seed, post the final table, and move it to the archive.

    It is looked at once more, to close the tables that have not begun (`PodDeadlines.review`).
    """
    if season_tx.row.closed_at is not None:
        return None
    closed = SeasonClosed(season_tx.row.seed.hex())
    row = await season_tx.add(closed, actor=actor, reason=reason, staff=actor is not None)
    await season_tx.change(closed_at=season_tx.now, due_at=season_tx.now)
    await season_tx.request_post(EndPost())
    await season_tx.request_post(SignupPost())
    for post in await season_tx.db.seasons.posts(season_tx.row.id):
        if _asks_to_play(post, season_tx.season):
            await season_tx.request_post(post)
    return row


def _asks_to_play(post: PublicPost, season: Season) -> bool:
    """Return whether a message tells or asks about a match, or a round, that has not been played."""
    match post:
        case CheckInPost(number):
            return number > season.drawn
        case RoundPost(number):
            return not _is_over(season, number)
        case CalendarPost(pod) | FreeSeatPost(pod):
            return pod in season.pods and not season.pods[pod].over
        case _:
            return False


def _is_over(season: Season, number: int) -> bool:
    """Return whether nothing of a round is left to play."""
    return all(pod.over for pod in season.pods.values() if pod.round == number)


async def _send_now(season_tx: SeasonTransaction) -> None:
    """In one sitting, draw the next round soon after everyone has played, if that is early.

    If all have missed their match, or all but one, the others have the whole round to come back.
    """
    season, soon = season_tx.season, season_tx.now + BREAK_MS
    gone = gone_away(season)
    coming = sum(member.plays and member.player not in gone for member in season.members.values())
    latest = season.rounds.get(season.drawn)
    if (
        latest
        and season.drawn < season.settings.rounds
        and _is_over(season, season.drawn)
        and latest.due > soon
        and coming >= SEATS_MIN
    ):
        await season_tx.add(DeadlineMoved(season.drawn, soon))


async def _clear_calendar(season_tx: SeasonTransaction, posts: Mapping[PublicPost, PostRow]) -> None:
    """Remove the calendar events of pods that have played, or whose players have changed since they agreed on the time."""
    times = {time.pod: time for time in await season_tx.db.seasons.pod_times(season_tx.row.id)}
    for post, place in posts.items():
        if isinstance(post, CalendarPost) and place.message_id is not None:
            pod = season_tx.season.pods.get(post.pod)
            if pod is None or not is_agreed(season_tx.season, pod, times.get(pod.id), season_tx.now):
                await season_tx.request_post(post)


async def _following(season_tx: SeasonTransaction) -> int | None:
    """Return when to look again."""
    times = await season_tx.db.seasons.pod_times(season_tx.row.id)
    to_come = soonest(season_tx.row, season_tx.season, times)
    return to_come[0].at if to_come else None
