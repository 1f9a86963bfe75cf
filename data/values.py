"""The rows of tables, deals and matches as plain values.

Discord ids are integers; times are UTC milliseconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypedDict

from data.ids import NOWHERE, BoardSetId, ChannelId, InteractionId, MessageId
from data.preferences import TableKind, TableOptions
from league.ids import GuildId, PersonId, TableId
from league.statistics.stats import DealFacts, SeatFacts
from marriage.cards import Cards
from marriage.rules import Rules
from marriage.sheet import Ending, Status
from marriage.shuffle import DealSeed

_NOBODY = PersonId(0)

TableStatus = Literal["lobby", "playing", "between", "closed"]
Ended = Literal["vote", "staff", "abandoned", "left"]
"""Why a deal, or its table, was ended before anyone won. Each is also a key in the message catalogues."""
MatchEnd = Literal["played", "vote", "staff", "abandoned", "left", "closed"]
"""How a match ended: all its deals played, a reason that also ends a deal, or its table closed."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A table: its host, its place, its rules and its state."""

    id: TableId
    guild_id: GuildId
    channel_id: ChannelId
    message_id: MessageId | None
    host_id: PersonId
    status: TableStatus
    revision: int
    """The number of changes; a click made on an older revision is stale."""
    rules: Rules = field(repr=False)
    rules_version: int
    deal_no: int
    """The latest deal, 0 before the first."""
    dealer: int
    """The seat that deals."""
    created_at: int
    closed_at: int | None
    options: TableOptions = field(default_factory=TableOptions)
    thread_id: ChannelId | None = None
    """The table's own thread, if it has one."""
    mention_id: MessageId | None = None
    """The message that mentions the person whose turn it is, while there is one."""
    ended: Ended | None = None
    """Why people, or their absence, ended the last deal without a winner; None if they did not."""
    sign_id: MessageId | None = None
    """The message in the channel that links to the thread."""
    thread_lack: str | None = None
    """Why the table lacks the thread that it should have: the bot's missing permissions, or a word of `bot.table.core.change`."""
    opened_by: PersonId = _NOBODY
    """The person who opened it; the host may be another by now."""
    challenge: bool = False
    """Whether it was opened by challenging someone."""
    mention_channel_id: ChannelId | None = None
    """Where that message is: a place of the table, or the person's direct messages."""
    version: int = 0
    """The number of changes of the table's stored data, including moves: a cached value is of one version."""

    @property
    def kind(self) -> TableKind:
        """The kind of the table, a class that describes everything that differs between kinds."""
        return self.options.kind

    @property
    def place_id(self) -> ChannelId:
        """Where the table is shown: its thread if it has one, else its channel."""
        return self.thread_id or self.channel_id


class TableChanges(TypedDict, total=False):
    """The columns of a table that may change. `closed_at` is set exactly for closed tables."""

    channel_id: ChannelId
    message_id: MessageId | None
    host_id: PersonId
    status: TableStatus
    rules: Rules
    deal_no: int
    dealer: int
    closed_at: int | None
    options: TableOptions
    thread_id: ChannelId | None
    sign_id: MessageId | None
    thread_lack: str | None
    mention_id: MessageId | None
    mention_channel_id: ChannelId | None
    ended: Ended | None


@dataclass(frozen=True, slots=True, repr=False)
class OwnArrangement:
    """A person's own arrangement of the cards in their hand."""

    groups: tuple[Cards, ...] = ()
    """Groups of cards that they have put together."""
    order: tuple[Cards, ...] = ()
    """All other cards in their own order, heap by heap; empty if their settings arrange these."""


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat of a table."""

    table_id: TableId
    seat: int
    person_id: PersonId | None
    """None for a computer's own seat."""
    name: str
    computer: str | None = None
    """The level of the computer that plays here; None while the person plays."""
    dm_channel_id: ChannelId | None = None
    dm_message_id: MessageId | None = None
    """The direct message that shows the hand, if the player wanted one."""
    left: bool = False
    """Whether the person has left the seat to the computer for good."""
    ready: bool = False
    """Whether the person has asked for the deal that the table waits for: its first one, the next one, or a rematch."""
    away: bool = False
    """Whether the computer plays for the person until they are back."""
    ending: bool = False
    """Whether the person has asked, or agreed, to end the deal."""
    stand_in: Literal["whole", "part"] | None = None
    """Whether a computer has played for the person in this deal: from its beginning, or from some move on.

    A person who had left when the match ended has "part" too, if they left after the deal.
    """
    second_clock: int | None = None
    """The revision of the question for which the person came back and had their time restarted."""
    sits_out: bool = False
    """Whether the person sits out from the next deal on."""

    @property
    def by_computer(self) -> bool:
        """Whether a computer makes the moves of this seat now."""
        return self.computer is not None or self.away or self.left

    @property
    def present(self) -> bool:
        """Whether a person is playing here now."""
        return not self.by_computer


@dataclass(frozen=True, slots=True)
class BenchRow:
    """A person at a table without a seat in its deal: they sit out, or play from the next deal on."""

    table_id: TableId
    number: int
    """0, 1, 2 ... in the order in which they sit around the table."""
    person_id: PersonId
    name: str
    place: int
    """The number of seats before their place around the table."""
    comes: bool
    """Whether they play from the next deal on; False while they sit out."""
    mixed: str | None = None
    """Their contribution to the shuffle of the next deal, without a seat's number; see `bot.table.core.table`.

    What was contributed before that deal is sealed is dropped then.
    """


