"""Playing: deals are started, moves made by people and by computers, and results written down."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from bot.errors import Sorry, Stale
from bot.history import stats
from bot.league.pod_tables import everybody_is_there, match_begins
from bot.settings import Settings
from bot.table import duplicate, matches, next_deal, votes
from bot.table.clocks import Clocks
from bot.table.computers import Played, answer, played_out, turns
from bot.table.fairness import complete
from bot.table.lobby import all_ready, close
from bot.table.outbox_requests import add_members, retire_hands
from bot.table.pace import between_ms, rematch_ms
from bot.table.repository import BETWEEN, READY, WINDOW, Desk, Sitting
from bot.table.results import results
from bot.table.seating import is_left_out, leave_out, note_stand_ins, stand_in, take_back, take_places
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
    alone: bool
    """Whether he plays alone, and the computers at once."""


class Play:
    """The deals of all tables."""

    def __init__(self, desk: Desk, settings: Settings) -> None:
        self._desk = desk
        self._settings = settings
        self._clocks = Clocks(settings)
        self._thinking = asyncio.Semaphore(1)

    async def start(self, table_id: int, person_id: int, interaction_id: int) -> None:
        """Start the first deal of a table; raises Sorry when it cannot start."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            seat = _require_may_deal(sitting, person_id, "lobby")
            if sitting.table.host_id != person_id:
                raise Sorry("sorry.host_starts")
            if sitting.table.options.league:
                raise Sorry("league.all_ready_starts")
            _require_enough(sitting)
            await sitting.mix_in(seat, interaction_id)
            await self.begin(sitting)

    async def ready(self, table_id: int, person_id: int, interaction_id: int) -> None:
        """Be ready for the first deal, or no longer: it starts when everybody is. Raises Sorry when it cannot start.

        Being ready mixes the press into the shuffle.
        """
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            seat = _require_may_deal(sitting, person_id, "lobby")
            _require_enough(sitting)
            row = sitting.seats[seat]
            await sitting.set_seat(replace(row, ready=not row.ready))
            if not row.ready:
                await sitting.mix_in(seat, interaction_id)
            if all_ready(sitting.seats) and await everybody_is_there(sitting):
                await self.begin(sitting)
            else:
                await sitting.publish()

    async def next_deal(
        self, table_id: int, person_id: int, interaction_id: int, revision: int | None = None
    ) -> None:
        """Ask for the following deal: it starts when all people have, or a little later without the others.

        Asking mixes the press into the shuffle. Raises Sorry when none can start, or for asking twice, and Stale
        for a button shown at a revision before the latest deal was over.
        """
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            next_deal.require_place(sitting, person_id)
            _require_status(sitting, "between")
            if await matches.is_over(sitting):
                raise Sorry("sorry.match_over")
            await _require_current(sitting, revision)
            had_asked = await next_deal.ask(sitting, person_id, interaction_id)
            if had_asked and await sitting.deadline(READY) is not None:
                raise Sorry("sorry.ready_already")
            await self._start_or_wait(sitting, READY_MS)

    async def rematch(
        self, table_id: int, person_id: int, interaction_id: int, revision: int | None = None
    ) -> None:
        """Ask for another match by the same rules: it starts when all people have, or later without the others.

        Asking mixes the press into the shuffle. Raises Sorry while a match is on, or for asking twice, and Stale for
        a button of an earlier match.
        """
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            next_deal.require_place(sitting, person_id)
            _require_status(sitting, "between")
            if not await matches.is_over(sitting):
                raise Sorry("sorry.match_on")
            if sitting.table.options.league:
                raise Sorry("league.no_rematch")
            await _require_current(sitting, revision)
            had_asked = await next_deal.ask_again(sitting, person_id, interaction_id)
            if had_asked and await sitting.deadline(READY) is not None:
                raise Sorry("sorry.rematch_already")
            await self._start_or_wait(sitting, rematch_ms(sitting.table.options.pace))

    async def _start_or_wait(self, sitting: Sitting, most_ms: int) -> None:
        """Somebody has asked to go on: begin if everybody has by now, else give the others so much time."""
        if not await next_deal.is_possible(sitting):
            raise Sorry("sorry.too_few_play", least=SEATS_MIN)
        if await next_deal.all_ask(sitting):
            await self.begin(sitting)
            return
        if await sitting.deadline(READY) is None:
            await sitting.remind(READY, most_ms)
            await self.stay_open(sitting)
        await sitting.publish()

    async def fewer_are_asked(self, sitting: Sitting) -> None:
        """Somebody will not play the next deal: whoever asked for it waits for him no longer."""
        if await sitting.deadline(READY) is None:
            return
        if not await next_deal.is_possible(sitting):
            await sitting.stop(READY)
        elif await next_deal.all_ask(sitting):
            await self.begin(sitting)

    async def stay_open(self, sitting: Sitting) -> None:
        """Let the table wait for its next deal as long as ever from now on; its buttons stay good."""
        waits = await sitting.deadline(BETWEEN)
        await sitting.remind(BETWEEN, self._between_ms(sitting), since=waits.revision if waits else None)

    async def add_word(self, table_id: int, person_id: int, word: str, interaction_id: int) -> None:
        """Mix a typed word into the next deal; raises Sorry while a deal is on."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            seat = sitting.seat_of(person_id)
            if sitting.table.status not in {"lobby", "between"}:
                raise Sorry("sorry.word_later")
            await sitting.mix_in(seat, interaction_id, word)
            await sitting.publish()

    async def all_ready(self, table_id: int, revision: int) -> None:
        """Everybody is ready, or the others have had their time: the deal starts. Raises Stale when it is past."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id) as sitting:
            await sitting.require_due(READY, revision)
            if sitting.table.status == "lobby" and not (
                all_ready(sitting.seats) and await everybody_is_there(sitting)
            ):
                raise Stale
            if sitting.table.status == "between" and not await next_deal.is_wanted(sitting):
                await sitting.stop(READY)  # whoever asked has left, or too few are left
                await sitting.publish()
                return
            await self.begin(sitting)

    async def begin(self, sitting: Sitting) -> None:
        """Deal the deal that was prepared."""
        await match_begins(sitting)
        if await matches.is_over(sitting):
            await leave_out(sitting, [row.seat for row in sitting.seats if is_left_out(row)])
        before = {row.person_id for row in sitting.seats}
        await take_places(sitting)
        await add_members(sitting, before)
        await note_stand_ins(sitting)
        number, players = sitting.table.deal_no + 1, len(sitting.seats)
        deal = await sitting.writer.deal(sitting.table.id, number)
        if deal is None:
            raise ValueError(f"deal {number} of table {sitting.table.id} was not prepared")
        if deal.board_set is not None and not await duplicate.still_plays(sitting):
            deal = await sitting.reseal(deal.rules, dealer=deal.dealer % players)
            sitting.changes["dealer"] = deal.dealer
        if deal.board_set is None:
            items = complete(deal.entropy, deal.rules.playing_order(players, deal.dealer))
        else:
            items = await duplicate.closed_entropy(sitting.writer, deal)
        await sitting.set_entropy(items)
        seed = replace(deal, entropy=items).secret
        if _is_first(sitting, deal):
            deal = replace(deal, dealer=seed.first_dealer(deal.rules, players))
            await sitting.writer.set_dealer(sitting.table.id, number, deal.dealer)
            sitting.changes["dealer"] = deal.dealer
        terms = await matches.enter(sitting, number)
        sitting.changes |= {"deal_no": number, "status": "playing", "ended": None}
        sitting.events, sitting.state = [], None
        await retire_hands(sitting)
        await votes.clear(sitting)
        await sitting.writer.clear_deadlines(sitting.table.id)
        dealt = start(
            deal.rules,
            players,
            deal.dealer,
            seed,
            better=terms.better,
            carry=terms.carry,
            board=deal.board_set is not None,
        )
        await sitting.record(dealt, actor=None)
        await self.follow(sitting, [seat.seat for seat in sitting.seats])

    async def move(
        self,
        table_id: int,
        person_id: int,
        choose: Choice,
        revision: int | None = None,
        interaction_id: int | None = None,
    ) -> Moved:
        """Make a person's move, chosen from what his seat knows. It brings him back if he was away.

        `revision` is the one his button was made for; None for a typed command. Raises IllegalAction for a broken
        rule, Stale for an old button, Repeated for the same click again, Sorry for anyone who may not play here.
        """
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            seat = sitting.seat_of(person_id)
            state = _require_deal(sitting)
            if revision is not None:
                asked = await sitting.asked_since()
                if not asked <= revision <= sitting.table.revision:
                    raise Stale
            back = await self._back(sitting, seat)
            await self._act(sitting, seat, choose(view(state, seat)))
            return Moved(back, sitting.table.options.alone)

    async def _back(self, sitting: Sitting, seat: int) -> bool:
        """Whoever moves is there; whether he was not."""
        if sitting.seats[seat].present:
            return False
        await take_back(sitting, seat)
        await self._clocks.watch(sitting)
        return True

    async def _act(self, sitting: Sitting, seat: int, action: Action) -> None:
        state = _require_deal(sitting)
        await sitting.record(decide(state, seat, action), actor=seat)
        await self.follow(sitting, [], by=seat)
        # He sees his hand in the answer to his press; his direct message has time until it is his turn again.
        await sitting.publish_hands([seat], wait_ms=self._settings.seen_hand_s * 1000)

    async def follow(self, sitting: Sitting, shown: Sequence[int], by: int | None = None) -> None:
        """What every change of a deal brings: clocks, the end, and what the table and these hands must show.

        So must the hand of whoever's turn it is now, unless he is the one who moved. The message of the table may wait a little for what people do in the middle of a turn.
        """
        state = _require_state(sitting)
        await self._clocks.wind(sitting)
        hands = set(shown)
        if state.phase is Phase.OVER:
            await self._end(sitting, state)
            hands |= {seat.seat for seat in sitting.seats}
        elif state.phase is not Phase.WINDOW and sitting.seats[state.turn].present and state.turn != by:
            hands.add(state.turn)
        quiet = all(event.event in IN_MID_TURN for event in sitting.recorded)
        wait_ms = self._settings.mid_turn_edit_s * 1000 if quiet else 0
        await sitting.publish(sorted(hands), wait_ms=wait_ms)

    async def _end(self, sitting: Sitting, state: State) -> None:
        table, number = sitting.table, sitting.deal_no
        await sitting.writer.add_results(table.id, number, await results(sitting, state))
        await sitting.writer.end_deal(table.id, number, sitting.now, sitting.changes.get("ended"))
        if table.options.alone:
            await _end_alone(sitting, state)
            return
        await stats.enter(sitting)
        await matches.deal_ended(sitting)
        sitting.changes |= {"status": "between", "dealer": state.next_seat(state.dealer)}
        await votes.clear(sitting)
        await duplicate.prepare(sitting)
        await sitting.remind(BETWEEN, self._between_ms(sitting))

    def _between_ms(self, sitting: Sitting) -> int:
        """How long the table waits for somebody to go on."""
        return between_ms(sitting.table.options.pace, self._settings.lobby_expiry_m * _MINUTE)

    async def finish_table(self, table_id: int, person_id: int, interaction_id: int | None = None) -> None:
        """Close a table between two deals; raises Sorry in a match of so many deals, for all have a say in that."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id, interaction_id) as sitting:
            _require_may_deal(sitting, person_id, "between")
            match = await matches.running(sitting)
            if match is not None and match.deals:
                raise Sorry("sorry.match_unfinished")
            await close(sitting)

    async def close_window(self, table_id: int, revision: int) -> None:
        """The time to expose tunnelas is over: whoever is silent exposes nothing. Raises Stale when it is past."""
        async with self._desk.lock(table_id), self._desk.sitting(table_id) as sitting:
            state = sitting.state
            await sitting.require_due(WINDOW, revision)
            if state is None or state.phase is not Phase.WINDOW:
                raise Stale
            silent = [seat for seat, held in enumerate(state.seats) if not held.answered]
            for seat in silent:
                state = _require_deal(sitting)
                action = answer(sitting.seats[seat], view(state, seat))
                await sitting.record(decide(state, seat, action), actor=seat)
            await self.follow(sitting, silent)

    async def computer_turn(self, table_id: int, revision: int) -> None:
        """Let the computers at a table do what they are asked for now; raises Stale when it has changed since.

        They choose before the transaction begins, so that no other table waits for their thinking.
        """
        async with self._desk.lock(table_id):
            seats, state = await self._desk.deal_at(table_id, revision)
            played = await self._think(turns, state, seats)
            async with self._desk.sitting(table_id) as sitting:
                await self._record(sitting, played)

    async def _think(self, choose: Choose, state: State, seats: Sequence[SeatRow]) -> Played:
        """Let computers choose, off the loop. One at a time: more threads would slow down everybody's answers."""
        async with self._thinking:
            return await asyncio.to_thread(choose, state, seats)

    async def play_for(self, table_id: int, person_id: int) -> None:
        """Let a computer play what the deal asks of a person who was away; from then on he plays himself.

        The caller holds the table's lock. Raises Sorry for one who left this table and sits at another.
        """
        seats, state = await self._desk.deal_now(table_id)
        played = await self._think(turns, state, seats)
        async with self._desk.sitting(table_id) as sitting:
            seat = sitting.seat_of(person_id)
            await self._back(sitting, seat)
            await self._record(sitting, played)
            await sitting.publish_hands([seat], wait_ms=self._settings.seen_hand_s * 1000)

    async def _record(self, sitting: Sitting, played: Played) -> None:
        for seat, events in played:
            await sitting.record(events, actor=seat)
        await self.follow(sitting, [])

    async def play_out(self, table_id: int) -> None:
        """Let computers play the deal to its end from where its one person has left it."""
        async with self._desk.lock(table_id):
            seats, state = await self._desk.deal_now(table_id)
            played = await self._think(played_out, state, seats)
            async with self._desk.sitting(table_id) as sitting:
                await stand_in(sitting, 0, left=True)
                await self._record(sitting, played)


