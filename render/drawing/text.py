"""Lines of text written by people: cleaned, cut to a width, and drawn in any script.

The typefaces are packaged with this file. Mukta has Latin and Devanagari. DejaVu Sans has Cyrillic, Greek, Arabic, Hebrew,
Vietnamese, signs and plain faces. For all other scripts the machine's own fonts are used if it has any. Characters that no
font has are not drawn (`drawable`).
"""

import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeVar

import regex
from PIL import Image, ImageDraw, ImageFont, features

Weight = Literal["SemiBold", "Bold"]

_FOLDER: Final = Path(__file__).parents[1] / "fonts"
_WIDE: Final = "DejaVuSans-Bold.ttf"
_OF_THE_MACHINE: Final = (
    *(f"NotoSans{script}-Bold.ttf" for script in (
        "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Thai", "Lao",
        "Khmer", "Myanmar", "Ethiopic",
    )),
    "NotoSerifTibetan-Bold.ttf", "NotoSansNewa-Regular.ttf", "NotoSansSymbols2-Regular.ttf",
    "NotoSansCJK-Bold.ttc", "NotoSansCJK-Regular.ttc", "NotoSansCJKjp-Bold.otf", "NotoSansCJKjp-Regular.otf",
    "unifont.ttf",
)  # fmt: skip
"""The file names of the machine's fonts. The first font that has a character draws it."""
_EAST_ASIAN: Final = "漢あ한"
_NO_SUCH_CHARACTER: Final = "\U0010ffff"
_PROBE: Final = 32


def missing_for_shaping() -> str:
    """Return what to install so that Devanagari is drawn correctly; empty if it is.

    Pillow needs raqm, and raqm the system's FriBidi library.
    """
    if not features.check("raqm"):
        return "Pillow with raqm, which its wheels have"
    return "" if features.check("fribidi") else "the FriBidi library (Debian and Ubuntu: libfribidi0)"


def shaping() -> str:
    """Return a message for the operator on whether Devanagari and Arabic names are drawn correctly."""
    if missing_for_shaping():
        return "missing: names in Devanagari are drawn with their signs out of order"
    return f"raqm {features.version('raqm')} with FriBidi {features.version('fribidi')}"


def found() -> tuple[str, ...]:
    """Return the font families for names, in the order in which they are tried."""
    return tuple(dict.fromkeys(str(probe.font.family) for probe in _probes()))


def draws_east_asian() -> bool:
    """Return whether Chinese, Japanese and Korean names can be drawn.

    If not, pictures show the seat or a number instead.
    """
    return all(face_for(character) is not None for character in _EAST_ASIAN)


@lru_cache(maxsize=256)
def font(size: int, weight: Weight = "Bold") -> ImageFont.FreeTypeFont:
    """Return Mukta in that size."""
    return ImageFont.truetype(_FOLDER / f"Mukta-{weight}.ttf", size)


@lru_cache(maxsize=512)
def face(index: int, size: int, weight: Weight = "Bold") -> ImageFont.FreeTypeFont:
    """Return Mukta for 0, else another face, scaled so that its capitals are as high as Mukta's of that size."""
    if not index:
        return font(size, weight)
    probe = _probes()[index]
    return ImageFont.truetype(probe.path, round(size * _capital(_probes()[0]) / _capital(probe)))


@lru_cache(maxsize=4096)
def face_for(characters: str) -> int | None:
    """Return the index of the first face with a glyph for each of these characters; None if there is none."""
    indices = range(len(_probes()))
    return next((index for index in indices if all(_has(index, character) for character in characters)), None)


@lru_cache(maxsize=16384)
def _has(index: int, character: str) -> bool:
    probe = _probes()[index]
    return _ink(probe, character) != _ink(probe, _NO_SUCH_CHARACTER)


def _ink(probe: ImageFont.FreeTypeFont, character: str) -> bytes:
    left, top, right, bottom = probe.getbbox(character)
    image = Image.new("L", (max(1, round(right)), max(1, round(bottom))))
    ImageDraw.Draw(image).text((0, 0), character, fill=255, font=probe)
    return repr((left, top, right, bottom)).encode() + image.tobytes()


