"""What a season says: every one of its messages, public or to one player, is a value of a class of its own.

Text is only what the database keeps of them, such as `round:3`; nothing outside this module makes it or reads it.
Numbers named `round` count from 1, `player` is a number of `league_player`, and `at` is UTC milliseconds.
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
    """What its text begins with."""

    @property
    def text(self) -> str:
        """The word and the fields, with colons between them."""
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
"""In place of a round: the standings as they are now, which change with every result."""


@dataclass(frozen=True, slots=True)
class StandingsPost(SeasonPost):
    """The standings after a round."""

    word: ClassVar[str] = "standings"
    round: int
    """Or `NOW`."""


@dataclass(frozen=True, slots=True)
class BoardsPost(SeasonPost):
    """The comparison of the boards of a duplicate round."""

    word: ClassVar[str] = "boards"
    round: int


@dataclass(frozen=True, slots=True)
class FreeSeatPost(SeasonPost):
    """A player's seat is free for this match, and anybody who stands by may take it."""

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
    """The staff are called to decide about the report that was made at that moment; `call` is given for a second call."""

    word: ClassVar[str] = "dispute"
    pod: PodId
    at: int
    call: int | None = None


@dataclass(frozen=True, slots=True)
class DealReportPost(SeasonPost):
    """The staff are called to look at a deal: the number of the event that reports it."""

    word: ClassVar[str] = "deal_report"
    event: int


@dataclass(frozen=True, slots=True)
class DelayPost(SeasonPost):
    """Everything happens later, because the bot was away; the next draw or deadline is at that moment."""

    word: ClassVar[str] = "put_off"
    at: int


@dataclass(frozen=True, slots=True)
class EndPost(SeasonPost):
    """The end of the season."""

    word: ClassVar[str] = "closed"


@dataclass(frozen=True, slots=True)
class RulingPost(SeasonPost):
    """A ruling of the staff: the number of its event."""

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
    """The season cannot go on, because too few players are left."""

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
    """Somebody has proposed a time for a player's match."""

    word: ClassVar[str] = "propose"
    pod: PodId
    at: int
    player: Player


@dataclass(frozen=True, slots=True)
class AgreedNotice(SeasonPost):
    """A time holds for a player's match."""

    word: ClassVar[str] = "agreed"
    pod: PodId
    at: int
    player: Player


@dataclass(frozen=True, slots=True)
class NoShowNotice(SeasonPost):
    """A player is booked as a no-show; `due` is the pod's own deadline, 0 for that of the round."""

    word: ClassVar[str] = "no_show"
    pod: PodId
    due: int
    player: Player


@dataclass(frozen=True, slots=True)
class PauseNotice(SeasonPost):
    """The season is paused since that moment."""

    word: ClassVar[str] = "paused"
    at: int
    player: Player


@dataclass(frozen=True, slots=True)
class ReportNotice(SeasonPost):
    """Somebody has reported the result of a player's home game, at that moment."""

    word: ClassVar[str] = "report"
    pod: PodId
    at: int
    player: Player


@dataclass(frozen=True, slots=True)
class DealReportNotice(SeasonPost):
    """What came of a deal that this player has reported: the number of the event that reports it."""

    word: ClassVar[str] = "deal_report"
    event: int
    player: Player


@dataclass(frozen=True, slots=True)
class MessageNotice(SeasonPost):
    """The staff have written to this player: the number of the event that has the message."""

    word: ClassVar[str] = "message"
    event: int
    player: Player


@dataclass(frozen=True, slots=True)
class TeamNotice(SeasonPost):
    """The captain of that team asks this player into it."""

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
    """A match is due in so many hours; `due` is the pod's own deadline, in milliseconds of UTC, 0 for that of the round."""

    word: ClassVar[str] = "play"
    round: int
    hours: int
    player: Player
    due: int | None = None
    """None in what versions before this field have stored."""


@dataclass(frozen=True, slots=True)
class TimeReminder(SeasonPost):
    """A player's match begins soon: the time on which the pod has agreed is near."""

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
"""What everybody may read."""
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
    """The message in the channel whose text this is; raises ValueError."""
    return _parse(get_args(ChannelPost), text)


def parse_public_post(text: str) -> PublicPost:
    """The public message whose text this is; raises ValueError."""
    return _parse(get_args(PublicPost), text)


def parse_personal_post(text: str) -> PersonalPost:
    """The direct message whose text this is; raises ValueError."""
    return _parse(get_args(PersonalPost), text)


def _parse(classes: Sequence[type[Any]], text: str) -> Any:
    word, *values = text.split(":")
    try:
        (post,) = (post for post in classes if post.word == word)
        return post(*map(int, values))
    except (TypeError, ValueError):
        raise ValueError(f"a season has no message {text!r}") from None
