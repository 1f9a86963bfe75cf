"""Rulings of a league's staff: first previewed with their effects, then confirmed, then made public.

Until it is confirmed, a ruling is its author's draft. Any later event of the season invalidates the draft.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.errors import UserError
from bot.league.agenda import draw_at, has_time_to_play, pod_due_at
from bot.league.calendar_acts import carry_out, make_up_for, move_missed_draw, require_act
from bot.league.entries import follow_numbers, leave_team, move_up, take_in_by_staff
from bot.league.free_seats import (
    change_seats,
    follow_no_show,
    free_seat,
    give_seats_back,
    offer_all,
    seat_substitute,
    show_offers,
    still_playing,
    vacate,
)
from bot.league.leagues import Leagues, commitment_to, new_seed, require_free_name
from bot.league.meetings import ask_newcomers, lose_near_time, lose_time
from bot.league.pod_tables import draw_finals, open_round, open_tables
from bot.league.reports import ask_again, await_no_longer
from bot.league.rounds import close_season
from bot.league.ruling_events import InvalidPointsError, require_still, taken_back
from bot.league.season import SeasonTransaction, show_reports
from bot.people import NamedPerson
from bot.words.names import person_name, shown_name
from data.ids import InteractionId, SeasonId
from data.season_posts import (
    CalendarPost,
    CheckInPost,
    EndPost,
    MessageNotice,
    RoundPost,
    RulingPost,
    SignupPost,
    StandingsPost,
    TableNotice,
)
from data.season_rows import DraftRow, SeasonEventRow
from data.store import aside
from data.transaction import ReadTransaction
from league.book import book
from league.events import (
    AbsenceBooked,
    Adjudicated,
    CheckedIn,
    DeadlineMoved,
    DealVoided,
    Entry,
    Event,
    NoShowBooked,
    NumbersChanged,
    PodReopened,
    ReplayOrdered,
    ResultCorrected,
    Returned,
    RoundCancelled,
    RoundDrawn,
    SeasonClosed,
    SeasonPaused,
    SeasonReopened,
    SeasonResumed,
    SubstituteSet,
    Withdrawn,
)
from league.ids import GuildId
from league.members import Banned, DivisionsExchanged, MemberSet, MembersWritten, PlayerMoved
from league.pairing.drawing import left_out
from league.results import Player
from league.season import Pod, Season, after, fold
from league.standings import StandingsRow, standings

_CHANGES_WHAT_COMES = (
    SubstituteSet,
    PlayerMoved,
    DivisionsExchanged,
    RoundCancelled,
    MembersWritten,
    NumbersChanged,
)
Make = Callable[[Season, Sequence[SeasonEventRow], dict[int, Player]], Event]
"""Makes the event from the season, its events, and the named players by their Discord ids."""


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """How a ruling would change one row of the standings; None for a missing row."""

    player: Player
    before: StandingsRow | None
    after: StandingsRow | None

    @property
    def of_points(self) -> bool:
        """Whether it is more than a change of place: other points, or a row added or removed."""
        return self.before is None or self.after is None or self.before.points != self.after.points


@dataclass(frozen=True, slots=True)
class Preview:
    """A ruling that waits to be confirmed."""

    draft: int
    row: SeasonEventRow
    changes: tuple[PlaceChange, ...]


class Rulings:
    """Rulings on seasons. The caller checks that the person may rule."""

    def __init__(self, leagues: Leagues) -> None:
        self._leagues = leagues

    async def prepare(
        self,
        season_id: SeasonId,
        staff: NamedPerson,
        reason: str,
        make: Make,
        named: Sequence[NamedPerson] = (),
        corrects: int | None = None,
    ) -> Preview:
        """Draft a ruling and return its effects. Nothing is entered yet."""

        async def draft(season_tx: SeasonTransaction) -> Preview:
            db = season_tx.db
            players: dict[int, Player] = {}
            for person in (staff, *named):
                await person.keep(db, season_tx.now)
                players[person.id] = await db.seasons.keep_player(person.id)
            try:
                event = make(season_tx.season, await db.seasons.events(season_id), players)
            except InvalidPointsError as error:
                names = await _names(db, season_tx.row.guild_id, error.players)
                raise UserError("league.bad_points", count=len(error.players), names=names) from None
            if corrects is not None:
                event = taken_back(season_tx.season, corrects, event, season_tx.row.starts_at)
            await _require_possible(season_tx, event, corrects=corrects is not None)
            changed = _with(season_tx, event)
            absences = await _absences(season_tx.db, season_tx.row.id, changed, event, corrects)
            follows = (Entry(number, season_tx.now, absence) for number, absence in enumerate(absences))
            changes = differences(season_tx.season, fold(follows, changed))
            number = await db.seasons.set_draft(
                DraftRow(0, season_tx.row.id, players[staff.id], season_tx.last, reason, corrects, event)
            )
            row = SeasonEventRow(
                0,
                season_tx.row.id,
                players[staff.id],
                season_tx.now,
                reason,
                staff=True,
                corrects=corrects,
                body=event,
            )
            return Preview(number, row, changes)

        with aside():
            return await self._leagues.write(season_id, draft)

    async def enact(
        self, season_id: SeasonId, draft_id: int, staff: NamedPerson, interaction_id: InteractionId
    ) -> SeasonEventRow:
        """Enter a previewed ruling; raises UserError for another person's draft, or if the season has changed since."""

        async def change(season_tx: SeasonTransaction) -> SeasonEventRow:
            player = await season_tx.db.seasons.player_of(staff.id)
            draft = await season_tx.db.seasons.draft(draft_id)
            if draft is None or draft.season != season_id or draft.actor != player:
                raise UserError("league.not_your_draft")
            if draft.last != season_tx.last:
                raise UserError("league.moved_on")
            await _require_possible(season_tx, draft.body, corrects=draft.corrects is not None)
            await season_tx.db.seasons.clear_draft(draft_id)
            row = await _enter(season_tx, draft)
            if row is None:
                raise ValueError("an act is an event")
            return row

        return await self._leagues.write(season_id, change, interaction_id)


