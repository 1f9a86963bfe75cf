"""The answers of the formats: sign-up, check-in, late entries, zones of the table, divisions, and draws."""

from dataclasses import replace

import pytest

from league.formats import FORMATS, DrawInput, DrawnTable, Format, format_named
from league.pairing.pods import Entrant, History, chance, swiss_weight
from league.pairing.schedule import draw, draw_next
from league.settings import default_settings


def lots(number: int):
    return chance(bytes(32), "few", number)


def drawing(*players: int, number: int = 1) -> DrawInput:
    return DrawInput(
        number=number,
        rounds_left=1,
        entrants=tuple(map(Entrant, players)),
        divisions=dict.fromkeys(players, 0),
        history=History(),
        ranking=lambda: players,
        by_strength=players,
        apart={},
        chance=lots,
    )


def test_a_ladder_has_no_sign_up_window_and_nothing_to_check_in_for():
    ladder = default_settings("ladder")
    assert ladder.format.signup_days(ladder) == 0
    assert not any(ladder.checks_in(number) for number in (1, 2))
    pods = default_settings("pods").with_options(signup_days=6)
    assert pods.format.signup_days(pods) == 6


@pytest.mark.parametrize(
    ("name", "options", "first", "later"),
    [
        ("pods", {}, True, True),
        ("pods", {"confirm_hours": 0}, False, True),
        ("swiss", {}, True, True),
        ("divisions", {}, True, False),
        ("arena", {}, True, False),
    ],
)
def test_who_plays_is_asked_before_each_draw_and_nowhere_else(name, options, first, later):
    """Divisions are drawn all at once, and in one sitting everybody who is free is drawn."""
    settings = default_settings(name).with_options(**options)
    assert [settings.checks_in(number) for number in (1, 2)] == [first, later]


def test_divisions_are_closed_once_drawn_and_have_no_finals():
    settings = default_settings("divisions").with_options(division_size=6, cut_to=8, hiatus_seasons=3)
    assert not settings.open_to_late(0)
    assert settings.finalists(100) == 0
    assert settings.format.least_to_start(settings) == 5
    assert settings.format.seasons_remembered(settings) == 4


def test_only_divisions_look_at_earlier_seasons():
    remembered = {name: known.seasons_remembered(default_settings(name)) for name, known in FORMATS.items()}
    assert remembered == {"ladder": 0, "pods": 0, "swiss": 0, "divisions": 3, "arena": 0}


@pytest.mark.parametrize("name", ["pods", "swiss"])
@pytest.mark.parametrize("number", [1, 2])
def test_who_came_alone_gets_a_table_of_their_own(name: str, number: int):
    settings = default_settings(name)
    assert settings.format.draw(settings, drawing(7, number=number)) == [[DrawnTable((7,))]]
    assert settings.format.draw(settings, drawing(number=number)) == [[]]


def test_in_an_arena_fewer_than_three_wait():
    arena = default_settings("arena")
    assert arena.format.draw(arena, drawing(1, 2)) == [[]]
    [[table]] = arena.format.draw(arena, drawing(1, 2, 3))
    assert sorted(table.players) == [1, 2, 3]


def test_formats_are_known_by_their_names():
    assert [format_named(name) for name in FORMATS] == list(FORMATS.values())
    assert all(isinstance(known, Format) for known in FORMATS.values())
    for unknown in ("chess", 3, None):
        with pytest.raises(
            ValueError, match=f"^there is no format {unknown!r}; known are ladder, pods, swiss, "
        ):
            format_named(unknown)


EIGHT = range(1, 9)
MET = History.of([[(1, 2, 3, 4), (5, 6, 7, 8)]])


def test_pods_are_drawn_as_the_next_of_all_rounds_still_to_come():
    settings = default_settings("pods").with_options(no_fives=True, pod_size=3)
    given = replace(drawing(*EIGHT, 9, number=2), rounds_left=3, history=MET)
    expected = draw_next(given.entrants, MET, 2, 3, lots, no_fives=True, usual=3)
    assert settings.format.draw(settings, given) == [[DrawnTable(pod) for pod in expected]]
    assert sorted(map(len, expected)) == [3, 3, 3]
    for numbers, players, sizes in (({"no_fives": True}, 9, [3, 3, 3]), ({"pod_size": 5}, 10, [5, 5])):
        others = default_settings("pods").with_options(**numbers)
        [tables] = others.format.draw(others, drawing(*range(players)))
        assert sorted(len(table.players) for table in tables) == sizes


@pytest.mark.parametrize(("weight", "swiss"), [(None, swiss_weight(17)), (0, 0.0), (30, 0.3), (250, 2.5)])
def test_a_swiss_round_is_drawn_by_the_table_and_newcomers_come_last(weight: int | None, swiss: float):
    settings = default_settings("swiss").with_options(swiss_weight=weight)
    table = (17, 1, 16, 2, 15, 3, 14, 4, 13, 5, 12, 6, 11, 7, 10)
    history = History.of([[(17, 1, 16, 2), (15, 3, 14, 4), (13, 5, 12, 6), (11, 7, 10, 9, 8)]])
    given = replace(drawing(*range(1, 18), number=2), ranking=lambda: table, history=history, by_strength=())
    ordered = [Entrant(player) for player in (*table, 8, 9)]
    [expected] = draw(ordered, history, lots(2), swiss=swiss)
    assert settings.format.draw(settings, given) == [[DrawnTable(pod) for pod in expected]]


