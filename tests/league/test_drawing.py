"""Draws of a season: who is in them, who has gone away, divisions, and what a season will be like."""

import pytest

from league.events import (
    AbsenceBooked,
    AlwaysIn,
    CheckedIn,
    Confirmed,
    DivisionSet,
    DrawnPod,
    Event,
    MatchFinished,
    MatchStarted,
    NoShowBooked,
    ReplayOrdered,
    Result,
    ResultReported,
    Returned,
    RoundCancelled,
    RoundDrawn,
    SeasonClosed,
    SignedUp,
    Withdrawn,
)
from league.members import Banned, TeamFormed, TeamInvited, TeamJoined
from league.pairing.drawing import (
    Forecast,
    back_in,
    checked_in,
    draw_rounds,
    forecast,
    gone_away,
    history,
    left_out,
    missed_before,
    misses_on,
    next_season,
    seeded,
    sizes,
)
from league.pairing.pods import Entrant, History, KeptApart, chance
from league.pairing.schedule import draw, draw_next
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


def test_in_rounds_of_days_who_still_plays_is_drawn_all_the_same():
    diary = Diary(players=4)
    diary.draw()
    for player in range(1, 5):
        diary.note(CheckedIn(player, 2))
    [drawn] = draw_rounds(diary.season, SEED, [0])
    assert sorted(drawn.pods[0].players) == [1, 2, 3, 4]


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
    assert sizes(22, 8) == (8, 7, 7)
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
        ("pods", 34, Forecast(34, 0, 9, 7, 0)),
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


def test_those_who_checked_in_for_a_round_are_drawn_and_the_waiting_fill_the_gaps_in_order():
    diary = Diary(players=5)
    for player in (12, 11, 10):
        diary.note(SignedUp(player))
    diary.note(AlwaysIn(4))
    diary.note(Withdrawn(5))
    for player, number in ((3, 1), (1, 2), (2, 2), (5, 1), (10, 1), (11, 1)):
        diary.note(CheckedIn(player, number))
    assert [member.player for member in checked_in(diary.season, 1)] == [3, 4, 10, 11]
    assert [member.player for member in checked_in(diary.season, 2)] == [1, 2, 4]
    diary.note(CheckedIn(12, 1))
    assert [member.player for member in checked_in(diary.season, 1)] == [3, 4, 11, 12], "12 signed up first"
    diary.note(CheckedIn(1, 1))
    diary.note(CheckedIn(2, 1))
    assert [member.player for member in checked_in(diary.season, 1)] == [1, 2, 3, 4]


def test_meetings_of_the_finals_do_not_count_for_the_draw():
    diary = Diary(players=4)
    diary.note(RoundDrawn(1, (DrawnPod(2, (3, 4)), DrawnPod(1, (1, 2)))))
    diary.note(RoundDrawn(2, (DrawnPod(3, (1, 2, 3)),), stage=4))
    assert history(diary.season) == History.of([[(1, 2), (3, 4)]])


def lots(name: str = "Autumn"):
    return lambda number: chance(SEED, name, number)


def tables(event: RoundDrawn) -> tuple[tuple[int, ...], ...]:
    return tuple(pod.players for pod in event.pods)


def test_a_round_is_drawn_from_the_seed_and_all_that_is_known_of_its_players():
    diary = Diary(players=10)
    diary.note(SignedUp(3, hours=(1, 2)))
    diary.note(SignedUp(4, hours=(5,)))
    for player in (3, 4):
        diary.note(Confirmed(player))
    diary.note(KeptApart(1, 2))
    diary.note(TeamFormed(1, "Tigers", 5))
    diary.note(TeamInvited(1, 6))
    diary.note(TeamJoined(1, 6))
    diary.round()
    for player in range(1, 10):
        diary.note(CheckedIn(player, 2))
    apart = {1: {2}, 2: {1}, 5: {6}, 6: {5}}
    hours = {3: {1, 2}, 4: {5}}
    entrants = [
        Entrant(player, frozenset(hours.get(player, ())), frozenset(apart.get(player, ())))
        for player in range(1, 10)
    ]
    expected = draw_next(entrants, history(diary.season), 2, 3, lots())
    [event, *absences] = draw_rounds(diary.season, SEED, [70, 80, 90])
    assert isinstance(event, RoundDrawn)
    assert (event.round, event.due, tables(event)) == (2, 70, expected)
    assert [pod.id for pod in event.pods] == [4, 5]
    assert absences == [AbsenceBooked(10, 2)]


