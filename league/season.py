"""The state of a season and of its members: the fold of its events, one at a time or all at once."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Final, TypeVar, cast

from league.events import (
    AbsenceBooked,
    Adjudicated,
    AlwaysIn,
    BoardsPlayed,
    CheckedIn,
    Confirmed,
    DeadlineMoved,
    DeadlinesPutOff,
    DealsReplayed,
    DealVoided,
    DivisionSet,
    DrawnPod,
    Entry,
    Event,
    MatchFinished,
    MatchStarted,
    NoShowBooked,
    NumbersChanged,
    PenaltyAdded,
    PenaltyRemoved,
    PodId,
    PodReopened,
    ReplayOrdered,
    ReportAnswered,
    ResultCorrected,
    ResultReported,
    Returned,
    RoundCancelled,
    RoundDrawn,
    SeasonClosed,
    SeasonOpened,
    SeasonPaused,
    SeasonReopened,
    SeasonResumed,
    SignedUp,
    SignupRemoved,
    SubstituteSet,
    Unconfirmed,
    Withdrawn,
)
from league.matches.pod import Pod, Report, exchanged, moved, opened_again, pod_after
from league.members import (
    Banned,
    DivisionsExchanged,
    MemberSet,
    PlayerMoved,
    Seeded,
    Status,
    Team,
    TeamFormed,
    TeamId,
    TeamInvited,
    TeamJoined,
    TeamLeft,
    teams_after,
)
from league.pairing.pods import KeptApart, Pair
from league.results import Player
from league.settings import SeasonSettings
from league.times import DAY, HOUR

_STATUS: Final[dict[str, Status]] = {
    "confirmed": "confirmed",
    "unconfirmed": "waiting",
    "signup_removed": "removed",
}


@dataclass(frozen=True, slots=True)
class Member:
    """A person who has signed up."""

    player: Player
    signed_up: int
    """When they signed up, in UTC milliseconds: the order of the waiting list."""
    hours: tuple[int, ...] = ()
    status: Status = "waiting"
    withdrawn: int | None = None
    """After how many rounds the player left; None for players still in."""
    always_in: bool = False
    division: int = 0
    seed: int = 0
    """The place that the staff gave the player among newcomers, 1 the highest; 0 for none."""
    before_ban: tuple[Status, int | None] | None = None
    """The status and withdrawal to return to when a ban is taken back; None for players who are not banned."""

    @property
    def plays(self) -> bool:
        """Whether the player has a place and has not left."""
        return self.status == "confirmed" and self.withdrawn is None

    @property
    def is_gone(self) -> bool:
        """Whether the player has left, or was taken off the list."""
        return self.status == "removed" or self.withdrawn is not None

    def banned(self, rounds: int | None, *, on: bool) -> "Member":
        """Return the member once banned, leaving after so many rounds, or once the ban is taken back.

        The number of rounds is None before the season begins.
        """
        if not on:
            status, withdrawn = self.before_ban or (self.status, self.withdrawn)
            return replace(self, status=status, withdrawn=withdrawn, before_ban=None)
        if self.is_gone:
            return self
        before = (self.status, self.withdrawn)
        if rounds is None:
            return replace(self, status="removed", before_ban=before)
        return replace(self, withdrawn=rounds, before_ban=before)


MemberEvent = (
    SignedUp
    | SignupRemoved
    | Confirmed
    | Unconfirmed
    | Withdrawn
    | Returned
    | DivisionSet
    | AlwaysIn
    | MemberSet
    | Seeded
)


def member_after(known: Member | None, event: MemberEvent, at: int, rounds: int) -> Member:
    """Return a member after an event about them; raises KeyError for an unknown person.

    The number of drawn rounds is that at the time of the event.
    """
    if isinstance(event, SignedUp):
        new = known or Member(event.player, at)
        status = "asking" if event.asks else "waiting"
        return replace(new, status=status, hours=event.hours or new.hours)
    if isinstance(event, MemberSet):
        return replace(known or Member(event.player, at), status=event.status)
    if known is None:
        raise KeyError(event.player)
    match event:
        case DivisionSet(division=division):
            return replace(known, division=division)
        case AlwaysIn(on=on):
            return replace(known, always_in=on)
        case Seeded(seed=seed):
            return replace(known, seed=seed)
        case Withdrawn():
            return replace(known, withdrawn=rounds)
        case Returned():
            return replace(known, withdrawn=None)
        case Confirmed() | Unconfirmed() | SignupRemoved():
            return replace(known, status=_STATUS[event.event])


@dataclass(frozen=True, slots=True)
class Season:
    """The state of a season after its events so far."""

    name: str = ""
    settings: SeasonSettings = field(default_factory=lambda: SeasonSettings.model_validate({}))
    pars: Mapping[int, int] = field(default_factory=dict[int, int])
    par_version: int = 0
    commitment: str = ""
    seed: str = ""
    opened_at: int = 0
    open: bool = False
    reopened: bool = False
    """Whether it was closed and reopened for the staff to reopen a pod; until then, or a draw, it does not close itself.
    """
    paused_at: int | None = None
    """When the season was paused, in UTC milliseconds; None while it is running."""
    members: Mapping[Player, Member] = field(default_factory=dict[Player, Member])
    check_ins: frozenset[tuple[Player, int]] = frozenset()
    rounds: Mapping[int, RoundDrawn] = field(default_factory=dict[int, RoundDrawn])
    pods: Mapping[PodId, Pod] = field(default_factory=dict[PodId, Pod])
    last_pod: PodId = 0
    """The highest number of any pod so far; numbers of a cancelled draw are not used again."""
    cancelled: tuple[int, ...] = ()
    """The rounds whose draws were taken back, in order; they are drawn again with other lots."""
    to_redraw: Mapping[int, int] = field(default_factory=dict[int, int])
    """The rounds that are to be drawn again at once, with the deadlines that they keep, in UTC milliseconds."""
    apart: frozenset[Pair] = frozenset()
    """The pairs that must not be drawn together."""
    teams: Mapping[TeamId, Team] = field(default_factory=dict[TeamId, Team])
    last_team: TeamId = 0
    """The highest number of any team so far."""
    banned: frozenset[Player] = frozenset()
    """The people who may not play."""
    absences: frozenset[tuple[Player, int]] = frozenset()
    penalties: Mapping[int, PenaltyAdded] = field(default_factory=dict[int, PenaltyAdded])

    @property
    def drawn(self) -> int:
        """The number of the last drawn ordinary round."""
        return max((number for number, drawn in self.rounds.items() if not drawn.stage), default=0)

    def waiting(self) -> tuple[Member, ...]:
        """Return the waiting list, in the order of sign-up."""
        waiting = (
            member
            for member in self.members.values()
            if member.status == "waiting" and member.withdrawn is None
        )
        return tuple(sorted(waiting, key=lambda member: (member.signed_up, member.player)))

    def has_left(self, player: Player) -> bool:
        """Return whether the player plays no more: they were in the season and have left it, or are banned.

        A substitute may be banned who was never in the season.
        """
        member = self.members.get(player)
        return player in self.banned or (member is not None and member.is_gone)

    def has_withdrawn(self, player: Player) -> bool:
        """Return whether the player has left the season after it began."""
        member = self.members.get(player)
        return member is not None and member.withdrawn is not None

    def is_round_over(self, number: int) -> bool:
        """Return whether a round was drawn or played, and nothing of it is left to play."""
        pods = [pod for pod in self.pods.values() if pod.round == number]
        return bool(pods) and all(pod.over for pod in pods)

    def can_be_played(self, pod: Pod) -> bool:
        """Return whether the match of a pod is still to be played, or is being played.

        A closed season waits only for matches that have begun: the tables of the others are closed.
        """
        return not pod.over and (self.open or pod.table is not None)

    def has_sealed_boards(self, number: int) -> bool:
        """Return whether tables of a round may still play the same boards, so that these must stay secret."""
        pods = [pod for pod in self.pods.values() if pod.round == number]
        if not self.settings.duplicate or any(pod.boards for pod in pods):
            return False
        return any(map(self.can_be_played, pods))

    def next_pod(self) -> PodId:
        """Return the number for the next pod."""
        return self.last_pod + 1


NEW: Final = Season()
_Due = TypeVar("_Due", RoundDrawn, Pod, Report)
_Kept = TypeVar("_Kept")


def fold(entries: Iterable[Entry], season: Season = NEW) -> Season:
    """Return the season after all these entries, which may be in any order: they are applied by number.

    Consecutive entries of one kind are applied together, because each step copies all members, pods or
    check-ins.
    """
    for together, alike in groupby(sorted(entries, key=lambda entry: entry.id), _together):
        if together is not None:
            season = together(season, alike)
        else:
            for entry in alike:
                season = after(season, entry)
    return season


def _together(entry: Entry) -> Callable[[Season, Iterable[Entry]], Season] | None:
    """Return the function that applies consecutive entries of this kind together; None if there is none."""
    match entry.event:
        case SignedUp() | Confirmed():
            return _signed_up
        case CheckedIn():
            return _checked_in
        case MatchStarted() | MatchFinished():
            return _played
        case _:
            return None


def _signed_up(season: Season, entries: Iterable[Entry]) -> Season:
    """Apply sign-ups and confirmations."""
    members, drawn = dict(season.members), season.drawn
    for entry in entries:
        event = cast("SignedUp | Confirmed", entry.event)
        members[event.player] = member_after(members.get(event.player), event, entry.at, drawn)
    return replace(season, members=members)


def _checked_in(season: Season, entries: Iterable[Entry]) -> Season:
    """Apply check-ins: for each player and round the last one counts."""
    check_ins = set(season.check_ins)
    for entry in entries:
        event = cast("CheckedIn", entry.event)
        (check_ins.add if event.coming else check_ins.discard)((event.player, event.round))
    return replace(season, check_ins=frozenset(check_ins))


def _played(season: Season, entries: Iterable[Entry]) -> Season:
    """Apply the starts and results of matches."""
    pods, last = dict(season.pods), season.last_pod
    for entry in entries:
        event = cast("MatchStarted | MatchFinished", entry.event)
        pods[event.pod] = _pod_played(season, pods, event, entry.at)
        last = max(last, event.pod)
    return replace(season, pods=pods, last_pod=last)


def _pod_played(
    season: Season, pods: Mapping[PodId, Pod], event: MatchStarted | MatchFinished, at: int
) -> Pod:
    if isinstance(event, MatchFinished):
        return pod_after(pods[event.pod], event)
    day = (at - season.opened_at) // DAY + 1
    pod = pods.get(event.pod) or Pod(event.pod, day, event.players, event.players)
    return replace(pod, table=event.table, report=None, set_aside=None, seated=pod.seated.union(pod.players))


def after(season: Season, entry: Entry) -> Season:
    """Return the season after one more entry; raises KeyError if the season has no such pod or player."""
    event = entry.event
    match event:
        case SeasonOpened():
            return replace(
                season,
                name=event.name,
                settings=event.settings,
                pars=event.pars,
                par_version=event.par_version,
                commitment=event.commitment,
                opened_at=entry.at,
                open=True,
            )
        case NumbersChanged(settings=settings):
            return replace(season, settings=settings)
        case SeasonClosed(seed=seed):
            return replace(season, open=False, seed=seed, reopened=False)
        case SeasonReopened(commitment=commitment, goes_on=goes_on):
            sealed = (commitment, "") if commitment else (season.commitment, season.seed)
            return replace(season, open=True, reopened=not goes_on, commitment=sealed[0], seed=sealed[1])
        case SeasonPaused():
            return replace(season, paused_at=entry.at)
        case SeasonResumed():
            return replace(season, paused_at=None)
        case SignedUp() | Confirmed() | CheckedIn() | MatchStarted() | MatchFinished():
            return fold((entry,), season)
        case _:
            return _penalties(
                _rounds(_matches(_members(season, event, entry.at), event, entry.at), event), event
            )


def _members(season: Season, event: Event, at: int) -> Season:
    """Apply an event about the members."""
    match event:
        case Banned(player=player, on=on):
            banned = season.banned | {player} if on else season.banned - {player}
            known = season.members.get(player)
            season = replace(season, banned=banned)
            began = bool(season.drawn) or not season.settings.format.has_draw
            return (
                _with_member(season, known.banned(season.drawn if began else None, on=on))
                if known
                else season
            )
        case (
            SignupRemoved()
            | Unconfirmed()
            | Withdrawn()
            | Returned()
            | DivisionSet()
            | AlwaysIn()
            | MemberSet()
            | Seeded()
        ):
            known = season.members.get(event.player)
            return _with_member(season, member_after(known, event, at, season.drawn))
        case TeamFormed(team=number):
            teams = teams_after(season.teams, event)
            return replace(season, teams=teams, last_team=max(season.last_team, number))
        case TeamInvited() | TeamJoined() | TeamLeft():
            return replace(season, teams=teams_after(season.teams, event))
        case DivisionsExchanged(player=player, other=other):
            return _with_exchange(season, season.members[player], season.members[other])
        case _:
            return season


def _with_exchange(season: Season, first: Member, second: Member) -> Season:
    """Return the season with two members' divisions, and their seats in all pods, exchanged."""
    season = _with_member(season, replace(first, division=second.division))
    season = _with_member(season, replace(second, division=first.division))
    pods = {number: exchanged(pod, first.player, second.player) for number, pod in season.pods.items()}
    return replace(season, pods=pods)