def _is_first(sitting: Sitting, deal: DealRow) -> bool:
    """Whether it has to be found who deals: a league's draw says who sits where, and a board who deals it."""
    return deal.deal_no == 1 and deal.board_set is None and not sitting.table.options.league


async def _end_alone(sitting: Sitting, state: State) -> None:
    """The deal of the day is over for one person: that is all there is at this table."""
    await matches.deal_ended(sitting)
    sitting.changes |= {"status": "closed", "closed_at": sitting.now}
    net = state.sheet.lines[0].net if state.sheet else 0
    await sitting.writer.end_try(sitting.table.id, net, finished=sitting.seats[0].present)


def _require_may_deal(sitting: Sitting, person_id: int, status: str) -> int:
    """The seat of a person who may start a deal of a table in this status; raises Sorry."""
    seat = sitting.seat_of(person_id)
    _require_status(sitting, status)
    return seat


def _require_status(sitting: Sitting, status: str) -> None:
    if sitting.table.status == "closed":
        raise Sorry("sorry.table_closed")
    if sitting.table.status != status:
        raise Sorry("sorry.deal_is_on" if sitting.table.status == "playing" else "error.stale")


async def _require_current(sitting: Sitting, revision: int | None) -> None:
    """Refuse a button that was shown before the latest deal was over; raises Stale. None is a typed command."""
    waits = await sitting.deadline(BETWEEN)
    if revision is not None and (waits is None or revision < waits.revision):
        raise Stale


def _require_enough(sitting: Sitting) -> None:
    if len(sitting.seats) < SEATS_MIN:
        raise Sorry("sorry.too_few", seats=SEATS_MIN)


def _require_state(sitting: Sitting) -> State:
    if sitting.state is None:
        raise Sorry("sorry.no_deal")
    return sitting.state


def _require_deal(sitting: Sitting) -> State:
    if sitting.table.status == "closed":
        raise Sorry("sorry.table_closed")
    if sitting.table.status != "playing":
        raise Sorry("sorry.no_deal")
    return _require_state(sitting)
