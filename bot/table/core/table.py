"""A table as a value: everything that commands and panels need to know of it, without I/O.

It is what the database holds of the table at one version, with the ledger of its match, and how long it waits at its pace.
Commands never change it: they note what changes in a `TableChange`, which then gives a new value.

What the seats contribute to the shuffle comes after the commitment to the seed and before the deal. An item is
`<seat>:<interaction id>:<w>`: `w` is the hash of a word that the player typed, or `-`; a seat that said nothing is
`<seat>:auto:-`. Joining a table or asking for the next deal is a contribution too; sitting down during a deal is not, because
the next one is not sealed yet. Only seat numbers, ids of interactions and hashes are kept, so nothing here says who played.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Final

from bot.words.hands import SHOWN, is_told
from bot.words.names import seat_name
from data.ids import InteractionId
from data.preferences import Pace
from data.repositories.tables import Standing
from data.values import (
    BenchRow,
    DeadlineRow,
    DealRow,
    MatchRow,
    OwnArrangement,
    ResultRow,
    SeatRow,
    TableRow,
    TableStatus,
)
from league.ids import PersonId
from league.statistics.stats import Earned
from marriage.events import Event
from marriage.rules import SEATS_MAX, SEATS_MIN
from marriage.scoring.settle_up import Payment, settle_up
from marriage.sheet import Status
from marriage.state import Phase, State
from marriage.view import View, mask, view

_SILENT = "auto"
_NO_WORD = "-"


def contribute(items: Sequence[str], seat: int, interaction_id: InteractionId, word: str = "") -> list[str]:
    """Return the items with this seat's contribution: its first one, unless a typed word replaces a press."""
    kept = _by_seat(items)
    if seat not in kept or (word and kept[seat].endswith(f":{_NO_WORD}")):
        kept[seat] = f"{seat}:{mixture(interaction_id, word)}"
    return list(kept.values())


def mixture(interaction_id: InteractionId, word: str = "") -> str:
    """Return the contribution of a press or of a typed word: an item without its seat number."""
    return f"{interaction_id}:{_word_hash(word) if word else _NO_WORD}"


def has_asked(items: Sequence[str], row: SeatRow) -> bool:
    """Return whether the person of this seat has pressed for the next deal of a match. A typed word is no request.

    A person who is marked as ready has pressed, even if a word has replaced the press. Seats of an earlier version have no mark.
    """
    item = _by_seat(items).get(row.seat)
    return item is not None and (row.ready or item.endswith(f":{_NO_WORD}"))


def has_contributions(items: Iterable[str]) -> bool:
    """Return whether any seat has contributed."""
    return any(f":{_SILENT}:" not in item for item in items)


def reseated(items: Sequence[str], kept: Sequence[int]) -> list[str]:
    """Return the items after seats were renumbered: `kept` has each seat's former number in order, or -1."""
    before = _by_seat(items)
    return [
        f"{seat}:{before[former].partition(':')[2]}" for seat, former in enumerate(kept) if former in before
    ]


def complete(items: Sequence[str], order: Sequence[int]) -> list[str]:
    """Return all seats' items in the order of play. The dealer's comes last, as when the pack is cut."""
    given = _by_seat(items)
    return [given.get(seat, f"{seat}:{_SILENT}:{_NO_WORD}") for seat in order]


def _by_seat(items: Sequence[str]) -> dict[int, str]:
    return {int(item.partition(":")[0]): item for item in items}


def _word_hash(word: str) -> str:
    return sha256(unicodedata.normalize("NFC", word).encode()).hexdigest()


def player(row: SeatRow | ResultRow) -> int | str:
    """Return the player of a seat or result, whatever the seat: a person's id, or a computer's name."""
    return row.name if row.person_id is None else row.person_id


@dataclass(frozen=True, slots=True)
class Account:
    """One player's part of the ledger. Players who leave keep their account."""

    player: int | str
    name: str
    """The name as stored."""
    gains: tuple[int | None, ...]
    """The player's points in each deal; None for a deal in which they had no part."""

    @property
    def called(self) -> str:
        """The player's name as plain text, a computer's name in the current language."""
        return seat_name(None if isinstance(self.player, str) else self.player, self.name)

    @property
    def total(self) -> int:
        """The sum of all gains."""
        return sum(gain for gain in self.gains if gain is not None)

    @property
    def since(self) -> int:
        """The number of the first deal of the match in which the player had a part, from 1."""
        return next((number for number, gain in enumerate(self.gains, 1) if gain is not None), 1)


