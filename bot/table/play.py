"""Playing: starting deals, the moves of people and computers, and storing results."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot.errors import StaleRevisionError, UserError
from bot.settings import Settings
from bot.table.core.change import TableTransaction
from bot.table.core.repository import TableRepository
from bot.table.core.table import (
    BETWEEN,
    COMPUTER,
    PAUSED,
    READY,
    WINDOW,
    between_ms,
    is_break,
    plays_alone,
    rematch_ms,
)
from bot.table.flow.clocks import Clocks
from bot.table.flow.computers import Played, played_out, turns
from bot.table.flow.matches import clear_votes, deal_ended, match_is_over, result_rows, running_match
from bot.table.flow.moves import (
    act,
    all_seats,
    close_window,
    come_back,
    draws_ahead,
    has_nothing_to_decide,
    holding_tunnelas,
    publish_deal,
    record_played,
    require_current_button,
    require_deal,
    require_state,
    seat_to_draw,
    window_is_open,
)
from bot.table.flow.sealing import prepare_next
from bot.table.flow.seating import (
    all_have_asked,
    anyone_has_asked,
    ask_for_next,
    begin_deal,
    next_is_possible,
    next_is_wanted,
    require_at_table,
    require_place,
    require_seat,
    stand_in,
)
from bot.table.lobby import PLAY_NOW_LEVEL, all_ready, close, computer_seat, everybody_checked_in
from data.caches import Directory
from data.ids import InteractionId
from data.preferences import PersonSettings, TunnelaWish
from data.repositories.people import PersonRow
from data.values import DeadlineRow, SeatRow, TableRow
from league.ids import PersonId, TableId
from league.times import HOUR, MINUTE, SECOND
from marriage.actions import Action, DrawStock, ExposeTunnelas
from marriage.decide import decide
from marriage.rules import SEATS_MAX, SEATS_MIN
from marriage.state import Phase, State
from marriage.view import View, view


def require_may_deal(tx: TableTransaction, person_id: PersonId, status: str) -> int:
    """Return the seat of a person who may start a deal of a table in this status, or close it. Raises UserError."""
    seat = require_seat(tx, person_id)
    require_status(tx, status)
    return seat


def require_status(tx: TableTransaction, status: str) -> None:
    """Raise UserError for an act that does not fit the table's status."""
    if tx.table.status == "closed":
        raise UserError("sorry.table_closed")
    if tx.table.status != status:
        raise UserError("sorry.deal_is_on" if tx.table.status == "playing" else "error.stale")


def require_current(tx: TableTransaction, revision: int | None) -> None:
    """Raise StaleRevisionError for a button shown before the latest deal ended. None is a typed command."""
    if revision is not None and revision < tx.asked_since():
        raise StaleRevisionError


def require_enough(tx: TableTransaction) -> None:
    """Raise UserError for a deal with too few players."""
    if len(tx.seats) < SEATS_MIN:
        raise UserError("sorry.too_few", seats=SEATS_MIN)


Choice = Callable[[View], Action]
Choose = Callable[[State, Sequence[SeatRow]], Played]

READY_MS = 15_000
"""How long the others have to request the next deal too, before it starts without their contribution."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The result of a move, as the caller needs it."""

    back: bool
    """Whether the person was away until then."""
    computers_at_once: bool
    """Whether the computers play on at once, without their usual pause."""