async def _enter(season_tx: SeasonTransaction, draft: DraftRow) -> SeasonEventRow | None:
    """Add the event of a draft, and carry out its consequences."""
    if isinstance(draft.body, SeasonClosed):
        return await close_season(season_tx, draft.actor, draft.reason)
    closed_at, body = season_tx.row.closed_at, draft.body
    goes_on = isinstance(body, SeasonReopened) and await _was_closed_by_staff(season_tx, draft.corrects)
    if isinstance(body, SeasonReopened):
        await season_tx.change(seed=new_seed())
        body = SeasonReopened(commitment_to(season_tx.row.seed), goes_on=goes_on)
    before = season_tx.season
    row = await season_tx.add(
        body, actor=draft.actor, reason=draft.reason, staff=True, corrects=draft.corrects
    )
    if row is not None and isinstance(body, DeadlineMoved | SeasonPaused | SeasonResumed):
        await carry_out(season_tx, body, before)
        await season_tx.request_post(RulingPost(row.id))
    elif row is not None and isinstance(body, MembersWritten):
        for player in body.players:
            await season_tx.request_post(MessageNotice(row.id, player))
    elif row is not None:
        await _follow(season_tx, row, before)
    if goes_on and closed_at is not None and before.paused_at is None:  # a pause counts until it ends
        await make_up_for(season_tx, closed_at)
    return row


async def _was_closed_by_staff(season_tx: SeasonTransaction, number: int | None) -> bool:
    """Return whether the staff ended the season with the event of that number; else it ended by itself."""
    rows = await season_tx.db.seasons.events(season_tx.row.id)
    return any(row.id == number and row.staff for row in rows)


