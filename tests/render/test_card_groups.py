import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from marriage.cards import Card, format_cards, parse_cards
from marriage.maal import Role
from render.drawing.deck import (
    BIG,
    TINY,
    Looks,
    ace_high,
    balanced,
    fan,
    flatten,
    flow,
    group,
    open_groups,
    strips,
    tunnelas,
)
from render.drawing.faces import PLAIN, Look
from render.samples import open_seat
from render.style import DEFAULT
from render.table_picture import SPOTS


@pytest.mark.parametrize(
    ("cards", "shown"),
    [("AS QS KS", "QS KS AS"), ("AS 2S 3S", "AS 2S 3S"), ("AH AS AD", "AH AS AD"), ("AS 2S KS", "AS 2S KS")],
)
def test_an_ace_above_the_king_stands_above_the_king(cards: str, shown: str) -> None:
    assert format_cards(ace_high(parse_cards(cards))) == shown


def test_an_exposed_tunnela_is_not_shown_twice() -> None:
    seat = open_seat(("2S 3S 4S", "5D 5D 5D"), "5D 6D")
    assert open_groups(seat) == (parse_cards("2S 3S 4S"),)
    assert tunnelas(seat) == (parse_cards("5D 5D 5D"), parse_cards("6D 6D 6D"))


@given(st.lists(st.integers(10, 300), max_size=20), st.integers(300, 900))
def test_lines_keep_the_order_and_the_width(widths: list[int], most: int) -> None:
    lines = balanced(widths, most, 5)
    assert [index for line in lines for index in line] == list(range(len(widths)))
    assert all(sum(widths[index] + 5 for index in line) - 5 <= most for line in lines)
    assert len(lines) == len(flow(widths, most, 5))


@pytest.mark.parametrize("length", range(1, 14))
def test_the_longest_run_has_room_at_every_seat(length: int) -> None:
    run = parse_cards("AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS")[:length]
    least = min(spot.room for spots in SPOTS.values() for spot in spots)
    assert group(run, (PLAIN,) * length, TINY, DEFAULT).width <= least


IN_A_FAN = [
    (Look(), Look(Role.TIPLU), Look(), Look(None, lit=True), Look(Role.JOKER), Look()),
    (Look(),) * 6,
]
FAN = tuple(map(Card.parse, ("5H", "10H", "QH", "KH", "2H", "9H")))


@pytest.mark.parametrize("marks", IN_A_FAN)
@pytest.mark.parametrize("step", [63, 76, 86])
def test_strips_beside_each_other_look_like_the_fan_drawn_at_once(marks: Looks, step: int) -> None:
    whole = flatten(fan(FAN, marks, BIG, DEFAULT, step), DEFAULT).convert("RGB")
    beside = Image.new("RGB", whole.size)
    x = 0
    for strip in strips(FAN, marks, BIG, DEFAULT, step):
        beside.paste(strip.convert("RGB"), (x, 0))
        x += strip.width
    assert x == whole.width
    changed = ImageChops.difference(whole, beside).convert("L").point(lambda value: 255 * (value > 24))
    assert changed.histogram()[255] < 0.002 * whole.width * whole.height  # a few pixels below round corners


def test_a_strip_is_the_same_whatever_card_lies_before_and_after_it() -> None:
    one, other = (
        strips(tuple(map(Card.parse, cards)), (Look(),) * 3, BIG, DEFAULT, 76)
        for cards in (("2S", "7S", "9S"), ("6S", "7S", "KS"))
    )
    assert one[1] is other[1]
