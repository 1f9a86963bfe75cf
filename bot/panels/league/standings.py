"""Standings page by page, in words; a picture of them goes on top where there is one."""

from collections.abc import Sequence
from typing import Any

from discord import ui

from bot.interactions.ids import Press
from bot.league.view import SeasonView
from bot.panels.items import BLUE, Button, row
from bot.panels.league.points import points
from bot.panels.league.words import act_words
from bot.panels.panel import Panel, gallery, panel, picture_file, text
from bot.words.names import shown_name
from bot.words.texts import Texts
from league.results import Player
from league.shown import ShownRow, ShownStandings
from render.picture import Picture

ROWS = 10
_ACTS = 20


def last_page(table: ShownStandings) -> int:
    """The number of the last page, from 0."""
    return max(0, len(table.rows) - 1) // ROWS


def standings_panel(
    view: SeasonView,
    page: int,
    division: int,
    viewer: Player | None,
    texts: Texts,
    picture: Picture | None = None,
) -> Panel:
    """One page of the table, with the viewer's own line below where it is on another."""
    table = view.standings(division)
    page = min(page, last_page(table))
    file = picture_file(picture) if picture else None
    rows = table.rows[page * ROWS : (page + 1) * ROWS]
    mine = table.index_of(viewer) if viewer is not None else None
    own = [] if mine is None or table.rows[mine] in rows else [table.rows[mine]]
    key = "league.table_title_ladder" if view.season.settings.format == "ladder" else "league.table_title"
    title = texts(key, league=view.title, round=table.through, rounds=table.rounds)
    return panel(
        text(title + ("\n" + texts("league.division", division=division) if division else "")),
        gallery(file) if file else None,
        text("\n".join(standings_lines(table, rows, viewer, texts)) or texts("league.no_rows")),
        text("\n".join(standings_lines(table, own, viewer, texts))) if own else None,
        text(cut_line(table, texts)),
        text(
            texts(
                "league.table_note",
                version=view.season.par_version,
                at=table.at,
                page=page + 1,
                pages=last_page(table) + 1,
            )
        ),
        _turning(view, table, page, division, texts),
        _divisions(view, division, texts),
        files=[file] if file else [],
    )


def standings_lines(
    table: ShownStandings, rows: Sequence[ShownRow], viewer: Player | None, texts: Texts
) -> list[str]:
    """A line for each of these rows."""
    tied = _tied(table)
    by_luck = table.match_spread > 0  # it is not known before somebody has played twice
    return [_line(own, viewer, texts, tied=own.row.player in tied, by_luck=by_luck) for own in rows]


def cut_line(table: ShownStandings, texts: Texts) -> str | None:
    """Who would go on, up or down as the table stands."""
    said = [
        texts(
            f"league.zone_{zone}",
            names=", ".join(shown_name(own.name) for own in table.rows if own.row.zone == zone),
        )
        for zone in ("final", "up", "down")
        if any(own.row.zone == zone for own in table.rows)
    ]
    return "\n".join(said) or None


def _tied(table: ShownStandings) -> set[Player]:
    """Who has the same points as somebody else, so that something else had to decide."""
    found: set[Player] = set()
    for above, below in zip(table.rows, table.rows[1:], strict=False):
        if above.row.points == below.row.points:
            found |= {above.row.player, below.row.player}
    return found


def _line(own: ShownRow, viewer: Player | None, texts: Texts, *, tied: bool, by_luck: bool) -> str:
    line = own.row
    moved = "" if not line.moved else f" ▲{line.moved}" if line.moved > 0 else f" ▼{-line.moved}"
    said = texts(
        "league.row",
        rank=line.rank,
        moved=moved,
        name=shown_name(own.name),
        points=points(line.points, sign=True),
        matches=line.matches,
        deals=line.deals,
        last=" ".join(map(str, line.last)) or "–",
    )
    if by_luck:
        said += texts("league.luck", best=line.band.best, worst=line.band.worst)
    if tied and line.by != "points":
        said += texts("league.tied", by=texts(f"league.by_{line.by}"))
    if line.penalties:
        said += texts("league.penalised", points=points(line.penalties, sign=True))
    if own.missing:
        said += texts("league.has_left")
    return texts("league.mine", line=said) if line.player == viewer else said


def _turning(
    view: SeasonView, table: ShownStandings, page: int, division: int, texts: Texts
) -> ui.ActionRow[Any]:
    at = view.row.id
    return row(
        Button(
            Press("league-back", at, max(0, page - 1), str(division)), texts("board.back"), disabled=not page
        ),
        Button(
            Press("league-on", at, page + 1, str(division)),
            texts("board.on"),
            style=BLUE,
            disabled=page >= last_page(table),
        ),
        Button(Press("league-around", at, page, str(division)), texts("board.around")),
    )


def _divisions(view: SeasonView, division: int, texts: Texts) -> ui.ActionRow[Any] | None:
    others = [own for own in view.divisions if own != division][:5]
    if not others:
        return None
    return row(
        *(
            Button(Press("league-division", view.row.id, own), texts("league.division_button", division=own))
            for own in others
        )
    )


def log_panel(view: SeasonView, texts: Texts) -> Panel:
    """What the staff have decided, the newest first."""
    lines = [act_words(view, act, texts) for act in view.acts[::-1][:_ACTS]]
    return panel(
        text(texts("league.log_title", league=view.title)),
        text("\n".join(lines) or texts("league.log_empty")),
    )
