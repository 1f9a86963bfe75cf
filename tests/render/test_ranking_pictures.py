"""Pictures of boards, standings and profiles: everyone is shown, no name breaks them, nothing is early."""

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.standings import Standings
from league.statistics.leaderboard import Board, BoardOrder
from league.statistics.profile import ENOUGH, Profile
from render import words
from render.drawing.charts import WIDTH
from render.leaderboard_picture import draw_leaderboard
from render.picture import Picture
from render.profile_picture import draw_profile
from render.samples import PEOPLE, boards, profiles, tables
from render.standings_picture import ROWS, draw_standings, pages
from render.style import DEFAULT, STYLES, Style
from render.words import speaking
from tests.render.looking import opened

RATING = boards()["rating"][0]
POINTS = boards()["points"][0]
PODS, TITLE = tables()["pods"]
FULL = profiles()["full"]
NAMES = dict(enumerate(PEOPLE, 1))
LINES = 10
LATIN_WORD = re.compile(r"[A-Za-z]{2,}")


def board(
    board: Board = RATING, first: int = 0, viewer: int | None = None, style: Style = DEFAULT
) -> Picture:
    return draw_leaderboard(board, first, LINES, viewer, style)


def standings(table: Standings = PODS, page: int = 0, viewer: int | None = None) -> Picture:
    return draw_standings(table, NAMES, TITLE, page, viewer)


def looks(picture: Picture) -> bytes:
    return opened(picture).convert("RGB").tobytes()


def test_the_same_value_gives_the_same_bytes() -> None:
    for one, other in zip(all_pictures(DEFAULT), all_pictures(DEFAULT), strict=True):
        assert one == other


def test_every_style_draws() -> None:
    drawn = [[picture.png for picture in all_pictures(style)] for style in STYLES]
    assert all(picture.width == WIDTH for style in STYLES for picture in all_pictures(style))
    for pictures in zip(*drawn, strict=True):
        assert len(set(pictures)) >= 2  # none of them uses the suits' colours; all use the theme


def all_pictures(style: Style) -> list[Picture]:
    found = [draw_leaderboard(one, first, LINES, viewer, style) for one, first, viewer in boards().values()]
    found += [draw_standings(table, NAMES, title, 0, 3, style) for table, title in tables().values()]
    return found + [draw_profile(profile, style) for profile in profiles().values()]


def test_a_board_shows_the_lines_that_were_asked_for() -> None:
    first, rest = board(), board(first=LINES)
    assert [PEOPLE[0] in first.alt, PEOPLE[0] in rest.alt] == [True, False]
    assert first.height > rest.height > board(replace(RATING, rows=RATING.rows[:1])).height
    empty = board(replace(RATING, rows=()))
    assert words.say("board.empty") in empty.alt
    assert empty.height < rest.height


def test_one_s_own_line_is_marked_or_stands_below() -> None:
    plain, marked, below = board(), board(viewer=5), board(viewer=12)
    assert looks(plain) != looks(marked)
    assert (plain.height, plain.alt.count("You")) == (marked.height, 0)
    assert "You: 5: Ольга" in marked.alt
    assert below.height > plain.height
    assert f"You: ?: {PEOPLE[11]}" in below.alt
    assert board(viewer=99) == plain


def test_what_is_not_sure_has_a_question_mark() -> None:
    sure, unsure = (replace(RATING.rows[0], provisional=flag) for flag in (False, True))
    pictures = [board(replace(RATING, rows=(row,))) for row in (sure, unsure)]
    assert ["1712? ± 24" in picture.alt for picture in pictures] == [False, True]
    assert looks(pictures[0]) != looks(pictures[1])


@pytest.mark.parametrize("order", BoardOrder)
@pytest.mark.parametrize("value", [0.0, -99_999.0, 0.04])
def test_any_figures_are_drawn(order: BoardOrder, value: float) -> None:
    rows = tuple(replace(row, value=value, error=0.0) for row in RATING.rows[:2])
    assert board(Board(order, RATING.span, rows, 0)).width == WIDTH


