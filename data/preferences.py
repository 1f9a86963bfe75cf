"""Choices of people, servers and tables: small frozen models, stored as JSON, with defaults for everything; and the kinds of tables.

A table is open to everybody, private, of a league, or of one person's deal of the day: `TableOptions.kind` says which. That a table
plays the boards of a set is no kind: tables of a league and of the deal of the day both do.
"""

from enum import StrEnum
from typing import Annotated, Any, ClassVar, Final, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from data.ids import BoardSetId, ChannelId, RoleId
from marriage.rules import PRESETS, Rules


class TableKind:
    """What differs between kinds. The defaults here are those of an open table."""

    has_message: ClassVar[bool] = True
    """Whether the table is in a channel, with a public message and hands by direct message."""
    has_clocks: ClassVar[bool] = True
    """Whether turns and the window have a time limit."""
    by_invitation: ClassVar[bool] = False
    """Whether only invited people may sit down, and no one else watches its thread."""
    opened_by_command: ClassVar[bool] = True
    """Whether the answer to a command becomes the table's message."""
    is_hosted: ClassVar[bool] = True
    """Whether the host chooses rules and seats and decides fouls; without a host, the staff decide."""
    calls_players: ClassVar[bool] = False
    """Whether its first message mentions those with reserved seats.

    Its own thread, if it has one, exists from then on.
    """
    is_of_season: ClassVar[bool] = False
    """Whether it hosts a match of a season, after which its thread is named."""
    host_starts: ClassVar[bool] = True
    """Whether the host may start the first deal before everyone is ready."""
    waits_for_invited: ClassVar[bool] = False
    """Whether the first deal waits until everyone who was invited has sat down."""
    closes_when_idle: ClassVar[bool] = True
    """Whether a lobby closes when it is empty or nothing happens for a while."""
    finds_first_dealer: ClassVar[bool] = True
    """Whether the first dealer has to be determined."""
    may_come_and_go: ClassVar[bool] = True
    """Whether people may sit down and sit out between deals."""
    may_be_left: ClassVar[bool] = True
    """Whether a player may leave and come back."""
    has_fouls: ClassVar[bool] = True
    """Whether a foul may be ruled."""
    is_counted: ClassVar[bool] = True
    """Whether its deals go into matches, boards, ratings and histories when they end."""
    has_rematch: ClassVar[bool] = True
    """Whether another match may follow the first one."""
    shares_boards: ClassVar[bool] = True
    """Whether what is shown of its boards depends on the other tables that still play them."""
    computers_pause: ClassVar[bool] = True
    """Whether computers pause, so that people can follow their moves."""


class OpenTable(TableKind):
    """A table at which everyone in the server may sit down."""


class PrivateTable(TableKind):
    """A table for invited people only."""

    by_invitation = True


class LeagueTable(TableKind):
    """A table for a pod of a league: seats, rules and match length come from the season."""

    by_invitation = True
    opened_by_command = False
    calls_players = True
    is_of_season = True
    is_hosted = False
    host_starts = False
    waits_for_invited = True
    closes_when_idle = False
    finds_first_dealer = False
    may_come_and_go = False
    has_rematch = False


class DailyTable(TableKind):
    """A table at which one person plays the deal of the day against computers."""

    has_message = False
    has_clocks = False
    may_come_and_go = False
    may_be_left = False
    has_fouls = False
    is_counted = False
    shares_boards = False
    computers_pause = False


OPEN = OpenTable()
PRIVATE = PrivateTable()
LEAGUE = LeagueTable()
DAILY = DailyTable()


MOST_DEALS: Final = 50
"""The longest match of a fixed number of deals."""
MOST_OPEN_DEALS: Final = 100
"""The longest match without a fixed number: every change of its table reads all its results."""

Language = Literal["en", "ne", "hi"]
"""The languages that the bot speaks: English, Nepali, Hindi."""
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


AutoDraw = Literal["off", "barred", "always"]
"""When a card is drawn from the stock automatically: never, when they may not take the pile, or always."""

TunnelaWish = Literal["ask", "always", "never"]
"""Whether a person's tunnelas are exposed: as they choose in each deal, all of them, or none."""


PlayHours = Literal["any", "mornings", "days", "afternoons", "evenings", "nights"]
"""When somebody plays; `league.matches.times.BLOCKS` has the hours of each."""


def choices(model: type[BaseModel], name: str) -> tuple[str, ...]:
    """Return the texts that a setting or rule option offers; empty if it is not a choice of texts."""
    return get_args(model.model_fields[name].annotation)


class Pace(StrEnum):
    """How long a turn may take. Each member's text is also its key in the message catalogues."""

    NONE = "none"
    """No time limit."""
    FAST = "fast"
    NORMAL = "normal"
    SLOW = "slow"
    DAILY = "daily"
    """A day for each move, by correspondence."""


class Level(StrEnum):
    """How well a computer plays, weakest first. Each text is also its key in the message catalogues."""

    NOVICE = "novice"
    EASY = "easy"
    CASUAL = "casual"
    STEADY = "steady"
    STRONG = "strong"
    MASTER = "master"


