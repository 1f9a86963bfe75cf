"""What happened in a season: a list that only grows. Every table of the season is a fold of it.

Nothing is edited and nothing deleted. Whoever takes something back records the inverse of it (`inverse`), so the list
tells both, with who did it, when and why.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from league.results import Player
from league.settings import SeasonSettings

PodId = int
"""A pod, by a number that is used once in a season."""
Points = tuple[int, ...]
Verdict = Literal["average", "average_plus", "no_show", "nothing"]
"""What somebody gets for a match that was not played out: `league.book` knows how many points each is."""


@dataclass(frozen=True, slots=True)
class SeasonOpened:
    """The season begins: its settings and the par of every table size are fixed."""

    name: str
    settings: SeasonSettings
    pars: Mapping[int, int]
    """By number of seats, in hundredths of a point."""
    par_version: int = 0
    commitment: str = ""
    """The commitment to the season's seed."""
    event: Literal["season_opened"] = "season_opened"


@dataclass(frozen=True, slots=True)
class SeasonClosed:
    """No more results; the seed is revealed, in hexadecimal."""

    seed: str = ""
    event: Literal["season_closed"] = "season_closed"


@dataclass(frozen=True, slots=True)
class SeasonReopened:
    """The season was closed too early."""

    event: Literal["season_reopened"] = "season_reopened"


@dataclass(frozen=True, slots=True)
class SignedUp:
    """Somebody asks for a place, and is on the waiting list until it is confirmed."""

    player: Player
    hours: tuple[int, ...] = ()
    """The blocks of the day in which the player can play; none for any."""
    event: Literal["signup"] = "signup"


@dataclass(frozen=True, slots=True)
class SignupRemoved:
    """A sign-up was taken back, or refused by the staff."""

    player: Player
    event: Literal["signup_removed"] = "signup_removed"


