"""What a command changes at a table: recorded here without I/O, and stored as a whole when the command is done.

Requests to the outbox are part of it, such as closing messages in former places or deleting mentions of past turns.
"""

from collections.abc import Awaitable, Callable, Collection, Coroutine, Generator, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar, Unpack

from bot.errors import StaleRevisionError, UserError
from bot.table.core.table import (
    Table,
    TableBoards,
    asked_seats,
    asked_since,
    contribute,
    present_pace,
    recent_events,
    why_no_seat,
)
from data.ids import InteractionId, MessageId
from data.outbox_keys import (
    ClosedMessageKey,
    EndedMentionKey,
    HandKey,
    OutboxKey,
    RetiredHandKey,
    StandingKey,
    StoredKey,
    TableMessageKey,
)
from data.preferences import Pace
from data.repositories.messages import OutboxRequest
from data.transaction import WriteTransaction
from data.values import (
    BenchRow,
    DeadlineRow,
    DealRow,
    MatchEnd,
    MatchRow,
    OwnArrangement,
    SeatRow,
    TableChanges,
    TableRow,
)
from league.ids import PersonId, TableId
from marriage.apply import apply
from marriage.events import Event
from marriage.state import State

T = TypeVar("T")
Wake = Callable[[], None]


class _Stored(NamedTuple):
    """The part of a table that the database already holds."""

    seats: tuple[SeatRow, ...]
    bench: tuple[BenchRow, ...]
    deals: dict[int, DealRow]
    deadlines: dict[str, DeadlineRow]
    pins: dict[PersonId, OwnArrangement]
    acts: int = 0
    """The number of noted acts that are stored."""


