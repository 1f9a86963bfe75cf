"""The calendar of a season: computed from its start, the deadlines of its drawn rounds, and its settings.

A round is drawn at the deadline of the round before it, and check-in opens some hours earlier. The deadlines of drawn
rounds are stored; those to come follow from the last of them, at the hour of the day at which the league draws, in its
own time zone. Matches that run at the deadline have some hours to finish.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal

from data.season_rows import PodTimeRow, SeasonRow
from league.events import PodId
from league.rulings import called_again_at, is_limited
from league.season import Pod, Season
from league.settings import SeasonSettings
from league.times import DAY, HOUR, MINUTE, at_hour, days_later, local, on_day

What = Literal[
    "check_in",
    "remind_in",
    "draw",
    "remind_play",
    "due",
    "stop",
    "settled",
    "time",
    "missing",
    "start",
    "report",
    "dispute",
    "end",
]
_WORTH_IT: Final = 30 * MINUTE
"""A check-in that lost less time than this is not extended."""
SOON_MS: Final = 15 * MINUTE
"""Players are reminded this long before the time that their pod has agreed on."""
_ORDER: Final = (
    "dispute",
    "report",
    "missing",
    "start",
    "due",
    "stop",
    "draw",
    "check_in",
    "remind_in",
    "remind_play",
    "settled",
    "time",
    "end",
)
"""The order of steps at the same moment: a round ends before the next is drawn, and before it ends, it is seen who came."""


@dataclass(frozen=True, slots=True)
class SeasonStep:
    """Something due at a moment, in milliseconds of UTC."""

    at: int
    what: What
    round: int = 0
    pod: PodId = 0
    hours: int = 0
    """For a reminder: how many hours before."""

    def concerns(self, pod: Pod) -> bool:
        """Return whether the step concerns this pod: its round, unless the pod has a deadline of its own."""
        return pod.id == self.pod if self.pod else pod.round == self.round and not pod.due


def first_draw(created_at: int, settings: SeasonSettings, rested_from: int | None = None) -> int:
    """When the first round is drawn, or a ladder begins; `rested_from` is when the season before it was closed."""
    signed_up = settings.format.signup_days(settings) * DAY
    rested = 0 if rested_from is None else rested_from + settings.rest_weeks * 7 * DAY
    earliest = max(created_at + signed_up, rested)
    return next_draw_hour(earliest, settings) if settings.format.has_draw else earliest


def next_draw_hour(earliest: int, settings: SeasonSettings) -> int:
    """The first moment from `earliest` on at which the league draws."""
    today = at_hour(earliest, settings.timezone, settings.draw_hour)
    return today if today >= earliest else at_hour(earliest, settings.timezone, settings.draw_hour, days=1)


def first_draw_moved(starts_at: int, before: SeasonSettings, settings: SeasonSettings, now: int) -> int:
    """The first draw on the same day as before, at another hour or in another time zone; if that has passed, the next such hour."""
    day = local(starts_at, before.timezone).date()
    return next_draw_hour(max(now, on_day(day, settings.timezone, settings.draw_hour)), settings)


def delayed(moment: int, settings: SeasonSettings) -> int:
    """When a draw comes that is delayed until `moment`: at once in the hours of play, else at the next hour of draws."""
    first, last = settings.play_hours
    at_once = settings.is_sitting or first <= local(moment, settings.timezone).hour < last
    return moment if at_once else next_draw_hour(moment, settings)


def after_rounds(moment: int, settings: SeasonSettings, count: int) -> int:
    """When so many rounds are over that begin to be played at `moment`."""
    if settings.is_sitting:
        return moment + count * settings.round_minutes * MINUTE
    days = count * settings.round_days
    if not settings.format.has_draw:
        return days_later(moment, settings.timezone, days)
    return at_hour(moment, settings.timezone, settings.draw_hour, days) if count else moment


def played_within(season: Season) -> int:
    """How long a round gives people to play, in milliseconds."""
    settings = season.settings
    return settings.round_minutes * MINUTE if settings.is_sitting else settings.round_days * DAY


def draw_at(row: SeasonRow, season: Season, number: int) -> int:
    """When a round is drawn; the number after the last round is for the end of the season."""
    drawn = min(number - 1, season.drawn)
    begun = season.rounds[drawn].due if drawn else row.starts_at
    return after_rounds(begun, season.settings, number - 1 - drawn)


def opens_at(row: SeasonRow, season: Season, number: int) -> int:
    """When check-in for a round opens; for the first one it is the confirmation of sign-ups."""
    settings = season.settings
    hours = settings.confirm_hours if number == 1 else settings.checkin_hours
    return draw_at(row, season, number) - hours * HOUR


def due_at(row: SeasonRow, season: Season, number: int) -> int:
    """The deadline of a round: its own once it is drawn, or the end of the season."""
    drawn = season.rounds.get(number)
    if season.settings.format.plays_to_the_end and not (drawn and drawn.stage):
        return draw_at(row, season, season.settings.rounds + 1)
    return draw_at(row, season, number + 1) if drawn is None else drawn.due


def pod_due_at(row: SeasonRow, season: Season, pod: Pod) -> int:
    """The deadline of a pod."""
    return pod.due or due_at(row, season, pod.round)


def latest_time(row: SeasonRow, season: Season, pod: Pod) -> int:
    """The latest time that a pod can agree on: before its deadline it has to be seen who came, and substitutes may come."""
    return pod_due_at(row, season, pod) - 2 * season.settings.no_show_minutes * MINUTE


def boundaries(row: SeasonRow, season: Season) -> list[int]:
    """Every draw, and every deadline still to come: of rounds, finals, pods and reports, in order."""
    settings = season.settings
    if not settings.format.has_draw:
        return []
    draws = (draw_at(row, season, number) for number in range(1, settings.rounds + 1))
    waiting = [pod for pod in season.pods.values() if not pod.over]
    dues = (pod_due_at(row, season, pod) for pod in waiting)
    reports = (pod.report.due for pod in waiting if pod.report and _is_timed(pod, settings))
    return sorted({*draws, *dues, *reports})


def put_off_by(row: SeasonRow, season: Season, away_from: int, now: int) -> int:
    """By how much a season is postponed after an outage from `away_from` until now, in milliseconds.

    By all of the outage if a draw or a deadline fell into it; else by what a check-in lost. Less than half an hour
    counts as nothing.
    """
    if now - away_from < _WORTH_IT or season.paused_at is not None:
        return 0
    if any(row.acted_until < at <= now for at in boundaries(row, season)):
        return now - away_from
    settings, number = season.settings, season.drawn + 1
    if number <= settings.rounds and settings.checks_in(number):
        lost = now - max(away_from, opens_at(row, season, number))
        return lost if lost >= _WORTH_IT else 0
    return 0


def steps(row: SeasonRow, season: Season, times: Iterable[PodTimeRow] = ()) -> list[SeasonStep]:
    """Everything that the season's calendar holds, past and to come, in order; nothing while it is paused."""
    settings = season.settings
    if season.paused_at is not None:
        return []
    if not settings.format.has_draw:
        return [SeasonStep(draw_at(row, season, settings.rounds + 1), "end")]
    rounds = chain.from_iterable(_round(row, season, number) for number in range(1, settings.rounds + 1))
    stages = (_playing(drawn.round, drawn.due, settings) for drawn in season.rounds.values() if drawn.stage)
    again = (_playing(pod.round, pod.due, settings, pod.id) for pod in season.pods.values() if pod.due)
    agreed = (_meeting(time, season) for time in times)
    reports = chain.from_iterable(_report(pod, settings) for pod in season.pods.values())
    found = chain(
        rounds, chain.from_iterable(stages), chain.from_iterable(again), chain.from_iterable(agreed), reports
    )
    return sorted(found, key=lambda step: (step.at, _ORDER.index(step.what), step.round, step.pod))


