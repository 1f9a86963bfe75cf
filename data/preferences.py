"""What people, servers and tables have chosen: small frozen models, kept as JSON. What is not said is the default."""

from enum import StrEnum
from typing import Annotated, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from data.ids import BoardSetId, ChannelId, RoleId
from data.kinds import DAILY, LEAGUE, OPEN, PRIVATE, TableKind
from marriage.rules import Rules

Language = Literal["en", "ne", "hi"]
"""The languages that the bot speaks: English, Nepali, Hindi."""
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


def choices(model: type[BaseModel], name: str) -> tuple[str, ...]:
    """The texts that a setting, or an option of the rules, chooses from; none where it is no such choice."""
    return get_args(model.model_fields[name].annotation)


class Pace(StrEnum):
    """How long a turn may take. Each member's text is also its key in the message catalogues."""

    NONE = "none"
    """As long as it takes."""
    FAST = "fast"
    NORMAL = "normal"
    SLOW = "slow"
    DAILY = "daily"
    """A day a move, by correspondence."""


class Level(StrEnum):
    """How well a computer plays. Each member's text is also its key in the message catalogues."""

    EASY = "easy"
    STEADY = "steady"
    STRONG = "strong"


class _Preferences(BaseModel):
    """Unknown keys of a newer version are passed over, so that an older one can still read them."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class TableOptions(_Preferences):
    """How a table is run, beside its rules; fixed with them when the first deal starts."""

    deals: Annotated[int, Field(ge=0, le=50)] = 0
    """Deals in the match; 0 for as many as people like."""
    pace: Pace = Pace.NONE
    private: bool = False
    """Only people who were invited may sit down."""
    hints: bool = True
    """Whether the Hint button is offered."""
    thread: bool = False
    """Whether the table has a thread of its own."""
    board_set: BoardSetId | None = None
    """The set of boards that is played here; None for deals of the table's own."""
    daily: str | None = None
    """The day whose deal one person plays here alone, such as `2026-11-21`."""
    league: bool = False
    """Whether a pod of a league plays here: seats, rules and the length of the match are not for the table to choose."""

    @property
    def kind(self) -> TableKind:
        """What kind of table this is, which answers all that differs from kind to kind."""
        if self.daily is not None:
            return DAILY
        if self.league:
            return LEAGUE
        return PRIVATE if self.private else OPEN


class PersonSettings(_Preferences):
    """How one person likes to be shown things."""

    language: Language | None = None
    """None: as his Discord client says, else the server."""
    discord_language: Language | None = None
    """What his Discord client spoke last, as far as the bot speaks it; None for English and all others."""
    grouping: Literal["suit", "rank", "best"] = "suit"
    """How the cards in hand are laid out."""
    suits: Literal["four", "two"] = "four"
    """Colours of the deck."""
    theme: Literal["light", "dark"] = "light"
    """Pictures of ivory cards on green, or of dark ones."""
    large: bool = False
    """Larger cards."""
    words: bool = False
    """Cards in words instead of pictures."""
    hands_by_dm: bool = True
    """Whether the hand also comes by direct message."""
    turn_ping: bool = True
    """Whether he is pinged when it is his turn."""
    reminders: bool = True
    """Whether leagues remind him of check-ins, deadlines and times by direct message."""
    listed: bool = True
    """Whether others find him on boards and may look at his profile."""

    @property
    def spoken(self) -> Language | None:
        """The language he reads; None where the server's will do."""
        return self.language or self.discord_language


class GuildSettings(_Preferences):
    """How one server likes its tables."""

    channel_id: ChannelId | None = None
    """The only channel for tables; None for any."""
    rules: Rules | None = None
    """The rules of a new table; None for the preset `pagat`."""
    pace: Pace = Pace.NONE
    language: Language = "en"
    """Of what everybody reads."""
    staff_role_id: RoleId | None = None
    """Who besides the server's managers may look after tables."""
    threads: bool = False
    """Whether a new table gets a thread of its own."""
    timezone: str = "UTC"
    """Where its days begin and end, by the name of the tz database."""
    daily_channel_id: int | None = None
    """Where the board of the deal of the day is posted at midnight; None: nowhere."""
