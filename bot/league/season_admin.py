"""Acts of a league's staff that are not rulings: drawing early, setting numbers, moving the season."""

from dataclasses import dataclass

from bot.errors import UserError
from bot.league.agenda import draw_after_check_in, first_draw, first_draw_moved, opens_at
from bot.league.entries import admit_by_settings
from bot.league.leagues import Leagues, open_with
from bot.league.number_settings import CLOCK, changed, read_clock
from bot.league.season import SeasonTransaction
from bot.people import NamedPerson
from bot.table.core.table import PAUSED
from data.ids import ChannelId, InteractionId, SeasonId
from data.outbox_keys import ClosedMessageKey, Subject, TableMessageKey
from data.season_posts import RoundPost, SignupPost
from data.store import aside
from league.events import CheckedIn, Confirmed, DeadlineMoved, Event
from league.pairing.drawing import checked_in, moving_up, places_left
from league.season import Member, Season
from league.settings import SeasonSettings
from marriage.rules import SEATS_MIN

_SET_THE_DAY = ("signup_days", "rest_weeks")
_SET_THE_HOUR = ("timezone", "draw_hour")


@dataclass(frozen=True, slots=True)
class NextDraw:
    """A round that the staff could draw now."""

    round: int
    coming: tuple[Member, ...]
    last: int
    """The number of the season's last event. After a later event, this draw is outdated."""


