"""The events of a season: an append-only list. Every table of the season is a fold of it.

Nothing is edited or deleted. An event is taken back by recording its inverse (`league.undoing.inverse`), so
the list has both, with who did it, when and why.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from league.members import (
    Banned,
    DivisionsExchanged,
    MemberSet,
    MembersWritten,
    PlayerMoved,
    Seeded,
    TeamFormed,
    TeamInvited,
    TeamJoined,
    TeamLeft,
)
from league.pairing.pods import KeptApart
from league.results import Player
from league.settings import SeasonSettings


@dataclass(frozen=True, slots=True)
class DeadlinesPutOff:
    """No one could press anything for a while: whatever was due after `since` is postponed by `by`."""

    since: int
    """In UTC milliseconds."""
    by: int
    """In milliseconds."""
    event: Literal["deadlines_put_off"] = "deadlines_put_off"


@dataclass(frozen=True, slots=True)
class DeadlineMoved:
    """A drawn round is due at another time; round 0 is the sign-up, which ends with the first draw."""

    round: int
    due: int
    """In UTC milliseconds."""
    former: int = 0
    """When it was due before; 0 if no one can take the event back."""
    event: Literal["deadline_moved"] = "deadline_moved"


@dataclass(frozen=True, slots=True)
class TimeNamed:
    """A player had proposed or agreed to a match time. Former versions wrote this; it has no effect."""

    pod: int
    player: Player
    event: Literal["time_named"] = "time_named"


@dataclass(frozen=True, slots=True)
class SeasonPaused:
    """Nothing is drawn and no deadline passes until the season resumes; matches may be played meanwhile."""

    event: Literal["season_paused"] = "season_paused"


@dataclass(frozen=True, slots=True)
class SeasonResumed:
    """The season continues after a pause."""

    event: Literal["season_resumed"] = "season_resumed"


@dataclass(frozen=True, slots=True)
class ReplayOrdered:
    """A match or some deals are void and replayed at another table; if `on` is False, they count again."""

    pod: int
    due: int
    """The deadline, in UTC milliseconds."""
    deals: tuple[int, ...] = ()
    """The deals, from 0; empty for the whole match."""
    on: bool = True
    event: Literal["replay_ordered"] = "replay_ordered"


@dataclass(frozen=True, slots=True)
class DealsReplayed:
    """Void deals were replayed. Those that were not stay void."""

    pod: int
    deals: Mapping[int, tuple[int, ...]]
    """The points of each deal (from 0), by the seats of the match."""
    event: Literal["deals_replayed"] = "deals_replayed"


@dataclass(frozen=True, slots=True)
class DealReported:
    """A player asks the staff to look at a deal."""

    pod: int
    table: int
    deal: int
    """Its number at the table, from 1."""
    player: Player
    """The player who reports it."""
    event: Literal["deal_reported"] = "deal_reported"


@dataclass(frozen=True, slots=True)
class DealReportAnswered:
    """The staff have looked at a reported deal; the entry's reason is their message to the reporting player."""

    report: int
    """The number of the report's entry."""
    upheld: bool
    """Whether something was wrong."""
    event: Literal["deal_report_answered"] = "deal_report_answered"


PodId = int
"""A pod, by a number that is unique in its season."""
Points = tuple[int, ...]
Verdict = Literal["average", "average_plus", "no_show", "absence", "nothing"]
"""What a player gets for a match that was not finished; `league.book` has the points of each."""


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
class NumbersChanged:
    """Settings of a running season, or its clock, change from now on; nothing that has been played changes."""

    settings: SeasonSettings
    former: SeasonSettings
    pace: str = ""
    """The clock of tables opened from now on; empty if it does not change."""
    former_pace: str = ""
    event: Literal["numbers_changed"] = "numbers_changed"


@dataclass(frozen=True, slots=True)
class SeasonClosed:
    """No more results; the seed is revealed, in hexadecimal."""

    seed: str = ""
    event: Literal["season_closed"] = "season_closed"


