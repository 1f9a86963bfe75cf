"""Who may play the finals, and at which tables they meet."""

from league.events import Withdrawn
from league.finals import seeds, tables_of
from tests.league.seasons import Diary


def test_only_those_who_came_often_enough_and_are_still_there_may_play_the_finals():
    diary = Diary(players=8, rounds=2)
    diary.round()
    diary.round()
    diary.note(Withdrawn(1))
    assert set(seeds(diary.season)) == set(range(2, 9))
    rare = Diary(players=9, rounds=2, least_matches=100)
    rare.round(absent=(9,))
    rare.round(absent=(9,))
    assert set(seeds(rare.season)) == set(range(1, 9))


def test_tables_are_folded_like_a_snake():
    assert tables_of(range(1, 17)) == [(1, 8, 9, 16), (2, 7, 10, 15), (3, 6, 11, 14), (4, 5, 12, 13)]
    assert tables_of(range(1, 9)) == [(1, 4, 5, 8), (2, 3, 6, 7)]
    assert tables_of((5, 6, 7, 8)) == [(5, 6, 7, 8)]
