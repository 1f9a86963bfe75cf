"""Knock-out finals."""

from dataclasses import replace

import pytest

from league.events import (
    Adjudicated,
    DealVoided,
    DivisionSet,
    DrawnPod,
    MatchFinished,
    NoShowBooked,
    PenaltyAdded,
    Result,
    RoundDrawn,
    SeasonClosed,
    Withdrawn,
)
from league.finals import (
    Cut,
    StageRow,
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
from league.members import Banned
from league.standings import standings
from tests.league.seasons import SEED, Diary


@pytest.fixture(scope="module")
def season() -> Diary:
    diary = Diary(players=20, cut_to=16, rounds=2)
    for _ in range(2):
        diary.round()
    return diary


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
    with pytest.raises(ValueError, match=r"^a stage of the finals has 16, 8 or 4 players$"):
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
    diary = Diary(players=players, cut_to=cut_to, rounds=1, placing_only=True, final_matches=1)
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


def begun_final() -> tuple[Diary, int, int]:
    """Return a final of two matches whose first is played, the number of the second, and the player in the lead."""
    diary = Diary(players=8, cut_to=4, rounds=1, final_matches=2)
    diary.round()
    first, second = draw_stage(diary.season, seeds(diary.season)[:4], due=0)
    diary.note(first)
    diary.note(second)
    players = first.pods[0].players
    diary.note(MatchFinished(first.pods[0].id, Result(players, ((60, -20, -20, -20),) * 4)))
    return diary, second.pods[0].id, players[0]


@pytest.mark.parametrize("gone", [Withdrawn, Banned])
def test_who_leaves_between_the_matches_of_the_final_does_not_win_it(gone: type[Withdrawn | Banned]):
    diary, second, leader = begun_final()
    diary.note(gone(leader))
    assert stage_tables(diary.season, 4)[0][0].player == leader, "nothing is missed yet"
    others = tuple(player for player in diary.season.pods[second].players if player != leader)
    diary.note(MatchFinished(second, Result(others, ((0, 0, 0),) * 3)))
    [rows] = stage_tables(diary.season, 4)
    assert (rows[-1].player, rows[-1].missed) == (leader, 1)
    assert next_players(diary.season, 4) == (rows[0].player,)
    before = replace(diary.season, settings=diary.season.settings.with_options(miss_from_mean=False))
    assert stage_tables(before, 4)[0][0].player == leader, "a season that is under way keeps its rule"


def test_who_has_left_comes_behind_those_who_only_stayed_away_from_the_last_match():
    diary, second, leader = begun_final()
    diary.note(Withdrawn(leader))
    verdicts = {
        player: "nothing" if player == leader else "no_show" for player in diary.season.pods[second].players
    }
    diary.note(Adjudicated(second, verdicts))
    [rows] = stage_tables(diary.season, 4)
    assert [row.missed for row in rows] == [1, 1, 1, 1]
    assert rows[-1].player == leader


def test_a_stage_drawn_before_leaving_was_missing_keeps_its_order():
    diary, second, leader = begun_final()
    diary.note(Withdrawn(leader))
    others = tuple(player for player in diary.season.pods[second].players if player != leader)
    diary.note(MatchFinished(second, Result(others, ((0, 0, 0),) * 3)))
    rounds = {number: replace(drawn, leavers_miss=False) for number, drawn in diary.season.rounds.items()}
    [rows] = stage_tables(replace(diary.season, rounds=rounds), 4)
    assert (rows[0].player, rows[0].missed) == (leader, 0)


def test_who_missed_a_match_and_leaves_after_the_last_one_keeps_the_place():
    diary, second, leader = begun_final()
    other, *there = (player for player in diary.season.pods[second].players if player != leader)
    for player in (leader, other):
        diary.note(NoShowBooked(second, player))
    diary.note(MatchFinished(second, Result(tuple(there), ((0, 0),) * 4)))
    [before] = stage_tables(diary.season, 4)
    diary.note(Withdrawn(leader))
    [rows] = stage_tables(diary.season, 4)
    assert [row.player for row in rows] == [row.player for row in before]


def test_who_leaves_after_the_last_match_of_the_final_has_won_it():
    diary, second, leader = begun_final()
    players = diary.season.pods[second].players
    diary.note(MatchFinished(second, Result(players, ((0, 0, 0, 0),) * 4)))
    diary.note(Withdrawn(leader))
    assert next_players(diary.season, 4) == (leader,)


def test_a_match_of_a_stage_whose_deals_are_all_void_is_missed_by_nobody():
    diary, second, _ = begun_final()
    diary.note(MatchFinished(second, Result(diary.season.pods[second].players, ((0, 0, 0, 0),))))
    diary.note(DealVoided(second, 0))
    assert [row.missed for row in stage_tables(diary.season, 4)[0]] == [0, 0, 0, 0]


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


def test_the_rounds_of_a_stage_follow_those_of_the_season():
    diary = Diary(players=8, cut_to=8, rounds=1, final_matches=3)
    assert draw_stage(Diary().season, (4, 3, 2, 1), due=5)[0] == RoundDrawn(
        1, (DrawnPod(1, (4, 3, 2, 1)),), 5, stage=4, leavers_miss=True
    )
    diary.round()
    one, two = (1, 4, 5, 8), (2, 3, 6, 7)
    assert draw_stage(diary.season, range(1, 9), due=77) == [
        RoundDrawn(2, (DrawnPod(3, one), DrawnPod(4, two)), 77, stage=8, leavers_miss=True),
        RoundDrawn(3, (DrawnPod(5, one[::-1]), DrawnPod(6, two[::-1])), 77, stage=8, leavers_miss=True),
        RoundDrawn(4, (DrawnPod(7, one), DrawnPod(8, two)), 77, stage=8, leavers_miss=True),
    ]


def final_of(diary: Diary, deal: tuple[int, ...], players: tuple[int, ...] = (1, 2, 3, 4)) -> None:
    """Play a final of one match, in which all deals are alike."""
    [pod] = stage_of(diary, players)
    diary.note(MatchFinished(pod, Result(players, (deal,) * 4)))


def test_a_share_of_the_points_is_carried_into_a_stage():
    diary = Diary(players=8, cut_to=4, rounds=1, final_matches=1, carry_over=30, placing_only=True)
    diary.round()
    for player, points in enumerate((105, 5, -105, 1000), 1):
        diary.note(PenaltyAdded(player, player, 1, points - total(diary, player)))
    final_of(diary, (30, 10, -10, -30))
    [rows] = stage_tables(diary.season, 4)
    assert {row.player: row.carried for row in rows} == {1: 32, 2: 2, 3: -32, 4: 300}
    assert rows[0] == StageRow(1, 1, 32, 1000, advances=True)
    assert [row.points for row in rows] == [row.carried + row.won for row in rows]


def total(diary: Diary, player: int) -> int:
    return next(row.points for row in standings(diary.season).rows if row.player == player)


def test_after_the_final_those_who_did_not_play_it_share_the_places_behind_it():
    diary = level()
    final_of(diary, (30, 10, -10, -30), (8, 7, 2, 1))
    table = final_standings(diary.season)
    assert table.decided
    assert [(row.player, row.rank, row.moved, row.by, row.zone) for row in table.rows[:4]] == [
        (player, rank, 1 - rank, "points", None) for rank, player in enumerate((8, 7, 2, 1), 1)
    ]
    assert [(row.player, row.rank, row.moved) for row in table.rows[4:]] == [
        (player, 5, -4) for player in (3, 4, 5, 6)
    ]
    assert final_standings(diary.season, 1) == standings(diary.season, division=1)


def test_those_who_were_eliminated_follow_by_place_and_then_by_points_of_their_stage():
    diary = level(cut_to=8)
    first, second = draw_stage(diary.season, range(1, 9), due=0)[0].pods
    diary.note(RoundDrawn(2, (first, second), stage=8))
    for pod, deal in ((first, (0, 0, 0, 0)), (second, (9, 9, 9, -27))):
        diary.note(MatchFinished(pod.id, Result(pod.players, (deal,) * 4)))
    [thirds, fourths] = (
        sorted((rows[place] for rows in stage_tables(diary.season, 8)), key=lambda row: -row.points)
        for place in (2, 3)
    )
    final_of(diary, (0, 0, 0, 0), next_players(diary.season, 8))
    expected = [row.player for row in (*thirds, *fourths)]
    assert thirds[0].points > thirds[1].points
    assert [row.player for row in final_standings(diary.season).rows[4:]] == expected


def test_a_final_that_nobody_has_played_to_the_end_changes_no_table():
    diary = level()
    stage_of(diary, (1, 2, 3, 4))
    assert final_standings(diary.season) == standings(diary.season)


def test_the_champion_of_divisions_leads_the_first_one():
    diary = Diary("divisions", players=8, rounds=1)
    for player in range(1, 9):
        diary.note(DivisionSet(player, 1 + (player <= 4)))
    diary.round()
    diary.note(SeasonClosed(SEED.hex()))
    leader = standings(diary.season, division=1).rows[0].player
    assert leader > 4
    assert champion(diary.season) == leader


def test_a_season_that_ends_during_its_final_has_no_champion():
    diary = Diary(players=8, cut_to=4, rounds=1, final_matches=2)
    diary.round()
    first, second = draw_stage(diary.season, (1, 2, 3, 4), due=0)
    diary.note(first)
    diary.note(second)
    diary.play(first.pods[0].id)
    diary.note(SeasonClosed(SEED.hex()))
    assert champion(diary.season) is None


def test_who_was_not_tied_or_has_left_is_not_named_with_a_tie():
    diary = level()
    diary.note(PenaltyAdded(1, 1, 1, 500))
    diary.note(PenaltyAdded(2, 2, 1, -500))
    diary.note(Withdrawn(3))
    stage_of(diary, (1, 4, 5, 6))
    cut = cut_of(diary.season)
    assert cut is not None
    assert set(cut.tied) == {4, 5, 6, 7, 8}
    assert cut == Cut(cut.tied, frozenset({4, 5, 6}), 0, "lot")
    ranks = {row.player: place for place, row in enumerate(standings(diary.season).rows)}
    assert [*cut.tied] == sorted(cut.tied, key=ranks.__getitem__)


def test_the_criterion_between_the_last_one_in_and_the_first_one_out_is_told():
    diary = level()
    for number, player in enumerate((5, 6, 7, 8), 1):
        diary.note(PenaltyAdded(number, player, 1, 0, 1))
    stage_of(diary, (1, 2, 3, 4))
    rows = standings(diary.season).rows
    cut = cut_of(diary.season)
    assert cut is not None
    assert (cut.going, cut.by) == ({1, 2, 3, 4}, rows[4].parted)
    assert cut.by != "lot"


def test_the_first_stage_of_the_finals_tells_the_cut():
    diary = level(cut_to=8, players=12)
    for pod in stage_of(diary, tuple(range(1, 9))):
        diary.play(pod)
    stage_of(diary, (1, 2, 3, 4))
    cut = cut_of(diary.season)
    assert cut is not None
    assert cut.going == set(range(1, 9))


def test_an_ordinary_no_show_of_a_season_under_way_is_no_missed_match_of_its_finals():
    diary = Diary(players=8, cut_to=4, rounds=1, final_matches=1, miss_from_mean=False)
    diary.round()
    [pod] = stage_of(diary, (1, 2, 3, 4))
    nobody_comes(diary, pod, but=(1, 2))
    [rows] = stage_tables(diary.season, 4)
    assert {row.player: (row.missed, row.came, row.advances) for row in rows} == {
        1: (0, True, True),
        2: (0, True, True),
        3: (0, False, False),
        4: (0, False, False),
    }


def test_a_stage_that_has_not_begun_is_ordered_by_the_table_of_the_season():
    diary = level()
    diary.note(PenaltyAdded(1, 1, 1, 0, 1))
    stage_of(diary, (8, 7, 2, 1))
    assert [row.player for row in standings(diary.season).rows] == [*range(2, 9), 1]
    [rows] = stage_tables(diary.season, 4)
    assert rows == tuple(
        StageRow(player, place, 0, 0, advances=False, came=False)
        for place, player in enumerate((2, 7, 8, 1), 1)
    )


def test_a_finalist_who_is_in_no_table_carries_nothing_and_comes_last_of_equals():
    diary = level(cut_to=8)
    first, second = stage_of(diary, (2, 3, 4, 5, 6, 7, 8, 0))
    for pod in (first, second):
        players = diary.season.pods[pod].players
        diary.note(MatchFinished(pod, Result(players, ((0, 0, 0, 0),) * 4)))
    tables = stage_tables(diary.season, 8)
    [last] = [rows[-1] for rows in tables if 0 in {row.player for row in rows}]
    assert last == StageRow(0, 4, 0, 0, advances=False)
    [pod] = stage_of(diary, (0, 2, 3, 4))
    players = diary.season.pods[pod].players
    diary.note(MatchFinished(pod, Result(players, ((30, 10, -10, -30),) * 4)))
    assert next_players(diary.season, 4) == (0,)
    assert next_players(diary.season, 8) == (2, 3, 4, 5)


def test_an_unlisted_finalist_goes_on_and_is_seeded_last():
    diary = level(cut_to=8)
    for pod in stage_of(diary, (2, 3, 4, 5, 6, 7, 8, 0)):
        players = diary.season.pods[pod].players
        points = (9, 9, -9, -9) if 0 not in players else (-9, -9, 9, 9)
        diary.note(MatchFinished(pod, Result(players, (points,) * 4)))
    going = next_players(diary.season, 8)
    assert going[-1] == 0
    assert [*going[:-1]] == sorted(going[:-1])


def test_who_leaves_during_the_finals_makes_room_for_the_next_at_the_table():
    diary = finals(8)
    for pod in stage_of(diary, seeds(diary.season)[:8]):
        diary.play(pod)
    first, second, third, _ = stage_tables(diary.season, 8)[0]
    diary.note(Withdrawn(first.player))
    rows = {row.player: row.advances for row in stage_tables(diary.season, 8)[0]}
    assert [rows[row.player] for row in (first, second, third)] == [False, True, True]
    going = next_players(diary.season, 8)
    assert first.player not in going
    assert third.player in going
    assert len(going) == 4


def test_those_invited_from_the_same_place_go_by_the_table_of_the_season():
    diary = level(cut_to=16, players=16)
    tables = tables_of(range(1, 17))[::-1]
    diary.note(RoundDrawn(2, tuple(DrawnPod(10 + n, table) for n, table in enumerate(tables)), stage=16))
    for pod in (10, 11, 12):
        diary.note(MatchFinished(pod, Result(diary.season.pods[pod].players, ((0, 0, 0, 0),) * 4)))
    nobody_comes(diary, 13)
    assert next_players(diary.season, 16) == (2, 3, 4, 5, 6, 7, 10, 11)


@pytest.mark.parametrize(("came", "going"), [((2, 3, 6, 7), 4), ((2,), 0), ((2, 3, 6), 0)])
def test_the_next_stage_needs_as_many_as_it_has_seats(came: tuple[int, ...], going: int):
    diary = level(cut_to=8)
    first, second = stage_of(diary, tuple(range(1, 9)))
    nobody_comes(diary, first)
    nobody_comes(diary, second, but=came)
    assert next_players(diary.season, 8) == came[:going]


def test_the_final_table_tells_no_tie_break_of_the_season_for_finalists():
    diary = level()
    for number, player in enumerate((7, 8), 1):
        diary.note(PenaltyAdded(number, player, 1, 0, number))
    assert {row.by for row in standings(diary.season).rows if row.player in (7, 8)} != {"points"}
    final_of(diary, (30, 10, -10, -30), (8, 7, 2, 1))
    assert [row.by for row in final_standings(diary.season).rows[:4]] == ["points"] * 4


def test_who_came_to_a_stage_and_has_left_since_is_not_invited():
    diary = level(cut_to=8)
    first, second = stage_of(diary, tuple(range(1, 9)))
    nobody_comes(diary, first)
    nobody_comes(diary, second, but=(2, 3, 6, 7))
    diary.note(Withdrawn(7))
    assert next_players(diary.season, 8) == ()
