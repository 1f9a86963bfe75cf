"""Teams of a season: forming them, keeping them apart in draws, and their standings."""

from dataclasses import replace
from itertools import pairwise

import pytest
from pydantic import ValidationError

from league.book import book
from league.events import AbsenceBooked, DrawnPod, MatchFinished, PenaltyAdded, Result, RoundDrawn
from league.members import Team, TeamFormed, TeamInvited, TeamJoined, TeamLeft, team_of, teammates
from league.points import nearest
from league.season import fold
from league.settings import default_settings
from league.standings import standings
from league.statistics.ladder_points import ladder_points
from league.statistics.team_standings import TeamRow, team_standings
from tests.league.seasons import Diary


def in_teams(players: int = 8, size: int = 2, format_: str = "pods", **options) -> Diary:
    """Return a season whose players are assigned to teams in order."""
    diary = Diary(format_, players=players, rounds=4, team_size=size, **options)
    for number, captain in enumerate(range(1, players + 1, size), 1):
        diary.note(TeamFormed(number, f"Team {number}", captain))
        for player in range(captain + 1, captain + size):
            diary.note(TeamInvited(number, player))
            diary.note(TeamJoined(number, player))
    return diary


def test_a_team_is_founded_grows_and_goes_with_its_last_member():
    diary = Diary(players=4, team_size=3)
    diary.note(TeamFormed(1, "Tigers", 1))
    diary.note(TeamInvited(1, 2))
    diary.note(TeamInvited(1, 3))
    assert diary.season.teams[1] == Team(1, "Tigers", 1, (1,), frozenset({2, 3}))
    diary.note(TeamJoined(1, 2))
    diary.note(TeamInvited(1, 3, on=False))
    assert diary.season.teams[1] == Team(1, "Tigers", 1, (1, 2))
    assert team_of(diary.season.teams, 2) == diary.season.teams[1]
    assert team_of(diary.season.teams, 3) is None
    diary.note(TeamLeft(1, 1))
    assert diary.season.teams[1] == Team(1, "Tigers", 2, (2,)), "the next one is captain"
    diary.note(TeamLeft(1, 2))
    assert not diary.season.teams
    assert diary.season.last_team == 1, "its number is not used again"
    assert fold(reversed(diary.entries)) == diary.season


def test_a_member_who_is_not_the_captain_leaves():
    diary = in_teams(4)
    diary.note(TeamLeft(1, 2))
    assert diary.season.teams[1] == Team(1, "Team 1", 1, (1,))
    assert set(diary.season.teams) == {1, 2}


@pytest.mark.parametrize("format_", ["pods", "swiss"])
@pytest.mark.parametrize(("players", "size"), [(8, 2), (16, 4), (12, 3), (20, 5), (10, 2)])
def test_no_two_of_a_team_meet_in_a_season_whose_teams_are_enough(players: int, size: int, format_: str):
    diary = in_teams(players, size, format_)
    mates = teammates(diary.season.teams.values())
    for _ in range(4):
        diary.round()
    for pod in diary.season.pods.values():
        assert not [pair for pair in mates if pair <= set(pod.players)]


def test_no_two_of_a_team_meet_in_their_division():
    diary = in_teams(8, 2, "divisions", division_size=8)
    diary.draw()
    mates = teammates(diary.season.teams.values())
    assert not [pod for pod in diary.season.pods.values() for pair in mates if pair <= set(pod.players)]