class TableChange:
    """A table in transition from one version to the next.

    Commands only note their changes here, so a command is a function of the table, the time and its
    arguments. `table` is the row before the change; seats, deals, deadlines and the state already have their
    new values.
    """

    def __init__(self, before: Table, now: int) -> None:
        self.before = before
        self.now = now
        self.table: TableRow = before.row
        self.seats = before.seats
        self.bench = before.bench
        self.state: State | None = before.state
        self.match = before.match
        self.deals = dict(before.deals)
        self.deadlines = dict(before.deadlines)
        self.pins = dict(before.pins)
        self.changes = TableChanges()
        """The changed columns of the table's row, with their new values."""
        self.acts: list[tuple[Event, int | None]] = []
        """The events added to the deal, each with the seat that acted."""
        self.requests: dict[StoredKey, OutboxRequest] = {}
        """The messages to publish, by key."""

    # The table itself

    @property
    def revision(self) -> int:
        """The revision that the table will have after this change, if it is a move."""
        return self.before.row.revision + 1

    @property
    def deal_no(self) -> int:
        """The number of the deal in play, stored or not."""
        return self.changes.get("deal_no", self.table.deal_no)

    @property
    def goes_on(self) -> bool:
        """Whether the deal that was in play before this change still is."""
        return self.table.status == self.changes.get("status", self.table.status) == "playing"

    def update(self, **changes: Unpack[TableChanges]) -> None:
        """Change the table's row; a later change of the same column wins."""
        self.changes.update(changes)

    def seat_of(self, person_id: PersonId) -> int:
        """Return the seat of this person; raises UserError if they have none."""
        for seat in self.seats:
            if seat.person_id == person_id:
                return seat.seat
        raise UserError(why_no_seat(self.table.status, self.bench, person_id), table=self.table.id)

    def set_seat(self, row: SeatRow) -> None:
        """Replace one seat."""
        self.seats = tuple(row if seat.seat == row.seat else seat for seat in self.seats)

    def set_seats(self, rows: Sequence[SeatRow]) -> None:
        """Replace all seats by these, which are numbered in order."""
        self.seats = tuple(rows)

    def set_bench(self, rows: Sequence[BenchRow]) -> None:
        """Replace the whole bench by these people, in this order."""
        self.bench = tuple(replace(row, number=number) for number, row in enumerate(rows))

    @property
    def pace(self) -> Pace:
        """How long a turn may take at present."""
        return present_pace(self.table.options.pace, self.seats, self.bench)

    # The deal in play

    def record(self, events: Sequence[Event], actor: int | None) -> None:
        """Add events to the deal in play, and apply them to its state."""
        for event in events:
            self.state = apply(self.state, event)
            self.acts.append((event, actor))

    @property
    def recorded(self) -> list[Event]:
        """The events that this change has added to the deal."""
        return [event for event, _ in self.acts]

    def asked(self) -> list[int]:
        """Return the seats that the deal in play waits for."""
        return asked_seats(self.table, self.state)

    def asked_since(self) -> int:
        """Return the revision of the table's current question: buttons from that revision on are valid."""
        return asked_since(self.table, self.state, self.deadlines)

    # The next deal

    @property
    def following(self) -> DealRow:
        """The prepared next deal; raises ValueError if there is none."""
        deal = self.deals.get(self.deal_no + 1)
        if deal is None:
            raise ValueError(f"the next deal of table {self.table.id} was not prepared")
        return deal

    def prepare(self, deal: DealRow) -> None:
        """Set the next deal, or replace the one that was prepared."""
        self.deals[deal.deal_no] = deal

    def entropy(self) -> list[str]:
        """Return the seats' contributions to the shuffle of the next deal so far."""
        deal = self.deals.get(self.deal_no + 1)
        return list(deal.entropy) if deal else []

    def set_entropy(self, items: Sequence[str]) -> None:
        """Replace the seats' contributions to the shuffle of the next deal."""
        self.prepare(replace(self.following, entropy=list(items)))

    def mix_in(self, seat: int, interaction_id: InteractionId, word: str = "") -> None:
        """Let a seat contribute to the shuffle of the next deal."""
        self.set_entropy(contribute(self.entropy(), seat, interaction_id, word))

    # What the table waits for

    def remind(self, kind: str, after_ms: int, since: int | None = None) -> None:
        """Set a deadline `after_ms` milliseconds from now, for the revision that this change makes.

        `since` is an earlier revision since which the table has waited for the same thing, if any.
        """
        revision = self.revision if since is None else since
        self.deadlines[kind] = DeadlineRow(self.table.id, kind, revision, self.now + after_ms, self.now)

    def stop(self, *kinds: str) -> None:
        """Clear the deadlines of these kinds."""
        for kind in kinds:
            self.deadlines.pop(kind, None)

    def deadline(self, kind: str) -> DeadlineRow | None:
        """Return the deadline of this kind; None if the table has none."""
        return self.deadlines.get(kind)

    def require_due(self, kind: str, revision: int) -> None:
        """Raise StaleRevisionError for a deadline that the table no longer has or that is not due yet."""
        row = self.deadline(kind)
        if row is None or row.revision != revision or row.due_at > self.now:
            raise StaleRevisionError

    # What to show

    def request(self, key: OutboxKey, *, wait_ms: int = 0) -> None:
        """Ask the outbox to bring this message to the revision that this change makes, within `wait_ms`."""
        asked = OutboxRequest(key, self.revision, wait_ms)
        stored = key.stored
        name = StoredKey(stored.subject, stored.about, "", stored.name)
        before = self.requests.get(name)
        self.requests[name] = asked if before is None else before.merged(asked)

    def publish(self, hands: Iterable[int] = (), *, wait_ms: int = 0) -> None:
        """Update the table's message within `wait_ms`, and the hands of these seats by direct message."""
        if self.table.kind.has_message:  # a table without a message is in no channel
            self.request(TableMessageKey(self.table.id), wait_ms=wait_ms)
            self.publish_hands(hands)

    def publish_hands(self, hands: Iterable[int], *, wait_ms: int = 0) -> None:
        """Send the people of these seats their hands by direct message, except those who have left.

        A person who plays alone gets no direct message: they see their hand where they ask for it.
        """
        if not self.table.kind.has_message:
            return
        for seat in hands:
            if self.seats[seat].person_id is not None and not self.seats[seat].left:
                self.request(HandKey(self.table.id, seat), wait_ms=wait_ms)

    # The outcome

    @property
    def is_empty(self) -> bool:
        """Whether nothing has changed and nothing is to be published."""
        before = self.before
        return not (self.changes or self.acts or self.requests) and (
            (before.seats, before.bench, before.deals, before.deadlines, before.pins)
            == (self.seats, self.bench, self.deals, self.deadlines, self.pins)
        )

    def outcome(self, row: TableRow) -> Table:
        """The table after this change, given its row as stored.

        Only for commands that changed nothing in the database except what is noted here. So a deal that begins here
        is not a duplicate board: dealing a board needs the database.
        """
        before = self.before
        goes_on = row.deal_no == before.row.deal_no
        return Table(
            row=row,
            seats=self.seats,
            bench=self.bench,
            deals={number: deal for number, deal in self.deals.items() if number >= row.deal_no},
            state=self.state,
            played=len(self.acts) + (before.played if goes_on else 0),
            recent=recent_events(before.recent if goes_on else (), self.recorded),
            deadlines=self.deadlines,
            pins=self.pins if goes_on else {},
            guests=before.guests,
            match=self.match,
            results=before.results,
            boards=before.boards if goes_on else TableBoards(),
            earned=before.earned if goes_on else (),
        )


