"""Who may play the finals, and at which tables they meet."""

from league.events import DrawnPod, RoundDrawn, SeasonClosed, Withdrawn
from league.finals import champion, draw_next_match, draw_stage, next_finalists, seeds, stage_over, tables_of
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


def test_in_one_sitting_the_next_match_of_a_stage_is_drawn_once_the_one_before_it_is_over():
    diary = Diary(players=8, rounds=1, cut_to=8, final_matches=3, round_minutes=45)
    assert draw_next_match(diary.season, due=1) == []
    diary.round()
    assert draw_next_match(diary.season, due=1) == []
    [first] = draw_stage(diary.season, range(1, 9), due=77)
    diary.note(first)
    assert [pod.players for pod in first.pods] == [(1, 4, 5, 8), (2, 3, 6, 7)]
    diary.play(first.pods[0].id)
    assert draw_next_match(diary.season, due=88) == []
    diary.play(first.pods[1].id)
    assert not stage_over(diary.season, 8)
    [second] = draw_next_match(diary.season, due=88)
    number, pod = first.round + 1, first.pods[1].id + 1
    pods = (DrawnPod(pod, (8, 5, 4, 1)), DrawnPod(pod + 1, (7, 6, 3, 2)))
    assert second == RoundDrawn(number, pods, 88, stage=8, leavers_miss=True)
    diary.note(second)
    for drawn in pods:
        diary.play(drawn.id)
    [third] = draw_next_match(diary.season, due=99)
    assert [pod.players for pod in third.pods] == [(1, 4, 5, 8), (2, 3, 6, 7)]
    diary.note(third)
    for drawn in third.pods:
        diary.play(drawn.id)
    assert stage_over(diary.season, 8)
    assert draw_next_match(diary.season, due=99) == []
    [final] = draw_stage(diary.season, next_finalists(diary.season), due=111)
    assert final.stage == 4


def test_in_one_sitting_a_final_that_ends_before_its_last_match_has_no_champion():
    diary = Diary(players=8, rounds=1, cut_to=4, final_matches=2, round_minutes=45)
    diary.round()
    [final] = draw_stage(diary.season, seeds(diary.season)[:4], due=77)
    diary.note(final)
    diary.play(final.pods[0].id)
    diary.note(SeasonClosed())
    assert champion(diary.season) is None