def _with_member(season: Season, member: Member) -> Season:
    return replace(season, members={**season.members, member.player: member})


def _rounds(season: Season, event: Event) -> Season:
    """Apply an event about rounds, or about attendance."""
    match event:
        case KeptApart(pair=pair, apart=apart):
            return replace(season, apart=season.apart | {pair} if apart else season.apart - {pair})
        case AbsenceBooked(player=player, round=number, absent=absent):
            return replace(season, absences=_with(season.absences, (player, number), there=absent))
        case RoundDrawn():
            pods = {table.id: _pod(table, event) for table in event.pods}
            return replace(
                season,
                reopened=False,
                rounds={**season.rounds, event.round: event},
                to_redraw=_without(season.to_redraw, event.round),
                pods={**season.pods, **pods},
                last_pod=max(season.last_pod, *pods, 0),
            )
        case RoundCancelled(drawn=drawn):
            gone = {table.id for table in drawn.pods}
            pods = {number: pod for number, pod in season.pods.items() if number not in gone}
            return replace(
                season,
                rounds=_without(season.rounds, drawn.round),
                pods=pods,
                cancelled=(*season.cancelled, drawn.round),
                to_redraw=season.to_redraw if drawn.stage else {**season.to_redraw, drawn.round: drawn.due},
            )
        case DeadlinesPutOff():
            return _put_off(season, event)
        case DeadlineMoved(round=number, due=due) if number in season.rounds:
            moved = replace(season.rounds[number], due=due)
            return replace(season, rounds={**season.rounds, number: moved})
        case _:
            return season


