"""Reports of players: matches with real cards, which the others confirm, and deals that the staff are asked to look at.

A reported deal has one question and one answer, visible to no one else.
"""

from collections.abc import Collection, Sequence
from typing import Final

import structlog

from bot.errors import UserError
from bot.league.free_seats import still_playing
from bot.league.leagues import Leagues
from bot.league.ruling_events import COMMENT, read_deals
from bot.league.season import (
    SeasonTransaction,
    own_pod,
    read_season,
    require_member,
    require_open,
    show_reports,
)
from bot.people import NamedPerson
from data.errors import EventsDamaged
from data.ids import InteractionId, SeasonId
from data.season_posts import (
    DealReportNotice,
    DealReportPost,
    DisputePost,
    ReportNotice,
    ReportPost,
    RoundPost,
)
from data.season_rows import SeasonEventRow
from data.transaction import ReadTransaction
from data.values import TableRow
from league.events import DealReportAnswered, DealReported, PodId, ReportAnswered, ResultReported
from league.ids import GuildId, TableId
from league.results import Player
from league.rulings import InvalidReportError, counted, report, to_answer
from league.season import Pod

SECOND_CALL = 2
"""The number of calls to the staff about a dispute: one at once, and one later."""
MOST_REPORTS: Final = 5
"""The most reports of a match by one player. Each sends the others a direct message."""
MOST_CALLING: Final = 3
"""The most disputes over a match that call the staff at once. They are called to the last one later."""

log = structlog.get_logger(__name__)


class Reports:
    """Each action of the players is one method, which raises UserError to refuse.

    `settle` is for the worker.
    """

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def pod_of(self, season_id: SeasonId, person: NamedPerson) -> PodId:
        """Return the pod whose match this person may report."""

        async def find_own_pod(db: ReadTransaction) -> PodId:
            row, season, _ = await read_season(db, season_id)
            require_open(row)
            if not season.settings.format.takes_reports:
                raise UserError("league.no_reports")
            _, pod = await own_pod(db, season_id, season, person)
            return pod.id

        return await self._leagues.store.read(find_own_pod)

    async def report(
        self,
        season_id: SeasonId,
        pod_id: PodId,
        person: NamedPerson,
        typed: str,
        absent: Collection[Player],
        interaction_id: InteractionId,
    ) -> None:
        """Report the result: a line for each deal, with the points by seat. Replaces an earlier report.

        Raises UserError if the player has reported the match too often, so that no one can write to the others without end.
        """

        async def change(season_tx: SeasonTransaction) -> None:
            player, pod = await require_member(season_tx, pod_id, person)
            _require_unplayed(season_tx, pod)
            settings = season_tx.season.settings
            try:
                told = report(pod, player, read_deals(typed), absent, settings)
            except InvalidReportError as error:
                key = "league.bad_report_exact" if error.least == error.most else "league.bad_report"
                raise UserError(key, count=error.seats, least=error.least, most=error.most) from None
            earlier = await _events_of(season_tx, pod)
            theirs = [
                event for event in earlier if isinstance(event, ResultReported) and event.player == player
            ]
            if len(theirs) >= MOST_REPORTS:
                raise UserError("league.reported_often", most=MOST_REPORTS)
            await season_tx.add(told, actor=player)
            for other in pod.players:
                if other != player:
                    await season_tx.request_post(ReportNotice(pod_id, season_tx.now, other))
            await follow_report(season_tx, pod_id)

        await self._leagues.write(season_id, change, interaction_id)

    async def answer(
        self,
        season_id: SeasonId,
        pod_id: PodId,
        at: int,
        person: NamedPerson,
        interaction_id: InteractionId,
        *,
        agrees: bool,
    ) -> str:
        """Confirm the report made at that time, or object to it; returns the message key of the answer.

        Raises UserError if there is a newer report. Only the first objections in a match call the staff at once.
        """

        async def change(season_tx: SeasonTransaction) -> str:
            player, pod = await require_member(season_tx, pod_id, person)
            told = pod.report
            if told is None or told.at != at or pod.over:
                raise UserError("league.other_report")
            if told.by == player and agrees:
                raise UserError("league.own_report")
            if told.against is not None:
                raise UserError("league.disputed")
            earlier = await _events_of(season_tx, pod)
            disputes = [event for event in earlier if isinstance(event, ReportAnswered) and not event.agrees]
            if not agrees or player not in told.agreed:
                await season_tx.add(ReportAnswered(pod_id, player, agrees), actor=player)
            if not agrees and len(disputes) < MOST_CALLING:
                await season_tx.request_post(DisputePost(pod_id, at))
            await follow_report(season_tx, pod_id)
            if not agrees:
                return "league.objected"
            return "league.report_counts" if season_tx.season.pods[pod_id].over else "league.report_confirmed"

        return await self._leagues.write(season_id, change, interaction_id)

    async def settle(self, season_id: SeasonId, pod_id: PodId) -> None:
        """Count the report, or rule on a dispute, because its time is over."""

        async def change(season_tx: SeasonTransaction) -> None:
            await follow_report(season_tx, pod_id)

        await self._leagues.write(season_id, change)

    async def alert(self, season_id: SeasonId, pod_id: PodId) -> None:
        """Call the staff again to a dispute that no one has decided yet."""

        async def change(season_tx: SeasonTransaction) -> None:
            pod = season_tx.season.pods[pod_id]
            if pod.report is not None and pod.report.against is not None and not pod.over:
                await season_tx.request_post(DisputePost(pod_id, pod.report.at, SECOND_CALL))

        await self._leagues.write(season_id, change)


