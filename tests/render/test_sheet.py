import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from render.gallery import NAMES, sheet_views, table_views
from render.sheet import WIDTH, draw_sheet
from render.style import Style
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


def test_every_style_draws() -> None:
    styles = [Style(suits, theme) for suits in ("four", "two") for theme in ("light", "dark")]
    assert len({draw_sheet(GROUPS, NAMES[:4], TOTALS, style).png for style in styles}) == 4


@given(st.lists(st.text(max_size=60), min_size=4, max_size=4))
@settings(max_examples=25, deadline=None)
def test_names_in_any_script_are_drawn(names: list[str]) -> None:
    picture = draw_sheet(GROUPS, names, TOTALS)
    assert picture.width == WIDTH
    assert len(picture.alt) <= 1000
