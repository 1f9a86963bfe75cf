"""Playing: deals are started, moves made by people and by computers, and results written down."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.errors import StaleRevisionError, UserError
from bot.settings import Settings
from bot.table import duplicate, matches, next_deal, votes
from bot.table.clocks import Clocks
from bot.table.computers import Played, answer, played_out, turns
from bot.table.fairness import complete
from bot.table.lobby import all_ready, close, everybody_checked_in
from bot.table.outbox_requests import add_members, retire_hands
from bot.table.pace import between_ms, rematch_ms
from bot.table.repository import TableRepository
from bot.table.results import results
from bot.table.seating import is_left_out, leave_out, note_stand_ins, stand_in, take_back, take_places
from bot.table.transaction import BETWEEN, READY, WINDOW, TableTransaction
from data.values import DealRow, SeatRow
from marriage.actions import Action
from marriage.decide import decide, start
from marriage.rules import SEATS_MIN
from marriage.state import Phase, State
from marriage.view import View, view

Choice = Callable[[View], Action]
Choose = Callable[[State, Sequence[SeatRow]], Played]

READY_MS = 15_000
"""How long the others may take to ask for the next deal too, before it starts without their contribution."""
IN_MID_TURN = {"drew", "took", "exposed", "declined"}
"""Events that nobody else can act on: the discard, or the end of the window, that follows is what they wait for."""
_MINUTE = 60_000


@dataclass(frozen=True, slots=True)
class Moved:
    """What there is to know of a move that was made."""

    back: bool
    """Whether the person was away until then."""
    computers_at_once: bool
    """Whether the computers play on at once, without their usual pause."""


class Play:
    """The deals of all tables."""

    def __init__(self, tables: TableRepository, settings: Settings) -> None:
        self._tables = tables
        self._settings = settings
        self._clocks = Clocks(settings)
        self._thinking = asyncio.Semaphore(1)

    async def start(self, table_id: int, person_id: int, interaction_id: int) -> None:
        """Start the first deal of a table; raises UserError when it cannot start."""
        async with self._tables.open(table_id, interaction_id) as tx:
            seat = _require_may_deal(tx, person_id, "lobby")
            if tx.table.host_id != person_id:
                raise UserError("sorry.host_starts")
            if not tx.table.kind.host_starts:
                raise UserError("league.all_ready_starts")
            _require_enough(tx)
            await tx.mix_in(seat, interaction_id)
            await self.begin(tx)

    async def ready(self, table_id: int, person_id: int, interaction_id: int) -> None:
        """Be ready for the first deal, or no longer: it starts when everybody is. Raises UserError when it cannot start.

        Being ready mixes the press into the shuffle.
        """
        async with self._tables.open(table_id, interaction_id) as tx:
            seat = _require_may_deal(tx, person_id, "lobby")
            _require_enough(tx)
            row = tx.seats[seat]
            await tx.set_seat(replace(row, ready=not row.ready))
            if not row.ready:
                await tx.mix_in(seat, interaction_id)
            if all_ready(tx.seats) and await everybody_checked_in(tx):
                await self.begin(tx)
            else:
                await tx.publish()

    async def next_deal(
        self, table_id: int, person_id: int, interaction_id: int, revision: int | None = None
    ) -> None:
        """Ask for the following deal: it starts when all people have, or a little later without the others.

        Asking mixes the press into the shuffle. Raises UserError when none can start, or for asking twice, and StaleRevisionError
        for a button shown at a revision before the latest deal was over.
        """
        async with self._tables.open(table_id, interaction_id) as tx:
            next_deal.require_place(tx, person_id)
            _require_status(tx, "between")
            if await matches.is_over(tx):
                raise UserError("sorry.match_over")
            await _require_current(tx, revision)
            had_asked = await next_deal.ask(tx, person_id, interaction_id)
            if had_asked and await tx.deadline(READY) is not None:
                raise UserError("sorry.ready_already")
            await self._start_or_wait(tx, READY_MS)

    async def rematch(
        self, table_id: int, person_id: int, interaction_id: int, revision: int | None = None
    ) -> None:
        """Ask for another match by the same rules: it starts when all people have, or later without the others.

        Asking mixes the press into the shuffle. Raises UserError while a match is on, or for asking twice, and StaleRevisionError for
        a button of an earlier match.
        """
        async with self._tables.open(table_id, interaction_id) as tx:
            next_deal.require_place(tx, person_id)
            _require_status(tx, "between")
            if not await matches.is_over(tx):
                raise UserError("sorry.match_on")
            if not tx.table.kind.has_rematch:
                raise UserError("league.no_rematch")
            await _require_current(tx, revision)
            had_asked = await next_deal.ask_again(tx, person_id, interaction_id)
            if had_asked and await tx.deadline(READY) is not None:
                raise UserError("sorry.rematch_already")
            await self._start_or_wait(tx, rematch_ms(tx.table.options.pace))

    async def _start_or_wait(self, tx: TableTransaction, most_ms: int) -> None:
        """Somebody has asked to go on: begin if everybody has by now, else give the others so much time."""
        if not await next_deal.is_possible(tx):
            raise UserError("sorry.too_few_play", least=SEATS_MIN)
        if await next_deal.all_ask(tx):
            await self.begin(tx)
            return
        if await tx.deadline(READY) is None:
            await tx.remind(READY, most_ms)
            await self.stay_open(tx)
        await tx.publish()

    async def fewer_are_asked(self, tx: TableTransaction) -> None:
        """Somebody will not play the next deal: whoever asked for it waits for him no longer."""
        if await tx.deadline(READY) is None:
            return
        if not await next_deal.is_possible(tx):
            await tx.stop(READY)
        elif await next_deal.all_ask(tx):
            await self.begin(tx)

    async def stay_open(self, tx: TableTransaction) -> None:
        """Let the table wait for its next deal as long as ever from now on; its buttons stay good."""
        waits = await tx.deadline(BETWEEN)
        await tx.remind(BETWEEN, self._between_ms(tx), since=waits.revision if waits else None)

    async def add_word(self, table_id: int, person_id: int, word: str, interaction_id: int) -> None:
        """Mix a typed word into the next deal; raises UserError while a deal is on."""
        async with self._tables.open(table_id, interaction_id) as tx:
            seat = tx.seat_of(person_id)
            if tx.table.status not in {"lobby", "between"}:
                raise UserError("sorry.word_later")
            await tx.mix_in(seat, interaction_id, word)
            await tx.publish()

    async def all_ready(self, table_id: int, revision: int) -> None:
        """Everybody is ready, or the others have had their time: the deal starts. Raises StaleRevisionError when it is past."""
        async with self._tables.open(table_id) as tx:
            await tx.require_due(READY, revision)
            if tx.table.status == "lobby" and not (all_ready(tx.seats) and await everybody_checked_in(tx)):
                raise StaleRevisionError
            if tx.table.status == "between" and not await next_deal.is_wanted(tx):
                await tx.stop(READY)  # whoever asked has left, or too few are left
                await tx.publish()
                return
            await self.begin(tx)

    async def begin(self, tx: TableTransaction) -> None:
        """Deal the deal that was prepared."""
        await tx.hooks.announce_deal_begins(tx)
        if await matches.is_over(tx):
            await leave_out(tx, [row.seat for row in tx.seats if is_left_out(row)])
        before = {row.person_id for row in tx.seats}
        await take_places(tx)
        await add_members(tx, before)
        await note_stand_ins(tx)
        number, players = tx.table.deal_no + 1, len(tx.seats)
        deal = await tx.db.deals.get(tx.table.id, number)
        if deal is None:
            raise ValueError(f"deal {number} of table {tx.table.id} was not prepared")
        if deal.board_set is not None and not await duplicate.still_plays(tx):
            deal = await tx.reseal(deal.rules, dealer=deal.dealer % players)
            tx.update(dealer=deal.dealer)
        if deal.board_set is None:
            items = complete(deal.entropy, deal.rules.playing_order(players, deal.dealer))
        else:
            items = await duplicate.closed_entropy(tx.db, deal)
        await tx.set_entropy(items)
        seed = replace(deal, entropy=items).secret
        if _is_first(tx, deal):
            deal = replace(deal, dealer=seed.first_dealer(deal.rules, players))
            await tx.db.deals.set_dealer(tx.table.id, number, deal.dealer)
            tx.update(dealer=deal.dealer)
        terms = await matches.enter(tx, number)
        tx.update(deal_no=number, status="playing", ended=None)
        tx.events, tx.state = [], None
        await retire_hands(tx)
        await votes.clear(tx)
        await tx.db.deadlines.clear_all(tx.table.id)
        dealt = start(
            deal.rules,
            players,
            deal.dealer,
            seed,
            better=terms.better,
            carry=terms.carry,
            board=deal.board_set is not None,
        )
        await tx.record(dealt, actor=None)
        await self.follow(tx, [seat.seat for seat in tx.seats])

    async def move(
        self,
        table_id: int,
        person_id: int,
        choose: Choice,
        revision: int | None = None,
        interaction_id: int | None = None,
    ) -> Moved:
        """Make a person's move, chosen from what his seat knows. It brings him back if he was away.

        `revision` is the one his button was made for; None for a typed command. Raises IllegalActionError for a broken
        rule, StaleRevisionError for an old button, RepeatedInteractionError for the same click again, UserError for anyone who may not play here.
        """
        async with self._tables.open(table_id, interaction_id) as tx:
            seat = tx.seat_of(person_id)
            state = _require_deal(tx)
            if revision is not None:
                asked = await tx.asked_since()
                if not asked <= revision <= tx.table.revision:
                    raise StaleRevisionError
            back = await self._back(tx, seat)
            await self._act(tx, seat, choose(view(state, seat)))
            return Moved(back, computers_at_once=not tx.table.kind.computers_pause)

    async def _back(self, tx: TableTransaction, seat: int) -> bool:
        """Whoever moves is there; whether he was not."""
        if tx.seats[seat].present:
            return False
        await take_back(tx, seat)
        await self._clocks.watch(tx)
        return True

    async def _act(self, tx: TableTransaction, seat: int, action: Action) -> None:
        state = _require_deal(tx)
        await tx.record(decide(state, seat, action), actor=seat)
        await self.follow(tx, [], by=seat)
        # He sees his hand in the answer to his press; his direct message has time until it is his turn again.
        await tx.publish_hands([seat], wait_ms=self._settings.seen_hand_s * 1000)

    async def follow(self, tx: TableTransaction, shown: Sequence[int], by: int | None = None) -> None:
        """What every change of a deal brings: clocks, the end, and what the table and these hands must show.

        So must the hand of whoever's turn it is now, unless he is the one who moved. The message of the table may wait a little for what people do in the middle of a turn.
        """
        state = _require_state(tx)
        await self._clocks.wind(tx)
        hands = set(shown)
        if state.phase is Phase.OVER:
            await self._end(tx, state)
            hands |= {seat.seat for seat in tx.seats}
        elif state.phase is not Phase.WINDOW and tx.seats[state.turn].present and state.turn != by:
            hands.add(state.turn)
        quiet = all(event.event in IN_MID_TURN for event in tx.recorded)
        wait_ms = self._settings.mid_turn_edit_s * 1000 if quiet else 0
        await tx.publish(sorted(hands), wait_ms=wait_ms)

    async def _end(self, tx: TableTransaction, state: State) -> None:
        table, number = tx.table, tx.deal_no
        await tx.db.deals.add_results(table.id, number, await results(tx, state))
        await tx.db.deals.end(table.id, number, tx.now, tx.changes.get("ended"))
        if not table.kind.is_counted:
            await _end_alone(tx, state)
            return
        await tx.hooks.announce_deal_ended(tx)
        await matches.deal_ended(tx)
        tx.update(status="between", dealer=state.next_seat(state.dealer))
        await votes.clear(tx)
        await duplicate.prepare(tx)
        await tx.remind(BETWEEN, self._between_ms(tx))

    def _between_ms(self, tx: TableTransaction) -> int:
        """How long the table waits for somebody to go on."""
        return between_ms(tx.table.options.pace, self._settings.lobby_expiry_m * _MINUTE)

    async def finish_table(self, table_id: int, person_id: int, interaction_id: int | None = None) -> None:
        """Close a table between two deals; raises UserError in a match of so many deals, for all have a say in that."""
        async with self._tables.open(table_id, interaction_id) as tx:
            _require_may_deal(tx, person_id, "between")
            match = await matches.running(tx)
            if match is not None and match.deals:
                raise UserError("sorry.match_unfinished")
            await close(tx)

    async def close_window(self, table_id: int, revision: int) -> None:
        """The time to expose tunnelas is over: whoever is silent exposes nothing. Raises StaleRevisionError when it is past."""
        async with self._tables.open(table_id) as tx:
            state = tx.state
            await tx.require_due(WINDOW, revision)
            if state is None or state.phase is not Phase.WINDOW:
                raise StaleRevisionError
            silent = [seat for seat, held in enumerate(state.seats) if not held.answered]
            for seat in silent:
                state = _require_deal(tx)
                action = answer(tx.seats[seat], view(state, seat))
                await tx.record(decide(state, seat, action), actor=seat)
            await self.follow(tx, silent)

    async def computer_turn(self, table_id: int, revision: int) -> None:
        """Let the computers at a table do what they are asked for now; raises StaleRevisionError when it has changed since.

        They choose before the transaction begins, so that no other table waits for their thinking.
        """
        async with self._tables.lock(table_id):
            seats, state = await self._tables.deal_at(table_id, revision)
            played = await self._think(turns, state, seats)
            async with self._tables.transaction(table_id) as tx:
                await self._record(tx, played)

    async def _think(self, choose: Choose, state: State, seats: Sequence[SeatRow]) -> Played:
        """Let computers choose, off the loop. One at a time: more threads would slow down everybody's answers."""
        async with self._thinking:
            return await asyncio.to_thread(choose, state, seats)

    async def play_for(self, table_id: int, person_id: int) -> None:
        """Let a computer play what the deal asks of a person who was away; from then on he plays himself.

        The caller holds the table's lock. Raises UserError for one who left this table and sits at another.
        """
        seats, state = await self._tables.deal_now(table_id)
        played = await self._think(turns, state, seats)
        async with self._tables.transaction(table_id) as tx:
            seat = tx.seat_of(person_id)
            await self._back(tx, seat)
            await self._record(tx, played)
            await tx.publish_hands([seat], wait_ms=self._settings.seen_hand_s * 1000)

    async def _record(self, tx: TableTransaction, played: Played) -> None:
        for seat, events in played:
            await tx.record(events, actor=seat)
        await self.follow(tx, [])

    async def play_out(self, table_id: int) -> None:
        """Let computers play the deal to its end from where its one person has left it."""
        async with self._tables.lock(table_id):
            seats, state = await self._tables.deal_now(table_id)
            played = await self._think(played_out, state, seats)
            async with self._tables.transaction(table_id) as tx:
                await stand_in(tx, 0, left=True)
                await self._record(tx, played)