async def _names(db: ReadTransaction, guild_id: GuildId, players: Sequence[Player]) -> str:
    """Return the names of these players, in this order, as message text."""
    persons = await db.seasons.persons_of(players)
    people = await db.people.get_many(persons.values())
    return ", ".join(
        shown_name(person_name(person_id, people[person_id].names.in_server(guild_id)))
        for person_id in map(persons.get, players)
        if person_id
    )


async def _require_possible(season_tx: SeasonTransaction, event: Event, *, corrects: bool) -> None:
    """Raise UserError for what is not possible now.

    Examples are reopening a season that another has followed, or a pod whose table is open.
    """
    row = season_tx.row
    if isinstance(event, _CHANGES_WHAT_COMES):
        season_tx.require_open()
        require_still(season_tx.season, event)
    if isinstance(event, DeadlineMoved | SeasonPaused | SeasonResumed):
        require_act(season_tx, event, corrects=corrects)
    if (
        isinstance(event, PodReopened | ReplayOrdered)
        and not _is_taken_back(event)
        and row.closed_at is not None
    ):
        raise UserError("league.reopen_first", league=shown_name(row.name), pod=event.pod)
    if isinstance(event, PodReopened):
        table_id = (await season_tx.db.seasons.pod_tables(row.id)).get(event.pod)
        table = None if table_id is None else await season_tx.db.tables.get(table_id)
        if table is None or table.status != "closed":
            raise UserError("league.table_is_open", pod=event.pod)
    if isinstance(event, RoundCancelled) and event.drawn.due <= season_tx.now:
        raise UserError("league.redraw_late", round=event.drawn.round)
    if isinstance(event, SeasonClosed):
        season_tx.require_open()
    if isinstance(event, SeasonReopened):
        seasons = await season_tx.db.seasons.in_guild(row.guild_id)
        if any(season.former == row.id for season in seasons):
            raise UserError("league.reopened_too_late", league=shown_name(row.name))
        await require_free_name(season_tx.db, row.guild_id, row.name)


def _with(season_tx: SeasonTransaction, event: Event) -> Season:
    try:
        return after(season_tx.season, Entry(season_tx.last + 1, season_tx.now, event))
    except KeyError:
        raise UserError("league.not_a_member") from None


def differences(before: Season, changed: Season) -> tuple[PlaceChange, ...]:
    """Return the rows of the standings that differ, over all divisions, best place first."""
    found: list[PlaceChange] = []
    past, present = book(before), book(changed)
    for division in sorted({member.division for member in changed.members.values()}):
        old = {row.player: row for row in standings(before, division=division, written=past).rows}
        new = {row.player: row for row in standings(changed, division=division, written=present).rows}
        for player in dict.fromkeys([*new, *old]):
            was, becomes = old.get(player), new.get(player)
            if was is None or becomes is None or (was.rank, was.points) != (becomes.rank, becomes.points):
                found.append(PlaceChange(player, was, becomes))
    return tuple(found)


async def _follow(season_tx: SeasonTransaction, row: SeasonEventRow, before: Season) -> None:
    """Carry out the consequences of a ruling: seats, messages that show it, and the public notice."""
    event = row.body
    if isinstance(event, Withdrawn | Returned | Banned | MemberSet):
        await _follow_member(season_tx, event, row.corrects)
    if isinstance(event, SubstituteSet):
        await seat_substitute(season_tx, event)
        await ask_newcomers(season_tx, season_tx.season.pods[event.pod], [event.substitute])
        await show_offers(season_tx, event.pod)
    if isinstance(event, NoShowBooked):
        await follow_no_show(season_tx, event)
    await _follow_the_desk(season_tx, event, before)
    await _follow_match(season_tx, event, before)
    if isinstance(event, SeasonReopened):
        await season_tx.change(closed_at=None)
        await move_missed_draw(season_tx)
        await _open_closed_tables(season_tx)
    for post in await season_tx.db.seasons.posts(season_tx.row.id):
        if isinstance(post, SignupPost | CheckInPost | RoundPost | StandingsPost | EndPost):
            await season_tx.request_post(post)
    if isinstance(
        event, ResultCorrected | Adjudicated | DealVoided | NoShowBooked | PodReopened | ReplayOrdered
    ):
        await show_reports(season_tx, event.pod)
    await season_tx.request_post(RulingPost(row.id))
    await season_tx.look_again()


