"""Deals of a league that players report to the staff. Each has one question and one answer, visible to no one else."""

from typing import Final

from bot.errors import UserError
from bot.league.leagues import Leagues
from bot.league.season_transaction import SeasonTransaction
from bot.people import NamedPerson
from data.ids import InteractionId, SeasonId
from data.season_posts import DealReportNotice, DealReportPost
from data.season_rows import SeasonEventRow
from data.transaction import ReadTransaction
from data.values import TableRow
from league.ids import GuildId, TableId
from league.matches.deal_reports import DealReportAnswered, DealReported

MOST_WAITING: Final = 3
"""How many unanswered reports one player may have in a season."""


class DealReports:
    """The caller checks who is staff."""

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

        Raises UserError for a deal that is not of a league of this server, not over or still sealed, from anybody who
        is not in that league, for the same deal again, and if too many reports wait already.
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
        """Whether a player of a league of this server reported the deal."""

        async def read(db: ReadTransaction) -> bool:
            drawn = await db.seasons.pod_at(table_id)
            rows = await db.seasons.in_guild(guild_id)
            if drawn is None or drawn.season not in {row.id for row in rows}:
                return False
            told = (await db.seasons.projection(drawn.season)).deal_reports
            return any(_is_about(row, table_id, deal) for row in told)

        return await self._leagues.store.read(read)

    async def look(self, season_id: SeasonId, event: int) -> tuple[TableRow, int]:
        """The table and the number of a reported deal; raises UserError for an event that is no such report."""

        async def read(db: ReadTransaction):
            told = (await db.seasons.projection(season_id)).deal_reports
            report = _reported(told, event)
            table = await db.tables.get(TableId(report.table))
            return report, table

        report, table = await self._leagues.store.read(read)
        if table is None:
            raise UserError("dealreport.gone")
        return table, report.deal

    async def require_impartial(self, season_id: SeasonId, event: int, staff: NamedPerson) -> None:
        """Raise UserError if they played in the reported deal themselves: somebody else answers."""

        async def read(db: ReadTransaction) -> None:
            told = (await db.seasons.projection(season_id)).deal_reports
            await _require_impartial(db, _reported(told, event), staff)

        await self._leagues.store.read(read)

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
            await db.people.keep(staff.id, staff.name, season_tx.now)
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
    """The season and pod in which a table was played; raises UserError for a table outside this server's leagues."""
    drawn = await db.seasons.pod_at(table_id)
    for row in await db.seasons.in_guild(guild_id):
        if drawn is not None:
            if drawn.season == row.id:
                return row.id, drawn.pod
            continue
        pods = (await db.seasons.projection(row.id)).season.pods.values()
        if found := next((pod for pod in pods if pod.table == table_id), None):
            return row.id, found.id
    raise UserError("dealreport.no_league", table=table_id)
