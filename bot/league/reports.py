"""Home games: a match that a pod has played with real cards is reported, confirmed by the others, and then counts."""

from collections.abc import Collection, Sequence

from bot.errors import UserError
from bot.league.leagues import Leagues
from bot.league.ruling_events import COMMENT, read_deals
from bot.league.season_transaction import (
    SeasonTransaction,
    own_pod,
    read_season,
    require_member,
    require_open,
    show_reports,
)
from bot.league.vacancies import still_playing
from bot.people import NamedPerson
from data.ids import InteractionId, SeasonId
from data.season_posts import DisputePost, ReportNotice, ReportPost, RoundPost
from data.transaction import ReadTransaction
from league.events import PodId, ReportAnswered
from league.reports import InvalidReportError, counted, report
from league.results import Player
from league.season import Pod

SECOND_CALL = 2
"""The staff are called to a dispute at once, and once more."""


class Reports:
    """Each action of the players is one method, which raises UserError when it refuses; `settle` is for the worker."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def pod_of(self, season_id: SeasonId, person: NamedPerson) -> PodId:
        """The pod whose match this person may report."""

        async def read(db: ReadTransaction) -> PodId:
            row, season, _ = await read_season(db, season_id)
            require_open(row)
            if not season.settings.format.takes_reports:
                raise UserError("league.no_reports")
            _, pod = await own_pod(db, season_id, season, person)
            return pod.id

        return await self._leagues.store.read(read)

    async def report(
        self,
        season_id: SeasonId,
        pod_id: PodId,
        person: NamedPerson,
        typed: str,
        absent: Collection[Player],
        interaction_id: InteractionId,
    ) -> None:
        """Report the result: a line for each deal, with the points by seat. Replaces an earlier report."""

        async def change(season_tx: SeasonTransaction) -> None:
            player, pod = await require_member(season_tx, pod_id, person)
            _require_unplayed(season_tx, pod)
            settings = season_tx.season.settings
            try:
                told = report(pod, player, read_deals(typed), absent, settings)
            except InvalidReportError as error:
                key = "league.bad_report_exact" if error.least == error.most else "league.bad_report"
                raise UserError(key, count=error.seats, least=error.least, most=error.most) from None
            await season_tx.add(told, actor=player)
            for other in pod.players:
                if other != player:
                    await season_tx.request_post(ReportNotice(pod_id, season_tx.now, other))
            await _follow(season_tx, pod_id)

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

        Raises UserError if there is another report by now.
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
            if not agrees or player not in told.agreed:
                await season_tx.add(ReportAnswered(pod_id, player, agrees), actor=player)
            if not agrees:
                await season_tx.request_post(DisputePost(pod_id, at))
            await _follow(season_tx, pod_id)
            if not agrees:
                return "league.objected"
            return "league.report_counts" if season_tx.season.pods[pod_id].over else "league.report_confirmed"

        return await self._leagues.write(season_id, change, interaction_id)

    async def settle(self, season_id: SeasonId, pod_id: PodId) -> None:
        """Count the report, or rule on a dispute: the time for it is over."""

        async def change(season_tx: SeasonTransaction) -> None:
            await _follow(season_tx, pod_id)

        await self._leagues.write(season_id, change)

    async def alert(self, season_id: SeasonId, pod_id: PodId) -> None:
        """Call the staff once more to a dispute that nobody has decided yet."""

        async def change(season_tx: SeasonTransaction) -> None:
            pod = season_tx.season.pods[pod_id]
            if pod.report is not None and pod.report.against is not None and not pod.over:
                await season_tx.request_post(DisputePost(pod_id, pod.report.at, SECOND_CALL))

        await self._leagues.write(season_id, change)


async def _follow(season_tx: SeasonTransaction, pod_id: PodId) -> None:
    """Enter the result if the report counts by now, and update its message."""
    pod = season_tx.season.pods[pod_id]
    playing = still_playing(pod, season_tx.season)
    await season_tx.add(*counted(pod, season_tx.now, playing, season_tx.season.settings))
    await season_tx.request_post(ReportPost(pod_id))
    await show_reports(season_tx, pod_id)
    await season_tx.request_post(RoundPost(pod.round))
    await season_tx.look_again()


def _require_unplayed(season_tx: SeasonTransaction, pod: Pod) -> None:
    season_tx.require_open()
    if pod.over or pod.again or pod.table is not None:
        raise UserError("league.begun_or_over", pod=pod.id)


def prefilled(names: Sequence[str], deals: Sequence[Sequence[int]]) -> str:
    """The initial text of the report form: a line with the names of the columns, and the deals known already."""
    header = f"{COMMENT} {', '.join(name.replace(';', ' ') for name in names)}"
    return "\n".join([header, *(" ".join(map(str, points)) for points in deals), ""])


def columns(kept: Sequence[str], wanted: Sequence[str]) -> list[int] | None:
    """The positions of the wanted names among the kept ones, ignoring case; None unless both lists have the same names.

    >>> columns(["bikram", "Asha"], ["Asha", "Bikram"])
    [1, 0]
    """
    known = [name.casefold() for name in kept]
    meant = [name.casefold() for name in wanted]
    return [known.index(name) for name in meant] if sorted(known) == sorted(meant) else None