@dataclass(frozen=True, slots=True)
class DealRow:
    """One deal with everything that determines its shuffle. The seed is secret until the end and never in `repr`."""

    table_id: TableId
    deal_no: int
    """1, 2, 3 ... without gaps."""
    seed: bytes = field(repr=False)
    commitment: str
    """The commitment to the seed, published before the first press, in hexadecimal."""
    entropy: list[str]
    """The players' contributions, in order."""
    shuffle_version: int
    rules_version: int
    rules: Rules = field(repr=False)
    dealer: int
    started_at: int
    ended_at: int | None = None
    former_seeds: list[str] = field(default_factory=list[str])
    """Unused seeds that were sealed for this deal before its rules changed, in hexadecimal."""
    ended: Ended | None = None
    """Why people, or their absence, ended it without a winner; None if it was won or ran out of cards."""
    match_no: int | None = None
    """The number of its match; None until it is dealt."""
    match_deal: int | None = None
    """Its number in that match, 1, 2, 3 ...; None until it is dealt."""
    shared_at: int | None = None
    """When its animated replay was posted publicly, which happens once."""
    board_set: BoardSetId | None = None
    """Its set of boards; None for an ordinary deal."""
    board_no: int | None = None
    """Its number in that set, 1, 2, 3 ..."""

    @property
    def secret(self) -> DealSeed:
        """The source of all its randomness; a board has the same secret at every table."""
        if self.board_set is None or self.board_no is None:
            return DealSeed(self.seed, str(self.table_id), self.deal_no, tuple(self.entropy))
        return DealSeed(self.seed, boards_key(self.board_set), self.board_no, tuple(self.entropy))


def boards_key(set_id: BoardSetId) -> str:
    """Return the name of a set of boards in the shuffle, used instead of a table's number."""
    return f"boards-{set_id}"


@dataclass(frozen=True, slots=True)
class BoardSetRow:
    """A set of boards, which stays secret until the last table has played it."""

    id: BoardSetId
    guild_id: GuildId
    day: str | None
    """The day whose deal it is, such as `2026-11-21`; None for a set that several tables play."""
    rules: Rules = field(repr=False)
    seats: int
    opened_at: int
    closes_at: int | None
    """When its day ends."""
    released_at: int | None
    """When everything about it was published."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One board of a set. Its seed is secret until the set is released, and never in `repr`."""

    set_id: BoardSetId
    number: int
    """1, 2, 3 ... without gaps."""
    seed: bytes = field(repr=False)
    commitment: str
    entropy: list[str]
    """The contributions of the players of all tables."""

    @property
    def secret(self) -> DealSeed:
        """The source of all its randomness."""
        return DealSeed(self.seed, boards_key(self.set_id), self.number, tuple(self.entropy))


@dataclass(frozen=True, slots=True)
class DailyTryRow:
    """A person's single attempt at a deal of the day, at a table of their own."""

    set_id: BoardSetId
    person_id: PersonId
    table_id: TableId
    name: str
    net: int | None = None
    """The points they have won or paid; None while they play."""
    finished: bool | None = None
    """Whether they finished it themselves."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """Deals whose points are counted together. A table plays one match after another by the same rules."""

    table_id: TableId
    match_no: int
    """1, 2, 3 ... without gaps."""
    deals: int
    """The agreed number of deals; 0 for no fixed number."""
    started_at: int
    ended_at: int | None = None
    ended: MatchEnd | None = None

    @property
    def is_over(self) -> bool:
        """Whether no further deal belongs to it."""
        return self.ended is not None


@dataclass(frozen=True, slots=True)
class ResultRow:
    """The result of one seat in one deal; running totals are sums of `net`.

    Rows of status `pause` are for people who had no seat in the deal and paid for a foul in an earlier one.
    """

    table_id: TableId
    deal_no: int
    seat: int
    person_id: PersonId | None
    name: str
    status: Status
    points: int
    payment: int
    net: int
    winner: bool


@dataclass(frozen=True, slots=True)
class PlayedRow:
    """A finished deal for lists and statistics, without its rules and cards."""

    table_id: TableId
    deal_no: int
    match_no: int | None
    match_deal: int | None
    guild_id: GuildId
    channel_id: ChannelId
    private: bool
    preset: str
    """The preset nearest to its rules."""
    variations: int
    """How many options differ from that preset."""
    seats: int
    ending: Ending
    stopped: bool
    """Whether people ended it before anyone could win."""
    started_at: int
    ended_at: int
    number: int = 0
    """Its number among all finished deals of all tables, in order of their ends; 0 before it is stored."""

    def facts(self, seats: Sequence[SeatFacts]) -> DealFacts:
        """Return the deal with its seats."""
        return DealFacts(
            number=self.number,
            guild=self.guild_id,
            table=self.table_id,
            deal_no=self.deal_no,
            match_no=self.match_no,
            match_deal=self.match_deal,
            at=self.ended_at,
            ending=self.ending,
            stopped=self.stopped,
            seats=tuple(seats),
            of_the_day=self.channel_id == NOWHERE,
        )


@dataclass(frozen=True, slots=True)
class SeenRow:
    """An answered interaction and its answer."""

    interaction_id: InteractionId
    table_id: TableId | None
    revision: int
    answer: str = field(repr=False)
    at: int


@dataclass(frozen=True, slots=True)
class DeadlineRow:
    """Something that happens to a table at `due_at`, if the table still has that revision."""

    table_id: TableId
    kind: str
    revision: int
    due_at: int
    set_at: int = 0
    """When it was set, or last credited for an outage: it has lost no time from before."""
