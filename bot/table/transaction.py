"""One table within one transaction: what it is now, what changes, and what is asked for with the change."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Unpack

from bot.errors import StaleRevisionError, UserError
from bot.table.bench import why_no_seat
from bot.table.fairness import contribute
from bot.table.hooks import TableHooks
from data.outbox_keys import HandKey, TableMessageKey, TurnReminderKey
from data.transaction import WriteTransaction
from data.values import BenchRow, BoardRow, DeadlineRow, DealRow, SeatRow, TableChanges, TableRow
from marriage.apply import apply
from marriage.events import Event
from marriage.rules import RULES_VERSION, Rules
from marriage.shuffle import SHUFFLE_VERSION, DealSeed
from marriage.state import Phase, State

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


def _nobody() -> "TableHooks[TableTransaction]":
    return TableHooks()


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
    hooks: "TableHooks[TableTransaction]" = field(default_factory=_nobody)
    """Who is told what happens at the table."""
    changes: TableChanges = field(default_factory=TableChanges)
    """What the table's row will be changed to."""
    recorded: list[Event] = field(default_factory=list[Event])
    """What this transaction has added to the deal."""

    def update(self, **changes: Unpack[TableChanges]) -> None:
        """Change the table's row when the transaction ends; a later change of the same column wins."""
        self.changes.update(changes)

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
        """Whether the deal that was on before this transaction still is."""
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

        They will show this revision, or the one that this transaction makes.
        """
        if not self.table.kind.has_message:
            return  # it stands in no channel
        table, revision = self.table, self.table.revision + 1 if revision is None else revision
        await self.db.outbox.put(TableMessageKey(table.id), revision, self.now, wait_ms=wait_ms)
        await self.publish_hands(hands, revision)

    async def publish_hands(
        self, hands: Iterable[int], revision: int | None = None, *, wait_ms: int = 0
    ) -> None:
        """Let these seats' people see their hands by direct message; whoever has left is not bothered.

        One who plays alone sees his hand where he asks for it.
        """
        if not self.table.kind.has_message:
            return
        table, revision = self.table, self.table.revision + 1 if revision is None else revision
        for seat in hands:
            if self.seats[seat].person_id is not None and not self.seats[seat].left:
                await self.db.outbox.put(HandKey(table.id, seat), revision, self.now, wait_ms=wait_ms)

    async def publish_notice(self, seat: int | None) -> None:
        """Remind the player of this seat of his turn in a message of its own; None takes such a message away."""
        table = self.table
        await self.db.outbox.put(TurnReminderKey(table.id, seat), table.revision + 1, self.now)

    async def remind(self, kind: str, after_ms: int, since: int | None = None) -> None:
        """Set a deadline, so many milliseconds from now, for the revision that this transaction makes.

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
