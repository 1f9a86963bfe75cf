"""The rows of the leagues as plain values. Players are numbers of `league_player`, times are UTC milliseconds."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from threading import RLock
from typing import Final, TypedDict

from data.ids import ChannelId, MessageId, SeasonId
from data.preferences import Pace
from data.season_posts import PersonalPost, PublicPost
from league.book import Book, book
from league.events import (
    Adjudicated,
    DealReportAnswered,
    DealReported,
    DealsReplayed,
    Entry,
    Event,
    NoShowBooked,
)
from league.finals import final_standings
from league.ids import GuildId, TableId
from league.matches.times import Proposal
from league.results import Player
from league.season import NEW, Season, fold
from league.standings import Standings, standings
from marriage.rules import Rules


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """One season of a league: what its events do not tell."""

    id: SeasonId
    guild_id: GuildId
    channel_id: ChannelId
    """Where everything is announced and the tables are opened."""
    name: str
    number: int
    """1 for the first season of the league of that name."""
    former: SeasonId | None
    """The season before."""
    rules: Rules = field(repr=False)
    """The rules of the game at its tables."""
    pace: Pace
    seed: bytes = field(repr=False)
    """Secret until the season is closed."""
    starts_at: int
    """When the first round is drawn."""
    acted_until: int
    """Everything that was to happen until then has happened."""
    due_at: int | None
    """When something is to happen next; None for nothing any more."""
    created_at: int
    closed_at: int | None


class SeasonChanges(TypedDict, total=False):
    """What `Writer.change_season` may change."""

    channel_id: ChannelId
    name: str
    rules: Rules
    pace: Pace
    starts_at: int
    acted_until: int
    due_at: int | None
    closed_at: int | None
    seed: bytes


@dataclass(frozen=True, slots=True)
class SeasonEventRow:
    """One event of a season as it is kept."""

    id: int
    season: SeasonId
    actor: Player | None
    """Who did it; None for the bot itself."""
    at: int
    reason: str
    staff: bool
    """Whether it was an act of those who look after the league: those are listed in public."""
    corrects: int | None
    body: Event

    @property
    def is_ruling(self) -> bool:
        """Whether it is listed with the rulings: an act of the staff, or a ruling that the season made by its own rules."""
        return self.staff or isinstance(self.body, Adjudicated | NoShowBooked | DealsReplayed)

    @property
    def entry(self) -> Entry:
        """The event as the fold takes it."""
        return Entry(self.id, self.at, self.body, self.actor, self.reason, self.corrects)


@dataclass(frozen=True)
class SeasonProjection:
    """A season as its events tell it up to one of them."""

    season: Season = NEW
    last: int = 0
    """The number of that event; 0 before the first."""
    actors: frozenset[Player] = frozenset()
    """Everybody who has done something."""
    founder: Player | None = None
    """Who opened the season, as its first event tells."""
    acts: tuple[SeasonEventRow, ...] = ()
    """The rulings, in order: what the staff did, and what the season ruled by itself."""
    deal_reports: tuple[SeasonEventRow, ...] = ()
    """The deals that players have reported to the staff, and the answers, in order."""
    tables: dict[tuple[int, int | None], Standings] = field(
        default_factory=dict[tuple[int, int | None], Standings], compare=False, repr=False
    )
    """The standings that were asked for already, by division and round: a season of a hundred is asked often."""

    def standings(self, division: int = 0, through: int | None = None) -> Standings:
        """The table of a division after a round; None for the latest, in which the finals count. Worked out once."""
        if (division, through) not in self.tables:
            made = final_standings(self.season, division, written=self.book) if through is None else None
            self.tables[division, through] = made or standings(
                self.season, through, division, written=self.book
            )
        return self.tables[division, through]

    @cached_property
    def book(self) -> Book:
        """The book of the ordinary rounds, from which all tables come."""
        return book(self.season)

    @property
    def divisions(self) -> tuple[int, ...]:
        """The numbers of the divisions; only 0 if the season has none."""
        return tuple(
            sorted({member.division for member in self.season.members.values() if member.plays})
        ) or (0,)

    def with_standings(self) -> "SeasonProjection":
        """The same with what takes long about its standings already computed, because that is better done in a thread.

        The table of a division is short, and computed when it is asked for.
        """
        if self.last and self.divisions == (0,):
            self.standings()
        elif self.last:
            _ = self.book
        return self

    def after(self, events: Sequence[SeasonEventRow]) -> "SeasonProjection":
        """The same season some events later."""
        if not events:
            return self
        return SeasonProjection(
            fold((event.entry for event in events), self.season),
            events[-1].id,
            self.actors | {event.actor for event in events if event.actor is not None},
            self.founder if self.last else events[0].actor,
            (*self.acts, *(event for event in events if event.is_ruling)),
            (
                *self.deal_reports,
                *(event for event in events if isinstance(event.body, DealReported | DealReportAnswered)),
            ),
        )


@dataclass(frozen=True, slots=True)
class PodTableRow:
    """Which pod plays at a table."""

    table_id: TableId
    season: SeasonId
    pod: int


@dataclass(frozen=True, slots=True)
class PodTimeRow:
    """The time that somebody proposed to a pod."""

    season: SeasonId
    pod: int
    proposal: Proposal
    change: Proposal | None = None
    """Another time, proposed in place of one that holds: it changes nothing before it has as much consent."""

    def for_player(self, player: Player) -> Proposal | None:
        """The proposal that this player has still to answer."""
        return next(
            (asked for asked in (self.change, self.proposal) if asked and player not in asked.agreed), None
        )


@dataclass(frozen=True, slots=True)
class DraftRow:
    """An act of the staff that was shown and waits to be confirmed."""

    id: int
    season: SeasonId
    actor: Player
    last: int
    """The number of the season's last event when it was shown."""
    reason: str
    corrects: int | None
    body: Event


@dataclass(frozen=True, slots=True)
class PostRow:
    """A message of a season, and where it is. Whether it still has to be sent or edited is for the outbox to know."""

    post: PublicPost | PersonalPost
    """What it shows."""
    shown: int
    """How often it was sent or edited."""
    channel_id: ChannelId | None
    message_id: MessageId | None


MOST_MEMBERS: Final = 5_000
"""The members of all cached seasons together; the least recently used season goes first. A member takes some 8 KB."""
UNTOLD: Final = SeasonProjection()


class SeasonCache:
    """The projection of the committed events of each season. Events never change, so no entry becomes wrong.

    Functions of transactions use it in their threads.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._kept: OrderedDict[int, SeasonProjection] = OrderedDict()

    def of(self, season_id: SeasonId) -> SeasonProjection:
        """The projection of a season as far as it is known; `UNTOLD` if nothing is known."""
        with self._lock:
            told = self._kept.get(season_id, UNTOLD)
            if told is not UNTOLD:
                self._kept.move_to_end(season_id)
            return told

    def keep(self, season_id: SeasonId, told: SeasonProjection) -> None:
        """Cache a projection, unless one with more events is cached already."""
        with self._lock:
            if told.last > self.of(season_id).last:
                self._kept[season_id] = told
            while len(self._kept) > 1 and self._members() > MOST_MEMBERS:
                self._kept.popitem(last=False)

    def _members(self) -> int:
        return sum(len(told.season.members) for told in self._kept.values())