@dataclass(frozen=True)
class MatchLedger:
    """The accounts of a match, in the order in which the players joined it."""

    accounts: tuple[Account, ...] = ()

    def total_of(self, one: int | str) -> int:
        """Return the running total of a player; 0 for a player who has not finished a deal yet."""
        return next((account.total for account in self.accounts if account.player == one), 0)

    @property
    def deals(self) -> int:
        """The number of deals in the ledger."""
        return len(self.accounts[0].gains) if self.accounts else 0

    @cached_property
    def standing(self) -> tuple[tuple[int, Account], ...]:
        """All accounts with their places, the best first; equal totals share a place."""
        ranked = sorted(self.accounts, key=lambda account: -account.total)
        totals = [account.total for account in ranked]
        return tuple((totals.index(account.total) + 1, account) for account in ranked)

    @cached_property
    def payments(self) -> tuple[Payment, ...]:
        """The payments that bring everybody to zero (`settle_up`). They name players by their index in `accounts`."""
        return settle_up([account.total for account in self.accounts])


def ledger_of(results: Sequence[ResultRow]) -> MatchLedger:
    """Return the ledger of these results, which all belong to one match."""
    deals = sorted({row.deal_no for row in results})
    names = {player(row): row.name for row in results}
    return MatchLedger(tuple(Account(key, name, _gains(key, results, deals)) for key, name in names.items()))


def _gains(one: int | str, results: Iterable[ResultRow], deals: Iterable[int]) -> tuple[int | None, ...]:
    own = {row.deal_no: row for row in results if player(row) == one}
    return tuple(_gain(own.get(deal)) for deal in deals)


def _gain(row: ResultRow | None) -> int | None:
    """A player who only owed a foul in a deal without a winner had no part in it."""
    if row is None or (row.status is Status.PAUSE and not row.net):
        return None
    return row.net


# The kinds of deadlines.
LOBBY = "lobby"
WINDOW = "window"
COMPUTER = "computer"
BETWEEN = "between"
READY = "ready"
TURN = "turn"
MENTION = "mention"
"""The time to mention the person whose turn it is, unless they have shown up."""
VOTE = "vote"
ABANDONED = "abandoned"
DAILY = "daily"
PAUSED = "paused"


Place = SeatRow | BenchRow


