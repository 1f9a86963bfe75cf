"""The preview of a ruling, with what it would change in the standings."""

from dataclasses import replace
from typing import Final

from bot.league.agenda import boundaries, delayed, draw_at, has_time_to_play, missed_draw_moved, pod_due_at
from bot.league.calendar_acts import CalendarAct, moved_rounds
from bot.league.number_settings import described
from bot.league.rulings import PlaceChange, Preview, leaves_to_play
from bot.league.season import SeasonView
from bot.league.season_admin import NextDraw
from bot.panels.league.words import act_words, changed_numbers, points
from bot.panels.pages import listed, page_of
from bot.ui.items import RED, Button, Press, row
from bot.ui.panel import Panel, panel, text
from bot.words.names import shown_lines
from bot.words.numbers import date_words
from bot.words.texts import Texts
from league.events import (
    Adjudicated,
    DeadlineMoved,
    Entry,
    Event,
    NumbersChanged,
    PodReopened,
    ReplayOrdered,
    ResultCorrected,
    RoundCancelled,
    SeasonClosed,
    SeasonPaused,
    SeasonReopened,
    SeasonResumed,
)
from league.members import DivisionsExchanged, MembersWritten, PlayerMoved
from league.pairing.drawing import forecast
from league.pairing.pods import table_sizes
from league.season import Season, after
from league.times import HOUR

_ROOM: Final = 1_500
"""The maximum length of the changed rows in the message, in characters."""
_DRAWS: Final = 3
"""The number of moved draws to name."""


def preview_panel(view: SeasonView, preview: Preview, texts: Texts) -> Panel:
    """Show the ruling, the rows of the standings that would change, and the button that confirms it.

    Players who move only because others' points change are counted, not listed.
    """
    told = [change for change in preview.changes if change.of_points] or preview.changes
    page = page_of([_line(view, change, texts) for change in told], 0, _ROOM)
    more = texts("list.and_more", count=page.rest) if page.rest else ""
    others = len(preview.changes) - len(told)
    press = Press("league-enact", view.row.id, preview.draft)
    return panel(
        text(texts("league.preview", league=view.title)),
        text(act_words(view, preview.row, texts)),
        text("\n".join(page.lines) + more or texts("league.preview_nothing")),
        text(texts("league.preview_others", count=others)) if others else None,
        text(_note(view, preview.row.body, texts)),
        row(Button(press, texts("league.enact"), style=RED)),
    )


def draw_panel(view: SeasonView, draw: NextDraw, texts: Texts) -> Panel:
    """Show the next draw: the players, the number of tables, who is left out, and the button to draw."""
    settings = view.season.settings
    coming = {member.player for member in draw.coming}
    others = [
        view.name(member.player)
        for member in view.season.members.values()
        if not member.is_gone and member.player not in coming
    ]
    found = forecast(settings, len(coming)) if settings.format.has_divisions else None
    sizes = table_sizes(len(coming), no_fives=settings.no_fives, usual=settings.pod_size)
    tables = found.tables if found else len(sizes)
    press = Press("league-draw", view.row.id, draw.last)
    return panel(
        text(texts("league.preview", league=view.title)),
        text(
            texts(
                "league.draw_now",
                round=draw.round,
                rounds=settings.rounds,
                players=len(coming),
                tables=tables,
            )
        ),
        text(texts("league.draw_now_without", names=listed(others, texts, _ROOM))) if others else None,
        text(texts("league.draw_now_first" if draw.round == 1 else "league.draw_now_later")),
        row(Button(press, texts("league.draw_now_yes"), style=RED)),
    )


def _calendar_note(view: SeasonView, event: CalendarAct, texts: Texts) -> str:
    """Say what an act of the calendar moves: deadlines, the next draws, waiting matches."""
    season, zone = view.season, view.season.settings.timezone
    waiting = sum(not pod.over for pod in season.pods.values())
    match event:
        case SeasonPaused():
            ahead = [at for at in boundaries(view.row, season) if at > view.now]
            return texts("league.note_paused", at=min(ahead, default=view.now), count=waiting)
        case SeasonResumed():
            by = view.now - (season.paused_at or view.now)
            ahead = [at for at in boundaries(view.row, season) if at > view.row.acted_until]
            at = delayed(min(ahead, default=view.now) + by, season.settings)
            return texts("league.note_resumed", at=at, hours=round(by / HOUR))
        case DeadlineMoved(round=number, due=due, former=former):
            row_then, then = view.row, season
            if number:
                for moved in moved_rounds(season, number, due):
                    then = after(then, Entry(0, view.now, moved))
            else:
                row_then = replace(view.row, starts_at=due)
            coming = range(season.drawn + 1, min(season.settings.rounds, season.drawn + _DRAWS) + 1)
            moved = replace(view, row=row_then)
            lines = [_draw_line(view, moved, then, later, texts) for later in coming]
            said = texts(
                "league.note_extended",
                former=former,
                at=due,
                date=date_words(due, zone),
                timezone=zone,
                count=waiting,
            )
            return "\n".join([said, *lines])


def _draw_line(view: SeasonView, then: SeasonView, season: Season, number: int, texts: Texts) -> str:
    """Give the current and the new time of a round's draw."""
    return texts(
        "league.note_extended_draw",
        round=number,
        former=draw_at(view.row, view.season, number),
        at=draw_at(then.row, season, number),
    )


