"""No text in any picture is smaller than 11 pixels if the picture is shown 390 pixels wide, as on a phone.

Results, and the sheets of four players without their cards, can also be read within their message.
"""

from dataclasses import replace
from typing import Any

import pytest

from marriage.cards import parse_cards
from marriage.rules import PRESETS, SEATS_MAX
from marriage.sheet import Ending, Sheet, SheetItem, SheetLine, Status, What
from render.drawing import cloth, faces, text
from render.drawing.faces import PLAIN
from render.drawing.icons import chip
from render.drawing.memory import forget_sprites
from render.gallery import MODES, samples
from render.picture import Outcome
from render.samples import sheet_views
from render.seat_picture import ENLARGED, NORMAL, forget_hands
from render.sheet_picture import draw_result, draw_sheet
from render.style import DEFAULT

PHONE = 390
LEAST = 11
IN_MESSAGE = (298, 420)
"""The room for a picture within a message on a phone that is 390 pixels wide."""
LEAST_IN_MESSAGE = 12
OTHERS = (
    "deck",
    "hand-dealt",
    "hand-tunnela",
    "hand-taken",
    "hand-copies",
    "sheet-better",
    "result-groups",
    "open-hands-better",
)
"""Pictures whose texts also occur in other samples; the deck is never sent."""
SAMPLES = [
    (name, draw)
    for name, draw in samples()
    if not name.endswith(tuple(mode for mode in MODES if mode)) and not name.startswith(OTHERS)
]


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The size of every text that is drawn: lines, chips, and the letters and numbers on cards."""
    found: list[float] = []
    line, letter = text.placed, faces._Face._letter

    def placed(at: tuple[float, float], words: str, size: int, *rest: Any, **named: Any) -> Any:
        found.append(size)
        return line(at, words, size, *rest, **named)

    def lettered(face: faces._Face, words: str, x: float, y: float, part: float, ink: str) -> None:
        found.append(face.size.badge * part)
        letter(face, words, x, y, part, ink)

    for module in (text, cloth):
        monkeypatch.setattr(module, "placed", placed)
    monkeypatch.setattr(faces._Face, "_letter", lettered)
    forget_sprites()
    forget_hands()
    text.forget_texts()
    return found


@pytest.mark.parametrize(("name", "draw"), SAMPLES, ids=[name for name, _ in SAMPLES])
def test_every_text_can_be_read_on_a_phone(name: str, draw: Any, sizes: list[float]) -> None:
    picture = draw()
    if sizes:
        assert min(sizes) * PHONE / picture.width >= LEAST, name
    else:
        assert name.startswith(("hand-", "below-"))  # a hand sorted by suit needs no text


@pytest.mark.parametrize("seats", range(2, SEATS_MAX + 1))
def test_a_result_and_for_four_a_sheet_without_cards_need_not_be_enlarged_on_a_phone(
    seats: int, sizes: list[float]
) -> None:
    view = sheet_views()["groups"]
    assert view.sheet is not None
    lines = (*view.sheet.lines[:seats], *view.sheet.lines[1 : 1 + seats - len(view.sheet.lines[:seats])])
    sheet = replace(view.sheet, lines=lines)
    names, totals = ("Maheshwari Gurung",) * seats, (-131,) * seats
    outcome = Outcome(view.tiplu, view.rules, sheet, view.finish)
    pictures = [draw_result(outcome, names, totals)]
    if seats < SEATS_MAX:
        pictures.append(draw_sheet(replace(outcome, finish=()), names, totals))
    for picture in pictures:
        shown = min(IN_MESSAGE[0] / picture.width, IN_MESSAGE[1] / picture.height)
        assert min(sizes) * shown >= LEAST_IN_MESSAGE


def test_the_sheet_of_six_at_a_home_game_need_not_be_enlarged_on_a_phone(sizes: list[float]) -> None:
    counted = SheetLine(Status.UNSEEN, (SheetItem(What.COUNTED, (), 12),), 12, -31, -10, 0, -41)
    sheet = Sheet(Ending.GROUPS, 0, (counted,) * 6, total=72)
    picture = draw_sheet(Outcome(None, PRESETS["pagat"], sheet), ("Maheshwari",) * 6, (-131,) * 6)
    shown = min(IN_MESSAGE[0] / picture.width, IN_MESSAGE[1] / picture.height)
    assert min(sizes) * shown >= LEAST_IN_MESSAGE


@pytest.mark.parametrize(
    ("size", "width"), [(measures.least, measures.width) for measures in (NORMAL, ENLARGED)]
)
def test_chips_can_be_read_on_a_phone(size: int, width: int) -> None:
    """They are as large as the smallest text next to them."""
    assert size * PHONE / width >= LEAST
    assert chip(parse_cards("7S 8S 9S"), (PLAIN,) * 3, size, DEFAULT).height > size
