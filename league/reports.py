"""Matches played with real cards: one of the pod reports the result, the others confirm it, or one objects.

A report counts when all others have confirmed it, and by itself after `report_hours` in which nobody has objected.
After an objection those who look after the league decide, unless somebody of the pod reports anew. Whoever starts to
play at the pod's table in chat has taken the report back.
"""

from collections.abc import Collection, Sequence

from league.events import Event, MatchFinished, NoShowBooked, Result, ResultReported
from league.results import Player
from league.season import Pod
from league.settings import SeasonSettings


class InvalidReportError(Exception):
    """A report that cannot be the result of the match: `least` to `most` deals, each by `seats` points."""

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
    """The report of a match: the points of every deal by seat, without the seats of those who were `absent`.

    At least one full rotation has to be played, as where a match was stopped. Raises InvalidReportError.
    """
    players = tuple(player for player in pod.players if player not in absent)
    least, most = len(players), settings.deals(len(players)) if len(players) > 1 else 0
    fits = all(len(points) == len(players) and not sum(points) for points in deals)
    if len(players) < 2 or not fits or not least <= len(deals) <= most:
        raise InvalidReportError(len(players), least, most)
    result = Result(players, tuple(tuple(points) for points in deals), reported=True)
    return ResultReported(pod.id, player, result)


def to_answer(pod: Pod) -> tuple[Player, ...]:
    """Who has not said yet whether the report is right, by seat."""
    told = pod.report
    return () if told is None else tuple(player for player in pod.players if player not in told.agreed)


def counted(pod: Pod, now: int, answering: Collection[Player]) -> list[Event]:
    """The result and who has not shown up, where the report counts by now; else nothing.

    `answering` are those whose word is waited for: whoever has left the season is not.
    """
    told = pod.report
    if told is None or told.against is not None or pod.over:
        return []
    if set(to_answer(pod)) & set(answering) and now < told.due:
        return []
    absent = [player for player in pod.players if player not in told.result.players]
    return [*(NoShowBooked(pod.id, player) for player in absent), MatchFinished(pod.id, told.result)]
