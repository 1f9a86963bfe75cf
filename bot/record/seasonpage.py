"""A season as one page of HTML that needs nothing else: no script, no other file, and it works on a phone."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Final

from bot.words.texts import Texts
from bot.words.wording import decimal
from league.book import Line, book
from league.export import moment
from league.finals import StageRow, stage_tables
from league.results import Player, player_name
from league.season import Pod, Season
from league.standings import Row, Standings

_STYLE: Final = """
:root { color-scheme: light dark; --ink: #1c1a17; --soft: #6b655c; --page: #f6f2ea; --card: #fff;
  --line: #e0d8c8; --mark: #b0203a; --up: #1f7a4d; }
@media (prefers-color-scheme: dark) { :root { --ink: #ece7dd; --soft: #a49c8f; --page: #171614; --card: #211f1c;
  --line: #38342e; --mark: #e8697e; --up: #5fc08d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.2rem; font: 16px/1.45 system-ui, sans-serif;
  color: var(--ink); background: var(--page); }
h1 { margin: 0 0 .2rem; font-size: 1.7rem; overflow-wrap: anywhere; } h2 { margin: 2rem 0 .6rem; font-size: 1.2rem; }
p { margin: .2rem 0; color: var(--soft); overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; background: var(--card); border-radius: .6rem; overflow: hidden; }
th, td { padding: .45rem .6rem; text-align: right; border-bottom: 1px solid var(--line); white-space: nowrap;
  font-variant-numeric: tabular-nums; }
th { color: var(--soft); font-size: .8rem; font-weight: 600; }
tr:last-child td { border-bottom: 0; }
.name { text-align: left; white-space: normal; overflow-wrap: anywhere; width: 100%; }
.points { font-weight: 700; }
.line td { border-bottom: 2px solid var(--mark); }
.up { color: var(--up); } .down { color: var(--mark); }
.pods { display: grid; gap: .8rem; align-items: start; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); }
@media (max-width: 40rem) { body { padding: .7rem; font-size: 15px; } .wide { display: none; }
  th, td { padding: .4rem .35rem; } }
"""


def season_page(
    season: Season, tables: Sequence[Standings], names: Mapping[Player, str], now: int, texts: Texts
) -> str:
    """The page: the tables as they stand, then every round with its pods. `now` in milliseconds of UTC."""
    title = escape(season.name)
    settings = season.settings
    about = texts(
        "page.about",
        format=texts(f"page.format_{settings.format}"),
        players=sum(own.status == "confirmed" for own in season.members.values()),
        rounds=season.drawn,
        at=moment(now).replace("T", " ").replace("Z", " UTC"),
    )
    parts = [
        f"<h1>{title}</h1>",
        _paragraph(about),
        *(_table(one, names, texts) for one in tables),
        _paragraph(texts("page.note")),
        *_finals(season, names, texts),
        *_rounds(season, names, texts),
        *(_paragraph(said) for said in _sealed(season, texts)),
    ]
    return (
        f'<!doctype html>\n<html lang="{escape(texts.language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'\">\n"
        f"<title>{title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + "\n</body>\n</html>\n"
    )


def _paragraph(words: str) -> str:
    return f"<p>{escape(words)}</p>"


def _table(table: Standings, names: Mapping[Player, str], texts: Texts) -> str:
    heading = (
        texts("page.division", division=table.division)
        if table.division
        else texts("page.standings", round=table.through)
    )
    if not table.rows:
        return f"<h2>{escape(heading)}</h2>\n{_paragraph(texts('page.nobody'))}"
    head = "".join(
        _cell(texts(f"page.{name}"), kind, "th")
        for name, kind in (
            ("rank", ""),
            ("moved", "wide"),
            ("player", "name"),
            ("points", ""),
            ("matches", ""),
            ("mean", "wide"),
            ("placings", "wide"),
            ("schedule", "wide"),
            ("penalties", "wide"),
            ("band", ""),
        )
    )
    rows = [
        _standings_row(row, names, line=_zone_ends(row, after), by_luck=table.match_spread > 0)
        for row, after in zip(table.rows, [*table.rows[1:], None], strict=True)
    ]
    return f"<h2>{escape(heading)}</h2>\n<table><tr>{head}</tr>\n" + "\n".join(rows) + "</table>"


def _zone_ends(row: Row, after: Row | None) -> bool:
    """Whether the line of qualification, promotion or relegation is drawn below this row."""
    return after is not None and row.zone != after.zone


def _standings_row(row: Row, names: Mapping[Player, str], *, line: bool, by_luck: bool) -> str:
    moved = "" if not row.moved else f"{'▲' if row.moved > 0 else '▼'}{abs(row.moved)}"
    cells = (
        _cell(str(row.rank)),
        _cell(moved, "wide up" if row.moved > 0 else "wide down"),
        _cell(player_name(row.player, names), "name"),
        _cell(_points(row.points), "points"),
        _cell(str(row.matches)),
        _cell(_points(row.mean), "wide"),
        _cell("-".join(map(str, row.placings)), "wide"),
        _cell(_points(row.opponents), "wide"),
        _cell(_points(row.penalties) if row.penalties else "", "wide"),
        _cell(f"{row.band.best}–{row.band.worst}" if by_luck else ""),
    )
    opening = '<tr class="line">' if line else "<tr>"
    return f"{opening}{''.join(cells)}</tr>"


def _finals(season: Season, names: Mapping[Player, str], texts: Texts) -> Iterable[str]:
    """How the tables of every stage stand, the last stage first: what was carried into it, and what it comes to."""
    for stage in sorted({pod.stage for pod in season.pods.values() if pod.stage}):
        tables = "\n".join(
            "<table>" + "".join(_finalist(row, names, texts) for row in rows) + "</table>"
            for rows in stage_tables(season, stage)
        )
        heading = escape(texts("page.stage_table", players=stage))
        yield f'<h2>{heading}</h2>\n<div class="pods">\n{tables}\n</div>'


def _finalist(row: StageRow, names: Mapping[Player, str], texts: Texts) -> str:
    carried = texts("page.carried", points=_points(row.carried))
    cells = (
        _cell(player_name(row.player, names), "name"),
        _cell(carried),
        _cell(_points(row.points), "points"),
    )
    return f"<tr>{''.join(cells)}</tr>"


def _rounds(season: Season, names: Mapping[Player, str], texts: Texts) -> Iterable[str]:
    """Every round, the latest first, each pod with what its players got."""
    numbers = sorted({pod.round for pod in season.pods.values()}, reverse=True)
    if not numbers:
        yield _paragraph(texts("page.no_match"))
    stages = {pod.round: pod.stage for pod in season.pods.values()}
    for number in numbers:
        stage = stages[number]
        lines = book(season, stage=stage or None).lines
        heading = texts("page.stage", players=stage) if stage else texts("page.round", round=number)
        pods = [pod for pod in sorted(season.pods.values(), key=lambda own: own.id) if pod.round == number]
        shown = "\n".join(_pod(pod, lines, names, texts) for pod in pods)
        yield f'<h2>{escape(heading)}</h2>\n<div class="pods">\n{shown}\n</div>'


def _pod(pod: Pod, lines: Mapping[Player, Sequence[Line]], names: Mapping[Player, str], texts: Texts) -> str:
    got = {
        player: next((line for line in lines.get(player, ()) if line.round == pod.round), None)
        for player in pod.players
    }
    ordered = sorted(pod.players, key=lambda player: -(line.points if (line := got[player]) else 0))
    rows = "".join(
        f"<tr>{_cell(player_name(player, names), 'name')}"
        f"{_cell('' if line is None or line.kind == 'match' else texts(f'page.kind_{line.kind}'))}"
        f"{_cell('–' if line is None else _points(line.points), 'points')}</tr>"
        for player in ordered
        for line in (got[player],)
    )
    return f"<table>{rows}</table>"


def _sealed(season: Season, texts: Texts) -> Iterable[str]:
    if season.commitment:
        yield texts("page.commitment", commitment=season.commitment)
    if season.seed:
        yield texts("page.seed", seed=season.seed)


def _cell(content: str, kind: str = "", tag: str = "td") -> str:
    opening = f'<{tag} class="{kind}">' if kind else f"<{tag}>"
    return f"{opening}{escape(content)}</{tag}>"


def _points(hundredths: int) -> str:
    return decimal(hundredths / 100, sign=True)
