"""Results, standings and deals as sheets for other programs: rows of plain values, written as CSV or JSON."""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from typing import Final

from league.book import BookLine, book
from league.results import Player, player_name
from league.season import Pod, Season
from league.standings import PLACES, Standings
from league.statistics.stats import DealFacts, Seen
from league.times import utc

Cell = str | int | float | bool | None

_FORMULA: Final = frozenset("=+-@\t\r＝＋－＠")
"""Leading characters that may make a spreadsheet take a text for a formula."""


@dataclass(frozen=True, slots=True)
class ExportSheet:
    """A table of values."""

    name: str
    """Its file name without extension."""
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def csv_text(sheet: ExportSheet) -> str:
    """The sheet as CSV. A text that a spreadsheet could take for a formula is prefixed with an apostrophe.

    >>> csv_text(ExportSheet("s", ("name", "points"), (("=1+1", -5), ("Asha", 2.5)))).splitlines()
    ['name,points', "'=1+1,-5", 'Asha,2.5']
    """
    written = StringIO()
    writer = csv.writer(written)
    writer.writerow(sheet.header)
    writer.writerows([_safe(cell) for cell in row] for row in sheet.rows)
    return written.getvalue()


def _safe(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.lstrip(" ")[:1] in _FORMULA and cell else cell


def json_text(sheet: ExportSheet) -> str:
    """Return the sheet as a JSON list with one object a row."""
    rows = [dict(zip(sheet.header, row, strict=True)) for row in sheet.rows]
    return json.dumps(rows, ensure_ascii=False, indent=1)


def results_sheet(season: Season, names: Mapping[Player, str]) -> ExportSheet:
    """Return what every player got in every round; league points are numbers with two decimals."""
    pods = {(pod.round, player): pod for pod in season.pods.values() for player in pod.players}
    rows = [
        _result_row(line, player, pods.get((line.round, player)), names)
        for stage in _stages(season)
        for player, lines in book(season, stage=stage).lines.items()
        for line in lines
    ]
    header = (
        *("round", "stage", "division", "pod", "table", "player", "name", "what"),
        *("points", "score", "bonus", "place", "deals", "conduct"),
    )
    return ExportSheet("results", header, tuple(sorted(rows, key=lambda row: (row[0], row[3] or 0, row[5]))))


def _stages(season: Season) -> list[int | None]:
    finals = {pod.stage for pod in season.pods.values() if pod.stage}
    return [None, *sorted(finals, reverse=True)]


def _result_row(
    line: BookLine, player: Player, pod: Pod | None, names: Mapping[Player, str]
) -> tuple[int, int, int, int | None, *tuple[Cell, ...]]:
    match = line.match
    return (
        line.round,
        pod.stage if pod else 0,
        pod.division if pod else 0,
        pod.id if pod else None,
        pod.table if pod else None,
        player,
        player_name(player, names),
        line.kind,
        line.points / 100,
        match.score / 100 if match else None,
        match.bonus / 100 if match else None,
        match.place if match else None,
        match.deals if match else None,
        line.conduct,
    )


def standings_sheet(
    tables: Iterable[Standings], names: Mapping[Player, str], seen: Mapping[Player, Seen]
) -> ExportSheet:
    """Return the season's standings, one row per player, with how often each saw the tiplu at its tables."""
    rows = [
        (
            table.through,
            table.division,
            row.rank,
            row.moved,
            row.player,
            player_name(row.player, names),
            row.points / 100,
            row.mean / 100,
            row.matches,
            row.deals,
            row.a_deal / 100,
            share.deals,
            share.seen,
            *row.placings[:PLACES],
            row.opponents / 100,
            row.penalties / 100,
            row.conduct,
            row.band.best,
            row.band.worst,
            row.by,
            row.zone,
        )
        for table in tables
        for row in table.rows
        for share in (seen.get(row.player, Seen(0, 0)),)
    ]
    header = (
        *("after_round", "division", "rank", "moved", "player", "name", "points", "points_per_match"),
        *(
            "matches",
            "deals",
            "points_per_deal",
            "deals_at_tables",
            "deals_seen",
            "firsts",
            "seconds",
            "thirds",
            "fourths",
            "fifths",
        ),
        *("strength_of_schedule", "penalties", "conduct", "best_place", "worst_place", "decided_by", "zone"),
    )
    return ExportSheet("standings", header, tuple(rows))


def season_deals_sheet(season: Season, names: Mapping[Player, str]) -> ExportSheet:
    """Return every deal of a season's matches, one row per seat, without those of boards that are still sealed."""
    sealed = {number for number in season.rounds if season.has_sealed_boards(number)}
    rows = [
        (pod.round, pod.stage, pod.id, pod.table, number + 1, number in pod.void, seat + 1, player, name, net)
        for pod in sorted(season.pods.values(), key=lambda pod: (pod.round, pod.id))
        if pod.result is not None and pod.round not in sealed
        for number, deal in enumerate(pod.result.deals)
        for seat, (player, net) in enumerate(zip(pod.result.players, deal, strict=True))
        for name in (player_name(player, names),)
    ]
    header = ("round", "stage", "pod", "table", "deal", "void", "seat", "player", "name", "points")
    return ExportSheet("deals", header, tuple(rows))


def deals_sheet(deals: Iterable[DealFacts]) -> ExportSheet:
    """Return finished deals of a server, one row per seat. A computer has no player number."""
    header = (
        *("number", "ended_at", "table", "deal", "match", "match_deal", "ending", "rated"),
        *("seat", "player", "name", "points", "maal", "place", "winner", "status"),
    )
    return ExportSheet("deals", header, tuple(_deal_rows(deals)))


def _deal_rows(deals: Iterable[DealFacts]) -> Iterator[tuple[Cell, ...]]:
    for deal in deals:
        same = (
            *(deal.number, moment(deal.at), deal.table, deal.deal_no, deal.match_no, deal.match_deal),
            *(str(deal.ending), deal.rated),
        )
        for seat, result in enumerate(deal.seats):
            yield (
                *same,
                *(
                    seat + 1,
                    result.person,
                    result.name,
                    result.net,
                    result.points,
                    result.place,
                    result.winner,
                ),
                str(result.status),
            )


def moment(at: int) -> str:
    """Return a time given in UTC milliseconds in ISO 8601.

    >>> moment(1_795_000_000_000)
    '2026-11-18T11:06:40Z'
    """
    return utc(at).strftime("%Y-%m-%dT%H:%M:%SZ")


def files_of(sheets: Sequence[ExportSheet]) -> dict[str, bytes]:
    """Return every sheet as CSV, with a byte order mark for spreadsheets, and as JSON, by file name."""
    return {
        f"{sheet.name}.{ending}": content
        for sheet in sheets
        for ending, content in (
            ("csv", csv_text(sheet).encode("utf-8-sig")),
            ("json", json_text(sheet).encode()),
        )
    }
