"""A season as an iCalendar file (RFC 5545), for calendars that people have on their phones."""

from collections.abc import Iterator
from typing import Final

from icalendar import Calendar, Event

from bot.league.agenda import draw_at
from bot.league.meetings import is_agreed
from bot.league.season_view import SeasonView
from bot.words.texts import Texts
from league.times import HOUR, utc

_MATCH: Final = 2 * HOUR
"""How much time a calendar reserves for a match."""


def calendar_file(view: SeasonView, texts: Texts) -> bytes:
    """Every draw, the end of the last round and of the finals, and the matches whose players have agreed on a time."""
    calendar = Calendar.new(
        prodid="-//Tiplu//leagues//EN",
        name=view.plain_title,
        last_modified=utc(view.now),
        uid=f"season-{view.row.id}@tiplu",
        subcomponents=[*_draws(view, texts), *_matches(view, texts)],
    )
    return calendar.to_ical()


def _draws(view: SeasonView, texts: Texts) -> Iterator[Event]:
    row, season = view.row, view.season
    if season.paused_at is not None:
        return
    rounds = season.settings.rounds
    numbers = range(1, rounds + 1) if season.settings.format.has_draw else ()
    for number in numbers:
        said = texts("page.calendar_draw", league=view.plain_title, round=number)
        yield _event(view, f"draw-{number}", draw_at(row, season, number), said)
    said = texts("page.calendar_end", league=view.plain_title)
    yield _event(view, "end", draw_at(row, season, rounds + 1), said)
    for stage, due in {drawn.stage: drawn.due for drawn in season.rounds.values() if drawn.stage}.items():
        said = texts("page.calendar_stage", league=view.plain_title, players=stage)
        yield _event(view, f"final-{stage}", due, said)


def _matches(view: SeasonView, texts: Texts) -> Iterator[Event]:
    for pod in view.season.pods.values():
        time = view.times.get(pod.id)
        if time is not None and is_agreed(view.season, pod, time, view.now):
            names = ", ".join(map(view.plain_name, pod.players))
            said = texts("page.calendar_match", league=view.plain_title, names=names)
            yield _event(view, f"pod-{pod.id}", time.proposal.at, said, time.proposal.at + _MATCH)


def _event(view: SeasonView, name: str, at: int, said: str, ends: int | None = None) -> Event:
    return Event.new(
        uid=f"season-{view.row.id}-{name}@tiplu",
        stamp=utc(view.now),
        start=utc(at),
        end=None if ends is None else utc(ends),
        summary=said,
    )