def test_a_first_swiss_round_is_spread_by_strength():
    strong = (9, 8, 7, 6, 5, 4, 3, 2, 1)
    given = replace(drawing(*sorted(strong)), ranking=tuple, by_strength=strong)
    for options in ({"no_fives": True, "usual": 4}, {"no_fives": False, "usual": 5}):
        settings = default_settings("swiss").with_options(
            no_fives=options["no_fives"], pod_size=options["usual"]
        )
        field = [Entrant(player) for player in strong]
        [expected] = draw(field, History(), lots(1), spread=True, **options)
        assert settings.format.draw(settings, given) == [[DrawnTable(pod) for pod in expected]]


def test_every_division_is_drawn_by_its_own_lots_for_all_rounds():
    settings = default_settings("divisions").with_options(no_fives=True, pod_size=3)
    apart = {1: frozenset({9})}
    of = {**dict.fromkeys((9, *range(1, 9)), 2), **dict.fromkeys(range(10, 15), 1)}
    given = replace(drawing(), divisions=of, rounds_left=2, apart=apart, history=MET)
    second = [Entrant(player, apart=apart.get(player, frozenset())) for player in range(1, 10)]
    drawn = (
        draw([Entrant(player) for player in range(10, 15)], History(), lots(1), rounds=2, usual=3),
        draw(second, History(), lots(2), rounds=2, no_fives=True, usual=3),
    )
    assert settings.format.draw(settings, given) == [
        [DrawnTable(pod, division) for division, rounds in enumerate(drawn, 1) for pod in rounds[number]]
        for number in (0, 1)
    ]


@pytest.mark.parametrize("usual", [4, 5])
def test_divisions_have_the_tables_of_the_settings(usual: int):
    settings = default_settings("divisions").with_options(no_fives=True, pod_size=usual)
    [tables] = settings.format.draw(settings, drawing(*EIGHT, 9))
    assert sorted(len(table.players) for table in tables) == ([3, 3, 3] if usual == 4 else [4, 5])


@pytest.mark.parametrize("name", ["pods", "swiss"])
@pytest.mark.parametrize("number", [1, 2])
def test_two_players_share_a_table(name: str, number: int):
    settings = default_settings(name)
    [[table]] = settings.format.draw(settings, drawing(1, 2, number=number))
    assert sorted(table.players) == [1, 2]


@pytest.mark.parametrize(("late", "open_until"), [(0, 0), (50, 3), (100, 6)])
def test_late_entry_ends_with_a_share_of_the_rounds_but_never_before_the_first(late: int, open_until: int):
    settings = default_settings("pods").with_options(rounds=7, late_entry=late)
    assert [settings.open_to_late(drawn) for drawn in range(8)] == [drawn <= open_until for drawn in range(8)]


def test_two_of_three_rounds_are_less_than_67_percent():
    settings = default_settings("pods").with_options(rounds=3, late_entry=67)
    assert settings.open_to_late(2)
    assert not settings.with_options(late_entry=66).open_to_late(2)


@pytest.mark.parametrize(("size", "least"), [(4, 3), (6, 5), (8, 6), (16, 12)])
def test_a_season_begins_with_one_table_or_the_smallest_division(size: int, least: int):
    found = {
        name: known.least_to_start(default_settings(name).with_options(division_size=size))
        for name, known in FORMATS.items()
    }
    assert found == {"ladder": 3, "pods": 3, "swiss": 3, "divisions": least, "arena": 3}


def test_only_a_ladder_limits_meetings_a_day_and_adjusts_for_opponents():
    numbers = {name: default_settings(name).with_options(day_cap=3) for name in FORMATS}
    assert {name: FORMATS[name].day_cap(its) for name, its in numbers.items()} == {
        "ladder": 3,
        "pods": 0,
        "swiss": 0,
        "divisions": 0,
        "arena": 0,
    }
    assert [name for name, its in numbers.items() if FORMATS[name].is_adjusted(its)] == ["ladder"]
    plain = numbers["ladder"].with_options(by_opponents=False)
    assert not plain.format.is_adjusted(plain)


@pytest.mark.parametrize(
    ("cut_to", "players", "finalists"),
    [(16, 40, 16), (16, 15, 8), (8, 40, 8), (8, 4, 4), (4, 3, 0), (0, 40, 0)],
)
def test_the_finals_begin_with_the_largest_stage_that_the_cut_and_the_field_allow(
    cut_to: int, players: int, finalists: int
):
    settings = default_settings("pods").with_options(cut_to=cut_to)
    assert settings.format.finalists(settings, players) == finalists


def test_the_next_eligible_player_takes_a_place_in_the_finals():
    settings = default_settings("pods").with_options(cut_to=4)
    eligible = [True, False, True, True, False, True, True]
    zones = settings.format.zones(settings, eligible, 0, 0)
    assert zones == ["final", None, "final", "final", None, "final", None]
    assert settings.format.zones(settings, [], 0, 0) == []


@pytest.mark.parametrize(
    ("division", "zones"),
    [
        (1, [None, None, None, None, "down", "down"]),
        (2, ["up", None, "up", None, "down", "down"]),
        (3, ["up", None, "up", None, None, None]),
    ],
)
def test_the_first_who_may_go_up_and_the_last_go_down_wherever_there_is_a_division(
    division: int, zones: list
):
    settings = default_settings("divisions").with_options(promoted=2)
    eligible = [True, False, True, True, True, False]
    assert settings.format.zones(settings, eligible, division, 3) == zones


def test_in_a_small_division_who_goes_up_does_not_go_down():
    settings = default_settings("divisions").with_options(promoted=2)
    assert settings.format.zones(settings, [True, True, True], 2, 3) == ["up", "up", "down"]
    assert settings.format.zones(settings, [True], 1, 3) == ["down"]
    assert settings.format.zones(settings, [], 1, 3) == []
