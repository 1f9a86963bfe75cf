"""The rows of leagues as plain values. Players are numbers of `league_player`; times are UTC milliseconds."""

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
    PodId,
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
    """One season of a league: the data that its events do not contain."""

    id: SeasonId
    guild_id: GuildId
    channel_id: ChannelId
    """The channel of all announcements and tables."""
    name: str
    number: int
    """1 for the first season of the league of that name."""
    former: SeasonId | None
    """The previous season."""
    rules: Rules = field(repr=False)
    """The rules of the game at its tables."""
    pace: Pace
    seed: bytes = field(repr=False)
    """Secret until the season is closed."""
    starts_at: int
    """When the first round is drawn."""
    acted_until: int
    """All events due by then have happened."""
    due_at: int | None
    """When something is next due; None if nothing is any more."""
    created_at: int
    closed_at: int | None


class SeasonChanges(TypedDict, total=False):
    """The columns that `Writer.change_season` may change."""

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
    """One stored event of a season."""

    id: int
    season: SeasonId
    actor: Player | None
    """Who did it; None for the bot itself."""
    at: int
    reason: str
    staff: bool
    """Whether it was an action of the league's staff, which is listed publicly."""
    corrects: int | None
    body: Event

    @property
    def is_ruling(self) -> bool:
        """Whether it is listed as a ruling: a staff action, or a ruling that the season's own rules made."""
        return self.staff or isinstance(self.body, Adjudicated | NoShowBooked | DealsReplayed)

    @property
    def entry(self) -> Entry:
        """The event in the form that the fold takes."""
        return Entry(self.id, self.at, self.body, self.actor, self.reason, self.corrects)


@dataclass(frozen=True)
class SeasonProjection:
    """The state of a season after one of its events."""

    season: Season = NEW
    last: int = 0
    """The number of that event; 0 before the first."""
    actors: frozenset[Player] = frozenset()
    """Everyone who has done something."""
    founder: Player | None = None
    """The person who opened the season, according to its first event."""
    acts: tuple[SeasonEventRow, ...] = ()
    """The rulings in order: staff actions, and those that the season made automatically."""
    deal_reports: tuple[SeasonEventRow, ...] = ()
    """The deals that players have reported to the staff, and the answers, in order."""
    tables: dict[tuple[int, int | None], Standings] = field(
        default_factory=dict[tuple[int, int | None], Standings], compare=False, repr=False
    )
    """The standings computed so far, by division and round, cached because large seasons are read often."""

    def standings(self, division: int = 0, through: int | None = None) -> Standings:
        """Return the table of a division after a round; with None, the latest, including finals. Cached."""
        if (division, through) not in self.tables:
            made = final_standings(self.season, division, written=self.book) if through is None else None
            self.tables[division, through] = made or standings(
                self.season, through, division, written=self.book
            )
        return self.tables[division, through]

    @cached_property
    def book(self) -> Book:
        """The book of the ordinary rounds, from which all tables are computed."""
        return book(self.season)

    @property
    def divisions(self) -> tuple[int, ...]:
        """The numbers of the divisions; only 0 if the season has none."""
        return tuple(
            sorted({member.division for member in self.season.members.values() if member.plays})
        ) or (0,)

    def with_standings(self) -> "SeasonProjection":
        """Return the same with the slow part of its standings computed, which is better done in a thread.

        The table of a division is fast, and computed on request.
        """
        if self.last and self.divisions == (0,):
            self.standings()
        elif self.last:
            _ = self.book
        return self

    def after(self, events: Sequence[SeasonEventRow]) -> "SeasonProjection":
        """Return the same season some events later."""
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
    """The time proposed to a pod."""

    season: SeasonId
    pod: int
    proposal: Proposal
    change: Proposal | None = None
    """Another time, proposed to replace one that holds: it changes nothing until it has as much consent."""

    def for_player(self, player: Player) -> Proposal | None:
        """Return the proposal that this player still has to answer."""
        return next(
            (asked for asked in (self.change, self.proposal) if asked and player not in asked.agreed), None
        )


@dataclass(frozen=True, slots=True)
class SeasonMark:
    """What tells that a season has changed since it was last read, apart from the names of its people."""

    last: int
    """The number of its last event."""
    starts_at: int
    closed_at: int | None
    times: tuple[object, ...]
    """The times proposed to its pods as they are stored, by pod; none once it is closed."""
    sealed: frozenset[PodId]
    """The pods of which a table was given boards that are still secret."""


@dataclass(frozen=True, slots=True)
class DraftRow:
    """A staff action that was shown and waits to be confirmed."""

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
    """A message of a season, and where it is. Whether it has to be sent or edited is up to the outbox."""

    post: PublicPost | PersonalPost
    """The content of the message."""
    shown: int
    """How often it was sent or edited."""
    channel_id: ChannelId | None
    message_id: MessageId | None


MOST_MEMBERS: Final = 5_000
"""The members of all cached seasons; the least recently used season is evicted. A member takes some 8 KB."""
UNTOLD: Final = SeasonProjection()


class SeasonCache:
    """The projection of the committed events of each season. Events never change, so no entry becomes wrong.

    Transactions use it in their threads.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._kept: OrderedDict[int, SeasonProjection] = OrderedDict()

    def of(self, season_id: SeasonId) -> SeasonProjection:
        """Return the projection of a season as far as it is cached; `UNTOLD` if nothing is cached."""
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