def after_rounds(count: int, **options: object) -> Diary:
    """Return a season of four rounds of which so many are played, with player 8 in a team."""
    diary = Diary(players=8, **({"rounds": 4} | options))
    diary.note(TeamFormed(1, "Tigers", 8))
    for _ in range(count):
        diary.round()
    return diary


@pytest.mark.parametrize(
    ("rounds", "player", "absent"), [(1, 1, False), (2, 1, True), (1, 8, True), (2, 8, True)]
)
@pytest.mark.parametrize("gone", [Withdrawn, Banned])
def test_who_leaves_is_absent_from_later_rounds_if_their_points_still_count(
    rounds: int, player: int, absent: bool, gone: type[Withdrawn | Banned]
):
    diary = after_rounds(rounds)
    diary.note(gone(player))
    diary.draw()
    assert ((player, rounds + 1) in diary.season.absences) is absent
    diary.note(Returned(player))
    assert not misses_on(diary.season, player)
    assert not misses_on(diary.season, 99)


@pytest.mark.parametrize("options", [{"round_minutes": 60}, {"format_": "ladder"}])
def test_nobody_is_absent_after_leaving_where_a_missed_round_is_no_absence(options: dict[str, object]):
    diary = after_rounds(0, **options)
    diary.note(Withdrawn(8))
    assert not misses_on(diary.season, 8)


def test_who_leaves_is_absent_from_a_drawn_match_that_has_not_begun_until_they_are_back():
    diary = after_rounds(1)
    diary.draw()
    [pod, other] = diary.season.rounds[2].pods
    player = pod.players[0]
    diary.note(Withdrawn(player))
    [absence] = left_out(diary.season, player)
    assert absence == AbsenceBooked(player, 2)
    assert not left_out(diary.season, other.players[0]), "they are still there"
    diary.note(absence)
    assert not left_out(diary.season, player)
    assert back_in(diary.season, player) == [AbsenceBooked(player, 2, absent=False)]
    assert not back_in(diary.season, other.players[0])
    diary.note(MatchStarted(pod.id, 1))
    assert not back_in(diary.season, player), "the match goes on without them"


def left_with(*events: Event) -> list[AbsenceBooked]:
    """Return the absences of a player who leaves after these events, with a match to play in pod 1."""
    diary = Diary(players=4, rounds=1)
    diary.draw()
    for event in events:
        diary.note(event)
    diary.note(Withdrawn(1))
    return left_out(diary.season, 1)


def test_who_leaves_is_not_absent_from_a_match_that_they_have_played_or_missed():
    told = Result((1, 2, 3), ((4, -2, -2),) * 3)
    assert left_with()
    assert left_with(ResultReported(1, 2, Result((2, 3, 4), told.deals)))
    assert not left_with(ResultReported(1, 2, told))
    assert not left_with(MatchStarted(1, 1))
    assert not left_with(MatchFinished(1, told))
    assert not left_with(MatchFinished(1, told), ReplayOrdered(1, 900, (0,)))
    assert not left_with(NoShowBooked(1, 1))
    assert not left_with(SeasonClosed())


@pytest.mark.parametrize(("played", "is_back"), [((1, 2, 3), True), ((2, 3, 4), False)])
def test_who_is_back_stays_absent_from_a_match_that_was_reported_without_them(
    played: tuple[int, ...], is_back: bool
):
    diary = Diary(players=4, rounds=1)
    diary.draw()
    diary.note(Withdrawn(1))
    [absence] = left_out(diary.season, 1)
    diary.note(absence)
    diary.note(ResultReported(1, 2, Result(played, ((4, -2, -2),) * 3)))
    diary.note(Returned(1))
    assert bool(back_in(diary.season, 1)) is is_back