class _DatabaseWish(Awaitable[WriteTransaction]):
    """Awaited by a command that needs the database; `TableCommand` answers it."""

    def __await__(self) -> Generator[Any, WriteTransaction, WriteTransaction]:
        return (yield self)


class TableCommand(Generic[T]):
    """A command that begins on the event loop and continues in a transaction once it needs the database.

    Until then it may await anything, and a refusal costs no transaction. Afterwards it may await only the
    transaction, and the store runs it to its end.
    """

    def __init__(self, work: Coroutine[Any, Any, T]) -> None:
        self._work = work
        self.result: T
        """The command's return value, available once it has ended."""

    async def begin(self) -> bool:
        """Run the command to its end, or until it asks for the database; returns whether it has ended."""
        return await _Stretch(self, None)

    async def go_on(self, db: WriteTransaction) -> T:
        """Give the command the database, and run it to its end."""
        if not await _Stretch(self, db):
            raise RuntimeError("a command asks for the database once")
        return self.result

    def close(self) -> None:
        """Abandon a command that has not ended."""
        self._work.close()

    def run(self, given: WriteTransaction | None) -> Generator[Any, Any, bool]:
        """Send this to the command and pass on what it awaits; returns whether it has ended."""
        resume: Callable[[], Any] = partial(self._work.send, given)
        while True:
            try:
                wanted = resume()
            except StopIteration as done:
                self.result = done.value
                return True
            if isinstance(wanted, _DatabaseWish):
                return False
            try:
                resume = partial(self._work.send, (yield wanted))
            except BaseException as error:  # noqa: BLE001 - the command learns of it
                resume = partial(self._work.throw, error)


class _Stretch(Awaitable[bool]):
    """A part of a command, as an awaitable."""

    def __init__(self, command: TableCommand[Any], given: WriteTransaction | None) -> None:
        self._run = command.run(given)

    def __await__(self) -> Generator[Any, Any, bool]:
        return self._run


