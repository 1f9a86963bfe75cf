"""Rulings by fixed rules: who may play, and what becomes of a match that was not finished, or that was played with real cards.

A player of the pod reports a match with real cards, and the others confirm it or object. A report counts when all others have
confirmed it, or after `report_hours` without an objection. After an objection
the staff of the league decides, unless a player of the pod reports again. Starting to play at the pod's table in chat
withdraws the report. If neither happens within `dispute_hours`, the match does not count: no one wins by a false
report. Who lost may lose less by a false objection, which only the staff can tell from an honest one.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from league.events import (
    Adjudicated,
    Event,
    MatchFinished,
    NoShowBooked,
    Result,
    ResultCorrected,
    ResultReported,
    Verdict,
)
from league.results import Player
from league.season import Pod
from league.settings import SeasonSettings
from league.times import DAY, HOUR

Refused = Literal["account", "server", "banned", "reliability", "role"]
_TRUST: Final = 4
"""Everyone starts with a credit of this many finished matches, out of one more."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """The facts that decide whether a person may play; times are in UTC milliseconds."""

    account_since: int
    member_since: int
    started: int = 0
    finished: int = 0
    """The number of started matches that they played to the end without being replaced."""
    banned: bool = False
    roles: frozenset[int] = frozenset()
    """The roles in the server."""


def reliability(started: int, finished: int) -> float:
    """Return a person's share of finished matches, from 0 to 1, as if they had begun with four of five."""
    return (finished + _TRUST) / (started + _TRUST + 1)


def refusal(candidate: Candidate, settings: SeasonSettings, now: int) -> Refused | None:
    """Return why a person may not play; None if they may. Check it again at the draw."""
    if now - candidate.account_since < settings.account_days * DAY:
        return "account"
    if now - candidate.member_since < settings.server_days * DAY:
        return "server"
    if candidate.banned:
        return "banned"
    if settings.role and settings.role not in candidate.roles:
        return "role"
    share = 100 * reliability(candidate.started, candidate.finished)
    if candidate.started >= settings.reliability_after and share < settings.reliability:
        return "reliability"
    return None


def fallen_apart(pod: Pod, present: Collection[Player], gone: Collection[Player] = ()) -> Adjudicated:
    """Rule on a match that was not played: those present get Average+, the others are no-shows.

    `gone`: the players who have left the season; they are not no-shows, because no one expects them. If all
    are present, it is no one's fault, and all get their own mean: otherwise a pod would gain by not playing.
    """
    return _ruling(pod, present, "average" if {*present} >= {*pod.players} else "average_plus", gone)


def closed(
    pod: Pod,
    result: Result | None,
    present: Collection[Player],
    gone: Collection[Player] = (),
    verdict: Verdict = "average",
) -> Event:
    """Rule on a match that is over: its deals count if they make at least one full rotation.

    `result`: the deals so far. `present`: the players who were there; if the deals do not count, they get
    this verdict. `gone`: the players who have left the season.
    """
    if result is None or len(result.deals) < len(result.players):
        return _ruling(pod, present, verdict, gone)
    return ResultCorrected(pod.id, pod.result, result) if pod.result else MatchFinished(pod.id, result)


def another_sheet(pod: Pod, result: Result) -> ResultCorrected:
    """Return the entry of a whole result, from another sheet: what was ruled on deals of the old one goes with it."""
    return ResultCorrected(pod.id, pod.result, result, void=(), former_void=tuple(sorted(pod.void)))


def _ruling(pod: Pod, present: Collection[Player], verdict: Verdict, gone: Collection[Player]) -> Adjudicated:
    verdicts: dict[Player, Verdict] = {
        player: verdict if player in present else "nothing" if player in gone else "no_show"
        for player in pod.players
    }
    return Adjudicated(pod.id, verdicts, dict(pod.verdicts) or None)


class InvalidReportError(Exception):
    """The report cannot be a result of the match, which has `least` to `most` deals of `seats` points each."""

    def __init__(self, seats: int, least: int, most: int) -> None:
        super().__init__(f"{least} to {most} deals of {seats} points that add up to nothing")
        self.seats, self.least, self.most = seats, least, most


def report(
    pod: Pod,
    player: Player,
    deals: Sequence[Sequence[int]],
    absent: Collection[Player],
    settings: SeasonSettings,
) -> ResultReported:
    """Return the report of a match: the points of every deal by seat, without the seats of `absent` players.

    At least one full rotation must be played, as for a match that was stopped. Raises InvalidReportError.
    """
    players = tuple(player for player in pod.players if player not in absent)
    least, most = len(players), settings.deals(len(players)) if len(players) > 1 else 0
    fits = all(len(points) == len(players) and not sum(points) for points in deals)
    if len(players) < 2 or not fits or not least <= len(deals) <= most:
        raise InvalidReportError(len(players), least, most)
    result = Result(players, tuple(tuple(points) for points in deals), reported=True)
    return ResultReported(pod.id, player, result)


def to_answer(pod: Pod) -> tuple[Player, ...]:
    """Return the players who have neither confirmed nor rejected the report, by seat."""
    told = pod.report
    return () if told is None else tuple(player for player in pod.players if player not in told.agreed)


def is_limited(pod: Pod, settings: SeasonSettings) -> bool:
    """Return whether the report of a pod is disputed, and the staff have a limited time to decide."""
    return pod.report is not None and pod.report.against is not None and settings.dispute_hours > 0


def called_again_at(due: int, settings: SeasonSettings) -> int:
    """Return when the staff are called again, in UTC milliseconds: after a day, or half of their time.

    Both count from the objection. `due` is that of the disputed report.
    """
    limit = settings.dispute_hours * HOUR
    return due - limit + min(DAY, limit // 2 or DAY)


def unplayed(pod: Pod) -> Adjudicated:
    """Return the ruling on an undecided dispute: all get their own mean, as for a match that was stopped."""
    return Adjudicated(pod.id, dict.fromkeys(pod.players, "average"), dict(pod.verdicts) or None)


def counted(pod: Pod, now: int, answering: Collection[Player], settings: SeasonSettings) -> list[Event]:
    """Return the events of a report that counts by now: the result and the no-shows, or none.

    After an objection, it is the ruling once the staff's time is over. `answering` are the players whose
    answers are awaited: all who have not left the season. No one expected the others to come.
    """
    told = pod.report
    if told is None or pod.over:
        return []
    if told.against is not None:
        return [unplayed(pod)] if is_limited(pod, settings) and now >= told.due else []
    if set(to_answer(pod)) & set(answering) and now < told.due:
        return []
    absent = [player for player in answering if player not in told.result.players]
    return [*(NoShowBooked(pod.id, player) for player in absent), MatchFinished(pod.id, told.result)]
