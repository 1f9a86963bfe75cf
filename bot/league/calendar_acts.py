"""What changes the calendar of a season: an extension, a pause and its end by the staff, and outages.

After an outage, seasons whose check-in, draw or deadline fell into it are postponed, so that no one loses time. Those of a server
that removes the bot stand still, and are postponed once it has the bot back.
"""

import asyncio
from collections.abc import Callable
from typing import TypeAlias

import structlog

from bot.errors import UserError
from bot.league.agenda import (
    after_rounds,
    boundaries,
    delayed,
    due_at,
    lost_times,
    missed_draw_moved,
    put_off_by,
    steps,
)
from bot.league.leagues import Leagues
from bot.league.meetings import lose_time
from bot.league.season import SeasonTransaction, read_season
from data.errors import UnreadableValueError
from data.ids import SeasonId
from data.season_posts import (
    CheckInPost,
    DelayPost,
    FreeSeatPost,
    PauseNotice,
    PublicPost,
    ReportPost,
    RoundPost,
    SignupPost,
)
from data.season_rows import SeasonRow
from data.shards import Share
from data.transaction import ReadTransaction, WriteTransaction
from league.events import DeadlineMoved, DeadlinesPutOff, SeasonPaused, SeasonReopened, SeasonResumed
from league.ids import GuildId
from league.season import Season
from league.times import DAY

log = structlog.get_logger(__name__)