class TableTransaction(TableChange):
    """A change of a table under its lock.

    Most commands only note what they change, and a few statements write it at the end. The few commands that
    need the database itself, such as the end of a deal, request it with `database`, and await nothing else
    afterwards.
    """

    def __init__(
        self,
        before: Table,
        now: int,
        hooks: "TableHooks | None" = None,
        *,
        interaction_id: InteractionId | None = None,
        is_move: bool = True,
    ) -> None:
        """Start a change; unless it is a move, the revision and all buttons stay valid."""
        super().__init__(before, now)
        self.hooks = TableHooks() if hooks is None else hooks
        self.begun: WriteTransaction | None = None
        """The store's transaction, once requested; `finish` ends it, and the table must be read again."""
        self._interaction_id = interaction_id
        self._is_move = is_move
        self.is_own_work = False
        """Whether this process does the work that follows from the change."""
        self._row = before.row
        self._stored = self._present()
        self.wakes = False
        """Whether something was stored that others wait for: a message to publish, or another deadline."""
        self.soonest_set: int | None = None
        """The time of the earliest deadline that was set, in milliseconds since 1970; None if none was."""

    @classmethod
    def of_new(
        cls,
        db: WriteTransaction,
        now: int,
        row: TableRow,
        hooks: "TableHooks | None" = None,
    ) -> "TableTransaction":
        """Return the change that sets up a table created in this store transaction; end it with `finish`."""
        tx = cls(Table(row, seats=()), now, hooks)
        tx.begun = db
        return tx

    async def database(self) -> WriteTransaction:
        """Return the store's transaction, for data other than the table's. It includes what was noted so far.

        The next statement, or else the commit, raises InteractionSeenError for an interaction that was
        handled before, and RevisionConflictError if the table was changed elsewhere since it was read.
        """
        db = self.begun
        if db is None:
            db = self.begun = await _DatabaseWish()
            await self._record(db)
            self._row = await db.tables.update(self._row, is_move=False)
        await self._store(db)
        return db

    async def finish(self) -> None:
        """Write everything noted in the transaction that the command has begun."""
        db = await self.database()
        row = await db.tables.get(self.table.id)  # the command may have changed it
        await db.tables.update(row or self._row, is_move=self._is_move, **self.changes)

    async def written(self, db: WriteTransaction) -> TableRow:
        """Write everything noted by a command that did not use the database, and return the table's new row.

        Raises the same errors as after `database`.
        """
        await self._record(db)
        row = await db.tables.update(self._row, is_move=self._is_move, **self.changes)
        await self._store(db)
        return row

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to write."""
        return self._interaction_id is not None or self.begun is not None or not self.is_empty

    async def _record(self, db: WriteTransaction) -> None:
        if self.is_own_work:
            db.is_own_work()
        number = self._interaction_id
        if number is not None:
            await db.interactions.record(InteractionId(number), self.table.id, self.revision, "", self.now)

    async def _store(self, db: WriteTransaction) -> None:
        """Write what was noted since the last call, each kind of row in one statement, and only what differs."""
        stored, table_id = self._stored, self.table.id
        for number, deal in self.deals.items():
            if number not in stored.deals:
                await db.deals.start(deal)
            elif deal != stored.deals[number]:
                await db.deals.change(deal)
        if len(self.seats) == len(stored.seats):
            pairs = zip(self.seats, stored.seats, strict=True)
            await db.tables.change_seats(table_id, [seat for seat, before in pairs if seat != before])
        else:
            await db.tables.set_seats(table_id, self.seats)
        if self.bench != stored.bench:
            await db.benches.set(table_id, self.bench)
        earlier = self.before.played if self.deal_no == self.before.row.deal_no else 0
        acts = self.acts[stored.acts :]
        await db.deals.append_events(table_id, self.deal_no, earlier + stored.acts, acts, self.now)
        if cleared := [kind for kind in stored.deadlines if kind not in self.deadlines]:
            await db.deadlines.clear(table_id, *cleared)
        was_set = [row for kind, row in self.deadlines.items() if row != stored.deadlines.get(kind)]
        await db.deadlines.set(*was_set)
        known = [] if self.soonest_set is None else [self.soonest_set]
        self.soonest_set = min([*known, *(row.due_at for row in was_set)], default=None)
        for person_id, arrangement in self.pins.items():
            if arrangement != stored.pins.get(person_id):
                await db.pins.set(table_id, self.deal_no, person_id, arrangement)
        await db.outbox.put_all(self.requests.values(), self.now)
        self.wakes = self.wakes or bool(self.requests) or self.deadlines != stored.deadlines
        self._stored = self._present()
        self.requests.clear()

    def _present(self) -> _Stored:
        deals, deadlines, pins = dict(self.deals), dict(self.deadlines), dict(self.pins)
        return _Stored(self.seats, self.bench, deals, deadlines, pins, len(self.acts))


TableListener = Callable[[TableTransaction], Awaitable[None]]
MatchListener = Callable[[TableTransaction, MatchRow, MatchEnd], Awaitable[None]]


async def _waits_for_nobody(_tx: TableTransaction) -> bool:
    return False


def _in_none(_table_id: TableId, _person_id: PersonId) -> MessageId | None:
    return None


def _follows_nothing(_table_id: TableId, _person_id: PersonId) -> bool:
    return False


@dataclass(slots=True)
class TableHooks:
    """What a table announces to its listeners, within the transaction in which it happens.

    They are called in the order in which they were added; an exception undoes the transaction.
    """

    deal_begins: list[TableListener] = field(default_factory=list[TableListener])
    """The prepared deal is about to be dealt: seats and options may still be changed."""
    deal_ended: list[TableListener] = field(default_factory=list[TableListener])
    """The results of the deal are stored. The daily deal, which one person plays alone, is not announced."""
    attempt_ended: list[TableListener] = field(default_factory=list[TableListener])
    """The result of an attempt at the deal of the day is stored."""
    match_ended: list[MatchListener] = field(default_factory=list[MatchListener])
    """The match is over, with the reason: it was played out, ended by a vote, or its table closes."""

    waits: Callable[[TableTransaction], Awaitable[bool]] = _waits_for_nobody
    """Whether the first deal of a table waits for someone who may still take a seat, though all who sit there are ready."""

    played_in: Callable[[TableId, PersonId], MessageId | None] = _in_none
    """The direct message in which a person plays, where the next deal also appears; None if there is none."""

    follows: Callable[[TableId, PersonId], bool] = _follows_nothing
    """Whether a person sees the deal in an open hand that stays up to date."""

    async def announce_deal_begins(self, tx: TableTransaction) -> None:
        """Call the listeners of `deal_begins`."""
        for listener in self.deal_begins:
            await listener(tx)

    async def announce_deal_ended(self, tx: TableTransaction) -> None:
        """Call the listeners of `deal_ended`."""
        for listener in self.deal_ended:
            await listener(tx)

    async def announce_attempt_ended(self, tx: TableTransaction) -> None:
        """Call the listeners of `attempt_ended`."""
        for listener in self.attempt_ended:
            await listener(tx)

    async def announce_match_ended(self, tx: TableTransaction, match: MatchRow, why: MatchEnd) -> None:
        """Call the listeners of `match_ended`."""
        for listener in self.match_ended:
            await listener(tx, match, why)


FULL = "full"
LOCKED = "locked"
UNSUITABLE = "unsuitable"
DELETED = "deleted"
PUBLIC = "public"
"""The reasons why a table has no thread, apart from missing permissions.