async def follow_report(season_tx: SeasonTransaction, pod_id: PodId) -> None:
    """Enter the result if the report now counts, and update its message.

    Players who had left when it was played, and have returned since, are absent from it, and no no-shows.
    """
    season, pod = season_tx.season, season_tx.season.pods[pod_id]
    told = pod.report.result.players if pod.report is not None else ()
    awaited = [
        player
        for player in still_playing(pod, season)
        if player in told or (player, pod.round) not in season.absences
    ]
    await season_tx.add(*counted(pod, season_tx.now, awaited, season.settings))
    await season_tx.request_post(ReportPost(pod_id))
    await show_reports(season_tx, pod_id)
    await season_tx.request_post(RoundPost(pod.round))
    await season_tx.look_again()


async def ask_again(season_tx: SeasonTransaction, pod: Pod) -> None:
    """Ask for the answers to a report that waits again, because what had replaced it was taken back."""
    playing = still_playing(pod, season_tx.season)
    for player in to_answer(pod):
        if player in playing:
            await season_tx.request_post(ReportNotice(pod.id, season_tx.now, player))
    await follow_report(season_tx, pod.id)


async def await_no_longer(season_tx: SeasonTransaction, player: Player) -> None:
    """Let the reports count that waited for this player alone, who has left the season."""
    for pod in season_tx.season.pods.values():
        if pod.report is not None and player in pod.players:
            await follow_report(season_tx, pod.id)


async def _events_of(season_tx: SeasonTransaction, pod: Pod) -> list[ResultReported | ReportAnswered]:
    """Return the reports of a match and the answers to them so far."""
    if pod.report is None:
        return []  # usually; then the season's events need not be read
    bodies = [event.body for event in await season_tx.db.seasons.events(season_tx.row.id)]
    return [
        body for body in bodies if isinstance(body, ResultReported | ReportAnswered) and body.pod == pod.id
    ]


def _require_unplayed(season_tx: SeasonTransaction, pod: Pod) -> None:
    season_tx.require_open()
    if pod.over or pod.again or pod.table is not None:
        raise UserError("league.begun_or_over", pod=pod.id)


def prefilled(names: Sequence[str], deals: Sequence[Sequence[int]]) -> str:
    """Return the initial text of the report form: a line with the column names, and the known deals."""
    header = f"{COMMENT} {', '.join(name.replace(';', ' ') for name in names)}"
    return "\n".join([header, *(" ".join(map(str, points)) for points in deals), ""])


def columns(kept: Sequence[str], wanted: Sequence[str]) -> list[int] | None:
    """Return the positions of the wanted names among the kept ones, ignoring case.

    Return None unless both lists have the same names.

    >>> columns(["bikram", "Asha"], ["Asha", "Bikram"])
    [1, 0]
    """
    known = [name.casefold() for name in kept]
    meant = [name.casefold() for name in wanted]
    return [known.index(name) for name in meant] if sorted(known) == sorted(meant) else None


MOST_WAITING: Final = 3
"""How many unanswered reports one player may have in a season."""