def test_a_team_has_the_sum_of_its_members_matches_adjusted_for_their_opponents():
    diary = in_teams()
    diary.round()
    diary.round()
    lines = {row.player: row.lines for row in standings(diary.season).rows}
    matches = [
        {
            player: next(line.points for line in lines[player] if line.round == pod.round)
            for player in pod.players
        }
        for pod in diary.season.pods.values()
    ]
    strengths = ladder_points(matches)
    expected = dict.fromkeys(range(1, 9), 0.0)
    for match in matches:
        for player, points in match.items():
            others = [strengths[other] for other in match if other != player]
            expected[player] += points + sum(others) / 3
    rows = team_standings(diary.season)
    assert [row.rank for row in rows] == [1, 2, 3, 4]
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    for row in rows:
        assert row.points == pytest.approx(sum(expected[player] for player in row.team.members), abs=4)
        assert dict(row.members).keys() == set(row.team.members)
        assert sum(points for _, points in row.members) == row.points
        assert row.members[0][1] >= row.members[1][1]
        assert row.plain == sum(line.points for player in row.team.members for line in lines[player])
        assert sum(row.placings) == 4
        assert row.complete


def test_a_table_of_an_earlier_round_stays():
    diary = in_teams()
    diary.round()
    before = team_standings(diary.season)
    diary.round()
    assert team_standings(diary.season, 1) == before
    assert team_standings(diary.season) != before


def test_absences_and_penalties_count_as_they_are():
    diary = in_teams()
    diary.round()
    before = {row.team.id: row.points for row in team_standings(diary.season)}
    diary.note(AbsenceBooked(1, 1))
    diary.note(PenaltyAdded(1, 3, 1, -500))
    diary.note(PenaltyAdded(2, 5, 2, -700))
    after = {row.team.id: row for row in team_standings(diary.season)}
    assert after[1].points == before[1], "who played was not absent"
    assert after[2].points == before[2] - 500
    assert after[3].points == before[3], "that is of a later round"


def test_a_team_that_is_not_complete_stands_below_those_that_are():
    diary = in_teams()
    diary.note(TeamLeft(1, 2))
    diary.round()
    diary.note(PenaltyAdded(1, 1, 1, 10_000))
    rows = team_standings(diary.season)
    assert [row.complete for row in rows] == [True, True, True, False]
    assert rows[-1].team.id == 1
    assert rows[-1].rank == 4


def test_teams_without_a_match_share_the_first_place():
    rows = team_standings(in_teams().season)
    assert [(row.rank, row.points, row.parted) for row in rows] == [
        (1, 0, "points"),
        (1, 0, None),
        (1, 0, None),
        (1, 0, None),
    ]


def test_as_many_points_are_parted_by_what_they_are_without_the_opponents_then_by_places():
    diary = in_teams()
    diary.round()
    rows = team_standings(diary.season)
    for above, below in pairwise(rows):
        gap = above.points - below.points
        number = len(diary.season.penalties) + 1
        level = in_copy(diary, PenaltyAdded(number, below.team.captain, 1, gap))
        tied = team_standings(level.season)
        pair = [row for row in tied if row.team.id in (above.team.id, below.team.id)]
        assert pair[0].points == pair[1].points
        assert pair[1].parted in ("plain", "places", None)
        merits = [(row.plain, row.placings) for row in pair]
        assert merits == sorted(merits, reverse=True)
        assert pair[1].parted == ("plain" if pair[0].plain != pair[1].plain else "places")


def in_copy(diary: Diary, event) -> Diary:
    copied = Diary(players=0)
    copied.entries, copied.season = [*diary.entries], diary.season
    copied.note(event)
    return copied


@pytest.mark.parametrize("format_", ["ladder", "arena"])
def test_teams_need_rounds_in_which_they_are_drawn_apart(format_: str):
    with pytest.raises(ValidationError):
        default_settings(format_).with_options(team_size=2)


@pytest.mark.parametrize("size", [1, 6, -1])
def test_a_team_has_two_to_five(size: int):
    with pytest.raises(ValidationError):
        default_settings("pods").with_options(team_size=size)


def test_without_teams_nobody_is_ranked():
    assert team_standings(Diary(players=4).season) == ()


def level_match(diary: Diary, number: int, players: tuple[int, ...], deal: tuple[int, ...]) -> None:
    """Play a match of a round of its own, in which all deals are alike."""
    diary.note(RoundDrawn(number, (DrawnPod(number, players),)))
    diary.note(MatchFinished(number, Result(players, (deal,) * len(players))))


