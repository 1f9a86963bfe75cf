from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageChops

from marriage.cards import sort_cards
from marriage.rules import preset
from marriage.sheet import Ending
from marriage.state import ShowKind
from marriage.strategy.players import GreedyPlayer
from marriage.view import View
from marriage.view import view as view_of
from render.drawing.deck import finish_of
from render.picture import Outcome, Picture
from render.samples import NAMES, own_seat, sheet_views, table_views
from render.sheet_picture import MOST_BYTES, WIDTH, _full, _Row, _rows, _short, _Word, draw_result, draw_sheet
from render.style import DEFAULT, Style, rgb
from render.words import speaking
from tests.marriage.dealing import deal, play
from tests.render.looking import differing_columns, opened

VIEWS = sheet_views()
GROUPS = VIEWS["groups"]
TOTALS = (131, -12, -84, 0)


@pytest.mark.parametrize("name", VIEWS)
def test_a_sheet_grows_with_its_seats(name: str) -> None:
    view = VIEWS[name]
    names = NAMES[: len(view.seats)]
    picture = draw_sheet(view, names)
    assert opened(picture).size == (WIDTH, picture.height)
    assert picture.height > 130 * len(names)
    assert picture == draw_sheet(sheet_views()[name], names)


def test_a_deal_that_goes_on_has_no_sheet() -> None:
    with pytest.raises(ValueError, match="not over"):
        draw_sheet(table_views()["play-3"], NAMES[:3])


def test_totals_show_when_given() -> None:
    without = draw_result(GROUPS, NAMES[:4])
    with_totals = draw_result(GROUPS, NAMES[:4], TOTALS)
    assert min(differing_columns(without, with_totals)) > 100  # right of the maal


def test_a_better_deal_is_told_in_the_title() -> None:
    better = VIEWS["better"]
    assert better.sheet is not None
    once = replace(better, sheet=replace(better.sheet, factor=1))
    told, plain = (draw_sheet(view, NAMES[:4]) for view in (better, once))
    assert told.height > plain.height  # the longer title takes a second line
    assert "counted 2 times" in told.alt
    assert "counted" not in plain.alt


def test_a_dublee_game_is_told_in_the_title() -> None:
    mark = preset("kathmandu", dublee_game="mark")
    plain = VIEWS["better"]
    seats = (replace(plain.seats[0], shown=ShowKind.DUBLEES), *plain.seats[1:])
    game = replace(plain, rules=mark, seats=seats)
    told, untold = (draw_sheet(view, NAMES[:4]) for view in (game, replace(plain, rules=mark)))
    _, top, _, bottom = changed(told, untold)
    assert 60 < top < bottom < 130
    assert "dublee game" in told.alt.lower()
    assert "dublee game" not in untold.alt.lower()


def changed(one: Picture, other: Picture) -> tuple[int, int, int, int]:
    """Return the box in which two pictures differ."""
    box = ImageChops.difference(*(opened(picture).convert("RGB") for picture in (one, other))).getbbox()
    assert box is not None
    return box


def test_every_style_draws() -> None:
    styles = [Style(suits, theme) for suits in ("four", "two") for theme in ("light", "dark")]
    assert len({draw_sheet(GROUPS, NAMES[:4], TOTALS, style).png for style in styles}) == 4


@given(st.lists(st.text(max_size=60), min_size=4, max_size=4))
@settings(max_examples=25, deadline=None)
def test_names_in_any_script_are_drawn(names: list[str]) -> None:
    picture = draw_sheet(GROUPS, names, TOTALS)
    assert picture.width == WIDTH
    assert len(picture.alt) <= 1000


def test_the_winner_lays_down_all_groups() -> None:
    assert [len(group) for group in GROUPS.finish] == [3] * 7
    assert sort_cards(card for group in GROUPS.finish for card in group) == GROUPS.seats[0].cards
    with_sets, without = draw_sheet(GROUPS, NAMES[:4]), draw_sheet(untold(GROUPS), NAMES[:4])
    assert with_sets.height > without.height
    assert "seven sets: Spades 2 3 4, Clubs 10 J Q, Diamonds 5 5 5, Hearts 6 7 8, " in with_sets.alt
    assert "seven sets. " in without.alt


def untold(view: View) -> Outcome:
    """Return the same result without the cards, as for a deal that was not played here."""
    return Outcome(view.tiplu, view.rules, view.sheet)