Each value but `PUBLIC` is also a key in the message catalogues. `PUBLIC` means that the table's thread is a
post in a forum, which everyone can read.
"""


def leave_message(change: TableChange) -> None:
    """Forget the table's message so that it is posted again, and close the old one once there is a new one.

    Both happen in one transaction. So even after a crash one message is the table's, and the others are closed.
    """
    if change.table.message_id is not None:
        close_message(change, change.table.message_id)
        change.update(message_id=None)


def leave_thread(change: TableChange, lack: str | None = None) -> None:
    """Note that the table has no thread, for the reason `lack`.

    The sign in the channel that led to the thread now leads to the table's new place.
    """
    if change.table.sign_id is not None:
        close_sign(change, change.table.sign_id)
    change.update(thread_id=None, sign_id=None, thread_lack=lack)


def close_sign(change: TableChange, sign_id: MessageId) -> None:
    """Request an update of the sign: the message in the channel that leads to the table's thread."""
    change.request(ClosedMessageKey(change.table.id, change.table.channel_id, sign_id))


def close_message(change: TableChange, message_id: MessageId) -> None:
    """Request that a former message of the table, in its current place, be closed."""
    change.request(ClosedMessageKey(change.table.id, change.table.place_id, message_id))


def withdraw_mention(change: TableChange) -> None:
    """Forget the mention of a turn that is over, and request its deletion."""
    mention_id, channel_id = change.table.mention_id, change.table.mention_channel_id
    if mention_id is not None and channel_id is not None:
        change.request(EndedMentionKey(change.table.id, channel_id, mention_id))
        change.update(mention_id=None, mention_channel_id=None)


def retire_hands(
    change: TableChange,
    played_in: Callable[[PersonId], MessageId | None],
    of: Collection[PersonId] | None = None,
) -> None:
    """Remove the buttons of earlier hand messages before hands are sent in new ones, to all or these people.

    The next hand reuses the direct message in which a person plays. In another message as well, they would
    see it twice.
    """
    for seat in change.seats:
        if seat.person_id is None or (of is not None and seat.person_id not in of):
            continue
        goes_on = None if seat.left else played_in(seat.person_id)
        if seat.dm_message_id == goes_on:
            continue
        if seat.dm_channel_id is not None and seat.dm_message_id is not None:
            change.request(RetiredHandKey(change.table.id, seat.dm_channel_id, seat.dm_message_id))
        change.set_seat(replace(seat, dm_message_id=goes_on))


def tell_all(change: TableChange) -> None:
    """Show everybody in their hand that the deal pauses or resumes; people without a hand get a direct message."""
    change.publish_hands(range(len(change.seats)))
    for seat in change.seats:
        if seat.person_id is not None and not seat.left:
            change.request(StandingKey(change.table.id, seat.seat))
