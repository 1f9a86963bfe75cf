"""What panels and pictures need: a table at one revision, and a hand as its holder sees it.

Both hold views of the deal, never its whole state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final, Literal, NamedTuple

from bot.table.core.table import (
    DAILY,
    LOBBY,
    PAUSED,
    READY,
    TURN,
    VOTE,
    WINDOW,
    MatchLedger,
    Table,
    has_room,
    on_bench,
    player,
    present_pace,
    why_no_seat,
)
from bot.words.hands import last_moves
from bot.words.names import person_name, seat_name, shown_name
from bot.words.texts import catalogue, shared_language
from data.preferences import GuildSettings, Pace, PersonSettings
from data.repositories.people import PersonRow
from data.repositories.tables import Standing
from data.values import BenchRow, DealRow, MatchRow, OwnArrangement, ResultRow, SeatRow, TableRow
from league.ids import GuildId, PersonId
from league.statistics.stats import Earned, is_computers
from marriage.actions import Action
from marriage.analysis.hint import Hint
from marriage.cards import Card, Cards
from marriage.rules import PRESETS
from marriage.strategy.advice import Missing
from marriage.view import View
from render.hand_layout import CardOrder, Grouping, Layout
from render.picture import Picture
from render.style import Style
from render.words import ENGLISH


@dataclass(frozen=True, slots=True, repr=False)
class Holder:
    """How the person of a seat likes their hand shown."""

    settings: PersonSettings = field(default_factory=PersonSettings)
    arrangement: OwnArrangement = field(default_factory=OwnArrangement)
    """The person's own arrangement of the cards."""
    plain: bool = False
    """Whether nothing may reveal the sets in the hand: cards laid out as the best sets then lie by suit."""

    def order(self, view: View) -> CardOrder:
        """Return the order of the cards of their seat."""
        own = () if self.plain else self.arrangement.order
        return CardOrder(self._grouping(view), self.arrangement.groups, self.plain, own)

    def _grouping(self, view: View) -> Grouping:
        match self.settings.grouping:
            case "rank":
                return "rank"
            case "best" if not self.plain:
                return "best"
            case "suit" if view.own.seen and not self.plain:
                return "best"
            case _:
                return "suit"

    @property
    def style(self) -> Style:
        """How the pictures look."""
        return Style(self.settings.suits, self.settings.theme)


def holders(
    seats: Sequence[SeatRow], people: Mapping[int, PersonRow], pins: Mapping[PersonId, OwnArrangement]
) -> tuple[Holder, ...]:
    """Return the holder of each seat; a computer's seat gets the defaults."""
    return tuple(_holder(seat.person_id, people, pins) for seat in seats)


def _holder(
    person_id: PersonId | None, people: Mapping[int, PersonRow], pins: Mapping[PersonId, OwnArrangement]
) -> Holder:
    person = None if person_id is None else people.get(person_id)
    return Holder() if person is None else Holder(person.settings, pins.get(person.id, OwnArrangement()))


class Mode(Enum):
    """What the panel of a hand is open for."""

    PLAY = auto()
    CARDS = auto()
    """The same with every card to choose from, including those set aside."""
    MORE = auto()
    """The rarely used controls."""
    GROUP = auto()
    """How a player puts cards in an order of their own, or into groups."""
    SETS = auto()
    """Choosing the sets of a show."""
    HINT = auto()
    """Playing with a hint for the current turn."""
    PILE = auto()
    """Looking through the pile instead of at the cards."""
    DISCARD = auto()
    """Deciding whether to discard the chosen card."""
    LEDGER = auto()
    """Looking at the ledger of the match, between two deals."""


class Sleep(Enum):
    """Whether the message of a hand changes by itself."""

    AWAKE = auto()
    RESTS = auto()
    """It changes only when its holder has to move, or the deal is over."""
    ASLEEP = auto()
    """It no longer changes."""


