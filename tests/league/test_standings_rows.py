"""Figures of the rows of a table: the schedule's strength, tie-breaks, adjusted points, luck and what is passed on.

Only places count in most of these seasons. So a match of four is worth 10, 3, -3 and -10 points, of three 10, 0 and
-10, of two 10 and -10.
"""

from itertools import count

from league.events import (
    Adjudicated,
    MatchFinished,
    MatchStarted,
    PenaltyAdded,
    Result,
    SeasonClosed,
    SubstituteSet,
)
from league.season import DAY, Season
from league.standings import Band, Standings, StandingsRow, shown, standings
from marriage.shuffle import deal_key
from tests.league.seasons import Diary

Order = tuple[int, ...]
"""The players of a match, the first place first."""


def finish(diary: Diary, pod: int, order: Order, day: int = 0, unit: int = 1) -> None:
    """Play a match in which the players come in this order. The points grow with `unit`."""
    points = tuple(unit * (len(order) - 1 - 2 * place) for place in range(len(order)))
    at = diary.season.opened_at + day * DAY + pod
    diary.note(MatchStarted(pod, pod, () if diary.season.rounds else order), at)
    diary.note(MatchFinished(pod, Result(order, (points,) * 4)), at)


def ladder(*days: list[Order], players: int, by_opponents: bool = False) -> Diary:
    """Return a ladder with these matches, a list for each day."""
    diary = Diary("ladder", players, by_opponents=by_opponents, placing_only=True, day_cap=0)
    pods = count(1)
    for day, matches in enumerate(days):
        for order in matches:
            finish(diary, next(pods), order, day)
    return diary


def round_of_four(diary: Diary, order: Order) -> None:
    [pod] = diary.draw()
    finish(diary, pod, order)


def by_player(season: Season, through: int | None = None) -> dict[int, StandingsRow]:
    return {row.player: row for row in standings(season, through).rows}


def opponents(season: Season, through: int | None = None) -> dict[int, int]:
    return {player: row.opponents for player, row in by_player(season, through).items()}


def test_of_three_opponents_the_one_in_the_middle_is_the_strength_of_the_schedule():
    """The first met players with 3, -3 and -10 points, the last with 10, 3 and -3."""
    assert opponents(ladder([(1, 2, 3, 4)], players=4).season) == {1: -300, 2: -300, 3: 300, 4: 300}


def test_two_opponents_count_whole_and_nobody_counts_as_0():
    """The first met players with 0 and -10 points."""
    assert opponents(ladder([(1, 2, 3)], players=4).season) == {1: -500, 2: 0, 3: 500, 4: 0}


def test_an_opponent_counts_once_for_each_meeting():
    """Player 1 met -10 twice and 10 once. Players 2 and 3 met the mean of 10, 10 and -10, which is 3.33."""
    assert opponents(ladder([(1, 2), (1, 2), (3, 1)], players=3).season) == {1: -1000, 2: 333, 3: 333}


def test_later_matches_of_opponents_do_not_change_the_schedule_of_a_past_day():
    season = ladder([(1, 2)], [(2, 3)], players=3).season
    assert opponents(season, through=1) == {1: -1000, 2: 1000, 3: 0}
    assert opponents(season)[1] == 0


def test_a_ruling_does_not_change_the_strength_of_the_schedule():
    diary = Diary(players=4, placing_only=True)
    round_of_four(diary, (1, 2, 3, 4))
    [pod] = diary.draw()
    diary.note(Adjudicated(pod, dict.fromkeys((1, 2, 3, 4), "average_plus")))
    assert opponents(diary.season) == {1: -300, 2: -300, 3: 300, 4: 300}


def test_an_opponent_without_a_counted_match_is_nobody():
    """The stand-in was drawn at the other table. All three who played have a tie, and nothing separates them."""
    diary = Diary(players=8, placing_only=True)
    first, second = diary.draw()
    player, out, *_ = diary.season.pods[first].players
    other, another, stand_in, _ = diary.season.pods[second].players
    diary.note(SubstituteSet(first, out, stand_in))
    finish(diary, first, (player, stand_in), unit=0)
    finish(diary, second, (other, another), unit=0)
    rows = by_player(diary.season)
    assert [(rows[met].rank, rows[met].matches) for met in (player, other, another)] == [(1, 1)] * 3


def test_anyone_can_compute_the_lots_from_the_revealed_seed():
    diary = Diary(players=8)
    seed = bytes(range(32))
    diary.note(SeasonClosed(seed.hex()))
    lots = {player: deal_key(seed, "Autumn", 0, (str(player),), "lot") for player in range(1, 9)}
    assert [row.player for row in standings(diary.season).rows] == sorted(lots, key=lots.__getitem__)


def test_adjusted_points_include_penalties():
    """A single match is divided by 6, because five matches without points are added."""
    diary = ladder([(1, 2)], players=2, by_opponents=True)
    diary.note(PenaltyAdded(1, player=1, round=1, points=-50))
    assert {player: row.points for player, row in by_player(diary.season).items()} == {1: 117, 2: -167}


