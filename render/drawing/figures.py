"""The figures on our cards, made of flat colours, so that they are recognisable at the size of a fingernail.

They are a king in a dhaka topi, a queen in her shawl, a youth with a khukuri, the masked Lakhe for the man
card, and the sun behind the mountains for the master. Each has a field 100 wide and 125 high and grows out of
the lower edge of its card.
"""

from dataclasses import dataclass
from typing import Final, Literal

from render.drawing.shapes import Outline, across, mirrored, outline, oval, star

Tint = Literal["ink", "gold", "skin", "cheek", "dark", "paper", "red", "sky", "snow"]
"""The colour of a part: the ink of the suit, or a colour that all suits share."""
WIDTH: Final = 100
HEIGHT: Final = 125


@dataclass(frozen=True, slots=True)
class Part:
    """One flat piece of a figure. Later parts cover earlier ones."""

    tint: Tint
    shape: Outline
    rim: float = 0
    """The width of the paper margin that separates it from the parts below."""


def _pair(tint: Tint, shape: Outline, rim: float = 0) -> tuple[Part, Part]:
    """Return a part and its mirror image on the other side of the face."""
    return Part(tint, shape, rim), Part(tint, across(shape), rim)


_SHOULDERS: Final = mirrored(outline("M50 90 L62 90 C82 93 99 101 101 126 L50 126"))
_NECK: Final = outline("M40 74 L60 74 L61 92 L50 101 L39 92 Z")
_EARS: Final = _pair("skin", oval(28, 58, 5, 7))
_FACE: Final = mirrored(outline("M50 28 L71 28 C73 44 74 56 71 67 C68 78 60 86 50 87"))
_SLIM_FACE: Final = mirrored(outline("M50 26 C66 26 70 40 69.5 56 C69 72 58 85 50 87"))
_NOSE: Final = outline("M50 50 C52 56 55 61 56 65 C53 68 47 68 44 65 C45 61 48 56 50 50 Z")
_EYES: Final = _pair("dark", oval(40, 53, 3.4, 4.2))
_MAN_BROWS: Final = _pair("dark", outline("M31 47 C35 41 42 41 47 44 L46.5 48 C42 46 37 46 32 49 Z"))

KING: Final = (
    Part("ink", _SHOULDERS),
    Part("gold", outline("M36 89 L43 89 L56 126 L43 126 Z")),
    Part("skin", _NECK, 2.5),
    *_EARS,
    Part("skin", _FACE, 2.5),
    Part("cheek", _NOSE),
    *_EYES,
    *_MAN_BROWS,
    Part(
        "dark",
        mirrored(
            outline("M50 66 C56 63 65 66 69 71 C73 75 78 72 79 67 C83 78 74 84 65 82 C58 80 54 76 50 75")
        ),
    ),
    Part(
        "ink",
        outline("M25 45 C23 36 22 27 25 17 C38 8 58 9 75 21 C78 30 77 38 75 45 C60 38 40 38 25 45 Z"),
        3,
    ),
    Part(
        "gold",
        outline("M29 33 L37.5 20 L46 31 L50 17.5 L54 31 L62.5 20.5 L71 34 L62.5 29 L54 37 L46 37 L37.5 29 Z"),
    ),
    Part("gold", outline("M50 20 C44 14 43 6 50 -3 C57 6 56 14 50 20 Z"), 3),
    Part("red", oval(50, 12, 2.8)),
)

QUEEN: Final = (
    Part(
        "ink",
        mirrored(outline("M50 6 C76 6 86 26 85 52 C84.5 74 92 88 99 104 C101 112 101 118 101 126 L50 126")),
    ),
    Part("gold", mirrored(outline("M50 13 C70 13 79 30 78 52 C77 74 83 92 92 108 L82 126 L50 126"))),
    Part("dark", mirrored(outline("M50 18 C67 18 75 34 74 54 C73.5 70 76 80 78 90 L50 96"))),
    Part("ink", mirrored(outline("M50 94 L60 90 C70 92 78 98 84 108 L76 126 L50 126"))),
    Part("skin", outline("M41 74 L59 74 L61 93 L50 104 L39 93 Z")),
    Part("gold", mirrored(outline("M50 101 L61 90 L67 91.5 L50 112"))),
    Part("skin", mirrored(outline("M50 31 C60 34 67 44 68.5 56 C68 72 58 85 50 87"))),
    Part("cheek", outline("M50 52 C52 57 54 61 55 64 C52 66.5 48 66.5 45 64 C46 61 48 57 50 52 Z")),
    *_pair("dark", outline("M33 57 C36 51 43 51 46.5 57.5 C42 60.5 36 60.5 33 57 Z")),
    *_pair("dark", outline("M32 49 C36 44.5 43 44.5 47 48 L46.5 50 C42 47.5 37 48 32.5 51 Z")),
    Part("red", mirrored(outline("M50 72.5 C53 70.5 56 71.5 59 74 C56 79 53 80 50 80"))),
    Part("red", oval(50, 42.5, 3.4)),
    Part("gold", outline("M48 17 L52 17 L54.5 31 L50 38 L45.5 31 Z")),
    *_pair("gold", oval(29.5, 73, 4.6)),
    Part("gold", oval(56.5, 64, 2)),
)

