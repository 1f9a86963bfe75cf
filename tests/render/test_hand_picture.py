from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from marriage.cards import Card
from render import hand_picture
from render.drawing.deck import BIG, LARGE
from render.drawing.png import MOST_BYTES
from render.hand_layout import CardOrder, lay_out
from render.hand_picture import WIDTHS, draw_hand, marks_of
from render.samples import hand_views, orders, table_views
from render.style import DEFAULT, Style, rgb
from tests.render.looking import differing_columns, opened

VIEWS = hand_views()
STYLES = [Style(suits, theme) for suits in ("four", "two") for theme in ("light", "dark")]


@pytest.mark.parametrize("name", VIEWS)
def test_a_hand_is_a_palette_png_of_the_size_it_says(name: str) -> None:
    picture = draw_hand(VIEWS[name])
    image = opened(picture)
    assert (image.format, image.mode, image.size) == ("PNG", "P", (picture.width, picture.height))
    assert picture.width == WIDTHS[BIG] > picture.height


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_a_full_hand_is_small(style: Style) -> None:
    assert VIEWS["drawn"].own.count == 22
    assert len(draw_hand(VIEWS["drawn"], style).png) <= MOST_BYTES


def test_the_same_view_gives_the_same_bytes() -> None:
    again = hand_views()
    for name, view in VIEWS.items():
        assert draw_hand(view) == draw_hand(again[name])


def test_styles_differ() -> None:
    assert len({draw_hand(VIEWS["seen"], style).png for style in STYLES}) == len(STYLES)


def test_a_spectator_has_no_hand() -> None:
    with pytest.raises(ValueError, match="no seat"):
        draw_hand(table_views()["play-3"])


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("how", ["suit", *orders()])
@pytest.mark.parametrize("name", VIEWS)
def test_every_order_and_size_fits(name: str, how: str, large: bool) -> None:
    order = orders().get(how, CardOrder())
    picture = draw_hand(VIEWS[name], DEFAULT, order, large=large)
    assert opened(picture).size == (picture.width, picture.height)
    assert picture.width == WIDTHS[LARGE if large else BIG]
    assert picture.height <= (1.6 if large else 0.8) * picture.width
    assert len(picture.png) <= MOST_BYTES
    assert len(picture.alt) < 1000
    again = draw_hand(hand_views()[name], DEFAULT, order, large=large)
    assert again == picture


def test_orders_and_sizes_differ() -> None:
    view = VIEWS["dealt"]
    pictures = [
        draw_hand(view, DEFAULT, order, large=large)
        for order in (CardOrder(), *orders().values())
        for large in (False, True)
    ]
    assert len({picture.png for picture in pictures}) == len(pictures)


def test_a_full_hand_has_the_drawn_card_in_its_last_row() -> None:
    dealt, drawn = draw_hand(VIEWS["dealt"]), draw_hand(VIEWS["drawn"])
    assert dealt.height == drawn.height < 600
    assert draw_hand(VIEWS["dealt"], large=True).height == draw_hand(VIEWS["drawn"], large=True).height


def test_begun_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    caption = hand_picture._caption

    def noted(word: str, *rest: Any) -> Image.Image:
        said.append(word)
        return caption(word, *rest)

    monkeypatch.setattr(hand_picture, "_caption", noted)
    draw_hand(VIEWS["dealt"], DEFAULT, CardOrder("best"))
    assert said == ["Pure sequence"] * 3 + ["Begun", "", "", ""]


def test_marks_show_the_sets_of_a_show_and_every_card_of_them_once() -> None:
    for name in ("dealt", "drawn", "copies"):
        layout = lay_out(VIEWS[name])
        numbers = [number for marks in marks_of(layout) for number in marks]
        assert [numbers.count(number) for number in (1, 2, 3)] == [3, 3, 3]
        marked = {
            number: sorted(card for card, mark in zip(layout.cards, numbers, strict=True) if mark == number)
            for number in (1, 2, 3)
        }
        assert [tuple(cards) for cards in marked.values()] == [*layout.sets]


def test_sets_that_have_captions_need_no_marks() -> None:
    layout = lay_out(VIEWS["copies"], CardOrder("best"))
    assert not any(number for marks in marks_of(layout) for number in marks)
    assert [layout.number_of(heap) for heap in layout.heaps[:3]] == [1, 1, 1]


def test_an_empty_hand_is_still_a_picture() -> None:
    own = replace(VIEWS["dealt"].own, cards=(), concealed=(), count=0, concealed_count=0)
    view = replace(VIEWS["dealt"], seats=(own, *VIEWS["dealt"].seats[1:]))
    assert opened(draw_hand(view)).width == WIDTHS[BIG]


def test_the_drawn_card_leaves_the_others_where_they_were() -> None:
    drawn = replace(VIEWS["drawn"], drawn=Card.parse("9S"))
    own = drawn.own
    cards = tuple(sorted((*VIEWS["dealt"].own.concealed, drawn.drawn)))
    drawn = replace(drawn, seats=(replace(own, cards=cards, concealed=cards), *drawn.seats[1:]))
    for order in (CardOrder(), orders()["rank"]):
        for large in (False, True):
            before = draw_hand(VIEWS["dealt"], DEFAULT, order, large=large)
            after = draw_hand(drawn, DEFAULT, order, large=large)
            changed = differing_columns(before, after)
            assert len(changed) < (320 if large else 280)


def test_badges_only_for_those_who_know_the_tiplu() -> None:
    view = VIEWS["dealt"]
    unknown, known = draw_hand(view), draw_hand(replace(view, tiplu=Card.parse("4S")))
    columns = differing_columns(unknown, known)
    assert columns
    assert columns[0] < 140  # the 4 of clubs begins the last row
    assert 390 < columns[-1] < 800  # the spades are the first five cards, and the tiplu is below all
    assert "Tiplu" not in unknown.alt


def test_what_was_taken_is_called_taken() -> None:
    taken = draw_hand(VIEWS["taken"])
    drawn = draw_hand(replace(VIEWS["taken"], taken=None))
    assert differing_columns(taken, drawn)
    assert "Just taken: 7 of Clubs." in taken.alt
    assert "Just drawn: 7 of Clubs." in drawn.alt


def test_the_default_has_four_colours() -> None:
    assert Style("four", "light") == DEFAULT
    colours = {
        colour for _, colour in opened(draw_hand(VIEWS["dealt"])).convert("RGB").getcolors(maxcolors=512)
    }
    assert {rgb(ink) for ink in DEFAULT.colours.inks} <= colours