class Chosen(NamedTuple):
    """A person's progress in choosing what to show or to discard, or in looking through the pile."""

    sets: tuple[Cards, ...] = ()
    """The sets chosen so far."""
    page: int = 0
    """The page of the sets that are offered, or of the pile, from 0."""
    discard: Card | None = None
    """The card that they may be about to discard."""
    moving: tuple[Card, int] | None = None
    """The card that they move: its face and its copy number, from 1, counted from the left."""


NOTHING_CHOSEN: Final = Chosen()


@dataclass(frozen=True, slots=True, repr=False)
class ShownHand:
    """Everything that the panel of one seat shows."""

    view: View
    actions: tuple[Action, ...]
    layout: Layout
    pinned: tuple[Cards, ...]
    """The holder's groups, with only the cards that are still in hand."""
    pictures: tuple[Picture, ...]
    """The pictures from top to bottom; none if the holder wants words, or if they could not be drawn."""
    missing: Missing | None
    """The cards that are missing to show or to finish; None if there is nothing to report."""
    maal: int | None = None
    """The value of the cards; None before their holder has seen."""
    chosen: Chosen = NOTHING_CHOSEN
    """The sets chosen for a show so far."""
    best: tuple[Cards, ...] | None = None
    """The best show that contains the chosen sets; None if there is none, or if it is not to be named."""
    hint: Hint | None = None
    """What to do now, if the holder has asked for it."""
    is_neutral: bool = False
    """Whether the card buttons must not reveal which cards are in no set."""
    sleep: Sleep = Sleep.AWAKE
    """Whether its message changes by itself after this."""


