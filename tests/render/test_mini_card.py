"""The small card pictures: distinct at 20 pixels, readable on light and dark, and numbered by drawing."""

from functools import cache
from io import BytesIO
from itertools import combinations, product

import numpy as np
import pytest
from PIL import Image

from marriage.cards import CARDS, FACES, UNKNOWN, Card
from render.mini_card import DRAWING, SIDE, mini_card
from tests.render.colour import Floats, lab, linear
from tests.render.test_golden import FOLDER, MOST_ANYWHERE, worst_spot

MOST_BYTES = 256 * 1024
"""The limit for one emoji: Discord accepts no larger ones."""
TEXT_SIDE = 20
GROUNDS = ("#313338", "#1a1a1e", "#ffffff")
"""The message backgrounds of Discord's dark, darkest and light themes."""
LEAST = 12.0
"""A CIELAB difference that is seen at once, as needed for similar cards."""
GOLDEN = FOLDER / f"mini-cards-{DRAWING}.png"
"""All pictures, by the number of the drawing.

`python -m tests.render.test_mini_card` writes it for a new number.
"""


@cache
def opened(card: Card) -> Image.Image:
    with Image.open(BytesIO(mini_card(card))) as image:
        return image.convert("RGBA")


def on(ground: str, card: Card, side: int = TEXT_SIDE) -> Floats:
    """Return the card as Discord shows it in a text, in CIELAB."""
    shown = opened(card).resize((side, side), Image.Resampling.LANCZOS)
    page = Image.new("RGBA", shown.size, ground)
    page.alpha_composite(shown)
    return lab(linear(np.asarray(page.convert("RGB"))))


def strongest(one: Floats, other: Floats) -> float:
    """Return the mean difference of the 3 by 3 pixels in which two pictures differ most."""
    differences = np.linalg.norm(one - other, axis=-1)
    windows = np.lib.stride_tricks.sliding_window_view(differences, (3, 3))
    return float(windows.mean(axis=(2, 3)).max())


@pytest.mark.parametrize("card", CARDS, ids=str)
def test_it_is_a_square_png_with_clear_corners_that_discord_takes(card: Card):
    content = mini_card(card)
    assert content.startswith(b"\x89PNG")
    assert len(content) < MOST_BYTES
    image = opened(card)
    assert image.size == (SIDE, SIDE)
    assert [image.getpixel(corner)[3] for corner in product((0, SIDE - 1), repeat=2)] == [0] * 4


def test_no_two_look_alike_at_the_size_of_text():
    shown = {card: on(GROUNDS[0], card) for card in CARDS}
    nearest = {f"{one} {other}": strongest(shown[one], shown[other]) for one, other in combinations(CARDS, 2)}
    assert {pair: found for pair, found in nearest.items() if found < LEAST} == {}


@pytest.mark.parametrize("ground", GROUNDS)
def test_rank_and_suit_stand_out_from_the_card_on_every_ground(ground: str):
    """The two halves with the rank and the suit have ink that differs greatly from the paper."""
    paper = on(ground, UNKNOWN)[1, TEXT_SIDE // 2]
    half = TEXT_SIDE // 2
    for card in CARDS[:FACES]:
        distance = np.linalg.norm(on(ground, card) - paper, axis=-1)[2:-2, 2:-2]
        assert distance[: half - 2, : half - 2].max() > 50, card
        assert distance[half - 2 :, half - 2 :].max() > 50, card


def test_a_changed_drawing_has_a_new_number():
    with Image.open(GOLDEN) as golden:
        assert worst_spot(all_of_them(), golden.convert("RGB")) <= MOST_ANYWHERE


def all_of_them() -> Image.Image:
    """Return all cards next to each other, each at a quarter of its size."""
    side, columns = SIDE // 4, 11
    sheet = Image.new("RGBA", (columns * side, len(CARDS) // columns * side), GROUNDS[0])
    for card in CARDS:
        sheet.alpha_composite(opened(card).reduce(4), (card % columns * side, card // columns * side))
    return sheet.convert("RGB")


if __name__ == "__main__":
    all_of_them().save(GOLDEN, optimize=True)