class Play:
    """The deals of all tables."""

    def __init__(self, directory: Directory, tables: TableRepository, settings: Settings) -> None:
        self._directory = directory
        self._tables = tables
        self._settings = settings
        self._clocks = Clocks(settings, tables.activity)
        self._thinking = asyncio.Semaphore(1)

    async def start(
        self,
        table_id: TableId,
        person_id: PersonId,
        interaction_id: InteractionId,
        *,
        seats: int = 0,
        has_opened: bool = False,
    ) -> None:
        """Start the first deal of a table.

        The host starts it at once; others become ready, and it starts when all are. If the host sits alone
        and waits for no invited person, computers take free seats until `seats` are taken. An interaction
        that `has_opened` the table is known already. Raises UserError if it cannot start.
        """

        async def command(tx: TableTransaction) -> None:
            seat = require_may_deal(tx, person_id, "lobby")
            if not tx.table.kind.host_starts:
                raise UserError("league.all_ready_starts")
            if tx.table.host_id != person_id:
                if tx.seats[seat].ready:
                    raise UserError("sorry.ready_for_host")
                await self._be_ready(tx, seat, interaction_id)
                return
            settings = await self._directory.person_settings(person_id)
            level = settings.play_now_level or PLAY_NOW_LEVEL
            alone = len(tx.seats) < SEATS_MIN and not tx.table.kind.by_invitation
            while alone and len(tx.seats) < min(seats, SEATS_MAX):
                tx.set_seats([*tx.seats, computer_seat(tx, level)])
            require_enough(tx)
            if not has_opened:  # its id was known before the seal
                tx.mix_in(seat, interaction_id)
            await self.begin(tx)

        await self._tables.change(table_id, command, None if has_opened else interaction_id)

    async def ready(
        self, table_id: TableId, person_id: PersonId, interaction_id: InteractionId, *, is_ready: bool = True
    ) -> None:
        """Be ready for the first deal, or not any more. It starts when everybody is ready.

        Being ready contributes the press to the shuffle. Raises UserError if the deal cannot start.
        """

        async def command(tx: TableTransaction) -> None:
            seat = require_may_deal(tx, person_id, "lobby")
            if tx.seats[seat].ready == is_ready:
                return
            if is_ready:
                await self._be_ready(tx, seat, interaction_id)
            else:
                tx.set_seat(replace(tx.seats[seat], ready=False))
                tx.publish()

        await self._tables.change(table_id, command, interaction_id)

    async def _be_ready(self, tx: TableTransaction, seat: int, interaction_id: InteractionId) -> None:
        require_enough(tx)
        tx.set_seat(replace(tx.seats[seat], ready=True))
        tx.mix_in(seat, interaction_id)
        if all_ready(tx.seats) and await everybody_checked_in(tx):
            await self.begin(tx)
        else:
            tx.publish()

    async def next_deal(
        self,
        table_id: TableId,
        person_id: PersonId,
        interaction_id: InteractionId,
        revision: int | None = None,
    ) -> None:
        """Ask for the next deal. It starts when all people have asked, or a little later without the others.

        After a break, a league's match waits for all who are present. Asking contributes the press to the shuffle. Raises
        UserError if no deal can start, or for asking twice, and StaleRevisionError for a button shown at a revision before
        the latest deal was over.
        """

        async def command(tx: TableTransaction) -> None:
            require_at_table(tx, person_id)
            require_status(tx, "between")
            if match_is_over(tx):
                raise UserError("sorry.match_over" if tx.table.kind.has_rematch else "league.no_rematch")
            require_current(tx, revision)
            had_asked = await ask_for_next(tx, person_id, interaction_id)
            if had_asked and tx.deadline(READY) is not None:
                raise UserError("sorry.ready_already")
            await self._start_or_wait(tx, READY_MS)

        await self._tables.change(table_id, command, interaction_id)

    async def rematch(
        self,
        table_id: TableId,
        person_id: PersonId,
        interaction_id: InteractionId,
        revision: int | None = None,
    ) -> None:
        """Ask for another match by the same rules. It starts when all people have asked, or later without the others.

        Asking contributes the press to the shuffle. Raises UserError while a match is on, or for asking twice, and
        StaleRevisionError for a button of an earlier match.
        """

        async def command(tx: TableTransaction) -> None:
            require_at_table(tx, person_id)
            require_status(tx, "between")
            if not match_is_over(tx):
                raise UserError("sorry.match_on")
            if not tx.table.kind.has_rematch:
                raise UserError("league.no_rematch")
            require_current(tx, revision)
            had_asked = await ask_for_next(tx, person_id, interaction_id)
            if had_asked and tx.deadline(READY) is not None:
                raise UserError("sorry.rematch_already")
            await self._start_or_wait(tx, rematch_ms(tx.table.options.pace))

        await self._tables.change(table_id, command, interaction_id)

    async def _start_or_wait(self, tx: TableTransaction, most_ms: int) -> None:
        """Begin if everyone has requested to continue; otherwise give the others `most_ms`."""
        await self._require_fewer_deals(tx)
        if not next_is_possible(tx):
            raise UserError("sorry.too_few_play", least=SEATS_MIN)
        if all_have_asked(tx):
            await self.begin(tx)
            return
        if tx.deadline(READY) is None and not _waits_for_all(tx):
            if tx.deadline(PAUSED) is None:
                tx.remind(READY, most_ms)
            self.stay_open(tx)
        tx.publish()

    async def _require_fewer_deals(self, tx: TableTransaction) -> None:
        """Raise UserError if too many deals have ended within an hour, saying when the next one may begin."""
        most = self._settings.deals_per_table_h
        if tx.deal_no < most:
            return
        first = await (await tx.database()).deals.get(tx.table.id, tx.deal_no - most + 1)
        free_again = (first.ended_at or 0) + HOUR if first is not None else 0
        if free_again > tx.now:
            raise UserError("sorry.many_deals", count=most, at=free_again)

    async def fewer_are_asked(self, tx: TableTransaction) -> None:
        """Stop waiting for a player who will not play the next deal."""
        if tx.deadline(READY) is None:
            return
        if not next_is_wanted(tx):
            tx.stop(READY)
        elif all_have_asked(tx):
            await self.begin(tx)

    async def one_has_left(self, tx: TableTransaction) -> None:
        """Begin the next deal if only the player who has left had not asked for it; do not, if no one else had."""
        if tx.deadline(READY) is not None:
            if not next_is_wanted(tx):
                tx.stop(READY)
        elif _waits_for_all(tx) and tx.deadline(PAUSED) is None and all_have_asked(tx):
            await self.begin(tx)

    def stay_open(self, tx: TableTransaction) -> None:
        """Let the table wait its full time for the next deal again, unless it is paused; its buttons stay valid."""
        if tx.deadline(PAUSED) is None:
            tx.remind(BETWEEN, self._between_ms(tx), since=tx.asked_since())

    def resume_waiting(self, tx: TableTransaction) -> None:
        """Let a paused table wait its full time for the next deal; its buttons stay valid.

        If someone has asked for the deal, the others have as long as usual to ask, too. After a break, a league's match waits
        for them.
        """
        since = tx.asked_since()
        tx.stop(PAUSED)
        tx.remind(BETWEEN, self._between_ms(tx), since)
        if anyone_has_asked(tx) and next_is_possible(tx) and not _waits_for_all(tx):
            tx.remind(READY, READY_MS)

    async def add_word(
        self, table_id: TableId, person_id: PersonId, word: str, interaction_id: InteractionId
    ) -> None:
        """Contribute a typed word to the shuffle of the next deal; raises UserError while a deal is in play."""

        async def command(tx: TableTransaction) -> None:
            seat = require_seat(tx, person_id)
            if tx.table.status not in {"lobby", "between"}:
                raise UserError("sorry.word_later")
            tx.mix_in(seat, interaction_id, word)
            tx.publish()

        await self._tables.change(table_id, command, interaction_id)

    async def all_ready(self, table_id: TableId, revision: int) -> None:
        """Start the deal, because everyone is ready or the time of the others is over.

        Raises StaleRevisionError if that deadline has passed.
        """

        async def command(tx: TableTransaction) -> None:
            tx.require_due(READY, revision)
            if tx.table.status == "lobby" and not (all_ready(tx.seats) and await everybody_checked_in(tx)):
                raise StaleRevisionError
            if tx.table.status == "between" and not next_is_wanted(tx):
                tx.stop(READY)  # the people who asked have left, or too few are left
                tx.publish()
                return
            await self.begin(tx)

        await self._tables.change(table_id, command)

    async def begin(self, tx: TableTransaction) -> None:
        """Deal the prepared deal."""
        await begin_deal(tx)
        await self.follow(tx, all_seats(tx))

    async def move(
        self,
        table_id: TableId,
        person_id: PersonId,
        choose: Choice,
        revision: int | None = None,
        interaction_id: InteractionId | None = None,
    ) -> Moved:
        """Make a person's move, chosen from what their seat knows. It brings them back if they were away.

        `revision` is the one that their button was made for; None for a typed command. Raises IllegalActionError for a
        broken rule, StaleRevisionError for an old button, RepeatedInteractionError for the same click again, and
        UserError for people who may not play here.
        """

        async def command(tx: TableTransaction) -> Moved:
            seat = tx.seat_of(person_id)
            state = require_deal(tx)
            require_current_button(tx, revision)
            back = await self._back(tx, seat)
            act(tx, seat, choose(view(state, seat)))
            await self.follow(tx, [], by=seat)
            self.show_later(tx, seat)
            return Moved(back, computers_at_once=not tx.table.kind.computers_pause)

        return await self._tables.change(table_id, command, interaction_id)

    async def _back(self, tx: TableTransaction, seat: int) -> bool:
        """Note that the person who moves is present. Returns whether they were away until now."""
        if tx.seats[seat].present:
            return False
        await require_place(tx, seat)
        come_back(tx, self._clocks, seat)
        return True

    async def follow(self, tx: TableTransaction, shown: Sequence[int], by: int | None = None) -> None:
        """Follow a deal's change: set its clocks, end it if it is over, and show the table and these hands.

        A window with no open question closes at once. Tunnelas are exposed and cards drawn for players who
        chose that.
        """
        people = await self._people(tx)
        _pass_window(tx, people)
        _expose_ahead(tx, people)
        _draw_ahead(tx, people)
        state = require_state(tx)
        self._clocks.wind(tx)
        if state.phase is Phase.OVER:
            await self._end(tx, state)
        followed_ms = self._settings.followed_edit_s * SECOND if _all_follow(tx) else 0
        mid_turn_ms = self._settings.mid_turn_edit_s * SECOND
        publish_deal(tx, shown, by, mid_turn_ms=mid_turn_ms, followed_ms=followed_ms)

    async def _end(self, tx: TableTransaction, state: State) -> None:
        table, number = tx.table, tx.deal_no
        found = await result_rows(tx, state)
        db = await tx.database()
        await db.deals.add_results(table.id, number, found)
        await db.deals.end(table.id, number, tx.now, tx.changes.get("ended"))
        if not table.kind.is_counted:
            await _end_alone(tx, state)
            return
        await tx.hooks.announce_deal_ended(tx)
        await deal_ended(tx)
        tx.update(status="between", dealer=state.next_seat(state.dealer))
        tx.set_seats([replace(row, ready=False) for row in tx.seats])
        clear_votes(tx)
        await prepare_next(tx)
        tx.remind(BETWEEN, self._between_ms(tx))

    def _between_ms(self, tx: TableTransaction) -> int:
        """Return how long the table waits for the next deal, in milliseconds."""
        return between_ms(tx.table.options.pace, self._settings.lobby_expiry_m * MINUTE)

    async def finish_table(
        self,
        table_id: TableId,
        person_id: PersonId,
        interaction_id: InteractionId | None = None,
        revision: int | None = None,
    ) -> None:
        """Close a table between two deals; raises UserError in a match of fixed length, which needs a vote.

        Raises StaleRevisionError for a button shown at a revision before the latest deal was over.
        """

        async def command(tx: TableTransaction) -> None:
            require_may_deal(tx, person_id, "between")
            require_current(tx, revision)
            match = running_match(tx)
            if match is not None and match.deals:
                raise UserError("sorry.match_unfinished")
            await close(tx)

        await self._tables.change(table_id, command, interaction_id)

    async def close_window(self, table_id: TableId, revision: int) -> None:
        """Close the tunnela window: silent seats expose nothing unless their person's settings say so.

        Raises StaleRevisionError if that window is over.
        """

        async def command(tx: TableTransaction) -> None:
            tx.require_due(WINDOW, revision)
            await self._close_window(tx)

        await self._tables.change(table_id, command)

    async def _close_window(self, tx: TableTransaction) -> None:
        if not window_is_open(tx):
            raise StaleRevisionError
        close_window(tx, require_deal(tx), _wishing(tx, await self._people(tx), "always"))
        await self.follow(tx, all_seats(tx))

    async def _people(self, tx: TableTransaction) -> Mapping[int, PersonRow]:
        """Return the people at the table.

        A command that uses the database may await nothing else, not even the directory.
        """
        seated = [row.person_id for row in tx.seats if row.person_id is not None]
        if tx.begun is not None:
            return await tx.begun.people.get_many(seated)
        return await self._directory.people(seated)

    async def computer_turn(self, table_id: TableId, revision: int) -> None:
        """Let the computers at a table make their moves; raises StaleRevisionError if the table has changed.

        They choose before the table is locked, so that players never wait for them or for computers
        elsewhere.
        """
        table = await self._tables.get(table_id)
        state = _require_computers(table.row, table.state, table.deadlines.get(COMPUTER), revision)
        played = await self._think(turns, state, table.seats)

        async def command(tx: TableTransaction) -> None:
            state = _require_computers(tx.table, tx.state, tx.deadline(COMPUTER), revision)
            if window_is_open(tx):
                await self._close_window(tx)
            elif tx.table.revision == table.row.revision:
                await self._enter(tx, played)
            else:  # for example, a player has left meanwhile
                await self._enter(tx, await self._think(turns, state, tx.seats))

        await self._tables.change(table_id, command)

    async def _think(self, choose: Choose, state: State, seats: Sequence[SeatRow]) -> Played:
        """Let computers choose in a thread, one table at a time: more threads would slow down all answers."""
        async with self._thinking:
            return await asyncio.to_thread(choose, state, seats)

    async def _enter(self, tx: TableTransaction, played: Played) -> None:
        record_played(tx, played)
        await self.follow(tx, [])

    async def play_for(self, tx: TableTransaction, seat: int) -> None:
        """Let a computer play what the deal asks of a person who was away. After that the person plays again.

        Raises UserError for a person who left this table and sits at another.
        """
        played = await self._think(turns, require_deal(tx), tx.seats)
        await require_place(tx, seat)
        come_back(tx, self._clocks, seat)
        await self._enter(tx, played)
        self.show_later(tx, seat)

    def show_later(self, tx: TableTransaction, seat: int) -> None:
        """Delay the direct message to the next turn, because the answer to the press shows the hand."""
        tx.publish_hands([seat], wait_ms=self._settings.seen_hand_s * SECOND)

    async def play_out(self, table_id: TableId) -> None:
        """Let computers finish the deal of a single person from where the person stopped."""

        async def command(tx: TableTransaction) -> None:
            if tx.table.status != "playing":
                raise StaleRevisionError
            stand_in(tx, 0, left=True)
            await self._enter(tx, await self._think(played_out, require_deal(tx), tx.seats))

        await self._tables.change(table_id, command)


