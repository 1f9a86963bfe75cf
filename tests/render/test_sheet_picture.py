from collections import Counter
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
from render.drawing.card_groups import finish_of
from render.known import Outcome
from render.picture import Picture
from render.samples import NAMES, sheet_views, table_views
from render.sheet_picture import WIDTH, draw_sheet
from render.style import Style
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
    without = draw_sheet(GROUPS, NAMES[:4])
    with_totals = draw_sheet(GROUPS, NAMES[:4], TOTALS)
    assert differing_columns(without, with_totals)
    assert min(differing_columns(without, with_totals)) > WIDTH / 2


def test_a_better_deal_is_told_in_the_title() -> None:
    better = VIEWS["better"]
    assert better.sheet is not None
    once = replace(better, sheet=replace(better.sheet, factor=1))
    told, plain = (draw_sheet(view, NAMES[:4]) for view in (better, once))
    _, top, _, bottom = changed(told, plain)
    assert 60 < top < bottom < 130
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
    """The box in which two pictures differ."""
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
    assert "seven groups: Spades 2 3 4, Clubs 10 J Q, Diamonds 5 5 5, Hearts 6 7 8, " in with_sets.alt
    assert "seven groups. " in without.alt


def untold(view: View) -> Outcome:
    """The same result without the cards, as of a deal that was not played here."""
    return Outcome(view.tiplu, view.rules, view.sheet)


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
    """The end of a deal between good players, as a spectator sees it."""
    state, _ = deal(number)
    player = GreedyPlayer(count_outs=False)
    for after, *_ in play(state, player.choose):
        state = after
    return view_of(state, None)
