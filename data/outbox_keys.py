"""What a row of the outbox asks for, as a value with a type. Such values become text, and text such values, only here.

A key names its subject (a table, a set of boards), its kind, which says who publishes it, and a name that tells it from
the other keys of its subject. Its lane is the place where it is shown: in one lane everything goes out in order.
"""

# ruff: noqa: D102 - what each property means is said once, at the first class
from collections.abc import Hashable
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, NamedTuple, Self

from data.season_posts import (
    CalendarPost,
    ChannelPost,
    PersonalPost,
    PublicPost,
    SeasonPost,
    parse_channel_post,
    parse_personal_post,
)
from league.results import Player


class Subject(StrEnum):
    """What a message is about. The number beside it is the id of the table, the set of boards, ..."""

    TABLE = "table"
    SEASON = "season"
    BOARD_SET = "board_set"


class StoredKey(NamedTuple):
    """A key as its columns in the database."""

    subject: str
    about: int
    kind: str
    name: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class OutboxKey:
    """What is to be published. Every kind has a class of its own below."""

    kind: ClassVar[str]
    subject: ClassVar[Subject]

    @property
    def about(self) -> int:
        """The id of the subject."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """What tells it from the other keys of the same subject: only the newest state of each is sent."""
        return self.kind

    @property
    def seat(self) -> int | None:
        """The seat that it concerns, which may change while it waits."""
        return None

    @property
    def lane(self) -> Hashable:
        """Where it goes: what goes to the same place is sent one after another."""
        return self

    @property
    def stored(self) -> StoredKey:
        """What the database keeps of it."""
        return StoredKey(self.subject, self.about, self.kind, self.name, self.seat)

    @classmethod
    def parse(cls, row: StoredKey) -> Self:
        """The key that was stored so; raises ValueError for a text that is none."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class TableKey(OutboxKey):
    """Something that is shown where a table stands."""

    subject: ClassVar[Subject] = Subject.TABLE
    table_id: int

    @property
    def about(self) -> int:
        return self.table_id

    @property
    def lane(self) -> Hashable:
        return self.subject, self.table_id

    @classmethod
    def parse(cls, row: StoredKey) -> Self:
        return cls(row.about)


@dataclass(frozen=True, slots=True)
class TableMessageKey(TableKey):
    """The message of a table."""

    kind: ClassVar[str] = "table"


@dataclass(frozen=True, slots=True)
class OpenedBoardsKey(TableKey):
    """The message of a table once more: the cards of its boards may be shown now."""

    kind: ClassVar[str] = "opened"


@dataclass(frozen=True, slots=True)
class TurnReminderKey(TableKey):
    """The reminder to a slow player; without a seat it is taken away."""

    kind: ClassVar[str] = "notice"
    slow_seat: int | None

    @property
    def seat(self) -> int | None:
        return self.slow_seat

    @classmethod
    def parse(cls, row: StoredKey) -> Self:
        return cls(row.about, row.seat)


@dataclass(frozen=True, slots=True)
class SeatKey(TableKey):
    """Something for the person of one seat."""

    number: int

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.number}"

    @property
    def seat(self) -> int | None:
        return self.number

    @classmethod
    def parse(cls, row: StoredKey) -> Self:
        _, number = row.name.split(":")
        return cls(row.about, int(number))


@dataclass(frozen=True, slots=True)
class ThreadMemberKey(SeatKey):
    """Somebody is let into the table's thread."""

    kind: ClassVar[str] = "member"


@dataclass(frozen=True, slots=True)
class HandKey(SeatKey):
    """A hand by direct message."""

    kind: ClassVar[str] = "hand"

    @property
    def lane(self) -> Hashable:
        return self


@dataclass(frozen=True, slots=True)
class StandingKey(SeatKey):
    """By direct message: the deal stands, or goes on."""

    kind: ClassVar[str] = "stands"

    @property
    def lane(self) -> Hashable:
        return self


@dataclass(frozen=True, slots=True)
class OldMessageKey(TableKey):
    """A message that shows a table no more."""

    channel_id: int
    message_id: int

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.channel_id}:{self.message_id}"

    @property
    def lane(self) -> Hashable:
        return self

    @classmethod
    def parse(cls, row: StoredKey) -> Self:
        _, channel_id, message_id = row.name.split(":")
        return cls(row.about, int(channel_id), int(message_id))


@dataclass(frozen=True, slots=True)
class ClosedMessageKey(OldMessageKey):
    """A message where the table stood before: it is left with the way to where it stands now."""

    kind: ClassVar[str] = "close"


@dataclass(frozen=True, slots=True)
class RetiredHandKey(OldMessageKey):
    """The direct message of a deal that is over: it is left with nothing to press."""

    kind: ClassVar[str] = "retire"


@dataclass(frozen=True, slots=True)
class DailyPostKey(OutboxKey):
    """The board of a day that is over."""

    kind: ClassVar[str] = "daily"
    subject: ClassVar[Subject] = Subject.BOARD_SET
    set_id: int

    @property
    def about(self) -> int:
        return self.set_id

    @classmethod
    def parse(cls, row: StoredKey) -> Self:
        return cls(row.about)


@dataclass(frozen=True, slots=True)
class SeasonKey(OutboxKey):
    """A message of a season. The season keeps where it is."""

    subject: ClassVar[Subject] = Subject.SEASON
    season: int
    post: SeasonPost

    @property
    def about(self) -> int:
        return self.season

    @property
    def name(self) -> str:
        return f"{self.kind}:{self.post.text}"

    @property
    def player(self) -> Player | None:
        """Who receives it by direct message; None where everybody may read it."""
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
        return cls(row.about, parse_channel_post(_after_kind(row)))


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
        return cls(row.about, parse_personal_post(text))


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
        return cls(row.about, CalendarPost(int(_after_kind(row))))


def season_key(season: int, post: PublicPost | PersonalPost) -> SeasonKey:
    """The key under which a season asks for one of its messages."""
    if isinstance(post, CalendarPost):
        return CalendarEventKey(season, post)
    if isinstance(post, PersonalPost):
        return SeasonReminderKey(season, post)
    return SeasonPostKey(season, post)


def _after_kind(row: StoredKey) -> str:
    return row.name.partition(":")[2]


KEYS: tuple[type[OutboxKey], ...] = (
    TableMessageKey,
    OpenedBoardsKey,
    TurnReminderKey,
    ThreadMemberKey,
    HandKey,
    StandingKey,
    ClosedMessageKey,
    RetiredHandKey,
    DailyPostKey,
    SeasonPostKey,
    SeasonReminderKey,
    CalendarEventKey,
)
_BY_KIND = {key.kind: key for key in KEYS}


def parse_key(row: StoredKey) -> OutboxKey:
    """The key that a row of the outbox is about; raises ValueError for one that no version has written."""
    if row.kind not in _BY_KIND:
        raise ValueError(f"the outbox knows no kind {row.kind!r}")
    return _BY_KIND[row.kind].parse(row)
