"""One writer a table: its lock, its one transaction a move, and the news that goes out after the commit."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakValueDictionary

import structlog

from bot.clock import Clock
from bot.errors import RepeatedInteractionError, StaleRevisionError, UserError
from bot.table.bench import why_no_seat
from bot.table.fairness import contribute
from bot.table.hands import holders
from bot.table.ledger import ledger_of
from bot.table.snapshot import Guest, Match, Shuffle, Snapshot, views
from bot.words.moves import last_moves
from bot.words.texts import catalogue
from data.errors import StoreDamagedError, StoreUnavailableError
from data.store import Store
from data.transaction import ReadTransaction, WriteTransaction
from data.values import BenchRow, BoardRow, DeadlineRow, DealRow, SeatRow, TableRow, TableStatus
from marriage.apply import apply, replay
from marriage.events import Event
from marriage.rules import RULES_VERSION, Rules
from marriage.shuffle import SHUFFLE_VERSION, DealSeed
from marriage.state import Phase, State
from marriage.view import mask

log = structlog.get_logger(__name__)

Wake = Callable[[], None]

# The kinds of deadlines: what a table can be waiting for.
LOBBY = "lobby"
WINDOW = "window"
COMPUTER = "computer"
BETWEEN = "between"
READY = "ready"
TURN = "turn"
WARN = "warn"
VOTE = "vote"
ABANDONED = "abandoned"
DAILY = "daily"
PAUSED = "paused"

SEED_BYTES = 32
MOST_FORMER = 20
"""How many former seeds of a deal are kept, the latest."""


def table_key(table_id: int) -> str:
    """The outbox's key of a table's message."""
    return f"table:{table_id}"


@dataclass(slots=True, repr=False)
class TableTransaction:
    """A table under its lock within one transaction: read it, change it, `commit` once."""

    db: WriteTransaction
    now: int
    table: TableRow
    seats: tuple[SeatRow, ...]
    events: list[Event]
    state: State | None
    bench: tuple[BenchRow, ...] = ()
    changes: dict[str, Any] = field(default_factory=dict)
    recorded: list[Event] = field(default_factory=list)
    """What this sitting has added to the deal."""

    def seat_of(self, person_id: int) -> int:
        """The seat of that person; raises UserError for anyone else."""
        for seat in self.seats:
            if seat.person_id == person_id:
                return seat.seat
        raise UserError(why_no_seat(self.table.status, self.bench, person_id), table=self.table.id)

    async def set_seat(self, row: SeatRow) -> None:
        """This seat in place of what it was."""
        await self.db.tables.set_seat(row)
        self.seats = tuple(row if seat.seat == row.seat else seat for seat in self.seats)

    async def set_seats(self, rows: Sequence[SeatRow]) -> None:
        """These seats, numbered in order, in place of all there were."""
        await self.db.tables.set_seats(self.table.id, rows)
        self.seats = tuple(rows)

    async def set_bench(self, rows: Sequence[BenchRow]) -> None:
        """These people on the bench, numbered in order, in place of all there were."""
        self.bench = tuple(replace(row, number=number) for number, row in enumerate(rows))
        await self.db.benches.set(self.table.id, self.bench)

    async def record(self, events: Sequence[Event], actor: int | None) -> None:
        """Store events of the deal in play and fold them into the state."""
        await self.db.deals.append_events(
            self.table.id, self.deal_no, len(self.events), events, actor, self.now
        )
        for event in events:
            self.state = apply(self.state, event)
        self.events.extend(events)
        self.recorded.extend(events)

    @property
    def deal_no(self) -> int:
        """The number of the deal in play, whether it was stored or is about to be."""
        return self.changes.get("deal_no", self.table.deal_no)

    @property
    def goes_on(self) -> bool:
        """Whether the deal that was on before this sitting still is."""
        return self.table.status == self.changes.get("status", self.table.status) == "playing"

    def asked(self) -> list[int]:
        """The seats that the deal in play waits for."""
        if self.state is None or self.table.status != "playing":
            return []
        if self.state.phase is Phase.WINDOW:
            return [seat for seat, held in enumerate(self.state.seats) if not held.answered]
        return [self.state.turn]

    async def publish(
        self, hands: Iterable[int] = (), revision: int | None = None, *, wait_ms: int = 0
    ) -> None:
        """Let everyone see: the table message, in `wait_ms` at the latest, and these seats' hands by direct message.

        They will show this revision, or the one that this sitting makes.
        """
        if self.table.options.alone:
            return  # it stands in no channel
        table, revision = self.table, self.table.revision + 1 if revision is None else revision
        await self.db.outbox.put(table.id, "table", table_key(table.id), revision, self.now, wait_ms=wait_ms)
        await self.publish_hands(hands, revision)

    async def publish_hands(
        self, hands: Iterable[int], revision: int | None = None, *, wait_ms: int = 0
    ) -> None:
        """Let these seats' people see their hands by direct message; whoever has left is not bothered.

        One who plays alone sees his hand where he asks for it.
        """
        if self.table.options.alone:
            return
        table, revision = self.table, self.table.revision + 1 if revision is None else revision
        for seat in hands:
            if self.seats[seat].person_id is not None and not self.seats[seat].left:
                key = f"hand:{table.id}:{seat}"
                await self.db.outbox.put(
                    table.id, "hand", key, revision, self.now, seat=seat, wait_ms=wait_ms
                )

    async def publish_notice(self, seat: int | None) -> None:
        """Remind the player of this seat of his turn in a message of its own; None takes such a message away."""
        table = self.table
        await self.db.outbox.put(
            table.id, "notice", f"notice:{table.id}", table.revision + 1, self.now, seat=seat
        )

    async def remind(self, kind: str, after_ms: int, since: int | None = None) -> None:
        """Set a deadline, so many milliseconds from now, for the revision that this sitting makes.

        Or for an earlier one, `since`, where the table has waited for the same thing that long.
        """
        revision = self.table.revision + 1 if since is None else since
        await self.db.deadlines.set(self.table.id, kind, revision, self.now + after_ms)

    async def stop(self, *kinds: str) -> None:
        """The table waits for these no longer."""
        await self.db.deadlines.clear(self.table.id, *kinds)

    async def deadline(self, kind: str) -> DeadlineRow | None:
        """What the table waits for, if it waits for that."""
        rows = await self.db.deadlines.of_table(self.table.id)
        return next((row for row in rows if row.kind == kind), None)

    async def asked_since(self) -> int:
        """The revision since which the deal asks what it asks now: buttons of that revision and later are good.

        In the window everybody is asked at once, so another seat's answer makes nobody's button old. Nor does what
        happens around the deal, such as somebody leaving.
        """
        in_window = self.state is not None and self.state.phase is Phase.WINDOW
        kinds = {PAUSED, WINDOW} if in_window else {PAUSED, TURN, COMPUTER}
        rows = await self.db.deadlines.of_table(self.table.id)
        return next((row.revision for row in rows if row.kind in kinds), self.table.revision)

    async def require_due(self, kind: str, revision: int) -> None:
        """Whether the deadline that has come is still the table's own; raises StaleRevisionError for one of the past."""
        row = await self.deadline(kind)
        if row is None or row.revision != revision or row.due_at > self.now:
            raise StaleRevisionError

    async def entropy(self) -> list[str]:
        """What the seats have mixed into the next deal so far."""
        deal = await self.db.deals.get(self.table.id, self.deal_no + 1)
        return list(deal.entropy) if deal else []

    async def set_entropy(self, items: Sequence[str]) -> None:
        """What the seats mix into the next deal."""
        await self.db.deals.set_entropy(self.table.id, self.deal_no + 1, items)

    async def mix_in(self, seat: int, interaction_id: int, word: str = "") -> None:
        """Let a seat contribute to the shuffle of the next deal."""
        await self.set_entropy(contribute(await self.entropy(), seat, interaction_id, word))

    async def prepare_deal(self, entropy: Sequence[str] = (), board: BoardRow | None = None) -> None:
        """Draw the seed of the next deal, so that its commitment can be shown before anything else happens.

        A board has its seed, and its commitment, already.
        """
        number, rules = self.deal_no + 1, self.table.rules
        seed = (
            board.secret if board else DealSeed(secrets.token_bytes(SEED_BYTES), str(self.table.id), number)
        )
        await self.db.deals.start(
            DealRow(
                table_id=self.table.id,
                deal_no=number,
                seed=seed.seed,
                commitment=seed.commitment(rules),
                entropy=list(entropy),
                shuffle_version=SHUFFLE_VERSION,
                rules_version=RULES_VERSION,
                rules=rules,
                dealer=self.changes.get("dealer", self.table.dealer),
                started_at=self.now,
                board_set=board.set_id if board else None,
                board_no=board.number if board else None,
            )
        )

    async def reseal(self, rules: Rules, dealer: int | None = None) -> DealRow:
        """Seal the next deal anew for these rules, as one of the table's own; what was mixed in counts no more.

        The former seed is shown, so that everybody can see that it was the one which was sealed; that of a board is
        not, for others play it.
        """
        before = await self.db.deals.get(self.table.id, self.deal_no + 1)
        if before is None:
            raise ValueError(f"the next deal of table {self.table.id} was not prepared")
        seed = DealSeed(secrets.token_bytes(SEED_BYTES), str(self.table.id), before.deal_no)
        own = [before.seed.hex()] if before.board_set is None else []
        anew = replace(
            before,
            seed=seed.seed,
            commitment=seed.commitment(rules),
            entropy=[],
            rules=rules,
            started_at=self.now,
            dealer=before.dealer if dealer is None else dealer,
            former_seeds=[*before.former_seeds, *own][-MOST_FORMER:],
            board_set=None,
            board_no=None,
        )
        await self.db.deals.reseal(anew)
        return anew


