from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marriage.state import Phase
from render.samples import NAMES, closed_seat, sample_view, table_views
from render.style import Style
from render.table_picture import HEIGHT, MOST_BYTES, SPOTS, WIDTH, draw_table
from tests.render.looking import differing_columns, opened

VIEWS = table_views()
PLAIN = ("A", "B", "C")


@pytest.mark.parametrize("name", VIEWS)
def test_a_table_is_one_size_and_the_same_bytes_again(name: str) -> None:
    view = VIEWS[name]
    picture = draw_table(view, NAMES[: len(view.seats)])
    assert opened(picture).size == (picture.width, picture.height) == (WIDTH, HEIGHT)
    assert picture == draw_table(table_views()[name], NAMES[: len(view.seats)])
    assert len(picture.png) <= MOST_BYTES


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_number_of_players_has_its_seats(players: int) -> None:
    spots = SPOTS[players]
    assert len(set(spots)) == players
    view = sample_view((closed_seat(),) * players)
    assert opened(draw_table(view, NAMES[:players])).size == (WIDTH, HEIGHT)


def test_names_must_match_the_seats() -> None:
    with pytest.raises(ValueError, match="zip"):
        draw_table(VIEWS["play-3"], NAMES)


CHANGES = {
    "turn": {"turn": 1},
    "dealer": {"dealer": 0},
    "stock": {"stock_count": 62},
    "pile": {"pile": VIEWS["play-3"].pile[:-1]},
    "tiplu": {"tiplu_cut": True},
    "phase": {"phase": Phase.WINDOW},
    "direction": {"rules": VIEWS["anticlockwise-4"].rules},
    "dead hand": {"seats": (replace(VIEWS["play-3"].seats[0], out=True), *VIEWS["play-3"].seats[1:])},
}


@pytest.mark.parametrize("change", CHANGES)
def test_all_that_is_public_shows(change: str) -> None:
    view = VIEWS["play-3"]
    before, after = draw_table(view, PLAIN), draw_table(replace(view, **CHANGES[change]), PLAIN)
    assert differing_columns(before, after)
    assert before.alt != after.alt


def test_only_a_seen_players_seat_shows_that_they_have_seen() -> None:
    view = VIEWS["play-3"]
    seen = replace(view.seats[0], seen=True)
    after = replace(view, seats=(seen, *view.seats[1:]))
    columns = differing_columns(draw_table(view, PLAIN), draw_table(after, PLAIN))
    left = SPOTS[3][0].x - 145
    assert columns
    assert min(columns) >= left
    assert max(columns) <= left + 290


@given(st.lists(st.text(max_size=40), min_size=3, max_size=3))
@settings(max_examples=40, deadline=None)
def test_names_in_any_script_are_drawn(names: list[str]) -> None:
    picture = draw_table(VIEWS["play-3"], names)
    assert opened(picture).size == (WIDTH, HEIGHT)
    assert len(picture.alt) <= 1000


def test_a_long_name_stays_on_its_plate() -> None:
    columns = differing_columns(
        draw_table(VIEWS["play-3"], PLAIN), draw_table(VIEWS["play-3"], ("W" * 60, "B", "C"))
    )
    spot = SPOTS[3][0]
    reach = spot.widest // 2 + 6  # the rim of the seat in turn
    assert min(columns) >= spot.x - reach
    assert max(columns) < spot.x + reach


def test_a_dark_table_is_dark() -> None:
    light, dark = (
        opened(draw_table(VIEWS["play-3"], PLAIN, Style(theme=theme))).convert("L").getpixel((550, 200))
        for theme in ("light", "dark")
    )
    assert dark < light


def test_the_clock_shows_round_the_seat_in_turn_alone() -> None:
    view = VIEWS["play-3"]
    pictures = [draw_table(view, PLAIN, clock=clock) for clock in (1, 0.5, 0.25, 0)]
    assert len({picture.png for picture in pictures}) == 4
    assert len({picture.alt for picture in pictures}) == 1
    assert draw_table(view, PLAIN) == pictures[0]
    spot = SPOTS[3][view.turn]
    for other in pictures[1:]:
        columns = differing_columns(pictures[0], other)
        assert min(columns) >= spot.x - 155
        assert max(columns) <= spot.x + 155
