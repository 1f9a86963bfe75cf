"""The messages of a season: each, public or to one player, is a value of its own class.

The database stores only their text, such as `round:3`; no other module writes or parses it. Numbers named
`round` count from 1, `player` is a number of `league_player`, and `at` is in UTC milliseconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, TypeAlias, get_args

from league.events import PodId
from league.results import Player


@dataclass(frozen=True, slots=True)
class SeasonPost:
    """A message of a season."""

    word: ClassVar[str]
    """The first word of its text."""

    @property
    def text(self) -> str:
        """The word and the fields, separated by colons."""
        values = (getattr(self, field.name) for field in fields(self))
        return ":".join([self.word, *(str(value) for value in values if value is not None)])


@dataclass(frozen=True, slots=True)
class SignupPost(SeasonPost):
    """What the season is, who plays, and how to join."""

    word: ClassVar[str] = "signup"


@dataclass(frozen=True, slots=True)
class CheckInPost(SeasonPost):
    """Who plays in a round, with the buttons to check in."""

    word: ClassVar[str] = "checkin"
    round: int


@dataclass(frozen=True, slots=True)
class RoundPost(SeasonPost):
    """The pods of a round and their results."""

    word: ClassVar[str] = "round"
    round: int


NOW: Final = 0
"""In place of a round number: the current standings, which change with every result."""


@dataclass(frozen=True, slots=True)
class StandingsPost(SeasonPost):
    """The standings after a round."""

    word: ClassVar[str] = "standings"
    round: int
    """A round number or `NOW`."""


@dataclass(frozen=True, slots=True)
class BoardsPost(SeasonPost):
    """The comparison of the boards of a duplicate round."""

    word: ClassVar[str] = "boards"
    round: int


@dataclass(frozen=True, slots=True)
class FreeSeatPost(SeasonPost):
    """A player's seat is free for this match, and any standby player may take it."""

    word: ClassVar[str] = "seat"
    pod: PodId
    player: Player


@dataclass(frozen=True, slots=True)
class ReportPost(SeasonPost):
    """The reported result of a home game, with the buttons to confirm it."""

    word: ClassVar[str] = "report"
    pod: PodId


@dataclass(frozen=True, slots=True)
class DisputePost(SeasonPost):
    """A call to the staff to decide about the report made at that moment; `call` is set for a second call."""

    word: ClassVar[str] = "dispute"
    pod: PodId
    at: int
    call: int | None = None


@dataclass(frozen=True, slots=True)
class DealReportPost(SeasonPost):
    """A call to the staff to look at a deal; holds the number of the event that reports it."""

    word: ClassVar[str] = "deal_report"
    event: int


@dataclass(frozen=True, slots=True)
class DelayPost(SeasonPost):
    """Everything is delayed because the bot was away; the next draw or deadline is at that moment."""

    word: ClassVar[str] = "put_off"
    at: int


@dataclass(frozen=True, slots=True)
class EndPost(SeasonPost):
    """The end of the season."""

    word: ClassVar[str] = "closed"


@dataclass(frozen=True, slots=True)
class RulingPost(SeasonPost):
    """A ruling of the staff, by the number of its event."""

    word: ClassVar[str] = "ruling"
    event: int


@dataclass(frozen=True, slots=True)
class CalendarPost(SeasonPost):
    """A pod's match on the server's calendar."""

    word: ClassVar[str] = "event"
    pod: PodId


@dataclass(frozen=True, slots=True)
class InvitationNotice(SeasonPost):
    """The league has a new season, and this player is asked to play again."""

    word: ClassVar[str] = "invite"
    player: Player


@dataclass(frozen=True, slots=True)
class EndNotice(SeasonPost):
    """The season cannot continue, because too few players are left."""

    word: ClassVar[str] = "ended"
    player: Player


@dataclass(frozen=True, slots=True)
class AdmissionNotice(SeasonPost):
    """The staff have given a player a place, or approved their sign-up."""

    word: ClassVar[str] = "admitted"
    player: Player


@dataclass(frozen=True, slots=True)
class TableNotice(SeasonPost):
    """The table of a player's match is open; `table` is given for a second table of the same pod."""

    word: ClassVar[str] = "open"
    round: int
    player: Player
    table: int | None = None


@dataclass(frozen=True, slots=True)
class FreeSeatNotice(SeasonPost):
    """The seat of an absent player is free, and this player may take it."""

    word: ClassVar[str] = "seat"
    pod: PodId
    absent: Player
    player: Player


