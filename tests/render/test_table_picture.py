from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageChops

from marriage.state import Phase
from render.drawing.cloth import RIM
from render.samples import GROUPS, NAMES, PAIRS, closed_seat, open_seat, sample_view, table_views
from render.style import Style
from render.table_picture import HEIGHT, MOST_BYTES, PLATE, SPOTS, WIDTH, draw_table
from tests.render.looking import differing_columns, opened

VIEWS = table_views()
PLAIN = ("A", "B", "C")
PLAIN5 = (*PLAIN, "D", "E")


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
    "last discard of a seat": {"throwers": (2, 0, 2, 1)},
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
    left = SPOTS[3][0].x - PLATE[0] // 2
    assert columns
    assert min(columns) >= left
    assert max(columns) <= left + PLATE[0]


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
        assert min(columns) >= spot.x - PLATE[0] // 2 - RIM
        assert max(columns) <= spot.x + PLATE[0] // 2 + RIM


def test_what_lies_before_a_seat_covers_no_other_seat() -> None:
    """The seat has three sets or seven pairs, and two tunnelas."""
    full = [open_seat(GROUPS, "5D 9S"), open_seat(PAIRS, "KD")]
    for players in (2, 3, 4, 5):
        bare = draw_table(sample_view((closed_seat(),) * players), PLAIN5[:players])
        for seat, held in product(range(players), full):
            seats = [closed_seat()] * players
            seats[seat] = replace(held, count=21, seen=False)
            laid = draw_table(sample_view(tuple(seats)), PLAIN5[:players])
            rows = ImageChops.difference(opened(bare).convert("RGB"), opened(laid).convert("RGB")).getbbox()
            assert rows is not None
            spot = SPOTS[players][seat]
            for other in {*SPOTS[players]} - {spot}:
                assert not (
                    rows[0] < other.x + PLATE[0] // 2
                    and rows[2] > other.x - PLATE[0] // 2
                    and rows[1] < other.y + PLATE[1]
                    and rows[3] > other.y
                ), (players, seat)