def test_who_leaves_is_not_absent_from_a_stage_of_the_finals():
    diary = Diary(players=4, rounds=1)
    diary.round()
    diary.note(RoundDrawn(2, (DrawnPod(2, (1, 2, 3, 4)),), stage=4))
    diary.note(Withdrawn(1))
    assert not left_out(diary.season, 1)


def test_a_round_that_was_cancelled_is_drawn_by_lots_of_another_name():
    diary = Diary("swiss", players=8)
    diary.draw()
    first = diary.season.rounds[1]
    assert (
        tables(first)
        == draw([Entrant(player) for player in range(1, 9)], History(), lots()(1), spread=True)[0]
    )
    diary.note(RoundCancelled(first))
    entrants = [Entrant(player) for player in (*range(8, 4, -1), *range(1, 5))]
    [again] = draw_rounds(diary.season, SEED, [0], by_strength=range(8, 4, -1))
    assert isinstance(again, RoundDrawn)
    assert tables(again) == draw(entrants, History(), lots("Autumn#1")(1), spread=True)[0]


def test_a_later_swiss_round_goes_by_the_table():
    diary = Diary("swiss", players=8)
    diary.round()
    for player in range(1, 9):
        diary.note(CheckedIn(player, 2))
    order = [Entrant(row.player) for row in standings(diary.season).rows]
    expected = draw(order, history(diary.season), lots()(2), swiss=1.0)[0]
    assert tables(draw_rounds(diary.season, SEED, [0])[0]) == expected


def test_all_rounds_of_divisions_are_drawn_with_their_deadlines_and_numbers():
    diary = Diary("divisions", players=8, division_size=4)
    for player, division in seeded(range(1, 9), 4).items():
        diary.note(DivisionSet(player, division))
    events = draw_rounds(diary.season, SEED, [70, 80])
    assert [(event.round, event.due, len(event.pods)) for event in events] == [(1, 70, 2), (2, 80, 2)]
    assert [[pod.id for pod in event.pods] for event in events] == [[1, 2], [3, 4]]
    assert [[pod.division for pod in event.pods] for event in events] == [[1, 2], [1, 2]]


@pytest.mark.parametrize("missed_latest", [True, False])
def test_who_missed_a_match_and_played_a_later_one_is_not_gone(missed_latest: bool):
    diary = evening()
    diary.note(RoundDrawn(2, (DrawnPod(2, (1, 2, 3, 4)),)))
    diary.note(NoShowBooked(2, 2))
    if missed_latest:
        diary.note(NoShowBooked(2, 1))
    assert gone_away(diary.season) == ({1, 2} if missed_latest else {2})


def test_newcomers_are_ordered_as_given_below_those_who_stay():
    assert seeded((5, 3, 1, 2), 2) == {5: 1, 3: 1, 1: 2, 2: 2}
    assert seeded((), 8) == {}
    assert next_season([], (5, 3, 1, 2), 2) == {5: 1, 3: 1, 1: 2, 2: 2}
    diary = played(16)
    both = [standings(diary.season, division=division) for division in (1, 2)]
    new = next_season(both, [101, 102, *range(1, 17)], 6)
    assert [player for player, division in new.items() if division == 3][-2:] == [101, 102]


def test_who_changes_their_division_stands_before_those_who_stay_there():
    diary = played(16)
    both = [standings(diary.season, division=division) for division in (1, 2)]
    first, second = ([row.player for row in table.rows] for table in both)
    expected = [*second[:2], *first[:6], *first[6:], *second[2:]]
    assert [*next_season(both, range(1, 17), 8)] == expected
    assert [*next_season(both, [99, *range(1, 17)], 8, {99: 1})] == [*expected[:8], 99, *expected[8:]]


def test_a_forecast_knows_the_tables_of_the_settings():
    settings = default_settings("pods").with_options(no_fives=True, pod_size=3, rounds=4)
    assert forecast(settings, 9) == Forecast(9, 0, 3, 4, 0)
    divided = default_settings("divisions").with_options(no_fives=True, division_size=9)
    assert forecast(divided, 18) == Forecast(18, 2, 6, 7, 0)