@dataclass(frozen=True, slots=True)
class ProposalNotice(SeasonPost):
    """Someone has proposed a time for a player's match."""

    word: ClassVar[str] = "propose"
    pod: PodId
    at: int
    player: Player


@dataclass(frozen=True, slots=True)
class AgreedNotice(SeasonPost):
    """A time now holds for a player's match."""

    word: ClassVar[str] = "agreed"
    pod: PodId
    at: int
    player: Player


@dataclass(frozen=True, slots=True)
class NoShowNotice(SeasonPost):
    """A player is recorded as a no-show; `due` is the pod's own deadline, 0 for that of the round."""

    word: ClassVar[str] = "no_show"
    pod: PodId
    due: int
    player: Player


@dataclass(frozen=True, slots=True)
class PauseNotice(SeasonPost):
    """The season has been paused since that moment."""

    word: ClassVar[str] = "paused"
    at: int
    player: Player


@dataclass(frozen=True, slots=True)
class ReportNotice(SeasonPost):
    """Someone has reported the result of a player's home game, at that moment."""

    word: ClassVar[str] = "report"
    pod: PodId
    at: int
    player: Player


@dataclass(frozen=True, slots=True)
class DealReportNotice(SeasonPost):
    """The outcome of a deal that this player reported, by the number of the reporting event."""

    word: ClassVar[str] = "deal_report"
    event: int
    player: Player


@dataclass(frozen=True, slots=True)
class MessageNotice(SeasonPost):
    """The staff have written to this player; holds the number of the event with the message."""

    word: ClassVar[str] = "message"
    event: int
    player: Player


@dataclass(frozen=True, slots=True)
class TeamNotice(SeasonPost):
    """The captain of that team invites this player to join it."""

    word: ClassVar[str] = "team"
    team: int
    player: Player


@dataclass(frozen=True, slots=True)
class CheckInReminder(SeasonPost):
    """A round is drawn in so many hours, and the player has not checked in."""

    word: ClassVar[str] = "checkin"
    round: int
    hours: int
    player: Player


@dataclass(frozen=True, slots=True)
class PlayReminder(SeasonPost):
    """A match is due in so many hours.

    `due` is the pod's own deadline in UTC milliseconds, 0 for that of the round.
    """

    word: ClassVar[str] = "play"
    round: int
    hours: int
    player: Player
    due: int | None = None
    """None if stored by a version before this field existed."""


@dataclass(frozen=True, slots=True)
class TimeReminder(SeasonPost):
    """A player's match begins soon: the time agreed by the pod is near."""

    word: ClassVar[str] = "time"
    pod: PodId
    at: int
    player: Player


ChannelPost: TypeAlias = (
    SignupPost
    | CheckInPost
    | RoundPost
    | StandingsPost
    | BoardsPost
    | FreeSeatPost
    | ReportPost
    | DisputePost
    | DealReportPost
    | DelayPost
    | EndPost
    | RulingPost
)
"""The messages in the season's channel; each is kept up to date."""
PublicPost: TypeAlias = ChannelPost | CalendarPost
"""The messages that everyone may read."""
PersonalPost: TypeAlias = (
    InvitationNotice
    | EndNotice
    | AdmissionNotice
    | TableNotice
    | FreeSeatNotice
    | ProposalNotice
    | AgreedNotice
    | NoShowNotice
    | PauseNotice
    | ReportNotice
    | DealReportNotice
    | MessageNotice
    | TeamNotice
    | CheckInReminder
    | PlayReminder
    | TimeReminder
)
"""The direct messages; each is sent once, to its `player`."""


def parse_channel_post(text: str) -> ChannelPost:
    """Return the message in the channel with this text; raises ValueError."""
    return _parse(get_args(ChannelPost), text)


def parse_public_post(text: str) -> PublicPost:
    """Return the public message with this text; raises ValueError."""
    return _parse(get_args(PublicPost), text)


def parse_personal_post(text: str) -> PersonalPost:
    """Return the direct message with this text; raises ValueError."""
    return _parse(get_args(PersonalPost), text)


def _parse(classes: Sequence[type[Any]], text: str) -> Any:
    word, *values = text.split(":")
    try:
        (post,) = (post for post in classes if post.word == word)
        return post(*map(int, values))
    except (TypeError, ValueError):
        raise ValueError(f"a season has no message {text!r}") from None
