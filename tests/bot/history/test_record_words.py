"""The words of profiles and boards: every achievement has its own, figures read well."""

from dataclasses import replace

import pytest

from bot.errors import UserError
from bot.history.past_deals import Asked, read_asked
from bot.panels.history.leaderboard import board_panel, profile_panel
from bot.ui.items import Press
from bot.ui.panel import Panel
from bot.words.texts import texts
from league.statistics.leaderboard import points_board
from league.statistics.profile import BestDeal, DecisionQuality, Profile, Rival, ShownRating, Streaks
from league.statistics.puzzle_ratings import PuzzleFigures, Strength
from league.statistics.ratings import Rating
from league.statistics.stats import Achievement, Earned, Span, Tally
from playground.shown import walk


@pytest.mark.parametrize("achievement", Achievement)
def test_every_achievement_has_its_words(achievement):
    assert texts()(f"achievement.{achievement}")
    assert texts()(f"achievement.{achievement}_title")


@pytest.mark.parametrize(
    "asked",
    [Asked(), Asked(own=False, table_id=7, with_id=2**62, preset="wikipedia-2010", since="year")],
)
def test_filters_travel_in_custom_ids(asked):
    press = asked.press("history-on")
    assert len(str(press)) <= 100
    assert read_asked(press) == asked


@pytest.mark.parametrize(
    "argument", ["", "own", "own-0-0", "own-0-0-0-0", "x-0-0-0", "own-0-z-0", "own-0--1-0", "own-!-0-0"]
)
def test_filters_that_were_never_built_are_refused(argument):
    with pytest.raises(UserError):
        read_asked(Press("history-on", 0, 0, argument))


def words_of(panel: Panel) -> str:
    return "\n".join(
        component["content"] for component in walk(panel.view.to_components()) if component["type"] == 10
    )


def test_the_fullest_profile_fits_into_a_message():
    name = "*" * 24
    profile = Profile(
        person=1,
        name=name,
        tally=Tally(9_999, 3_000, 8_000, 99, -99_999, 9_999_999, 99_999),
        matches=999,
        others=999,
        since=1,
        rating=ShownRating.of(Rating(25, 8), 0),
        form=tuple(range(-10, 10)),
        best=(BestDeal(99_999, 99, 1, 5, 999, 99),) * 3,
        rivals=(Rival(2, name, 999, 999, 999, -9_999),) * 5,
        richest=(BestDeal(99_999, 99, 1, 5, 999, 99),),
        with_viewer=Rival(2, name, 999, 999, 999, -9_999),
        earned=tuple(Earned(1, achievement, 1, 1, 1_790_000_000_000) for achievement in Achievement),
    )
    said = words_of(profile_panel(profile, texts(), listed=False))
    assert len(said) < 3_300
    assert "30%" in said
    assert "…" not in said


def test_a_profile_tells_the_puzzles_that_were_answered():
    empty = Profile(1, "A", Tally(), 0, 0, None, None, (), (), (), ())
    assert "Puzzles" not in words_of(profile_panel(empty, texts()))
    sure = replace(empty, puzzles=PuzzleFigures(Strength(27.5, 2.0, 40), correct=31))
    assert "Puzzles: rating **1600** · 31 of 40" in words_of(profile_panel(sure, texts()))
    unsure = replace(empty, puzzles=PuzzleFigures(Strength(27.5, 6.0, 4), correct=3))
    assert "rating **1600?**" in words_of(profile_panel(unsure, texts()))


def test_a_profile_tells_how_well_somebody_decides_with_its_error():
    empty = Profile(1, "A", Tally(), 0, 0, None, None, (), (), (), ())
    assert "Decisions" not in words_of(profile_panel(empty, texts()))
    found = replace(empty, decisions=DecisionQuality(12, 87.4, 2.2, 5.25, 1.1))
    said = words_of(profile_panel(found, texts()))
    assert "accuracy **87 ± 2 %**, 5.2 ± 1.1 points lost a deal · 12 analysed deals" in said


def test_percentages_only_from_thirty_deals_on():
    def said(deals: int) -> str:
        tally = Tally(deals, deals, deals, 0, 0, 0, 0)
        return words_of(profile_panel(Profile(1, "A", tally, 1, 0, 1, None, (), (), (), ()), texts()))

    assert "%" not in said(29)
    assert "won **100%**" in said(30)


def test_one_s_own_line_is_on_every_page_and_forged_pages_are_the_last():
    tallies = {person: Tally(1, net=-person) for person in range(1, 26)}
    board = points_board(tallies, {person: f"P{person}" for person in tallies}, Span.ALL, 0)
    first, last = (words_of(board_panel(board, page, 25, texts())) for page in (0, 10**17))
    assert texts()("board.mine", line="").strip() in first
    assert first.count("➤") == last.count("➤") == 1
    assert "Page 3 of 3" in last
    assert "➤" not in words_of(board_panel(board, 0, None, texts()))


def test_somebody_else_s_profile_says_how_one_has_fared_against_them():
    empty = Profile(1, "Asha", Tally(), 0, 0, None, None, (), (), (), ())
    assert "You and" not in words_of(profile_panel(empty, texts()))
    met = replace(empty, with_viewer=Rival(1, "Asha", 12, 7, 4, 31))
    said = words_of(profile_panel(met, texts()))
    assert "**You and Asha**: 12 deals, you ahead in 7, behind in 4 · +31 points for you" in said
    rich = replace(empty, richest=(BestDeal(7, 3, 1_790_000_000_000, 4, -2, 38),))
    assert "**Most maal**\n- **−2** at table 7, deal 3 · maal 38" in words_of(profile_panel(rich, texts()))


def test_a_profile_tells_the_days_that_somebody_came():
    empty = Profile(1, "A", Tally(), 0, 0, None, None, (), (), (), ())
    assert "🔥" not in words_of(profile_panel(empty, texts()))
    steady = replace(empty, streaks=Streaks(days=9, running=3, longest=5, daily=2, puzzle=1))
    said = words_of(profile_panel(steady, texts()))
    assert "Played on **9** days · **3** in a row · at most 5 in a row" in said
    assert "deal of the day: 2 days in a row · puzzle of the day: 1 day in a row" in said
