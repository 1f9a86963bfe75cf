"""Knock-out finals."""

from dataclasses import replace

import pytest

from league.events import Adjudicated, MatchFinished, NoShowBooked, PenaltyAdded, Result, SeasonClosed
from league.finals import (
    champion,
    cut_of,
    draw_stage,
    final_standings,
    next_finalists,
    next_players,
    seeds,
    stage_over,
    stage_tables,
    tables_of,
)
from league.standings import standings
from tests.league.seasons import SEED, Diary


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


def test_the_champion_leads_the_final_table_whatever_the_season_gave():
    diary = Diary(players=12, cut_to=8, rounds=2)
    for _ in range(2):
        diary.round()
    before = standings(diary.season)
    assert final_standings(diary.season) == before, "nothing is decided before the finals"
    players, out = seeds(diary.season)[:8], []
    for stage in (8, 4):
        for event in draw_stage(diary.season, players, due=0):
            diary.note(event)
            for pod in event.pods:
                diary.play(pod.id)
        out = [row.player for rows in stage_tables(diary.season, stage) for row in rows if row.place > 2]
        players = next_players(diary.season, stage)
    final = final_standings(diary.season)
    [last] = stage_tables(diary.season, 4)
    ranked = [row.player for row in final.rows]
    assert ranked[:4] == [row.player for row in last]
    assert ranked[0] == players[0]
    assert set(ranked[2:4]) == set(out)
    assert set(ranked[:8]) == set(seeds(diary.season)[:8])
    assert ranked[8:] == [row.player for row in before.rows if row.player not in ranked[:8]]
    assert [row.rank for row in final.rows] == list(range(1, 13))
    points = {row.player: row.points for row in before.rows}
    assert {row.player: row.points for row in final.rows} == points, "the points are those of the season"
    was = {row.player: row.rank for row in before.rows}
    assert all(row.moved == was[row.player] - row.rank for row in final.rows)


def level(cut_to: int = 4, players: int = 8) -> Diary:
    """Return a season of two tables whose deals are all even, so that all players have the same points."""
    diary = Diary(players=players, cut_to=cut_to, rounds=1, placing_only=True)
    for pod in diary.draw():
        seats = diary.season.pods[pod].players
        diary.note(MatchFinished(pod, Result(seats, ((0,) * len(seats),) * len(seats))))
    return diary


def drawn_finals(diary: Diary) -> tuple[int, ...]:
    """Return the finals as the season draws them, with the seed that is revealed later."""
    going = seeds(replace(diary.season, seed=SEED.hex()))[:4]
    for event in draw_stage(diary.season, going, due=0):
        diary.note(event)
    return going


def test_a_tie_for_the_last_place_names_those_who_were_drawn_and_the_lot():
    diary = level()
    assert cut_of(diary.season) is None, "nothing is drawn yet"
    going = drawn_finals(diary)
    cut = cut_of(diary.season)
    assert cut is not None
    assert (cut.by, cut.points, set(cut.tied), cut.going) == ("lot", 0, set(range(1, 9)), set(going))
    diary.note(SeasonClosed(SEED.hex()))
    revealed = cut_of(diary.season)
    assert revealed is not None
    assert (revealed.by, revealed.going) == ("lot", cut.going), "the same cause once the seed is shown"


def test_what_parted_two_players_is_told_and_no_tie_tells_nothing():
    diary = Diary(players=8, cut_to=4, rounds=1)
    diary.round()
    drawn_finals(diary)
    assert cut_of(diary.season) is None, "chance gave everybody other points"
    tied = level()
    fourth, fifth = (row.player for row in standings(tied.season).rows[3:5])
    tied.note(PenaltyAdded(1, fifth, 1, 0, 1))
    going = drawn_finals(tied)
    cut = cut_of(tied.season)
    assert cut is not None
    assert fifth not in going
    assert fifth in cut.tied
    assert cut.by == "lot", f"six others are equal to {fourth}"


def test_who_stays_away_from_a_final_comes_behind_those_who_play_it_whatever_the_lead():
    """With a lead of 30 points, staying away once reached the next stage more often than playing."""
    diary = Diary(players=8, cut_to=4, rounds=1, final_matches=1)
    diary.round()
    [event] = draw_stage(diary.season, seeds(diary.season)[:4], due=0)
    diary.note(event)
    leader, *others = event.pods[0].players
    diary.note(PenaltyAdded(1, leader, 1, 100_000))
    diary.note(NoShowBooked(event.pods[0].id, leader))
    played = tuple(others)
    diary.note(MatchFinished(event.pods[0].id, Result(played, ((0, 0, 0),) * 3)))
    [rows] = stage_tables(diary.season, 4)
    assert rows[-1].player == leader
    assert rows[-1].points > rows[0].points
    assert [row.missed for row in rows] == [0, 0, 0, 1]
    assert next_players(diary.season, 4) == (rows[0].player,)
    before = replace(diary.season, settings=diary.season.settings.with_options(miss_from_mean=False))
    assert stage_tables(before, 4)[0][0].player == leader, "a season that is under way keeps its rule"