class _Preferences(BaseModel):
    """Unknown keys are ignored, so that an older version can read the settings of a newer one."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class TableOptions(_Preferences):
    """The options of a table besides its rules; both are fixed when the first deal starts."""

    deals: Annotated[int, Field(ge=0, le=MOST_DEALS)] = 0
    """Deals in the match; 0 for no fixed number."""
    pace: Pace = Pace.NORMAL
    private: bool = False
    """Whether only invited people may sit down."""
    hints: bool = True
    """Whether the Hint button is offered in deals with a computer, except where results are compared."""
    thread: bool = False
    """Whether the table has its own thread."""
    board_set: BoardSetId | None = None
    """The set of boards played here; None for ordinary deals."""
    daily: str | None = None
    """The day whose deal is played here, such as `2026-11-21`."""
    league: bool = False
    """Whether a pod of a league plays here; the league then sets seats, rules and the length of the match."""

    @property
    def is_compared(self) -> bool:
        """Whether its results are compared with others: in a league, on boards, or as a deal of the day."""
        return self.league or self.board_set is not None or self.daily is not None

    @property
    def has_hints(self) -> bool:
        """Whether the Hint button is offered in deals with a computer."""
        return self.hints and not self.is_compared

    @property
    def kind(self) -> TableKind:
        """The kind of the table, a class that describes everything that differs between kinds."""
        if self.daily is not None:
            return DAILY
        if self.league:
            return LEAGUE
        return PRIVATE if self.private else OPEN


class Terms(_Preferences):
    """The rules and options of a table. Saved as house rules, they are the start of new tables."""

    rules: Rules
    deals: Annotated[int, Field(ge=0, le=MOST_DEALS)] = 0
    """Deals in the match; 0 for no fixed number."""
    pace: Pace = Pace.NORMAL


class PersonSettings(_Preferences):
    """The settings of one person."""

    language: Language | None = None
    """None for the language of their Discord client, else the server's."""
    discord_language: Language | None = None
    """The latest known language of their Discord client; None if it is English or another language."""
    grouping: Literal["suit", "best", "suit_always", "rank"] = "suit"
    """How the cards in hand are laid out; `suit` is replaced by the best sets once they have seen."""
    suits: Literal["four", "two"] = "four"
    """The number of suit colours of the deck."""
    theme: Literal["light", "dark"] = "light"
    """Ivory cards on green, or dark cards."""
    large: bool = False
    """Whether cards are drawn larger."""
    words: bool = False
    """Whether cards are shown in words instead of pictures."""
    card_list: bool = False
    """Whether the card to discard is chosen from a list rather than by a button of its own."""
    confirm_discard: bool = False
    """Whether a card is discarded only with a second press."""
    hands_by_dm: bool = True
    """Whether the hand also comes by direct message."""
    turn_ping: bool = True
    """Whether they are mentioned when it is their turn and they are not looking."""
    turn_ping_by_dm: bool = False
    """Whether the mention comes by direct message instead of where the table is."""
    reminders: bool = True
    """Whether leagues remind them of check-ins, deadlines and times by direct message."""
    daily_reminders: bool = False
    """Whether they get a reminder of the deal of the day by direct message, a day after playing one."""
    auto_draw: AutoDraw = "off"
    """Whether the card from the stock is drawn for them when their turn comes."""
    tunnelas: TunnelaWish = "ask"
    """Whether their tunnelas are exposed without their saying so, and whether they are asked."""
    timezone: Annotated[str, Field(max_length=64)] | None = None
    """Their time zone, by its name in the tz database, for times that they type; None for each league's."""
    play_hours: PlayHours | None = None
    """When they play matches of leagues, in their time zone. None if they never set it."""
    listed: bool = True
    """Whether boards list them and others may look at their profile."""
    play_now_level: Level | None = None
    """How well the computers of **Play now** play. None until they choose, which means casual ones."""
    asked_stronger: tuple[int, int] | None = None
    """The table and deal after which they were asked, once, whether they want stronger computers."""
    puzzles: bool = False
    """Whether puzzles may be made of their finished deals, from their seat and without names."""

    house_rules: Terms | None = None
    """The initial rules of tables that they open; None for the server's."""

    @model_validator(mode="before")
    @classmethod
    def _of_before(cls, stored: Any) -> Any:
        """Read the former switch for tunnelas as this setting."""
        if not isinstance(stored, dict):
            return stored
        kept = cast("dict[str, Any]", stored)
        return {"tunnelas": "always"} | kept if kept.get("expose_tunnelas") is True else kept

    @property
    def spoken(self) -> Language | None:
        """The language to use for them; None for that of the server."""
        return self.language or self.discord_language


class GuildSettings(_Preferences):
    """The settings of one server."""

    channel_id: ChannelId | None = None
    """The only channel for tables; None for any."""
    rules: Rules | None = None
    """The rules of a new table, the house rules of the server; None for the preset `pagat`."""
    deals: Annotated[int, Field(ge=0, le=MOST_DEALS)] = 0
    """Deals in the match of a new table; 0 for no fixed number."""
    pace: Pace = Pace.NORMAL
    """The clock of a new table."""
    language: Language = "en"
    """The language of public messages."""
    staff_role_id: RoleId | None = None
    """The role that is staff in addition to the server's managers."""
    threads: bool = False
    """Whether a new table gets its own thread."""
    timezone: str = "UTC"
    """The time zone of its days, by its name in the tz database."""
    daily_channel_id: ChannelId | None = None
    """The channel where the board of the deal of the day is posted at midnight; None for no post."""
    weekly_channel_id: ChannelId | None = None
    """The channel where the board of the week is posted on Monday morning; None for no post."""
    greeted: bool = False
    """Whether the bot has greeted the server, which it does once."""
    lost_at: int | None = None
    """Since when its leagues stand still, because it has removed the bot; None while they go on."""

    @property
    def has_house_rules(self) -> bool:
        """Whether its rules are its own rather than a preset."""
        return self.rules is not None and self.rules not in PRESETS.values()

    @property
    def terms(self) -> Terms:
        """The rules and options of a new table, unless its host has house rules of their own."""
        return Terms(rules=self.rules or PRESETS["pagat"], deals=self.deals, pace=self.pace)