def _capital(probe: ImageFont.FreeTypeFont) -> float:
    """Return the height of capitals. A face without capitals counts as average."""
    return (
        -probe.getbbox("H", anchor="ls")[1]
        if _ink(probe, "H") != _ink(probe, _NO_SUCH_CHARACTER)
        else 0.7 * _PROBE
    )


@lru_cache
def _probes() -> tuple[ImageFont.FreeTypeFont, ...]:
    """Return all available faces without shaping, in which a missing glyph always shows as the face's empty box."""
    packaged = (_FOLDER / "Mukta-Bold.ttf", _FOLDER / _WIDE)
    return (*(_probe(path) for path in packaged), *_probes_of_the_machine())


def _probes_of_the_machine() -> Iterator[ImageFont.FreeTypeFont]:
    for name in _OF_THE_MACHINE:
        try:
            yield _probe(name)
        except OSError:  # raised by Pillow if there is no such font
            continue


def _probe(path: Path | str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, _PROBE, layout_engine=ImageFont.Layout.BASIC)


class _CachedLine(Protocol):
    """A function decorated with `lru_cache`."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def cache_clear(self) -> None: ...


C = TypeVar("C", bound=_CachedLine)

ELLIPSIS = "…"
LONGEST = 64
_JOINERS = "\u200c\u200d"
_LETTER = regex.compile(r"\X")
"""One grapheme cluster, which readers see as one letter."""
_WORD = regex.compile(r"[\p{L}\p{M}\u200c\u200d]+|[^\p{L}\p{M}\u200c\u200d]+")
"""A run of letters, or a run of other characters."""
_LOOSE = regex.compile(r"(?<![\p{L}\p{M}])[\u200c\u200d]+")
"""Joiners without neighbours to join."""
_MOST_MARKS = 4
"""The most combining marks on one letter: as many as Devanagari needs. Names with dozens of them are a prank."""


def clean(name: str) -> str:
    """Return the drawable name, without control characters, line breaks and piles of marks; may be empty."""
    kept: list[str] = []
    marks = 0
    for character in unicodedata.normalize("NFC", name[: 4 * LONGEST]):
        category = unicodedata.category(character)
        marks = marks + 1 if category.startswith("M") else 0
        if character.isspace():
            kept.append(" ")
        elif marks <= _MOST_MARKS and (category[0] != "C" or character in _JOINERS):
            kept.append(character)
    return shortened(" ".join("".join(kept).split()), LONGEST)


def shortened(text: str, most: int) -> str:
    """Return whole letters from the beginning of the text, with at most `most` characters together."""
    if len(text) <= most:
        return text.rstrip()
    end = 0
    for letter in _LETTER.finditer(text, 0, most + 1):
        if letter.end() <= most:
            end = letter.end()
    return text[:end].rstrip()


_kept: Final[list[Callable[[], None]]] = []
"""The functions that clear the caches with texts."""


def forgettable(cached: C) -> C:
    """Register this cache, so that `forget_texts` clears it."""
    _kept.append(cached.cache_clear)
    return cached


@forgettable
@lru_cache(maxsize=1024)
def drawable(name: str, otherwise: str) -> str:
    """Return the cleaned name without the characters that no font can draw; `otherwise` if nothing is left."""
    text = _LOOSE.sub("", "".join(map(_drawable, clean(name))))
    return " ".join(text.split()) or otherwise


def _drawable(character: str) -> str:
    """Return the character, or its plain letters if it is an ornate form, if a face has them; else nothing."""
    plain = unicodedata.normalize("NFKC", character)
    return next((form for form in (character, plain) if face_for(form) is not None), "")


@forgettable
@lru_cache(maxsize=2048)
def width(text: str, size: int, weight: Weight = "Bold") -> float:
    """Return the width of the text in pixels."""
    return sum(face(index, size, weight).getlength(run) for index, run in _runs(text))


@forgettable
@lru_cache(maxsize=1024)
def fit(text: str, most: int, size: int, weight: Weight = "Bold") -> str:
    """Return the text, cut with an ellipsis if it is wider than `most` pixels, never within a grapheme cluster."""
    if width(text, size, weight) <= most:
        return text
    letters = _LETTER.findall(text)
    low, high = 0, len(letters)
    while low < high:
        middle = (low + high + 1) // 2
        if width("".join(letters[:middle]) + ELLIPSIS, size, weight) <= most:
            low = middle
        else:
            high = middle - 1
    return "".join(letters[:low]).rstrip() + ELLIPSIS


def fit_words(text: str, most: int, size: int) -> str:
    """Return as many whole words of the text as fit, at least a part of the first."""
    parts = text.split(" ")
    fitting = (" ".join(parts[:count]) for count in range(len(parts), 0, -1))
    return next((words for words in fitting if width(words, size) <= most), fit(parts[0], most, size))


def draw_text(
    draw: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    size: int,
    fill: str,
    *,
    weight: Weight = "Bold",
    anchor: str = "ls",
) -> float:
    """Draw a line anchored at `at`: l, m or r, then s (baseline) or m (middle of capitals); returns its width."""
    mask, corner, whole = placed(at, text, size, weight, anchor=anchor)
    draw.bitmap(corner, mask, fill=fill)
    return whole


def placed(
    at: tuple[float, float], text: str, size: int, weight: Weight = "Bold", *, anchor: str
) -> tuple[Image.Image, tuple[int, int], float]:
    """Lay out a line without drawing it: its mask, the position of the mask's upper left corner, and its width."""
    x, y = at
    whole = width(text, size, weight)
    x -= {"l": 0, "m": whole / 2, "r": whole}[anchor[0]]
    if anchor[1] == "m":  # the middle of capitals, whatever the letters are, so that lines keep their height
        top, bottom = _capitals(size, weight)
        y += (bottom - top) / 2
    mask, left, above = _mask(text, size, weight)
    return mask, (round(x) - left, round(y) - above), whole


