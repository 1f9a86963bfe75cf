"""The calendar of a season, computed from its start, the deadlines of its drawn rounds, and its settings.

A round is drawn at the deadline of the round before it, and check-in opens some hours earlier. The deadlines
of drawn rounds are stored. Later deadlines follow from the last stored one, at the league's draw hour in its
own time zone. Matches that run at the deadline have some hours to finish.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, Literal

from data.season_rows import PodTimeRow, SeasonRow
from league.events import PodId
from league.results import Player
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
"""The least loss of time, in milliseconds, for which a check-in is extended."""
LATE_MS: Final = 5 * MINUTE
"""The longest delay, in milliseconds, after which attendance is still checked, and the shortest outage that excuses players."""
SOON_MS: Final = 15 * MINUTE
"""How long before the time agreed on by their pod players are reminded, in milliseconds."""
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
"""The order of steps at the same moment.

A round ends before the next is drawn; attendance is checked before the round ends.
"""


@dataclass(frozen=True, slots=True)
class SeasonStep:
    """Something due at a moment, in milliseconds of UTC."""

    at: int
    what: What
    round: int = 0
    pod: PodId = 0
    hours: int = 0
    """For a reminder, how many hours before the event it is sent."""

    def concerns(self, pod: Pod) -> bool:
        """Return whether the step concerns this pod: its own, or its round if the pod has no own deadline."""
        return pod.id == self.pod if self.pod else pod.round == self.round and not pod.due


def first_draw(created_at: int, settings: SeasonSettings, rested_from: int | None = None) -> int:
    """Return when the first round is drawn, or a ladder begins.

    `rested_from` is when the season before it was closed.
    """
    signed_up = settings.format.signup_days(settings) * DAY
    rested = 0 if rested_from is None else rested_from + settings.rest_weeks * 7 * DAY
    earliest = max(created_at + signed_up, rested)
    return next_draw_hour(earliest, settings) if settings.format.has_draw else earliest


def next_draw_hour(earliest: int, settings: SeasonSettings) -> int:
    """Return the first draw hour of the league at or after `earliest`."""
    today = at_hour(earliest, settings.timezone, settings.draw_hour)
    return today if today >= earliest else at_hour(earliest, settings.timezone, settings.draw_hour, days=1)


def first_draw_moved(starts_at: int, before: SeasonSettings, settings: SeasonSettings, now: int) -> int:
    """Return the first draw on the same day at another hour or in another time zone.

    If that time has passed, return the next such hour.
    """
    day = local(starts_at, before.timezone).date()
    return next_draw_hour(max(now, on_day(day, settings.timezone, settings.draw_hour)), settings)


def delayed(moment: int, settings: SeasonSettings) -> int:
    """Return when a draw delayed until `moment` takes place.

    That is at once during the hours of play, else at the next draw hour.
    """
    first, last = settings.play_hours
    at_once = settings.is_sitting or first <= local(moment, settings.timezone).hour < last
    return moment if at_once else next_draw_hour(moment, settings)


def after_rounds(moment: int, settings: SeasonSettings, count: int) -> int:
    """Return when this many rounds are over if the first begins at `moment`."""
    if settings.is_sitting:
        return moment + count * settings.round_minutes * MINUTE
    days = count * settings.round_days
    if not settings.format.has_draw:
        return days_later(moment, settings.timezone, days)
    return at_hour(moment, settings.timezone, settings.draw_hour, days) if count else moment


def played_within(season: Season) -> int:
    """Return how long a round lasts, in milliseconds."""
    settings = season.settings
    return settings.round_minutes * MINUTE if settings.is_sitting else settings.round_days * DAY


def draw_at(row: SeasonRow, season: Season, number: int) -> int:
    """Return when a round is drawn. The number after the last round stands for the end of the season."""
    drawn = min(number - 1, season.drawn)
    begun = season.rounds[drawn].due if drawn else row.starts_at
    return after_rounds(begun, season.settings, number - 1 - drawn)


def opens_at(row: SeasonRow, season: Season, number: int) -> int:
    """Return when check-in for a round opens. For the first round it is the confirmation of sign-ups."""
    return draw_at(row, season, number) - _check_in_ms(season.settings, number)


def draw_after_check_in(settings: SeasonSettings, number: int, now: int) -> int:
    """Return the first draw hour for a round that leaves the whole time to check in; in one sitting, a minute later."""
    if settings.is_sitting and number > 1:
        return now + MINUTE
    return next_draw_hour(now + max(MINUTE, _check_in_ms(settings, number)), settings)


def missed_draw_moved(row: SeasonRow, season: Season, now: int) -> int | None:
    """Return when the next round is drawn if its time has passed without a draw; None if it has not, or no round is left.

    Its time can pass while the round does not exist yet, or too few players are in.
    """
    settings, number = season.settings, season.drawn + 1
    if not settings.format.has_draw or number > settings.rounds:
        return None
    is_missed = draw_at(row, season, number) <= row.acted_until and number not in season.to_redraw
    return draw_after_check_in(settings, number, now) if is_missed else None


def _check_in_ms(settings: SeasonSettings, number: int) -> int:
    return (settings.confirm_hours if number == 1 else settings.checkin_hours) * HOUR


def _check_in_reminders(settings: SeasonSettings, number: int) -> list[int]:
    """Return how many hours before the draw players are reminded of a check-in, which has to be open by then."""
    return [hours for hours in settings.reminder_hours if hours * HOUR < _check_in_ms(settings, number)]


def last_reminder(settings: SeasonSettings, number: int) -> int:
    """Return how many hours before the draw the last reminder of a check-in is sent; 0 if its opening is the only one."""
    return min(_check_in_reminders(settings, number), default=0)


def due_at(row: SeasonRow, season: Season, number: int) -> int:
    """Return the deadline of a round: its own once it is drawn, or the end of the season."""
    drawn = season.rounds.get(number)
    if season.settings.format.plays_to_the_end and not (drawn and drawn.stage):
        return draw_at(row, season, season.settings.rounds + 1)
    return draw_at(row, season, number + 1) if drawn is None else drawn.due


def pod_due_at(row: SeasonRow, season: Season, pod: Pod) -> int:
    """Return the deadline of a pod."""
    return pod.due or due_at(row, season, pod.round)


def has_time_to_play(row: SeasonRow, season: Season, pod: Pod, now: int) -> bool:
    """Return whether a match that is given back to its players can be expected of them before its deadline.

    They have to learn of it, as of a proposed time. In one sitting they are there, and only have to come to the table.
    """
    if (
        not (season.open and season.settings.format.has_draw)
        or pod_due_at(row, season, pod) <= row.acted_until
    ):
        return False
    answer = 0 if season.settings.is_sitting else season.settings.answer_hours * HOUR
    latest = min(latest_time(row, season, pod), pod_due_at(row, season, pod) - answer)
    return (now if season.paused_at is None else season.paused_at) <= latest


def latest_time(row: SeasonRow, season: Season, pod: Pod) -> int:
    """Return the latest time that a pod can agree on.

    Attendance has to be checked and substitutes may come before the pod's deadline.
    """
    return pod_due_at(row, season, pod) - 2 * season.settings.no_show_minutes * MINUTE


def boundaries(row: SeasonRow, season: Season) -> list[int]:
    """Return every draw and every future deadline, of rounds, finals, pods and reports, in order."""
    settings = season.settings
    if not settings.format.has_draw:
        return []
    draws = (draw_at(row, season, number) for number in range(1, settings.rounds + 1))
    waiting = [pod for pod in season.pods.values() if not pod.over]
    dues = (pod_due_at(row, season, pod) for pod in waiting)
    reports = (pod.report.due for pod in waiting if pod.report and _is_timed(pod, settings))
    return sorted({*draws, *dues, *reports})


def put_off_by(row: SeasonRow, season: Season, away_from: int, now: int) -> int:
    """Return how long a season is postponed after an outage from `away_from` until now, in milliseconds.

    It is the whole outage if a draw or a deadline fell into it, else the time that a check-in lost. Less than
    half an hour counts as nothing. A sitting that has begun loses every outage of at least five minutes: its rounds
    are short, and everyone waits for them.
    """
    settings, in_sitting = season.settings, season.settings.is_sitting and season.drawn > 0
    if now - away_from < (LATE_MS if in_sitting else _WORTH_IT) or season.paused_at is not None:
        return 0
    if in_sitting:
        return now - away_from if any(at > row.acted_until for at in boundaries(row, season)) else 0
    if any(row.acted_until < at <= now for at in boundaries(row, season)):
        return now - away_from
    number = season.drawn + 1
    if number <= settings.rounds and settings.checks_in(number):
        lost = now - max(away_from, opens_at(row, season, number))
        return lost if lost >= _WORTH_IT else 0
    return 0


def steps(row: SeasonRow, season: Season, times: Iterable[PodTimeRow] = ()) -> list[SeasonStep]:
    """Return every step of the season's calendar, past and future, in order; none while it is paused.

    Once it is closed, only reports are still waited for. If it was closed while paused, they had no less time for that.
    """
    settings = season.settings
    reports = chain.from_iterable(_report(pod, settings) for pod in season.pods.values())
    if not season.open:
        later = 0 if season.paused_at is None else (row.closed_at or 0) - season.paused_at
        return _in_order(replace(step, at=step.at + later) for step in reports if step.what == "report")
    if season.paused_at is not None:
        return []
    if not settings.format.has_draw:
        return [SeasonStep(draw_at(row, season, settings.rounds + 1), "end")]
    rounds = chain.from_iterable(_round(row, season, number) for number in range(1, settings.rounds + 1))
    stages = (_playing(drawn.round, drawn.due, settings) for drawn in season.rounds.values() if drawn.stage)
    again = (_playing(pod.round, pod.due, settings, pod.id) for pod in season.pods.values() if pod.due)
    agreed = (_meeting(time, season) for time in times)
    found = chain(
        rounds, chain.from_iterable(stages), chain.from_iterable(again), chain.from_iterable(agreed), reports
    )
    return _in_order(found)


def _in_order(found: Iterable[SeasonStep]) -> list[SeasonStep]:
    return sorted(found, key=lambda step: (step.at, _ORDER.index(step.what), step.round, step.pod))


def soonest(row: SeasonRow, season: Season, times: Iterable[PodTimeRow] = ()) -> list[SeasonStep]:
    """Return the steps of the next moment that were not acted on, or the draw of a round that is to be drawn again."""

    def is_left(step: SeasonStep) -> bool:
        return step.at > row.acted_until or (step.what == "draw" and step.round in season.to_redraw)

    to_come = [step for step in steps(row, season, times) if is_left(step)]
    return [step for step in to_come if step.at == to_come[0].at]


def _round(row: SeasonRow, season: Season, number: int) -> Iterator[SeasonStep]:
    settings, drawn = season.settings, draw_at(row, season, number)
    if settings.checks_in(number):
        opens = opens_at(row, season, number)
        yield SeasonStep(opens, "check_in", number)
        for hours in _check_in_reminders(settings, number):
            yield SeasonStep(drawn - hours * HOUR, "remind_in", number, hours=hours)
    yield SeasonStep(drawn, "draw", number)
    yield from _playing(number, due_at(row, season, number), settings)


def _playing(number: int, due: int, settings: SeasonSettings, pod: PodId = 0) -> Iterator[SeasonStep]:
    for hours in settings.reminder_hours:
        yield SeasonStep(due - hours * HOUR, "remind_play", number, pod, hours)
    yield SeasonStep(due, "due", number, pod)
    yield SeasonStep(due + settings.extra_hours * HOUR, "stop", number, pod)


def _is_timed(pod: Pod, settings: SeasonSettings) -> bool:
    """Return whether a pod's report has an automatic consequence."""
    return pod.report is not None and (pod.report.against is None or is_limited(pod, settings))


