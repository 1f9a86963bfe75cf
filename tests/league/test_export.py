"""Sheets for other programs: every value is there, and none of them is taken for a formula."""

import csv
import json
from io import StringIO

import pytest

from league.book import book
from league.events import (
    AbsenceBooked,
    DealVoided,
    DrawnPod,
    MatchFinished,
    MatchStarted,
    NoShowBooked,
    PenaltyAdded,
    Result,
    RoundDrawn,
    SeasonClosed,
)
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
from league.points import SeatPoints
from league.standings import standings
from league.statistics.stats import Seen
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


@pytest.mark.parametrize("name", ["Asha", "X-ray", "a=b", "राम", 'Say "hi", you', "two\nlines", ""])
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


def test_every_result_is_told_with_its_pod():
    diary = Diary(players=5)
    diary.note(RoundDrawn(1, (DrawnPod(2, (1, 2), division=2), DrawnPod(1, (3, 4), division=1))))
    for pod, points in ((1, (30, -30)), (2, (0, 0))):
        players = diary.season.pods[pod].players
        diary.note(MatchStarted(pod, table=10 * pod))
        diary.note(MatchFinished(pod, Result(players, (points,) * 4)))
    diary.note(AbsenceBooked(5, 1))
    diary.note(RoundDrawn(2, (DrawnPod(3, (1, 2, 3, 4)),), stage=4))
    diary.note(NoShowBooked(3, 1))
    sheet = results_sheet(diary.season, {3: "Chandra"})
    assert sheet.name == "results"
    assert sheet.header == (
        *("round", "stage", "division", "pod", "table", "player", "name", "what"),
        *("points", "score", "bonus", "place", "deals", "conduct"),
    )
    lines = book(diary.season).lines
    won, lost, even, other = (lines[player][0].match for player in (3, 4, 1, 2))
    final = book(diary.season, stage=4).lines[1][0]
    assert sheet.rows == (
        (1, 0, 0, None, None, 5, "Player 5", "absence", lines[5][0].points / 100, *[None] * 4, 0),
        (1, 0, 1, 1, 10, 3, "Chandra", "match", *figures(won), 0),
        (1, 0, 1, 1, 10, 4, "Player 4", "match", *figures(lost), 0),
        (1, 0, 2, 2, 20, 1, "Player 1", "match", *figures(even), 0),
        (1, 0, 2, 2, 20, 2, "Player 2", "match", *figures(other), 0),
        (2, 4, 0, 3, None, 1, "Player 1", "no_show", final.points / 100, *[None] * 4, 1),
    )


def test_results_are_ordered_by_round_then_pod_then_number():
    diary = Diary(players=4)
    diary.note(RoundDrawn(1, (DrawnPod(2, (1, 2)), DrawnPod(1, (3, 4)))))
    diary.note(RoundDrawn(2, (DrawnPod(3, (1, 2)),)))
    for pod, table in ((2, 10), (1, 20), (3, 30)):
        diary.note(MatchStarted(pod, table))
        diary.note(MatchFinished(pod, Result(diary.season.pods[pod].players, ((0, 0),) * 4)))
    diary.note(AbsenceBooked(3, 2))
    rows = results_sheet(diary.season, {3: "Chandra", 4: "Asha"}).rows
    assert [(round_, pod, player) for round_, _, _, pod, _, player, *_ in rows] == [
        *((1, 1, 3), (1, 1, 4), (1, 2, 1), (1, 2, 2)),
        *((2, None, 3), (2, 3, 1), (2, 3, 2)),
    ]


def figures(seat: SeatPoints | None) -> tuple[float, ...]:
    assert seat is not None
    return seat.points / 100, seat.score / 100, seat.bonus / 100, seat.place, seat.deals


def test_every_column_of_the_standings_is_told():
    table = standings(season())
    sheet = standings_sheet([table], {}, {table.rows[0].player: Seen(31, 20)})
    assert sheet.name == "standings"
    rows = [dict(zip(sheet.header, cells, strict=True)) for cells in sheet.rows]
    assert [row["rank"] for row in rows] == [row.rank for row in table.rows]
    first = table.rows[0]
    assert rows[0] == {
        "after_round": 2,
        "division": 0,
        "rank": 1,
        "moved": first.moved,
        "player": first.player,
        "name": f"Player {first.player}",
        "points": first.points / 100,
        "points_per_match": first.mean / 100,
        "matches": first.matches,
        "deals": first.deals,
        "points_per_deal": first.a_deal / 100,
        "deals_at_tables": 31,
        "deals_seen": 20,
        **dict(zip(("firsts", "seconds", "thirds", "fourths", "fifths"), first.placings, strict=True)),
        "strength_of_schedule": first.opponents / 100,
        "penalties": first.penalties / 100,
        "conduct": first.conduct,
        "best_place": first.band.best,
        "worst_place": first.band.worst,
        "decided_by": first.by,
        "zone": first.zone,
    }
    assert [row["penalties"] for row in rows if row["player"] == 3] == [-5.0]
    assert {(row["deals_at_tables"], row["deals_seen"]) for row in rows[1:]} == {(0, 0)}


