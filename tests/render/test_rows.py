"""The rows of a hand break between suits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from render.hand_picture import RowItem, even_parts, lines_of

PITCH, ROOM, SPARE = 103, 836, 117
STEPS = (PITCH, 86, 76, 69, 63)
MOST = (ROOM - PITCH) // STEPS[-1] + 1


def lines(*suits: int) -> list[tuple[int, int]]:
    return [tuple(line) for line in lines_of(tuple(map(RowItem, suits)), STEPS, ROOM, SPARE)]


@pytest.mark.parametrize(
    ("suits", "rows"),
    [
        ((5, 6, 5, 5), [(1, PITCH), (2, 69), (1, PITCH)]),  # as many rows as with eight cards in each
        ((7, 7, 6), [(1, PITCH)] * 3),
        ((7, 7, 7), [(1, PITCH), (1, PITCH), (1, 86)]),  # next to the card that may be drawn
        ((3, 3), [(2, PITCH)]),
        ((9, 3), [(1, 86), (1, PITCH)]),  # too many for a row: closer, not broken
        ((12,), [(1, 63)]),
        ((), []),
    ],
)
def test_cards_lie_closer_only_where_a_suit_would_be_broken(suits: tuple[int, ...], rows: object) -> None:
    assert lines(*suits) == rows


@given(st.lists(st.integers(1, MOST), min_size=1, max_size=8))
def test_every_suit_is_in_one_row_and_every_row_fits(suits: list[int]) -> None:
    left = list(suits)
    for count, step in lines(*suits):
        row, left = left[:count], left[count:]
        assert sum((cards - 1) * step + PITCH for cards in row) + 6 * (len(row) - 1) <= ROOM
    assert left == []


def test_what_cannot_lie_closer_keeps_its_width() -> None:
    items = (RowItem(fixed=400), RowItem(5), RowItem(fixed=500))
    assert sum(line.items for line in lines_of(items, STEPS, ROOM, SPARE)) == 3


@given(st.integers(0, 40), st.integers(1, 15))
def test_parts_are_about_equally_long(count: int, most: int) -> None:
    lengths = [part.stop - part.start for part in even_parts(count, most)]
    assert sum(lengths) == count
    assert max(lengths) <= most
    assert max(lengths) - min(lengths) <= 1
    assert len(lengths) == max(1, -(-count // most))
