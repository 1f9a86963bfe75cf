"""Matches played with real cards: a player of the pod reports the result, and the others confirm it or object.

A report counts when all others have confirmed it, or after `report_hours` without an objection. After an objection
the staff of the league decides, unless a player of the pod reports again. Starting to play at the pod's table in chat
withdraws the report. If neither happens within `dispute_hours`, the match does not count: no one wins by a false
report. Who lost may lose less by a false objection, which only the staff can tell from an honest one.
"""

from collections.abc import Collection, Sequence

from league.events import Adjudicated, Event, MatchFinished, NoShowBooked, Result, ResultReported
from league.results import Player
from league.season import Pod
from league.settings import SeasonSettings
from league.times import DAY, HOUR


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
    """The report of a match: the points of every deal by seat, without the seats of players who were `absent`.

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
    """The players who have neither confirmed nor rejected the report, by seat."""
    told = pod.report
    return () if told is None else tuple(player for player in pod.players if player not in told.agreed)


def is_limited(pod: Pod, settings: SeasonSettings) -> bool:
    """Return whether the report of a pod is disputed, and the staff have a limited time to decide."""
    return pod.report is not None and pod.report.against is not None and settings.dispute_hours > 0


def called_again_at(due: int, settings: SeasonSettings) -> int:
    """When the staff are called a second time, in milliseconds of UTC: a day after the objection, or half of their time.

    `due` is that of the disputed report.
    """
    limit = settings.dispute_hours * HOUR
    return due - limit + min(DAY, limit // 2 or DAY)


def unplayed(pod: Pod) -> Adjudicated:
    """The ruling on a dispute that no one has decided: all get their own mean, as for a match that was stopped."""
    return Adjudicated(pod.id, dict.fromkeys(pod.players, "average"), dict(pod.verdicts) or None)


def counted(pod: Pod, now: int, answering: Collection[Player], settings: SeasonSettings) -> list[Event]:
    """The events of a report that counts by now: the result, and who did not show up. Empty if it does not count yet.

    After an objection, the ruling once the time of the staff is over. `answering` are the players whose answers are awaited: all who have not left the season.
    """
    told = pod.report
    if told is None or pod.over:
        return []
    if told.against is not None:
        return [unplayed(pod)] if is_limited(pod, settings) and now >= told.due else []
    if set(to_answer(pod)) & set(answering) and now < told.due:
        return []
    absent = [player for player in pod.players if player not in told.result.players]
    return [*(NoShowBooked(pod.id, player) for player in absent), MatchFinished(pod.id, told.result)]
