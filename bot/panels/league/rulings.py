"""The preview of a ruling, with what it would change in the standings."""

from typing import Final

from bot.league.rulings import Change, Preview
from bot.league.season_view import SeasonView
from bot.panels.league.points import points
from bot.panels.league.words import act_words
from bot.panels.pages import page_of
from bot.ui.custom_id import Press
from bot.ui.items import RED, Button, row
from bot.ui.panel import Panel, panel, text
from bot.words.texts import Texts
from league.events import Adjudicated, Event, PodReopened, ResultCorrected, SeasonClosed, SeasonReopened
from league.matches.again import ReplayOrdered

_ROOM: Final = 1_500
"""The most characters that the changed rows take in the message."""


def preview_panel(view: SeasonView, preview: Preview, texts: Texts) -> Panel:
    """The ruling, the rows of the standings that would change, and the button that confirms it.

    Who only moves because others' points change is counted, not listed.
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


def _note(view: SeasonView, event: Event, texts: Texts) -> str | None:
    """What else staff should know before they confirm it."""
    match event:
        case SeasonClosed():
            return _closing(view, texts)
        case SeasonReopened():
            closed = next((row for row in reversed(view.acts) if isinstance(row.body, SeasonClosed)), None)
            return texts(
                "league.note_season_goes_on" if closed and closed.staff else "league.note_season_reopened"
            )
        case Adjudicated(pod=pod, verdicts=verdicts) if not verdicts and view.season.pods[pod].result is None:
            return texts("league.note_ruling_gone", pod=pod)
        case ResultCorrected(pod=pod, new=None) if not view.season.pods[pod].verdicts:
            return texts("league.note_ruling_gone", pod=pod)
        case ReplayOrdered(on=True, deals=deals):
            return texts("league.note_replay" if deals else "league.note_replay_match")
        case PodReopened(pod=pod) if (table := view.tables.get(pod)) and table.options.board_set is not None:
            return texts("league.note_own_deals", pod=pod)
        case _:
            return None


def _closing(view: SeasonView, texts: Texts) -> str:
    """What is not played any more once a season is closed."""
    season = view.season
    return texts(
        "league.note_closing",
        league=view.title,
        matches=sum(not pod.over for pod in season.pods.values()),
        rounds=max(0, season.settings.rounds - season.drawn) if season.settings.format.has_draw else 0,
    )


def _line(view: SeasonView, change: Change, texts: Texts) -> str:
    before, after = change.before, change.after
    return texts(
        "league.preview_line",
        name=view.name(change.player),
        rank=before.rank if before else "–",
        points=points(before.points, sign=True) if before else "–",
        new_rank=after.rank if after else "–",
        new_points=points(after.points, sign=True) if after else "–",
    )
