"""Standings in words, page by page, below their picture if there is one."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import discord
from discord import ui

from bot.league.season import SeasonView
from bot.panels.league.people import team_button, teams_words
from bot.panels.league.words import points
from bot.panels.pages import listed, turning
from bot.ui.items import Button, Press, row, select_rows
from bot.ui.panel import Panel, gallery, panel, picture_file, text
from bot.words.names import shown_name
from bot.words.texts import Texts
from league.results import Player
from league.standings import ShownRow, ShownStandings
from league.statistics.stats import Seen
from render.picture import Picture

ROWS = 10
_SHOWN: Final = 8
"""The number of displayed characters of a table's hash."""
_ZONE: Final = 400
"""The maximum length of a zone's names in a message, in characters."""


def last_page(table: ShownStandings) -> int:
    """Return the number of the last page, from 0."""
    return max(0, len(table.rows) - 1) // ROWS


def standings_panel(
    view: SeasonView,
    page: int,
    division: int,
    viewer: Player | None,
    texts: Texts,
    picture: Picture | None = None,
    seen: Mapping[Player, Seen] | None = None,
) -> Panel:
    """Show one page of the table. The viewer's line follows it if it is on another page.

    `seen` has how often players saw the tiplu, if that is shown.
    """
    table = view.standings(division)
    page = min(page, last_page(table))
    file = picture_file(picture) if picture else None
    rows = table.rows[page * ROWS : (page + 1) * ROWS]
    position = table.index_of(viewer) if viewer is not None else None
    below = [] if position is None or table.rows[position] in rows else [table.rows[position]]
    key = "league.table_title" if view.season.settings.format.has_draw else "league.table_title_ladder"
    if not table.through:
        key = "league.table_title_before"
    if table.decided:
        key = "league.table_title_decided"
    elif table.through and key == "league.table_title" and not view.season.is_round_over(table.through):
        key = "league.table_title_during"
    title = texts(key, league=view.title, round=table.through, rounds=table.rounds)
    adjusted = view.season.settings.format.is_adjusted(view.season.settings)
    return panel(
        text(title + ("\n" + texts("league.division", division=division) if division else "")),
        gallery(file) if file else None,
        text("\n".join(standings_lines(table, rows, viewer, texts, seen)) or texts("league.no_rows")),
        text("\n".join(standings_lines(table, below, viewer, texts, seen))) if below else None,
        text(cut_line(view, table, texts)),
        text(teams_words(view, texts)) if not page else None,
        text(texts("league.table_adjusted")) if adjusted and table.through else None,
        text(
            texts(
                "league.table_note",
                par=_par_version(view, texts),
                digest=table.table.digest[:_SHOWN],
                at=table.at,
                page=page + 1,
                pages=last_page(table) + 1,
            )
        ),
        _turning(view, table, page, division, texts),
        *_divisions(view, division, texts),
        row(team_button(view, texts)) if view.season.settings.team_size else None,
        files=[file] if file else [],
    )


def _par_version(view: SeasonView, texts: Texts) -> str:
    """Name the version of the pars; empty for a season opened before the version was recorded."""
    version = view.season.par_version
    return texts("league.par_version", version=version) if version else ""


def standings_lines(
    table: ShownStandings,
    rows: Sequence[ShownRow],
    viewer: Player | None,
    texts: Texts,
    seen: Mapping[Player, Seen] | None = None,
) -> list[str]:
    """Return a line for each of these rows."""
    tied = _tied(table)
    by_luck = table.match_spread > 0  # unknown until a player has played twice
    shares = {player: share.percent for player, share in (seen or {}).items()}
    return [
        _line(row, viewer, shares.get(row.row.player), texts, tied=row.row.player in tied, by_luck=by_luck)
        for row in rows
    ]


def cut_line(view: SeasonView, table: ShownStandings, texts: Texts) -> str | None:
    """Name the players who qualify, move up or move down as the table stands; None before the first match."""
    if not any(row.row.matches for row in table.rows):
        return None
    is_decided = table.through >= table.rounds and view.season.is_round_over(table.through)
    said = [
        texts(
            f"league.zone_{zone}" if is_decided else f"league.zone_{zone}_now",
            names=listed([shown_name(row.name) for row in table.rows if row.row.zone == zone], texts, _ZONE),
        )
        for zone in ("final", "up", "down")
        if any(row.row.zone == zone for row in table.rows)
    ]
    return "\n".join(said) or None


def _tied(table: ShownStandings) -> set[Player]:
    """Return the players tied on points with another player, so that a tie-break decided."""
    found: set[Player] = set()
    for above, below in zip(table.rows, table.rows[1:], strict=False):
        if above.row.points == below.row.points:
            found |= {above.row.player, below.row.player}
    return found


def _line(
    row: ShownRow, viewer: Player | None, seen: int | None, texts: Texts, *, tied: bool, by_luck: bool
) -> str:
    line = row.row
    moved = "" if not line.moved else f" ▲{line.moved}" if line.moved > 0 else f" ▼{-line.moved}"
    said = texts(
        "league.row" if line.matches else "league.row_unplayed",
        rank=line.rank,
        moved=moved,
        name=shown_name(row.name),
        points=points(line.points, sign=True),
        matches=line.matches,
        deals=line.deals,
        a_deal=points(line.a_deal, sign=True),
        last=" ".join(map(str, line.last)) or "–",
    )
    if seen is not None:
        said += texts("league.seen", percent=seen)
    if by_luck:
        said += texts("league.luck", best=line.band.best, worst=line.band.worst)
    if tied and line.by != "points":
        said += texts("league.tied", by=texts(f"league.by_{line.by}"))
    if line.penalties:
        said += texts("league.penalised", points=points(line.penalties, sign=True))
    if not line.qualified:
        said += texts("league.unqualified")
    if row.missing:
        said += texts("league.has_left")
    return texts("league.mine", line=said) if line.player == viewer else said


def _turning(
    view: SeasonView, table: ShownStandings, page: int, division: int, texts: Texts
) -> ui.ActionRow[Any]:
    def at(way: str, number: int) -> Press:
        return Press(f"league-{way}", view.row.id, number, str(division))

    return row(
        *turning(page, last_page(table) + 1, at, texts), Button(at("around", page), texts("board.around"))
    )


def _divisions(view: SeasonView, division: int, texts: Texts) -> list[ui.ActionRow[Any]]:
    if len(view.divisions) < 2:
        return []
    options = [
        discord.SelectOption(
            label=texts("league.division_choice", division=number),
            value=str(number),
            default=number == division,
        )
        for number in view.divisions
    ]
    return select_rows(Press("pick-division", view.row.id, 0), texts("league.pick_division"), options)