def _round(row: SeasonRow, season: Season, number: int) -> Iterator[SeasonStep]:
    settings, drawn = season.settings, draw_at(row, season, number)
    if settings.checks_in(number):
        opens = opens_at(row, season, number)
        yield SeasonStep(opens, "check_in", number)
        for hours in settings.reminder_hours:
            if drawn - hours * HOUR > opens:
                yield SeasonStep(drawn - hours * HOUR, "remind_in", number, hours=hours)
    yield SeasonStep(drawn, "draw", number)
    yield from _playing(number, due_at(row, season, number), settings)


def _playing(number: int, due: int, settings: SeasonSettings, pod: PodId = 0) -> Iterator[SeasonStep]:
    for hours in settings.reminder_hours:
        yield SeasonStep(due - hours * HOUR, "remind_play", number, pod, hours)
    yield SeasonStep(due, "due", number, pod)
    yield SeasonStep(due + settings.extra_hours * HOUR, "stop", number, pod)


def _is_timed(pod: Pod, settings: SeasonSettings) -> bool:
    """Return whether something follows by itself from the report of a pod."""
    return pod.report is not None and (pod.report.against is None or is_limited(pod, settings))


def _report(pod: Pod, settings: SeasonSettings) -> Iterator[SeasonStep]:
    """When a report counts; or when the staff are called to a dispute again, and until when they may decide it."""
    if pod.report is not None and pod.report.against is not None:
        yield SeasonStep(called_again_at(pod.report.due, settings), "dispute", pod.round, pod.id)
    if pod.report is not None and _is_timed(pod, settings):
        yield SeasonStep(pod.report.due, "report", pod.round, pod.id)


def holds_from(season: Season, pod: Pod, time: PodTimeRow) -> int | None:
    """From when the time of a pod holds if no one proposes another one; None if more have to agree first."""
    return time.proposal.holds_from(pod.players, season.settings.answer_hours * HOUR)


def seen_until(season: Season, time: PodTimeRow) -> int:
    """When it is seen who came to a time."""
    return time.proposal.at + season.settings.no_show_minutes * MINUTE


def _meeting(time: PodTimeRow, season: Season) -> Iterator[SeasonStep]:
    """An agreed time: first it is seen who came; then substitutes have as long again to come before the others begin."""
    pod = season.pods.get(time.pod)
    begins = None if pod is None or pod.over else holds_from(season, pod, time)
    if pod is None or begins is None:
        return
    if begins > time.proposal.since:
        yield SeasonStep(begins, "settled", pod.round, time.pod)
    yield SeasonStep(time.proposal.at - SOON_MS, "time", pod.round, time.pod)
    yield SeasonStep(seen_until(season, time), "missing", pod.round, time.pod)
    yield SeasonStep(2 * seen_until(season, time) - time.proposal.at, "start", pod.round, time.pod)