def _is_first(tx: TableTransaction, deal: DealRow) -> bool:
    """Whether it has to be found who deals: a league's draw says who sits where, and a board who deals it."""
    return deal.deal_no == 1 and deal.board_set is None and tx.table.kind.finds_first_dealer


async def _end_alone(tx: TableTransaction, state: State) -> None:
    """The deal of the day is over for one person: that is all there is at this table."""
    await matches.deal_ended(tx)
    tx.update(status="closed", closed_at=tx.now)
    net = state.sheet.lines[0].net if state.sheet else 0
    await tx.db.boards.end_attempt(tx.table.id, net, finished=tx.seats[0].present)


def _require_may_deal(tx: TableTransaction, person_id: int, status: str) -> int:
    """The seat of a person who may start a deal of a table in this status; raises UserError."""
    seat = tx.seat_of(person_id)
    _require_status(tx, status)
    return seat


def _require_status(tx: TableTransaction, status: str) -> None:
    if tx.table.status == "closed":
        raise UserError("sorry.table_closed")
    if tx.table.status != status:
        raise UserError("sorry.deal_is_on" if tx.table.status == "playing" else "error.stale")


async def _require_current(tx: TableTransaction, revision: int | None) -> None:
    """Refuse a button that was shown before the latest deal was over; raises StaleRevisionError. None is a typed command."""
    waits = await tx.deadline(BETWEEN)
    if revision is not None and (waits is None or revision < waits.revision):
        raise StaleRevisionError


def _require_enough(tx: TableTransaction) -> None:
    if len(tx.seats) < SEATS_MIN:
        raise UserError("sorry.too_few", seats=SEATS_MIN)


def _require_state(tx: TableTransaction) -> State:
    if tx.state is None:
        raise UserError("sorry.no_deal")
    return tx.state


def _require_deal(tx: TableTransaction) -> State:
    if tx.table.status == "closed":
        raise UserError("sorry.table_closed")
    if tx.table.status != "playing":
        raise UserError("sorry.no_deal")
    return _require_state(tx)