class Postponing:
    """Postpones seasons after an outage, before they catch up, and those of a server that was without the bot."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues
        self._comes_back = asyncio.Lock()

    async def put_off(self, away_from: int, now: int, share: Share) -> None:
        """Postpone all seasons of a share that lost time because no one could press anything since `away_from`.

        It may be repeated, also later, if it was interrupted: no time counts twice.
        """
        for season_id in await self._running(share):
            await self._put_off_if_sound(season_id, away_from, now)

    async def server_gone(self, guild_id: GuildId) -> None:
        """Let the seasons of a server that has removed the bot stand still: no one can press anything there."""

        async def write(db: WriteTransaction) -> None:
            settings, seasons = await db.guilds.settings(guild_id), await db.seasons.in_guild(guild_id)
            if settings.lost_at is None and any(row.closed_at is None for row in seasons):
                lost = settings.model_copy(update={"lost_at": self._leagues.now()})
                await db.guilds.set_settings(guild_id, lost)

        await self._leagues.store.write(write)

    async def compare(self, listed: Callable[[], Share], has_bot: Callable[[GuildId], bool]) -> None:
        """Notice which servers have removed the bot, or taken it back, while it was not connected or the store refused to note it.

        Discord has listed the servers of the `listed` shards to this process, which may lose a shard, and forget its servers, at any
        time: so both are asked about each server anew.
        """
        share = listed()
        servers = await self._leagues.store.read(lambda db: db.seasons.guilds_playing(share))
        for guild_id, is_lost in servers.items():
            if listed().owns(guild_id) and has_bot(guild_id) is is_lost:
                try:
                    await (self.server_back if is_lost else self.server_gone)(guild_id)
                except UnreadableValueError:
                    log.exception("leagues.server_not_compared", guild=guild_id)

    async def server_back(self, guild_id: GuildId) -> None:
        """Let the seasons of a server that has the bot back go on, postponed as after an outage.

        One at a time: a second call for the same server finds nothing to do any more.
        """
        async with self._comes_back:
            await self._server_back(guild_id)

    async def _server_back(self, guild_id: GuildId) -> None:
        lost_at, now = await self._leagues.store.read(_lost_at, guild_id), self._leagues.now()
        if lost_at is None:
            return
        rows = await self._leagues.store.read(lambda db: db.seasons.in_guild(guild_id))
        for row in rows:
            if row.closed_at is None:
                await self._put_off_if_sound(row.id, lost_at, now)

        async def write(db: WriteTransaction) -> None:
            settings = await db.guilds.settings(guild_id)
            await db.guilds.set_settings(guild_id, settings.model_copy(update={"lost_at": None}))
            for row in await db.seasons.in_guild(guild_id):
                if row.closed_at is None or await _waits_for_reports(db, row, lost_at):
                    await db.seasons.update(row, due_at=now)

        await self._leagues.store.write(write)
        self._leagues.tables.committed()

    async def _put_off_if_sound(self, season_id: SeasonId, away_from: int, now: int) -> None:
        try:
            await self._put_off_season(season_id, away_from, now)
        except UnreadableValueError:  # also EventsDamaged
            log.exception("leagues.not_put_off", season=season_id)

    async def _put_off_season(self, season_id: SeasonId, away_from: int, now: int) -> None:
        async def change(season_tx: SeasonTransaction) -> None:
            lost_at = await _lost_at(season_tx.db, season_tx.row.guild_id)
            if lost_at is not None and lost_at < away_from:
                return  # this time counts when the server has the bot back
            await _excuse(season_tx, away_from, now)
            if not put_off_by(season_tx.row, season_tx.season, away_from, now):
                return  # as most seasons, whose events then need not be read
            since = await _lost_since(season_tx, away_from, now)
            if by := put_off_by(season_tx.row, season_tx.season, since, now):
                at = await put_off(season_tx, by)
                await season_tx.request_post(DelayPost(at))

        await self._leagues.write(season_id, change)

    async def _running(self, share: Share) -> list[SeasonId]:
        return await self._leagues.store.read(lambda db: db.seasons.running(share))


async def _lost_at(db: ReadTransaction, guild_id: GuildId) -> int | None:
    """Return since when a server is without the bot; None if it has it."""
    return (await db.guilds.settings(guild_id)).lost_at


async def _waits_for_reports(db: ReadTransaction, row: SeasonRow, lost_at: int) -> bool:
    """Return whether a closed season still waited for a report when its server lost the bot."""
    try:
        _, season, _ = await read_season(db, row.id)
    except UnreadableValueError:  # also EventsDamaged
        log.exception("leagues.not_looked_at", season=row.id)
        return False
    return any(step.at > lost_at for step in steps(row, season))


async def stands_still(db: ReadTransaction, season_id: SeasonId) -> bool:
    """Return whether the server of a season has removed the bot, so that nothing may come due."""
    row = await db.seasons.get(season_id)
    return row is not None and await _lost_at(db, row.guild_id) is not None


async def _excuse(season_tx: SeasonTransaction, away_from: int, now: int) -> None:
    """Let the agreed times that fell into an outage, a pause or the time of a closed season count no longer."""
    times = await season_tx.db.seasons.pod_times(season_tx.row.id)
    for time in lost_times(season_tx.season, times, away_from, now):
        await lose_time(season_tx, time.pod)
        await season_tx.look_again()


async def _lost_since(season_tx: SeasonTransaction, away_from: int, now: int) -> int:
    """Return the start of an outage, moved later by what the season was postponed for already.

    A postponement for an outage counts all time until then. One at the end of a pause, or after the season was
    closed by mistake, counts the time for which the season stood still.
    """
    events = await season_tx.db.seasons.events(season_tx.row.id)
    resumed_at = {event.at for event in events if isinstance(event.body, SeasonResumed | SeasonReopened)}
    since, stood_still = away_from, 0
    for event in events:
        if isinstance(event.body, DeadlinesPutOff) and since < event.at <= now:
            if event.at in resumed_at:
                stood_still += event.at - max(since, event.at - event.body.by)
            else:
                since, stood_still = event.at, 0
    return since + stood_still


async def make_up_for(season_tx: SeasonTransaction, since: int) -> None:
    """Move everything in the future by the time for which a season stood still; agreed times within it count no longer."""
    await _excuse(season_tx, since, season_tx.now)
    await put_off(season_tx, season_tx.now - since)


async def put_off(season_tx: SeasonTransaction, by: int) -> int:
    """Move everything in the future by so many milliseconds; returns when the next draw or deadline is.

    The next draw comes within the hours of play, and those after it at the usual hour. The deadline of a pod
    or a report moves by exactly this time.
    """
    since, season = season_tx.row.acted_until, season_tx.season
    if not season.drawn:
        await season_tx.change(starts_at=delayed(season_tx.row.starts_at + by, season.settings))
    await season_tx.add(DeadlinesPutOff(since, by))
    first: dict[int, int] = {}
    for number, drawn in sorted(season.rounds.items()):
        if drawn.due > since:
            first.setdefault(drawn.stage, number)
    for number in first.values():
        due = delayed(season.rounds[number].due + by, season.settings)
        await season_tx.add(*moved_rounds(season, number, due))
    await show_times(season_tx)
    ahead = [at for at in boundaries(season_tx.row, season_tx.season) if at > since]
    return min(ahead, default=season_tx.now)


def moved_rounds(season: Season, first: int, due: int) -> list[DeadlineMoved]:
    """Return the events that move the deadlines of a drawn round and of all later drawn rounds.

    The matches of a stage of the finals have one deadline, or move by the same time if they have not.
    """
    stage, by = season.rounds[first].stage, due - season.rounds[first].due
    return [
        DeadlineMoved(number, drawn.due + by if stage else after_rounds(due, season.settings, number - first))
        for number, drawn in sorted(season.rounds.items())
        if number >= first and drawn.stage == stage
    ]


async def move_missed_draw(season_tx: SeasonTransaction) -> None:
    """Set another time for the next draw if its time has passed without a draw, so that it is still made."""
    at = missed_draw_moved(season_tx.row, season_tx.season, season_tx.now)
    if at is None:
        return
    if season_tx.season.drawn:
        await season_tx.add(DeadlineMoved(season_tx.season.drawn, at))
    else:
        await season_tx.change(starts_at=at)
    await show_times(season_tx)


async def show_times(season_tx: SeasonTransaction) -> None:
    """Update every message that shows future times."""
    for post in await season_tx.db.seasons.posts(season_tx.row.id):
        if _shows_times(post, season_tx.season.drawn):
            await season_tx.request_post(post)
    await season_tx.look_again()


def _shows_times(post: PublicPost, drawn: int) -> bool:
    """Return whether a message shows a future time; `drawn` rounds are drawn."""
    match post:
        case SignupPost() | ReportPost() | FreeSeatPost():
            return True
        case CheckInPost(number) | RoundPost(number):
            return number >= drawn
        case _:
            return False


CalendarAct: TypeAlias = DeadlineMoved | SeasonPaused | SeasonResumed
_LONGEST_EXTENSION = 60 * DAY


def extended(row: SeasonRow, season: Season, until: int | None = None) -> DeadlineMoved:
    """Return the move of the end of the sign-up or of the round in play; raises UserError.

    By default it is moved by a day.
    """
    _require_going_on(season)
    number = _in_play(row, season)
    former = season.rounds[number].due if number else row.starts_at
    return DeadlineMoved(number, former + DAY if until is None else until, former)


def paused(season: Season) -> SeasonPaused:
    """Return a pause: nothing is drawn and no deadline passes until the season resumes; raises UserError."""
    _require_going_on(season)
    return SeasonPaused()


def resumed(season: Season) -> SeasonResumed:
    """Return the resumption of a paused season; raises UserError."""
    if season.paused_at is None:
        raise UserError("league.not_paused")
    return SeasonResumed()


def require_act(season_tx: SeasonTransaction, event: CalendarAct, *, corrects: bool) -> None:
    """Raise UserError unless the act is possible now. A correcting act may also move a deadline nearer."""
    season_tx.require_open()
    match event:
        case DeadlineMoved(due=until, former=former):
            _require_going_on(season_tx.season)
            earliest = season_tx.now if corrects else max(former, season_tx.now)
            if not earliest < until <= season_tx.now + _LONGEST_EXTENSION:
                raise UserError("league.bad_extension", due=former)
        case SeasonPaused():
            _require_going_on(season_tx.season)
        case SeasonResumed():
            resumed(season_tx.season)


async def carry_out(season_tx: SeasonTransaction, event: CalendarAct, before: Season) -> None:
    """Carry out the consequences of an act that was added as an event; `before` is the season before it."""
    match event:
        case DeadlineMoved(round=0, due=until):
            await season_tx.change(starts_at=until)
        case DeadlineMoved(round=number, due=until):
            await season_tx.add(*moved_rounds(before, number, until)[1:])
        case SeasonPaused():
            await _tell_members(season_tx)
        case SeasonResumed():
            if before.paused_at is not None:
                await make_up_for(season_tx, before.paused_at)
    await show_times(season_tx)


async def _tell_members(season_tx: SeasonTransaction) -> None:
    """Tell every member of the pause that has just begun, unless it is another one of the last day."""
    events = await season_tx.db.seasons.events(season_tx.row.id)
    latest = [event for event in events if event.at > season_tx.now - DAY]
    if sum(isinstance(event.body, SeasonPaused) for event in latest) > 1:
        return  # the public message tells it
    for member in season_tx.season.members.values():
        if not member.is_gone:
            await season_tx.request_post(PauseNotice(season_tx.now, member.player))


def _require_going_on(season: Season) -> None:
    if not season.settings.format.has_draw:
        raise UserError("league.no_draw")
    if season.paused_at is not None:
        raise UserError("league.is_paused")


def _in_play(row: SeasonRow, season: Season) -> int:
    """Return the first round with a match to play by its deadline, else the last drawn round; 0 during the sign-up.

    A match that is to be played again, was reported, or is still open after its deadline, does not wait for that of its round.
    """
    playing = [
        pod.round
        for pod in season.pods.values()
        if not (pod.over or pod.due or pod.report) and due_at(row, season, pod.round) > row.acted_until
    ]
    return min(playing, default=max(season.rounds, default=0))