def _report(pod: Pod, settings: SeasonSettings) -> Iterator[SeasonStep]:
    """Yield when a report counts; for a dispute, when the staff are called again and when it ends."""
    if pod.report is not None and pod.report.against is not None:
        yield SeasonStep(called_again_at(pod.report.due, settings), "dispute", pod.round, pod.id)
    if pod.report is not None and _is_timed(pod, settings):
        yield SeasonStep(pod.report.due, "report", pod.round, pod.id)


def holds_from(season: Season, pod: Pod, time: PodTimeRow) -> int | None:
    """Return when a proposed time becomes fixed if no one proposes another; None if more have to agree."""
    return time.proposal.holds_from(answering(season, pod), season.settings.answer_hours * HOUR)


def answering(season: Season, pod: Pod) -> tuple[Player, ...]:
    """Return whose answers to a proposed time count: nobody waits for players who have left the season.

    A single player who is left has nobody to agree with.
    """
    staying = tuple(player for player in pod.players if not season.has_left(player))
    return staying if len(staying) > 1 else pod.players


def seen_until(season: Season, time: PodTimeRow) -> int:
    """Return when attendance at an agreed time is checked."""
    return time.proposal.at + season.settings.no_show_minutes * MINUTE


def begun_at(season: Season, time: PodTimeRow) -> int:
    """Return when those who came to an agreed time begin. Substitutes have had as long to come as the players."""
    return 2 * seen_until(season, time) - time.proposal.at


