"""Knock-out finals."""

import pytest

from league.finals import (
    draw_stage,
    next_players,
    seeds,
    stage_over,
    stage_tables,
    tables_of,
)
from league.standings import standings
from tests.league.seasons import Diary


@pytest.fixture(scope="module")
def season() -> Diary:
    diary = Diary(players=20, cut_to=16, rounds=2)
    for _ in range(2):
        diary.round()
    return diary


def test_tables_are_folded_like_a_snake():
    assert tables_of(range(1, 17)) == [(1, 8, 9, 16), (2, 7, 10, 15), (3, 6, 11, 14), (4, 5, 12, 13)]
    assert tables_of(range(1, 9)) == [(1, 4, 5, 8), (2, 3, 6, 7)]
    assert tables_of((5, 6, 7, 8)) == [(5, 6, 7, 8)]


def test_small_fields_begin_later(season):
    finalists = season.season.settings.finalists
    assert [finalists(players) for players in (40, 16, 15, 8, 7, 4, 3)] == [16, 16, 8, 8, 4, 4, 0]
    assert Diary(players=20).season.settings.finalists(20) == 0


def test_finals_to_the_champion(season):
    table = standings(season.season)
    points = {row.player: row.points for row in table.rows}
    stage, players = 16, seeds(season.season)[:16]
    while stage:
        events = draw_stage(season.season, players, due=0)
        assert len(events) == 2, "two matches a stage"
        assert events[1].pods[0].players == events[0].pods[0].players[::-1]
        for event in events:
            season.note(event)
        assert not stage_over(season.season, stage)
        for event in events:
            for pod in event.pods:
                season.play(pod.id)
        assert stage_over(season.season, stage)
        tables = stage_tables(season.season, stage)
        assert len(tables) == stage // 4
        for rows in tables:
            assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
            assert [row.advances for row in rows] == [True, True, False, False]
            assert sum(row.won for row in rows) == pytest.approx(0, abs=8)
            for row in rows:
                assert abs(2 * row.carried - points[row.player]) <= 1
        players = next_players(season.season, stage)
        assert len(players) == (stage // 2 if stage > 4 else 1)
        stage = stage // 2 if stage > 4 else 0
    assert standings(season.season) == table, "finals move nobody in the season's table"


def test_a_stage_has_tables_of_four(season):
    with pytest.raises(ValueError, match="16, 8 or 4"):
        draw_stage(season.season, range(12), due=0)