def test_the_line_of_a_team_has_every_figure():
    diary = in_teams(6, 2)
    level_match(diary, 1, (1, 2, 3, 4, 5), (40, 30, 20, -30, -60))
    level_match(diary, 2, (2, 1, 3), (5, -10, 5))
    diary.note(PenaltyAdded(1, 2, 1, -300))
    diary.note(PenaltyAdded(2, 2, 2, -30))
    lines = book(diary.season).lines
    matches = [{player: lines[player][0].points for player in range(1, 6)}]
    matches.append({player: lines[player][1].points for player in (1, 2, 3)})
    strengths = ladder_points(matches)
    made = dict.fromkeys(range(1, 7), 0) | {2: -330}
    for match in matches:
        for player, points in match.items():
            others = [strengths[other] for other in match if other != player]
            made[player] += points + nearest(sum(others), len(others))
    plain = {player: sum(line.points for line in lines[player]) for player in range(1, 6)} | {6: 0}
    teams = diary.season.teams
    expected = [
        TeamRow(
            teams[1], 1, made[1] + made[2], plain[1] + plain[2] - 330, (2, 1, 1, 0, 0), (), complete=True
        ),
        TeamRow(teams[2], 2, made[3] + made[4], plain[3] + plain[4], (1, 0, 1, 1, 0), (), complete=True),
        TeamRow(teams[3], 3, made[5], plain[5], (0, 0, 0, 0, 1), (), complete=True),
    ]
    rows = team_standings(diary.season)
    assert [replace(row, members=()) for row in rows] == expected
    for row in rows:
        members = sorted(row.team.members, key=lambda player: -made[player])
        assert row.members == tuple((player, made[player]) for player in members)
    assert team_standings(diary.season, 2) == rows
    assert team_standings(diary.season, 0)[0].points == 0


def test_members_with_as_many_points_are_listed_by_number():
    diary = Diary(players=3, team_size=3)
    diary.note(TeamFormed(1, "Tigers", 2))
    for player in (3, 1):
        diary.note(TeamInvited(1, player))
        diary.note(TeamJoined(1, player))
    [row] = team_standings(diary.season)
    assert row.members == ((1, 0), (2, 0), (3, 0))


def test_an_absence_is_not_adjusted():
    diary = in_teams(4)
    diary.note(RoundDrawn(1, (DrawnPod(1, (1, 3)),)))
    diary.note(MatchFinished(1, Result((1, 3), ((30, -30),) * 2)))
    diary.note(AbsenceBooked(2, 1))
    [absence] = book(diary.season).lines[2]
    assert dict(team_standings(diary.season)[0].members)[2] == absence.points < 0


def test_teams_with_the_same_points_are_parted_by_their_first_places():
    """Teams 1 and 3 win a match of each other and lose one; teams 2 and 4 do not play."""
    diary = in_teams()
    diary.note(RoundDrawn(1, (DrawnPod(1, (1, 5)), DrawnPod(2, (2, 6)))))
    diary.note(MatchFinished(1, Result((1, 5), ((30, -30),) * 2)))
    diary.note(MatchFinished(2, Result((2, 6), ((-30, 30),) * 2)))
    rows = team_standings(diary.season)
    assert {(row.points, row.plain) for row in rows} == {(0, 0)}
    assert [(row.team.id, row.rank, row.parted) for row in rows] == [
        (1, 1, "points"),
        (3, 1, None),
        (2, 3, "places"),
        (4, 3, None),
    ]


def test_level_teams_share_a_place_and_the_next_one_has_its_own():
    diary = in_teams(8, 2)
    for number, (player, points) in enumerate(((7, 500), (1, -500)), 1):
        diary.note(PenaltyAdded(number, player, 1, points))
    diary.note(RoundDrawn(1, ()))
    rows = team_standings(diary.season, 1)
    assert [(row.team.id, row.rank, row.parted) for row in rows] == [
        (4, 1, "points"),
        (2, 2, "points"),
        (3, 2, None),
        (1, 4, "points"),
    ]
