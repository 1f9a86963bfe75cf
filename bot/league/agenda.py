"""What happens in a season and when: worked out from its start and its settings, so nothing of it has to be remembered.

The moments of round r: check-in opens some hours before its draw, the draw is (r - 1) rounds after the start, its
deadline one round later, which is the draw of the next. Matches that run at the deadline may finish for some hours.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal

from data.season_rows import PodTimeRow, SeasonRow
from league.events import PodId
from league.season import Pod, Season
from league.settings import SeasonSettings

What = Literal[
    "check_in", "remind_in", "draw", "remind_play", "due", "stop", "time", "missing", "report", "end"
]
_MINUTE: Final = 60_000
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR
_WORTH_IT: Final = 30 * _MINUTE
"""What is lost of a check-in for less is made up for by nothing."""
SOON_MS: Final = 15 * _MINUTE
"""How long before the time that a pod has agreed on its players are reminded."""
_ORDER: Final = (
    "report",
    "due",
    "stop",
    "draw",
    "check_in",
    "remind_in",
    "remind_play",
    "time",
    "missing",
    "end",
)
"""At the same moment a round ends before the next is drawn."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that is to happen at a moment, in milliseconds of UTC."""

    at: int
    what: What
    round: int = 0
    pod: PodId = 0
    hours: int = 0
    """Of a reminder: how long before."""

    def concerns(self, pod: Pod) -> bool:
        """Whether it is about this pod: about its round, unless the pod has a deadline of its own."""
        return pod.id == self.pod if self.pod else pod.round == self.round and not pod.due


def first_draw(created_at: int, settings: SeasonSettings, rested_from: int | None = None) -> int:
    """When the first round is drawn, or a ladder begins; `rested_from` is when the season before it was closed."""
    signed_up = settings.format.signup_days(settings) * _DAY
    rested = 0 if rested_from is None else rested_from + settings.rest_weeks * 7 * _DAY
    return max(created_at + signed_up, rested)


def draw_at(row: SeasonRow, settings: SeasonSettings, number: int) -> int:
    """When a round is drawn."""
    return row.starts_at + (number - 1) * settings.round_days * _DAY


def opens_at(row: SeasonRow, settings: SeasonSettings, number: int) -> int:
    """When check-in for a round opens; for the first one it is the confirmation of sign-ups."""
    hours = settings.confirm_hours if number == 1 else settings.checkin_hours
    return draw_at(row, settings, number) - hours * _HOUR


def due_at(row: SeasonRow, season: Season, number: int) -> int:
    """Until when a round is played: stages of the finals know it themselves, other rounds until the next draw."""
    drawn = season.rounds.get(number)
    if drawn is not None and drawn.stage:
        return drawn.due * 1000
    return draw_at(row, season.settings, number + 1)


def pod_due_at(row: SeasonRow, season: Season, pod: Pod) -> int:
    """Until when a pod plays."""
    return pod.due * 1000 or due_at(row, season, pod.round)


def boundaries(row: SeasonRow, season: Season) -> list[int]:
    """Every draw, and every deadline that somebody has still to keep: of rounds, finals, pods, reports; in order."""
    settings = season.settings
    if not settings.format.has_draw:
        return []
    draws = (draw_at(row, settings, number) for number in range(1, settings.rounds + 1))
    waiting = [own for own in season.pods.values() if not own.over]
    dues = (pod_due_at(row, season, own) for own in waiting)
    reports = (own.report.due * 1000 for own in waiting if own.report and own.report.against is None)
    return sorted({*draws, *dues, *reports})


def put_off_by(row: SeasonRow, season: Season, away_from: int, now: int) -> int:
    """By how much a season is put off because the bot was away from a moment until now.

    By all of it where a draw or a deadline fell into it; by what it took of a check-in; by nothing for less than half
    an hour.
    """
    if now - away_from < _WORTH_IT:
        return 0
    if any(row.acted_until < at <= now for at in boundaries(row, season)):
        return now - away_from
    settings, number = season.settings, season.drawn + 1
    if number <= settings.rounds and settings.checks_in(number):
        lost = now - max(away_from, opens_at(row, settings, number))
        return lost if lost >= _WORTH_IT else 0
    return 0


def steps(row: SeasonRow, season: Season, times: Iterable[PodTimeRow] = ()) -> list[Step]:
    """Everything that the season's calendar holds, past and to come, in order."""
    settings = season.settings
    if not settings.format.has_draw:
        return [Step(draw_at(row, settings, settings.rounds + 1), "end")]
    rounds = chain.from_iterable(_round(row, settings, number) for number in range(1, settings.rounds + 1))
    stages = (_playing(own.round, own.due * 1000, settings) for own in season.rounds.values() if own.stage)
    again = (_playing(own.round, own.due * 1000, settings, own.id) for own in season.pods.values() if own.due)
    agreed = (_meeting(own, season) for own in times)
    reports = (
        Step(own.report.due * 1000, "report", own.round, own.id)
        for own in season.pods.values()
        if own.report and own.report.against is None
    )
    found = chain(
        rounds, chain.from_iterable(stages), chain.from_iterable(again), chain.from_iterable(agreed), reports
    )
    return sorted(found, key=lambda step: (step.at, _ORDER.index(step.what), step.round, step.pod))


def _round(row: SeasonRow, settings: SeasonSettings, number: int) -> Iterator[Step]:
    drawn = draw_at(row, settings, number)
    if settings.checks_in(number):
        opens = opens_at(row, settings, number)
        yield Step(opens, "check_in", number)
        for hours in settings.reminder_hours:
            if drawn - hours * _HOUR > opens:
                yield Step(drawn - hours * _HOUR, "remind_in", number, hours=hours)
    yield Step(drawn, "draw", number)
    yield from _playing(number, draw_at(row, settings, number + 1), settings)


def _playing(number: int, due: int, settings: SeasonSettings, pod: PodId = 0) -> Iterator[Step]:
    for hours in settings.reminder_hours:
        yield Step(due - hours * _HOUR, "remind_play", number, pod, hours)
    yield Step(due, "due", number, pod)
    yield Step(due + settings.extra_hours * _HOUR, "stop", number, pod)


def _meeting(own: PodTimeRow, season: Season) -> Iterator[Step]:
    pod = season.pods.get(own.pod)
    if pod is not None and not pod.over and set(pod.players) <= set(own.agreed):
        yield Step(own.at - SOON_MS, "time", pod.round, own.pod)
        yield Step(own.at + season.settings.no_show_minutes * _MINUTE, "missing", pod.round, own.pod)
