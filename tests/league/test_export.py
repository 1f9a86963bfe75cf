"""Sheets for other programs: every value is there, and none of them is taken for a formula."""

import csv
import json
from io import StringIO

import pytest

from league.book import book
from league.events import AbsenceBooked, PenaltyAdded
from league.export import (
    ExportSheet,
    csv_text,
    deals_sheet,
    files_of,
    json_text,
    results_sheet,
    season_deals_sheet,
    standings_sheet,
)
from league.standings import standings
from league.statistics.seen import Seen
from tests.league.facts import deal, seat
from tests.league.seasons import Diary

EVIL = '=HYPERLINK("http://x")'


def season():
    diary = Diary(players=9)
    diary.round(absent=(9,))
    diary.note(AbsenceBooked(9, 1))
    diary.round()
    diary.note(PenaltyAdded(1, 3, 2, points=-500, conduct=1))
    return diary.season


def read(sheet: ExportSheet) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(csv_text(sheet))))


@pytest.mark.parametrize("name", [EVIL, "+1", "-1", "@SUM(A1)", "\tx", "\rx", "  =1", "＝1"])
def test_no_text_begins_a_formula(name: str):
    [row] = read(ExportSheet("s", ("name", "points"), ((name, -7),)))
    assert row == {"name": f"'{name}", "points": "-7"}


@pytest.mark.parametrize("name", ["Asha", "a=b", "राम", 'Say "hi", you', "two\nlines", ""])
def test_other_texts_come_back_as_they_are(name: str):
    [row] = read(ExportSheet("s", ("name",), ((name,), ("x",))))[:1]
    assert row["name"] == name


def test_json_has_an_object_a_row_and_needs_no_escape_for_formulas():
    [row] = json.loads(json_text(ExportSheet("s", ("name", "net", "won"), ((EVIL, -7, True),))))
    assert row == {"name": EVIL, "net": -7, "won": True}


def test_results_add_up_to_the_standings():
    played = season()
    names = {1: EVIL}
    rows = read(results_sheet(played, names))
    tables = read(standings_sheet([standings(played)], names, {3: Seen(31, 20)}))
    assert len(rows) == sum(len(lines) for lines in book(played).lines.values())
    assert len(tables) == 9
    penalties = {"3": -5.0}
    for row in tables:
        got = sum(float(line["points"]) for line in rows if line["player"] == row["player"])
        assert float(row["points"]) == pytest.approx(got + penalties.get(row["player"], 0))
    assert {(row["player"], row["deals_seen"]) for row in tables if row["deals_at_tables"] != "0"} == {
        ("3", "20")
    }
    assert {row["what"] for row in rows} == {"match", "absence"}
    assert {row["name"] for row in rows if row["player"] == "1"} == {f"'{EVIL}"}
    assert {row["name"] for row in rows if row["player"] == "2"} == {"Player 2"}


def test_every_deal_of_a_season_is_there_seat_by_seat():
    played = season()
    rows = read(season_deals_sheet(played, {}))
    assert len(rows) == sum(len(deal) for pod in played.pods.values() for deal in pod.result.deals)
    assert sum(int(row["points"]) for row in rows) == 0


def test_deals_of_a_server_have_a_row_a_seat():
    facts = deal(seat(11, net=12, winner=True), seat(None, net=-12))
    first, second = read(deals_sheet([facts]))
    assert (first["player"], first["points"], first["winner"]) == ("11", "12", "True")
    assert (second["player"], second["points"], second["rated"]) == ("", "-12", "False")
    assert first["ended_at"].endswith("Z")


def test_files_are_told_apart_and_say_that_they_are_utf_8():
    files = files_of([ExportSheet("a", ("x",), ()), ExportSheet("b", ("x",), ())])
    assert sorted(files) == ["a.csv", "a.json", "b.csv", "b.json"]
    assert files["a.csv"] == b"\xef\xbb\xbfx\r\n"