def test_the_hands_of_those_who_lost_are_shown() -> None:
    assert GROUPS.finish
    nameless = Outcome(GROUPS.tiplu, GROUPS.rules, GROUPS.sheet, GROUPS.finish)
    shown, hidden = draw_sheet(GROUPS, NAMES[:4]), draw_sheet(nameless, NAMES[:4])
    assert shown.height > hidden.height
    seats = (*GROUPS.seats[:3], own_seat("2S 3S 4S 8S KS AH"))
    assert changed(shown, draw_sheet(replace(GROUPS, seats=seats), NAMES[:4]))[1] > shown.height * 0.8


def test_wild_cards_are_tinted() -> None:
    plain = replace(GROUPS, tiplu=None)
    for name, colour in (("rich", DEFAULT.colours.rich), ("wild", DEFAULT.colours.wild)):
        tinted, untinted = (colours_of(draw_sheet(view, NAMES[:4])) for view in (GROUPS, plain))
        assert tinted[rgb(colour)] > 10 * untinted[rgb(colour)] + 300, name


def colours_of(picture: Picture) -> Counter[tuple[int, ...]]:
    image = opened(picture).convert("RGB")
    return Counter({colour: count for count, colour in image.getcolors(maxcolors=512) or ()})


def test_it_is_told_from_whom_points_were_kidnapped() -> None:
    """The winner's items of kidnapped points are in the order of the seats that lost them."""
    said = [part.text for row in _rows(GROUPS, NAMES[:4], TOTALS, DEFAULT, _full) for part in texts_of(row)]
    assert [text for text in said if "Kidnapped" in text] == ["Kidnapped from Bartholomew Montgo…"]


def test_each_figure_has_one_word_and_each_card_one_name() -> None:
    said = [part.text for row in _rows(GROUPS, NAMES[:4], TOTALS, DEFAULT, _full) for part in texts_of(row)]
    assert said[-4:] == ["Maal 0", "Difference −12", "Finish −13", "So far 0"]
    assert "Man" not in said  # its picture shows it
    assert not any("  " in text for text in said)


def test_the_result_has_few_figures() -> None:
    said = [part.text for row in _rows(GROUPS, NAMES[:4], TOTALS, DEFAULT, _short) for part in texts_of(row)]
    assert said == [
        "Maal 42",
        "So far +131",
        "Maal 5",
        "So far −12",
        "Maal 0",
        "So far −84",
        "Maal 0",
        "So far 0",
    ]


def test_the_result_is_shorter_than_the_sheet_and_says_as_much_in_words() -> None:
    result, sheet = draw_result(GROUPS, NAMES[:4], TOTALS), draw_sheet(GROUPS, NAMES[:4], TOTALS)
    assert result.width == sheet.width == WIDTH
    assert result.height < 0.7 * sheet.height
    assert result.alt == sheet.alt


def test_the_result_shows_only_the_winners_cards() -> None:
    seats = (*GROUPS.seats[:3], own_seat("2S 3S 4S 8S KS AH"))
    other = replace(GROUPS, seats=seats)
    assert draw_result(GROUPS, NAMES[:4]).png == draw_result(other, NAMES[:4]).png


def texts_of(row: _Row) -> Iterator[_Word]:
    return (part for line in row.lines for piece in line for part in piece if isinstance(part, _Word))


@pytest.mark.parametrize("language", ["en", "ne", "hi"])
def test_a_sheet_is_small(language: str) -> None:
    with speaking(language):
        for number in range(3):
            picture = draw_sheet(finished(number), NAMES[:4], TOTALS)
            assert len(picture.png) <= MOST_BYTES


@pytest.mark.parametrize("number", range(6))
def test_a_finish_is_made_of_the_winners_cards(number: int) -> None:
    last = finished(number)
    assert last.sheet is not None
    assert last.sheet.winner is not None
    winner = last.seats[last.sheet.winner]
    laid = sort_cards(card for group in finish_of(last) for card in group)
    assert len(laid) == (21 if last.sheet.ending is Ending.GROUPS else 16)
    assert not Counter(laid) - Counter(winner.cards)
    assert draw_sheet(last, NAMES[:4]).width == WIDTH


def finished(number: int) -> View:
    """Return the end of a deal between good players, as a spectator sees it."""
    state, _ = deal(number)
    player = GreedyPlayer(count_outs=False)
    for after, *_ in play(state, player.choose):
        state = after
    return view_of(state, None)