def around(seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> list[Place]:
    """Return everyone in the order in which they sit around the table."""
    circle: list[Place] = []
    for number, seat in enumerate(seats):
        circle += [*(row for row in bench if row.place == number), seat]
    return [*circle, *(row for row in bench if row.place >= len(seats))]


def lineup(circle: Sequence[Place]) -> list[Place]:
    """Return the players of the next deal. Computers make room for people, the last in the circle first."""
    players = [place for place in circle if _plays(place)]
    computers = [place for place in players if place.person_id is None]
    spare = computers[::-1][: max(0, len(players) - SEATS_MAX)]
    return [place for place in players if place not in spare]


def making_room(seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> list[SeatRow]:
    """Return the computers that leave before the next deal, to make room for people."""
    players = lineup(around(seats, bench))
    return [seat for seat in seats if _plays(seat) and seat not in players]


def is_deal(players: Sequence[Place]) -> bool:
    """Return whether these players can play a deal: at least two of them, and not only computers."""
    return len(players) >= SEATS_MIN and any(place.person_id is not None for place in players)


def has_room(seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> bool:
    """Return whether one more person may sit down. People who sit out keep a place; those who left do not."""
    people = [seat for seat in seats if seat.person_id is not None and not seat.left]
    return len(people) + len(bench) < SEATS_MAX


def on_bench(bench: Sequence[BenchRow], person_id: PersonId) -> BenchRow | None:
    """Return this person's row on the bench; None if they are not on it."""
    return next((row for row in bench if row.person_id == person_id), None)


def why_no_seat(status: TableStatus, bench: Sequence[BenchRow], person_id: PersonId) -> str:
    """Return the reason why this person has no seat at a table of this status, as a message key."""
    row = on_bench(bench, person_id)
    if row is None:
        return "sorry.sit_down_first" if status == "lobby" else "sorry.not_seated"
    return "sorry.comes_next" if row.comes else "sorry.sits_out"


def _plays(one: Place) -> bool:
    return one.comes if isinstance(one, BenchRow) else not (one.left or one.sits_out)


def plays_alone(table: TableRow, seats: Sequence[SeatRow]) -> bool:
    """Return whether at most one seat belongs to a person, and no one plays the same cards elsewhere."""
    people = sum(row.person_id is not None for row in seats)
    shares_cards = table.kind.shares_boards and table.options.board_set is not None
    return people <= 1 and not shares_cards


def is_alone(seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> bool:
    """Whether no other person waits for a person's move, in the deal or for the next one."""
    return sum(row.person_id is not None for row in seats) + len(bench) < 2


@dataclass(frozen=True, slots=True)
class TableBoards:
    """What may be shown of the deals of a table, which other tables may still have to play."""

    is_sealed: bool = False
    """Whether the latest deal must stay secret for now."""
    is_revealed: bool = False
    """Whether the seed of the latest deal is no longer secret."""
    next_is_sealed: bool = False
    """Whether the prepared deal must stay secret for now."""
    next_seal: str | None = None
    """The commitment to the board that takes the place of the prepared deal if it can be dealt; None without one."""


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """One table at one version."""

    row: TableRow
    seats: tuple[SeatRow, ...]
    bench: tuple[BenchRow, ...] = ()
    deals: Mapping[int, DealRow] = field(default_factory=dict[int, DealRow])
    """The latest deal and the prepared one, by number."""
    state: State | None = None
    """The state of the deal in play, or of the latest one."""
    played: int = 0
    """The number of events of that deal."""
    recent: tuple[Event, ...] = ()
    """The latest events that messages describe, masked for a spectator."""
    deadlines: Mapping[str, DeadlineRow] = field(default_factory=dict[str, DeadlineRow])
    """The deadlines of the table, by kind."""
    pins: Mapping[PersonId, OwnArrangement] = field(default_factory=dict[PersonId, OwnArrangement])
    """The people's arrangements of their hands, by person."""
    guests: Mapping[int, Standing] = field(default_factory=dict[int, Standing])
    """The people who were invited or blocked, by id."""
    match: MatchRow | None = None
    """The match that the table plays, or the latest one."""
    results: tuple[ResultRow, ...] = ()
    """The results of that match."""
    boards: TableBoards = TableBoards()
    earned: tuple[Earned, ...] = ()
    """The achievements that people first earned in the deal that has just ended."""

    @property
    def deal(self) -> DealRow | None:
        """The deal in play, or the latest one."""
        return self.deals.get(self.row.deal_no)

    @property
    def following(self) -> DealRow | None:
        """The prepared deal."""
        return self.deals.get(self.row.deal_no + 1)

    @cached_property
    def public(self) -> View | None:
        """The deal as a spectator sees it; None before the first deal."""
        return None if self.state is None else view(self.state, None)

    @cached_property
    def private(self) -> tuple[View, ...]:
        """The deal as each seat sees it; empty before the first deal."""
        state = self.state
        return () if state is None else tuple(view(state, seat.seat) for seat in self.seats)

    @cached_property
    def ledger(self) -> MatchLedger:
        """Everyone's gains in the deals of the match."""
        return ledger_of(self.results)


def recent_events(before: Sequence[Event], events: Sequence[Event]) -> tuple[Event, ...]:
    """The latest events that messages describe, masked: those from `before` and from the added `events`."""
    told = [mask(event, None) for event in events if is_told(event)]
    return tuple([*before, *told][-SHOWN:])


def asked_seats(table: TableRow, state: State | None) -> list[int]:
    """Return the seats that the deal in play waits for."""
    if state is None or table.status != "playing":
        return []
    if state.phase is Phase.WINDOW:
        return [seat for seat, held in enumerate(state.seats) if not held.answered]
    return [state.turn]


def asked_since(table: TableRow, state: State | None, deadlines: Mapping[str, DeadlineRow]) -> int:
    """Return the revision of the table's current question: buttons of that revision and later are valid.

    In the window everyone is asked at once, so an answer leaves the buttons of the other seats valid. So do
    events around the deal, such as a player leaving. Between two deals, the question is that for the next one.
    """
    if table.status == "between":
        kinds = {PAUSED, BETWEEN}
    elif state is not None and state.phase is Phase.WINDOW:
        kinds = {PAUSED, WINDOW}
    else:
        kinds = {PAUSED, TURN, COMPUTER}
    waits = [row for kind, row in deadlines.items() if kind in kinds]
    soonest = min(waits, key=lambda row: (row.due_at, row.kind), default=None)
    return table.revision if soonest is None else soonest.revision


_SECOND: Final = 1_000
_MINUTE: Final = 60 * _SECOND
_HOUR: Final = 60 * _MINUTE

_TURN: Final = {
    Pace.NONE: 48 * _HOUR,
    Pace.FAST: 30 * _SECOND,
    Pace.NORMAL: 90 * _SECOND,
    Pace.SLOW: 5 * _MINUTE,
    Pace.DAILY: 24 * _HOUR,
}
SILENCE_MS: Final = 20 * _SECOND
"""The time without activity after which people may be looking elsewhere."""
_GRACE: Final = 10 * _SECOND
_LONG_GONE: Final = 2 * _MINUTE
VOTE_MS: Final = 2 * _MINUTE
"""How long the others have to agree to end a deal."""
PAUSED_MS: Final = 7 * 24 * _HOUR
"""How long a table that cannot be shown stays open."""
_BREAK: Final = 10 * _MINUTE
_ABANDONED: Final = 10 * _MINUTE
_ABANDONED_UNHURRIED: Final = 24 * _HOUR
_UNHURRIED: Final = {Pace.NONE, Pace.DAILY}


_WINDOW_DAILY: Final = 2 * _HOUR
_REMATCH: Final = 60 * _SECOND
_REMATCH_DAILY: Final = 24 * _HOUR


def has_clock(pace: Pace) -> bool:
    """Return whether people see how long they have. Even without a clock, a turn ends eventually."""
    return pace is not Pace.NONE


def turn_ms(pace: Pace) -> int:
    """Return the time for a move; without a clock, so long that the person must have forgotten the table."""
    return _TURN[pace]


def present_pace(pace: Pace, seats: Sequence[SeatRow], bench: Sequence[BenchRow]) -> Pace:
    """The pace of a table with these people: no clock runs for a person alone with computers."""
    return Pace.NONE if is_alone(seats, bench) else pace


def mention_ms(pace: Pace, silent_ms: int | None, *, alone: bool = False) -> int:
    """Return how long after a turn begins its person is mentioned, if they do nothing until then.

    `silent_ms` is the time since they were last active at the table, None if unknown. People who follow the
    game act within `_GRACE`, so they are not mentioned. If a turn may take a day, no one follows the game
    after a few minutes, so they are mentioned at once. A person `alone` with computers may think for a while.
    """
    if alone:
        return _MINUTE
    silent = _LONG_GONE if silent_ms is None else silent_ms
    grace = 0 if pace in _UNHURRIED and silent >= _LONG_GONE else _GRACE
    return max(grace, SILENCE_MS - silent)


def reminder_ms(pace: Pace) -> int:
    """Return the same for a person who has begun their turn and then stops."""
    return max(turn_ms(pace) // 2, SILENCE_MS)


def window_ms(pace: Pace, usual_ms: int) -> int:
    """Return how long tunnelas may be exposed.

    This is `usual_ms`, or three times that if people take their time, or two hours if a move may take a day.
    """
    match pace:
        case Pace.FAST | Pace.NORMAL:
            return usual_ms
        case Pace.SLOW | Pace.NONE:
            return 3 * usual_ms
        case Pace.DAILY:
            return _WINDOW_DAILY


def abandoned_ms(pace: Pace) -> int:
    """How long a deserted table waits for a person to come back."""
    return _ABANDONED_UNHURRIED if pace in _UNHURRIED else _ABANDONED


def rematch_ms(pace: Pace) -> int:
    """Return how long the others have to request a rematch too, before it starts without them."""
    return _REMATCH_DAILY if pace is Pace.DAILY else _REMATCH


def is_break(pace: Pace, since_ms: int) -> bool:
    """Return whether people may no longer be there, so long after a deal: they would lose by the clock in the next one.

    If a move may take a day, they would have time to come.
    """
    return pace not in _UNHURRIED and since_ms > _BREAK


def between_ms(pace: Pace, usual_ms: int) -> int:
    """Return how long a table waits for its next deal."""
    return max(usual_ms, 2 * turn_ms(pace)) if pace is Pace.DAILY else usual_ms
