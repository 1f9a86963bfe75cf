"""Every kind of eye can distinguish all suits, and all text is readable."""

from itertools import combinations

import pytest
from PIL import Image, ImageDraw

from render.drawing.deck import to_palette
from render.style import STYLES, Style, rgb
from tests.render.colour import SIGHTS, ciede2000, contrast, seen

FARTHEST_ALIKE = 19
"""CIEDE2000: the usual four colours come as near as 7.7 to each other for protan eyes."""
CARD_STANDS_OUT = 13
"""A CIEDE2000 difference."""
READABLE = 4.5
"""The contrast of WCAG 2.2, level AA."""


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("style", STYLES, ids=str)
def test_suits_differ_for_every_eye(style: Style, sight: str) -> None:
    inks = dict.fromkeys(style.colours.inks)
    assert len(inks) == (4 if style.suits == "four" else 2)
    for one, other in combinations(inks, 2):
        assert ciede2000(seen(rgb(one), sight), seen(rgb(other), sight)) >= FARTHEST_ALIKE, (one, other)


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_what_is_written_can_be_read(style: Style) -> None:
    c = style.colours
    written = [(ink, paper) for ink in c.inks for paper in (c.paper, c.rich, c.wild)]
    written += [(c.gold_dark, c.gold), (c.on_tiplu, c.gold_dark), (c.quiet, c.paper)]
    written += [(ink, c.plate) for ink in (c.text, c.muted, c.gold, c.gain, c.loss)]
    written += [(ink, c.felt) for ink in (c.text, c.muted, c.gold)]
    for ink, ground in written:
        assert contrast(rgb(ink), rgb(ground)) >= READABLE, (ink, ground)


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_every_ink_is_in_the_palette(style: Style) -> None:
    flat = style.palette_bytes
    palette = {tuple(flat[at : at + 3]) for at in range(0, len(flat), 3)}
    assert len(palette) <= 256
    assert {rgb(ink) for ink in style.colours.inks} <= palette
    assert tuple(flat[:3]) == rgb(style.colours.felt)


@pytest.mark.parametrize("style", STYLES, ids=str)
def test_flat_colours_stay_what_they_are(style: Style) -> None:
    """Otherwise plates show seams between parts that are converted to the palette in different ways."""
    c = style.colours
    flat = (c.felt, c.plate, c.paper, c.rich, c.gold, c.text, c.muted, c.gain, c.loss, c.rail)
    for colour in flat:
        whole = Image.new("RGB", (600, 100), colour)
        ImageDraw.Draw(whole).line((0, 0, 40, 40), fill=c.gold if colour == c.text else c.text, width=3)
        done = to_palette(whole, style).convert("RGB")
        assert {done.getpixel(at) for at in ((60, 60), (599, 99))} == {rgb(colour)}


def test_a_card_stands_out_from_felt_and_plate() -> None:
    for style in STYLES:
        c = style.colours
        paper, *grounds = (seen(rgb(colour), "normal") for colour in (c.paper, c.felt, c.plate))
        assert min(ciede2000(paper, ground) for ground in grounds) >= CARD_STANDS_OUT


@pytest.mark.parametrize(
    ("one", "other", "distance"),
    [
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
    ],
)
def test_the_distance_is_the_published_one(one, other, distance) -> None:
    """Sharma, Wu and Dalal 2005, table 1."""
    assert ciede2000(one, other) == pytest.approx(distance, abs=1e-4)
    assert ciede2000(other, one) == pytest.approx(distance, abs=1e-4)


def test_contrast_and_sight_know_black_from_white() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    for sight in SIGHTS:
        assert seen((255, 255, 255), sight) == pytest.approx((100, 0, 0), abs=0.02)
