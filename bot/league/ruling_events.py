"""The rulings of a league's staff, each as an event. All functions raise UserError for a ruling that is not possible."""

from collections.abc import Collection
from dataclasses import replace

from bot.errors import UserError
from data.season_rows import SeasonEventRow
from league.events import (
    AbsenceBooked,
    Adjudicated,
    DealVoided,
    Event,
    MatchFinished,
    NoShowBooked,
    PenaltyAdded,
    PodId,
    PodReopened,
    Result,
    ResultCorrected,
    RoundCancelled,
    RoundDrawn,
    SeasonClosed,
    SubstituteSet,
    Withdrawn,
)
from league.results import Player
from league.rulings import fallen_apart
from league.season import Pod, Season
from league.undoing import inverse
from marriage.rules import SEATS_MIN

MOST_POINTS = 10_000
_BY_RULE = (MatchFinished, ResultCorrected, Adjudicated, NoShowBooked, AbsenceBooked, SeasonClosed)
"""What happens by itself, and staff may take back like their own acts."""
_MOST_NET = 1_000


class InvalidPointsError(Exception):
    """The points are not one number for each of these players, by seat, that add up to 0."""

    def __init__(self, players: tuple[Player, ...]) -> None:
        super().__init__(f"points of {players}")
        self.players = players


def corrected(season: Season, pod_id: PodId, deal: int, typed: str) -> Event:
    """A corrected deal (1 the first): the points by seat, which add up to 0.

    Raises InvalidPointsError.
    """
    pod = _pod(season, pod_id)
    points = read_points(typed)
    if pod.result is None or not 1 <= deal <= len(pod.result.deals):
        raise UserError("league.no_deal", pod=pod_id, deal=deal)
    if len(points) != len(pod.result.players) or sum(points):
        raise InvalidPointsError(pod.result.players)
    deals = (*pod.result.deals[: deal - 1], points, *pod.result.deals[deal:])
    return ResultCorrected(pod_id, pod.result, replace(pod.result, deals=deals))


def entered(season: Season, pod_id: PodId, typed: str, missing: Collection[Player] = ()) -> Event:
    """The result of a match: deals separated by `;`, each with the points by seat of those who played.

    It takes the place of any ruling on the match. The `missing` players did not come; those of them who have left the
    season are no no-shows. Raises InvalidPointsError.
    """
    pod = _pod(season, pod_id)
    if not set(missing) <= set(pod.players):
        raise UserError("league.not_in_pod", pod=pod_id)
    players = tuple(player for player in pod.players if player not in missing)
    deals = tuple(read_points(part) for part in typed.split(";") if part.strip())
    if len(players) < SEATS_MIN:
        raise UserError("league.too_few_came", pod=pod_id)
    if not deals or any(len(points) != len(players) or sum(points) for points in deals):
        raise InvalidPointsError(players)
    absent = tuple(player for player in pod.players if player in missing and not season.has_left(player))
    return ResultCorrected(pod_id, pod.result, Result(players, deals, entered=True, absent=absent))


def voided(season: Season, pod_id: PodId, deal: int) -> Event:
    """A deal (1 the first) is void."""
    pod = _pod(season, pod_id)
    if pod.result is None or not 1 <= deal <= len(pod.result.deals) or deal - 1 in pod.void:
        raise UserError("league.no_deal", pod=pod_id, deal=deal)
    return DealVoided(pod_id, deal - 1)


def penalised(season: Season, player: Player | None, points: int, conduct: int) -> Event:
    """A penalty: a deduction in whole league points, and conduct points."""
    if player is None or player not in season.members or not 0 <= 100 * points <= MOST_POINTS:
        raise UserError("league.not_a_member")
    if not points and not conduct:
        raise UserError("league.no_penalty")
    number = max(season.penalties, default=0) + 1
    return PenaltyAdded(number, player, max(season.drawn, 1), -100 * points, conduct)


def ruled(season: Season, pod_id: PodId, missing: Collection[Player]) -> Event:
    """A match that was not played: the `missing` players are no-shows, the others get Average+."""
    pod = _pod(season, pod_id)
    if pod.result is not None:
        raise UserError("league.has_result", pod=pod_id)
    if not set(missing) <= set(pod.players):
        raise UserError("league.not_in_pod", pod=pod_id)
    gone = [player for player in pod.players if season.has_left(player) and player not in missing]
    there = [player for player in pod.players if player not in missing and player not in gone]
    return fallen_apart(pod, there, gone)


def reopened(season: Season, pod_id: PodId, due: int) -> Event:
    """A match is to be played after all, by a deadline in seconds of UTC; its table has been closed."""
    pod = _pod(season, pod_id)
    if pod.result is not None:
        raise UserError("league.begun_or_over", pod=pod_id)
    if not pod.stage and any(drawn.stage for drawn in season.rounds.values()):
        raise UserError("league.finals_drawn", pod=pod_id)
    if len(pod.players) - sum(map(season.has_left, pod.players)) < SEATS_MIN:
        raise UserError("league.too_few_left", pod=pod_id)
    return PodReopened(pod_id, due)


def withdrawn(season: Season, player: Player | None) -> Event:
    """A player is withdrawn from the season."""
    if player is None or player not in season.members or season.members[player].withdrawn is not None:
        raise UserError("league.not_a_member")
    return Withdrawn(player)


def substituted(season: Season, pod_id: PodId, player: Player | None, other: Player | None) -> Event:
    """A player takes another's seat before the match has begun."""
    pod = _pod(season, pod_id)
    if player is None or other is None or player not in pod.players or other in pod.players:
        raise UserError("league.not_in_pod", pod=pod_id)
    if pod.over or pod.table is not None:
        raise UserError("league.over_ruled" if pod.over else "league.begun", pod=pod_id)
    return SubstituteSet(pod_id, player, other)


def undone(entries: Collection[SeasonEventRow], number: int) -> Event:
    """The inverse of the event with that number, if it was not taken back yet."""
    row = next((entry for entry in entries if entry.id == number), None)
    event = None if row is None else _inverse(row, {entry.corrects for entry in entries})
    if event is None:
        raise UserError("league.stands", number=number)
    return event


def undoable(entries: Collection[SeasonEventRow]) -> list[SeasonEventRow]:
    """Everything that has moved points and can still be taken back, the latest first: rulings, results, no-shows, absences."""
    corrected = {entry.corrects for entry in entries}
    acts = (row for row in entries if row.staff or isinstance(row.body, _BY_RULE))
    return [row for row in acts if _inverse(row, corrected) is not None][::-1]


def _inverse(row: SeasonEventRow, corrected: Collection[int | None]) -> Event | None:
    """The inverse of an event; None if it was taken back already, or cannot be."""
    if row.id in corrected:
        return None
    event = inverse(row.body)
    return None if isinstance(event, RoundCancelled | RoundDrawn) else event


def _pod(season: Season, pod_id: PodId) -> Pod:
    pod = season.pods.get(pod_id)
    if pod is None:
        raise UserError("league.no_pod", pod=pod_id)
    return pod


def read_points(typed: str) -> tuple[int, ...]:
    """Integers separated by spaces or commas; raises UserError."""
    try:
        numbers = tuple(int(word.replace("−", "-")) for word in typed.replace(",", " ").split())
    except ValueError:
        numbers = ()
    if not numbers or any(abs(number) > _MOST_NET for number in numbers):
        raise UserError("league.unread_points")
    return numbers