def test_who_has_no_match_ranks_last_in_an_adjusted_table_whatever_the_points():
    rows = standings(ladder([(1, 2)], players=3, by_opponents=True).season).rows
    assert [(row.player, row.points, row.qualified) for row in rows] == [
        (1, 167, True),
        (2, -167, True),
        (3, 0, False),
    ]


def test_later_matches_do_not_change_the_adjusted_points_of_a_past_day():
    season = ladder([(1, 2)], [(2, 1)], players=2, by_opponents=True).season
    assert by_player(season, through=1)[1].points == 167


def test_the_gain_breaks_a_tie():
    diary = Diary("ladder", players=4, by_opponents=False, placing_only=True)
    finish(diary, 1, (1, 2))
    finish(diary, 2, (3, 4), unit=2)
    assert [(row.player, row.by) for row in standings(diary.season).rows[:2]] == [(3, "gain"), (1, "gain")]


def test_the_gain_breaks_no_tie_where_places_count():
    diary = Diary("arena", players=8)
    for unit, pod in enumerate(diary.draw(), 1):
        finish(diary, pod, diary.season.pods[pod].players, unit=unit)
    rows = standings(diary.season).rows
    assert [row.rank for row in rows] == [1, 1, 3, 3, 5, 5, 7, 7]
    assert rows[0].gain != rows[1].gain


def test_placings_break_a_tie():
    """Player 1 was second twice, player 2 first and last; both have 0 points and gained nothing."""
    matches = [(3, 1, 4), (5, 1, 6), (2, 7, 8), (9, 10, 2)]
    rows = by_player(ladder(matches, players=10).season)
    assert {rows[player].points for player in (1, 2)} == {rows[player].gain for player in (1, 2)} == {0}
    assert [rows[player].placings for player in (1, 2)] == [(0, 2, 0, 0, 0), (1, 0, 1, 0, 0)]
    assert rows[2].rank + 1 == rows[1].rank
    assert rows[1].by == rows[2].by == "placings"


def test_the_latest_round_that_is_over_counts_among_those_missed():
    diary = Diary(players=5, least_matches=50)
    diary.round(absent=(5,))
    assert [player for player, row in by_player(diary.season).items() if not row.qualified] == [5]


def test_nobody_has_moved_after_the_first_round():
    assert {row.moved for row in standings(ladder([(3, 2, 1)], players=3).season).rows} == {0}


def test_the_luck_of_a_table_is_that_of_its_matches_alone():
    """Two players are 10 points from their mean twice, two 3 points: the root of (4 * 100 + 4 * 9) / 4."""
    diary = Diary(players=4, placing_only=True)
    round_of_four(diary, (1, 2, 3, 4))
    round_of_four(diary, (4, 3, 2, 1))
    [pod] = diary.draw()
    diary.note(Adjudicated(pod, {1: "no_show", 2: "average_plus", 3: "average_plus", 4: "average_plus"}))
    assert standings(diary.season).match_spread == 1044


def test_luck_in_a_sum_grows_with_the_matches():
    """Each player is 5, 5, 5 and 15 points from the mean, so a match spreads by 10.

    The sums differ by 40, and luck makes up to twice the root of 4 + 4, times 10: 57.
    """
    rows = by_player(ladder([(1, 2), (1, 2), (1, 2), (2, 1)], players=2).season)
    assert [rows[player].points for player in (1, 2)] == [2000, -2000]
    assert [rows[player].band for player in (1, 2)] == [Band(1, 2), Band(1, 2)]


def test_luck_in_adjusted_points_shrinks_with_the_matches():
    """A match spreads by the root of 400 / 8, or 7.07 points. Of eight degrees of freedom six are of player 1.

    Player 1 has 7.78 points, and those with one match -1.11. They are 8.89 apart, and luck makes up to twice the
    root of 1/12 + 1/6, times 7.07, which is 7.07. Players 9 and 10 have 0.44 and -0.44, so they are 7.34 or more
    from player 1, and luck makes up to 6.73.
    """
    matches = [(1, player) for player in range(2, 9)] + [(9, 10), (10, 9)]
    table = standings(ladder(matches, players=10, by_opponents=True).season)
    assert table.match_spread == 707
    assert {row.player: row.points for row in table.rows} == {1: 778} | dict.fromkeys(range(2, 9), -111) | {
        9: 44,
        10: -44,
    }
    assert [row.band for row in table.rows] == [Band(1, 1)] + [Band(2, 10)] * 9


def test_a_season_with_divisions_has_a_table_before_anybody_has_joined():
    assert standings(Diary("divisions", players=0).season).rows == ()


def test_a_table_with_names_keeps_its_luck_and_that_it_is_decided():
    table = Standings(2, 0, (), match_spread=1044, decided=True)
    found = shown(table, {}, "Autumn", rounds=2, final=True, at=1, left=frozenset())
    assert (found.match_spread, found.decided) == (1044, True)