async def _follow_match(season_tx: SeasonTransaction, event: Event, before: Season) -> None:
    """Let the match of a pod be played, or its report be answered, if that is what the ruling leaves to be done."""
    if isinstance(event, ResultCorrected | Adjudicated):
        pod = season_tx.season.pods[event.pod]
        if pod.report is not None and before.pods[pod.id].report is None:
            await ask_again(season_tx, pod)
        elif leaves_to_play(event, pod):
            await _let_play(season_tx, pod)
    if isinstance(event, PodReopened | ReplayOrdered) and not _is_taken_back(event):
        await season_tx.db.seasons.clear_pod_time(season_tx.row.id, event.pod)
        await _open_again(season_tx, [season_tx.season.pods[event.pod]])


async def _follow_the_desk(season_tx: SeasonTransaction, event: Event, before: Season) -> None:
    match event:
        case PlayerMoved() | DivisionsExchanged():
            await change_seats(season_tx, before)
        case NumbersChanged():
            await move_missed_draw(season_tx)
            await follow_numbers(season_tx, event)
        case RoundCancelled(drawn=drawn):
            await _draw_again(season_tx, drawn, before)
        case _:
            pass


async def _follow_member(
    season_tx: SeasonTransaction, event: Withdrawn | Returned | Banned | MemberSet, corrects: int | None
) -> None:
    """Give up the seats of a leaving player, or restore them; added players enter the next draw.

    A withdrawal or a ban, the event `corrects`, can be taken back: then it has made the player miss nothing.
    """
    if season_tx.season.has_left(event.player):
        await leave_team(season_tx, event.player)
        await vacate(season_tx, event.player)
        await offer_all(season_tx)
        await await_no_longer(season_tx, event.player)
    else:
        await give_seats_back(season_tx, event.player)
        absences = await _absences(season_tx.db, season_tx.row.id, season_tx.season, event, corrects)
        await season_tx.add(*absences)
    await move_up(season_tx)
    is_added = isinstance(event, Returned) and corrects is None
    if is_added or (isinstance(event, MemberSet) and event.status == "confirmed"):
        await take_in_by_staff(season_tx, event.player)


async def _absences(
    db: ReadTransaction, season_id: SeasonId, season: Season, event: Event, corrects: int | None
) -> list[AbsenceBooked]:
    """Return the absences that a withdrawal or a ban brings; if it is taken back, those to take back since then."""
    match event:
        case Withdrawn(player=player) | Banned(player=player) if season.has_left(player):
            return left_out(season, player)
        case Returned(player=player) | Banned(player=player) if corrects is not None:
            later = [row.body for row in await db.seasons.events(season_id) if row.id > corrects]
            rounds = {
                body.round for body in later if isinstance(body, AbsenceBooked) and body.player == player
            }
            absent = [number for number in sorted(rounds) if (player, number) in season.absences]
            return [AbsenceBooked(player, number, absent=False) for number in absent]
        case _:
            return []


async def _draw_again(season_tx: SeasonTransaction, cancelled: RoundDrawn, before: Season) -> None:
    """Take back the draws after the cancelled round, and draw all of them again at once.

    The deadlines stay. Players who have joined for the next round are drawn too; those of the finals follow
    from the current table. The worker draws and closes the tables; what has been due before stays done.
    """
    first = cancelled.round
    later = [drawn for number, drawn in sorted(before.rounds.items()) if number > first]
    await season_tx.add(*map(RoundCancelled, later))
    season = season_tx.season
    for pod in before.pods:
        if pod not in season.pods:
            await season_tx.db.seasons.clear_pod_time(season_tx.row.id, pod)
    if cancelled.stage:
        await draw_finals(season_tx, cancelled.due)
        return
    excused = [
        AbsenceBooked(*absence, absent=False) for absence in sorted(season.absences) if absence[1] >= first
    ]
    late = [
        CheckedIn(player, first) for player, number in sorted(season.check_ins) if number == before.drawn + 1
    ]
    await season_tx.add(*excused, *late)


