"""The keys of the outbox: each kind of message is a class, and each message a value of it.

Only this module writes and parses the text that the database stores for a key. A key has a subject (a table,
a season), a kind, which decides who publishes it, and a name that is unique within the subject. Its lane is
its destination: the messages of a lane are sent one after another.
"""

# ruff: noqa: D102 - the base class describes what its subclasses override
from collections.abc import Hashable
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, ClassVar, NamedTuple, Self

from data.ids import ChannelId, MessageId, SeasonId
from data.season_posts import (
    CalendarPost,
    ChannelPost,
    PersonalPost,
    PublicPost,
    SeasonPost,
    parse_channel_post,
    parse_personal_post,
)
from league.ids import GuildId, PersonId, TableId
from league.results import Player


class Subject(StrEnum):
    """What a message is about."""

    TABLE = "table"
    SEASON = "season"
    BOARD_SET = "board_set"
    SCORE_SESSION = "score_session"
    GUILD = "guild"


class StoredKey(NamedTuple):
    """A key as its columns in the database."""

    subject: str
    about: int
    kind: str
    name: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class OutboxKey:
    """What to publish. The first field of every subclass is the id of its subject."""

    kind: ClassVar[str]
    subject: ClassVar[Subject]

    @property
    def about(self) -> int:
        """The id of the subject: the table, the season, the set of boards and so on."""
        return self._numbers[0]

    @property
    def name(self) -> str:
        """The kind and the other fields. Of several requests with the same name only the newest is sent."""
        return ":".join([self.kind, *map(str, self._numbers[1:])])

    @property
    def _numbers(self) -> list[int]:
        return [getattr(self, field.name) for field in fields(self)]

    @property
    def seat(self) -> int | None:
        """The seat concerned. It is stored next to the name if it may change while the row waits."""
        return None

    @property
    def lane(self) -> Hashable:
        """The destination."""
        return self

    @property
    def stored(self) -> StoredKey:
        """The columns that the database stores."""
        return StoredKey(self.subject, self.about, self.kind, self.name, self.seat)

    @classmethod
    def parse(cls, row: StoredKey) -> Self:
        """Return the key that was stored like this; raises ValueError for a text that no version has written."""
        make: type[Any] = cls
        return make(row.about, *map(int, row.name.split(":")[1:]))


@dataclass(frozen=True, slots=True)
class TableKey(OutboxKey):
    """Something to send to a table's channel or thread."""

    subject: ClassVar[Subject] = Subject.TABLE
    table_id: TableId

    @property
    def lane(self) -> Hashable:
        return self.subject, self.table_id


@dataclass(frozen=True, slots=True)
class TableMessageKey(TableKey):
    """The message of a table."""

    kind: ClassVar[str] = "table"


@dataclass(frozen=True, slots=True)
class ShowAnewKey(TableKey):
    """A table shown again without a move: its cards may be shown now, or its clocks were set."""

    kind: ClassVar[str] = "opened"


@dataclass(frozen=True, slots=True)
class SeatKey(TableKey):
    """Something for the player of one seat."""

    number: int

    @property
    def seat(self) -> int | None:
        return self.number


@dataclass(frozen=True, slots=True)
class TurnMentionKey(SeatKey):
    """A message where the table is that mentions the player whose turn it is."""

    kind: ClassVar[str] = "mention"
    since: int
    """The revision at which the turn began: every turn has a message of its own."""


@dataclass(frozen=True, slots=True)
class TurnMentionByDmKey(TurnMentionKey):
    """The same mention by direct message."""

    kind: ClassVar[str] = "mention_dm"

    @property
    def lane(self) -> Hashable:
        return self


@dataclass(frozen=True, slots=True)
class ThreadAccessKey(TableKey):
    """Whether a person is a member of the table's thread, as they belong to the table or not; a public one keeps everyone."""

    kind: ClassVar[str] = "access"
    person_id: PersonId

    @property
    def lane(self) -> Hashable:
        return self


@dataclass(frozen=True, slots=True)
class HandKey(SeatKey):
    """A hand by direct message."""

    kind: ClassVar[str] = "hand"

    @property
    def lane(self) -> Hashable:
        return self


