"""The rows of the leagues as plain values. Players are numbers of `league_player`, times are UTC milliseconds."""

from dataclasses import dataclass, field
from typing import TypedDict

from data.preferences import Pace
from league.events import Entry, Event
from league.results import Player
from marriage.rules import Rules


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """One season of a league: what its events do not tell."""

    id: int
    guild_id: int
    channel_id: int
    """Where everything is announced and the tables are opened."""
    name: str
    number: int
    """1 for the first season of the league of that name."""
    former: int | None
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

    channel_id: int
    name: str
    rules: Rules
    pace: Pace
    starts_at: int
    acted_until: int
    due_at: int | None
    closed_at: int | None


@dataclass(frozen=True, slots=True)
class SeasonEventRow:
    """One event of a season as it is kept."""

    id: int
    season: int
    actor: Player | None
    """Who did it; None for the bot itself."""
    at: int
    reason: str
    staff: bool
    """Whether it was an act of those who look after the league: those are listed in public."""
    corrects: int | None
    body: Event

    @property
    def entry(self) -> Entry:
        """The event as the fold takes it."""
        return Entry(self.id, self.at // 1000, self.body, self.actor, self.reason, self.corrects)


@dataclass(frozen=True, slots=True)
class PodTableRow:
    """Which pod plays at a table."""

    table_id: int
    season: int
    pod: int


@dataclass(frozen=True, slots=True)
class PodTimeRow:
    """A time that somebody proposed to a pod, and who has agreed."""

    season: int
    pod: int
    at: int
    agreed: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class DraftRow:
    """An act of the staff that was shown and waits to be confirmed."""

    id: int
    season: int
    actor: Player
    last: int
    """The number of the season's last event when it was shown."""
    reason: str
    corrects: int | None
    body: Event


@dataclass(frozen=True, slots=True)
class PostRow:
    """A message of a season: where it is, and whether it is to be brought up to date."""

    season: int
    key: str
    """What it shows, such as `round:3`."""
    player: Player | None
    """To whom it goes by direct message; None for the season's channel."""
    wanted: int
    shown: int
    channel_id: int | None
    message_id: int | None
    attempts: int
    not_before: int
