from dataclasses import replace

import pytest

from marriage.cards import Card, parse_cards
from render.gallery import FULL, hand_views, table_views
from render.hand import WIDTH, draw_hand, rows_of
from render.style import DEFAULT, Style
from tests.render.looking import differing_columns, opened

VIEWS = hand_views()
STYLES = [Style(suits, theme) for suits in ("four", "two") for theme in ("light", "dark")]


@pytest.mark.parametrize("name", VIEWS)
def test_a_hand_is_a_palette_png_of_the_size_it_says(name: str) -> None:
    picture = draw_hand(VIEWS[name])
    image = opened(picture)
    assert (image.format, image.mode, image.size) == ("PNG", "P", (picture.width, picture.height))
    assert picture.width == WIDTH
    assert picture.height < WIDTH


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_a_full_hand_is_small(style: Style) -> None:
    assert VIEWS["drawn"].own.count == 22
    assert len(draw_hand(VIEWS["drawn"], style).png) <= 60 * 1024


def test_the_same_view_gives_the_same_bytes() -> None:
    again = hand_views()
    for name, view in VIEWS.items():
        assert draw_hand(view) == draw_hand(again[name])


def test_styles_differ() -> None:
    assert len({draw_hand(VIEWS["seen"], style).png for style in STYLES}) == len(STYLES)


def test_a_spectator_has_no_hand() -> None:
    with pytest.raises(ValueError, match="no seat"):
        draw_hand(table_views()["play-3"])


def test_rows_keep_all_cards_in_order() -> None:
    cards = parse_cards(FULL)
    rows = rows_of(cards)
    assert [len(row) for row in rows] == [7, 7, 7]
    assert tuple(card for row in rows for card in row) == cards
    assert rows_of(()) == []


def test_an_empty_hand_is_still_a_picture() -> None:
    own = replace(VIEWS["dealt"].own, cards=(), concealed=(), count=0, concealed_count=0)
    view = replace(VIEWS["dealt"], seats=(own, *VIEWS["dealt"].seats[1:]))
    assert opened(draw_hand(view)).width == WIDTH


def test_the_drawn_card_leaves_the_others_where_they_were() -> None:
    before, after = opened(draw_hand(VIEWS["dealt"])), opened(draw_hand(VIEWS["drawn"]))
    top = (0, 0, WIDTH, 598)
    assert before.crop(top).tobytes() == after.crop(top).tobytes()


def test_badges_only_for_those_who_know_the_tiplu() -> None:
    view = VIEWS["dealt"]
    unknown, known = draw_hand(view), draw_hand(replace(view, tiplu=Card.parse("4S")))
    columns = differing_columns(unknown, known)
    assert columns
    assert (
        columns[-1] < 600
    )  # the sixth card is no spade; no other 4 but of clubs, at the left of the last row
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
    assert {(0x0B, 0x83, 0x74), (0x0E, 0x00, 0xC8), (0xAC, 0x24, 0x0D), (0x11, 0x11, 0x14)} <= colours