def _without(rounds: Mapping[int, _Kept], number: int) -> dict[int, _Kept]:
    return {other: kept for other, kept in rounds.items() if other != number}


def _put_off(season: Season, event: DeadlinesPutOff) -> Season:
    """Postpone every deadline after `event.since`: of rounds, of pods, of reports."""
    to_redraw = {
        number: due + event.by if due > event.since else due for number, due in season.to_redraw.items()
    }
    rounds = {number: _later(drawn, event) for number, drawn in season.rounds.items()}
    pods = {
        number: replace(_later(pod, event), report=pod.report and _later(pod.report, event))
        for number, pod in season.pods.items()
    }
    return replace(season, rounds=rounds, pods=pods, to_redraw=to_redraw)


def _later(item: _Due, event: DeadlinesPutOff) -> _Due:
    return replace(item, due=item.due + event.by) if item.due > event.since else item


def _with(
    pairs: frozenset[tuple[Player, int]], pair: tuple[Player, int], *, there: bool
) -> frozenset[tuple[Player, int]]:
    return pairs | {pair} if there else pairs - {pair}


def _pod(drawn: DrawnPod, of: RoundDrawn) -> Pod:
    return Pod(drawn.id, of.round, drawn.players, drawn.players, drawn.division, of.stage)


def _matches(season: Season, event: Event, at: int) -> Season:
    """Apply an event about one pod."""
    match event:
        case BoardsPlayed(boards=boards):
            played = {
                number: replace(season.pods[number], boards=played) for number, played in boards.items()
            }
            return replace(season, pods={**season.pods, **played})
        case ResultReported(pod=number, player=player, result=result):
            due = at + season.settings.report_hours * HOUR
            report = Report(result, player, at, frozenset({player}), due)
            return _with_pod(season, replace(season.pods[number], report=report))
        case PodReopened(pod=number, due=due):
            return replace(_with_pod(season, opened_again(season.pods[number], due)), reopened=False)
        case ReplayOrdered(pod=number):
            return replace(_with_pod(season, pod_after(season.pods[number], event)), reopened=False)
        case ReportAnswered(pod=number, player=player, agrees=agrees):
            return _with_pod(season, _answered(season, season.pods[number], player, at, agrees=agrees))
        case PlayerMoved(pod=number, to=other):
            return replace(
                season,
                pods={**season.pods, **moved(season.pods[number], season.pods[other], event)},
            )
        case ResultCorrected() | Adjudicated():
            pod = season.pods[event.pod]
            return _with_pod(season, _anew(season, pod, pod_after(pod, event), at))
        case DealVoided() | DealsReplayed() | NoShowBooked() | SubstituteSet():
            return _with_pod(season, pod_after(season.pods[event.pod], event))
        case _:
            return season


def _anew(season: Season, before: Pod, pod: Pod, at: int) -> Pod:
    """Return the pod with the whole time for a report that waits again: meanwhile no one could answer it."""
    report = pod.report
    if report is None or before.report is not None:
        return pod
    settings = season.settings
    hours = settings.report_hours if report.against is None else settings.dispute_hours
    return replace(pod, report=replace(report, due=at + hours * HOUR))


def _with_pod(season: Season, pod: Pod) -> Season:
    return replace(season, pods={**season.pods, pod.id: pod})


def _answered(season: Season, pod: Pod, player: Player, at: int, *, agrees: bool) -> Pod:
    report = pod.report
    if report is None:
        return pod
    if agrees:
        return replace(pod, report=replace(report, agreed=report.agreed | {player}))
    limit = season.settings.dispute_hours * HOUR
    return replace(pod, report=replace(report, against=player, due=at + limit))


def _penalties(season: Season, event: Event) -> Season:
    match event:
        case PenaltyAdded(penalty=number):
            return replace(season, penalties={**season.penalties, number: event})
        case PenaltyRemoved(added=added):
            kept = {
                number: penalty for number, penalty in season.penalties.items() if number != added.penalty
            }
            return replace(season, penalties=kept)
        case _:
            return season