def stage_of(diary: Diary, players: tuple[int, ...]) -> list[int]:
    """Draw a stage of one match among these players, and return the numbers of its pods."""
    [event] = draw_stage(diary.season, players, due=0)
    diary.note(event)
    return [pod.id for pod in event.pods]


def nobody_comes(diary: Diary, pod: int, but: tuple[int, ...] = ()) -> None:
    players = diary.season.pods[pod].players
    verdicts = {player: "average_plus" if player in but else "no_show" for player in players}
    diary.note(Adjudicated(pod, verdicts))


def finals(cut_to: int, players: int = 12) -> Diary:
    diary = Diary(players=players, cut_to=cut_to, rounds=1, final_matches=1)
    diary.round()
    return diary


def test_nobody_goes_on_from_a_table_to_which_nobody_came_and_the_next_are_invited():
    diary = finals(8)
    listed = seeds(diary.season)
    first, second = stage_of(diary, listed[:8])
    nobody_comes(diary, first)
    diary.play(second)
    away, came = (set(diary.season.pods[pod].players) for pod in (first, second))
    assert {row.advances for row in stage_tables(diary.season, 8)[0]} == {False}
    going = next_players(diary.season, 8)
    assert set(going) == came, "the two who won their table, and the next two who played"
    assert not away & set(going)
    assert list(going) == [player for player in listed if player in came]


def test_those_whom_the_finals_have_not_seen_are_invited_last():
    diary = finals(8)
    listed = seeds(diary.season)
    first, second = stage_of(diary, listed[:8])
    nobody_comes(diary, first)
    alone = diary.season.pods[second].players[0]
    nobody_comes(diary, second, but=(alone,))
    assert next_players(diary.season, 8) == (alone, *listed[8:11])


def test_each_stage_follows_when_the_one_before_is_over():
    diary = finals(8)
    first = next_finalists(diary.season)
    assert first == tuple(seeds(diary.season)[:8])
    pods = stage_of(diary, first)
    assert next_finalists(diary.season) == (), "the first stage is being played"
    for pod in pods:
        diary.play(pod)
    last = next_finalists(diary.season)
    assert last == next_players(diary.season, 8)
    [pod] = stage_of(diary, last)
    diary.play(pod)
    assert next_finalists(diary.season) == (), "the final is played"


def test_there_is_no_final_where_too_few_are_left_to_play_it():
    diary = finals(8, players=8)
    for pod in stage_of(diary, seeds(diary.season)):
        nobody_comes(diary, pod)
    assert next_players(diary.season, 8) == ()


def test_there_is_no_champion_without_a_final():
    diary = finals(4)
    before = standings(diary.season)
    [pod] = stage_of(diary, seeds(diary.season)[:4])
    nobody_comes(diary, pod)
    assert stage_over(diary.season, 4)
    assert next_players(diary.season, 4) == ()
    assert final_standings(diary.season).rows[0].player == before.rows[0].player
    assert not final_standings(diary.season).decided
    diary.note(SeasonClosed(SEED.hex()))
    assert champion(diary.season) is None
    nobody_comes(diary, pod, but=diary.season.pods[pod].players[:1])
    assert next_players(diary.season, 4) == (), "nobody has played"


def test_a_champion_has_played_the_final():
    diary = finals(4)
    [pod] = stage_of(diary, seeds(diary.season)[:4])
    leader, *others = diary.season.pods[pod].players
    diary.note(NoShowBooked(pod, leader))
    diary.note(MatchFinished(pod, Result(tuple(others), ((0, 0, 0),) * 3)))
    [winner] = next_players(diary.season, 4)
    assert winner in others
    assert champion(diary.season) is None, "the season is still open"
    diary.note(SeasonClosed(SEED.hex()))
    assert champion(diary.season) == winner


def test_a_season_that_ends_between_its_stages_has_no_champion():
    diary = finals(8)
    for pod in stage_of(diary, seeds(diary.season)[:8]):
        diary.play(pod)
    diary.note(SeasonClosed(SEED.hex()))
    assert champion(diary.season) is None


def test_the_table_names_the_champion_of_a_season_without_finals():
    diary = Diary()
    diary.round()
    diary.note(SeasonClosed(SEED.hex()))
    assert champion(diary.season) == standings(diary.season).rows[0].player
    unplayed = Diary()
    unplayed.note(SeasonClosed(SEED.hex()))
    assert champion(unplayed.season) is None
