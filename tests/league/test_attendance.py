"""Missing never pays: a missed round gives at most the player's own mean, and rare players are not ranked."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.attendance import PLACES, WAYS, away, compared, no_show
from benchmarks.attendance import season as simulated
from league.book import book
from league.events import Adjudicated, CheckedIn, DivisionSet, NoShowBooked, Withdrawn
from league.finals import draw_stage, next_players, seeds, stage_tables
from league.pairing.drawing import draw_rounds
from league.season import Season
from league.standings import standings
from tests.league.seasons import SEED, Diary

PLAYERS, ROUNDS = 8, 4


def played(seed: int, missing: list[set[int]]) -> Season:
    """Return a season in which these players miss these rounds: even ones stay away, odd ones do not come."""
    diary = Diary(players=PLAYERS, seed=seed, rounds=ROUNDS, cut_to=4)
    for missed in missing:
        for pod in diary.draw(absent=tuple(player for player in missed if player % 2 == 0)):
            players = set(diary.season.pods[pod].players)
            late = players & missed
            for player in late:
                diary.note(NoShowBooked(pod, player))
            if late:
                verdicts = {player: "no_show" if player in late else "average_plus" for player in players}
                diary.note(Adjudicated(pod, verdicts))
            else:
                diary.play(pod)
    return diary.season


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 99),
    st.lists(st.sets(st.integers(1, PLAYERS), max_size=5), min_size=ROUNDS, max_size=ROUNDS),
)
def test_missing_never_pays(seed: int, missing: list[set[int]]):
    season = played(seed, missing)
    rules = season.settings
    for lines in book(season).lines.values():
        so_far: list[int] = []
        for line in lines:
            mean = sum(so_far) / len(so_far) if so_far else 0
            if line.kind == "absence":
                assert line.points <= min(0, mean) + rules.absence_points + 1
            if line.kind == "no_show":
                assert line.points <= min(0, mean) + rules.no_show_points + 1
            if line.kind == "average_plus":
                assert line.points == rules.average_plus
            if line.kind == "match":
                so_far.append(line.points)
    rows = standings(season).rows
    there = [sum(line.was_there for line in row.lines) for row in rows]
    assert [count >= ROUNDS / 2 for count in there] == [row.qualified for row in rows]
    assert [row.qualified for row in rows] == sorted((row.qualified for row in rows), reverse=True)
    assert all(row.qualified for row in rows if row.zone == "final")
    qualified = [row.player for row in rows if row.qualified]
    assert list(seeds(season)) == qualified


def test_the_simulation_counts_what_the_book_counts():
    diary = Diary(players=4, rounds=4)
    [first], [second] = diary.draw(), diary.draw()
    diary.play(first)
    diary.note(Adjudicated(second, {1: "absence", 2: "no_show", 3: "average_plus", 4: "average_plus"}))
    lines = book(diary.season).lines
    for player, missed in ((1, away), (2, no_show)):
        played, line = lines[player]
        assert line.points == pytest.approx(100 * missed(played.points / 100, Random(1)))
    [third] = diary.draw(absent=(3,))
    diary.play(third, left=(4,))
    assert diary.season.absences == {(3, 3)}
    assert book(diary.season).lines[3][-1].points == pytest.approx(
        100 * away(book(diary.season).lines[3][0].points / 100, Random(1))
    )
    assert book(diary.season).lines[4][-1].points <= -1000


def test_a_player_who_never_came_stands_last_and_reaches_no_final():
    season = played(1, [{2}] * ROUNDS)
    *_, last = standings(season).rows
    assert (last.player, last.matches, last.zone, last.rank) == (2, 0, None, PLAYERS)


def test_nobody_is_unranked_for_a_round_that_is_still_being_played():
    diary = Diary(players=PLAYERS, rounds=ROUNDS)
    first, _ = diary.draw()
    diary.play(first)
    assert all(row.qualified for row in standings(diary.season).rows)


@pytest.mark.parametrize(("finalists", "rounds_played"), [(4, 5), (8, 5), (8, 6)])
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("way", WAYS)
def test_no_way_of_not_playing_the_last_rounds_takes_anybody_to_the_finals(
    way: str, place: int, finalists: int, rounds_played: int
):
    random = Random(place)
    results = [compared(simulated(random), place, WAYS[way], finalists, rounds_played) for _ in range(400)]
    plays, misses = (sum(result[which] for result in results) for which in (0, 1))
    assert misses <= plays + 4


def test_a_finalist_who_leaves_gives_way_to_the_next_at_the_table():
    diary = Diary(players=PLAYERS, rounds=1, cut_to=8, final_matches=1)
    diary.round()
    for drawn in draw_stage(diary.season, seeds(diary.season), 0):
        diary.note(drawn)
    for pod in [pod for pod in diary.season.pods.values() if pod.stage]:
        diary.play(pod.id)
    first, second, third, _ = stage_tables(diary.season, 8)[0]
    assert [row.advances for row in (first, second, third)] == [True, True, False]
    diary.note(Withdrawn(first.player))
    first, second, third, _ = stage_tables(diary.season, 8)[0]
    assert [row.advances for row in (first, second, third)] == [False, True, True]
    assert first.player not in next_players(diary.season, 8)


def test_the_table_names_those_whom_the_draw_of_the_finals_has_chosen():
    diary = Diary(players=PLAYERS, rounds=1, cut_to=4)
    diary.round()
    chosen = seeds(diary.season)[2:6]
    diary.note(draw_stage(diary.season, chosen, 0)[0])
    assert {row.player for row in standings(diary.season).rows if row.zone == "final"} == set(chosen)


def test_divisions_stand_after_the_round_that_is_being_played():
    diary = Diary("divisions", players=8, rounds=3, division_size=8)
    for player in range(1, 9):
        diary.note(DivisionSet(player, 1))
        diary.note(CheckedIn(player, 1))
    for event in draw_rounds(diary.season, SEED, [0, 0, 0]):
        diary.note(event)
    assert standings(diary.season, division=1).through == 0
    for number in (1, 2):
        for pod in diary.season.rounds[number].pods:
            diary.play(pod.id)
        assert standings(diary.season, division=1).through == number
    assert any(row.moved for row in standings(diary.season, division=1).rows)


def test_the_place_of_a_player_who_left_goes_to_the_next():
    diary = Diary("divisions", players=8, rounds=2, promoted=2)
    for player in range(1, 9):
        diary.note(DivisionSet(player, 1 + (player > 4)))
    diary.round()
    first, second, third, _ = [row.player for row in standings(diary.season, division=2).rows]
    diary.note(Withdrawn(first))
    zones = {row.player: row.zone for row in standings(diary.season, division=2).rows}
    assert (zones[first], zones[second], zones[third]) == (None, "up", "up")
