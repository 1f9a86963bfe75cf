"""Divisions: a season of three of them, and who goes up and down."""

from league.events import DivisionSet, Withdrawn
from league.pairing.drawing import draw_rounds, next_season, seeded, sizes
from league.pairing.pods import History
from league.season import fold
from league.standings import standings
from tests.league.seasons import SEED, Diary


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