class SeasonAdmin:
    """The staff's acts on seasons. The caller checks that the person is staff."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def next_draw(self, season_id: SeasonId) -> NextDraw:
        """Return what `start` would draw now; raises UserError like `start`."""

        async def change(season_tx: SeasonTransaction) -> NextDraw:
            return _next_draw(season_tx)

        with aside():
            return await self._leagues.write(season_id, change)

    async def start(self, season_id: SeasonId, last: int, interaction_id: InteractionId) -> None:
        """Draw the next round now, as shown after the event `last`.

        For the first round this ends the sign-up. The draw is among those who have checked in, or before
        check-in has opened, among all who have not declined. Raises UserError if there are too few players,
        if matches of the last round are still to be played, if no round is left to draw, or if anything has
        happened since.
        """

        async def change(season_tx: SeasonTransaction) -> None:
            draw = _next_draw(season_tx)
            if draw.last != last:
                raise UserError("league.moved_on")
            season, number = season_tx.season, draw.round
            for member in draw.coming:
                await season_tx.add(*_entering(season, member, number))
            if number == 1:
                await season_tx.change(starts_at=season_tx.now)
            else:
                await season_tx.add(DeadlineMoved(season.drawn, season_tx.now))
            await season_tx.change(acted_until=season_tx.now - 1)
            await season_tx.look_again()

        await self._leagues.write(season_id, change, interaction_id)

    async def set_number(
        self, season_id: SeasonId, staff: NamedPerson, name: str, typed: str, interaction_id: InteractionId
    ) -> None:
        """Change one number of the season, or its clock; raises UserError once its first round is drawn."""

        async def change(season_tx: SeasonTransaction) -> None:
            season_tx.require_open()
            if season_tx.season.drawn or season_tx.season.pods:
                raise UserError("league.fixed")
            if name == CLOCK:
                await season_tx.change(pace=read_clock(typed))
                await season_tx.request_post(SignupPost())
                return
            before = season_tx.season.settings
            settings = changed(before, name, typed)
            if any(len(team.members) > settings.team_size for team in season_tx.season.teams.values()):
                raise UserError("team.too_large", size=settings.team_size)
            await staff.keep(season_tx.db, season_tx.now)
            await open_with(season_tx, settings, await season_tx.db.seasons.keep_player(staff.id))
            if name in _SET_THE_DAY:
                await season_tx.change(starts_at=await _first_draw(season_tx, settings))
            if name in _SET_THE_HOUR and settings.format.has_draw:
                starts_at = first_draw_moved(season_tx.row.starts_at, before, settings, season_tx.now)
                await season_tx.change(starts_at=starts_at)
            await admit_by_settings(season_tx)
            await season_tx.request_post(SignupPost())
            await season_tx.look_again()

        await self._leagues.write(season_id, change, interaction_id)

    async def set_place(
        self, season_id: SeasonId, channel_id: ChannelId, interaction_id: InteractionId
    ) -> None:
        """Move the season to another channel. Running matches stay where they are."""

        async def change(season_tx: SeasonTransaction) -> None:
            season_tx.require_open()
            await season_tx.change(channel_id=channel_id)
            await _take_along(season_tx, channel_id)
            await season_tx.request_post(SignupPost())
            await season_tx.db.outbox.send_all_now(Subject.SEASON, season_id, season_tx.now)

        await self._leagues.write(season_id, change, interaction_id)


async def _take_along(season_tx: SeasonTransaction, channel_id: ChannelId) -> None:
    """Post the tables that have not begun in the new channel: the old one may be gone. Those in threads stay there.

    A table that cannot be shown in its thread is tried again, because the thread is gone with its channel.
    """
    db = season_tx.db
    paused = await db.deadlines.tables_waiting(PAUSED)
    pod_tables = await db.seasons.pod_tables(season_tx.row.id)
    tables = await db.tables.get_many(pod_tables.values())
    for pod, table_id in pod_tables.items():
        if pod not in season_tx.season.pods:
            continue
        table = tables[table_id]
        if table.status == "lobby" and table.thread_id is not None:
            await db.tables.set_message(table_id, channel_id, table.message_id)
            if table_id in paused:
                await db.outbox.put(TableMessageKey(table_id), table.revision, season_tx.now)
        elif table.status == "lobby":
            if table.message_id is not None:
                old = ClosedMessageKey(table.id, table.place_id, table.message_id)
                await db.outbox.put(old, table.revision, season_tx.now)
            await db.tables.set_message(table_id, channel_id, None)
            await db.outbox.put(TableMessageKey(table_id), table.revision, season_tx.now)
            await season_tx.request_post(RoundPost(season_tx.season.pods[pod].round))


async def _first_draw(season_tx: SeasonTransaction, settings: SeasonSettings) -> int:
    """Return when the first round is drawn by these settings. A draw that comes earlier leaves time to confirm."""
    row, now = season_tx.row, season_tx.now
    former = None if row.former is None else await season_tx.db.seasons.get(row.former)
    at = first_draw(row.created_at, settings, former and former.closed_at)
    if not settings.format.has_draw:
        return max(now, at)
    return max(at, min(row.starts_at, draw_after_check_in(settings, 1, now)))


def _require_drawable(season_tx: SeasonTransaction) -> None:
    """Raise UserError unless a round is left to draw, and the last one is finished."""
    season_tx.require_open()
    season = season_tx.season
    if not season.settings.format.has_draw:
        raise UserError("league.no_draw")
    if season.paused_at is not None:
        raise UserError("league.is_paused")
    if season.drawn >= season.settings.rounds:
        raise UserError("league.started_already")
    left = sum(not pod.over for pod in season.pods.values())
    if left:
        raise UserError("league.still_to_play", count=left)


def _next_draw(season_tx: SeasonTransaction) -> NextDraw:
    _require_drawable(season_tx)
    season, number = season_tx.season, season_tx.season.drawn + 1
    coming = _coming(season_tx, number)
    least = season.settings.format.least_to_start(season.settings) if number == 1 else SEATS_MIN
    if len(coming) < least:
        raise UserError("league.too_few", least=least, there=len(coming))
    return NextDraw(number, tuple(coming), season_tx.last)


def _coming(season_tx: SeasonTransaction, number: int) -> list[Member]:
    """Return the members who play in a round drawn now."""
    season = season_tx.season
    if season_tx.now < opens_at(season_tx.row, season, number):
        playing = (member for member in season.members.values() if member.plays)
        waiting = season.waiting()[: places_left(season)] if number == 1 else ()
        return [*playing, *waiting]
    up = [season.members[player] for player in moving_up(season, at_the_draw=True)] if number == 1 else []
    return [*(member for member in checked_in(season, number) if member not in up), *up]


def _entering(season: Season, member: Member, number: int) -> list[Event]:
    """Return the events that put a member into the draw."""
    events: list[Event] = [] if member.plays else [Confirmed(member.player)]
    if member.player not in {known.player for known in checked_in(season, number)}:
        events.append(CheckedIn(member.player, number))
    return events