def _waits_for_all(tx: TableTransaction) -> bool:
    """Return whether the next deal begins only once all who are present have asked for it.

    After a break, those who have gone away without a word would lose a match in which nobody sits out.
    """
    deal = tx.deals.get(tx.deal_no)
    if tx.table.kind.may_come_and_go or running_match(tx) is None or deal is None or deal.ended_at is None:
        return False
    return is_break(tx.table.options.pace, tx.now - deal.ended_at)


def _pass_window(tx: TableTransaction, people: Mapping[int, PersonRow]) -> None:
    """Close the window of a person alone with computers who has nothing to decide in it."""
    if not (window_is_open(tx) and plays_alone(tx.table, tx.seats)):
        return
    state, exposing = require_state(tx), _wishing(tx, people, "always")
    if has_nothing_to_decide(tx, state, exposing | _wishing(tx, people, "never")):
        close_window(tx, state, exposing)


def _expose_ahead(tx: TableTransaction, people: Mapping[int, PersonRow]) -> None:
    """Expose the tunnelas of people who always do so, if each seat may wait until its own first draw."""
    if holding := [*holding_tunnelas(require_state(tx))]:
        exposing = _wishing(tx, people, "always")
        for seat, faces in holding:
            if seat in exposing and tx.seats[seat].present:
                tx.record(decide(require_state(tx), seat, ExposeTunnelas(faces)), actor=seat)