def test_deals_of_a_season_are_told_by_round_and_seat():
    diary = Diary(players=4)
    diary.note(RoundDrawn(2, (DrawnPod(1, (3, 4)),)))
    diary.note(RoundDrawn(1, (DrawnPod(3, (2, 1)), DrawnPod(2, (3, 4))), stage=4))
    diary.note(MatchStarted(1, table=10))
    for pod, deals in ((1, ((5, -5), (-6, 6))), (3, ((7, -7),))):
        diary.note(MatchFinished(pod, Result(diary.season.pods[pod].players, deals)))
    diary.note(DealVoided(1, 1))
    sheet = season_deals_sheet(diary.season, {3: "Chandra"})
    assert sheet.name == "deals"
    assert sheet.header == (
        *("round", "stage", "pod", "table", "deal", "void", "seat", "player", "name", "points"),
    )
    assert sheet.rows == (
        (1, 4, 3, None, 1, False, 1, 2, "Player 2", 7),
        (1, 4, 3, None, 1, False, 2, 1, "Player 1", -7),
        (2, 0, 1, 10, 1, False, 1, 3, "Chandra", 5),
        (2, 0, 1, 10, 1, False, 2, 4, "Player 4", -5),
        (2, 0, 1, 10, 2, True, 1, 3, "Chandra", -6),
        (2, 0, 1, 10, 2, True, 2, 4, "Player 4", 6),
    )


def test_every_column_of_the_deals_of_a_server_is_told():
    facts = deal(seat(11, net=12, winner=True), seat(12, net=-12, seen=False), number=3, match_deal=2)
    sheet = deals_sheet([facts])
    assert sheet.name == "deals"
    rows = [dict(zip(sheet.header, cells, strict=True)) for cells in sheet.rows]
    same = {
        "number": 3,
        "ended_at": "2026-01-01T12:03:00Z",
        "table": 1,
        "deal": 3,
        "match": 1,
        "match_deal": 2,
        "ending": "groups",
        "rated": True,
    }
    assert rows == [
        {**same, "seat": 1, "player": 11, "name": "P11", "points": 12, "maal": 5, "place": 1}
        | {"winner": True, "status": "seen"},
        {**same, "seat": 2, "player": 12, "name": "P12", "points": -12, "maal": 5, "place": 2}
        | {"winner": False, "status": "unseen"},
    ]


def test_json_keeps_letters_and_has_a_line_a_value():
    assert json_text(ExportSheet("s", ("name",), (("राम",),))) == '[\n {\n  "name": "राम"\n }\n]'
    assert files_of([ExportSheet("a", ("name",), (("राम",),))]) == {
        "a.csv": b"\xef\xbb\xbfname\r\n" + "राम\r\n".encode(),
        "a.json": '[\n {\n  "name": "राम"\n }\n]'.encode(),
    }


def test_a_sheet_with_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="zip"):
        json_text(ExportSheet("s", ("name", "points"), (("Asha",),)))


def test_deals_of_boards_that_others_still_play_are_left_out():
    diary = Diary(players=6, duplicate=True)
    diary.note(RoundDrawn(1, (DrawnPod(1, (1, 2, 3)), DrawnPod(2, (4, 5, 6)))))
    diary.play(1)
    assert read(season_deals_sheet(diary.season, {})) == []
    assert len(read(results_sheet(diary.season, {}))) == 3
    diary.play(2)
    assert {row["pod"] for row in read(season_deals_sheet(diary.season, {}))} == {"1", "2"}


def test_deals_of_a_season_that_was_closed_early_are_told_once_nobody_plays_their_boards_any_more():
    diary = Diary(players=6, duplicate=True)
    diary.note(RoundDrawn(1, (DrawnPod(1, (1, 2, 3)), DrawnPod(2, (4, 5, 6)))))
    diary.play(1)
    diary.note(SeasonClosed())
    assert {row["pod"] for row in read(season_deals_sheet(diary.season, {}))} == {"1"}