class DealReports:
    """Reports of deals. The caller checks who is staff."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def report(
        self,
        guild_id: GuildId,
        person: NamedPerson,
        table_id: TableId,
        deal: int | None,
        reason: str,
        interaction_id: InteractionId,
    ) -> DealReported:
        """Report a finished deal, by default the last one of the table, to the staff of the league.

        Raises UserError if the deal is not of a league of this server, is not over, is still sealed or was
        already reported, if the person is not in that league, and if too many reports are already waiting.
        """
        season_id, pod_id = await self._leagues.store.read(_match_of, guild_id, table_id)

        async def change(season_tx: SeasonTransaction) -> DealReported:
            db = season_tx.db
            player = await db.seasons.player_of(person.id)
            if player is None or player not in season_tx.season.members:
                raise UserError("dealreport.not_in_league")
            finished = {row.deal_no for row in await db.deals.results(table_id)}
            number = max(finished, default=0) if deal is None else deal
            row = await db.deals.get(table_id, number)
            if row is None or number not in finished or await db.boards.is_sealed(row):
                raise UserError("dealreport.no_deal", table=table_id)
            told = (await db.seasons.projection(season_id)).deal_reports
            answered = {row.corrects for row in told}
            own = [row for row in told if isinstance(row.body, DealReported) and row.body.player == player]
            if any(_is_about(row, table_id, number) for row in own):
                raise UserError("dealreport.again")
            if sum(row.id not in answered for row in own) >= MOST_WAITING:
                raise UserError("dealreport.too_many", most=MOST_WAITING)
            event = DealReported(pod_id, table_id, number, player)
            added = await season_tx.add(event, actor=player, reason=reason)
            if added is not None:
                await season_tx.request_post(DealReportPost(added.id))
            return event

        return await self._leagues.write(season_id, change, interaction_id)

    async def is_reported(self, guild_id: GuildId, table_id: TableId, deal: int) -> bool:
        """Return whether a player of a league of this server reported the deal."""

        async def find_out(db: ReadTransaction) -> bool:
            drawn = await db.seasons.pod_at(table_id)
            rows = await db.seasons.in_guild(guild_id)
            if drawn is None or drawn.season not in {row.id for row in rows}:
                return False
            told = (await db.seasons.projection(drawn.season)).deal_reports
            return any(_is_about(row, table_id, deal) for row in told)

        return await self._leagues.store.read(find_out)

    async def look(self, season_id: SeasonId, event: int) -> tuple[TableRow, int]:
        """Return the table and number of a reported deal; raises UserError for any other event."""

        async def find_report(db: ReadTransaction):
            told = (await db.seasons.projection(season_id)).deal_reports
            report = _reported(told, event)
            table = await db.tables.get(TableId(report.table))
            return report, table

        report, table = await self._leagues.store.read(find_report)
        if table is None:
            raise UserError("dealreport.gone")
        return table, report.deal

    async def require_impartial(self, season_id: SeasonId, event: int, staff: NamedPerson) -> None:
        """Raise UserError if the person played in the reported deal: someone else has to answer."""

        async def require_impartial(db: ReadTransaction) -> None:
            told = (await db.seasons.projection(season_id)).deal_reports
            await _require_impartial(db, _reported(told, event), staff)

        await self._leagues.store.read(require_impartial)

    async def answer(
        self,
        season_id: SeasonId,
        event: int,
        staff: NamedPerson,
        answer: str,
        interaction_id: InteractionId,
        *,
        upheld: bool,
    ) -> None:
        """Answer a report and notify the player who made it.

        Raises UserError if it was answered already, or if the staff member played in the deal.
        """

        async def change(season_tx: SeasonTransaction) -> None:
            db = season_tx.db
            await staff.keep(db, season_tx.now)
            told = (await db.seasons.projection(season_id)).deal_reports
            report = _reported(told, event)
            await _require_impartial(db, report, staff)
            if any(row.corrects == event for row in told):
                raise UserError("dealreport.answered_already")
            actor = await db.seasons.keep_player(staff.id)
            answered = DealReportAnswered(event, upheld)
            await season_tx.add(answered, actor=actor, reason=answer, corrects=event)
            await season_tx.request_post(DealReportPost(event))
            await season_tx.request_post(DealReportNotice(event, report.player))

        await self._leagues.write(season_id, change, interaction_id)


def _reported(told: tuple[SeasonEventRow, ...], event: int) -> DealReported:
    body = next((row.body for row in told if row.id == event), None)
    if not isinstance(body, DealReported):
        raise UserError("dealreport.gone")
    return body


async def _require_impartial(db: ReadTransaction, report: DealReported, staff: NamedPerson) -> None:
    results = await db.deals.results(TableId(report.table))
    if any(row.person_id == staff.id for row in results if row.deal_no == report.deal):
        raise UserError("dealreport.own_deal")


def _is_about(row: SeasonEventRow, table_id: TableId, deal: int) -> bool:
    body = row.body
    return isinstance(body, DealReported) and (body.table, body.deal) == (table_id, deal)


async def _match_of(db: ReadTransaction, guild_id: GuildId, table_id: TableId) -> tuple[SeasonId, int]:
    """Return the season and pod of a table; raises UserError for a table outside this server's leagues."""
    drawn = await db.seasons.pod_at(table_id)
    for row in await db.seasons.in_guild(guild_id):
        if drawn is not None:
            if drawn.season == row.id:
                return row.id, drawn.pod
            continue
        try:
            pods = (await db.seasons.projection(row.id)).season.pods.values()
        except EventsDamaged:
            log.exception("leagues.not_searched", season=row.id)
            continue
        if found := next((pod for pod in pods if pod.table == table_id), None):
            return row.id, found.id
    raise UserError("dealreport.no_league", table=table_id)