def _numbers_note(view: SeasonView, event: NumbersChanged, texts: Texts) -> str:
    """List the changed numbers and the draws that move; finished rounds stay as they are."""
    then = replace(view.season, settings=event.settings)
    if (at := missed_draw_moved(view.row, then, view.now)) is not None:
        then = after(then, Entry(0, view.now, DeadlineMoved(then.drawn, at)))
    said = [described(name, texts) for name, _, _ in changed_numbers(event)]
    last = min(view.season.settings.rounds, event.settings.rounds)
    moving = [
        number
        for number in range(view.season.drawn + 1, last + 2)
        if event.settings.format.has_draw
        and draw_at(view.row, view.season, number) != draw_at(view.row, then, number)
    ]
    lines = [_draw_line(view, view, then, number, texts) for number in moving[:_DRAWS] if number <= last]
    more = event.settings.rounds != view.season.settings.rounds
    ends = draw_at(view.row, then, event.settings.rounds + 1)
    if (moving or more) and event.settings.format.has_draw:
        lines.append(texts("league.note_ends", at=ends))
    return "\n".join([*(f"-# {words}" for words in said), *lines, texts("league.note_numbers")])


def _note(view: SeasonView, event: Event, texts: Texts) -> str | None:
    """Say what else staff should know before they confirm it."""
    match event:
        case DeadlineMoved() | SeasonPaused() | SeasonResumed():
            return _calendar_note(view, event, texts)
        case SeasonClosed():
            return _closing(view, texts)
        case PlayerMoved() | DivisionsExchanged() | RoundCancelled() | MembersWritten() | NumbersChanged():
            return _desk_note(view, event, texts)
        case SeasonReopened():
            return _reopening(view, texts)
        case Adjudicated(pod=pod, verdicts=verdicts) if not verdicts and view.season.pods[pod].result is None:
            return _gone_note(view, event, texts)
        case ResultCorrected(pod=pod, new=None) if not view.season.pods[pod].verdicts:
            return _gone_note(view, event, texts)
        case ReplayOrdered(on=True, deals=deals):
            return texts("league.note_replay" if deals else "league.note_replay_match")
        case PodReopened(pod=pod) if (table := view.tables.get(pod)) and table.options.board_set is not None:
            return texts("league.note_own_deals", pod=pod)
        case _:
            return None


def _gone_note(view: SeasonView, event: Adjudicated | ResultCorrected, texts: Texts) -> str:
    """Say what a match waits for once its result, or the ruling on it, is taken back."""
    season = after(view.season, Entry(0, view.now, event))
    pod = season.pods[event.pod]
    if pod.report is not None:
        return texts("league.note_report_back", pod=pod.id)
    if leaves_to_play(event, pod) and has_time_to_play(view.row, season, pod, view.now):
        return texts("league.note_to_play", pod=pod.id, at=pod_due_at(view.row, season, pod))
    return texts("league.note_ruling_gone", pod=pod.id)


def _desk_note(
    view: SeasonView,
    event: PlayerMoved | DivisionsExchanged | RoundCancelled | MembersWritten | NumbersChanged,
    texts: Texts,
) -> str:
    match event:
        case NumbersChanged():
            return _numbers_note(view, event, texts)
        case RoundCancelled():
            return _redraw_note(view, event, texts)
        case MembersWritten():
            return _message_note(view, event, texts)
        case _:
            return texts("league.note_moved")


def _redraw_note(view: SeasonView, event: RoundCancelled, texts: Texts) -> str:
    """Say how many tables are closed, for whom, and the deadline of the new ones."""
    first = event.drawn.round
    pods = [pod for pod in view.season.pods.values() if pod.round >= first]
    players = {player for pod in pods for player in pod.players}
    return texts(
        "league.note_redraw_finals" if event.drawn.stage else "league.note_redraw",
        tables=sum(pod.id in view.tables for pod in pods),
        players=len(players),
        at=event.drawn.due,
    )


def _message_note(view: SeasonView, event: MembersWritten, texts: Texts) -> str:
    """Show the message and how it reaches its readers, and warn that it cannot be unsent."""
    people = [view.people[player] for player in event.players if player in view.people]
    silent = sum(not person.settings.reminders for person in people)
    closed = sum(person.settings.reminders and not person.dms_open for person in people)
    said = texts("league.note_message", direct=len(people) - silent - closed, silent=silent, mentioned=closed)
    return f"{shown_lines(event.text)}\n\n{said}"


def _closing(view: SeasonView, texts: Texts) -> str:
    """Say what will not be played once a season is closed."""
    season = view.season
    waiting = (pod for pod in season.pods.values() if pod.table is None and pod.report is None)
    return texts(
        "league.note_closing",
        league=view.title,
        matches=sum(not pod.over for pod in waiting),
        rounds=max(0, season.settings.rounds - season.drawn) if season.settings.format.has_draw else 0,
    )


def _reopening(view: SeasonView, texts: Texts) -> str:
    """Say how a season goes on once its end is taken back."""
    closed = next((row for row in reversed(view.acts) if isinstance(row.body, SeasonClosed)), None)
    if closed and closed.staff:
        return texts("league.note_season_goes_on")
    at = missed_draw_moved(view.row, view.season, view.now)
    if at is None:
        return texts("league.note_season_reopened")
    return texts("league.note_season_drawn", round=view.season.drawn + 1, at=at)


def _line(view: SeasonView, change: PlaceChange, texts: Texts) -> str:
    before, after = change.before, change.after
    return texts(
        "league.preview_line",
        name=view.name(change.player),
        rank=before.rank if before else "–",
        points=points(before.points, sign=True) if before else "–",
        new_rank=after.rank if after else "–",
        new_points=points(after.points, sign=True) if after else "–",
    )