def _draw_ahead(tx: TableTransaction, people: Mapping[int, PersonRow]) -> None:
    """Draw for the person whose turn has just come, if they want that."""
    seat = seat_to_draw(tx)
    if seat is None:
        return
    person = people.get(tx.seats[seat].person_id or PersonId(0))
    settings = PersonSettings() if person is None else person.settings
    if draws_ahead(require_state(tx), settings.auto_draw):
        act(tx, seat, DrawStock())


def _wishing(tx: TableTransaction, people: Mapping[int, PersonRow], wish: TunnelaWish) -> set[int]:
    """Return the seats of people who have this wish for their tunnelas."""
    wishing = {person.id for person in people.values() if person.settings.tunnelas == wish}
    return {row.seat for row in tx.seats if row.person_id in wishing}


def _all_follow(tx: TableTransaction) -> bool:
    """Return whether all people at the table follow the deal in their open hands.

    The table's message is then for onlookers only.
    """
    people = [seat.person_id for seat in tx.seats if seat.person_id is not None and seat.present]
    return bool(people) and all(tx.hooks.follows(tx.table.id, person_id) for person_id in people)


def _require_computers(
    table: TableRow, state: State | None, deadline: DeadlineRow | None, revision: int
) -> State:
    """Return the deal in play, which has waited for its computers since this revision.

    Raises StaleRevisionError otherwise.
    """
    if table.status != "playing" or state is None or deadline is None or deadline.revision != revision:
        raise StaleRevisionError
    return state


async def _end_alone(tx: TableTransaction, state: State) -> None:
    """Close a person's table after the deal of the day, because it has no other deal."""
    await deal_ended(tx)
    tx.update(status="closed", closed_at=tx.now)
    net = state.sheet.lines[0].net if state.sheet else 0
    await (await tx.database()).boards.end_attempt(tx.table.id, net, finished=tx.seats[0].present)
    await tx.hooks.announce_attempt_ended(tx)