House = Literal["server", "host"]


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What everyone may know of the shuffle of one deal."""

    deal_no: int
    commitment: str
    entropy: tuple[str, ...]
    """The contributions of the seats."""
    seed: str | None
    """The seed in hexadecimal; None while it must stay secret."""
    former: tuple[str, ...] = ()
    """Seeds that were sealed for this deal before its rules changed; none of them is used."""
    board: str | None = None
    """The commitment to the board that takes its place if it can be dealt; None without one."""

    @classmethod
    def of(cls, deal: DealRow | None, *, revealed: bool, board: str | None = None) -> "Shuffle | None":
        """Return the public part of a stored deal."""
        if deal is None:
            return None
        seed = deal.seed.hex() if revealed else None
        return cls(deal.deal_no, deal.commitment, tuple(deal.entropy), seed, tuple(deal.former_seeds), board)


@dataclass(frozen=True, slots=True)
class Guest:
    """A person whom the host has invited or blocked."""

    person: PersonRow
    standing: Standing
    guild_id: GuildId
    """The server of the table."""

    @property
    def name(self) -> str:
        """Their name as plain text."""
        return person_name(self.person.id, self.person.names.in_server(self.guild_id))


@dataclass(frozen=True, slots=True)
class Match:
    """The match that a table plays, or has just played."""

    row: MatchRow
    deal: int
    """The number of the latest deal in it."""
    ledger: MatchLedger


@dataclass(frozen=True, slots=True, repr=False)
class Snapshot:
    """One table at one revision."""

    table: TableRow
    seats: tuple[SeatRow, ...]
    public: View | None
    """The deal as a spectator sees it."""
    private: tuple[View, ...]
    """The deal as each seat sees it."""
    match: Match | None
    """The match; None before the first deal."""
    counted: tuple[ResultRow, ...]
    """The results of the latest deal: each seat, then absent players who owed a foul. Empty until it is over."""
    shuffle: Shuffle | None
    """The shuffle of the current or the last deal; None before the first."""
    next_shuffle: Shuffle | None
    """The shuffle of the next deal; None while a deal is in play."""
    bench: tuple[BenchRow, ...] = ()
    """The people at the table without a seat in this deal, in the order in which they sit around it."""
    last_moves: tuple[str, ...] = ()
    """The latest public events in words, the oldest first."""
    window_closes_at: int | None = None
    """When the tunnela window closes, in milliseconds since 1970."""
    moves_until: int | None = None
    """When the current turn ends, in milliseconds since 1970; also set if no clock is shown."""
    vote_closes_at: int | None = None
    """When the vote to end the deal closes, likewise; None without a vote."""
    is_paused: bool = False
    """Whether the clocks are stopped because the table cannot be shown where it is."""
    dms_closed: frozenset[int] = frozenset()
    """The seats whose holders accept no direct messages from the bot."""
    holders: tuple[Holder, ...] = ()
    """How the person of each seat likes their hand shown."""
    starts_at: int | None = None
    """When the next deal starts without those who have not asked for it, in milliseconds since 1970."""
    expires_at: int | None = None
    """When a table that waits for its first deal closes, in milliseconds since 1970."""
    day_ends_at: int | None = None
    """When the day of a deal of the day ends and all results are shown, in milliseconds since 1970."""
    earned: tuple[Earned, ...] = ()
    """The achievements that people first earned in the finished deal."""
    guests: tuple[Guest, ...] = ()
    """The people whom the host has invited or blocked."""
    language: str = ENGLISH
    """The language of everything that the whole table reads: the one its players share, or else the server's."""
    is_sealed: bool = False
    """Whether the deal is a board that other tables have yet to play."""
    house: House | None = None
    """Whose house rules a table that waits for its first deal plays by; None for other rules, such as a preset."""
    asks_how: bool = False
    """Whether its host is asked how this server plays: neither the server nor the host has chosen yet."""

    @classmethod
    def of(cls, table: Table, people: Mapping[int, PersonRow], server: GuildSettings) -> "Snapshot":
        """Return what may be shown of a table, given its known people and the settings of its server."""
        language = _shared_language(table, people, server)
        row, deal, match, boards = table.row, table.deal, table.match, table.boards
        due = {kind: waits.due_at for kind, waits in table.deadlines.items()}
        closed = {person.id for person in people.values() if not person.dms_open}
        revealed = row.status == "closed" and not boards.next_is_sealed
        return cls(
            table=row,
            seats=table.seats,
            bench=table.bench,
            public=table.public,
            private=table.private,
            match=Match(match, (deal and deal.match_deal) or 0, table.ledger) if match else None,
            counted=tuple(result for result in table.results if result.deal_no == row.deal_no),
            shuffle=Shuffle.of(deal, revealed=boards.is_revealed),
            next_shuffle=Shuffle.of(table.following, revealed=revealed, board=boards.next_seal),
            is_sealed=boards.is_sealed,
            last_moves=last_moves(table.recent, table.seats, catalogue(language)),
            window_closes_at=due.get(WINDOW),
            moves_until=due.get(TURN),
            vote_closes_at=due.get(VOTE),
            is_paused=PAUSED in due,
            holders=holders(table.seats, people, table.pins),
            dms_closed=frozenset(seat.seat for seat in table.seats if seat.person_id in closed),
            starts_at=due.get(READY),
            expires_at=due.get(LOBBY),
            earned=table.earned,
            day_ends_at=due.get(DAILY),
            guests=tuple(
                Guest(people[person_id], standing, row.guild_id)
                for person_id, standing in table.guests.items()
                if person_id in people
            ),
            language=language,
            house=_house(row, people, server) if row.status == "lobby" else None,
            asks_how=_asks_how(row, people, server),
        )

    @property
    def is_withheld(self) -> bool:
        """Whether the cards must not be shown at the table, because others have yet to play the same board.

        A private thread is no exception: staff read it, and players may be exchanged between tables.
        """
        return self.is_sealed and self.table.kind.has_message

    def shows_ledger_to(self, person_id: PersonId) -> bool:
        """Return whether this person may see the points of each deal.

        While others have yet to play the same boards, only those at the table may.
        """
        return not self.is_withheld or self.has_place(person_id)

    @property
    def pace(self) -> Pace:
        """How long a turn may take at present."""
        return present_pace(self.table.options.pace, self.seats, self.bench)

    @property
    def names(self) -> tuple[str, ...]:
        """The names by seat in the current language, as plain text: for pictures and alt texts."""
        return tuple(seat_name(seat.person_id, seat.name) for seat in self.seats)

    @property
    def totals(self) -> tuple[int, ...]:
        """The running total of each seat in the match."""
        return tuple(self.match.ledger.total_of(player(seat)) if self.match else 0 for seat in self.seats)

    @property
    def counted_totals(self) -> tuple[int, ...]:
        """The running total of each line of the latest deal's sheet."""
        return tuple(self.match.ledger.total_of(player(row)) if self.match else 0 for row in self.counted)

    @property
    def counted_names(self) -> tuple[str, ...]:
        """The name of each line of the latest deal's sheet, as plain text."""
        return tuple(seat_name(row.person_id, row.name) for row in self.counted)

    @property
    def shown_names(self) -> tuple[str, ...]:
        """The names by seat as they appear in a message."""
        return tuple(map(shown_name, self.names))

    @property
    def host(self) -> str:
        """The name of the host as plain text."""
        here = (*self.seats, *self.bench)
        return next((row.name for row in here if row.person_id == self.table.host_id), "–")

    def language_of(self, seat: int) -> str:
        """Return the language of messages that only the holder of this seat reads."""
        return self.holders[seat].settings.spoken or self.language

    @property
    def has_hints(self) -> bool:
        """Whether the Hint button is offered: never in a deal that ratings may count, so only where a computer plays."""
        computers = any(is_computers(seat.person_id, seat.stand_in) for seat in self.seats)
        return self.table.options.has_hints and computers

    def guests_who_are(self, standing: Standing) -> list[Guest]:
        """Return the guests with this standing."""
        return [guest for guest in self.guests if guest.standing == standing]

    def seat_of(self, person_id: PersonId) -> int | None:
        """Return the seat of this person; None for a spectator."""
        for seat in self.seats:
            if seat.person_id == person_id:
                return seat.seat
        return None

    def why_no_seat(self, person_id: PersonId) -> str:
        """Return the reason why this person has no seat in the deal, as a message key."""
        return why_no_seat(self.table.status, self.bench, person_id)

    def has_place(self, person_id: PersonId) -> bool:
        """Return whether this person is at the table, in its deal or on its bench."""
        return self.seat_of(person_id) is not None or on_bench(self.bench, person_id) is not None

    @property
    def may_change(self) -> bool:
        """Whether people may come and go from one deal to the next."""
        return self.table.status in {"playing", "between"} and self.table.kind.may_come_and_go

    def has_room_for(self, person_id: PersonId) -> bool:
        """Return whether this person, who has no place yet, may sit down at a table that has begun."""
        standing = self._standing(person_id)
        welcome = standing == "invited" if self.table.kind.by_invitation else standing != "blocked"
        free = self.may_change and has_room(self.seats, self.bench)
        return free and welcome and not self.has_place(person_id)

    def belongs(self, person_id: PersonId) -> bool:
        """Return whether this person is invited, or has a place and is not blocked."""
        standing = self._standing(person_id)
        return standing == "invited" or (standing is None and self.has_place(person_id))

    def _standing(self, person_id: PersonId) -> Standing | None:
        standings: dict[int, Standing] = {guest.person.id: guest.standing for guest in self.guests}
        return standings.get(person_id)


def _shared_language(table: Table, people: Mapping[int, PersonRow], server: GuildSettings) -> str:
    """Return the shared language of all people at the table; the server's if they have several."""
    here = [seat.person_id for seat in (*table.seats, *table.bench)]
    known = [people[person] for person in here if person is not None and person in people]
    return shared_language((person.settings for person in known), server.language)


def _house(row: TableRow, people: Mapping[int, PersonRow], server: GuildSettings) -> House | None:
    """Return the owner of these house rules; None for the rules of a preset, which go by its name."""
    if row.rules in PRESETS.values():
        return None
    if row.rules == server.rules:
        return "server"
    host = people.get(row.host_id)
    own = host.settings.house_rules if host else None
    return "host" if own is not None and own.rules == row.rules else None


def _asks_how(row: TableRow, people: Mapping[int, PersonRow], server: GuildSettings) -> bool:
    """Whether the host is to choose how this server plays, because the table waits with rules that neither chose."""
    if row.status != "lobby" or not row.kind.is_hosted or server.rules is not None:
        return False
    host = people.get(row.host_id)
    return row.rules == server.terms.rules and (host is None or host.settings.house_rules is None)
