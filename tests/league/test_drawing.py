"""Draws of a season: who has gone away, divisions, and what a season will be like."""

import pytest

from league.events import CheckedIn, DivisionSet, DrawnPod, NoShowBooked, RoundDrawn, Withdrawn
from league.pairing.drawing import (
    Forecast,
    draw_rounds,
    forecast,
    gone_away,
    missed_before,
    next_season,
    seeded,
    sizes,
)
from league.pairing.pods import History
from league.season import fold
from league.settings import default_settings
from league.standings import standings
from tests.league.seasons import SEED, Diary


def evening(players: int = 4) -> Diary:
    """Return an arena in which the players were drawn once, and the first of them did not come."""
    diary = Diary("arena", players=players)
    diary.note(RoundDrawn(1, (DrawnPod(1, (1, 2, 3, 4)),)))
    diary.note(NoShowBooked(1, 1))
    return diary


def test_who_did_not_come_is_gone_until_they_come_back():
    diary = evening()
    assert gone_away(diary.season) == {1}
    diary.note(CheckedIn(1, 1))
    assert gone_away(diary.season) == {1}, "they had said so before the round in which they did not come"
    diary.note(CheckedIn(1, 2))
    assert gone_away(diary.season) == frozenset()


def test_only_the_last_match_tells_who_is_gone():
    diary = evening()
    diary.note(RoundDrawn(2, (DrawnPod(2, (1, 2, 3, 4)),)))
    assert gone_away(diary.season) == frozenset()


def test_in_rounds_of_days_nobody_is_gone_for_one_missed_match():
    diary = Diary(players=4)
    [pod] = diary.draw()
    diary.note(NoShowBooked(pod, 1))
    assert gone_away(diary.season) == frozenset()


def test_rounds_before_one_joined_are_missed_but_not_in_one_sitting():
    diary = Diary(players=4)
    assert missed_before(diary.season) == ()
    for number in (1, 2):
        diary.note(RoundDrawn(number, ()))
    assert missed_before(diary.season) == (1, 2)
    assert missed_before(evening().season) == ()


def test_who_is_not_drawn_is_absent_but_not_in_one_sitting():
    for format_, absent in (("pods", {4}), ("arena", set())):
        diary = Diary(format_, players=4)
        for player in (1, 2, 3):
            diary.note(CheckedIn(player, 1))
        drawn, *absences = draw_rounds(diary.season, SEED, [0])
        assert sorted(drawn.pods[0].players) == [1, 2, 3]
        assert {event.player for event in absences} == absent


def test_in_one_sitting_who_still_plays_waits_and_who_did_not_come_may_be_drawn_again():
    diary = evening(players=7)
    for player in range(1, 8):
        diary.note(CheckedIn(player, 2))
    [drawn] = draw_rounds(diary.season, SEED, [0])
    assert sorted(player for pod in drawn.pods for player in pod.players) == [1, 5, 6, 7]


def played(players: int = 24) -> Diary:
    diary = Diary("divisions", players=players)
    for player, division in seeded(range(1, players + 1), 8).items():
        diary.note(DivisionSet(player, division))
    for event in draw_rounds(diary.season, SEED, range(1, 8)):
        diary.note(event)
    for pod in diary.season.pods:
        diary.play(pod, deals=4)
    return diary


def test_sizes():
    assert sizes(24, 8) == (8, 8, 8)
    assert sizes(20, 8) == (10, 10)
    assert sizes(21, 8) == (7, 7, 7)
    assert sizes(5, 8) == (5,)
    assert all(6 <= size <= 10 for players in range(12, 200) for size in sizes(players, 8))


def test_a_season_of_three_divisions():
    diary = played()
    assert len(diary.season.rounds) == 7
    tables = [standings(diary.season, division=division) for division in (1, 2, 3)]
    assert [sorted(row.player for row in table.rows) for table in tables] == [
        [*range(1, 9)],
        [*range(9, 17)],
        [*range(17, 25)],
    ]
    met = History.of([[pod.players for pod in drawn.pods] for drawn in diary.season.rounds.values()]).meetings
    assert set(met.values()) == {3}
    assert [row.zone for row in tables[0].rows] == [None] * 6 + ["down"] * 2
    assert [row.zone for row in tables[1].rows] == ["up"] * 2 + [None] * 4 + ["down"] * 2
    assert [row.zone for row in tables[2].rows] == ["up"] * 2 + [None] * 6
    assert fold(diary.entries) == diary.season


def test_two_go_up_and_two_go_down():
    diary = played()
    tables = [standings(diary.season, division=division) for division in (1, 2, 3)]
    new = next_season(tables, range(1, 25), 8)
    down = [row.player for row in tables[0].rows[-2:]]
    up = [row.player for row in tables[1].rows[:2]]
    assert {new[player] for player in down} == {2}
    assert {new[player] for player in up} == {1}
    assert {new[row.player] for row in tables[2].rows[:2]} == {2}
    assert {new[row.player] for row in tables[1].rows[-2:]} == {3}
    assert sorted(new.values()) == [1] * 8 + [2] * 8 + [3] * 8


def test_vacant_places_are_filled_from_below_and_newcomers_start_at_the_bottom():
    diary = played()
    tables = [standings(diary.season, division=division) for division in (1, 2, 3)]
    champion, resting = tables[0].rows[0].player, tables[1].rows[3].player
    playing = [*(player for player in range(1, 25) if player not in (champion, resting)), 101, 102]
    new = next_season(tables, playing, 8)
    assert new[101] == new[102] == 3
    assert sorted(new.values()) == [1] * 8 + [2] * 8 + [3] * 8
    back = next_season(tables, [*playing, resting], 8, kept={resting: 2})
    assert back[resting] in (1, 2)


def test_who_has_left_is_not_drawn():
    diary = Diary("divisions", players=8)
    diary.note(Withdrawn(8))
    [*events] = draw_rounds(diary.season, SEED, (1, 2))
    assert sorted(player for pod in events[0].pods for player in pod.players) == [*range(1, 8)]


@pytest.mark.parametrize(
    ("name", "players", "found"),
    [
        ("pods", 3, Forecast(3, 0, 1, 7, 0)),
        ("pods", 10, Forecast(10, 0, 3, 7, 0)),
        ("swiss", 8, Forecast(8, 0, 2, 6, 0)),
        ("divisions", 16, Forecast(16, 2, 4, 7, 0)),
        ("divisions", 6, Forecast(6, 1, 2, 7, 0)),
    ],
)
def test_the_size_of_a_season_in_which_everybody_plays(name: str, players: int, found: Forecast):
    assert forecast(default_settings(name), players) == found


def test_finals_are_as_large_as_they_may_be():
    with_finals = default_settings("pods").with_options(cut_to=8)
    assert [forecast(with_finals, players).finalists for players in (3, 4, 7, 8, 99)] == [0, 4, 4, 8, 8]


@pytest.mark.parametrize(("name", "players"), [("pods", 2), ("divisions", 5), ("ladder", 50)])
def test_too_few_players_and_a_ladder_make_no_forecast(name: str, players: int):
    assert forecast(default_settings(name), players) is None