@dataclass(frozen=True, slots=True)
class StandingKey(SeatKey):
    """A direct message that the deal is paused or continues."""

    kind: ClassVar[str] = "stands"

    @property
    def lane(self) -> Hashable:
        return self


@dataclass(frozen=True, slots=True)
class DailyReminderKey(TableKey):
    """A direct message, a day after a player's deal of the day, that there is a new one."""

    kind: ClassVar[str] = "remind_day"

    @property
    def lane(self) -> Hashable:
        return self


@dataclass(frozen=True, slots=True)
class OldMessageKey(TableKey):
    """A message that no longer shows its table."""

    channel_id: ChannelId
    message_id: MessageId

    @property
    def lane(self) -> Hashable:
        return self


@dataclass(frozen=True, slots=True)
class ClosedMessageKey(OldMessageKey):
    """The message at a table's former place, reduced to a link to its new place."""

    kind: ClassVar[str] = "close"


@dataclass(frozen=True, slots=True)
class RetiredHandKey(OldMessageKey):
    """The direct message of a deal that is over; its buttons are removed."""

    kind: ClassVar[str] = "retire"


@dataclass(frozen=True, slots=True)
class EndedMentionKey(OldMessageKey):
    """The mention of a turn that is over, which is deleted."""

    kind: ClassVar[str] = "unmention"


@dataclass(frozen=True, slots=True)
class DailyPostKey(OutboxKey):
    """The board of a day that is over."""

    kind: ClassVar[str] = "daily"
    subject: ClassVar[Subject] = Subject.BOARD_SET
    set_id: int


@dataclass(frozen=True, slots=True)
class GreetingKey(OutboxKey):
    """The greeting of a server that the bot has joined."""

    kind: ClassVar[str] = "greet"
    subject: ClassVar[Subject] = Subject.GUILD
    guild_id: GuildId


@dataclass(frozen=True, slots=True)
class WeekPostKey(OutboxKey):
    """The board of the week before a Monday, posted in a server."""

    kind: ClassVar[str] = "week"
    subject: ClassVar[Subject] = Subject.GUILD
    guild_id: GuildId
    monday: int
    """The ordinal of the date."""


@dataclass(frozen=True, slots=True)
class AmendmentKey(OutboxKey):
    """A message that names someone who was forgotten: it is edited in place, never posted again."""

    shown_id: int
    """The id of what the message shows."""
    channel_id: ChannelId
    message_id: MessageId

    @property
    def lane(self) -> Hashable:
        return AmendmentKey, self.channel_id


@dataclass(frozen=True, slots=True)
class TableAmendmentKey(AmendmentKey):
    """The message of a table, or the one in the channel that links to its thread."""

    kind: ClassVar[str] = "amend_table"
    subject: ClassVar[Subject] = Subject.TABLE


@dataclass(frozen=True, slots=True)
class HandAmendmentKey(AmendmentKey):
    """The last hand by direct message of another player at a table, as it is now."""

    kind: ClassVar[str] = "amend_hand"
    subject: ClassVar[Subject] = Subject.TABLE


@dataclass(frozen=True, slots=True)
class DailyAmendmentKey(AmendmentKey):
    """The board of a day that is over."""

    kind: ClassVar[str] = "amend_day"
    subject: ClassVar[Subject] = Subject.BOARD_SET


@dataclass(frozen=True, slots=True)
class ScoreAmendmentKey(AmendmentKey):
    """The score of a home game."""

    kind: ClassVar[str] = "amend_score"
    subject: ClassVar[Subject] = Subject.SCORE_SESSION


@dataclass(frozen=True, slots=True)
class OldScoresKey(OutboxKey):
    """The messages of a home game in a channel that are older than the newest few: each is reduced to a link to the newest."""

    kind: ClassVar[str] = "old_scores"
    subject: ClassVar[Subject] = Subject.SCORE_SESSION
    session_id: int
    channel_id: ChannelId

    @property
    def lane(self) -> Hashable:
        return AmendmentKey, self.channel_id


