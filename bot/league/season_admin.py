"""What a league's staff may do to its season: draw early, extend, pause, set its numbers, move it."""

from bot.errors import UserError
from bot.league.agenda import first_draw, first_draw_moved, opens_at
from bot.league.entries import admit_by_settings
from bot.league.leagues import Leagues, open_with
from bot.league.number_settings import CLOCK, changed, read_clock
from bot.league.postponing import moved_rounds, put_off, show_times
from bot.league.season_transaction import SeasonTransaction
from bot.people import Person
from data.ids import ChannelId, InteractionId, SeasonId
from data.outbox_keys import ClosedMessageKey, Subject, TableMessageKey
from data.season_posts import PauseNotice, RoundPost, RulingPost, SignupPost
from league.events import CheckedIn, Confirmed, DeadlineMoved, Event, SeasonPaused, SeasonResumed
from league.pairing.drawing import checked_in
from league.season import Member, Season
from league.settings import SeasonSettings
from league.times import DAY
from marriage.rules import SEATS_MIN

_SET_THE_DAY = ("signup_days", "rest_weeks")
_SET_THE_HOUR = ("timezone", "draw_hour")
_LONGEST_EXTENSION = 60 * DAY


class SeasonAdmin:
    """The caller checks that the person is staff."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def start(self, season_id: SeasonId, interaction_id: InteractionId) -> None:
        """Draw the next round now; for the first round this ends the sign-up.

        The draw is among those who have checked in, or before check-in has opened, among all who have not said no.
        Raises UserError if there are too few players, if matches of the last round are still to be played, and if no
        round is left to draw.
        """
        async with self._leagues.writing(season_id, interaction_id) as season_tx:
            _require_drawable(season_tx)
            season, number = season_tx.season, season_tx.season.drawn + 1
            coming = _coming(season_tx, number)
            least = season.settings.format.least_to_start(season.settings) if number == 1 else SEATS_MIN
            if len(coming) < least:
                raise UserError("league.too_few", least=least, there=len(coming))
            for member in coming:
                await season_tx.add(*_entering(season, member, number))
            if number == 1:
                await season_tx.change(starts_at=season_tx.now)
            else:
                await season_tx.add(DeadlineMoved(season.drawn, season_tx.now))
            await season_tx.change(acted_until=season_tx.now - 1)
            await season_tx.look_again()

    async def extend(
        self, season_id: SeasonId, staff: Person, until: int, reason: str, interaction_id: InteractionId
    ) -> None:
        """Move the end of the sign-up or of the round in play, and with it everything after it, to a later moment."""
        async with self._leagues.writing(season_id, interaction_id) as season_tx:
            season, number = season_tx.season, _in_play(season_tx)
            due = season.rounds[number].due if number else season_tx.row.starts_at
            if not max(due, season_tx.now) < until <= season_tx.now + _LONGEST_EXTENSION:
                raise UserError("league.bad_extension", due=due)
            if not number:
                await season_tx.change(starts_at=until)
            moved, *later = moved_rounds(season, number, until) if number else [DeadlineMoved(0, until)]
            await self._act(season_tx, moved, staff, reason)
            await season_tx.add(*later)
            await show_times(season_tx)

    async def pause(
        self, season_id: SeasonId, staff: Person, reason: str, interaction_id: InteractionId
    ) -> None:
        """Let nothing be drawn and no deadline pass until the season is resumed."""
        async with self._leagues.writing(season_id, interaction_id) as season_tx:
            _in_play(season_tx)
            await self._act(season_tx, SeasonPaused(), staff, reason)
            for member in season_tx.season.members.values():
                if not member.is_gone:
                    await season_tx.request_post(PauseNotice(season_tx.now, member.player))
            await show_times(season_tx)

    async def resume(
        self, season_id: SeasonId, staff: Person, reason: str, interaction_id: InteractionId
    ) -> None:
        """Let a paused season go on: everything that is still to come comes later by the length of the pause."""
        async with self._leagues.writing(season_id, interaction_id) as season_tx:
            season_tx.require_open()
            paused_at = season_tx.season.paused_at
            if paused_at is None:
                raise UserError("league.not_paused")
            await self._act(season_tx, SeasonResumed(), staff, reason)
            await put_off(season_tx, season_tx.now - paused_at)

    async def _act(self, season_tx: SeasonTransaction, event: Event, staff: Person, reason: str) -> None:
        """Add an act of the staff, and announce it."""
        await season_tx.db.people.keep(staff.id, staff.name, season_tx.now)
        player = await season_tx.db.seasons.keep_player(staff.id)
        row = await season_tx.add(event, actor=player, reason=reason, staff=True)
        if row is not None:
            await season_tx.request_post(RulingPost(row.id))

    async def set_number(
        self, season_id: SeasonId, staff: Person, name: str, typed: str, interaction_id: InteractionId
    ) -> None:
        """Change one number of the season, or its clock; raises UserError once its first round is drawn."""
        async with self._leagues.writing(season_id, interaction_id) as season_tx:
            season_tx.require_open()
            if season_tx.season.drawn or season_tx.season.pods:
                raise UserError("league.fixed")
            if name == CLOCK:
                await season_tx.change(pace=read_clock(typed))
                await season_tx.request_post(SignupPost())
                return
            before = season_tx.season.settings
            settings = changed(before, name, typed)
            await season_tx.db.people.keep(staff.id, staff.name, season_tx.now)
            await open_with(season_tx, settings, await season_tx.db.seasons.keep_player(staff.id))
            if name in _SET_THE_DAY:
                await season_tx.change(starts_at=max(season_tx.now, await _first_draw(season_tx, settings)))
            if name in _SET_THE_HOUR and settings.format.has_draw:
                starts_at = first_draw_moved(season_tx.row.starts_at, before, settings, season_tx.now)
                await season_tx.change(starts_at=starts_at)
            await admit_by_settings(season_tx)
            await season_tx.request_post(SignupPost())
            await season_tx.look_again()

    async def set_place(
        self, season_id: SeasonId, channel_id: ChannelId, interaction_id: InteractionId
    ) -> None:
        """Move the season to another channel; matches in play stay where they are."""
        async with self._leagues.writing(season_id, interaction_id) as season_tx:
            season_tx.require_open()
            await season_tx.change(channel_id=channel_id)
            await _take_along(season_tx, channel_id)
            await season_tx.request_post(SignupPost())
            await season_tx.db.outbox.hasten_all(Subject.SEASON, season_id, season_tx.now)


async def _take_along(season_tx: SeasonTransaction, channel_id: ChannelId) -> None:
    """Post the tables that have not begun in the new channel: the old one may be gone. Those in threads stay there."""
    db = season_tx.db
    pod_tables = await db.seasons.pod_tables(season_tx.row.id)
    tables = await db.tables.get_many(pod_tables.values())
    for pod, table_id in pod_tables.items():
        table = tables[table_id]
        if table.status == "lobby" and table.thread_id is not None:
            await db.tables.set_message(table_id, channel_id, table.message_id)
        elif table.status == "lobby":
            if table.message_id is not None:
                old = ClosedMessageKey(table.id, table.place_id, table.message_id)
                await db.outbox.put(old, table.revision, season_tx.now)
            await db.tables.set_message(table_id, channel_id, None)
            await db.outbox.put(TableMessageKey(table_id), table.revision, season_tx.now)
            await season_tx.request_post(RoundPost(season_tx.season.pods[pod].round))


async def _first_draw(season_tx: SeasonTransaction, settings: SeasonSettings) -> int:
    row = season_tx.row
    former = None if row.former is None else await season_tx.db.seasons.get(row.former)
    return first_draw(row.created_at, settings, former and former.closed_at)


def _require_drawable(season_tx: SeasonTransaction) -> None:
    """Raise UserError unless a round is left to draw, and nothing of the last one is left to play."""
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


def _coming(season_tx: SeasonTransaction, number: int) -> list[Member]:
    """The members who play in a round that is drawn now."""
    season = season_tx.season
    if season_tx.now < opens_at(season_tx.row, season, number):
        playing = (member for member in season.members.values() if member.plays)
        return [*playing, *(season.waiting() if number == 1 else ())]
    return list(checked_in(season, number))


def _entering(season: Season, member: Member, number: int) -> list[Event]:
    """The events that put a member into the draw."""
    events: list[Event] = [] if member.plays else [Confirmed(member.player)]
    if member.player not in {known.player for known in checked_in(season, number)}:
        events.append(CheckedIn(member.player, number))
    return events


def _in_play(season_tx: SeasonTransaction) -> int:
    """The first round with a match to play, else the last that is drawn, 0 for the sign-up; raises UserError."""
    season_tx.require_open()
    season = season_tx.season
    if not season.settings.format.has_draw:
        raise UserError("league.no_draw")
    if season.paused_at is not None:
        raise UserError("league.is_paused")
    playing = [pod.round for pod in season.pods.values() if not pod.over]
    return min(playing, default=season.drawn)
