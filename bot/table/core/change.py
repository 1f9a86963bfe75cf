"""What a command changes of a table: noted here without I/O, to be stored as a whole when the command is done."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Unpack

from bot.errors import StaleRevisionError, UserError
from bot.table.core.bench import why_no_seat
from bot.table.core.fairness import contribute
from bot.table.core.table import Boards, Table, asked_seats, asked_since, recent_events
from data.outbox_keys import HandKey, OutboxKey, StoredKey, TableMessageKey
from data.rows.outbox import OutboxRequest
from data.values import (
    BenchRow,
    DeadlineRow,
    DealRow,
    SeatRow,
    TableChanges,
    TableRow,
)
from marriage.apply import apply
from marriage.events import Event
from marriage.state import State


class TableChange:
    """A table on its way from one version to the next.

    Everything that a command asks for is only noted: a command is a function of the table, the time and what it was
    given. `table` is the row as it was before; seats, deals, deadlines and the state are already as they will be.
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
        """What the table's row will be changed to."""
        self.acts: list[tuple[Event, int | None]] = []
        """What was added to the deal, each event with the seat that acted."""
        self.requests: dict[StoredKey, OutboxRequest] = {}
        """What is to be published, by key."""

    # The table itself

    @property
    def revision(self) -> int:
        """The revision that the table will have after this change, if it is a move."""
        return self.before.row.revision + 1

    @property
    def deal_no(self) -> int:
        """The number of the deal in play, whether it was stored or is about to be."""
        return self.changes.get("deal_no", self.table.deal_no)

    @property
    def goes_on(self) -> bool:
        """Whether the deal that was on before this change still is."""
        return self.table.status == self.changes.get("status", self.table.status) == "playing"

    def update(self, **changes: Unpack[TableChanges]) -> None:
        """Change the table's row; a later change of the same column wins."""
        self.changes.update(changes)

    def seat_of(self, person_id: int) -> int:
        """The seat of that person; raises UserError for anyone else."""
        for seat in self.seats:
            if seat.person_id == person_id:
                return seat.seat
        raise UserError(why_no_seat(self.table.status, self.bench, person_id), table=self.table.id)

    def set_seat(self, row: SeatRow) -> None:
        """This seat in place of what it was."""
        self.seats = tuple(row if seat.seat == row.seat else seat for seat in self.seats)

    def set_seats(self, rows: Sequence[SeatRow]) -> None:
        """These seats, numbered in order, in place of all there were."""
        self.seats = tuple(rows)

    def set_bench(self, rows: Sequence[BenchRow]) -> None:
        """These people on the bench in this order, in place of all there were."""
        self.bench = tuple(replace(row, number=number) for number, row in enumerate(rows))

    # The deal in play

    def record(self, events: Sequence[Event], actor: int | None) -> None:
        """Add events to the deal in play, and fold them into its state."""
        for event in events:
            self.state = apply(self.state, event)
            self.acts.append((event, actor))

    @property
    def recorded(self) -> list[Event]:
        """What this change has added to the deal."""
        return [event for event, _ in self.acts]

    def asked(self) -> list[int]:
        """The seats that the deal in play waits for."""
        return asked_seats(self.table, self.state)

    def asked_since(self) -> int:
        """The revision since which the deal asks what it asks now: buttons of that revision and later are good."""
        return asked_since(self.table, self.state, self.deadlines)

    # The next deal

    @property
    def following(self) -> DealRow:
        """The deal that is prepared; raises ValueError where none is."""
        deal = self.deals.get(self.deal_no + 1)
        if deal is None:
            raise ValueError(f"the next deal of table {self.table.id} was not prepared")
        return deal

    def prepare(self, deal: DealRow) -> None:
        """This is the next deal, or what has become of the one that was prepared."""
        self.deals[deal.deal_no] = deal

    def entropy(self) -> list[str]:
        """What the seats have mixed into the next deal so far."""
        deal = self.deals.get(self.deal_no + 1)
        return list(deal.entropy) if deal else []

    def set_entropy(self, items: Sequence[str]) -> None:
        """What the seats mix into the next deal."""
        self.prepare(replace(self.following, entropy=list(items)))

    def mix_in(self, seat: int, interaction_id: int, word: str = "") -> None:
        """Let a seat contribute to the shuffle of the next deal."""
        self.set_entropy(contribute(self.entropy(), seat, interaction_id, word))

    # What the table waits for

    def remind(self, kind: str, after_ms: int, since: int | None = None) -> None:
        """Set a deadline, so many milliseconds from now, for the revision that this change makes.

        Or for an earlier one, `since`, where the table has waited for the same thing that long.
        """
        revision = self.revision if since is None else since
        self.deadlines[kind] = DeadlineRow(self.table.id, kind, revision, self.now + after_ms)

    def stop(self, *kinds: str) -> None:
        """The table waits for these no longer."""
        for kind in kinds:
            self.deadlines.pop(kind, None)

    def deadline(self, kind: str) -> DeadlineRow | None:
        """What the table waits for, if it waits for that."""
        return self.deadlines.get(kind)

    def require_due(self, kind: str, revision: int) -> None:
        """Whether the deadline that has come is still the table's own; raises StaleRevisionError for one of the past."""
        row = self.deadline(kind)
        if row is None or row.revision != revision or row.due_at > self.now:
            raise StaleRevisionError

    # What is to be shown

    def request(self, key: OutboxKey, *, wait_ms: int = 0) -> None:
        """Ask the outbox to bring this to the revision that this change makes, in `wait_ms` at the latest."""
        asked = OutboxRequest(key, self.revision, wait_ms)
        stored = key.stored
        name = StoredKey(stored.subject, stored.about, "", stored.name)
        before = self.requests.get(name)
        self.requests[name] = asked if before is None else before.merged(asked)

    def publish(self, hands: Iterable[int] = (), *, wait_ms: int = 0) -> None:
        """Let everyone see: the table's message, in `wait_ms` at the latest, and these seats' hands by direct message."""
        if self.table.kind.has_message:  # else it stands in no channel
            self.request(TableMessageKey(self.table.id), wait_ms=wait_ms)
            self.publish_hands(hands)

    def publish_hands(self, hands: Iterable[int], *, wait_ms: int = 0) -> None:
        """Let the people of these seats see their hands by direct message; those who have left are not bothered.

        A person who plays alone sees their hand where they ask for it.
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
        """The table that comes of this change, with its row as it is stored then.

        Not where the command has changed more in the file than is noted here. A deal that begins is no board: those
        are dealt with the help of the file.
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
            boards=before.boards if goes_on else Boards(),
            earned=before.earned if goes_on else (),
        )
