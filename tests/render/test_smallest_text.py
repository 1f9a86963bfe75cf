"""No text in any picture is smaller than 11 pixels where the picture is shown 390 pixels wide, as on a phone."""

from typing import Any

import pytest

from marriage.cards import parse_cards
from render.drawing import cloth, faces, text
from render.drawing.chips import chip
from render.drawing.faces import PLAIN
from render.drawing.memory import forget_sprites
from render.gallery import MODES, samples
from render.seat_picture import forget_hands
from render.style import DEFAULT
from render.table_strip import ENLARGED, NORMAL

PHONE = 390
LEAST = 11
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
"""Their texts are those of other samples; the deck is never sent."""
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
        assert name.startswith("hand-")  # of a hand by suit nothing need be said


@pytest.mark.parametrize(
    ("size", "width"), [(measures.least, measures.width) for measures in (NORMAL, ENLARGED)]
)
def test_chips_can_be_read_on_a_phone(size: int, width: int) -> None:
    """They are as large as the least text beside them."""
    assert size * PHONE / width >= LEAST
    assert chip(parse_cards("7S 8S 9S"), (PLAIN,) * 3, size, DEFAULT).height > size