@given(st.lists(st.text(max_size=60), min_size=3, max_size=3))
@settings(max_examples=20, deadline=None)
def test_names_in_any_script_are_drawn(names: list[str]) -> None:
    rows = tuple(replace(row, name=name) for row, name in zip(POINTS.rows, names, strict=False))
    table = replace(PODS, rows=PODS.rows[:3])
    drawn = [
        board(replace(POINTS, rows=rows)),
        draw_standings(table, dict(enumerate(names, 1)), names[0]),
        draw_profile(replace(FULL, name=names[0])),
    ]
    assert all(picture.width == WIDTH and len(picture.alt) <= 1000 for picture in drawn)


def test_a_name_of_which_nothing_is_left_is_a_number() -> None:
    assert "Player 1," in board(replace(POINTS, rows=(replace(POINTS.rows[0], name="\u200b"),))).alt


def test_a_long_table_has_several_pages() -> None:
    assert [pages(table) for table, _ in tables().values()] == [2, 1, 1, 1]
    first, second = standings(), standings(page=1)
    assert f"{ROWS}: Asha" in first.alt
    assert f"{ROWS + 1}: Bikram" in second.alt
    assert first.height > second.height


def test_the_line_of_those_who_go_on_is_drawn_once() -> None:
    with_cut, uncut = standings(), standings(replace(PODS, rows=unzoned()))
    assert with_cut.alt.index(words.say("standings.final")) < with_cut.alt.index("9: Ma")
    assert words.say("standings.final") not in uncut.alt
    assert with_cut.height > uncut.height
    division = draw_standings(tables()["division"][0], NAMES, "Autumn")
    up, down = division.alt.index("Promotion"), division.alt.index("Relegation")
    assert division.alt.index("2: ") < up < division.alt.index("3: ") < division.alt.index("6: ") < down


def unzoned():
    return tuple(replace(row, zone=None) for row in PODS.rows)


def test_bands_wait_until_something_is_known_of_luck() -> None:
    assert looks(standings()) != looks(standings(replace(PODS, match_spread=0)))
    wider = tuple(replace(row, band=replace(row.band, worst=20)) for row in PODS.rows)
    unknown = [standings(replace(PODS, match_spread=0, rows=rows)) for rows in (PODS.rows, wider)]
    assert looks(unknown[0]) == looks(unknown[1])
    assert looks(standings()) != looks(standings(replace(PODS, rows=wider)))


def test_tie_breaks_are_told_only_where_they_decided() -> None:
    without = standings(replace(PODS, rows=tuple(replace(row, by="points") for row in PODS.rows)))
    assert without.height < standings().height


def profile_of(deals: int) -> Profile:
    tally = replace(FULL.tally, deals=deals, wins=deals, seen=deals, dublees=0)
    return replace(FULL, tally=tally, form=FULL.form[:deals], course=FULL.course[: deals + 1])


def test_percentages_only_when_there_are_enough_deals() -> None:
    assert "%" not in draw_profile(profile_of(ENOUGH - 1)).alt
    assert "won 100%" in draw_profile(profile_of(ENOUGH)).alt


def test_one_deal_is_no_row() -> None:
    one, two = draw_profile(profile_of(1)), draw_profile(profile_of(2))
    assert "last" not in one.alt
    assert "The last 2 deals: +12, −7." in two.alt
    assert one.height < two.height


def test_a_profile_without_deals_says_so() -> None:
    assert words.say("profile.empty") in draw_profile(profiles()["none"]).alt


@pytest.mark.parametrize("language", ["ne", "hi"])
def test_boards_standings_and_profiles_speak_the_language(language: str) -> None:
    rows = tuple(replace(row, name="(1)") for row in RATING.rows)
    names = dict.fromkeys(NAMES, "(1)")
    with speaking(language):
        told = [
            board(replace(RATING, rows=rows), viewer=12),
            board(replace(POINTS, rows=())),
            *(draw_standings(table, names, "(1)") for table, _ in tables().values()),
            *(draw_profile(replace(profile, name="(1)")) for profile in profiles().values()),
        ]
    assert [picture.alt for picture in told if LATIN_WORD.search(picture.alt)] == []
    assert looks(told[0]) != looks(board(replace(RATING, rows=rows), viewer=12))