def leaves_to_play(event: ResultCorrected | Adjudicated, pod: Pod) -> bool:
    """Return whether the event takes back what was decided on a match that has yet to be played; `pod` is as it is then.

    A match that was reported has been played, and the staff decide about one to which someone did not come.
    """
    was_reported = isinstance(event, ResultCorrected) and event.old is not None and event.old.reported
    return not (pod.over or pod.again or pod.report or pod.missed or was_reported) and pod.table is None


def _is_taken_back(event: PodReopened | ReplayOrdered) -> bool:
    return isinstance(event, ReplayOrdered) and not event.on


async def _open_again(season_tx: SeasonTransaction, pods: Sequence[Pod]) -> None:
    """Open new tables for these pods, and notify their players. No seat is reserved for those who did not come."""
    found = [(pod, still_playing(pod, season_tx.season)) for pod in pods]
    matches = [(pod, playing) for pod, playing in found if playing]
    await open_tables(season_tx, matches)
    tables = await season_tx.db.seasons.pod_tables(season_tx.row.id)
    for pod, playing in matches:
        for player in playing:
            if player in pod.missed:
                await free_seat(season_tx, pod, player, tables[pod.id])
            else:
                await season_tx.request_post(TableNotice(pod.round, player, tables[pod.id]))


async def _let_play(season_tx: SeasonTransaction, pod: Pod) -> None:
    """Let a match be played whose result, or the ruling on it, was taken back. Without time for it, it waits for the staff.

    Its table has been closed meanwhile, or it has none, because it was decided before its round began.
    """
    row, season = season_tx.row, season_tx.season
    table_id = (await season_tx.db.seasons.pod_tables(row.id)).get(pod.id)
    if not has_time_to_play(row, season, pod, season_tx.now):
        await season_tx.db.seasons.clear_pod_time(row.id, pod.id)
    elif table_id is None:
        if draw_at(row, season, pod.round) <= row.acted_until:
            await open_round(season_tx, pod.round)
    elif (await season_tx.db.tables.get_many([table_id]))[table_id].status == "closed":
        await _open_again(season_tx, [pod])
        await lose_near_time(season_tx, pod)


async def _open_closed_tables(season_tx: SeasonTransaction) -> None:
    """Open new tables for the matches of a reopened season that had not begun when it was closed.

    Those whose deadline had passed wait for the staff as before. The others get deals of their own if another match of their round had
    begun: its boards may be known by now. An agreed time that has come counts no longer, however short the closure was: those who had
    sat down have to do so again. One that is still to come is back on the calendar.
    """
    all_pods, pod_tables = season_tx.season.pods, await season_tx.db.seasons.pod_tables(season_tx.row.id)
    tables = await season_tx.db.tables.get_many(pod_tables.values())
    begun = {pod.round for pod in all_pods.values() if pod.table is not None}
    closed: dict[int, list[Pod]] = {}
    for pod_id, table_id in sorted(pod_tables.items()):
        pod, table = all_pods.get(pod_id), tables[table_id]
        if pod is None or pod.over or table.status != "closed" or table.deal_no:
            continue
        if pod_due_at(season_tx.row, season_tx.season, pod) > season_tx.row.acted_until:
            closed.setdefault(pod.round, []).append(pod)
    for number, pods in closed.items():
        for together in [[pod] for pod in pods] if number in begun else [pods]:
            await _open_again(season_tx, together)
    opened = {pod.id for pods in closed.values() for pod in pods}
    for time in await season_tx.db.seasons.pod_times(season_tx.row.id):
        if time.pod in opened and time.proposal.at <= season_tx.now:
            await lose_time(season_tx, time.pod)
        elif time.pod in opened:
            await season_tx.request_post(CalendarPost(time.pod))