@dataclass(frozen=True, slots=True)
class SeasonReopened:
    """The season was closed too early."""

    commitment: str = ""
    """The commitment to a new seed for all that is still to be drawn, because the old one is revealed."""
    goes_on: bool = False
    """Whether it continues as if it had never been closed; otherwise it waits for a pod that staff reopen."""
    event: Literal["season_reopened"] = "season_reopened"


@dataclass(frozen=True, slots=True)
class SignedUp:
    """A player asks for a place, and is on the waiting list until it is confirmed."""

    player: Player
    hours: tuple[int, ...] = ()
    """The blocks of the day in which the player can play; empty for any."""
    asks: bool = False
    """Whether the staff have to approve it."""
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
    """A confirmation was taken back: the player is on the waiting list again."""

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
    """A player belongs to a division, 1 the highest; 0 for no division."""

    player: Player
    division: int
    former: int = 0
    event: Literal["division_set"] = "division_set"


@dataclass(frozen=True, slots=True)
class CheckedIn:
    """A player checks in for a round; if `coming` is False, they check out again."""

    player: Player
    round: int
    coming: bool = True
    event: Literal["checked_in"] = "checked_in"


@dataclass(frozen=True, slots=True)
class AlwaysIn:
    """A player is always checked in; if `on` is False, they have to check in again."""

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
    """The tables of a round. Rounds after the season's last round are stages of the finals."""

    round: int
    pods: tuple[DrawnPod, ...]
    due: int = 0
    """The deadline, in UTC milliseconds."""
    stage: int = 0
    """How many players are left in the finals; 0 for an ordinary round."""
    leavers_miss: bool = False
    """Whether players who have left miss the matches of this stage; not in stages drawn before this rule."""
    event: Literal["round_drawn"] = "round_drawn"


@dataclass(frozen=True, slots=True)
class RoundCancelled:
    """A draw was taken back before any of its matches was played."""

    drawn: RoundDrawn
    event: Literal["round_cancelled"] = "round_cancelled"


@dataclass(frozen=True, slots=True)
class AbsenceBooked:
    """A player was not in the draw of a round; if `absent` is False, they are excused."""

    player: Player
    round: int
    absent: bool = True
    event: Literal["absence_booked"] = "absence_booked"


@dataclass(frozen=True, slots=True)
class NoShowBooked:
    """A player was drawn and did not come; if `missed` is False, they came after all."""

    pod: PodId
    player: Player
    missed: bool = True
    event: Literal["no_show_booked"] = "no_show_booked"