@dataclass(frozen=True, slots=True)
class Confirmed:
    """A sign-up is confirmed: the player is in."""

    player: Player
    event: Literal["confirmed"] = "confirmed"


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """A confirmation was taken back: the waiting list again."""

    player: Player
    event: Literal["unconfirmed"] = "unconfirmed"


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A player leaves the season."""

    player: Player
    event: Literal["withdrawn"] = "withdrawn"


@dataclass(frozen=True, slots=True)
class Returned:
    """A withdrawal was taken back."""

    player: Player
    event: Literal["returned"] = "returned"


@dataclass(frozen=True, slots=True)
class DivisionSet:
    """A player belongs to a division, 1 the highest; 0 takes him out of any."""

    player: Player
    division: int
    former: int = 0
    event: Literal["division_set"] = "division_set"


@dataclass(frozen=True, slots=True)
class CheckedIn:
    """A player is there for a round, or with `coming` False not any more."""

    player: Player
    round: int
    coming: bool = True
    event: Literal["checked_in"] = "checked_in"


@dataclass(frozen=True, slots=True)
class AlwaysIn:
    """A player need not check in, or with `on` False has to again."""

    player: Player
    on: bool = True
    event: Literal["always_in"] = "always_in"


@dataclass(frozen=True, slots=True)
class DrawnPod:
    """A table of a round: its players in the order of their seats."""

    id: PodId
    players: tuple[Player, ...]
    division: int = 0


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """The tables of a round. Rounds after the last one of the season are stages of the finals."""

    round: int
    pods: tuple[DrawnPod, ...]
    due: int = 0
    """The deadline, in seconds of UTC."""
    stage: int = 0
    """How many players are left in the finals; 0 for an ordinary round."""
    event: Literal["round_drawn"] = "round_drawn"


@dataclass(frozen=True, slots=True)
class RoundCancelled:
    """A draw was taken back before any match of it was played."""

    drawn: RoundDrawn
    event: Literal["round_cancelled"] = "round_cancelled"


@dataclass(frozen=True, slots=True)
class AbsenceBooked:
    """A player was not in the draw of a round, or with `absent` False was excused."""

    player: Player
    round: int
    absent: bool = True
    event: Literal["absence_booked"] = "absence_booked"


@dataclass(frozen=True, slots=True)
class NoShowBooked:
    """A player was drawn and did not come, or with `missed` False did come after all."""

    pod: PodId
    player: Player
    missed: bool = True
    event: Literal["no_show_booked"] = "no_show_booked"


@dataclass(frozen=True, slots=True)
class SubstituteSet:
    """Somebody takes another player's seat for this match."""

    pod: PodId
    player: Player
    substitute: Player
    event: Literal["substitute_set"] = "substitute_set"


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match has begun. In a ladder there is no draw: `players` make the pod."""

    pod: PodId
    table: int
    players: tuple[Player, ...] = ()
    event: Literal["match_started"] = "match_started"


@dataclass(frozen=True, slots=True)
class Result:
    """A match as it was played."""

    players: tuple[Player, ...]
    """By seat; a pod that plays short-handed has fewer than it was drawn with."""
    deals: tuple[Points, ...]
    """The points of every deal, by seat."""
    left: tuple[Player, ...] = ()
    """Who went away for good; a computer played on for them."""
    reported: bool = False
    """Whether it was played with real cards, and reported by its players."""


@dataclass(frozen=True, slots=True)
class MatchFinished:
    """The result of a match."""

    pod: PodId
    result: Result
    event: Literal["match_finished"] = "match_finished"


@dataclass(frozen=True, slots=True)
class ResultReported:
    """One of a pod tells the result of a match that was played with real cards; it does not count yet."""

    pod: PodId
    player: Player
    result: Result
    event: Literal["result_reported"] = "result_reported"


@dataclass(frozen=True, slots=True)
class ReportAnswered:
    """Another of the pod says that the report is right, or with `agrees` False that it is not."""

    pod: PodId
    player: Player
    agrees: bool = True
    event: Literal["report_answered"] = "report_answered"


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    """A result is another one; None where there was none, or is to be none."""

    pod: PodId
    old: Result | None
    new: Result | None
    event: Literal["result_corrected"] = "result_corrected"


@dataclass(frozen=True, slots=True)
class DealVoided:
    """A deal (0 the first) of a match does not count, or with `void` False counts again."""

    pod: PodId
    deal: int
    void: bool = True
    event: Literal["deal_voided"] = "deal_voided"


@dataclass(frozen=True, slots=True)
class BoardsPlayed:
    """All tables of a round have played their boards: every seat is compared with the same seat elsewhere."""

    round: int
    boards: Mapping[PodId, tuple[int, ...]]
    """By pod, which board each deal of its match was, 1 the first; 0 for one that was none."""
    event: Literal["boards_played"] = "boards_played"


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """A match that was not played out is ruled on: what each of its players gets. None for no ruling any more."""

    pod: PodId
    verdicts: Mapping[Player, Verdict] | None
    former: Mapping[Player, Verdict] | None = None
    event: Literal["adjudicated"] = "adjudicated"


@dataclass(frozen=True, slots=True)
class PodReopened:
    """A match is to be played after all, whatever was ruled on it, until a deadline of its own."""

    pod: PodId
    due: int
    """In seconds of UTC."""
    event: Literal["pod_reopened"] = "pod_reopened"


@dataclass(frozen=True, slots=True)
class DeadlinesPutOff:
    """Nobody could press anything for a while: what was due after a moment is due later."""

    since: int
    """In seconds of UTC."""
    by: int
    """In seconds."""
    event: Literal["deadlines_put_off"] = "deadlines_put_off"


@dataclass(frozen=True, slots=True)
class PenaltyAdded:
    """League points and conduct points booked beside the results."""

    penalty: int
    """A number that is used once in a season."""
    player: Player
    round: int
    points: int = 0
    """Below nought for a deduction, in hundredths."""
    conduct: int = 0
    event: Literal["penalty_added"] = "penalty_added"


@dataclass(frozen=True, slots=True)
class PenaltyRemoved:
    """A penalty was taken back."""

    added: PenaltyAdded
    event: Literal["penalty_removed"] = "penalty_removed"


@dataclass(frozen=True, slots=True)
class RulingNoted:
    """A ruling that moves no points."""

    text: str
    event: Literal["ruling_noted"] = "ruling_noted"


Event = (
    SeasonOpened
    | SeasonClosed
    | SeasonReopened
    | SignedUp
    | SignupRemoved
    | Confirmed
    | Unconfirmed
    | Withdrawn
    | Returned
    | DivisionSet
    | CheckedIn
    | AlwaysIn
    | RoundDrawn
    | RoundCancelled
    | AbsenceBooked
    | NoShowBooked
    | SubstituteSet
    | MatchStarted
    | MatchFinished
    | ResultReported
    | ReportAnswered
    | ResultCorrected
    | DealVoided
    | BoardsPlayed
    | Adjudicated
    | PodReopened
    | DeadlinesPutOff
    | PenaltyAdded
    | PenaltyRemoved
    | RulingNoted
)

EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="event")])
"""Reads and writes events as JSON: `EVENT.dump_json(event)`, `EVENT.validate_json(text)`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a season's list."""

    id: int
    """Entries are folded by their number: of two on the same target the later wins."""
    at: int
    """In seconds of UTC."""
    event: Event
    actor: Player | None = None
    """Who did it; None for the bot itself."""
    reason: str = ""
    """Asked for where the staff acts."""
    corrects: int | None = None
    """The entry that this one takes back or corrects."""
