"""Rulings by fixed rules: who may play, and what becomes of a match that was not finished."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal

from league.events import Adjudicated, Event, MatchFinished, Result, ResultCorrected, Verdict
from league.results import Player
from league.season import Pod
from league.settings import SeasonSettings
from league.times import DAY

Refused = Literal["account", "server", "banned", "reliability", "role"]
_TRUST: Final = 4
"""Everybody starts with the credit of this many finished matches, out of one more."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """What decides whether a person may play; times are in milliseconds of UTC."""

    account_since: int
    member_since: int
    started: int = 0
    finished: int = 0
    """How many of the started matches they played to the end without being replaced."""
    banned: bool = False
    roles: frozenset[int] = frozenset()
    """The roles in the server."""


def reliability(started: int, finished: int) -> float:
    """The share of matches that a person finishes, from 0 to 1; it starts as if they had finished four of five."""
    return (finished + _TRUST) / (started + _TRUST + 1)


def refusal(candidate: Candidate, settings: SeasonSettings, now: int) -> Refused | None:
    """Why a person may not play; None if they may. To be checked again at the draw."""
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
    """A match that was not played: those present get Average+, the others are no-shows.

    `gone`: the players who have left the season; they are not no-shows, because no one expects them. If all are present,
    it is no one's fault, and all get their own mean: else a pod would gain by not playing.
    """
    return _ruling(pod, present, "average" if {*present} >= {*pod.players} else "average_plus", gone)


def closed(
    pod: Pod,
    result: Result | None,
    present: Collection[Player],
    gone: Collection[Player] = (),
    verdict: Verdict = "average",
) -> Event:
    """A match is over: its deals count if they make at least one full rotation.

    `result`: the deals so far. `present`: the players who were there; if the deals do not count, they get this verdict.
    `gone`: the players who have left the season.
    """
    if result is None or len(result.deals) < len(result.players):
        return _ruling(pod, present, verdict, gone)
    return ResultCorrected(pod.id, pod.result, result) if pod.result else MatchFinished(pod.id, result)


def _ruling(pod: Pod, present: Collection[Player], verdict: Verdict, gone: Collection[Player]) -> Adjudicated:
    verdicts: dict[Player, Verdict] = {
        player: verdict if player in present else "nothing" if player in gone else "no_show"
        for player in pod.players
    }
    return Adjudicated(pod.id, verdicts, dict(pod.verdicts) or None)