@dataclass(frozen=True, slots=True)
class SubstituteSet:
    """A player takes another player's seat for this match."""

    pod: PodId
    player: Player
    substitute: Player
    event: Literal["substitute_set"] = "substitute_set"


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match has begun. In a ladder, which has no draw, `players` make the pod."""

    pod: PodId
    table: int
    players: tuple[Player, ...] = ()
    event: Literal["match_started"] = "match_started"


@dataclass(frozen=True, slots=True)
class Result:
    """A match as it was played."""

    players: tuple[Player, ...]
    """By seat; a short-handed pod has fewer players than it was drawn with."""
    deals: tuple[Points, ...]
    """The points of every deal, by seat."""
    left: tuple[Player, ...] = ()
    """The players who left for good; a computer played on for them."""
    reported: bool = False
    """Whether it was played with real cards, and reported by its players."""
    entered: bool = False
    """Whether the staff entered it. Then it alone determines who came, whatever was ruled before."""
    absent: tuple[Player, ...] = ()
    """The players who did not come, for a result that the staff entered."""
    seats: int = 0
    """How many seats the table had if computers sat at it too; 0 for as many as players."""


@dataclass(frozen=True, slots=True)
class MatchFinished:
    """The result of a match."""

    pod: PodId
    result: Result
    event: Literal["match_finished"] = "match_finished"


@dataclass(frozen=True, slots=True)
class ResultReported:
    """A player of a pod reports the result of a match that was played with real cards; it does not count yet."""

    pod: PodId
    player: Player
    result: Result
    event: Literal["result_reported"] = "result_reported"


@dataclass(frozen=True, slots=True)
class ReportAnswered:
    """Another player of the pod confirms the report or, if `agrees` is False, rejects it."""

    pod: PodId
    player: Player
    agrees: bool = True
    event: Literal["report_answered"] = "report_answered"


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    """A result is replaced; None if there was no result before, or is none afterwards."""

    pod: PodId
    old: Result | None
    new: Result | None
    void: tuple[int, ...] | None = None
    """The deals of the new result that do not count, for another sheet: what was ruled on the old deals goes with them.

    None if only points were corrected: the void deals stay void.
    """
    former_void: tuple[int, ...] | None = None
    """The deals of the old result that did not count, for another sheet."""
    event: Literal["result_corrected"] = "result_corrected"


@dataclass(frozen=True, slots=True)
class DealVoided:
    """A deal (0 is the first) of a match does not count; if `void` is False, it counts again."""

    pod: PodId
    deal: int
    void: bool = True
    event: Literal["deal_voided"] = "deal_voided"


@dataclass(frozen=True, slots=True)
class BoardsPlayed:
    """All tables of a round have played their boards: every seat is compared with the same seat elsewhere."""

    round: int
    boards: Mapping[PodId, tuple[int, ...]]
    """By pod: the board of each deal of its match, from 1; 0 for a deal without a board."""
    event: Literal["boards_played"] = "boards_played"


@dataclass(frozen=True, slots=True)
class Adjudicated:
    """A ruling on an unfinished match: what each of its players gets. None takes the ruling back."""

    pod: PodId
    verdicts: Mapping[Player, Verdict] | None
    former: Mapping[Player, Verdict] | None = None
    event: Literal["adjudicated"] = "adjudicated"


@dataclass(frozen=True, slots=True)
class PodReopened:
    """A match is to be played after all, with its own deadline; rulings on it are void."""

    pod: PodId
    due: int
    """In UTC milliseconds."""
    event: Literal["pod_reopened"] = "pod_reopened"


@dataclass(frozen=True, slots=True)
class PenaltyAdded:
    """League points and conduct points booked in addition to the results."""

    penalty: int
    """A number that is unique in its season."""
    player: Player
    round: int
    points: int = 0
    """In hundredths; negative for a deduction."""
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
    | NumbersChanged
    | SeasonClosed
    | SeasonReopened
    | SignedUp
    | SignupRemoved
    | Confirmed
    | Unconfirmed
    | Withdrawn
    | Returned
    | MemberSet
    | Seeded
    | Banned
    | DivisionSet
    | DivisionsExchanged
    | CheckedIn
    | AlwaysIn
    | KeptApart
    | TeamFormed
    | TeamInvited
    | TeamJoined
    | TeamLeft
    | RoundDrawn
    | RoundCancelled
    | AbsenceBooked
    | NoShowBooked
    | SubstituteSet
    | PlayerMoved
    | MatchStarted
    | MatchFinished
    | ResultReported
    | ReportAnswered
    | ResultCorrected
    | DealVoided
    | BoardsPlayed
    | Adjudicated
    | PodReopened
    | ReplayOrdered
    | DealsReplayed
    | DealReported
    | DealReportAnswered
    | TimeNamed
    | DeadlinesPutOff
    | DeadlineMoved
    | SeasonPaused
    | SeasonResumed
    | PenaltyAdded
    | PenaltyRemoved
    | RulingNoted
    | MembersWritten
)

EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[Event, Field(discriminator="event")])
"""Reads and writes events as JSON: `EVENT.dump_json(event)`, `EVENT.validate_json(text)`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One event in a season's list, with who recorded it and when."""

    id: int
    """Entries are folded in the order of their ids: of two about the same thing, the later wins."""
    at: int
    """In UTC milliseconds."""
    event: Event
    actor: Player | None = None
    """Who did it; None for the bot itself."""
    reason: str = ""
    """Required for staff actions."""
    corrects: int | None = None
    """The id of the entry that this one takes back or corrects."""
