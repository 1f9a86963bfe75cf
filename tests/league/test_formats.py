"""The answers of the formats: sign-up, check-in, late entries, divisions, and draws with very few players."""

import pytest

from league.formats import FORMATS, DrawInput, DrawnTable, Format, format_named
from league.pairing.pods import Entrant, History, chance
from league.settings import default_settings


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
        chance=lambda draw: chance(bytes(32), "few", draw),
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
        with pytest.raises(ValueError, match="no format"):
            format_named(unknown)