@forgettable
@lru_cache(maxsize=512)
def _mask(text: str, size: int, weight: Weight) -> tuple[Image.Image, int, int]:
    """Return the line as a mask, and the offset of its start. It is cached: shaping is slow, and names recur."""
    above, below, side = round(1.3 * size), round(0.8 * size), round(0.3 * size)
    mask = Image.new("L", (round(width(text, size, weight)) + 2 * side, above + below))
    draw = ImageDraw.Draw(mask)
    x: float = side
    for index, run in _runs(text):
        drawn = face(index, size, weight)
        draw.text((x, above), run, fill=255, font=drawn, anchor="ls")
        x += drawn.getlength(run)
    box = mask.getbbox() or (0, 0, 1, 1)  # a blank has nothing to show
    return mask.crop(box), side - box[0], above - box[1]


@lru_cache
def _capitals(size: int, weight: Weight) -> tuple[float, float]:
    _, top, _, bottom = font(size, weight).getbbox("H", anchor="ls")
    return top, bottom


@forgettable
@lru_cache(maxsize=2048)
def _runs(text: str) -> tuple[tuple[int, str], ...]:
    """Split the text into pieces that one face each can draw, from left to right.

    Joiners and blanks stay with the piece before them. A word is drawn in a single face if one has all its
    characters.
    """
    indices: list[int] = []
    for word in _WORD.findall(text):
        whole = face_for(word) if word[0].isalpha() else None
        for character in word:
            follows = bool(indices) and (character in _JOINERS or character == " ")
            own = whole if whole is not None else indices[-1] if follows else face_for(character)
            indices.append(own or 0)
    grouped = groupby(zip(indices, text, strict=True), key=lambda pair: pair[0])
    runs = tuple((index, "".join(character for _, character in pairs)) for index, pairs in grouped)
    return runs[::-1] if _is_right_to_left(text) else runs


def _is_right_to_left(text: str) -> bool:
    """Return whether the first letter belongs to a right-to-left script."""
    kinds = map(unicodedata.bidirectional, text)
    return next((kind != "L" for kind in kinds if kind in ("L", "R", "AL")), False)


def forget_texts() -> None:
    """Clear the caches of drawn texts."""
    for clear in _kept:
        clear()
