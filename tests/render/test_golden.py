"""Sample pictures compared with approved versions of them.

The comparison imitates the eye and is not exact. Both pictures are scaled down, and the colour difference of
each spot is taken in CIELAB. A new version of the font therefore changes nothing, but a missing card, a wrong
colour or a shifted row does. After an intended change, look at `python -m render gallery OUT/`, and then
renew the samples with `python -m tests.render.test_golden NAME...`, or all of them without a name.
"""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFont

from marriage.cards import CARDS, Card
from render.drawing import faces, text
from render.drawing.deck import BIG
from render.gallery import gallery
from render.hand_picture import draw_hand
from render.picture import Picture
from render.samples import hand_views
from render.style import DEFAULT
from tests.render.colour import Floats, lab, linear
from tests.render.looking import opened

pytestmark = pytest.mark.xdist_group("golden")
"""One process draws the pictures for all tests."""
FOLDER = Path(__file__).parent / "golden"
WIDTH = 200
SPOT = 8
"""The side of a spot in pixels: about one rank."""
NAMES = (
    "hand-drawn", "hand-dealt-best", "hand-drawn-large", "hand-seen-drawn", "hand-seen-drawn-dark", "hand-dublees-two",
    "seat-draw-3", "below-draw-3", "seat-wait-5", "seat-over-4-large", "table-seen-4", "table-open-5", "table-window-2-dark", "sheet-groups", "sheet-groups-dark-two", "result-better", "lesson-marriage",
    "board-rating", "board-points-dark", "standings-pods", "standings-division-dark", "profile-full", "profile-few-dark",
    "analysis-full", "analysis-short-dark",
)  # fmt: skip
MOST_ANYWHERE = 6.0
"""Mean CIELAB difference of the worst spot. A new weight of the font stays below it, one other card far above."""


def small(image: Image.Image) -> Image.Image:
    size = (WIDTH, round(image.height * WIDTH / image.width))
    return image.convert("RGB").resize(size, Image.Resampling.BOX)


def worst_spot(one: Image.Image, other: Image.Image) -> float:
    """Return the mean colour difference of the spot in which two small pictures differ most."""
    assert one.size == other.size
    differences: Floats = np.linalg.norm(_lab(one) - _lab(other), axis=-1)
    rows, columns = (length // SPOT for length in differences.shape)
    spots = differences[: rows * SPOT, : columns * SPOT].reshape(rows, SPOT, columns, SPOT).mean(axis=(1, 3))
    return float(spots.max())


def _lab(image: Image.Image) -> Floats:
    return lab(linear(np.asarray(image)))


@pytest.fixture(scope="module")
def pictures() -> Iterator[dict[str, Picture]]:
    """The pictures, drawn with the packaged faces only, so that the machine's fonts change nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "_OF_THE_MACHINE", ())
        _forget_faces()
        yield dict(gallery(NAMES))
    _forget_faces()


def _forget_faces() -> None:
    for cached in (text.face, text.face_for, text._has, text._probes):
        cached.cache_clear()


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_looks_as_it_did(name: str, pictures: dict[str, Picture]) -> None:
    with Image.open(FOLDER / f"{name}.png") as golden:
        assert worst_spot(small(opened(pictures[name])), golden.convert("RGB")) <= MOST_ANYWHERE


def test_another_card_is_noticed() -> None:
    view = hand_views()["taken"]
    one, other = (small(opened(draw_hand(hand_views()[name]))) for name in ("taken", "drawn"))
    assert view.drawn == Card.parse("7C")
    assert worst_spot(one, other) > 1.5 * MOST_ANYWHERE


def test_another_cut_of_the_font_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lighter weight stands for a later version of the typeface."""
    before = small(row_of_cards())
    lighter = partial(ImageFont.truetype, Path("render/fonts/Mukta-SemiBold.ttf"))
    monkeypatch.setattr(faces, "font", lighter)
    monkeypatch.setattr(faces, "rank_mask", faces.rank_mask.__wrapped__)
    after = small(row_of_cards())
    assert 0 < worst_spot(before, after) <= MOST_ANYWHERE


def row_of_cards() -> Image.Image:
    """Return eight cards next to each other, drawn again, as wide as a hand."""
    row = Image.new("RGB", (8 * BIG.width, BIG.height), DEFAULT.colours.felt)
    for index, card in enumerate(CARDS[13:21]):
        row.paste(
            faces.draw_face(card, BIG, DEFAULT, faces.PLAIN).reduce(faces.SCALE), (index * BIG.width, 0)
        )
    return row


def renew(names: Sequence[str]) -> None:
    """Write these samples again."""
    for name, picture in gallery(names):
        stream = BytesIO()
        small(opened(picture)).save(stream, "PNG", optimize=True)
        (FOLDER / f"{name}.png").write_bytes(stream.getvalue())


if __name__ == "__main__":
    renew(sys.argv[1:] or NAMES)