def lost_times(season: Season, times: Iterable[PodTimeRow], away_from: int, now: int) -> list[PodTimeRow]:
    """Return the agreed times of matches to which someone could not come, because of an outage from `away_from` until now.

    A time is kept if attendance was checked before the outage and those who came can still begin. A match that was reported needs none.
    """
    if now - away_from < LATE_MS:
        return []
    return [
        time
        for time in times
        if (pod := season.pods.get(time.pod)) is not None
        and not (pod.over or pod.report)
        and pod.table is None
        and holds_from(season, pod, time) is not None
        and time.proposal.at <= now
        and begun_at(season, time) >= away_from
        and not (seen_until(season, time) <= away_from and now - begun_at(season, time) < LATE_MS)
    ]


def _meeting(time: PodTimeRow, season: Season) -> Iterator[SeasonStep]:
    """Yield the steps of an agreed time.

    Attendance is checked first. Then substitutes have as long again to come before the others begin. A match that was
    reported has been played: no one has to come.
    """
    pod = season.pods.get(time.pod)
    begins = None if pod is None or pod.over or pod.report else holds_from(season, pod, time)
    if pod is None or begins is None:
        return
    if begins > time.proposal.since:
        yield SeasonStep(begins, "settled", pod.round, time.pod)
    yield SeasonStep(time.proposal.at - SOON_MS, "time", pod.round, time.pod)
    yield SeasonStep(seen_until(season, time), "missing", pod.round, time.pod)
    yield SeasonStep(begun_at(season, time), "start", pod.round, time.pod)