@dataclass(frozen=True, slots=True)
class WeekAmendmentKey(AmendmentKey):
    """The board of the week before a Monday, which is the ordinal of a date."""

    kind: ClassVar[str] = "amend_week"
    subject: ClassVar[Subject] = Subject.GUILD
    monday: int


@dataclass(frozen=True, slots=True)
class SeasonAmendmentKey(AmendmentKey):
    """A message in a season's channel."""

    kind: ClassVar[str] = "amend_season"
    subject: ClassVar[Subject] = Subject.SEASON
    post: ChannelPost

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.channel_id}:{self.message_id}:{self.post.text}"

    @classmethod
    def parse(cls, row: StoredKey) -> Self:
        _, channel_id, message_id, text = row.name.split(":", 3)
        return cls(
            row.about, ChannelId(int(channel_id)), MessageId(int(message_id)), parse_channel_post(text)
        )


@dataclass(frozen=True, slots=True)
class SeasonKey(OutboxKey):
    """A message of a season. The season stores its place."""

    subject: ClassVar[Subject] = Subject.SEASON
    season: SeasonId
    post: SeasonPost

    @property
    def about(self) -> int:
        return self.season

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.post.text}"

    @property
    def player(self) -> Player | None:
        """The recipient of the direct message; None if everyone may read it."""
        return None


@dataclass(frozen=True, slots=True)
class SeasonPostKey(SeasonKey):
    """A message in the season's channel."""

    kind: ClassVar[str] = "post"
    post: ChannelPost

    @property
    def lane(self) -> Hashable:
        return self.subject, self.season

    @classmethod
    def parse(cls, row: StoredKey) -> Self:
        return cls(SeasonId(row.about), parse_channel_post(_after_kind(row)))


@dataclass(frozen=True, slots=True)
class SeasonReminderKey(SeasonKey):
    """A direct message to one player."""

    kind: ClassVar[str] = "reminder"
    post: PersonalPost

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.player}:{self.post.text}"

    @property
    def player(self) -> Player:
        return self.post.player

    @property
    def lane(self) -> Hashable:
        return self.kind, self.season, self.player

    @classmethod
    def parse(cls, row: StoredKey) -> Self:
        _, _, text = row.name.split(":", 2)
        return cls(SeasonId(row.about), parse_personal_post(text))


@dataclass(frozen=True, slots=True)
class CalendarEventKey(SeasonKey):
    """A pod's match on the server's calendar."""

    kind: ClassVar[str] = "event"
    post: CalendarPost

    @property
    def name(self) -> str:
        return self.post.text

    @property
    def lane(self) -> Hashable:
        return self.kind, self.season

    @classmethod
    def parse(cls, row: StoredKey) -> Self:
        return cls(SeasonId(row.about), CalendarPost(int(_after_kind(row))))


def season_key(season: SeasonId, post: PublicPost | PersonalPost) -> SeasonKey:
    """Return the key with which a season requests one of its messages."""
    if isinstance(post, CalendarPost):
        return CalendarEventKey(season, post)
    if isinstance(post, PersonalPost):
        return SeasonReminderKey(season, post)
    return SeasonPostKey(season, post)


def _after_kind(row: StoredKey) -> str:
    return row.name.partition(":")[2]


KEYS: tuple[type[OutboxKey], ...] = (
    TableMessageKey,
    ShowAnewKey,
    TurnMentionKey,
    TurnMentionByDmKey,
    ThreadAccessKey,
    HandKey,
    StandingKey,
    ClosedMessageKey,
    RetiredHandKey,
    EndedMentionKey,
    DailyPostKey,
    DailyReminderKey,
    WeekPostKey,
    GreetingKey,
    SeasonPostKey,
    SeasonReminderKey,
    CalendarEventKey,
    TableAmendmentKey,
    HandAmendmentKey,
    DailyAmendmentKey,
    WeekAmendmentKey,
    ScoreAmendmentKey,
    OldScoresKey,
    SeasonAmendmentKey,
)
_BY_KIND = {key.kind: key for key in KEYS}


def parse_key(row: StoredKey) -> OutboxKey:
    """Return the key of an outbox row; raises ValueError for one that no version has written."""
    try:
        return _BY_KIND[row.kind].parse(row)
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"the outbox has no key {row!r}") from None