JACK: Final = (
    Part("dark", outline("M81 126 L82 100 L91 100 L93 126 Z")),
    Part(
        "gold",
        outline("M82 102 C84 92 82 88 79 80 C74 64 79 48 89 36 C91 52 97 66 97 78 C96 88 92 94 91 102 Z"),
    ),
    Part("ink", mirrored(outline("M50 90 L62 90 C78 92 90 101 92 126 L50 126")), 3),
    Part("paper", outline("M28 92 L38 90 L66 126 L50 126 Z")),
    Part("gold", outline("M31 91.5 L35 90.5 L62 126 L55 126 Z")),
    Part("skin", _NECK, 2.5),
    *_EARS,
    Part("skin", _SLIM_FACE, 2.5),
    Part("cheek", _NOSE),
    *_EYES,
    *_pair("dark", outline("M33 46 C37 42.5 43 43 46.5 45.5 L46 48 C42 46 38 46 33.5 48.5 Z")),
    Part("red", outline("M41 74 C46 77 54 77 59 74 C56 81 44 81 41 74 Z")),
    Part(
        "dark",
        outline(
            "M26 52 C22 38 23 24 34 18 C32 14 29 12 25 11 C33 6 43 7 48 11 C51 6 57 3 64 4 C61 7 60 9 60 12 "
            "C70 14 77 24 76 38 C76 43 75 48 74 52 C72 46 71 42 70 38 L30 38 C29 42 28 47 26 52 Z"
        ),
        2.5,
    ),
    Part("ink", outline("M25 32 C40 26 60 26 75 32 L75.5 42 C60 35 40 35 25 42 Z"), 2.5),
    Part("gold", mirrored(outline("M50 28.5 L56 34 L50 39.5"))),
)

COURT: Final = {10: JACK, 11: QUEEN, 12: KING}
"""The figures by rank: jack, queen, king."""

LAKHE: Final = (
    *_pair("dark", outline("M34 22 C14 18 4 34 8 50 C-2 60 0 80 6 88 C-2 98 2 112 10 120 L36 110 Z")),
    Part("red", mirrored(outline("M50 26 C76 26 88 42 87 64 C86 92 72 112 50 114")), 2.5),
    *_pair("gold", outline("M22 38 C30 28 42 32 48 44 L45 50 C38 42 30 40 21 47 Z")),
    *_pair("snow", oval(34, 56, 11.5, 10.5)),
    *_pair("dark", oval(35.5, 57, 5, 6)),
    Part("gold", outline("M50 52 C55 62 61 68 60 74 C56 80 44 80 40 74 C39 68 45 62 50 52 Z")),
    Part("dark", mirrored(outline("M50 84 C60 82 70 80 75 76 C77 92 64 102 50 102"))),
    Part("snow", mirrored(outline("M50 85 C56 84.5 60 84 64 83 L62 90 C58 91 54 91.5 50 91.5"))),
    *_pair("snow", outline("M25 78 C28 81 31 82 34 83 L29 97 Z")),
    Part("gold", mirrored(outline("M50 2 L58 18 L66 6 L72 20 L82 12 L80 34 C62 26 56 26 50 26")), 2.5),
    Part("red", oval(50, 19, 4)),
    *_pair("red", oval(68, 22, 3)),
)
"""The masked dancer of the Newar festivals, as wild in colour and rank as the card."""

PEAK: Final = (
    Part("gold", star(16, 0.72, 50, 46, 44)),
    Part("paper", oval(50, 46, 29)),
    Part("gold", oval(50, 46, 26)),
    Part(
        "sky",
        outline(
            "M-40 126 L-40 112 L-18 96 L-6 100 L22 74 L34 84 L56 46 L66 62 L74 54 L98 90 L112 84 L140 108 L140 126 Z"
        ),
        2.5,
    ),
    Part("snow", outline("M56 46 L66 62 L74 54 L85 70 L76 68 L70 78 L62 68 L55 80 L49 68 L42 71 Z")),
    Part("snow", outline("M22 74 L30 81 L26 84 L21 82 L14 86 Z")),
)
"""The sun behind the fish-tailed mountain, for the highest card."""