class TableRepository:
    """Hands out tables one writer at a time, and snapshots of them to anyone."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self.clock = clock
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._listeners: list[Wake] = []
        self._listeners_between: list[Wake] = []

    def on_commit(self, wake: Wake, *, moves: bool = True) -> None:
        """Call `wake` after every commit: there is something new to look at.

        Without `moves` only after those that are more than a move within a deal.
        """
        (self._listeners if moves else self._listeners_between).append(wake)

    @asynccontextmanager
    async def lock(self, table_id: int) -> AsyncIterator[None]:
        """Hold the table's lock. It lives exactly as long as somebody holds or awaits it."""
        lock = self._locks.setdefault(table_id, asyncio.Lock())
        async with lock:
            yield

    @asynccontextmanager
    async def open(self, table_id: int, interaction_id: int | None = None) -> AsyncIterator[TableTransaction]:
        """The table to change, under its lock and within one transaction: leaving commits, an exception undoes.

        Raises RepeatedInteractionError for an interaction that was handled before, and UserError for a table that
        does not exist.
        """
        async with self.lock(table_id), self.transaction(table_id, interaction_id) as tx:
            yield tx

    @asynccontextmanager
    async def transaction(
        self, table_id: int, interaction_id: int | None = None
    ) -> AsyncIterator[TableTransaction]:
        """The table within one transaction; the caller holds its lock. Leaving commits, an exception undoes.

        Raises RepeatedInteractionError for an interaction that was handled before, and UserError for a table that is not there.
        """
        async with self._store.write() as db:
            if interaction_id is not None and await db.interactions.find(interaction_id) is not None:
                raise RepeatedInteractionError
            tx = await self._load(db, table_id)
            yield tx
            revision = (await db.tables.update(tx.table, **tx.changes)).revision
            if interaction_id is not None:
                await db.interactions.record(interaction_id, table_id, revision, "", tx.now)
        self.committed(move=tx.goes_on)

    async def catch_up(self) -> int:
        """Publish every open table anew, and the hands of those who are asked to act; how many tables there are.

        One whose events do not replay is left as it is, for whoever runs the bot to look at: the others go on.
        """
        whole = 0
        async with self._store.write() as db:
            for table in await db.tables.all_open():
                try:
                    tx = await self._load(db, table.id)
                except (StoreUnavailableError, StoreDamagedError):
                    raise
                except Exception:
                    log.exception("events.do_not_replay", table=table.id)
                    continue
                await tx.publish(tx.asked(), revision=table.revision)
                whole += 1
        self.committed()
        return whole

    def committed(self, *, move: bool = False) -> None:
        """Tell the listeners that there is something new to look at; of a mere `move` only those who follow each."""
        for wake in self._listeners if move else [*self._listeners, *self._listeners_between]:
            wake()

    async def _load(self, db: WriteTransaction, table_id: int) -> TableTransaction:
        table = await db.tables.get(table_id)
        if table is None:
            raise UserError("sorry.no_table", table=table_id)
        events = await db.deals.events(table_id, table.deal_no) if table.deal_no else []
        return TableTransaction(
            db=db,
            now=self.clock.now(),
            table=table,
            seats=await db.tables.seats(table_id),
            events=list(events),
            state=replay(events) if events else None,
            bench=await db.benches.get(table_id),
        )

    async def deal_at(self, table_id: int, revision: int) -> tuple[tuple[SeatRow, ...], State]:
        """The seats and the whole deal while it waits for computers since this revision; raises StaleRevisionError otherwise.

        The caller holds the table's lock.
        """
        async with self._store.read() as db:
            table = await self._table(db, table_id)
            waits = [row.revision for row in await db.deadlines.of_table(table_id) if row.kind == COMPUTER]
            if revision not in waits or table.status != "playing":
                raise StaleRevisionError
            return await db.tables.seats(table_id), replay(await db.deals.events(table_id, table.deal_no))

    async def deal_now(self, table_id: int) -> tuple[tuple[SeatRow, ...], State]:
        """The seats and the whole deal in play; raises StaleRevisionError when none is. The caller holds the table's lock."""
        async with self._store.read() as db:
            table = await self._table(db, table_id)
            if table.status != "playing":
                raise StaleRevisionError
            return await db.tables.seats(table_id), replay(await db.deals.events(table_id, table.deal_no))

    async def snapshot(self, table_id: int) -> Snapshot:
        """The table as everyone may see it now; raises UserError for a table that is not there."""
        async with self._store.read() as db:
            table = await self._table(db, table_id)
            seats = await db.tables.seats(table_id)
            events = await db.deals.events(table_id, table.deal_no) if table.deal_no else []
            public, private = views(replay(events) if events else None, seats)
            deals = await db.deals.deals_from(table_id, table.deal_no)
            deal, following = deals.get(table.deal_no), deals.get(table.deal_no + 1)
            row = await db.matches.latest(table_id)
            results = await db.deals.results_of_match(table_id, row.match_no) if row else []
            kept = following is not None and await db.boards.is_sealed(following)
            due = {row.kind: row.due_at for row in await db.deadlines.of_table(table_id)}
            guests, bench = await db.guests.of_table(table_id), await db.benches.get(table_id)
            tx = {seat.person_id for seat in seats if seat.person_id is not None}
            people = await db.people.get_many(tx | set(guests))
            pins = await db.pins.of_table(table_id, table.deal_no)
            closed = {person.id for person in people.values() if not person.dms_open}
            language = (await db.people.guild_settings(table.guild_id)).language
            earned = await db.stats.earned_in(table_id, table.deal_no) if table.status == "between" else []
            return Snapshot(
                table=table,
                seats=seats,
                bench=bench,
                public=public,
                private=private,
                match=Match(row, (deal and deal.match_deal) or 0, ledger_of(results)) if row else None,
                counted=tuple(one for one in results if one.deal_no == table.deal_no),
                shuffle=Shuffle.of(deal, revealed=deal is not None and await db.boards.is_revealed(deal)),
                next_shuffle=Shuffle.of(following, revealed=table.status == "closed" and not kept),
                is_sealed=deal is not None and await db.boards.is_sealed(deal),
                last_moves=last_moves([mask(event, None) for event in events], seats, catalogue(language)),
                window_closes_at=due.get(WINDOW),
                moves_until=due.get(TURN),
                is_slow=TURN in due and WARN not in due,
                vote_closes_at=due.get(VOTE),
                is_paused=PAUSED in due,
                holders=holders(seats, people, pins),
                dms_closed=frozenset(seat.seat for seat in seats if seat.person_id in closed),
                starts_at=due.get(READY),
                expires_at=due.get(LOBBY),
                earned=tuple(earned),
                day_ends_at=due.get(DAILY),
                guests=tuple(Guest(people[one], standing) for one, standing in guests.items()),
                language=language,
            )

    async def _table(self, db: ReadTransaction, table_id: int) -> TableRow:
        table = await db.tables.get(table_id)
        if table is None:
            raise UserError("sorry.no_table", table=table_id)
        return table

    async def status(self, table_id: int) -> TableStatus:
        """What the table is doing now; raises UserError for a table that is not there."""
        async with self._store.read() as db:
            return (await self._table(db, table_id)).status

    async def tables_of(self, guild_id: int) -> list[Snapshot]:
        """The open tables of a server, oldest first."""
        async with self._store.read() as db:
            tables = await db.tables.in_guild(guild_id)
        return [await self.snapshot(table.id) for table in tables]

    async def only_table(self, channel_id: int) -> int:
        """The open table of this channel; raises UserError when there is none, or more than one to choose from."""
        async with self._store.read() as db:
            tables = await db.tables.in_channel(channel_id)
        if len(tables) != 1:
            raise UserError("sorry.which_table")
        return tables[0].id

    async def table_of(self, person_id: int) -> int | None:
        """The open table at which this person sits and has not left his seat."""
        async with self._store.read() as db:
            own = await db.tables.open_of_person(person_id)
        return own.id if own else None

    async def find_table(self, person_id: int, channel_id: int | None) -> int:
        """The open table at which this person sits, or one of this channel that he left; raises UserError without one."""
        async with self._store.read() as db:
            own = await db.tables.open_of_person(person_id)
            if own is not None:
                return own.id
            for table in await db.tables.in_channel(channel_id) if channel_id else []:
                if any(seat.person_id == person_id for seat in await db.tables.seats(table.id)):
                    return table.id
        raise UserError("sorry.no_table_yet")
